// What the view says.

export const DIRECTIONS = { U: 'up', D: 'down', L: 'left', R: 'right' };

export function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The moves that were just made, in words; `board` is the board after them. */
export function told(board, moves) {
  const direction = DIRECTIONS[moves[0]];
  if (moves.length > 1) return `${moves.length} tiles ${direction}`;
  const back = { U: -board.columns, D: board.columns, L: -1, R: 1 }[moves];
  return `${board.tiles[board.blank + back]} ${direction}`;
}

/** Why no moves lead to the goal. */
export function unsolvable(reason) {
  return `This board cannot be solved: ${reason}.`;
}

/** What remains after a hint. */
export function remaining({ length, lower_bound: least, optimal }) {
  if (optimal) return `${count(length, 'move')} to go, and it cannot be done in fewer.`;
  return `${count(length, 'move')} to go this way; at least ${least} are needed.`;
}

/** How far `made` moves are from the shortest. */
export function shortest({ status, length, lower_bound: least, optimal }, made) {
  if (length === null && least === null) return `. The shortest is not known (${status}).`;
  if (optimal) return made === length ? ' — that is the shortest there is' : ` — the shortest takes ${length}`;
  const most = Math.min(made, length ?? made);
  if (least === most) return ' — that is the shortest there is';
  return ` — the shortest takes at least ${least}, at most ${most} (not proven)`;
}
