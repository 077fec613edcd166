// The frame of Learn: its parts as tabs; each is loaded when it is first opened.

import { h } from './dom.js';

export const title = 'Learn';

const PARTS = {
  ida: ['How IDA* thinks', 'A search under a rising budget, node by node, as the engine really ran it.'],
  xray: ['Heuristic X-ray', 'What each estimate sees on a board, and how its number adds up.'],
  race: ['Race', 'The same board under several searches: nodes, memory and time side by side.'],
  space: ['Whole space', 'Every board of a small puzzle, counted, and how good the estimates are on all of them.'],
};

export function mount(root, params, app) {
  const heading = h('h1', { class: 'unseen' });
  const about = h('p', { class: 'lead' });
  const tabs = Object.entries(PARTS).map(([name, [label]]) => h('a', { href: `#learn/${name}`, 'data-part': name }, label));
  const stage = h('div', { class: 'learn-stage' });
  root.append(heading, h('nav', { class: 'learn-tabs', 'aria-label': 'Parts of Learn' }, tabs), about, stage);

  /** The part that is open: its name, and what its `mount` returned. */
  let name = null;
  let handle = null;

  /** Opens the part that the address names, or tells the open one that the address changed. */
  async function open(params) {
    const wanted = Object.hasOwn(PARTS, app.part) ? app.part : 'ida';
    if (wanted === name) {
      handle?.update(params);
      return;
    }
    handle?.unmount();
    handle = null;
    name = wanted;
    if (app.part !== wanted) app.link(params, { replace: true, part: wanted });
    for (const tab of tabs) {
      if (tab.dataset.part === wanted) tab.setAttribute('aria-current', 'page');
      else tab.removeAttribute('aria-current');
    }
    [heading.textContent, about.textContent] = PARTS[wanted];
    document.title = `${heading.textContent} – Taquin`;
    const place = h('div', { class: `learn-part part-${wanted}` });
    stage.replaceChildren(place);
    try {
      const part = await import(`./learn/${wanted}.js`);
      if (place.isConnected) handle = part.mount(place, params, app);
    } catch (error) {
      console.error(error);
      place.append(h('p', { class: 'note' }, 'This part of the page could not be loaded. ',
        h('button', { onclick: () => location.reload() }, 'Try again')));
    }
  }

  open(params);
  return {
    update: open,
    unmount() {
      handle?.unmount();
      name = '';
    },
  };
}
