// What the parts of Learn share: fields, numbers, and the names of what a size offers.

import { post } from '../api.js';
import { h } from '../dom.js';

/** The pattern databases to offer for a board, which may not have been read yet. */
export function patternNames(text) {
  const cells = text.trim().split(/[\s/,]+/).length;
  const names = { 9: ['pdb:4-4', 'pdb:4-4+reflected', 'pdb:8'], 16: ['pdb:quick', 'pdb:6-6-3+reflected', 'pdb:5-5-5', 'pdb:7-8'] };
  return cells > 36 ? [] : names[cells] ?? ['pdb:quick'];
}

export const whole = (number) => number?.toLocaleString('en') ?? '–';

/**
 * A labelled select. A value that is not among the options is added: an address may name it. `words` has what
 * an option is called where that is not its value.
 */
export function choice(name, options, value, onchange, { label = name, words = {} } = {}) {
  const all = options.includes(value) ? options : [...options, value];
  const select = h('select', { name, value, onchange: () => onchange(select.value) }, all.map((option) => h('option', { value: option }, words[option] ?? option)));
  return h('label', { class: 'field' }, h('span', { class: 'label' }, label), select);
}

export const goalChoice = (goal, onchange) => choice('goal', ['classic', 'blank-first', 'snail', 'snake'], goal, onchange);

/** A board in lines as one line, with slashes between its rows. */
const oneLine = (text) => text.trim().replace(/\s*\n\s*/g, '/');

/** A field for a board; it has one line only, so the rows of a pasted board are joined. */
export function boardInput(attributes) {
  const onpaste = (event) => {
    event.preventDefault();
    input.setRangeText(oneLine(event.clipboardData.getData('text')), input.selectionStart, input.selectionEnd, 'end');
  };
  const input = h('input', { class: 'mono', spellcheck: 'false', autocomplete: 'off', onpaste, ...attributes });
  return input;
}

/** A field for a board in any form and its goal; `onboard(text, goal)` hears of other ones, `onsubmit` of the button. */
export function boardForm(label, onboard, onsubmit, ...more) {
  const input = boardInput({ name: 'board' });
  const goal = h('span');
  const error = h('p', { class: 'error', role: 'alert' });
  const scramble = () => {
    const [row, ...others] = input.value.split('/');
    const size = `${others.length + 1}x${row.trim().split(/\s+/).length}`;
    post('scramble', { size, goal: form.goal }).then(({ board }) => onboard(board, form.goal), form.fail);
  };
  const form = {
    element: h('form', { class: 'row', onsubmit(event) { event.preventDefault(); onsubmit(input.value, form.goal); } },
      h('label', { class: 'field board-field' }, h('span', { class: 'label' }, 'board'), input), goal,
      h('button', { class: 'primary', 'data-action': label.toLowerCase() }, label),
      h('button', { type: 'button', 'data-action': 'scramble', onclick: scramble }, 'Scramble'), more, error),
    set(board, name) {
      error.textContent = '';
      input.removeAttribute('aria-invalid');
      input.value = oneLine(board);
      // The select stays if it can: it may have the focus.
      if (form.goal === name) return;
      form.goal = name;
      goal.replaceChildren(goalChoice(name, (other) => onboard(input.value, form.goal = other)));
    },
    get board() { return input.value.trim(); },
    fail(problem) {
      if (problem.name === 'AbortError') return;
      error.textContent = problem.message;
      if (problem.pointer?.endsWith('board')) input.setAttribute('aria-invalid', 'true');
    },
  };
  return form;
}

/**
 * One tab stop for all marks of a chart: arrow keys go to the nearest mark that way, and a line below tells of
 * the mark under the pointer or the focus. Marks have `data-at="x y"` and `aria-label`.
 */
export function chart(drawing) {
  const line = h('p', { class: 'muted', 'data-field': 'readout', 'aria-hidden': 'true' }, 'Point at a mark, or go with the arrow keys.');
  const marks = [...drawing.querySelectorAll('[data-at]')];
  const at = (mark) => mark.dataset.at.split(' ').map(Number);
  const tell = ({ target }) => { if (target.dataset.at) line.textContent = target.ariaLabel; };
  drawing.addEventListener('pointerover', tell);
  drawing.addEventListener('focusin', tell);
  drawing.addEventListener('keydown', (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const from = at(event.target);
    const distance = (mark) => {
      const [right, up] = at(mark).map((place, axis) => place - from[axis]);
      return right * way[0] + up * way[1] > 0 ? Math.hypot(right, up) : Infinity;
    };
    const next = marks.reduce((best, mark) => (distance(mark) < distance(best) ? mark : best), event.target);
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  marks[0].tabIndex = 0;
  return [drawing, line];
}
