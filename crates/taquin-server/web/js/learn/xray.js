// Heuristic X-ray: what each heuristic counts, drawn on the board.

import { post } from '../api.js';
import { Board } from '../board.js';
import { BoardView } from '../board-view.js';
import { h, svg } from '../dom.js';
import { boardForm, choice, patternNames, whole } from './parts.js';

const EXAMPLE = '3 11 14 2/12 6 5 15/10 13 7 8/0 1 9 4';
const LAYERS = { manhattan, conflicts, walking, patterns };

export function mount(root, params, app) {
  let layer, database, board, record, before, truth, request, known;
  const view = new BoardView({ label: 'Board under the X-ray', onMoves: slide });
  const form = boardForm('Show', load, load);
  const layers = Object.keys(LAYERS).map((name) => h('button', { 'data-layer': name, onclick: () => open(name) }, name));
  const panel = h('div', { class: 'xray-panel' });
  const rows = h('tbody');
  const note = h('span', { class: 'muted', 'data-field': 'truth' });
  const ask = h('button', { 'data-action': 'truth', 'aria-pressed': 'false', disabled: true, onclick: toggle }, 'What is the truth?');
  root.append(form.element,
    h('div', { class: 'xray-stage' },
      h('div', null, view.element, h('p', { class: 'muted small' }, 'Slide tiles: a move changes a consistent estimate by one at most.')),
      h('div', null, h('div', { class: 'segmented', role: 'group', 'aria-label': 'What to show' }, layers), panel)),
    h('p', { class: 'row' }, ask, note),
    h('table', { class: 'xray-table' }, h('tr', null, ['heuristic', 'moves at least', 'last move'].map((name) => h('th', { scope: 'col' }, name))), rows));
  root.addEventListener('pointerover', point);
  root.addEventListener('focusin', point);

  function update(params) {
    layer = Object.hasOwn(LAYERS, params.get('layer')) ? params.get('layer') : 'manhattan';
    database = params.get('patterns');
    load(params.get('board') || EXAMPLE, params.get('goal') || 'classic', { replace: true });
  }

  function open(name) {
    if (!record) return;
    layer = name;
    link();
    draw();
  }

  function link(options) {
    app.link({ board: record.board, goal: form.goal, layer, ...database && { patterns: database } }, options);
  }

  /** Somebody slid tiles: the board is shown at once, its numbers when they come. */
  function slide(moves) {
    const from = record.board === board.toString() ? record.estimates : null;
    board = board.apply(moves);
    view.show(board);
    load(board.toString(), form.goal, { replace: true, from });
  }

  /** Asks for the estimates of a board in any form; `from` are those before the last move. */
  async function load(text, goal, { replace, from } = {}) {
    request?.abort();
    const { signal } = request = new AbortController();
    form.set(text, goal);
    const offered = patternNames(text);
    if (!offered.includes(database)) [database] = offered;
    try {
      known = (await app.about).heuristics;
      record = await post('estimate', { board: text, goal, heuristics: offered.filter((name) => name === database) }, { signal });
    } catch (problem) {
      form.fail(problem);
      return;
    }
    form.set(record.board, goal);
    board = Board.parse(record.board);
    before = from;
    truth = null;
    link({ replace });
    draw();
    app.announce(`Manhattan ${record.estimates.manhattan}, linear conflict ${record.estimates['linear-conflict']}`);
    if (ask.ariaPressed === 'true' && !ask.disabled) solve();
  }

  function draw() {
    view.show(board);
    view.overlay.replaceChildren();
    for (const { tile } of record.tiles) view.tile(tile).className = 'tile';
    for (const button of layers) button.ariaPressed = String(button.dataset.layer === layer);
    const picking = document.activeElement.name === 'patterns';
    panel.replaceChildren(...LAYERS[layer](new Scene(view, board, record), database, (name) => {
      database = name;
      load(record.board, form.goal);
    }).flat(2).filter(Boolean));
    if (picking) panel.querySelector('select')?.focus();
    fill();
  }

  /** Fills the table. */
  function fill() {
    const values = { ...record.estimates, 'true distance': truth };
    const most = Math.max(1, ...Object.values(values));
    const summary = (name) => known.find((one) => one.name === name)?.summary ?? (name in record.estimates ? 'moves of groups of tiles, looked up' : 'moves of a shortest solution');
    rows.replaceChildren(...Object.entries(values).map(([name, value]) => h('tr', { 'data-heuristic': name },
      h('th', { scope: 'row' }, name, h('small', null, summary(name))),
      h('td', null, h('b', null, whole(value)), h('span', { class: 'bar', style: { '--share': value / most } })),
      h('td', null, Number.isInteger(before?.[name]) ? signed(value - before[name]) : ''))));
    ask.disabled = board.tiles.length > 16;
    note.textContent = record.status === 'unsolvable' ? 'This board cannot be solved.' : ask.disabled ? 'That takes too long for boards this large.' : '';
  }

  function toggle() {
    ask.ariaPressed = String(ask.ariaPressed !== 'true');
    truth = null;
    fill();
    if (ask.ariaPressed === 'true') solve();
  }

  async function solve() {
    const { signal } = request;
    note.textContent = 'searching …';
    try {
      const { optimal, length, status, lower_bound } = await post('solve', { board: record.board, goal: form.goal }, { signal });
      truth = optimal ? length : null;
      fill();
      if (status === 'limit') note.textContent = `A limit was hit: at least ${lower_bound} moves.`;
      app.announce(optimal ? `True distance ${length}` : note.textContent);
    } catch (problem) {
      if (!signal.aborted) note.textContent = problem.message;
    }
  }

  /** The tiles of what is pointed at or focused stand out from the others. */
  function point({ target }) {
    const tiles = (target.closest('[data-lights]')?.dataset.lights ?? target.closest('[data-tile]')?.dataset.tile)?.split(' ');
    const off = (of) => tiles && !of.split(' ').some((tile) => tiles.includes(tile));
    for (const tile of view.element.querySelectorAll('[data-tile]')) tile.classList.toggle('faded', !!off(tile.dataset.tile));
    for (const mark of view.overlay.children) mark.classList.toggle('dim', !!off(mark.dataset.of));
  }

  update(params);
  return { update, unmount: () => request.abort() };
}

