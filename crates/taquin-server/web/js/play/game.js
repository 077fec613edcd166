// A game: a scramble, the moves made so far, what was taken back, and the clock.

import { reverse, split } from '../board.js';

export class Game {
  #undone = []; #history = []; #before = 0; #since = null;

  /** `seed` is null for a board that did not come from one; `metric` is what the player counts, and may change. */
  constructor({ start, goal, goalName, seed, metric }) {
    Object.assign(this, { start, goal, goalName, seed, metric, board: start });
    /** Whether the clock has run; the position of a link comes without a time. */
    this.timed = false;
  }

  get moves() { return this.#history.join(''); }
  /** The number of moves made, in a metric. */
  length(metric = this.metric) { return split(this.moves, metric).length; }
  get solved() { return this.board.equals(this.goal); }
  get canUndo() { return this.#history.length > 0; }
  get canRedo() { return this.#undone.length > 0; }

  /** How long it was played, in milliseconds. */
  get time() { return this.#before + (this.#since === null ? 0 : performance.now() - this.#since); }

  /** Slides tiles; the first slide starts the clock and the last one stops it. */
  slide(moves) {
    this.board = this.board.apply(moves);
    this.#history.push(moves);
    this.#undone = [];
    this.#since ??= performance.now();
    this.timed = true;
    if (this.solved) this.pause();
  }

  pause() {
    this.#before = this.time;
    this.#since = null;
  }

  /** Takes the last slide back; returns the moves that did it. */
  undo() {
    const back = reverse(this.#history.at(-1));
    this.board = this.board.apply(back);
    this.#undone.push(this.#history.pop());
    return back;
  }

  redo() {
    const moves = this.#undone.pop();
    this.board = this.board.apply(moves);
    this.#history.push(moves);
    return moves;
  }

  /** Back to the scramble. All slides can be made again with `redo`. */
  restart() {
    while (this.canUndo) this.undo();
    this.#before = 0;
    this.#since = null;
    this.timed = false;
  }

  /** Goes to the position that a link tells; throws if these moves are not possible. */
  seek(moves) {
    if (moves === this.moves) return;
    this.board = this.start.apply(moves);
    // Moves in one direction were most likely one slide.
    this.#history = split(moves, 'multi');
    this.#undone = [];
  }
}

/** 83000 milliseconds are "1:23". */
export function clock(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (number) => String(number).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
