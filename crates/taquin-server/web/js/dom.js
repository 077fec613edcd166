// Making elements. Strings become text, never HTML.

/** Sets attributes. `on…` functions listen; `style` is an object of CSS properties; false and null are left out. */
function dress(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (name === 'style') {
      for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
    } else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
}

/** An HTML element: `h('button', { class: 'quiet', onclick }, 'Undo')`. Children may be nested lists; null is left out. */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  // The children come first: a select takes its value from the options it has.
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  dress(element, attributes ?? {});
  return element;
}

/** An SVG element. */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  dress(element, attributes ?? {});
  return element;
}

/** Takes everything out of an element, and returns it. */
export function clear(element) {
  element.replaceChildren();
  return element;
}
