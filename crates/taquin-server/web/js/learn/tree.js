// The search tree of one iteration on a canvas, in a window that follows the search.

import { h } from '../dom.js';

const MARGIN = 24;
/** The room of a column in pixels, narrow to wide; the first shows the whole tree. */
const ROOMS = [0, 6, 15, 26, 44];
/** The most room of a column and of a row: small trees fill the window. */
const WIDEST = 110;
const HIGHEST = 90;
const KINDS = ['edge', 'ghost', 'expanded', 'pruned', 'solved'];
/** Where the arrow keys lead. */
const KEYS = {
  ArrowUp: ({ parent }) => parent,
  ArrowDown: ({ kids }) => kids[0],
  ArrowLeft: (node) => beside(node, -1),
  ArrowRight: (node) => beside(node, 1),
};

const beside = (node, by) => node.parent?.kids[node.parent.kids.indexOf(node) + by];

/**
 * Two canvases on top of each other: the tree, to which new nodes are only added as long as nothing
 * else changes, and the path to the current node, which is drawn anew each time.
 */
export class Tree {
  #layers = [h('canvas'), h('canvas')];
  #room = 2;
  #camera = { x: 0, y: 0, sx: 0, sy: 0 };
  /** The last event that the lower canvas shows. */
  #until = -1;

