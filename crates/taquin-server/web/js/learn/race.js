// Race: one board under several searches at once.

import { post, stream } from '../api.js';
import { h } from '../dom.js';
import { boardForm, choice, patternNames, whole } from './parts.js';

const EXAMPLE = '6 7 4 5/3 0 15 10/13 8 9 1/14 2 11 12';
const PAIRS = 'idastar:manhattan,idastar:linear-conflict,astar:linear-conflict,idastar:pdb:quick';
const FACTS = ['nodes', 'time', 'states kept', 'length'];
/** The end of the scale of nodes, as a power of ten. */
const DECADES = 9;

export function mount(root, params, app) {
  let lanes = [];
  let limit, running;
  const stop = h('button', { type: 'button', 'data-action': 'stop', disabled: true, onclick: () => running.abort() }, 'Stop');
  const limits = h('span');
  const form = boardForm('Start', change, start, stop, limits);
  const add = h('button', { 'data-action': 'add', onclick: () => change(form.board, form.goal, [...pairs(), 'astar:manhattan']) }, 'Add a search');
  const list = h('ol', { class: 'lanes' });
  const winner = h('p', { class: 'winner', 'data-field': 'winner' });
  root.append(form.element, list, add, winner, h('p', { class: 'muted small' },
    'Bars are nodes on a logarithmic scale. The searches share the server’s cores, and some may have to wait: compare nodes; times depend on what else is running.'));

  const pairs = () => lanes.map(({ pair }) => pair.join(':'));
  const link = () => app.link({ board: form.board, goal: form.goal, limit, pairs: pairs() }, { replace: true });

  /** Makes the lanes anew, with what this size of board offers. */
  async function change(board, goal, names = pairs()) {
    running?.abort();
    form.set(board, goal);
    const { algorithms, heuristics } = await app.about;
    const offered = heuristics.map(({ name }) => name).concat(patternNames(board));
    lanes = names.slice(0, 4).map((name, index) => new Lane(name, index + 1, algorithms, offered, link,
      names.length > 2 && (() => change(form.board, form.goal, pairs().toSpliced(index, 1)))));
    list.replaceChildren(...lanes.map(({ element }) => element));
    add.disabled = lanes.length === 4;
    link();
  }

  async function start(board, goal) {
    running?.abort();
    const race = running = new AbortController();
    winner.textContent = '';
    try {
      // A board that is none need not be refused once for each search.
      ({ board } = await post('check', { board, goal }, race));
    } catch (problem) {
      form.fail(problem);
      return;
    }
    form.set(board, goal);
    stop.disabled = false;
    link();
    const records = await Promise.all(lanes.map((lane) => lane.run({ board, goal, limit_time_ms: limit * 1000 }, race.signal)));
    if (running !== race) return;
    stop.disabled = true;
    if (race.signal.aborted) return;
    winner.textContent = verdict(records.filter((record) => record?.status === 'solved'));
    app.announce(winner.textContent);
  }

  function update(params) {
    limit = params.get('limit') > 0 ? params.get('limit') : '10';
    limits.replaceChildren(choice('seconds', ['2', '10', '30'], limit, (seconds) => {
      limit = seconds;
      link();
    }));
    change(params.get('board') || EXAMPLE, params.get('goal') || 'classic', (params.get('pairs') || PAIRS).split(',')).catch(form.fail);
  }

  update(params);
  return { update, unmount: () => running?.abort() };
}

/** Who won, by nodes and by time. */
function verdict(records) {
  const least = (field) => {
    const { algorithm, heuristic } = records.reduce((best, record) => (record[field] < best[field] ? record : best));
    return heuristic ? `${algorithm} with ${heuristic}` : algorithm;
  };
  return records.length ? `Fewest nodes: ${least('nodes')}. Least time: ${least('time_ms')}.` : 'No search found a solution.';
}

/** One search: what it is, and how far it has come. */
class Lane {
  constructor(name, number, algorithms, heuristics, onchange, onremove) {
    const [algorithm, heuristic = 'manhattan'] = name.split(/:(.*)/, 2);
    this.pair = [algorithm, heuristic];
    const pick = (index, what, names) => choice(what, names, this.pair[index], (value) => {
      this.pair[index] = value;
      informed();
      onchange();
    });
    const guide = pick(1, 'heuristic', heuristics);
    const informed = () => { guide.control.disabled = algorithms.some((one) => one.name === this.pair[0] && !one.uses_heuristic); };
    informed();
    this.bar = h('span', { class: 'bar' });
    this.state = h('p', { 'data-field': 'state' }, 'ready');
    this.facts = FACTS.map((fact) => h('dd', { 'data-field': fact.replace(' ', '-') }, '–'));
    this.element = h('li', { class: 'card', 'aria-label': `Search ${number}` },
      h('div', { class: 'row' }, pick(0, 'algorithm', algorithms.map((one) => one.name)), guide,
        onremove && h('button', { class: 'quiet icon', 'data-action': 'remove', 'aria-label': `Remove search ${number}`, title: 'Remove', onclick: onremove }, '×')),
      h('div', { class: 'lane-bar' }, this.bar, ['1', '10³', '10⁶', '10⁹'].map((text) => h('i', null, text))),
      this.state, h('dl', null, FACTS.map((fact, index) => h('div', null, h('dt', null, fact), this.facts[index]))));
  }

  tell(state, { nodes = 0, time_ms = 0, peak_states, length } = {}) {
    this.state.textContent = state;
    this.bar.style.setProperty('--share', Math.min(1, Math.log10(nodes + 1) / DECADES));
    [whole(nodes), `${(time_ms / 1000).toFixed(3)} s`, whole(peak_states), whole(length)].forEach((text, index) => { this.facts[index].textContent = text; });
  }

  /** The record of the search, or null if there is none. */
  async run(query, signal) {
    const [algorithm, heuristic] = this.pair;
    const least = ({ lower_bound }) => `at least ${whole(lower_bound)} moves`;
    this.tell('starting …');
    try {
      const record = await stream('solve/stream', { ...query, algorithm, heuristic }, {
        queued: ({ ahead }) => this.tell(`waiting for a core, ${ahead} ahead`),
        progress: (data) => this.tell(`searching: ${least(data)}`, data),
      }, { signal });
      this.tell({
        solved: record.optimal ? 'solved, proven optimal' : `solved, not proven optimal: ${least(record)}`,
        limit: `gave up at the limit of ${record.limit}: ${least(record)}`,
        unsolvable: 'this board cannot be solved',
      }[record.status] ?? record.status, record);
      return record;
    } catch (problem) {
      this.state.textContent = signal.aborted ? 'stopped' : problem.message;
      return null;
    }
  }
}
