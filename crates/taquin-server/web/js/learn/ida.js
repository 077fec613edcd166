// How IDA* thinks: a trace of the engine, event by event. Every number comes from an event.

import { stream } from '../api.js';
import { Board } from '../board.js';
import { BoardView } from '../board-view.js';
import { h, svg } from '../dom.js';
import { Player } from '../player.js';
import { boardInput } from './parts.js';
import { readTrace } from './trace.js';
import { Tree } from './tree.js';

const EXAMPLES = {
  '8 1 3/4 0 2/7 6 5': '3×3, 14 moves',
  '1 2 3/4 0 6/7 5 8': '3×3, 2 moves',
  '0 1 6/5 4 3/7 8 2': '3×3, 18 moves, six iterations',
  '8 6 7/2 5 4/3 0 1': '3×3, 31 moves, as hard as it gets',
  '1 2 4 8/5 6 3 15/13 9 7 11/10 0 14 12': '4×4, 18 moves',
};
const DEFAULTS = { board: '8 1 3/4 0 2/7 6 5', goal: 'classic', heuristic: 'manhattan' };
const EVENTS = ['start', 'iteration', 'expanded', 'pruned', 'next_threshold', 'solved', 'end'];
const WAYS = { U: 'up', D: 'down', L: 'left', R: 'right' };
const LEGEND = {
  expanded: ['expanded', 'M8 3a5 5 0 1 1 0 10a5 5 0 1 1 0-10'],
  pruned: ['cut off: f over the budget', 'M4 4l8 8M12 4l-8 8'],
  ghost: ['taking the last move back: not generated, no event', 'M12 13L6 6M3 9l6-6'],
  path: ['current path', 'M3 14C3 6 13 10 13 2'],
  solved: ['goal', 'M8 1l2 5h5l-4 3 2 6-5-4-5 4 2-6-4-3h5z'],
};
const WORDS = {
  g: 'The moves made so far.',
  h: 'An estimate of the moves to come. It may say too little, never too much.',
  f: 'Their sum. No solution through this board is shorter.',
  Budget: 'IDA* goes deep first and turns back where f exceeds the budget. If that finds nothing, it begins again with the smallest f that was cut off: no length is jumped over.',
  Cost: 'Each iteration repeats those before. That is cheap, for each is several times larger than the last; in return only one path is kept in memory.',
};
const COUNTS = { iteration: 'Iteration', threshold: 'Budget', expanded: 'Expanded', generated: 'Generated', event: 'Event' };

const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
const output = (name) => h('output', { 'data-field': name, 'aria-live': 'off' }, '–');
const outputs = (names) => Object.fromEntries(names.map((name) => [name, output(name)]));

