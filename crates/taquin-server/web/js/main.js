// The frame: opens the view that the address names, and tells when the server is gone.

import { get, onGone } from './api.js';
import { h } from './dom.js';

const VIEWS = ['play', 'solve', 'learn'];
const main = document.getElementById('main');
const live = document.getElementById('live');
const banner = document.getElementById('banner');

/** The view that is open: { name, part, handle }. */
let open = null;
let opening = 0;
let about = null;
/** The address that was read or written last. */
let known = location.hash;

/** Reads an address such as `#learn/ida?board=…`. */
function address() {
  const [path, ...search] = location.hash.slice(1).split('?');
  const [name, part = ''] = path.split('/');
  return { name: VIEWS.includes(name) ? name : 'play', part, params: new URLSearchParams(search.join('?')) };
}

const app = {
  /** The part of the view that the address names: `ida` in `#learn/ida`. */
  get part() { return address().part; },

  /** Writes the state of the view into the address, unless a new address waits to be read. */
  link(params, { replace = false, part = address().part } = {}) {
    if (location.hash !== known || address().name !== open?.name) return;
    const search = String(new URLSearchParams(params)).replaceAll('%2F', '/');
    const hash = `#${open.name}${part && `/${part}`}${search && `?${search}`}`;
    if (hash !== location.hash) history[replace ? 'replaceState' : 'pushState'](null, '', hash);
    known = location.hash;
  },

  /** Tells something to a screen reader. The same words twice are told twice. */
  announce(text) {
    live.textContent = live.textContent === text ? `${text}\u00a0` : text;
  },

  /** What the server says about itself; asked again if it was not there. */
  get about() {
    about ??= get('about').catch((error) => { about = null; throw error; });
    return about;
  },
};

/** Adds the stylesheet of a view and waits for it, so that nothing is shown unstyled. */
function style(name) {
  const href = `/css/${name}.css`;
  if (document.querySelector(`link[href="${href}"]`)) return null;
  return new Promise((done) => {
    document.head.append(h('link', { rel: 'stylesheet', href, onload: done, onerror: done }));
  });
}

/** Views may use the same class names: only the styles of the open one count. */
function dress(name) {
  for (const { href, sheet } of document.querySelectorAll('link[rel=stylesheet]')) {
    const [, owner] = href.match(/\/css\/(\w+)/);
    if (sheet && VIEWS.includes(owner)) sheet.disabled = owner !== name;
  }
}

/** Opens what the address names; a newer call overtakes an older one. */
async function route() {
  known = location.hash;
  const { name, part, params } = address();
  if (open?.name === name) {
    open.part = part;
    open.handle?.update(params);
    return;
  }
  const turn = ++opening;
  let view;
  try {
    [view] = await Promise.all([import(`./${name}.js`), style(name)]);
  } catch (error) {
    console.error(error);
    view = { title: 'Not loaded', mount: broken };
  }
  if (turn !== opening) return;
  const first = !open;
  open?.handle?.unmount();
  open = { name, part, handle: null };
  document.title = `${view.title} – Taquin`;
  for (const link of document.querySelectorAll('[data-view]')) {
    if (link.dataset.view === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  dress(name);
  const root = h('div', { class: `view view-${name}` });
  main.replaceChildren(root);
  open.handle = view.mount(root, address().params, app);
  if (first) return;
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
  app.announce(view.title);
}

/** A view for a view that could not be loaded. */
function broken(root) {
  root.append(h('p', { class: 'note' }, 'This part of the page could not be loaded. ',
    h('button', { onclick: () => location.reload() }, 'Try again')));
  return { update() {}, unmount() {} };
}

onGone((isGone) => {
  clearTimeout(banner.timer);
  banner.classList.toggle('back', !isGone);
  banner.textContent = isGone
    ? 'The server is gone. Start it again with “taquin serve”; what is on this page stays.'
    : 'The server is back.';
  banner.classList.add('shown');
  if (!isGone) banner.timer = setTimeout(() => { banner.classList.remove('shown'); banner.textContent = ''; }, 4000);
});

// The skip link must not look like a view.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});

app.about.then((about) => { document.getElementById('version').textContent = about.version ?? ''; }, () => {});
addEventListener('hashchange', route);

// A page that the browser keeps for the way back must not keep searches running: it is opened anew.
addEventListener('pagehide', () => {
  open?.handle?.unmount();
  open = null;
});
addEventListener('pageshow', ({ persisted }) => { if (persisted) route(); });
route();
