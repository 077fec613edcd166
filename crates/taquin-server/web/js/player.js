// Plays a sequence of steps, forwards and backwards.

import { h, svg } from './dom.js';

const ICONS = {
  first: 'M5 5v14M19 5l-9 7 9 7z',
  back: 'M17 5l-9 7 9 7z',
  play: 'M7 4l12 8-12 8z',
  pause: 'M8 5v14M16 5v14',
  forward: 'M7 5l9 7-9 7z',
  last: 'M19 5v14M5 5l9 7-9 7z',
};
const SPEEDS = [1, 2, 4, 8, 16, 32, 64];
const WORDS = { first: 'First step', back: 'Step back', play: 'Play', forward: 'Step forward', last: 'Last step' };

/** `onStep(index)` shows the state `index`, from 0 to `length`. */
export class Player {
  #length = 0; #step = 0; #timer = 0; #onStep; #buttons = {}; #icon; #slider; #count; #speed;

  constructor({ length = 0, onStep, label = 'Player' }) {
    this.#onStep = onStep;
    const acts = { first: () => this.go(0), back: () => this.go(this.#step - 1), play: () => (this.playing ? this.pause() : this.play()),
      forward: () => this.go(this.#step + 1), last: () => this.go(this.#length) };
    for (const [name, act] of Object.entries(acts)) {
      this.#buttons[name] = h('button', { type: 'button', class: 'icon', 'data-action': name, title: WORDS[name], 'aria-label': WORDS[name],
        onclick: () => { if (name !== 'play') this.pause(); act(); } }, icon(name));
    }
    this.#slider = h('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': 'Step',
      oninput: () => { const step = Number(this.#slider.value); this.pause(); this.go(step); } });
    // The slider tells the step to a screen reader; views tell what happened in it.
    this.#count = h('output', { 'data-field': 'step', 'aria-live': 'off' });
    this.#speed = h('select', { 'aria-label': 'Speed', 'data-field': 'speed', value: 4, onchange: () => { if (this.playing) this.play(); } },
      SPEEDS.map((speed) => h('option', { value: speed }, `${speed}/s`)));
    this.element = h('div', { class: 'player', role: 'group', 'aria-label': label, onkeydown: (event) => this.#key(event) },
      h('div', { class: 'keys' }, Object.values(this.#buttons)), this.#slider, this.#count, this.#speed);
    this.length = length;
  }

  get length() { return this.#length; }

  set length(length) {
    this.#length = length;
    this.#slider.max = length;
    if (this.#step > length) this.go(length);
    else this.#paint();
  }

  get step() { return this.#step; }

  get playing() { return this.#timer !== 0; }

  /** Shows a step; one past either end is the end. */
  go(index) {
    this.#step = Math.max(0, Math.min(this.#length, index));
    this.#paint();
    this.#onStep(this.#step);
  }

  /** Plays on from here, or from the beginning if this is the end. */
  play() {
    this.pause();
    if (this.#length === 0) return;
    if (this.#step >= this.#length) this.go(0);
    this.#timer = setInterval(() => {
      if (this.#step < this.#length) this.go(this.#step + 1);
      if (this.#step >= this.#length) this.pause();
    }, 1000 / Number(this.#speed.value));
    this.#paint();
  }

  pause() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#paint();
  }

  #paint() {
    const text = `${this.#step} / ${this.#length}`;
    this.#slider.value = this.#step;
    this.#slider.setAttribute('aria-valuetext', `step ${this.#step} of ${this.#length}`);
    this.#count.textContent = text;
    const { first, back, play, forward, last } = this.#buttons;
    for (const [button, off] of [[first, this.#step === 0], [back, this.#step === 0], [forward, this.#step === this.#length], [last, this.#step === this.#length], [play, this.#length === 0]]) {
      // A disabled button would lose the focus in the middle of stepping.
      button.setAttribute('aria-disabled', off);
    }
    const name = this.playing ? 'pause' : 'play';
    if (this.#icon === name) return;
    this.#icon = name;
    play.replaceChildren(icon(name));
    play.title = this.playing ? 'Pause' : 'Play';
    play.setAttribute('aria-label', play.title);
  }

  #key(event) {
    const buttons = { ArrowLeft: 'back', ArrowRight: 'forward', Home: 'first', End: 'last' };
    const name = buttons[event.key];
    if (!name || event.target === this.#speed || event.target === this.#slider || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#buttons[name].click();
  }
}

function icon(name) {
  return svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: ICONS[name] }));
}
