// What the view says.

import { moveCount } from '../metric.js';

export const DIRECTIONS = { U: 'up', D: 'down', L: 'left', R: 'right' };

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

/** A hint: the tiles to slide, the nearest to the blank first, and what remains. */
export function hinted(tiles, direction, { length, metric, lower_bound: least, optimal }) {
  const names = tiles.length > 1 ? `${tiles.slice(0, -1).join(', ')} and ${tiles.at(-1)}` : tiles[0];
  const rest = optimal ? ' to go, and it cannot be done in fewer.' : ` to go this way; at least ${least} are needed.`;
  return `Move ${names} ${DIRECTIONS[direction]}. ${moveCount(length, metric)}${rest}`;
}

/** How far `made` moves are from the shortest, all in one metric. */
export function shortest({ status, length, lower_bound: least, optimal }, made) {
  if (length === null && least === null) return `. The shortest is not known (${status}).`;
  if (optimal) return made === length ? ' — that is the shortest there is' : ` — the shortest takes ${length}`;
  const most = Math.min(made, length ?? made);
  if (least === most) return ' — that is the shortest there is';
  return ` — the shortest takes at least ${least}, at most ${most} (not proven)`;
}
