// The reference of the API, made from its OpenAPI document.

import { h } from './dom.js';

const LIMITS = ['default', 'minimum', 'maximum', 'minItems', 'maxItems', 'maxLength', 'pattern'];
/** Examples that the document does not have. */
const SAMPLES = { searches: [{ algorithm: 'idastar', heuristic: 'manhattan' }] };

const main = document.getElementById('main');
const api = await fetch('/api/openapi.json').then((answer) => answer.json()).catch((error) => {
  main.append(h('p', { class: 'note bad' }, 'The document of the API could not be loaded.'));
  throw error;
});

const nameOf = (ref) => ref.split('/').pop();
const resolve = (schema) => (schema?.$ref ? api.components.schemas[nameOf(schema.$ref)] : schema);
const code = (value) => h('code', null, typeof value === 'string' ? value : JSON.stringify(value));
const prose = (text) => text && h('p', { class: 'prose' }, text.split('`').map((part, index) => (index % 2 ? code(part) : part)));
const anchored = (id, tag, ...text) => h(tag, null, h('a', { href: `#${id}` }, text));
const heading = ({ method, path }) => [h('b', null, method.toUpperCase()), ` ${path}`];
const idOf = ({ method, path }) => method + path.replace('/api/v1', '').replace(/\W+/g, '-');

/** What a schema allows: a name with its own table below, a table in place, or words. */
function type(schema) {
  const { $ref, items, properties, enum: values } = schema;
  const several = values?.map(code) ?? (schema.oneOf ?? schema.anyOf ?? schema.allOf)?.map(type);
  if ($ref) return h('a', { href: `#${nameOf($ref)}` }, nameOf($ref));
  if (several) return several.flatMap((one, index) => (index ? [' or ', one] : one));
  if (properties) return fields(Object.entries(properties).map(([name, field]) => ({ name, schema: field, required: schema.required?.includes(name) })));
  return items ? ['list of ', type(items)] : [schema.type ?? 'anything'].flat().join(' or ');
}

/** A table of fields or parameters, required ones first; where all are, it need not be said. */
function fields(list) {
  const some = list.some(({ required }) => !required);
  return h('table', null, list.toSorted((one, other) => !!other.required - !!one.required).map(({ name, required, schema = {}, description = schema.description }) => h('tr', null,
    h('th', { scope: 'row' }, code(name), some && required && ' required'),
    h('td', null, prose(description), h('div', { class: 'type' }, type(schema), LIMITS.filter((limit) => schema[limit] != null).map((limit) => [` · ${limit} `, code(schema[limit])]))))));
}

const sample = ({ name, example, schema = {} }) => example ?? schema.example ?? schema.examples?.[0] ?? SAMPLES[name] ?? schema.default ?? '';

function operation({ method, path, summary, description, parameters = [], requestBody, responses }) {
  const id = idOf({ method, path });
  const body = resolve(requestBody?.content['application/json'].schema);
  const answers = (good) => h('dl', { class: 'facts' }, Object.entries(responses).filter(([status]) => (status < 400) === good).flatMap(([status, { description: text, content = {} }]) => [h('dt', null, code(status)),
    h('dd', null, prose(text), Object.values(content).map(({ schema }) => schema && h('div', { class: 'type' }, type(schema))))]));
  return h('section', { class: 'card', id, 'data-operation': id }, anchored(id, 'h2', heading({ method, path })), prose(summary), prose(description),
    h('div', { class: 'scroll' }, parameters.length > 0 && fields(parameters), body && type(body)),
    h('h3', null, 'Answer'), answers(true), h('details', null, h('summary', null, 'Errors'), answers(false)),
    h('h3', null, 'Example'), trial(path, parameters, body));
}

/** An example as a command, to change and to send from here. */
function trial(path, parameters, schema) {
  const query = new URLSearchParams(parameters.filter((one) => one.in === 'query' && one.required).map((one) => [one.name, sample(one)]));
  const filled = path.replace(/{(\w+)}/g, (_, name) => sample(parameters.find((one) => one.name === name)));
  const given = schema && (schema.example ?? schema.examples?.[0] ?? Object.fromEntries(schema.required?.map((name) => [name, sample({ name, schema: schema.properties[name] })]) ?? []));
  const address = h('input', { 'aria-label': 'Address', value: query.size ? `${filled}?${query}` : filled });
  const body = schema && h('textarea', { 'aria-label': 'Body', rows: 4, value: JSON.stringify(given, null, 1) });
  const command = h('pre');
  const answer = h('pre', { 'data-field': 'answer' });
  const headers = { 'content-type': 'application/json' };
  const write = () => {
    const data = body ? ` --json '${body.value.replace(/\s*\n\s*/g, ' ').replaceAll("'", "'\\''")}'` : '';
    command.textContent = `curl '${location.origin}${address.value}'${data}`;
  };
  const send = async (event) => {
    event.preventDefault();
    const response = await fetch(address.value, body ? { method: 'POST', body: body.value, headers } : {}).catch((error) => error);
    answer.textContent = response.message ?? `${response.status} ${response.statusText}\n${await response.text()}`;
  };
  write();
  return [command, h('details', null, h('summary', null, 'Try it'),
    h('form', { oninput: write, onsubmit: send }, address, body, h('button', { class: 'primary', 'data-action': 'send' }, 'Send'), answer))];
}

const operations = Object.entries(api.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, one]) => ({ path, method, ...one })));
main.append(h('h1', null, api.info.title), prose(api.info.description),
  h('p', null, h('a', { href: '/api/openapi.json' }, 'openapi.json'), ` ${api.info.version}`),
  h('nav', { class: 'contents', 'aria-label': 'Requests' }, operations.map((one) => h('a', { href: `#${idOf(one)}` }, heading(one)))),
  ...operations.map(operation), h('h2', null, 'Schemas'),
  ...Object.entries(api.components.schemas).map(([name, schema]) => h('section', { class: 'card', id: name }, anchored(name, 'h3', name), prose(schema.description), h('div', { class: 'scroll' }, type(schema)))));
// The anchors were not there when the address was read.
document.getElementById(location.hash.slice(1))?.scrollIntoView();
