// Why a board can or cannot be solved: its inversions, counted before the reader's eyes.

import { h } from '../dom.js';
import { Player } from '../player.js';

/** More pairs than this are counted a tile at a time. */
const MOST_PAIRS = 40;

/** For each tile in reading order, the smaller tiles that come after it. */
function smallerAfter(board) {
  const tiles = board.tiles.filter(Boolean);
  return tiles.map((tile, i) => ({ tile, smaller: tiles.slice(i + 1).filter((other) => other < tile) }));
}

const sum = (counts) => counts.reduce((total, { smaller }) => total + smaller.length, 0);

/** The verdict in two words and a sign. */
export function badge({ solvable }) {
  return h('strong', { class: `badge ${solvable ? 'good' : 'bad'}`, 'data-field': 'verdict' }, solvable ? '✓ Solvable' : '✗ Not solvable');
}

/** The card: `show(record, board, goal)` shows a record of `check`. Steps made by hand are announced. */
export function verdictCard(announce) {
  let steps = [];
  let cells = new Map();
  const row = h('ol', { class: 'reading-order', 'aria-label': 'The tiles in reading order, without the blank' });
  const total = h('output', { 'data-field': 'inversions', 'aria-live': 'off' });
  const words = h('span');
  const player = new Player({ label: 'Count the inversions', onStep: count });
  const reason = h('p', { 'data-field': 'reason' });
  const rule = h('p', { class: 'muted' });
  const table = h('table', { 'data-field': 'sums' });
  const element = h('section', { class: 'card verdict', id: 'inversions', hidden: true }, h('h2', {}, 'Can it be solved?'), reason, row,
    h('p', { class: 'total' }, total, ' ', words), player.element, h('div', { class: 'grounds' }, h('div', { class: 'scroll' }, table), rule));

  /** Shows what is counted after so many steps. */
  function count(step) {
    const done = steps.slice(0, step);
    const now = done.at(-1);
    for (const [tile, cell] of cells) {
      cell.lastChild.textContent = sum(done.filter((counted) => counted.tile === tile)) || '';
      cell.className = tile === now?.tile ? 'larger' : now?.smaller.includes(tile) ? 'smaller' : '';
    }
    total.textContent = sum(done).toLocaleString('en');
    if (step === steps.length) words.textContent = `inversion${sum(done) === 1 ? '' : 's'} in all; under each tile, how many smaller ones come after it`;
    else words.textContent = now ? `${now.tile} stands before ${now.smaller[1] ? `${now.smaller.length} smaller tiles` : `the smaller ${now.smaller[0]}`}` : 'so far';
    if (!player.playing && player.element.contains(document.activeElement)) announce(`${total.textContent} ${words.textContent}`);
    if (now) row.scrollTop = cells.get(now.tile).offsetTop - row.clientHeight / 2;
  }

  /** A step is a pair, or a tile if there are many pairs. Those who want no motion see the end. */
  function start(counts) {
    cells = new Map(counts.map(({ tile }) => [tile, h('li', {}, String(tile), h('small'))]));
    row.replaceChildren(...cells.values());
    steps = counts.filter(({ smaller }) => smaller.length);
    if (sum(counts) <= MOST_PAIRS) steps = steps.flatMap(({ tile, smaller }) => smaller.map((other) => ({ tile, smaller: [other] })));
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    player.pause();
    player.length = steps.length;
    player.go(still ? steps.length : 0);
    if (!still) player.play();
  }

  function show(record, board, goal) {
    const even = board.columns % 2 === 0;
    const counts = smallerAfter(board);
    const line = (name, pairs, blankRow) => {
      const value = even ? pairs + blankRow : pairs;
      return [name, pairs, ...(even ? [`+ ${blankRow}`, `= ${value}`] : []), value % 2 ? 'odd' : 'even'];
    };
    reason.textContent = `${record.solvable ? 'Yes' : 'No'}. ${record.reason}.`;
    rule.textContent = `An inversion is a pair of tiles with the larger one first. Sliding sideways changes no order. Sliding up or down carries a tile past ${board.columns - 1} other${board.columns > 2 ? 's' : ''}, ${even
      ? 'an odd number: the inversions turn from even to odd or back. But the blank’s row, counted from 0 at the bottom, changes by one at the same time, so the sum of both stays even or stays odd'
      : 'an even number: the inversions stay even or stay odd'}, whatever is moved. The goal is counted in the same way, and both must agree.`;
    table.replaceChildren(...[
      ['', 'inversions', ...(even ? ['blank’s row', 'sum'] : []), 'parity'],
      line('board', record.inversions, record.blank_row),
      line('goal', sum(smallerAfter(goal)), goal.rows - 1 - Math.floor(goal.blank / goal.columns)),
    ].map((texts, i) => h('tr', {}, texts.map((text, j) => h(i && j ? 'td' : 'th', {}, String(text))))));
    element.hidden = false;
    start(counts);
  }

  function clear() {
    player.pause();
    element.hidden = true;
  }

  return { element, show, clear };
}