  /** `colours()` gives one for each kind and for the path; `onPick(node)`: somebody chose it. */
  constructor({ colours, onPick }) {
    this.colours = colours;
    this.onPick = onPick;
    this.window = h('div', { class: 'tree', tabindex: 0, role: 'application', 'data-tree': true, 'aria-roledescription': 'search tree',
      'aria-label': 'Search tree. Arrow keys lead to the parent, to a child and to siblings.' }, this.#layers);
    this.zoom = h('div', { class: 'zoom' }, this.#button('narrower', 'See more of the tree', '−', -1), this.#button('wider', 'See it larger', '+', 1));
    this.#listen();
    this.sizes = new ResizeObserver(this.redraw);
    this.sizes.observe(this.window);
    this.scheme = matchMedia('(prefers-color-scheme: dark)');
    this.scheme.addEventListener('change', this.redraw);
  }

  /** Shows the tree of `pass` as it was at the event `index`, with the path to `node`. */
  show(pass, index, node) {
    if (pass !== this.pass || index < this.index) this.#until = -1;
    Object.assign(this, { pass, index, node: node.kids ? node : null, dragged: false });
    this.window.toggleAttribute('data-empty', !(pass.nodes[0]?.index <= index));
    this.#ask();
  }

  close() {
    this.sizes.disconnect();
    this.scheme.removeEventListener('change', this.redraw);
    this.pass = null;
  }

  redraw = () => {
    this.ink = null;
    this.#until = -1;
    this.#ask();
  };

  #ask() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (this.pass && this.window.clientWidth) this.#draw();
    });
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this.window;
    Object.assign(this, { width, height });
    this.#follow();
    const [base, top] = this.#layers.map((canvas) => {
      const size = { width: Math.round(width * devicePixelRatio), height: Math.round(height * devicePixelRatio) };
      if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
      const context = canvas.getContext('2d');
      context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
      return context;
    });
    this.ink ??= this.colours();
    if (this.#until < 0) base.clearRect(0, 0, width, height);
    top.clearRect(0, 0, width, height);
    this.#drawTree(base, this.ink);
    this.#drawPath(top, this.ink);
  }

  /** Moves the window when the node has left its middle, and no further than the tree goes. */
  #follow() {
    const { pass: { columns, depth, nodes }, width, height } = this;
    const camera = this.#camera;
    const before = String(Object.values(camera));
    const room = ROOMS[this.#room];
    camera.sx = Math.max(room, Math.min(WIDEST, (width - 2 * MARGIN) / columns));
    camera.sy = Math.max(room && 11, Math.min(HIGHEST, (height - 2 * MARGIN) / depth));
    const node = this.node ?? nodes[0];
    if (node && !this.dragged) {
      camera.x = aim(camera.x, (node.x + 0.5) * camera.sx, columns * camera.sx, width);
      camera.y = depth * camera.sy <= height - 2 * MARGIN + 1 ? MARGIN : aim(camera.y, node.y * camera.sy, depth * camera.sy, height);
    }
    if (before !== String(Object.values(camera))) this.#until = -1;
    this.radius = Math.max(0.8, Math.min(9, camera.sx * 0.32, camera.sy * 0.2));
  }

  /** Where a node is on the canvas. */
  #point(node) {
    const { x, y, sx, sy } = this.#camera;
    return [x + (node.x + 0.5) * sx, y + node.y * sy];
  }

  #drawTree(context, ink) {
    const { radius: r, width } = this;
    const paths = Object.fromEntries(KINDS.map((kind) => [kind, new Path2D()]));
    for (const node of this.pass.nodes) {
      if (node.index <= this.#until) continue;
      if (node.index > this.index) break;
      const [x, y] = this.#point(node);
      const [px, py] = this.#point(node.parent ?? node);
      if (Math.max(x, px) < -MARGIN || Math.min(x, px) > width + MARGIN) continue;
      this.#branch(paths.edge, px, py, x, y);
      mark[node.event](paths[node.event], x, y, r);
      if (node.event === 'expanded' && node.parent && r > 3) mark.ghost(paths.ghost, x, y, r, px > x ? -1 : 1);
    }
    this.#until = this.index;
    context.lineCap = 'round';
    for (const kind of KINDS) {
      context.strokeStyle = context.fillStyle = ink[kind];
      context.lineWidth = kind === 'pruned' ? Math.max(1, r * 0.5) : Math.min(1.3, r * 0.6);
      context[kind === 'expanded' || kind === 'solved' ? 'fill' : 'stroke'](paths[kind]);
    }
  }

  /** The path to the current node; ancestors outside the window wait at its edge. */
  #drawPath(context, ink) {
    const { radius: r, width, pass } = this;
    const place = (node) => {
      const [x, y] = this.#point(node);
      return [Math.max(8, Math.min(width - 8, x)), y];
    };
    const ring = (node, colour) => {
      context.strokeStyle = colour;
      context.beginPath();
      context.arc(...place(node), r + 4, 0, 7);
      context.stroke();
    };
    context.lineWidth = r > 2 ? 3 : 2;
    context.fillStyle = context.strokeStyle = ink.path;
    for (let node = this.node; node; node = node.parent) {
      const line = new Path2D();
      const dot = new Path2D();
      if (node.parent) this.#branch(line, ...place(node.parent), ...place(node));
      if (node.event === 'expanded') mark.expanded(dot, ...place(node), r + 0.7);
      context.stroke(line);
      context.fill(dot);
    }
    if (this.node) ring(this.node, ink.path);
    if (pass.setter && this.index >= pass.last.index) ring(pass.setter, ink.pruned);
  }

  #branch(path, px, py, x, y) {
    path.moveTo(px, py);
    if (this.radius < 2) path.lineTo(x, y);
    else path.bezierCurveTo(px, (py + y) / 2, x, (py + y) / 2, x, y);
  }

  #button(action, label, text, by) {
    const onclick = () => {
      this.#room = Math.max(0, Math.min(ROOMS.length - 1, this.#room + by));
      this.redraw();
    };
    return h('button', { type: 'button', class: 'icon', 'data-action': action, 'aria-label': label, title: label, onclick }, text);
  }

  #listen() {
    let held = null;
    const on = (name, act) => this.window.addEventListener(name, act);
    on('pointerdown', (event) => { if (event.button === 0) held = { at: event, ...this.#camera }; });
    on('pointercancel', () => { held = null; });
    on('pointermove', (event) => {
      if (!held) return;
      const [dx, dy] = [event.clientX - held.at.clientX, event.clientY - held.at.clientY];
      if (!held.moved && Math.hypot(dx, dy) < 5) return;
      held.moved = this.dragged = true;
      this.window.setPointerCapture(event.pointerId);
      Object.assign(this.#camera, { x: held.x + dx, y: held.y + dy });
      this.redraw();
    });
    on('pointerup', (event) => {
      if (held && !held.moved) this.#pick(event);
      held = null;
    });
    on('keydown', (event) => {
      if (!KEYS[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const next = this.node ? KEYS[event.key](this.node) : this.pass?.nodes[0];
      if (next) this.onPick(next);
    });
  }

  /** Chooses the node nearest to a click. */
  #pick({ clientX, clientY }) {
    const { left, top } = this.window.getBoundingClientRect();
    let [best, least] = [null, 20];
    for (const node of this.pass?.nodes ?? []) {
      if (node.index > this.index) break;
      const [x, y] = this.#point(node);
      const away = Math.hypot(x - clientX + left, y - clientY + top);
      if (away < least) [best, least] = [node, away];
    }
    if (best) this.onPick(best);
  }
}

/** The offset that shows the point `at` of something `long` in a window of some `size`. */
function aim(offset, at, long, size) {
  if (long <= size - 2 * MARGIN + 1) return (size - long) / 2;
  const inside = at + offset > size * 0.2 && at + offset < size * 0.8;
  return Math.min(MARGIN, Math.max(size - MARGIN - long, inside ? offset : size / 2 - at));
}

/** Each kind has a shape of its own. */
const mark = {
  expanded(path, x, y, r) {
    // Thousands of small discs take long, and their branches show as much.
    if (r < 2) return;
    path.moveTo(x + r, y);
    path.arc(x, y, r, 0, 7);
  },
  pruned(path, x, y, r) {
    for (const s of [-r * 0.75, r * 0.75]) {
      path.moveTo(x - s, y - r * 0.75);
      path.lineTo(x + s, y + r * 0.75);
    }
  },
  solved(path, x, y, r) {
    for (let k = 0; k < 10; k++) {
      const [size, turn] = [r * (k % 2 ? 0.8 : 1.9), (k / 5) * Math.PI];
      path[k ? 'lineTo' : 'moveTo'](x + size * Math.sin(turn), y - size * Math.cos(turn));
    }
  },
  /** The move that would lead back: a stub that turns up beside the node and ends at a bar. */
  ghost(path, x, y, r, side) {
    const [ex, ey] = [x - side * (r + 3), y - r - 4];
    path.moveTo(x - side * r * 0.8, y - r * 0.8);
    path.lineTo(ex, ey);
    path.moveTo(ex - 3, ey + side * 3);
    path.lineTo(ex + 3, ey - side * 3);
  },
};
