// The form of Solve: a board in any form, its goal, how long to search, and what counts as a move.

import { post, Problem } from '../api.js';
import { h } from '../dom.js';
import { metricChoice } from '../metric.js';
import { MODES } from './solution.js';

const USUAL = 'classic, or as the form says';
const GOALS = { '': USUAL, classic: 'classic: blank last', 'blank-first': 'blank first', snail: 'snail: spiral inwards', snake: 'snake: to and fro', own: 'a board of my own' };
const FORMS = ['rows', 'flat', 'grid', 'princeton', 'npuzzle', 'hdu1043', 'p1379', 'hex', 'uva10181', 'uva652', 'game-id'];
const PLACEHOLDER = '1 2 3/4 5 6/7 8 0\n\nor a line a row, a flat list, hex, a game ID;\n0, x or _ is the blank';

/** Boards to begin with; one without a text is drawn by the server. */
const EXAMPLES = {
  easy: ['easy 3×3', '8 1 3/4 0 2/7 6 5'],
  korf: ['Korf’s first 4×4', '14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3', 'blank-first'],
  swap: ['14 and 15 swapped', ' 1  2  3  4\n 5  6  7  8\n 9 10 11 12\n13 15 14  _'],
  five: ['5×5', '0 22 12 11 15/9 14 19 13 21/17 7 8 20 1/6 2 10 4 24/16 18 5 3 23'],
  seven: ['random 7×7'],
};

/** The form. `onAsk({ text, goal, form, mode, metric })`: somebody wants this board solved. */
export function boardForm(onAsk) {
  const text = h('textarea', { id: 'board-text', rows: 5, spellcheck: 'false', autocapitalize: 'off', placeholder: PLACEHOLDER, 'aria-describedby': 'problem', onkeydown, onpaste });
  const problem = h('div', { class: 'problem', id: 'problem', role: 'alert' });
  const goal = choice('goal', Object.entries(GOALS), () => {
    own.hidden = goal.value !== 'own';
    if (own.hidden) rerun();
    else own.focus();
  });
  const own = h('input', { id: 'goal-text', hidden: true, spellcheck: 'false', 'aria-label': 'The goal as a board', 'aria-describedby': 'problem', placeholder: '1 2 3/8 0 4/7 6 5', onchange: rerun });
  const mode = choice('within', Object.entries(MODES).map(([name, [words]]) => [name, words]), rerun);
  const form = choice('form', [['', 'found by itself'], ...FORMS.map((name) => [name, name])]);

  const element = h('form', { class: 'card solve-form', onsubmit: ask },
    h('div', { class: 'field' }, h('label', { for: 'board-text' }, 'Board'), text, problem,
      h('div', { class: 'examples' }, h('span', { class: 'muted' }, 'Try'), Object.entries(EXAMPLES).map(([name, [words, ...example]]) =>
        h('button', { type: 'button', 'data-example': name, onclick: () => take(...example) }, words)))),
    h('div', { class: 'choices' },
      field('goal', 'Goal', goal, own), field('within', 'Solution', mode), metricChoice(rerun),
      h('details', {}, h('summary', {}, 'More options'), field('form', 'Form of the board', form)),
      h('button', { class: 'primary', 'data-action': 'solve' }, 'Solve')));

  function ask(event) {
    event?.preventDefault();
    onAsk({ text: text.value, goal: goal.value === 'own' ? own.value : goal.value, form: form.value, mode: mode.value, metric: element.elements.metric.value });
  }

  function rerun() {
    if (text.value) ask();
  }

  function onkeydown(event) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) ask(event);
  }

  /** A board pasted over everything is solved at once. */
  function onpaste() {
    if (text.selectionEnd - text.selectionStart === text.value.length) setTimeout(ask);
  }

  async function take(board, goal = '') {
    try {
      onAsk({ text: board ?? (await post('scramble', { size: '7x7' })).board, goal, mode: 'auto', metric: element.elements.metric.value });
    } catch (error) {
      complain(error);
    }
  }

  function fill(asked) {
    text.value = asked.text;
    goal.value = Object.hasOwn(GOALS, asked.goal) ? asked.goal : 'own';
    own.hidden = goal.value !== 'own';
    if (!own.hidden) own.value = asked.goal;
    mode.value = asked.mode;
    element.elements.metric.value = asked.metric;
    form.value = asked.form ?? '';
  }

  /** Tells which goal it became where none was chosen: some forms have one of their own. */
  function settle(name) {
    goal.options[0].textContent = goal.value || name === 'classic' ? USUAL : `${name}, as the form says`;
  }

  /** Says what is wrong and marks the place; null takes it back. */
  function complain(error) {
    problem.replaceChildren();
    for (const field of [text, own]) field.removeAttribute('aria-invalid');
    if (!error) return;
    const wrong = error.pointer?.includes('goal') && !own.hidden ? own : text;
    problem.append(h('span', {}, error.message));
    if (error.place) problem.append(excerpt(wrong, error.place));
    if (error instanceof Problem) {
      wrong.setAttribute('aria-invalid', 'true');
      wrong.focus();
    } else problem.append(h('button', { 'data-action': 'retry' }, 'Try again'));
  }

  return { element, fill, settle, complain };
}

function choice(id, options, onchange) {
  return h('select', { id, onchange }, options.map(([value, words]) => h('option', { value }, words)));
}

function field(id, label, ...controls) {
  return h('div', { class: 'field' }, h('label', { for: id }, label), controls);
}

/** The line that cannot be read, with the word at the place marked; it is also selected in the field. */
function excerpt(field, { line, column }) {
  const lines = field.value.split('\n');
  const letters = [...(lines[line - 1] ?? '')];
  const before = letters.slice(0, column - 1).join('');
  const [wrong] = letters.slice(column - 1).join('').match(/^[^\s,/]*/);
  const start = lines.slice(0, line - 1).join('\n').length + (line > 1) + before.length;
  field.setSelectionRange(start, start + wrong.length);
  return h('code', {}, before.slice(-24), h('mark', {}, wrong || '␣'), field.value.slice(start + wrong.length).split('\n')[0].slice(0, 24));
}
