// Solve: any board is read, judged, solved and replayed.

import { post, Problem, Gone } from './api.js';
import { Board, reverse, split } from './board.js';
import { BoardView } from './board-view.js';
import { h } from './dom.js';
import { metricParams, readMetric } from './metric.js';
import { Player } from './player.js';
import { told } from './play/words.js';
import { boardForm } from './solve/form.js';
import { moveList } from './solve/moves.js';
import { MODES, solutionCard } from './solve/solution.js';
import { badge, verdictCard } from './solve/verdict.js';

export const title = 'Solve';

/** Play has boards of up to so many rows and columns. */
const PLAYABLE = 10;

export function mount(root, params, app) {
  /** What was asked for; as the server reads it, once it has. */
  let asked = null;
  let board = null;
  let goal = null;
  /** The solution, split into moves of the metric. */
  let steps = [];
  /** The board on the stage, and how many steps led there. */
  let now = null;
  let at = 0;
  /** The step of the address. */
  let wanted = 0;
  let abort = null;
  let linking = 0;

  const form = boardForm(ask);
  const view = new BoardView();
  const line = h('p', { class: 'stage-line' });
  const player = new Player({ label: 'Replay the solution', onStep: show });
  const list = moveList();
  const solution = solutionCard(list.element, { onMoves: replay, onAgain: (mode) => ask({ ...asked, mode }), announce: app.announce });
  const verdict = verdictCard(app.announce);

  player.element.id = 'replay';
  root.append(h('h1', { class: 'unseen' }, 'Solve a board'), form.element,
    h('div', { class: 'solve-columns' }, h('div', { class: 'stage' }, view.element, line, player.element), solution.element),
    verdict.element);

  /** Stops what runs and takes the last solution away. */
  function forget(...words) {
    clearTimeout(linking);
    linking = 0;
    solution.reset(...words);
    steps = [];
    player.pause();
    player.length = 0;
    list.show(null, steps);
    line.replaceChildren();
    for (const tile of view.element.querySelectorAll('.marked')) tile.classList.remove('marked');
  }

  /** No board: a goal lies there, faint. */
  function rest() {
    forget('No board yet. Paste one above, or try one of the examples.');
    board = null;
    verdict.clear();
    view.element.classList.add('asleep');
    view.show(Board.goal('classic', 4, 4), { animate: false });
  }

  /** Has a board judged by the server, and solved if it can be. What is there stays until it answers, unless it is in another metric. */
  async function ask(request, { step = 0, replace = false } = {}) {
    // Lengths in one metric say nothing of the other.
    if (board && request.metric !== asked.metric) forget();
    form.fill(request);
    form.complain(null);
    abort?.abort();
    const { signal } = abort = new AbortController();
    try {
      const record = await post('check', { board: request.text, goal: request.goal || undefined, form: request.form || undefined }, { signal });
      form.settle(record.goal);
      // A board in rows has the classic goal if none is named.
      asked = { text: record.board, goal: record.goal === 'classic' ? '' : record.goal, mode: request.mode, metric: request.metric };
      wanted = step;
      judge(record);
      link({ replace });
      if (record.solvable) solution.start(board, record.goal, asked.mode, asked.metric);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem) rest();
      else if (!(error instanceof Gone)) throw error;
      form.complain(error);
    }
  }

  /** Shows a board and whether it can be solved. */
  function judge(record) {
    forget();
    board = now = Board.parse(record.board);
    at = 0;
    goal = Board.goal(record.goal, board.rows, board.columns);
    view.element.classList.remove('asleep');
    view.show(board, { animate: false, goal });
    for (const tile of record.hint ?? []) view.tile(tile).classList.add('marked');
    const query = { board: record.board, goal: record.goal };
    const elsewhere = { play: 'Play', 'learn/ida': 'IDA*', 'learn/xray': 'X-ray' };
    if (Math.max(board.rows, board.columns) > PLAYABLE) delete elsewhere.play;
    line.append(badge(record), ...Object.entries(elsewhere).map(([path, text]) => h('a', { href: `#${path}?${new URLSearchParams(path === 'play' ? { ...query, ...metricParams(asked.metric) } : query)}` }, text)));
    verdict.show(record, board, goal);
    if (record.solvable) return;
    app.announce(`Not solvable. ${record.reason}`);
    const [a, b] = record.hint;
    const text = record.board.replace(/\d+/g, (tile) => ({ [a]: b, [b]: a })[tile] ?? tile);
    solution.reset(`No moves lead from this board to the goal; the reason is counted below. With tiles ${a} and ${b} exchanged it can be solved.`,
      h('button', { 'data-action': 'swap', onclick: () => ask({ ...asked, text }) }, `Swap ${a} and ${b} and solve`));
  }

  function replay(solved) {
    steps = split(solved, asked.metric);
    list.show(board, steps, asked.metric);
    player.length = steps.length;
    player.go(wanted);
  }

  /** Shows the board after so many steps. */
  function show(step) {
    if (!steps.length) return;
    const passed = steps.slice(Math.min(step, at), Math.max(step, at));
    const made = step < at ? reverse(passed.join('')) : passed.join('');
    now = now.apply(made);
    at = wanted = step;
    if (passed.length === 1 && !player.playing && player.element.contains(document.activeElement)) app.announce(told(now, made));
    view.show(now, { goal });
    list.mark(step);
    // Browsers refuse an address that changes with every step of a fast replay.
    linking ||= setTimeout(() => {
      linking = 0;
      link({ replace: true });
    }, 400);
  }

  function link(options) {
    app.link({
      board: asked.text,
      ...(asked.goal && { goal: asked.goal }),
      ...(asked.mode !== 'auto' && { within: asked.mode }),
      ...metricParams(asked.metric),
      ...(wanted && { step: wanted }),
    }, options);
  }

  /** The address changed: shows its board, or another step of the board that is there. */
  function update(params) {
    const within = params.get('within');
    const request = { text: params.get('board') ?? '', goal: params.get('goal') ?? '', mode: Object.hasOwn(MODES, within) ? within : 'auto', metric: readMetric(params.get('metric')) };
    const step = Number.parseInt(params.get('step'), 10) || 0;
    if (request.goal === 'classic') request.goal = '';
    if (board && ['text', 'goal', 'mode', 'metric'].every((key) => request[key] === asked[key])) {
      wanted = step;
      player.go(step);
    } else if (request.text) {
      ask(request, { step, replace: true });
    } else {
      form.fill(request);
      form.complain(null);
      rest();
    }
  }

  rest();
  update(params);
  return {
    update,
    unmount() {
      abort?.abort();
      forget();
      verdict.clear();
    },
  };
}
