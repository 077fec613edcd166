// What counts as a move: the words for it, and the control that chooses it.

import { h } from './dom.js';

/** The metrics: what is counted, and what one move is called. */
export const METRICS = {
  single: { counted: 'every tile', move: 'single-tile move' },
  multi: { counted: 'every slide', move: 'multi-tile move' },
};

/** The metric that an address names; `single` if it names none. */
export const readMetric = (name) => (Object.hasOwn(METRICS, name) ? name : 'single');

export const otherMetric = (metric) => (metric === 'single' ? 'multi' : 'single');

/** What is written into an address: nothing for `single`. */
export const metricParams = (metric) => (metric === 'single' ? {} : { metric });

/** A length in words: "1 multi-tile move", "1,024 single-tile moves". */
export function moveCount(number, metric) {
  return `${number.toLocaleString('en')} ${METRICS[metric].move}${number === 1 ? '' : 's'}`;
}

/** The choice, for a form: its radio buttons are called `metric`. */
export function metricChoice(onchange) {
  const option = ([value, { counted }]) => h('label', {}, h('input', { type: 'radio', name: 'metric', value, checked: value === 'single' }), counted);
  return h('fieldset', { class: 'field metric', title: 'Tiles in a line that slide together: count every tile, or the slide once', onchange },
    h('legend', {}, 'Count'), h('div', { class: 'segmented' }, Object.entries(METRICS).map(option)));
}
