// plots.js - time plots in SVG. All of them share one cursor.

const SVG = 'http://www.w3.org/2000/svg';
function svg(name, attributes, parent) {
  const e = document.createElementNS(SVG, name);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (parent) parent.appendChild(e);
  return e;
}
function element(name, attributes = {}, parent = null, text = '') {
  const e = document.createElement(name);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (text) e.textContent = text;
  if (parent) parent.appendChild(e);
  return e;
}

// a number for people: five digits, powers of ten written so
function figure(x, digits = 5) {
  if (x === undefined || x === null || Number.isNaN(x)) return '–';
  if (x === 0) return '0';
  const a = Math.abs(x);
  const text = a >= 1e5 || a < 1e-3 ? x.toExponential(Math.max(0, Math.min(digits, 4) - 1)) : x.toPrecision(digits);
  const [digitsOf, power] = text.split('e'), short = digitsOf.includes('.') ? digitsOf.replace(/\.?0+$/, '') : digitsOf;
  return (power ? `${short}·10${superscript(String(Number(power)))}` : short).replace('-', '−');
}
function superscript(text) { return [...text].map((c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[c] || '⁻').join(''); }

// round steps that cut [low, high] into about n parts
function ticks(low, high, n) {
  const raw = (high - low) / n, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.999);
  const out = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) out.push(i * step);
  return { out, step };
}
function tickText(x, step) {
  if (Math.abs(x) < 1e-9 * step) return '0';
  const a = Math.max(Math.abs(x), step);
  if (a >= 1e5 || a < 1e-2) return figure(Number(x.toPrecision(3)), 3);
  return x.toFixed(Math.max(0, Math.min(10, Math.ceil(-Math.log10(step) - 1e-9)))).replace('-', '−');
}

