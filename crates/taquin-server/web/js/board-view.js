// A board on the screen. Tiles are moved by transforms, so nothing is laid out again.

import { h, svg } from './dom.js';

const KEYS = { ArrowUp: 'U', ArrowDown: 'D', ArrowLeft: 'L', ArrowRight: 'R' };
/** A pointer that moved less than this many pixels has clicked. */
const SLACK = 5;
/** A release faster than this many pixels a millisecond is a flick. */
const FLICK = 0.35;

export class BoardView {
  #label; #onMoves; #cells; #tiles = []; #at = []; #board = null; #goal = null; #drag = null;

  /** Without `onMoves` the board is only looked at. */
  constructor({ label = 'Board', onMoves } = {}) {
    this.#label = label;
    this.#onMoves = onMoves;
    this.overlay = svg('svg', { class: 'overlay', 'aria-hidden': 'true' });
    this.#cells = h('div', { class: 'cells' }, this.overlay);
    this.element = h('div', { class: 'board', role: 'img' }, this.#cells);
    if (onMoves) this.#listen();
  }

  /** Shows a board; its tiles slide to their cells. With a goal, tiles at home look so. */
  show(board, { animate = true, goal = null } = {}) {
    const resized = board.size !== this.#board?.size;
    const regoaled = resized || (goal ? !this.#goal || !goal.equals(this.#goal) : !!this.#goal);
    this.#release();
    this.#board = board;
    this.#goal = goal;
    if (resized) this.#build();
    if (regoaled) this.#tiles.forEach((_, tile) => this.#aim(tile));
    this.element.classList.toggle('still', !animate || resized);
    board.tiles.forEach((tile, cell) => {
      if (tile && (regoaled || this.#at[tile] !== cell)) this.#place(tile, cell);
    });
    this.element.setAttribute('aria-label', `${this.#label}. ${describe(board)}`);
  }

  /** The element of a tile. */
  tile(number) { return this.#tiles[number]; }

  /** A picture behind the numbers; null takes it away. */
  setPicture(url) {
    this.element.classList.toggle('picture', !!url);
    if (url) this.element.style.setProperty('--picture', `url("${url}")`);
    else this.element.style.removeProperty('--picture');
  }

  /** Slides as the arrow keys say, with Shift the whole line; tells whether the key was one of them. */
  key(event) {
    const move = KEYS[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return false;
    let moves = '';
    for (let board = this.#board.slide(move); board; board = event.shiftKey ? board.slide(move) : null) moves += move;
    this.#release();
    if (moves) this.#onMoves(moves);
    return true;
  }

  #build() {
    const { rows, columns, tiles } = this.#board;
    const digits = String(tiles.length - 1).length;
    const style = this.element.style;
    style.setProperty('--rows', rows);
    style.setProperty('--columns', columns);
    style.setProperty('--text', Math.min(0.39, 1.02 / digits).toFixed(3));
    this.overlay.setAttribute('viewBox', `0 0 ${columns} ${rows}`);
    this.#at = [];
    this.#tiles = tiles.map((_, tile) => (tile ? h('div', { class: 'tile', 'data-tile': tile }, h('div', { class: 'face' }, String(tile))) : null));
    this.#cells.replaceChildren(...this.#tiles.filter(Boolean), this.overlay);
  }

  /** Tells a tile which part of a picture it has. */
  #aim(tile) {
    if (!tile) return;
    const { columns } = this.#board;
    const cell = this.#goal ? this.#goal.tiles.indexOf(tile) : tile - 1;
    this.#tiles[tile].style.setProperty('--gx', cell % columns);
    this.#tiles[tile].style.setProperty('--gy', Math.floor(cell / columns));
  }

  #place(tile, cell) {
    const { columns } = this.#board;
    const element = this.#tiles[tile];
    element.style.setProperty('--x', cell % columns);
    element.style.setProperty('--y', Math.floor(cell / columns));
    element.classList.toggle('home', this.#goal?.tiles[cell] === tile);
    this.#at[tile] = cell;
  }

  #listen() {
    const board = this.element;
    board.classList.add('playable');
    board.setAttribute('role', 'application');
    board.setAttribute('aria-roledescription', 'sliding puzzle');
    board.tabIndex = 0;
    board.addEventListener('keydown', (event) => { if (this.key(event)) event.preventDefault(); });
    board.addEventListener('pointerdown', (event) => this.#press(event));
    // A second finger does nothing.
    const holding = (act) => (event) => { if (event.pointerId === this.#drag?.pointer) act(event, this.#drag); };
    board.addEventListener('pointermove', holding((event, drag) => this.#move(event, drag)));
    board.addEventListener('pointerup', holding((event, drag) => this.#lift(event, drag)));
    board.addEventListener('pointercancel', holding(() => this.#release()));
  }

  #press(event) {
    if (event.button !== 0 || !event.isPrimary || !this.#board) return;
    this.#release();
    const box = this.#cells.getBoundingClientRect();
    const { rows, columns } = this.#board;
    const within = (value, count) => Math.max(0, Math.min(count - 1, Math.floor(value * count)));
    const cell = within((event.clientY - box.top) / box.height, rows) * columns + within((event.clientX - box.left) / box.width, columns);
    this.element.setPointerCapture(event.pointerId);
    this.#drag = { pointer: event.pointerId, x: event.clientX, y: event.clientY, cell, pitch: box.width / columns, moves: '', travel: 0, speed: 0, time: event.timeStamp };
  }

  /**
   * The first pixels decide what is dragged: the line from the pressed tile to the blank if the pointer
   * goes that way, else the tile that a swipe in this direction slides.
   */
  #grab(drag, dx, dy) {
    const move = Math.abs(dx) > Math.abs(dy) ? (dx < 0 ? 'L' : 'R') : (dy < 0 ? 'U' : 'D');
    const line = this.#board.line(drag.cell);
    drag.moves = line[0] === move ? line : this.#board.slide(move) ? move : '';
    if (!drag.moves) return;
    drag.tiles = [];
    let board = this.#board;
    for (const step of drag.moves) {
      drag.tiles.push(this.#tiles[board.tiles[board.source(step)]]);
      board = board.slide(step);
    }
    for (const tile of drag.tiles) tile.classList.add('held');
  }

  #move(event, drag) {
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    if (!drag.moves && Math.hypot(dx, dy) > SLACK) this.#grab(drag, dx, dy);
    if (!drag.moves) return;
    const along = { U: -dy, D: dy, L: -dx, R: dx }[drag.moves[0]];
    const travel = Math.max(0, Math.min(drag.pitch, along));
    const elapsed = event.timeStamp - drag.time;
    if (elapsed > 0) drag.speed = (travel - drag.travel) / elapsed;
    Object.assign(drag, { travel, time: event.timeStamp });
    const [axis, sign] = { U: ['--dy', -1], D: ['--dy', 1], L: ['--dx', -1], R: ['--dx', 1] }[drag.moves[0]];
    for (const tile of drag.tiles) tile.style.setProperty(axis, `${sign * travel}px`);
  }

  #lift(event, drag) {
    // Who holds still before letting go does not flick.
    if (event.timeStamp - drag.time > 80) drag.speed = 0;
    const still = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) <= SLACK;
    const moves = drag.moves
      ? (drag.travel > drag.pitch / 3 || drag.speed > FLICK ? drag.moves : '')
      : (still ? this.#board.line(drag.cell) : '');
    this.#release();
    if (moves) this.#onMoves(moves);
  }

  /** Lets go of what is dragged: it slides back, or on if the board changes now. */
  #release() {
    for (const tile of this.#drag?.tiles ?? []) {
      tile.classList.remove('held');
      tile.style.removeProperty('--dx');
      tile.style.removeProperty('--dy');
    }
    this.#drag = null;
  }
}

/** A board in words, row by row. */
function describe({ rows, columns, tiles }) {
  const words = [`${rows} by ${columns}`];
  for (let row = 0; row < rows; row++) {
    const line = tiles.slice(row * columns, (row + 1) * columns).map((tile) => tile || 'blank');
    words.push(`row ${row + 1}: ${line.join(' ')}`);
  }
  return words.join('; ');
}
