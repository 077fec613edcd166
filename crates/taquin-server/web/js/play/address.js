// A game in the address: what can be asked for, and how it is written.

import { Board } from '../board.js';
import { metricParams, readMetric } from '../metric.js';

export const SIZES = [2, 3, 4, 5, 6, 7, 8, 9, 10];
export const GOALS = { classic: 'Classic', 'blank-first': 'Blank first', snail: 'Snail', snake: 'Snake' };

/** Reads a seed; null if it is none. */
export function readSeed(text) {
  const seed = /^\d+$/.test(text.trim()) ? Number(text) : NaN;
  return Number.isSafeInteger(seed) ? seed : null;
}

const fits = (rows, columns) => SIZES.includes(rows) && SIZES.includes(columns);

/** A board of a playable size; null if the text is none. */
function readBoard(text) {
  try {
    const board = Board.parse(text);
    return fits(board.rows, board.columns) ? board : null;
  } catch {
    return null;
  }
}

/** What an address asks for. `named` tells whether it asks for a certain game, `faults` what of it cannot be had. */
export function read(params) {
  const faults = [];
  const start = params.has('board') ? readBoard(params.get('board')) : null;
  if (params.has('board') && !start) faults.push('board');
  let [rows, columns] = start ? [start.rows, start.columns] : (params.get('size') ?? '4x4').split('x').map(Number);
  if (!fits(rows, columns)) {
    faults.push('size');
    rows = columns = 4;
  }
  const seed = start ? null : readSeed(params.get('seed') ?? '');
  if (params.get('seed') && !start && seed === null) faults.push('seed');
  const goal = readGoal(params.get('goal') ?? 'classic', `${rows}x${columns}`);
  if (!goal) faults.push('goal');
  return {
    named: ['size', 'seed', 'board'].some((name) => params.has(name)),
    goal: goal ?? 'classic', moves: params.get('moves') ?? '', metric: readMetric(params.get('metric')), start, rows, columns, seed, faults,
  };
}

/** A goal by its name, or as a board of this size; null if it is neither. */
export function readGoal(text, size) {
  if (Object.hasOwn(GOALS, text)) return text;
  const board = readBoard(text);
  return board?.size === size ? String(board) : null;
}

export function address({ start, goalName, seed, moves, metric }) {
  const params = seed === null ? { board: String(start) } : { size: start.size, seed };
  if (goalName !== 'classic') params.goal = goalName;
  if (moves) params.moves = moves;
  return { ...params, ...metricParams(metric) };
}

/** Whether an address asks for this game. */
export function same(wanted, game) {
  if (!game || wanted.goal !== game.goalName) return false;
  if (wanted.start) return wanted.start.equals(game.start);
  return wanted.seed !== null && wanted.seed === game.seed && wanted.rows === game.start.rows && wanted.columns === game.start.columns;
}
