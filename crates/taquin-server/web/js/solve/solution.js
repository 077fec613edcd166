// One search by the server: what is known while it runs, and what came of it.

import { stream, Problem, Gone } from '../api.js';
import { h } from '../dom.js';
import { METRICS, moveCount, otherMetric } from '../metric.js';

/** What one can ask for, in words and as the server is asked. */
export const MODES = {
  auto: ['shortest up to 16 cells, else 5 s'],
  optimal: ['proven shortest', { optimal: true }],
  '1s': ['best within 1 s', { within_ms: 1000 }],
  '5s': ['best within 5 s', { within_ms: 5000 }],
  '20s': ['best within 20 s', { within_ms: 20000 }],
  first: ['first one found', { fast: true }],
};

const number = (value) => value?.toLocaleString('en');
const duration = (ms) => (ms < 10 ? `${ms.toFixed(2)} ms` : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** The figures: what they are called, and how a record or an event tells them, if it does. */
const FIGURES = {
  single: ['single-tile moves', (record) => number(record.lengths?.single)],
  multi: ['multi-tile moves', (record) => number(record.lengths?.multi)],
  bound: ['', (record) => number(record.lower_bound)],
  nodes: ['nodes expanded', (record) => number(record.nodes)],
  time: ['time', (record) => record.time_ms != null && duration(record.time_ms)],
  heuristic: ['guided by', (record) => record.heuristic],
};

/** The card, around the list of moves. `onMoves(moves)`: a solution to replay; `onAgain(mode)`: search in this mode. */
export function solutionCard(list, { onMoves, onAgain, announce }) {
  let abort = null;
  let best = null;
  let scale = 0;
  const headline = h('div', { class: 'headline', 'data-field': 'headline', tabindex: -1 });
  const bound = h('span', {}, 'at least');
  const figures = Object.keys(FIGURES).map((key) => h('dd', { 'data-field': key }));
  const improvements = h('ol', { class: 'improvements', 'data-field': 'improvements', tabindex: 0, 'aria-label': 'Improvements, the latest first' });
  const history = h('div', { class: 'history' }, h('span', { class: 'muted small' }, 'The shortest length: at least … at most, as it became known'), improvements);
  const stop = h('button', { 'data-action': 'stop', onclick: () => abort?.abort() }, 'Stop');
  const element = h('section', { class: 'card solution' }, h('div', { class: 'row' }, h('h2', {}, 'Solution'), stop), headline,
    h('dl', { class: 'figures' }, Object.values(FIGURES).map(([text], i) => h('div', {}, h('dt', {}, text || bound), figures[i]))), list, history);

  const again = (mode, text) => h('button', { 'data-action': 'again', onclick: () => onAgain(mode) }, text);

  /** Says something in the headline, which keeps the focus if a button in it had it. */
  function say(...parts) {
    const focused = headline.contains(document.activeElement);
    headline.replaceChildren(...parts.map((part) => (typeof part === 'string' ? h('p', {}, part) : part)));
    if (focused) headline.focus();
  }

  /** A disabled button would lose the focus. */
  const running = (is) => stop.setAttribute('aria-disabled', !is);

  /** Stops and forgets the search, and says something else. */
  function reset(...words) {
    const last = abort;
    abort = best = null;
    last?.abort();
    running(false);
    history.hidden = true;
    improvements.replaceChildren();
    for (const figure of figures) figure.textContent = '–';
    say(...words);
  }

  /** Writes the figures that are told; the others stay. */
  function tell(record) {
    Object.values(FIGURES).forEach(([, read], i) => { figures[i].textContent = read(record) || figures[i].textContent; });
  }

  function improved(data) {
    best = data;
    scale ||= data.length;
    tell(data);
    say(...known(data));
    improvements.style.setProperty('--scale', scale);
    improvements.prepend(h('li', { style: { '--length': data.length, '--bound': data.lower_bound } },
      h('span', {}, duration(data.time_ms)), h('i'), h('span', {}, `${number(data.lower_bound)} … ${number(data.length)}`)));
  }

  /** Searches; whatever happens ends in words and, where there is one, a way on. */
  async function start(board, goal, mode, metric) {
    const query = MODES[mode !== 'auto' ? mode : board.tiles.length > 16 ? '5s' : 'optimal'][1];
    reset('Searching …');
    bound.textContent = `at least (${metric}-tile)`;
    scale = 0;
    history.hidden = !query.within_ms;
    running(true);
    const mine = abort = new AbortController();
    try {
      const record = await stream('solve/stream', { board, goal, metric, style: 'letters', ...query }, {
        queued: ({ ahead }) => say(`Waiting: ${ahead || 'no'} ${ahead === 1 ? 'search' : 'searches'} ahead.`),
        progress(data) {
          if (!best) say('Searching …');
          tell(data);
        },
        improved,
      }, { signal: mine.signal });
      if (mine !== abort) return;
      finish(record);
    } catch (error) {
      if (mine !== abort) return;
      fail(error, mode);
    }
    running(false);
    announce(headline.innerText);
  }

  function finish(record, ...words) {
    tell(record);
    if (record.moves != null) {
      say(...known(record), ...words);
      onMoves(record.moves);
    } else {
      say(`The search came to the server’s limit (${record.limit}) and found no solution. Every solution takes at least ${moveCount(record.lower_bound, record.metric)}.`,
        again('20s', 'Take the best within 20 s'), again('first', 'Take the first one found'));
    }
  }

  /** Says why there is no more; what was found before stays. */
  function fail(error, mode) {
    const stopped = abort.signal.aborted;
    if (!stopped && !(error instanceof Problem || error instanceof Gone)) throw error;
    const why = stopped ? 'Stopped' : error.message;
    if (best) {
      finish(best, `${why}: this is the best so far.`);
      return;
    }
    const button = again(mode, 'Try again');
    say(stopped ? 'Stopped before a solution was found.' : why, button);
    if (error.status === 503) wait(button, Number(error.retryAfter) || 1);
  }

  return { element, start, reset };
}

/** How long a solution is and how short one could be: never more than was proven, which is about one metric. */
function known({ length, lengths, metric, lower_bound: bound, ratio, optimal }) {
  const proof = optimal ? ['badge good', '✓ Proven optimal'] : ['badge open', 'Not proven optimal'];
  const line = h('p', { class: 'length' }, h('b', {}, number(length)), ` ${METRICS[metric].move}${length === 1 ? ' ' : 's '}`, h('strong', { class: proof[0], 'data-field': 'proof' }, proof[1]));
  if (!length) return [line, 'This board is solved already.'];
  const other = otherMetric(metric);
  const also = `It has ${moveCount(lengths[other], other)}.`;
  if (optimal) return [line, `${also} No solution has fewer ${METRICS[metric].move}s.`];
  return [line, `${also} The shortest takes ${number(bound)} to ${moveCount(length, metric)}${ratio ? `: this is at most ${ratio} times as long` : ''}.`];
}

/** Enables a button after so many seconds. */
function wait(button, seconds) {
  button.disabled = seconds > 0;
  button.textContent = seconds > 0 ? `Try again in ${seconds} s` : 'Try again';
  if (seconds > 0) setTimeout(wait, 1000, button, seconds - 1);
}