export function mount(root, params, app) {
  let state = {};
  let trace = null;
  let request = null;
  let timer = 0;
  let loading = false;
  let rows = [];

  const field = (name, label, element) => h('div', { class: 'field' }, h('label', { for: `ida-${name}` }, label), Object.assign(element, { id: `ida-${name}` }));
  const select = () => h('select', { onchange: () => form.requestSubmit() });
  const fields = { board: boardInput(), goal: select(), heuristic: select() };
  const examples = h('select', { onchange: takeExample }, h('option', { value: '' }, 'choose …'),
    Object.entries(EXAMPLES).map(([board, text]) => h('option', { value: board }, text)));
  const form = h('form', { class: 'row', onsubmit: submit }, field('board', 'Board', fields.board), field('examples', 'Examples', examples),
    field('goal', 'Goal', fields.goal), field('heuristic', 'Heuristic', fields.heuristic), h('button', { class: 'primary', 'data-action': 'trace' }, 'Search'));
  const status = h('p', { class: 'status', role: 'status', 'data-field': 'status' });

  const board = new BoardView({ label: 'The current board' });
  const rungs = h('div');
  const ladder = h('div', { class: 'ladder', 'aria-hidden': 'true' }, h('div', { class: 'budget' }), rungs, h('div', { class: 'stack' }, h('i', { class: 'h' }), h('i', { class: 'g' })));
  const sum = outputs(['g', 'h', 'f']);
  const summand = (name, text) => h('span', { class: name }, sum[name], h('small', null, h('i', null, name), ` ${text}`));
  const verdict = h('p', { class: 'verdict', 'data-field': 'verdict' });
  const sentence = h('p', { class: 'sentence', 'data-field': 'sentence' });
  const node = h('section', { class: 'card', 'aria-label': 'The current node' }, h('div', { class: 'scales' }, h('div', { class: 'place' }, board.element), ladder),
    h('div', { class: 'equation' }, summand('g', 'so far'), '+', summand('h', 'to go'), '=', summand('f', 'in all')), verdict, sentence);

  const keys = Object.entries(LEGEND).map(([kind, [text, d]]) => h('li', { class: `key-${kind}` }, svg('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, svg('path', { d })), text));
  const tree = new Tree({ colours, onPick: ({ index }) => go(index) });
  const player = new Player({ label: 'Events', onStep: show });
  const counts = outputs(Object.keys(COUNTS));
  const jump = (action, text, onclick) => h('button', { 'data-action': action, onclick: () => trace && onclick(trace.events[Math.min(player.step, trace.end.index)]) }, text);
  const table = h('tbody');
  root.append(form, status, h('div', { class: 'stage' },
    node,
    h('section', { class: 'controls', 'aria-label': 'Controls' }, player.element,
      h('div', { class: 'row' },
        jump('previous-iteration', '← Iteration', ({ pass, index }) => go((index > pass.first ? pass : trace.passes[pass.number - 2])?.first ?? 0)),
        jump('next-iteration', 'Iteration →', ({ pass }) => go(trace.passes[pass.number]?.first ?? trace.end.index)),
        jump('solution', 'Solution', () => { go(trace.end.index); player.play(); })),
      h('dl', { class: 'totals' }, Object.entries(COUNTS).map(([name, text]) => h('div', null, h('dt', null, text), h('dd', null, counts[name]))))),
    h('section', { class: 'card forest', 'aria-label': 'The search tree' }, tree.window, tree.zoom, h('ul', { class: 'legend' }, keys)),
    h('section', { class: 'card words' }, h('h2', null, 'In short'), h('dl', null, Object.entries(WORDS).map(([word, text]) => [h('dt', null, word), h('dd', null, text)]))),
    h('section', { class: 'card passes' }, h('h2', null, 'Nodes per iteration'), h('div', { class: 'scroll' }, h('table', null,
      h('thead', null, h('tr', null, ['No.', 'Budget', 'Expanded; lines at 1, 10, 100 …', 'Set by'].map((text) => h('th', { scope: 'col' }, text)))), table)))));

  /** The colours of the tree are those of its legend. */
  function colours() {
    const pairs = keys.map((key, k) => [Object.keys(LEGEND)[k], getComputedStyle(key.firstChild).color]);
    return { ...Object.fromEntries(pairs), edge: getComputedStyle(tree.window).color };
  }

  function go(step) {
    player.pause();
    player.go(step);
  }

  /** Shows an event; the steps behind the last one replay the solution. */
  function show(step) {
    if (!trace) return;
    const event = trace.events[Math.min(step, trace.end.index)];
    const move = step - trace.end.index;
    const shown = move > 0 ? trace.path[move] : event.node;
    board.show(Board.parse(shown.board), { goal: trace.goal });
    weigh(shown, event);
    count(event);
    tree.show(event.pass, event.index, shown);
    sentence.textContent = move > 0 ? `Move ${move} of ${trace.path.length - 1}: tile ${slid(shown)}.` : describe(event, trace);
    if (!player.playing && !loading) tell(event, move);
    // Browsers refuse an address that changes with every step of a fast replay.
    timer ||= setTimeout(() => {
      timer = 0;
      link({ replace: true });
    }, 400);
  }

  /** g + h = f against the budget. */
  function weigh(shown, { index, pass: { threshold } }) {
    for (const name of ['g', 'h', 'f']) {
      sum[name].textContent = shown[name] ?? '–';
      ladder.style.setProperty(`--${name}`, shown[name] ?? 0);
    }
    ladder.style.setProperty('--budget', threshold ?? 0);
    const over = threshold !== null && shown.f > threshold;
    node.classList.toggle('over', over);
    verdict.textContent = threshold === null ? '\u00a0' : over ? `${shown.f} > ${threshold}: over the budget` : `${shown.f} ≤ ${threshold}: within the budget`;
    rungs.replaceChildren(...trace.passes.filter(({ first }) => first <= index)
      .map((pass) => h('span', { class: pass.threshold === threshold ? 'rung now' : 'rung', style: { '--at': pass.threshold } }, String(pass.threshold))));
  }

  /** The counters, and the iterations that have begun. */
  function count({ index, pass, expanded, generated }) {
    const values = { iteration: pass.number, threshold: pass.threshold, expanded, generated, event: index };
    for (const name of Object.keys(COUNTS)) counts[name].textContent = values[name] ?? '–';
    for (const row of rows) {
      const nodes = nodesOf(row.pass, index);
      row.element.classList.toggle('waiting', index < row.pass.first);
      row.element.classList.toggle('now', row.pass === pass);
      row.nodes.textContent = nodes;
      row.bar.style.setProperty('--log', nodes && Math.log10(nodes) + 1);
    }
  }

  /** How many nodes an iteration had expanded at an event. */
  function nodesOf({ first, last }, index) {
    return trace.events[Math.max(first, Math.min(index, last.index))].expanded - trace.events[first].expanded;
  }

  /** Tells a step that was made by hand to a screen reader. */
  function tell({ event, node: { g, h: rest, f } }, move) {
    const kind = move <= 0 && { expanded: 'expanded', pruned: 'cut off' }[event];
    app.announce(kind ? `${kind}, g ${g}, h ${rest}, f ${f}` : sentence.textContent);
  }

  function link(options) {
    app.link({ ...state, step: player.step }, options);
  }

  function say(text, kind = 'muted') {
    status.className = `status ${kind}`;
    status.textContent = text;
  }

  /** Asks the server for the trace of the state. */
  async function run(step) {
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    player.pause();
    fields.board.removeAttribute('aria-invalid');
    say('Searching …');
    const events = [];
    const handlers = Object.fromEntries(EVENTS.map((event) => [event, (data) => events.push({ ...data, event })]));
    handlers.queued = ({ ahead }) => say(`Waiting in the queue, ${ahead} ahead …`);
    try {
      await stream('trace/stream', { ...state, algorithm: 'idastar', max_events: 20000 }, handlers, { signal });
    } catch (error) {
      if (signal.aborted) return;
      say(error.message, 'error');
      if (error.pointer?.endsWith('board')) fields.board.setAttribute('aria-invalid', 'true');
      return;
    }
    loading = true;
    begin(readTrace(events));
    player.go(step);
    loading = false;
  }

  /** A new trace: makes the rows of its iterations. */
  function begin(next) {
    trace = next;
    const { start, end, passes, path } = trace;
    state.board = start.board;
    fill();
    say(end.status === 'unsolvable' ? 'This board cannot be solved.' : end.truncated ? `Only the first ${end.events} events of this search are shown.` : `${plural(end.events, 'event')}, ${plural(end.nodes, 'node')} expanded.`);
    trace.goal = Board.goal(start.goal, ...start.size.split('x').map(Number));
    ladder.style.setProperty('--max', trace.largest);
    table.style.setProperty('--decades', Math.log10(Math.max(10, ...passes.map((pass) => nodesOf(pass, end.index)))) + 1);
    rows = passes.map((pass) => {
      const [bar, nodes] = [h('i'), h('span', { class: 'number' })];
      const reveal = () => {
        go(pass.setBy.index);
        node.scrollIntoView({ block: 'nearest' });
      };
      const setter = pass.setBy ? h('button', { class: 'quiet', 'data-action': 'show-setter', 'aria-label': `Show the node that set the budget ${pass.threshold}`, onclick: reveal }, 'show') : 'h at start';
      const element = h('tr', { 'data-iteration': pass.number }, h('th', { scope: 'row' }, String(pass.number)), h('td', null, String(pass.threshold)),
        h('td', null, h('div', { class: 'logcell' }, h('span', { class: 'logbar' }, bar), nodes)), h('td', null, setter));
      return { pass, element, bar, nodes };
    });
    table.replaceChildren(...rows.map(({ element }) => element));
    player.length = end.index + Math.max(0, path.length - 1);
  }

  /** Takes over what the address says. */
  function read(params) {
    const wanted = Object.fromEntries(Object.entries(DEFAULTS).map(([name, usual]) => [name, params.get(name) || usual]));
    const step = Number(params.get('step')) || 0;
    const same = Object.keys(wanted).every((name) => wanted[name] === state[name]);
    state = wanted;
    fill();
    if (!same) run(step);
    else if (step !== player.step) go(step);
  }

  /** Puts the state into the form; a name that a select does not have is added. */
  function fill() {
    for (const [name, value] of Object.entries(state)) {
      const field = fields[name];
      if (field.options && ![...field.options].some((option) => option.value === value)) field.append(h('option', { value }, value));
      field.value = value;
    }
  }

  function submit(event) {
    event.preventDefault();
    for (const name of Object.keys(state)) state[name] = fields[name].value.trim();
    clearTimeout(timer);
    timer = 0;
    app.link({ ...state, step: 0 });
    run(0);
  }

  function takeExample() {
    fields.board.value = examples.value;
    examples.value = '';
    form.requestSubmit();
  }

  app.about.then(({ goals, heuristics }) => {
    fields.goal.replaceChildren(...goals.map((value) => h('option', { value }, value)));
    fields.heuristic.replaceChildren(...heuristics.filter(({ name }) => !name.startsWith('pdb')).map(({ name, summary }) => h('option', { value: name, title: summary }, name)));
    fill();
  }, () => {});
  read(params);

  return {
    update: read,
    unmount() {
      request?.abort();
      clearTimeout(timer);
      player.pause();
      tree.close();
    },
  };
}

/** Which tile moved, and where to: it is now beside the blank, on the side it went to. */
function slid({ board, move }) {
  const { tiles, blank, columns } = Board.parse(board);
  return `${tiles[blank + { U: -columns, D: columns, L: -1, R: 1 }[move]]} slid ${WAYS[move]}`;
}

/** What happens at an event, in a sentence or two. */
function describe(event, trace) {
  const { node, pass: { threshold } } = event;
  const moved = node.move ? `Tile ${slid(node)}. ` : 'This is the start. ';
  switch (event.event) {
    case 'start': return trace.passes.length === 0 ? conclude(trace.end, trace) : `The estimate of the start is ${event.h}. No solution is shorter, so that is the first budget.`;
    case 'iteration': return `Iteration ${event.number} begins at the start, with a budget of ${threshold}.`;
    case 'expanded': return `${moved}f is within the budget, so the node is expanded: its successors are made.`;
    case 'pruned': return `${moved}f exceeds the budget, so the search turns back here.`;
    case 'next_threshold': return `Nothing was found within ${threshold}. The smallest f that was cut off is ${event.threshold}${event.board ? ', and this board had it first' : ''}. It is the next budget.`;
    case 'solved': return `${moved}The goal is reached in ${plural(event.cost, 'move')}${event.moves && `: ${event.moves}`}.`;
    default: return conclude(event, trace);
  }
}

/** How the search ended; for a solution, why none is shorter. */
function conclude({ status, limit, reason, truncated, nodes, lower_bound: bound, optimal }, { events, passes, path }) {
  if (status === 'unsolvable') return `No moves lead to the goal, so nothing is searched: ${reason}.`;
  const hidden = nodes - events.at(-2).expanded;
  const cut = truncated ? `The trace is cut off here; the search expanded ${plural(hidden, 'more node')} than it shows. ` : '';
  if (status === 'limit') return `${cut || `The search met its limit of ${limit}. `}Proven so far: no solution has fewer than ${plural(bound, 'move')}.`;
  if (!optimal) return `${cut}This solution may not be the shortest.`;
  const cost = path.length - 1;
  const earlier = passes.length > 1 ? `Every path with f below ${cost} was searched in the iterations before: no solution.` : `The estimate of the start was ${cost} already.`;
  return `${cut}${earlier} h never says too much, so no cut can hide a shorter solution than ${cost} moves: this one is optimal.`;
}
