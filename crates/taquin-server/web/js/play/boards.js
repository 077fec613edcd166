// Where boards come from.

import { post } from '../api.js';
import { Board } from '../board.js';

/** Asks for a scramble. One with a random seed is not the goal itself, which happens on small boards. */
export async function scramble({ rows, columns, goal: name, seed }, goal, signal) {
  for (;;) {
    const drawn = seed ?? Math.floor(Math.random() * 1e6);
    const { board } = await post('scramble', { size: `${rows}x${columns}`, goal: name, seed: drawn }, { signal });
    const start = Board.parse(board);
    if (seed !== null || !start.equals(goal)) return { start, seed: drawn };
  }
}

/** A board some random moves from the goal, for when there is no server. */
export function walk(goal) {
  let board = goal;
  for (let left = 40 * goal.tiles.length; left > 0 || board.equals(goal); left--) {
    board = board.slide('UDLR'[Math.floor(Math.random() * 4)]) ?? board;
  }
  return board;
}
