// Whole space: every board of a small puzzle, by its distance and by what a heuristic says of it.

import { get } from '../api.js';
import { h } from '../dom.js';
import { METRICS, metricParams, moveCount } from '../metric.js';
import { chart, choice, goalChoice, whole } from './parts.js';

const OPTIONS = {
  size: ['3x3', '2x2', '2x3', '3x2', '2x4'],
  metric: Object.keys(METRICS),
  heuristic: ['manhattan', 'hamming', 'linear-conflict', 'walking-distance', 'max', 'pdb:quick'],
  scale: ['linear', 'logarithmic'],
};
/** What fields are called that have words of their own. */
const CALLED = { metric: { label: 'count', words: Object.fromEntries(Object.entries(METRICS).map(([name, { counted }]) => [name, counted])) } };

export function mount(root, params, app) {
  let state, request;
  const controls = h('div', { class: 'row' });
  const error = h('p', { class: 'error', role: 'alert' });
  const distances = h('section', { class: 'card' });
  const estimates = h('section', { class: 'card' });
  root.append(controls, error, distances, estimates);

  function set(change) {
    Object.assign(state, change);
    app.link(state);
    load();
  }

  function update(params) {
    state = { goal: params.get('goal') || 'classic' };
    const pick = ([name, options]) => choice(name, options, state[name] = params.get(name) || options[0], (value) => set({ [name]: value }), CALLED[name]);
    controls.replaceChildren(...Object.entries(OPTIONS).map(pick), goalChoice(state.goal, (goal) => set({ goal })));
    load();
  }

  async function load() {
    request?.abort();
    const { signal } = request = new AbortController();
    const { size, goal, metric, heuristic, scale } = state;
    error.textContent = '';
    for (const section of [distances, estimates]) if (!section.firstChild) section.append(h('p', { class: 'muted' }, 'Counting all boards …'));
    try {
      const [all, quality] = await Promise.all([get(`distribution/${size}`, { goal, metric }, { signal }), get(`quality/${size}`, { goal, heuristic }, { signal })]);
      distances.replaceChildren(...columns(all, scale === 'linear' ? (count) => count : Math.log1p));
      estimates.replaceChildren(...heatMap(quality));
      app.announce(`${whole(all.boards)} boards, the farthest ${moveCount(all.farthest, all.metric)} away`);
    } catch (problem) {
      if (signal.aborted) return;
      error.textContent = problem.message;
      for (const section of [distances, estimates]) section.replaceChildren();
    }
  }

  update(params);
  return { update, unmount: () => request.abort() };
}

const facts = (pairs) => h('dl', null, Object.entries(pairs).map(([name, value]) => h('div', null, h('dt', null, name), h('dd', { 'data-field': name.replace(' ', '-') }, value))));

const boards = (count, distance, metric) => `${whole(count)} board${count === 1 ? '' : 's'} ${moveCount(distance, metric)} from the goal`;

const link = (view, board, params) => h('a', { class: 'mono', href: `#${view}?${new URLSearchParams({ board, ...params })}` }, board);

function table(head, rows) {
  const line = (tag, row) => h('tr', null, row.map((cell) => h(tag, null, whole(cell))));
  return h('details', null, h('summary', null, 'The same as a table'), h('table', null, line('th', head), rows.map((row) => line('td', row))));
}

/** How many boards are at each distance. */
function columns({ size, goal, metric, boards: all, counts, mean, median, farthest, farthest_boards: last }, height) {
  const most = Math.max(...counts.map(height));
  const column = (count, distance) => h('div', {
    role: 'img', 'aria-label': boards(count, distance, metric), 'data-at': `${distance} 0`, 'data-count': count,
    class: distance === median && 'median', style: { '--share': height(count) / most },
  }, distance % 5 ? '' : h('i', null, distance));
  return [h('h2', null, `How far the boards of ${size} are`),
    facts({ boards: whole(all), mean: mean.toFixed(2), median, farthest }),
    ...chart(h('div', { class: 'columns' }, counts.map(column))),
    h('p', null, `Farthest, ${moveCount(farthest, metric)}: `, last.slice(0, 3).flatMap((board) => [link('solve', board, { goal, ...metricParams(metric) }), ' \u00a0 '])),
    table([`${METRICS[metric].move}s`, 'boards'], counts.map((count, distance) => [distance, count]))];
}

/** How many boards have which estimate at which distance; on the diagonal it is exact. */
function heatMap({ heuristic, goal, pairs, mean_error: error, exact, admissible, consistent, worst }) {
  const most = Math.log1p(Math.max(...pairs.flat()));
  const top = Math.max(...pairs.map((row) => row.length));
  const area = (x, y) => ({ 'grid-area': `${top - y} / ${x + 2}` });
  const cells = pairs.flatMap((row, x) => row.map((count, y) => [x, y, count])).filter(([x, y, count]) => count || x === y);
  const cell = ([x, y, count]) => h('div', {
    role: 'img', 'aria-label': `${boards(count, x, 'single')}, estimated at ${y}`, 'data-at': `${x} ${y}`,
    class: x === y && 'exact', style: { ...area(x, y), '--share': Math.log1p(count) / most },
  });
  const labels = (last, at) => Array.from({ length: Math.ceil(last / 5) }, (_, index) => h('i', { style: area(...at(index * 5)) }, index * 5));
  return [h('h2', null, `What ${heuristic} says, and the truth`),
    facts({ 'mean error': error.toFixed(2), exact: `${(100 * exact).toFixed(1)} %`, admissible: admissible ? 'yes' : 'no', consistent: consistent ? 'yes' : 'no' }),
    h('p', { class: 'muted small' }, '↑ estimate h, → true distance h* in single-tile moves; the stronger the colour, the more boards. On the framed diagonal h = h*.'),
    ...chart(h('div', { class: 'heat', style: { '--columns': pairs.length } }, labels(top, (y) => [-1, y]), labels(pairs.length, (x) => [x, -2]), cells.map(cell))),
    h('p', null, exact < 1 && ['It misses most on ', link('learn/xray', worst.board, { goal }), `: ${worst.h} of ${moveCount(worst.distance, 'single')}.`]),
    table(['h*', 'h', 'boards'], cells.filter(([, , count]) => count))];
}