const signed = (change) => (change > 0 ? `+${change}` : change < 0 ? `−${-change}` : '±0');
const letter = (index) => String.fromCharCode(65 + index);

/** A board and what is known of it, to draw upon. */
class Scene {
  constructor(view, board, record) {
    Object.assign(this, { view, board, record });
  }

  middle(cell) {
    return [cell % this.board.columns + 0.5, Math.floor(cell / this.board.columns) + 0.5];
  }

  center(tile) {
    return this.middle(this.board.tiles.indexOf(tile));
  }

  /** Draws a mark that belongs to some tiles. */
  put(tag, tiles, attributes, text) {
    this.view.overlay.append(svg(tag, { ...attributes, 'data-of': [tiles].flat().join(' ') }, text));
  }

  /** Writes into the corner of a tile. */
  corner(tile, text) {
    const [x, y] = this.center(tile);
    this.put('text', tile, { x: x + 0.38, y: y - 0.22 }, text);
  }
}

/** 1 + 0 + 2 = 3; terms light the tiles they stand for. */
function sum(terms, total) {
  const term = ([value, name, tiles], index) => [index ? ' + ' : '', tiles
    ? h('button', { class: 'term', 'data-lights': tiles.join(' '), 'aria-label': `${name}: ${value}` }, whole(value))
    : [h('small', null, name), ` ${value}`]];
  return h('p', { class: 'sum', 'data-field': 'sum' }, terms.map(term), ' = ', h('strong', null, whole(total)));
}

/** A list whose items light their tiles. */
const list = (items) => h('ul', null, items.map(([tiles, ...text]) => h('li', { 'data-lights': tiles.join(' ') }, text)));

function manhattan(scene) {
  const { tiles, estimates } = scene.record;
  for (const { tile, home, distance } of tiles) {
    const [cx, cy] = scene.center(tile);
    scene.put('circle', tile, { cx, cy, r: 0.05 });
    if (distance) scene.put('path', tile, { d: arrow([cx, cy], scene.middle(home)) });
    scene.corner(tile, distance);
  }
  return [h('p', null, 'Every tile goes home as if the others were not there. A move brings one tile one step, so no solution has fewer moves than this sum.'),
    sum(tiles.map(({ tile, distance }) => [distance, `tile ${tile}`, [tile]]), estimates.manhattan)];
}

