// report.js - the page: decodes the data, and ties replay, plots, tables and keys together.

// ---------------------------------------------------------------------------------------------
// the run

class Run {
  constructor(data) {
    Object.assign(this, data);
    this.table = Run.decode(data.columns);
    this.otherTable = data.other ? Run.decode(data.other.columns) : null;
    this.contacts.forEach((c, i) => { c.index = i; });
  }
  static decode(columns) {
    const table = new Map();
    for (const c of columns) {
      if ('c' in c) { table.set(c.n, () => c.c); continue; }
      const text = atob(c.u || c.w || c.f), bytes = Uint8Array.from(text, (x) => x.charCodeAt(0));
      if (c.u) { table.set(c.n, (k) => bytes[k]); continue; }
      const view = new DataView(bytes.buffer);
      if (c.w) { table.set(c.n, (k) => c.l + c.s * view.getUint16(2 * k, true)); continue; }
      table.set(c.n, (k) => c.b + view.getFloat32(4 * k, true));
    }
    return table;
  }
  value(name, k) { const f = this.table.get(name); return f ? f(k) : 0; }
  has(name) { return this.table.has(name); }
  otherColumn(name) { return this.otherTable && this.otherTable.get(name); }
  vector(owner, names, k) { return names.map((n) => this.value(`${owner}.${n}`, k)); }
  pose(body, k) {
    if (!this.has(body.name + '.px')) return { p: body.position, q: body.orientation };
    return { p: this.vector(body.name, ['px', 'py', 'pz'], k), q: this.vector(body.name, ['qw', 'qx', 'qy', 'qz'], k) };
  }
  // where the second trajectory has this body; what it does not say is taken from the run
  otherPose(body, k) {
    const names = ['px', 'py', 'pz', 'qw', 'qx', 'qy', 'qz'];
    if (!names.some((n) => this.otherColumn(`${body.name}.${n}`))) return null;
    const at = names.map((n) => { const f = this.otherColumn(`${body.name}.${n}`); return f ? f(k) : this.value(`${body.name}.${n}`, k); });
    return at.every(Number.isFinite) ? { p: at.slice(0, 3), q: at.slice(3) } : null;
  }
  row(k) {
    const vec = (i, a) => ['x', 'y', 'z'].map((t) => this.value(`c${i}.${a}${t}`, k));
    return {
      body: (i) => ({ body: this.bodies[i], pose: this.pose(this.bodies[i], k) }),
      contact: (i) => {
        const c = { a: vec(i, 'a'), n: vec(i, 'n'), t: vec(i, 't') };
        for (const n of ['mode', 'patch', 'facets', 'gap', 'pn', 'pt', 'po', 'pr', 'sigma', 'edge', 'reserve']) c[n] = this.value(`c${i}.${n}`, k);
        return c;
      },
    };
  }
}

const MODES = ['open', 'stick', 'slip'], PATCHES = ['no touch', 'point', 'line', 'surface'];
const KNOWN = /^(t|status|iterations|residual|gap_min|energy)$|\.([pvwft][xyz]|q[wxyz]|a[xyz]|n[xyz]|mode|patch|facets|gap|p[ntor]|sigma|edge|reserve)$/;
const STATUS = ['ok', 'degraded', 'deadline', 'substepped'];

// ---------------------------------------------------------------------------------------------
// the page

class Page {
  constructor(run) {
    Object.assign(this, { run, rows: run.rows, k: 0, hovered: null, playing: false, speed: 1 });
    this.body = run.bodies.find((b) => b.kind === 'dynamic') || run.bodies[0];
    this.contact = run.contacts[0];
    this.$ = (id) => document.getElementById(id);
    this.scene = new Scene(this.$('view'), run);
    this.header();
    this.controls();
    this.choices();
    this.details();
    this.theme();
    this.keys();
    this.makePlots();
    let pending = 0;
    new ResizeObserver(() => { cancelAnimationFrame(pending); pending = requestAnimationFrame(() => this.layout()); }).observe(document.body);
    this.layout();
    this.seek(0);
  }
  time(k) { return k * this.run.stride * this.run.h; }
  rowAt(share) { return Math.max(0, Math.min(this.rows - 1, Math.round(share * (this.rows - 1)))); }

