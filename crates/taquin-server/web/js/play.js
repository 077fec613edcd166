// The view Play.

import { Gone, post } from './api.js';
import { Board } from './board.js';
import { BoardView } from './board-view.js';
import { h, svg } from './dom.js';
import { METRICS, metricChoice, metricParams, moveCount, otherMetric } from './metric.js';
import { address, GOALS, read, readGoal, readSeed, same, SIZES } from './play/address.js';
import { scramble, walk } from './play/boards.js';
import { clock, Game } from './play/game.js';
import { picture } from './play/picture.js';
import { hinted, shortest, told, unsolvable } from './play/words.js';

export const title = 'Play';

/** How long the server may look for the shortest solution of a scramble that was solved. */
const WITHIN = 3000;
const TIP = 'Slide tiles into the gap until they lie as in the goal.';
const ICONS = {
  undo: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'm15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  restart: 'M4 4v5h5M4.5 9a8 8 0 1 1-.4 5',
  hint: 'M9 18h6M10 21h4M8.5 15a6 6 0 1 1 7 0c-.6.5-1 1.2-1 2h-5c0-.8-.4-1.5-1-2z',
};

/** The game stays when another view is opened, and goes on when this one is opened again. */
let kept = null;

export function mount(root, params, app) {
  return new Play(root, params, app);
}

class Play {
  #app; #game = null; #loading = null; #asking = null; #pictured = null; #ticking; #linking = 0; #fields = {}; #buttons = {};
  #view; #goalView; #message; #form; #file;