function conflicts(scene) {
  const { conflicts: lines, estimates } = scene.record;
  for (const { line, index, own, pairs, leaving } of lines) {
    const { columns: width, rows: height } = scene.board;
    scene.put('rect', own, line === 'row' ? { y: index, width, height: 1 } : { x: index, width: 1, height });
    for (const pair of pairs) scene.put('path', pair, { d: bow(...pair.map((tile) => scene.center(tile))) });
    for (const tile of leaving) {
      scene.view.tile(tile).classList.add('marked');
      scene.corner(tile, '+2');
    }
  }
  const all = (tiles) => tiles.join(' and ');
  return [h('p', null, 'Two tiles in the line where both belong, but in the wrong order, cannot pass: one must leave the line and come back, two moves that Manhattan does not see.'),
    list(lines.map(({ line, index, own, pairs, leaving, added }) => [own, h('b', null, `${line} ${index + 1}`),
      `: ${pairs.map(all).join(', ')} cannot pass; ${all(leaving)} must leave, `, h('b', null, `+${added}`)])),
    sum([[estimates.manhattan, 'Manhattan'], ...lines.map(({ line, index, own, added }) => [added, `${line} ${index + 1}`, own])], estimates['linear-conflict'])];
}

function walking({ board: { columns }, record: { walking_distance: walk, estimates, tiles } }) {
  return [h('p', null, 'Forget the columns: then a vertical move only changes how many tiles of each row are in which row. The fewest such moves to order them, plus the same for columns, is no more than any solution.'),
    walk ? [h('div', { class: 'matrices' }, matrix('row', walk.rows, tiles, (cell) => Math.floor(cell / columns)), matrix('column', walk.columns, tiles, (cell) => cell % columns)),
      sum([[walk.vertical, 'vertical'], [walk.horizontal, 'horizontal']], estimates['walking-distance'])]
      : h('p', { class: 'note' }, 'There are no tables for this size.')];
}

/** How many tiles in line i belong to line j. */
function matrix(line, counts, tiles, lineOf) {
  const cell = (count, i, j) => {
    const lights = tiles.filter(({ cell: now, home }) => lineOf(now) === i && lineOf(home) === j).map(({ tile }) => tile).join(' ');
    return h('td', { class: i === j && 'own' }, count ? h('button', { 'data-lights': lights, 'aria-label': `${count} in ${line} ${i + 1} from ${line} ${j + 1}: ${lights}` }, count) : '·');
  };
  return h('table', { 'data-field': `${line}s` }, h('caption', null, `${line} now ↓ at home →`),
    h('tr', null, h('td'), counts.map((_, j) => h('th', { scope: 'col' }, j + 1))),
    counts.map((of, i) => h('tr', null, h('th', { scope: 'row' }, i + 1), of.map((count, j) => cell(count, i, j)))));
}

function patterns(scene, database, pick) {
  const { view, board, record } = scene;
  const names = patternNames(record.board);
  const found = record.patterns?.find(({ heuristic }) => heuristic === database);
  const best = found?.sets.find(({ value }) => value === found.value);
  best?.parts.forEach(({ tiles }, part) => tiles.forEach((tile) => {
    view.tile(tile).classList.add(`group-${part % 4}`);
    scene.corner(tile, letter(part));
  }));
  return [h('p', null, 'A table knows the moves that the tiles of one group need at least, wherever the others are. Moves of different groups are different moves: their numbers add up.'),
    names.length ? choice('patterns', names, database, pick) : h('p', { class: 'note' }, 'There are no databases for boards this large.'),
    found?.sets.map((set) => [
      found.sets.length > 1 && h('h3', null, set.reflected ? 'The board mirrored' : 'The board as it is', set === best && ': the larger sum counts'),
      list(set.parts.map(({ tiles, value }, part) => [tiles, h('span', { class: `letter group-${part % 4}` }, letter(part)), ` tiles ${tiles.join(' ')}: `, h('b', null, whole(value))])),
      sum(set.parts.map(({ tiles, value }, part) => [value, `group ${letter(part)}`, tiles]), set.value)])];
}

/** An arrow from a tile to its home, bent a little so that two that cross can be told apart. */
function arrow([x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y);
  const [east, south] = [(toX - x) / length, (toY - y) / length];
  const at = (ahead, aside) => `${(x + east * ahead - south * aside).toFixed(2)} ${(y + south * ahead + east * aside).toFixed(2)}`;
  const tip = length - 0.08;
  return `M${at(0, 0)}Q${at(length / 2, length / 10)} ${at(tip, 0)}L${at(tip - 0.11, 0.12)}M${at(tip, 0)}L${at(tip - 0.14, -0.05)}`;
}

/** A bow above or beside the line between two tiles. */
function bow([x, y], [toX, toY]) {
  return `M${x} ${y}Q${(x + toX) / 2 - Math.abs(toY - y) * 0.35} ${(y + toY) / 2 - Math.abs(toX - x) * 0.35} ${toX} ${toY}`;
}