  header() {
    const s = this.run.summary, list = this.$('figures');
    const depth = Math.max(0, -s.gap_min);
    const add = (value, name, kind = '') => {
      const card = element('div', { class: kind }, list);
      element('b', {}, card, value);
      element('span', {}, card, name);
    };
    add(s.steps.toLocaleString('en'), `steps of ${figure(this.run.h)} s`);
    add(`${s.iterations_median} / ${s.iterations_max}`, 'iterations, median / max');
    add(depth ? `${figure(depth, 2)} m` : '0 m', 'worst penetration', depth > 1e-6 * this.scene.radius ? 'bad' : '');
    add(String(s.degraded), 'degraded steps', s.degraded ? 'bad' : '');
    if (s.substepped) add(String(s.substepped), 'substepped');
    add(figure(s.residual_max, 2), 'worst residual');
    if (s.status !== 'ECP_OK') {
      add(s.status, s.error || 'the run ended early', 'bad');
    }
    const lead = (this.run.scenario.match(/^(#[^\n]*\n?)+/) || [''])[0].split('\n').map((l) => l.replace(/^#\s?/, '')).join(' ');
    this.$('lead').textContent = lead.split(/ (?=Source:|Choices:|By hand:)/)[0].trim();
    if (this.run.stride > 1) this.$('lead').textContent += ` (One step in ${this.run.stride} is shown.)`;
  }

  controls() {
    const slider = this.$('time'), page = this;
    slider.max = this.rows - 1;
    slider.addEventListener('input', () => this.seek(Number(slider.value)));
    this.$('play').addEventListener('click', () => this.toggle());
    this.$('first').addEventListener('click', () => this.seek(0));
    this.$('back').addEventListener('click', () => this.step(-1));
    this.$('next').addEventListener('click', () => this.step(1));
    this.$('speed').addEventListener('change', (e) => { this.speed = Number(e.target.value); });
    this.$('home').addEventListener('click', () => { this.scene.home(); this.scene.draw(); });
    const box = (id, get, set) => {
      const e = this.$(id);
      e.checked = get();
      e.addEventListener('change', () => { set(e.checked); this.scene.draw(); });
    };
    box('follow', () => this.scene.follow, (x) => { this.scene.follow = x; this.scene.fit(); });
    for (const name of ['trail', 'arrows', 'patch', 'other']) box(name, () => this.scene.show[name], (x) => { page.scene.show[name] = x; });
    this.$('other').parentElement.hidden = !this.run.other;
    this.$('key-other').hidden = !this.run.other;
    this.$('key-load').hidden = !this.scene.movers.some((b) => ['fx', 'fy', 'fz'].some((n) => Array.from({ length: this.rows }, (_, k) => this.run.value(`${b.name}.${n}`, k)).some((x) => x)));
    if (this.run.other) this.$('key-other').lastChild.textContent = this.run.other.name.split('/').pop();
    if (this.scene.frictionScale > 1) this.$('key-friction').textContent = `friction ×${this.scene.frictionScale}`;
    this.band();
  }
  // one strip for how the contact holds, one for its patch
  band() {
    const strip = this.$('band');
    strip.replaceChildren();
    strip.setAttribute('viewBox', `0 0 ${Math.max(1, this.rows - 1)} 10`);
    if (!this.contact) return;
    const name = `c${this.contact.index}`;
    const draw = (column, y, classes) => {
      for (let k = 1, from = 1; k <= this.rows; k++) {
        const v = this.run.value(`${name}.${column}`, from);
        if (k < this.rows && this.run.value(`${name}.${column}`, k) === v) continue;
        svg('rect', { x: from - 1, width: k - from, y, height: 5, class: classes[v] }, strip);
        from = k;
      }
    };
    draw('mode', 0, ['open', 'stick', 'slip']);
    draw('patch', 5, ['open', 'p1', 'p2', 'p3']);
    strip.onpointerdown = strip.onpointermove = (e) => {
      if (e.type === 'pointermove' && !e.buttons) return;
      const r = strip.getBoundingClientRect();
      this.seek(this.rowAt((e.clientX - r.left) / r.width));
    };
  }
  choices() {
    const choose = (id, items, text, pick) => {
      const e = this.$(id);
      e.hidden = items.length < 2;
      items.forEach((item, i) => element('option', { value: i }, e, text(item)));
      e.addEventListener('change', () => { pick(items[Number(e.value)]); this.makePlots(); this.layout(); this.seek(this.k); });
    };
    choose('which-body', this.run.bodies.filter((b) => this.run.has(b.name + '.vx')), (b) => b.name, (b) => { this.body = b; this.scene.leader = b; });
    choose('which-contact', this.run.contacts, (c) => `c${c.index}: ${this.run.bodies[c.a].name} on ${this.run.bodies[c.b].name}`, (c) => { this.contact = c; this.band(); });
  }

  makePlots() {
    const run = this.run, b = this.body && this.body.name, place = this.$('plots');
    place.replaceChildren();
    this.plots = [];
    const palette = ['s1', 's2', 's3', 's4'];
    const plot = (title, unit, columns, options = {}) => {
      const known = columns.filter((c) => run.has(c[1]));
      if (!known.length) return;
      const touching = options.contact && this.contact ? `c${this.contact.index}.mode` : null;
      const series = known.map(([name, column], i) => ({ name, column, colour: palette[i],
        // row 0 is the start: no step led there
        values: (k) => (options.step && k === 0) || (touching && !run.value(touching, k)) ? NaN : run.value(column, k), other: run.otherColumn(column) }));
      this.plots.push(new Plot(place, title, series, { unit, ...options }, this));
    };
    const of = (owner, names, shown) => names.map((n, i) => [shown ? shown[i] : n, `${owner}.${n}`]);
    if (b) {
      plot('Velocity', 'm/s', of(b, ['vx', 'vy', 'vz']), { floor: 1e-6 });
      plot('Angular velocity', 'rad/s', of(b, ['wx', 'wy', 'wz']), { floor: 1e-6 });
    }
    if (this.contact) {
      const c = `c${this.contact.index}`;
      plot('Contact point (ECP)', 'm', of(c, ['ax', 'ay', 'az']), { floor: 1e-6, contact: true });
      plot('Impulses of a step', 'N s', of(c, ['pn', 'pt', 'po']), { floor: 1e-9, step: true });
      plot('Moment about the normal', 'N m s', of(c, ['pr']), { floor: 1e-9, step: true });
      plot('Slip speed', 'm/s', of(c, ['sigma']), { floor: 1e-9, zero: true, step: true });
      plot('Edge: how far from tipping', 'm', of(c, ['edge']), { floor: 1e-9, zero: true, contact: true });
      plot('Reserve: how far from slipping', '', of(c, ['reserve']), { share: true, contact: true });
      plot('Facets in touch', '', of(c, ['facets'], ['N']), { floor: 1, zero: true, steps: true, step: true });
    }
    plot('Smallest gap', 'm', [['gap', 'gap_min']], { floor: 1e-15, zero: true });
    plot('Energy', 'J', [['energy', 'energy']], { floor: 1e-12 });
    plot('Newton iterations', '', [['iterations', 'iterations']], { floor: 1, zero: true, steps: true, step: true, marks: () => this.marks() });
    if (b) plot('Position', 'm', of(b, ['px', 'py', 'pz']), { floor: 1e-6 });
    const acts = (names) => b && names.some((n) => run.has(`${b}.${n}`) && Array.from({ length: this.rows }, (_, k) => run.value(`${b}.${n}`, k)).some((x) => x));
    if (acts(['fx', 'fy', 'fz'])) plot('Applied force', 'N', of(b, ['fx', 'fy', 'fz']), { floor: 1e-9 });
    if (acts(['tx', 'ty', 'tz'])) plot('Applied torque', 'N m', of(b, ['tx', 'ty', 'tz']), { floor: 1e-9 });
    // whatever else the run recorded
    for (const name of run.table.keys()) {
      if (!KNOWN.test(name)) plot(name, '', [[name.split('.').pop(), name]], {});
    }
  }
  marks() {
    const out = [];
    for (let k = 1; k < this.rows; k++) {
      const s = this.run.value('status', k);
      if (s) out.push({ k, kind: STATUS[s] || 'degraded' });
    }
    return out;
  }

  layout() {
    this.plots.forEach((p) => p.draw());
    this.scene.ink = null;
    this.scene.draw(this.k);
  }

  // ---- time
  seek(k) {
    this.k = Math.max(0, Math.min(this.rows - 1, k));
    this.$('time').value = this.k;
    this.scene.draw(this.k);
    this.plots.forEach((p) => p.point());
    this.hud();
    this.now();
  }
  hover(k) { this.hovered = k; this.plots.forEach((p) => p.point()); this.now(); }
  step(n) { this.pause(); this.seek(this.k + n); }
  pause() { if (this.playing) this.toggle(); }
  toggle() {
    this.playing = !this.playing;
    this.$('play').classList.toggle('playing', this.playing);
    this.$('play').setAttribute('aria-label', this.playing ? 'Pause' : 'Play');
    if (!this.playing) return;
    if (this.k >= this.rows - 1) this.seek(0);
    let last = null, clock = this.time(this.k);
    const frame = (now) => {
      if (!this.playing) return;
      if (last !== null) clock += this.speed * Math.min(0.1, (now - last) / 1000);
      last = now;
      let k = this.k;
      if (Math.abs(clock - this.time(k)) > 1 && this.time(k) > clock) clock = this.time(k);
      while (k + 1 < this.rows && this.time(k + 1) <= clock + 1e-9) k++;
      if (k !== this.k) { const jump = this.k; this.seek(k); if (this.k < jump) clock = this.time(this.k); }
      if (this.k >= this.rows - 1) this.toggle(); else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  hud() {
    const step = Math.round(this.k * this.run.stride);
    this.$('clock').textContent = `${this.time(this.k).toFixed(3)} s`;
    this.$('count').textContent = `step ${step} of ${this.run.summary.steps}`;
    const c = this.contact && this.run.row(this.k).contact(this.contact.index), state = this.$('state');
    state.replaceChildren();
    if (!c) return;
    element('span', { class: 'badge ' + MODES[c.mode] }, state, MODES[c.mode]);
    if (c.patch) element('span', { class: 'badge patch' }, state, PATCHES[c.patch] + ' contact');
    if (c.mode) {
      const bar = (name, text, share, kind) => {
        const e = element('span', { class: 'gauge ' + kind }, state);
        element('em', {}, e, name);
        element('i', { style: `--share: ${Math.max(0, Math.min(1, share))}` }, e);
        element('b', {}, e, text);
      };
      bar('tipping', `${figure(c.edge, 3)} m`, c.edge / this.largestEdge(), 'margin');
      bar('slipping', `${figure(c.reserve, 3)}`, c.reserve, MODES[c.mode]);
    }
  }
  largestEdge() {
    const name = `c${this.contact.index}.edge`;
    this.edges = this.edges || new Map();
    if (!this.edges.has(name)) {
      let most = 1e-12;
      for (let k = 0; k < this.rows; k++) most = Math.max(most, this.run.value(name, k));
      this.edges.set(name, most);
    }
    return this.edges.get(name);
  }
  // the numbers of the row under the cursor
  now() {
    const k = this.hovered ?? this.k, place = this.$('now'), run = this.run;
    place.replaceChildren();
    const line = (name, unit, columns) => {
      const tr = element('tr', {}, place);
      element('th', {}, tr, name);
      columns.forEach((column) => {
        const v = run.value(column, k);
        element('td', { 'data-column': column, 'data-value': v }, tr, figure(v));
      });
      for (let i = columns.length; i < 4; i++) element('td', {}, tr);
      element('td', { class: 'unit' }, tr, unit);
    };
    const names = (owner, list) => list.map((n) => `${owner}.${n}`);
    const b = this.body && run.has(this.body.name + '.vx') ? this.body.name : null;
    if (b) {
      line('position', 'm', names(b, ['px', 'py', 'pz']));
      line('orientation', 'w x y z', names(b, ['qw', 'qx', 'qy', 'qz']));
      line('velocity', 'm/s', names(b, ['vx', 'vy', 'vz']));
      line('angular velocity', 'rad/s', names(b, ['wx', 'wy', 'wz']));
    }
    if (this.contact) {
      const c = `c${this.contact.index}`;
      line('ECP', 'm', names(c, ['ax', 'ay', 'az']));
      line('normal', '', names(c, ['nx', 'ny', 'nz']));
      line('impulse pn pt po', 'N s', names(c, ['pn', 'pt', 'po']));
      line('moment pr', 'N m s', names(c, ['pr']));
      line('gap', 'm', names(c, ['gap']));
    }
    line('energy', 'J', ['energy']);
    line('residual', '', ['residual']);
    place.dataset.t = this.time(k);
  }

  details() {
    this.$('scenario').textContent = this.run.scenario;
    const s = this.run.summary, rows = [
      ['scenario file', this.run.file], ['steps', `${s.steps} of ${this.run.h} s: ${s.ok} ok, ${s.substepped} substepped, ${s.degraded} degraded`],
      ['Newton iterations', `median ${s.iterations_median}, max ${s.iterations_max}`],
      ['smallest gap', `${figure(s.gap_min)} m`], ['worst residual', figure(s.residual_max)],
      ['time per step', `${figure(s.us_per_step, 3)} µs on the machine that ran it`],
      ['state hash', s.hash], ['made by', `ecp ${this.run.version}, profile ${this.run.profile}, ${this.run.bits}-bit reals`]];
    rows.forEach(([name, text]) => { const tr = element('tr', {}, this.$('summary')); element('th', {}, tr, name); element('td', {}, tr, text); });
    if (this.run.other) this.differences();
  }
  differences() {
    const run = this.run, list = [];
    for (const [name, theirs] of run.otherTable) {
      if (name === 't' || !run.has(name)) continue;
      let most = 0, at = 0;
      for (let k = 0; k < this.rows; k++) {
        const d = Math.abs(run.value(name, k) - theirs(k));
        if (d > most) { most = d; at = k; }
      }
      list.push({ name, most, at });
    }
    list.sort((a, b) => b.most - a.most);
    this.$('differences').hidden = false;
    list.slice(0, 10).forEach((d) => {
      const tr = element('tr', {}, this.$('difference-rows'));
      element('th', {}, tr, d.name);
      element('td', {}, tr, figure(d.most));
      const go = element('button', { type: 'button' }, element('td', {}, tr), `${this.time(d.at).toFixed(3)} s`);
      go.addEventListener('click', () => this.seek(d.at));
    });
  }

  theme() {
    const root = document.documentElement, button = this.$('theme');
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const now = () => root.dataset.theme || (dark.matches ? 'dark' : 'light');
    button.addEventListener('click', () => { root.dataset.theme = now() === 'dark' ? 'light' : 'dark'; this.layout(); });
    dark.addEventListener('change', () => this.layout());
  }
  keys() {
    const flip = (id) => this.$(id).click();
    const jobs = { ' ': () => this.toggle(), ArrowLeft: (n) => this.step(-n), ArrowRight: (n) => this.step(n),
      Home: () => this.seek(0), End: () => { this.pause(); this.seek(this.rows - 1); },
      '+': () => this.faster(1), '=': () => this.faster(1), '-': () => this.faster(-1),
      f: () => flip('follow'), t: () => flip('trail'), a: () => flip('arrows'), p: () => flip('patch'),
      o: () => this.run.other && flip('other'), r: () => flip('home'), d: () => flip('theme') };
    document.addEventListener('keydown', (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || ['SELECT', 'SUMMARY'].includes(e.target.tagName)) return;
      const job = jobs[e.key];
      if (!job || (e.key === ' ' && e.target.tagName === 'BUTTON')) return;
      e.preventDefault();
      job(e.shiftKey ? 10 : 1);
    });
  }
  faster(n) {
    const e = this.$('speed');
    e.selectedIndex = Math.max(0, Math.min(e.options.length - 1, e.selectedIndex + n));
    this.speed = Number(e.value);
  }
}

window.page = new Page(new Run(JSON.parse(document.getElementById('data').textContent)));
