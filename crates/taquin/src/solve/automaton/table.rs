//! From forbidden words to a table of transitions with as few states as can be.

use std::collections::HashMap;

use super::DEAD;
use super::words::Word;

/// Where a move leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    /// Not known yet.
    Missing,
    To(usize),
    /// The move completes a forbidden word.
    Dead,
}

/// A step for each move, in the order of [`Move::ALL`](crate::Move::ALL).
type Row = [Step; 4];

/// The transitions of the smallest automaton that refuses what contains one of the words, none of
/// which contains another. States are numbered breadth first from the start, which is 0.
pub(super) fn table(words: &[Word]) -> Vec<[u16; 4]> {
    let mut rows = tree(words);
    link(&mut rows);
    let classes = classes(&rows);
    number(&rows, &classes)
}

/// The tree of the words: one node for each beginning of a word that is not the whole word.
fn tree(words: &[Word]) -> Vec<Row> {
    let mut rows = vec![[Step::Missing; 4]];
    for word in words {
        let mut node = 0;
        for (i, m) in word.moves().enumerate() {
            let m = m as usize;
            if i + 1 == word.len() {
                rows[node][m] = Step::Dead;
            } else if let Step::To(next) = rows[node][m] {
                node = next;
            } else {
                rows[node][m] = Step::To(rows.len());
                node = rows.len();
                rows.push([Step::Missing; 4]);
            }
        }
    }
    rows
}

/// Fills in the steps that leave the tree (Aho & Corasick 1975).
///
/// A node stands for the longest end of the moves so far that begins a word. A move that does not
/// lead further into the tree leads to where it would have led from the next shorter such end.
fn link(rows: &mut [Row]) {
    let mut shorter = vec![0; rows.len()];
    // Breadth first, so that the shorter end of a node has been filled in before the node.
    let mut queue = vec![0];
    let mut next = 0;
    while let Some(&node) = queue.get(next) {
        next += 1;
        let end = rows[shorter[node]];
        for m in 0..4 {
            match rows[node][m] {
                // At the root there is no shorter end: the moves so far begin no word.
                Step::Missing if node == 0 => rows[0][m] = Step::To(0),
                Step::Missing => rows[node][m] = end[m],
                Step::To(child) => {
                    // The end of what contains no forbidden word contains none.
                    if let (Step::To(end), true) = (end[m], node != 0) {
                        shorter[child] = end;
                    }
                    queue.push(child);
                }
                Step::Dead => {}
            }
        }
    }
}

/// A number for each state, the same for states from which the same moves are refused for ever.
///
/// States that agree on which moves are dead are taken for the same until a move is found that
/// leads to states that are not (Moore 1956).
fn classes(rows: &[Row]) -> Vec<usize> {
    let mut classes = vec![0; rows.len()];
    let mut count = 1;
    loop {
        let mut numbers: HashMap<Row, usize> = HashMap::new();
        let refined = rows
            .iter()
            .map(|row| {
                let row = row.map(|step| match step {
                    Step::To(state) => Step::To(classes[state]),
                    step => step,
                });
                let fresh = numbers.len();
                *numbers.entry(row).or_insert(fresh)
            })
            .collect();
        classes = refined;
        if numbers.len() == count {
            return classes;
        }
        count = numbers.len();
    }
}

/// One row for each class that can be reached, breadth first from that of the root: what a search
/// visits most lies together.
fn number(rows: &[Row], classes: &[usize]) -> Vec<[u16; 4]> {
    let mut numbers = vec![None; rows.len()];
    numbers[classes[0]] = Some(0);
    let mut order = vec![0];
    let mut table: Vec<[u16; 4]> = Vec::new();
    while let Some(&node) = order.get(table.len()) {
        table.push(rows[node].map(|step| {
            let Step::To(next) = step else { return DEAD };
            *numbers[classes[next]].get_or_insert_with(|| {
                order.push(next);
                let number = (order.len() - 1) as u16;
                debug_assert_ne!(number, DEAD, "too many states");
                number
            })
        }));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::words::redundant;
    use super::*;

    /// Which moves are allowed after each sequence of up to `more` moves from a state.
    fn future(table: &[[u16; 4]], state: u16, more: usize, future: &mut Vec<bool>) {
        for next in table[usize::from(state)] {
            future.push(next != DEAD);
            if next != DEAD && more > 0 {
                self::future(table, next, more - 1, future);
            }
        }
    }

    #[test]
    fn no_two_states_have_the_same_future() {
        let words = redundant(8, None);
        let table = table(&words);
        assert_eq!((words.len(), table.len()), (40, 150));
        assert!(tree(&words).len() > table.len());
        let mut futures: Vec<Vec<bool>> = (0..table.len())
            .map(|state| {
                let mut seen = Vec::new();
                future(&table, state as u16, 7, &mut seen);
                seen
            })
            .collect();
        futures.sort();
        assert!(futures.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn states_are_numbered_in_the_order_in_which_they_are_reached() {
        let table = table(&redundant(10, None));
        let mut known = 1;
        for (state, row) in table.iter().enumerate() {
            assert!(state < known);
            for &next in row.iter().filter(|&&next| next != DEAD) {
                assert!(usize::from(next) <= known);
                known = known.max(usize::from(next) + 1);
            }
        }
        assert_eq!(known, table.len());
    }
}