class Plot {
  // series: {name, column, colour, values(k), other(k)}; options: unit, floor (least range), steps
  constructor(parent, title, series, options, deck) {
    Object.assign(this, { title, series, options, deck });
    this.box = element('figure', { class: 'plot', 'data-plot': title }, parent);
    const caption = element('figcaption', {}, this.box), name = element('div', {}, caption), head = element('div', {}, caption);
    element('b', {}, name, title);
    element('i', {}, name, options.unit);
    this.labels = series.map((s) => {
      const label = element('span', { class: 'series', style: `--c: var(--${s.colour})` }, head);
      element('u', {}, label, s.name);
      return element('output', {}, label);
    });
    this.svg = svg('svg', { role: 'img', 'aria-label': `${title} over time` }, this.box);
    this.listen();
  }
  listen() {
    const row = (e) => {
      const r = this.svg.getBoundingClientRect();
      return this.deck.rowAt((e.clientX - r.left - this.left) / (r.width - this.left - this.right));
    };
    let held = false;
    this.svg.addEventListener('pointerdown', (e) => { held = true; this.svg.setPointerCapture(e.pointerId); this.deck.seek(row(e)); });
    this.svg.addEventListener('pointermove', (e) => { if (held) this.deck.seek(row(e)); else this.deck.hover(row(e)); });
    this.svg.addEventListener('pointerup', () => { held = false; });
    this.svg.addEventListener('pointercancel', () => { held = false; });
    this.svg.addEventListener('pointerleave', () => { held = false; this.deck.hover(null); });
  }
  range() {
    let low = Infinity, high = -Infinity;
    const take = (x) => { if (Number.isFinite(x)) { low = Math.min(low, x); high = Math.max(high, x); } };
    for (const s of this.series) {
      for (let k = 0; k < this.deck.rows; k++) { take(s.values(k)); if (s.other) take(s.other(k)); }
    }
    if (!(low <= high)) { low = 0; high = 1; }
    if (this.options.share) return [-0.03, 1.05];
    if (this.options.zero) { low = Math.min(low, 0); high = Math.max(high, 0); }
    const least = Math.max(this.options.floor || 0, 1e-9 * Math.max(Math.abs(low), Math.abs(high)), 1e-300);
    if (high - low < least) {
      const middle = (low + high) / 2, half = Math.abs(middle) > least ? 0.1 * Math.abs(middle) : least;
      low = middle - half; high = middle + half;
      if (this.options.zero && middle >= 0) low = 0;
    }
    const pad = 0.06 * (high - low);
    return [this.options.zero && low === 0 ? 0 : low - pad, high + pad];
  }
  draw() {
    const w = this.width = Math.max(160, this.svg.clientWidth), h = this.height = Math.max(60, this.svg.clientHeight);
    const [low, high] = this.range(), deck = this.deck;
    this.left = 52; this.right = 8;
    const top = 6, bottom = 18;
    this.svg.replaceChildren();
    this.svg.setAttribute('viewBox', `0 0 ${w} ${h}`);
    const x = this.x = (k) => this.left + (w - this.left - this.right) * (deck.rows > 1 ? k / (deck.rows - 1) : 0);
    const y = this.y = (v) => top + (h - top - bottom) * (high - v) / (high - low);
    const grid = svg('g', { class: 'grid' }, this.svg);
    const vertical = ticks(low, high, Math.max(3, h / 25));
    for (const v of vertical.out) {
      svg('line', { x1: this.left, x2: w - this.right, y1: y(v), y2: y(v), class: Math.abs(v) < 1e-9 * vertical.step ? 'zero' : '' }, grid);
      svg('text', { x: this.left - 5, y: y(v) + 3.5, 'text-anchor': 'end' }, grid).textContent = tickText(v, vertical.step);
    }
    const span = deck.time(deck.rows - 1) - deck.time(0) || 1, horizontal = ticks(0, span, Math.max(2, w / 90));
    for (const t of horizontal.out) {
      const at = this.left + (w - this.left - this.right) * t / span;
      svg('line', { x1: at, x2: at, y1: top, y2: h - bottom }, grid);
      svg('text', { x: at, y: h - 5, 'text-anchor': at > w - 24 ? 'end' : 'middle' }, grid).textContent = tickText(t, horizontal.step) + (t === 0 ? ' s' : '');
    }
    const frame = svg('g', { class: 'lines' }, this.svg);
    this.series.forEach((s) => {
      if (s.other) svg('path', { d: this.trace(s.other), class: 'other', style: `stroke: var(--${s.colour})` }, frame);
      svg('path', { d: this.trace(s.values), style: `stroke: var(--${s.colour})`, class: 'line' }, frame);
    });
    if (this.options.marks) this.options.marks().forEach((m) => svg('rect', { x: x(m.k) - 1, y: top, width: 2, height: h - top - bottom, class: m.kind }, frame));
    this.hoverLine = svg('line', { class: 'hover', y1: top, y2: h - bottom, x1: -9, x2: -9 }, this.svg);
    this.cursor = svg('line', { class: 'cursor', y1: top, y2: h - bottom }, this.svg);
    this.dots = this.series.map((s) => svg('circle', { r: 3, style: `fill: var(--${s.colour})` }, this.svg));
    this.point();
  }
  // a path; where there are more rows than pixels, lowest and highest of every pixel
  trace(values) {
    const n = this.deck.rows, step = Math.max(1, Math.floor(n / (2 * this.width)));
    let d = '', pen = false, last = null;
    const to = (k, v) => { d += `${pen ? 'L' : 'M'}${this.x(k).toFixed(1)} ${this.y(v).toFixed(1)}`; pen = true; last = v; };
    for (let k = 0; k < n; k += step) {
      let lowK = -1, highK = -1;
      for (let i = k; i < Math.min(n, k + step); i++) {
        const v = values(i);
        if (!Number.isFinite(v)) continue;
        if (lowK < 0 || v < values(lowK)) lowK = i;
        if (highK < 0 || v > values(highK)) highK = i;
      }
      if (lowK < 0) { pen = false; continue; }
      if (this.options.steps && pen) d += `L${this.x(Math.min(lowK, highK)).toFixed(1)} ${this.y(last).toFixed(1)}`;
      const [a, b] = lowK < highK ? [lowK, highK] : [highK, lowK];
      to(a, values(a));
      if (b !== a) to(b, values(b));
    }
    return d;
  }
  point() {
    if (!this.cursor) return;
    const deck = this.deck, k = deck.hovered ?? deck.k;
    this.cursor.setAttribute('x1', this.x(deck.k)); this.cursor.setAttribute('x2', this.x(deck.k));
    const at = deck.hovered === null ? -9 : this.x(deck.hovered);
    this.hoverLine.setAttribute('x1', at); this.hoverLine.setAttribute('x2', at);
    this.series.forEach((s, i) => {
      const v = s.values(k);
      this.labels[i].textContent = figure(v, 3) + (s.other ? ` | ${figure(s.other(k), 3)}` : '');
      this.labels[i].dataset.value = v;
      this.dots[i].setAttribute('cx', Number.isFinite(v) ? this.x(k) : -9);
      this.dots[i].setAttribute('cy', Number.isFinite(v) ? this.y(v) : -9);
    });
  }
}
