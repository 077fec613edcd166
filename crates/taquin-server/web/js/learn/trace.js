// A trace of IDA*: what each event says about the search until then, and where its node is in the tree.

import { Board } from '../board.js';

/** The moves in the order in which the engine makes them. */
const ORDER = 'UDLR';

/** How many successors IDA* makes at a node: one for each move but that which takes the last one back. */
function successors({ board, move }) {
  const here = Board.parse(board);
  return [...ORDER].filter((way) => here.source(way) >= 0).length - (move ? 1 : 0);
}

/**
 * Reads the events in their order and adds to each: `index`; `pass`, its iteration; `node`, the one it
 * is about; `expanded` and `generated`, the counts until then. Nothing in an event depends on a later
 * one, so that going back shows what going forth did. Nodes are events, too, with `parent` and `kids`;
 * `solved` becomes the node of the goal.
 */
export function readTrace(events) {
  const [start, end] = [events[0], events.at(-1)];
  const total = { expanded: end.nodes, generated: end.generated };
  const root = { board: start.board, move: null, g: 0, h: start.h, f: start.h };
  const idle = { number: 0, threshold: null, nodes: [] };
  const passes = [];
  // The nodes from the start to where the search is: one for each g.
  const trail = [];
  let pass = idle;
  let [expanded, generated, path, last] = [0, 0, [], null];
  events.forEach((event, index) => {
    let node = root;
    switch (event.event) {
      case 'iteration':
        pass = { number: event.number, threshold: event.threshold, nodes: [], first: index, setBy: pass.setter };
        passes.push(pass);
        break;
      case 'expanded':
        last = event;
        expanded += 1;
        generated += successors(event);
        // falls through
      case 'pruned':
        node = event;
        trail.length = event.g;
        grow(pass, event, trail.at(-1));
        if (event.event === 'expanded') trail.push(event);
        break;
      case 'next_threshold':
        pass.setter = pass.nodes.find(({ f, board }) => f === event.threshold && board === event.board);
        node = pass.setter ?? root;
        break;
      case 'solved':
        path = follow(start, event, trail);
        node = Object.assign(event, path.at(-1));
        path[path.length - 1] = event;
        grow(pass, event, path.at(-2)?.kids && path.at(-2));
        break;
      case 'end':
        node = events[index - 1].node;
    }
    Object.assign(event, { index, pass, node, expanded, generated });
    pass.last = event;
  });
  // Having met the goal, the search makes no more successors: only the end tells how many there were.
  if (last && total.expanded === expanded) {
    for (const event of events.slice(last.index)) event.generated += total.generated - generated;
  }
  Object.assign(end, total);
  for (const each of [idle, ...passes]) arrange(each);
  return { events, passes, start, end, path, largest: Math.max(start.h, ...passes.map(({ most }) => most)) };
}

/** Adds a node to the tree of its iteration. */
function grow(pass, node, parent) {
  Object.assign(node, { parent, kids: [], y: parent ? parent.y + 1 : 0 });
  parent?.kids.push(node);
  pass.nodes.push(node);
}

/** The boards of a solution; those that the trace shows are its nodes. */
function follow({ board, h }, { moves, cost }, trail) {
  let here = Board.parse(board);
  return [...moves, ''].map((next, g) => {
    const text = String(here);
    here = here.slide(next);
    if (trail[g]?.board === text) return trail[g];
    const goal = g === moves.length ? { h: 0, f: cost } : {};
    return { board: text, move: moves[g - 1] ?? null, g, ...(g ? goal : { h, f: h }) };
  });
}

/** Gives each node its column: leaves side by side in the order of the search, parents above their middle. */
function arrange(pass) {
  Object.assign(pass, { columns: 0, depth: 1, most: 0 });
  const open = pass.nodes.filter(({ parent }) => !parent);
  while (open.length) {
    const node = open.pop();
    node.kids.sort((a, b) => ORDER.indexOf(a.move) - ORDER.indexOf(b.move));
    if (node.kids.length === 0) node.x = pass.columns++;
    open.push(...node.kids.toReversed());
    pass.depth = Math.max(pass.depth, node.y);
    pass.most = Math.max(pass.most, node.f);
  }
  for (const node of pass.nodes.toReversed()) {
    if (node.kids.length) node.x = (node.kids[0].x + node.kids.at(-1).x) / 2;
  }
}