  constructor(root, params, app) {
    this.#app = app;
    this.#view = new BoardView({ label: 'Puzzle', onMoves: (moves) => this.#slide(moves) });
    this.#view.element.id = 'board';
    this.#goalView = new BoardView({ label: 'Goal' });
    root.append(this.#build());
    this.#ticking = setInterval(() => this.#tick(), 200);
    document.addEventListener('keydown', this.#key);
    this.update(params);
  }

  /** Opens the game of the address; an address without one keeps the game there is. */
  update(params) {
    const wanted = read(params);
    const game = this.#game ?? kept;
    this.#loading?.abort();
    if (game && (!wanted.named || same(wanted, game))) {
      if (wanted.named) this.#seek(game, wanted.moves);
      if (wanted.named || params.has('metric')) this.#count(game, wanted.metric);
      this.#open(game);
    } else this.#load(wanted, { replace: true });
  }

  unmount() {
    this.#link();
    this.#loading?.abort();
    this.#asking?.abort();
    this.#game?.pause();
    kept = this.#game;
    clearInterval(this.#ticking);
    document.removeEventListener('keydown', this.#key);
    if (this.#pictured) URL.revokeObjectURL(this.#pictured.url);
  }

  // The parts of the view

  #build() {
    const act = (name, text, run, keys) => {
      this.#buttons[name] = h('button', { type: 'button', 'data-action': name, 'aria-keyshortcuts': keys, onclick: run },
        svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: ICONS[name] })), text);
      return this.#buttons[name];
    };
    const count = (field, text) => {
      this.#fields[field] = h('dd', { 'data-field': field }, '0');
      return h('div', {}, h('dt', {}, text), this.#fields[field]);
    };
    this.#message = h('div', { class: 'message', id: 'message' });
    return h('div', { class: 'play' },
      h('h1', { class: 'unseen' }, 'Play'),
      h('dl', { class: 'counts' }, count('moves-single', 'Single-tile moves'), count('moves-multi', 'Multi-tile moves'), count('time', 'Time')),
      h('div', { class: 'stage' }, this.#view.element),
      h('div', { class: 'acts', role: 'group', 'aria-label': 'Game' },
        act('undo', 'Undo', () => this.#step('undo'), 'Control+Z'),
        act('redo', 'Redo', () => this.#step('redo'), 'Control+Y'),
        act('restart', 'Restart', () => this.#restart()),
        act('hint', 'Hint', () => this.#hint())),
      this.#message,
      this.#settings(),
      this.#help());
  }

  #settings() {
    const choice = (name, text, options) => h('div', { class: 'field' }, h('label', { for: name }, text),
      h('select', { id: name, name, onchange: () => this.#fresh() }, options.map(([value, words]) => h('option', { value }, words))));
    const look = (value, text, onclick) => h('label', {}, h('input', { type: 'radio', name: 'look', value, checked: value === 'numbers', onclick }), text);
    const sizes = SIZES.map((size) => [size, size]);
    this.#file = h('input', { type: 'file', id: 'picture', accept: 'image/*', class: 'unseen', tabindex: -1, 'aria-label': 'Your picture',
      onchange: () => this.#look('own'), oncancel: () => { if (!this.#file.files.length) this.#look('numbers'); } });
    this.#form = h('form', { class: 'settings card', id: 'settings', onsubmit: (event) => { event.preventDefault(); this.#seeded(); } },
      h('div', { class: 'size' }, choice('rows', 'Rows', sizes), h('span', { 'aria-hidden': 'true' }, '×'), choice('columns', 'Columns', sizes)),
      choice('goal', 'Goal', Object.entries(GOALS)),
      h('div', { class: 'field' }, h('label', { for: 'seed' }, 'Seed'),
        h('input', { id: 'seed', name: 'seed', inputmode: 'numeric', autocomplete: 'off', spellcheck: 'false', maxlength: 16, onchange: () => this.#seeded() })),
      h('div', { class: 'goal' }, this.#goalView.element),
      metricChoice((event) => this.#recount(event.target.value)),
      h('div', { class: 'go' },
        h('button', { type: 'button', class: 'primary', 'data-action': 'new', onclick: () => this.#fresh() }, 'New scramble'),
        h('button', { type: 'button', 'data-action': 'share', onclick: () => this.#share() }, 'Copy link')),
      h('fieldset', { class: 'field look', onchange: () => this.#show() }, h('legend', {}, 'Tiles'),
        h('div', { class: 'segmented' }, look('numbers', 'Numbers'), look('picture', 'Picture'), look('own', 'Your own', () => this.#file.click())),
        h('label', { class: 'check' }, h('input', { type: 'checkbox', id: 'numbered', checked: true, disabled: true }), 'Numbers on the picture'),
        this.#file));
    return this.#form;
  }

  #help() {
    const keys = [[['←', '↑', '→', '↓'], 'slide a tile into the blank'], [['Shift', '← ↑ → ↓'], 'slide the whole line'],
      [['Ctrl', 'Z'], 'undo'], [['Ctrl', 'Y'], 'redo'], [['H'], 'hint, on the board'], [['N'], 'new scramble, on the board']];
    return h('details', { class: 'help' }, h('summary', {}, 'Keys'),
      h('dl', { class: 'facts' }, keys.map(([names, words]) => [h('dt', {}, names.flatMap((name) => [h('kbd', {}, name), ' '])), h('dd', {}, words)])),
      h('p', { class: 'small muted' }, 'Or click a tile in the row or column of the blank, drag it, or swipe anywhere on the board. Whole lines slide: each line is one multi-tile move, and as many single-tile moves as it has tiles.'));
  }

  // Getting a board

  /** A new scramble of the size and goal that are chosen. */
  #fresh() {
    this.#load(this.#chosen(null));
  }

  #chosen(seed) {
    const [rows, columns, goal, metric] = ['rows', 'columns', 'goal', 'metric'].map((name) => this.#form.elements[name].value);
    // A goal that is a board has one size.
    return { rows: Number(rows), columns: Number(columns), goal: readGoal(goal, `${rows}x${columns}`) ?? 'classic', seed, moves: '', metric };
  }

  /** The scramble of the seed that was typed. */
  #seeded() {
    const field = this.#form.elements.seed;
    const seed = readSeed(field.value);
    field.setAttribute('aria-invalid', seed === null);
    if (seed === null) this.#say(`A seed is a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`, 'error');
    else if (!same(this.#chosen(seed), this.#game)) this.#load(this.#chosen(seed));
  }

  /** Fetches a scramble and opens it. `replace` keeps the number of entries in the history. */
  async #load(wanted, { replace = false } = {}) {
    if (replace) this.#unlink();
    else this.#link();
    this.#loading?.abort();
    const { signal } = this.#loading = new AbortController();
    const goal = Board.goal(wanted.goal, wanted.rows, wanted.columns);
    const { metric } = this.#form.elements;
    metric.value = wanted.metric;
    if (!this.#game) this.#preview(goal, wanted);
    let note = wanted.faults?.length ? `The ${wanted.faults.join(' and ')} of this address cannot be used, so this is another game. Boards here have ${SIZES[0]} to ${SIZES.at(-1)} rows and columns.` : '';
    let { start, seed } = wanted;
    try {
      if (!start) ({ start, seed } = await scramble(wanted, goal, signal));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Gone)) {
        this.#say(error.message, 'error');
        return;
      }
      [start, seed] = [walk(goal), null];
      note = 'The server is gone, so this board was shuffled here. It has no seed.';
    }
    if (signal.aborted) return;
    this.#game?.pause();
    const game = new Game({ start, goal, goalName: wanted.goal, seed: seed ?? null, metric: metric.value });
    this.#say(note);
    this.#view.element.classList.add('shuffling');
    this.#seek(game, wanted.moves);
    this.#open(game);
    this.#app.link(address(game), { replace });
    setTimeout(() => this.#view.element.classList.remove('shuffling'), 600);
    if (!game.solved) this.#app.announce(`New board, ${game.start.rows} by ${game.start.columns}. ${note}`);
    if (wanted.start && !game.solved) this.#doubt(game, signal);
  }

  /** A board from elsewhere may be one that nobody can solve: says so before somebody tries. */
  async #doubt(game, signal) {
    const { solvable, reason } = await post('check', { board: String(game.start), goal: game.goalName }, { signal }).catch(() => ({ solvable: true }));
    if (solvable || signal.aborted || this.#game !== game) return;
    this.#say(unsolvable(reason), 'error');
    this.#app.announce(unsolvable(reason));
  }

  /** Shows the goal until the first scramble is there, so that its room is taken. */
  #preview(goal, { goal: name, seed, metric }) {
    this.#fill(goal, name, seed, metric);
    this.#view.show(goal, { goal, animate: false });
    this.#goalView.show(goal, { goal });
  }

  #seek(game, moves) {
    try {
      game.seek(moves);
    } catch {
      this.#say('The moves of this link do not fit the board, so it starts from the scramble.', 'error');
    }
  }

  #open(game) {
    this.#game = game;
    this.#fill(game.start, game.goalName, game.seed, game.metric);
    this.#goalView.show(game.goal, { goal: game.goal });
    this.#changed();
  }

  #fill(board, goal, seed, metric) {
    const { elements } = this.#form;
    elements.rows.value = board.rows;
    elements.columns.value = board.columns;
    if (![...elements.goal.options].some(({ value }) => value === goal)) elements.goal.append(h('option', { value: goal }, 'A board'));
    elements.goal.value = goal;
    elements.seed.value = seed ?? '';
    elements.metric.value = metric;
    elements.seed.removeAttribute('aria-invalid');
  }

  // Playing

  #slide(moves) {
    const game = this.#game;
    if (!game || game.solved) return;
    game.slide(moves);
    this.#moved(told(game.board, moves));
  }

  #step(name) {
    const game = this.#game;
    if (!game || !(name === 'undo' ? game.canUndo : game.canRedo)) return;
    const moves = game[name]();
    this.#moved(told(game.board, moves));
  }

  /** Counts in a metric; what was said in the other one goes. */
  #count(game, metric) {
    if (game.metric !== metric && this.#message.querySelector('.hint, .result')) this.#say('');
    game.metric = metric;
  }

  #recount(metric) {
    // The first game, which is on its way, will read the choice.
    if (!this.#game) return;
    this.#count(this.#game, metric);
    this.#changed();
  }

  #restart() {
    if (!this.#game?.canUndo) return;
    this.#game.restart();
    this.#moved('Back at the scramble');
  }

  #moved(words) {
    this.#say('');
    this.#changed();
    if (!this.#game.solved) this.#app.announce(words);
  }

  /** Shows the game after a change. */
  #changed() {
    const game = this.#game;
    this.#asking?.abort();
    this.#unmark();
    if (!game.moves && !this.#message.textContent) this.#say(TIP, 'muted');
    this.#show();
    this.#view.element.classList.toggle('solved', game.solved);
    for (const metric in METRICS) {
      const field = this.#fields[`moves-${metric}`];
      field.textContent = game.length(metric);
      field.parentElement.classList.toggle('other', metric !== game.metric);
    }
    this.#tick();
    const off = { undo: !game.canUndo, redo: !game.canRedo, restart: !game.canUndo, hint: game.solved };
    for (const name in off) this.#buttons[name].setAttribute('aria-disabled', off[name]);
    this.#linking ||= setTimeout(this.#link, 400);
    if (game.solved) this.#finish();
  }

  #tick() {
    const text = clock(this.#game?.time ?? 0);
    if (this.#fields.time.textContent !== text) this.#fields.time.textContent = text;
  }

  /** Browsers allow only so many changes of the address, so it follows a little later. */
  #link = () => {
    this.#unlink();
    if (this.#game) this.#app.link(address(this.#game), { replace: true });
  };

  #unlink() {
    clearTimeout(this.#linking);
    this.#linking = 0;
  }

  #key = (event) => {
    if (event.defaultPrevented || event.target.closest('input:not([type=radio], [type=checkbox]), select, textarea')) return;
    const key = event.key.toLowerCase();
    const command = event.ctrlKey || event.metaKey;
    if (command && (key === 'z' || key === 'y')) this.#step(key === 'y' || event.shiftKey ? 'redo' : 'undo');
    else if (command || event.altKey) return;
    // Letters only count on the board: elsewhere they may be commands of a screen reader.
    else if (event.target === this.#view.element && key === 'h') this.#hint();
    else if (event.target === this.#view.element && key === 'n') this.#fresh();
    else if (event.target.matches('input') || !this.#game || !this.#view.key(event)) return;
    event.preventDefault();
  };

  async #share() {
    this.#link();
    try {
      await navigator.clipboard.writeText(location.href);
      this.#say('The link is copied. It opens this position.');
    } catch {
      this.#say('The browser did not let the link be copied. It is in the address bar.');
    }
    this.#app.announce(this.#message.textContent);
  }

  // What the server knows

  async #hint() {
    const game = this.#game;
    if (!game || game.solved) return;
    const { board } = game;
    this.#asking?.abort();
    const { signal } = this.#asking = new AbortController();
    this.#say('Thinking…', 'hint');
    try {
      const hint = await post('hint', { board: String(board), goal: game.goalName, metric: game.metric, style: 'letters', within_ms: 500 }, { signal });
      if (signal.aborted) return;
      const tiles = this.#mark(board, hint.next ?? '');
      this.#say(tiles.length ? hinted(tiles, hint.next[0], hint)
        : hint.reason ? unsolvable(hint.reason) : 'There is no hint for this board.', 'hint');
      this.#app.announce(this.#message.textContent);
    } catch (error) {
      if (!signal.aborted) this.#say(`There is no hint: ${error.message}.`, 'hint error');
    }
  }

  /** Rings the tiles of a hint, with an arrow into the blank; returns them, the nearest to the blank first. */
  #mark(board, moves) {
    this.#unmark();
    const tiles = [];
    let now = board;
    for (const move of moves) {
      tiles.push(now.tiles[now.source(move)]);
      now = now.slide(move);
    }
    if (!moves) return tiles;
    for (const tile of tiles) this.#view.tile(tile).classList.add('marked');
    const [x, y] = [(board.blank % board.columns) + 0.5, Math.floor(board.blank / board.columns) + 0.5];
    const turn = { R: 0, D: 90, L: 180, U: 270 }[moves[0]];
    this.#view.overlay.append(svg('path', { class: 'pointer', d: 'M-.38 0H.05M-.11-.16.05 0-.11.16', transform: `translate(${x} ${y}) rotate(${turn})` }));
    return tiles;
  }

  #unmark() {
    this.#view.overlay.replaceChildren();
    for (const tile of this.#view.element.querySelectorAll('.marked')) tile.classList.remove('marked');
  }

  /** Tells what was done, and how far from the shortest that was. */
  async #finish() {
    const game = this.#game;
    const { metric } = game;
    const made = game.length();
    const { signal } = this.#asking = new AbortController();
    if (!made) {
      this.#say('This board is the goal already.');
      return;
    }
    const time = game.timed ? `, ${clock(game.time)}` : '';
    const head = `Solved in ${moveCount(made, metric)}${time}`;
    // What is said of the shortest holds for one metric only, so the other length stands apart.
    const also = moveCount(game.length(otherMetric(metric)), otherMetric(metric));
    const card = (words) => this.#message.replaceChildren(h('div', { class: 'card result', 'data-field': 'result' },
      h('h2', {}, `${head}${words}`),
      h('p', {}, `It took ${also}. `, h('a', { href: `#solve?${new URLSearchParams({ board: String(game.start), goal: game.goalName, ...metricParams(metric) })}` }, 'See how it is solved'))));
    card(' — looking for the shortest…');
    try {
      const best = await post('solve', { board: String(game.start), goal: game.goalName, metric, within_ms: WITHIN }, { signal });
      if (signal.aborted) return;
      card(shortest(best, made));
    } catch (error) {
      if (signal.aborted) return;
      card(`. The shortest is not known: ${error.message}.`);
    }
    this.#app.announce(this.#message.querySelector('h2').textContent);
  }

  #say(text, kind = '') {
    this.#message.replaceChildren(h('p', { class: kind, 'data-field': 'note' }, text));
  }

  // How it looks

  #look(value) {
    this.#form.elements.look.value = value;
    this.#show();
  }

  /** Shows the board with numbers or with the picture that is chosen. */
  #show() {
    if (!this.#game) return;
    const { board, goal } = this.#game;
    const { look, numbered } = this.#form.elements;
    const file = look.value === 'own' ? this.#file.files[0] : null;
    numbered.disabled = look.value === 'numbers';
    this.#view.element.classList.toggle('plain', !numbered.checked);
    this.#view.show(board, { goal });
    this.#paint(look.value === 'numbers' || (look.value === 'own' && !file) ? null : { file, size: board.size });
  }

  /** Puts a picture on the tiles, or takes it away; draws it only if it is another one. */
  async #paint(wanted) {
    const now = this.#pictured;
    if (wanted?.size === now?.size && wanted?.file === now?.file) return;
    this.#pictured = wanted;
    if (wanted && this.#message.querySelector('.error')) this.#say('');
    let url = null;
    try {
      if (wanted) url = await picture(wanted.file, this.#game.board.rows, this.#game.board.columns);
    } catch {
      this.#say('This file is not a picture that the browser can show.', 'error');
    }
    if (this.#pictured !== wanted) return;
    if (wanted) wanted.url = url;
    this.#view.setPicture(url);
    this.#goalView.setPicture(url);
    if (now?.url) URL.revokeObjectURL(now.url);
  }
}
