//! A table that another program changes while this one uses it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::process::Stdio;

use crate::support::{Ran, Tables};

const BOARD: &str = "8 6 7/2 5 4/3 0 1\n";

#[test]
fn one_board_gets_an_error_that_names_the_file_and_the_next_one_a_new_table() {
    let tables = Tables::of_3x3();
    let file = tables.only();
    let sound = fs::read(&file).unwrap();
    let mut command = tables.taquin_command(&["solve", "--json"]);
    let mut solve = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = solve.stdin.take().unwrap();
    let mut stdout = BufReader::new(solve.stdout.take().unwrap());
    let mut ask = || {
        stdin.write_all(BOARD.as_bytes()).unwrap();
        stdin.flush().unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        line
    };
    let is_right =
        |line: &str| line.contains(r#""length":31"#) && line.contains(r#""optimal":true"#);
    let first = ask();
    assert!(is_right(&first), "{first}");

    let place = sound.len() - 1000;
    let mut open = File::options().write(true).open(&file).unwrap();
    open.seek(SeekFrom::Start(place as u64)).unwrap();
    open.write_all(&[!sound[place]]).unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    let second = ask();
    assert!(second.contains(r#""status":"error""#), "{second}");
    assert!(
        second.contains(name) && second.contains("were changed"),
        "{second}"
    );

    let third = ask();
    assert!(is_right(&third), "{third}");
    drop(stdin);
    let ran = Ran::of(solve);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains(name), "{}", ran.stderr);
    assert!(fs::read(&file).unwrap() == sound, "it was built again");
}
