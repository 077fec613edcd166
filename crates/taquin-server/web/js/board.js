// A board as a value, and what moves do to it.

/** What a move adds to the cell of the tile: the tile goes there, the blank comes here. */
const STEPS = { U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1] };
const OPPOSITE = { U: 'D', D: 'U', L: 'R', R: 'L' };

/** The cells of a grid in the order in which a goal numbers them. */
const ORDERS = {
  classic: (rows, columns) => Array.from({ length: rows * columns }, (_, cell) => cell),
  snake: (rows, columns) => ORDERS.classic(rows, columns).map((cell) => {
    const row = Math.floor(cell / columns);
    return row % 2 ? (2 * row + 1) * columns - 1 - cell : cell;
  }),
  snail: (rows, columns) => {
    const cells = [];
    let [top, left, bottom, right] = [0, 0, rows - 1, columns - 1];
    while (top <= bottom && left <= right) {
      for (let c = left; c <= right; c++) cells.push(top * columns + c);
      for (let r = top + 1; r <= bottom; r++) cells.push(r * columns + right);
      if (top < bottom) for (let c = right - 1; c >= left; c--) cells.push(bottom * columns + c);
      if (left < right) for (let r = bottom - 1; r > top; r--) cells.push(r * columns + left);
      top++; left++; bottom--; right--;
    }
    return cells;
  },
};

/** A board; it never changes. `tiles` is in reading order, 0 is the blank. */
export class Board {
  constructor(rows, columns, tiles) {
    this.rows = rows;
    this.columns = columns;
    this.tiles = tiles;
    this.blank = tiles.indexOf(0);
  }

  /** Reads the form `rows`: "1 2 3/4 5 6/7 8 0". */
  static parse(text) {
    const lines = text.trim().split('/').map((line) => line.trim().split(/\s+/).map(Number));
    const columns = lines[0].length;
    const tiles = lines.flat();
    const complete = new Set(tiles).size === tiles.length && tiles.every((tile) => tile >= 0 && tile < tiles.length && Number.isInteger(tile));
    if (!complete || lines.some((line) => line.length !== columns)) throw new Error(`not a board: ${text}`);
    return new Board(lines.length, columns, tiles);
  }

  /** The goal of a name: classic, blank-first, snail or snake; or a goal that is written as a board. */
  static goal(name, rows, columns) {
    if (name.includes('/')) return Board.parse(name);
    const tiles = new Array(rows * columns).fill(0);
    if (name === 'blank-first') return new Board(rows, columns, tiles.map((_, cell) => cell));
    if (!ORDERS[name]) throw new Error(`no such goal: ${name}`);
    ORDERS[name](rows, columns).forEach((cell, index) => { tiles[cell] = (index + 1) % tiles.length; });
    return new Board(rows, columns, tiles);
  }

  toString() {
    const lines = [];
    for (let at = 0; at < this.tiles.length; at += this.columns) lines.push(this.tiles.slice(at, at + this.columns).join(' '));
    return lines.join('/');
  }

  get size() { return `${this.rows}x${this.columns}`; }

  /** The cell of the tile that `move` would slide into the blank, or -1. */
  source(move) {
    const [down, right] = STEPS[move] ?? [];
    const row = Math.floor(this.blank / this.columns) - down;
    const column = (this.blank % this.columns) - right;
    const inside = row >= 0 && row < this.rows && column >= 0 && column < this.columns;
    return inside ? row * this.columns + column : -1;
  }

  /** The board after one tile slid in the direction `move`, or null if none can. */
  slide(move) {
    const from = this.source(move);
    if (from < 0) return null;
    const tiles = this.tiles.slice();
    tiles[this.blank] = tiles[from];
    tiles[from] = 0;
    return new Board(this.rows, this.columns, tiles);
  }

  /** The board after all `moves`; throws if one is illegal. */
  apply(moves) {
    let board = this;
    for (const move of moves) {
      board = board.slide(move);
      if (!board) throw new Error(`${move} is not possible here`);
    }
    return board;
  }

  /** The moves that slide the line of tiles from `cell` to the blank; '' if they are not in one line. */
  line(cell) {
    const down = Math.floor(this.blank / this.columns) - Math.floor(cell / this.columns);
    const right = (this.blank % this.columns) - (cell % this.columns);
    if (right === 0) return (down < 0 ? 'U' : 'D').repeat(Math.abs(down));
    if (down === 0) return (right < 0 ? 'L' : 'R').repeat(Math.abs(right));
    return '';
  }

  equals(other) {
    return this.columns === other.columns && this.tiles.length === other.tiles.length
      && this.tiles.every((tile, cell) => tile === other.tiles[cell]);
  }
}

/** The moves that take `moves` back. */
export function reverse(moves) {
  return [...moves].reverse().map((move) => OPPOSITE[move]).join('');
}

/** The moves of a metric, each once for every tile that it slides: "RRD" is R R D, in multi-tile moves RR D. */
export function split(moves, metric) {
  return metric === 'multi' ? moves.match(/(.)\1*/g) ?? [] : [...moves];
}
