//! The table of transitions in few bytes.
//!
//! A move is forbidden wherever it is forbidden after fewer of the moves before it. So a state has
//! a *shadow*, the state after the same moves without the first, and most transitions are those of
//! the shadow. Most of the others lead to a state that no earlier one leads to, which in a table
//! that is numbered breadth first has the next number.
//!
//! The shadow of the start is the start itself, of which nothing is known. Where a state is first
//! reached by a move from another, the move leads from the other's shadow to the new one's: a state
//! with a smaller number, so that its row is known already.
//!
//! A file has the number of states in two bytes; then a byte a state, with two bits a move, the
//! first move's lowest; then the transitions that must be spelled out, two bytes each. Of two
//! bytes, the lower one comes first.

use super::DEAD;

/// The move leads where it leads from the shadow.
const AS_SHADOW: u8 = 0;
/// The move leads to a new state.
const NEW: u8 = 1;
/// The move is forbidden, and not from the shadow.
const FORBIDDEN: u8 = 2;
/// The move leads to a state that must be spelled out.
const SPELLED: u8 = 3;

/// What stands for the row of the start's shadow.
const NO_SHADOW: [u16; 4] = [0; 4];

/// The bytes of a table that is numbered breadth first.
pub(super) fn encode(table: &[[u16; 4]]) -> Vec<u8> {
    let mut kinds = Vec::with_capacity(table.len());
    let mut spelled = Vec::new();
    let mut shadows = vec![0];
    for (state, row) in table.iter().enumerate() {
        let shadow = match state {
            0 => NO_SHADOW,
            _ => table[usize::from(shadows[state])],
        };
        let mut kinds_of_row = 0;
        for m in 0..4 {
            let kind = if usize::from(row[m]) == shadows.len() {
                shadows.push(shadow[m]);
                NEW
            } else if row[m] == shadow[m] {
                AS_SHADOW
            } else if row[m] == DEAD {
                FORBIDDEN
            } else {
                spelled.extend(row[m].to_le_bytes());
                SPELLED
            };
            kinds_of_row |= kind << (2 * m);
        }
        kinds.push(kinds_of_row);
    }
    let count = table.len() as u16;
    [&count.to_le_bytes()[..], &kinds, &spelled].concat()
}

/// The table that was encoded; `None` for bytes that no table gives.
pub(super) fn decode(bytes: &[u8]) -> Option<Vec<[u16; 4]>> {
    let (&count, bytes) = bytes.split_first_chunk()?;
    let count = u16::from_le_bytes(count);
    let (kinds, spelled) = bytes.split_at_checked(count.into())?;
    let (spelled, []) = spelled.as_chunks() else {
        return None;
    };
    let mut spelled: Vec<u16> = spelled.iter().map(|&s| u16::from_le_bytes(s)).collect();
    let spelled_count = spelled.len();
    if spelled.iter().any(|&state| state >= count) {
        return None;
    }

    // Of what kind a transition is can hardly be foreseen, so all kinds are treated alike: what is
    // read too much is not used, and what is written too much is written over. Hence the room for
    // one row more.
    spelled.extend([0; 4]);
    let mut shadows = vec![0; usize::from(count) + 4];
    let mut table: Vec<[u16; 4]> = Vec::with_capacity(count.into());
    let (mut known, mut used) = (1, 0);
    for (state, kinds_of_row) in kinds.iter().enumerate() {
        if known > usize::from(count) || used > spelled_count {
            return None;
        }
        let shadow = match state {
            0 => NO_SHADOW,
            _ => *table.get(usize::from(shadows[state]))?,
        };
        table.push(std::array::from_fn(|m| {
            let kind = kinds_of_row >> (2 * m) & 3;
            let next = [shadow[m], known as u16, DEAD, spelled[used]][usize::from(kind)];
            shadows[known] = shadow[m];
            known += usize::from(kind == NEW);
            used += usize::from(kind == SPELLED);
            next
        }));
    }
    (known == usize::from(count) && used == spelled_count).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::super::Automaton;
    use super::*;

    #[test]
    fn a_table_comes_back_from_its_bytes() {
        for depth in [0, 2, 6, 8, 10] {
            let table = Automaton::new(depth).table;
            assert_eq!(decode(&encode(&table)), Some(table));
        }
    }

    #[test]
    fn damaged_bytes_are_refused_or_give_some_table() {
        let bytes = encode(&Automaton::new(8).table);
        for length in 0..bytes.len() {
            assert_eq!(decode(&bytes[..length]), None, "{length} bytes");
        }
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x5a;
            if let Some(table) = decode(&damaged) {
                let states = table.len() as u16;
                assert!(table.iter().flatten().all(|&s| s == DEAD || s < states));
            }
        }
    }
}
