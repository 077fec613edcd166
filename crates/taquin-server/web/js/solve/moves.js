// The moves of a solution in the notation of the reader's choice.

import { reverse, split } from '../board.js';
import { h } from '../dom.js';

const NOTATIONS = { tile: 'the tile’s direction', blank: 'the blank’s direction', numbers: 'the tile’s number', positions: 'the blank’s cell' };
const STYLES = { letters: 'RRD', lower: 'rrd', compact: 'R2 D', arrows: '→→↓', ascii: '>>v' };
const SIGNS = { letters: 'UDLR', lower: 'udlr', compact: 'UDLR', arrows: '↑↓←→', ascii: '^v<>' };

/** Moves as words; each stands for the run of moves at its place in `runs`. */
export function write(board, moves, notation, style) {
  if (notation === 'numbers' || notation === 'positions') {
    let now = board;
    const words = [...moves].map((move) => {
      const { tiles } = now;
      now = now.slide(move);
      return notation === 'numbers' ? tiles[now.blank] : now.blank;
    });
    return { words, runs: [...moves], between: ' ' };
  }
  const compact = style === 'compact';
  const runs = split(moves, compact ? 'multi' : 'single');
  const sign = (move) => SIGNS[style]['UDLR'.indexOf(notation === 'blank' ? reverse(move) : move)];
  return { words: runs.map((run) => sign(run[0]) + (run[1] ? run.length : '')), runs, between: compact ? ' ' : '' };
}

/** The list of moves: `show(board, steps, metric)`, and `mark(step)` for the move that led to a step. */
export function moveList() {
  let board, steps, written;
  let metric = 'single';
  let step = 0;
  const before = new Text();
  const current = h('mark', {});
  const after = new Text();
  const box = h('div', { class: 'moves', role: 'group', 'data-field': 'moves', tabindex: 0, 'aria-label': 'Moves' }, before, current, after);
  const notation = select('notation', NOTATIONS);
  const style = select('style', STYLES);
  const copy = h('button', { 'data-action': 'copy', onclick: copyAll }, 'Copy');

  function select(name, options) {
    return h('select', { 'data-field': name, 'aria-label': name, onchange: print },
      Object.entries(options).map(([value, text]) => h('option', { value }, text)));
  }

  function print() {
    style.disabled = notation.value === 'numbers' || notation.value === 'positions';
    copy.disabled = !steps.length;
    written = write(board, steps.join(''), notation.value, style.value);
    mark(step);
  }

  function mark(to) {
    step = to;
    const { words, runs, between } = written;
    // The words of the last step: from the one that it begins in to the one that it ends in.
    const count = steps.slice(0, step).join('').length;
    const begun = count - (steps[step - 1]?.length ?? 0);
    let [first, next] = [0, 0];
    for (let made = 0; made < count; next++) {
      made += runs[next].length;
      if (made <= begun) first++;
    }
    const join = (from, end) => words.slice(from, end).map((word) => word + between).join('');
    before.data = join(0, first);
    current.textContent = words.slice(first, next).join(between);
    after.data = (next ? between : '') + join(next);
    box.scrollTop = current.offsetTop - box.clientHeight / 2;
  }

  async function copyAll() {
    try {
      await navigator.clipboard.writeText(written.words.join(written.between));
      copy.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(box);
      copy.textContent = 'Selected';
    }
    setTimeout(() => { copy.textContent = 'Copy'; }, 1500);
  }

  function show(newBoard, newSteps, newMetric = metric) {
    [board, steps, step] = [newBoard, newSteps, 0];
    // Each metric has its usual style; what the reader chooses stays until the metric changes.
    if (newMetric !== metric) style.value = newMetric === 'multi' ? 'compact' : 'letters';
    metric = newMetric;
    print();
  }

  show(null, []);
  return { element: h('div', { class: 'move-list' }, h('div', { class: 'row' }, h('h3', {}, 'Moves'), notation, style, copy), box), show, mark };
}
