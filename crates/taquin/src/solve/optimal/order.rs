//! Which task to search first.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::state::TaskCount;

/// What is known of a task before it is searched.
pub(super) struct Outlook {
    /// No solution through it is shorter.
    pub(super) bound: u16,
    /// Tasks that were cut from the same one.
    pub(super) family: u32,
    /// What it took in the last iteration, or its share of that.
    pub(super) last: TaskCount,
}

/// The tasks within the threshold, in the order in which to look for one solution.
///
/// Where the last iteration came nearest to the goal, this one may reach it. So the last iteration,
/// which would be the largest of all, often ends when it has hardly begun. Small tasks say little
/// of themselves: those of a family come together, with the best family first.
pub(super) fn promising_first(tasks: &[Outlook], threshold: u32) -> Vec<u32> {
    let mut families: HashMap<u32, (u16, u64)> = HashMap::new();
    for task in tasks {
        let (reached, nodes) = families.entry(task.family).or_default();
        *reached = task.last.reached.max(*reached);
        *nodes += task.last.expanded;
    }
    let numbered = (0..).zip(tasks);
    let within = numbered.filter(|(_, task)| u32::from(task.bound) <= threshold);
    let mut order: Vec<u32> = within.map(|(number, _)| number).collect();
    order.sort_by_cached_key(|&number| {
        let task = &tasks[number as usize];
        let (reached, nodes) = families[&task.family];
        let own = (Reverse(task.last.reached), Reverse(task.last.expanded));
        (Reverse(reached), Reverse(nodes), task.family, own)
    });
    order
}
