use std::fs;
use std::path::Path;

use taquin::search::Outcome;
use taquin::solve::Effort;
use taquin::{Goal, Rng, uniform};

use super::*;

fn provider(folder: &Path) -> Provider {
    let tables_dir = Some(folder.to_owned());
    Provider::new(&TablesArgs { tables_dir }).unwrap()
}

fn goal(size: &str) -> Board {
    Goal::Classic.board(size.parse().unwrap()).unwrap()
}

/// The farthest board of 3x3 takes 31 moves.
fn solves(ready: &Ready) -> bool {
    let board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let report = ready.solver.solve(&board, &Effort::default()).unwrap();
    matches!(report.outcome, Outcome::Solved(solution) if solution.cost == 31)
}

#[test]
fn tables_are_made_once_a_process_and_kept_for_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let goal = goal("3x3");
    let first = provider(folder.path());
    assert!(!Tier::ALL.iter().any(|&tier| first.is_ready(&goal, tier)));
    let sets = thread::scope(|scope| {
        let get = || first.get(&goal, Tier::Quick).unwrap();
        let threads = [scope.spawn(get), scope.spawn(get)];
        threads.map(|thread| thread.join().unwrap())
    });
    assert!(Arc::ptr_eq(&sets[0], &sets[1]));
    assert!(solves(&sets[0]));

    finish_writing();
    let second = provider(folder.path());
    // All tiles of so small a board make one table, so both tiers are the same.
    assert!(second.is_ready(&goal, Tier::Full));
    assert!(solves(&second.get(&goal, Tier::Full).unwrap()));
}

#[test]
fn damaged_tables_are_never_handed_out() {
    let folder = tempfile::tempdir().unwrap();
    let goal = goal("3x3");
    provider(folder.path()).get(&goal, Tier::Quick).unwrap();
    finish_writing();
    let catalogue = Catalogue::for_goal(&goal, Tier::Quick).unwrap();
    let path = provider(folder.path()).store.path(catalogue.keys()[0]);
    let sound = fs::read(&path).unwrap();

    // In the payload, which only the checksums tell; in the header; and at the end.
    let mut flipped = sound.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let mut foreign = sound.clone();
    foreign[0] = 0;
    let short = sound[..sound.len() - 1].to_vec();
    for damaged in [flipped, foreign, short] {
        fs::write(&path, damaged).unwrap();
        assert!(solves(
            &provider(folder.path()).get(&goal, Tier::Quick).unwrap()
        ));
        finish_writing();
        assert!(fs::read(&path).unwrap() == sound);
    }
}

#[test]
fn where_nothing_can_be_kept_tables_are_built_all_the_same() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let provider = provider(&file.path().join("tables"));
    let goal = goal("3x3");
    assert!(solves(&provider.get(&goal, Tier::Quick).unwrap()));
    finish_writing();
    assert!(!provider.is_ready(&goal, Tier::Quick));
}

#[test]
fn smaller_tables_are_taken_where_memory_is_short() {
    let folder = tempfile::tempdir().unwrap();
    let goal = goal("4x4");
    let short = provider(folder.path()).with_memory(20_000_000);
    let ready = short.get(&goal, Tier::Full).unwrap();
    assert_eq!(ready.tier, Tier::Quick);
    assert!(Arc::ptr_eq(&ready, &short.get(&goal, Tier::Quick).unwrap()));
    let board = uniform(&goal, &mut Rng::from_seed(1));
    assert!(ready.solver.estimate(&board).unwrap() > 30);

    let none = provider(&folder.path().join("other")).with_memory(1000);
    let refused = none.get(&goal, Tier::Full).map(|ready| ready.tier);
    assert!(matches!(refused, Err(Unready::Build(BuildError::Limit(_)))));
}

#[test]
fn an_interruption_is_told_from_other_errors() {
    let folder = tempfile::tempdir().unwrap();
    let mut provider = provider(folder.path());
    provider.cancel = Arc::new(AtomicBool::new(true));
    let error = provider
        .get(&goal("3x3"), Tier::Quick)
        .map(|ready| ready.tier);
    let error = anyhow::Error::from(error.unwrap_err()).context("on the way");
    assert!(is_interruption(&error));

    let error = provider
        .get(&goal("7x7"), Tier::Quick)
        .map(|ready| ready.tier);
    let error = anyhow::Error::from(error.unwrap_err());
    assert!(!is_interruption(&error));
    assert!(error.to_string().contains("36 cells"), "{error}");
}
