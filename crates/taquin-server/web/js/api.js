// Requests to the server, and whether it is there.

/** The server refused a request: a problem document (RFC 9457). */
export class Problem extends Error {
  constructor(document) {
    super(document.detail ?? document.title ?? 'The server could not answer');
    Object.assign(this, { title: document.title, detail: this.message, status: document.status,
      type: document.type, pointer: document.pointer, place: document.place,
      retryAfter: document.retryAfter });
  }
}

/** The server cannot be reached. */
export class Gone extends Error {
  constructor() { super('The server cannot be reached'); }
}

const listeners = new Set();
let gone = false;

/** Calls back with true when the server is gone and with false when it is back. */
export function onGone(callback) {
  listeners.add(callback);
  if (gone) callback(true);
  return () => listeners.delete(callback);
}

function setGone(value) {
  if (gone === value) return;
  gone = value;
  for (const callback of listeners) callback(value);
  if (gone) lookAgain(1000);
}

/** Asks for the server's health, ever less often, until it answers. */
function lookAgain(delay) {
  setTimeout(async () => {
    if (!gone) return;
    const answer = await fetch('/healthz', { cache: 'no-store' }).catch(() => null);
    if (answer?.ok) setGone(false);
    else lookAgain(Math.min(delay * 1.5, 10000));
  }, delay);
}

/** Asks, and turns every failure into `Problem` or `Gone`; a cancelled request stays an AbortError. */
async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    setGone(true);
    throw new Gone();
  }
  setGone(false);
  if (response.ok) return response;
  const document = await response.json().catch(() => ({}));
  throw new Problem({ title: response.statusText, status: response.status, ...document, retryAfter: response.headers.get('retry-after') });
}

/** The body of an answer; the server may go away before it is complete. */
async function json(response, signal) {
  try {
    return await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    setGone(true);
    throw new Gone();
  }
}

function query(params) {
  const given = Object.entries(params ?? {}).filter(([, value]) => value != null);
  return given.length ? `?${new URLSearchParams(given)}` : '';
}

/** POST /api/v1/name */
export async function post(name, body, { signal } = {}) {
  return json(await ask(`/api/v1/${name}`, {
    method: 'POST', signal, body: JSON.stringify(body), headers: { 'content-type': 'application/json' },
  }), signal);
}

/** GET /api/v1/path */
export async function get(path, params, { signal } = {}) {
  return json(await ask(`/api/v1/${path}${query(params)}`, { signal }), signal);
}

/**
 * GET /api/v1/path as a stream of events; `handlers` has a function for each name of interest.
 * Resolves with the data of the event `end`; an event `problem` rejects.
 */
export async function stream(path, params, handlers, { signal } = {}) {
  const response = await ask(`/api/v1/${path}${query(params)}`, { signal, headers: { accept: 'text/event-stream' } });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        if (signal?.aborted) throw error;
        return { done: true };
      });
      if (done) break;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop();
      for (const block of blocks) {
        const event = parse(block);
        if (!event) continue;
        if (event.name === 'problem') throw new Problem(event.data);
        handlers[event.name]?.(event.data);
        if (event.name === 'end') return event.data;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
  // It broke off before its end.
  setGone(true);
  throw new Gone();
}

/** One event of a stream; null for a comment that only keeps the connection alive. */
function parse(block) {
  let name = 'message';
  const data = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = line.match(/^(\w+): ?(.*)$/) ?? [];
    if (field === 'event') name = value;
    if (field === 'data') data.push(value);
  }
  return data.length ? { name, data: JSON.parse(data.join('\n')) } : null;
}
