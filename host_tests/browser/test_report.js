'use strict';
// usage: node test_report.js PATH_OF_ECP [FOLDER_FOR_PICTURES]
// The pages in a real browser: Chromium (or the program named by CHROMIUM), light and dark, 1280 and 400 px.
const { Chrome } = require('./chrome.js');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const ecp = path.resolve(process.argv[2]), pictures = process.argv[3];
const scenarios = path.resolve(__dirname, '../../tools/scenarios');
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'ecp-pages-'));
let tests = 0, failures = 0;

function check(name, holds, detail = '') {
  tests++;
  if (!holds) { failures++; console.log(`FAIL: ${name}${detail ? ': ' + detail : ''}`); }
}

// the CSV of a run as rows of named numbers
function readCsv(file) {
  const [head, ...rows] = fs.readFileSync(file, 'utf8').trim().split('\n').map((l) => l.split(','));
  return { names: head, rows: rows.map((r) => Object.fromEntries(r.map((x, i) => [head[i], Number(x)]))) };
}
// packed numbers are floats about the first value: 2^-23 of the change
function near(shown, csv, name, row) {
  const exact = csv.rows[row][name], change = Math.abs(exact - csv.rows[0][name]);
  return Math.abs(shown - exact) <= 2 ** -23 * change + 1e-15 * Math.abs(exact) + 1e-300;
}

async function shot(tab, name, whole) {
  if (pictures) await tab.picture(path.join(pictures, name + '.png'), whole);
}
// all numbers of the table beside the replay against one row of the CSV
async function tableAgrees(tab, csv, row) {
  const cells = await tab.run(`[...document.querySelectorAll('#now td[data-column]')].map((e) => [e.dataset.column, Number(e.dataset.value)])`);
  const wrong = cells.filter(([name, value]) => !near(value, csv, name, row));
  return { ok: cells.length > 20 && wrong.length === 0, detail: `${cells.length} cells, wrong: ${JSON.stringify(wrong.slice(0, 3))}` };
}
// bytes of the canvas, to see that it changes
const pixels = `(() => { const c = document.getElementById('view'); return [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data]
  .reduce((h, x, i) => (h * 31 + x * (i % 97 + 1)) | 0, 7); })()`;

async function quiet(tab, name) {
  check(`${name}: no console error`, tab.complaints.length === 0, tab.complaints.join('; '));
  const outside = tab.requests.filter((u) => !u.startsWith('file:') && !u.startsWith('data:'));
  check(`${name}: nothing is loaded from elsewhere`, outside.length === 0, outside.join(' '));
  check(`${name}: no sideways scrolling`, await tab.run('document.documentElement.scrollWidth <= innerWidth'));
}

async function replayMoves(tab, name) {
  const before = await tab.run(pixels);
  await tab.run(`document.getElementById('play').click()`);
  check(`${name}: play moves the replay`, await tab.until('page.k > 3'));
  const after = await tab.run(pixels);
  check(`${name}: the picture changes`, before !== after);
  await tab.run(`document.getElementById('play').click()`);
  const held = await tab.run('page.k');
  await tab.frames(10);
  check(`${name}: pause holds it`, held === await tab.run('page.k') && !await tab.run('page.playing'));
}

async function scrubs(tab, csv, name) {
  const last = csv.rows.length - 1;
  for (const row of [0, 1, Math.floor(last / 3), Math.floor(0.77 * last), last]) {
    await tab.run(`(() => { const e = document.getElementById('time'); e.value = ${row}; e.dispatchEvent(new Event('input')); })()`);
    const clock = await tab.run(`document.getElementById('clock').textContent`);
    check(`${name}: the clock at row ${row}`, clock === `${csv.rows[row].t.toFixed(3)} s`, clock);
    const agrees = await tableAgrees(tab, csv, row);
    check(`${name}: scrubbing to row ${row} shows that row of the CSV`, agrees.ok, agrees.detail);
  }
  await tab.run('page.seek(10)');
  for (const [key, at] of [['ArrowRight', 11], ['ArrowLeft', 10], ['End', last], ['Home', 0]]) {
    await tab.key(key);
    check(`${name}: key ${key}`, await tab.run('page.k') === at);
  }
  await tab.key(' ', 'Space');
  check(`${name}: the space bar plays`, await tab.run('page.playing'));
  await tab.key(' ', 'Space');
}

// the drawn body is where the CSV says: every corner of the mesh that the outline is made of
async function drawnPose(tab, csv, body, row, name) {
  await tab.run(`page.seek(${row})`);
  const pose = await tab.run(`(() => { const i = page.run.bodies.findIndex((b) => b.name === '${body}'); return page.run.row(page.scene.k).body(i).pose; })()`);
  const columns = ['px', 'py', 'pz', 'qw', 'qx', 'qy', 'qz'];
  const wrong = columns.filter((c, i) => !near([...pose.p, ...pose.q][i], csv, `${body}.${c}`, row));
  check(`${name}: the replay draws the pose of row ${row}`, wrong.length === 0, wrong.join(' '));
  // the ring of the mark stands where the ECP is projected, in the colour of stick or slip
  const seen = await tab.run(`(() => { const s = page.scene, c = s.run.row(s.k).contact(0), at = s.camera.project(c.a), d = window.devicePixelRatio;
    const g = document.getElementById('view').getContext('2d'), ink = s.modeColour(c.mode), rgb = [1, 3, 5].map((i) => parseInt(ink.slice(i, i + 2), 16));
    const around = Array.from({ length: 32 }, (_, i) => [...g.getImageData(Math.round((at[0] + s.markRadius() * Math.cos(i * Math.PI / 16)) * d), Math.round((at[1] + s.markRadius() * Math.sin(i * Math.PI / 16)) * d), 1, 1).data]);
    return { mode: c.mode, ink, share: around.filter((p) => rgb.every((x, i) => Math.abs(x - p[i]) < 45)).length / 32 }; })()`);
  check(`${name}: the ECP mark is drawn at row ${row}`, csv.rows[row]['c0.mode'] === seen.mode && seen.share > 0.6, JSON.stringify(seen));
}

async function plotsAreThere(tab, csv, name) {
  const plots = await tab.run(`page.plots.map((p) => ({ title: p.title, w: p.svg.clientWidth, h: p.svg.clientHeight,
    lines: [...p.svg.querySelectorAll('path.line')].map((e) => { const b = e.getBBox(); return { n: (e.getAttribute('d').match(/[ML]/g) || []).length, ok: b.x >= 0 && b.y >= -1 && b.x + b.width <= p.svg.clientWidth + 1 && b.y + b.height <= p.svg.clientHeight + 1 }; }) }))`);
  check(`${name}: plots are there`, plots.length >= 12 && plots.every((p) => p.w > 150 && p.h > 60 && p.lines.length > 0), `${plots.length} plots`);
  const bad = plots.filter((p) => p.lines.some((l) => !l.ok));
  check(`${name}: every line is inside its plot`, bad.length === 0, bad.map((p) => p.title).join(', '));
  check(`${name}: lines have points`, plots.filter((p) => p.lines.every((l) => l.n > 100)).length >= 8);
  // moving over a plot shows the values of that row, without moving the replay
  const before = await tab.run('page.k');
  const row = await tab.run(`(() => { const p = page.plots[0], r = p.svg.getBoundingClientRect();
    p.svg.dispatchEvent(new PointerEvent('pointermove', { clientX: r.left + p.x(Math.floor(page.rows / 2)), clientY: r.top + 30, bubbles: true })); return page.hovered; })()`);
  const values = await tab.run(`page.plots[0].series.map((s, i) => [s.column, Number(page.plots[0].labels[i].dataset.value)])`);
  check(`${name}: values under the cursor`, Math.abs(row - csv.rows.length / 2) <= 2 && values.every(([c, v]) => near(v, csv, c, row)) &&
    before === await tab.run('page.k'), JSON.stringify({ row, values }));
  await tab.run('page.hover(null)');
  await tab.run(`page.plots[0].svg.scrollIntoView({ block: 'center' })`);
  const box = await tab.run(`(() => { const p = page.plots[0], r = p.svg.getBoundingClientRect(); return [r.left + p.x(20), r.top + 30, r.left + p.x(90)]; })()`);
  await tab.drag([box[0], box[1]], [box[2], box[1]]);
  const k = await tab.run('page.k');
  check(`${name}: dragging in a plot scrubs`, Math.abs(k - 90) <= 3, String(k));
}

async function orbits(tab, name) {
  await tab.run('window.scrollTo(0, 0)');
  const before = await tab.run('[page.scene.camera.azimuth, page.scene.camera.distance]');
  const r = await tab.run(`(() => { const r = document.getElementById('view').getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()`);
  await tab.drag(r, [r[0] + 80, r[1] + 20]);
  await tab.run(`document.getElementById('view').dispatchEvent(new WheelEvent('wheel', { deltaY: 200, cancelable: true }))`);
  const after = await tab.run('[page.scene.camera.azimuth, page.scene.camera.distance]');
  check(`${name}: dragging orbits, the wheel zooms`, Math.abs(after[0] - before[0]) > 0.3 && after[1] > 1.1 * before[1]);
  await tab.key('r');
  check(`${name}: the view is reset`, Math.abs(await tab.run('page.scene.camera.azimuth') - before[0]) < 1e-9);
}

// the outline the page computes from the shapes must have the dimension and the edge of the report
async function outlinesAgree(tab, csv, name) {
  const seen = await tab.run(`Array.from({ length: page.rows }, (_, k) => { const row = page.run.row(k), c = row.contact(0), o = patchOutline(page.run.contacts[0], row), b = nearestBorder(o, c.a);
    return [o.length, b ? V.norm(V.sub(b, c.a)) : 0]; })`);
  const radius = await tab.run('page.scene.radius');
  const wrong = csv.rows.map((r, k) => k).filter((k) => {
    const r = csv.rows[k], n = seen[k][0];
    const corners = [n === 0, n === 1, n === 2, n > 2][r['c0.patch']];
    return !corners || Math.abs(seen[k][1] - r['c0.edge']) > 2e-3 * radius;
  });
  check(`${name}: outline and edge of every row agree with the report`, wrong.length === 0, `rows ${wrong.slice(0, 5)}`);
}

async function one(chrome, scenario, body) {
  const file = path.join(work, scenario + '.html'), table = path.join(work, scenario + '.csv');
  execFileSync(ecp, ['run', path.join(scenarios, scenario + '.toml'), '--report', file, '--csv', table, '--quiet']);
  const csv = readCsv(table), size = fs.statSync(file).size;
  check(`${scenario}: less than 3 MB per 1000 steps`, size < 3e6 * Math.max(1, csv.rows.length / 1000), String(size));
  for (const width of [1280, 400]) {
    const dark = width === 400, name = `${scenario} at ${width} px`, tab = await chrome.open(file, { width, dark });
    await quiet(tab, name);
    await replayMoves(tab, name);
    await scrubs(tab, csv, name);
    for (const row of [0.2, 0.5, 0.9].map((x) => Math.floor(x * csv.rows.length)).filter((k) => csv.rows[k]['c0.mode'])) await drawnPose(tab, csv, body, row, name);
    await plotsAreThere(tab, csv, name);
    await orbits(tab, name);
    if (width === 1280) await outlinesAgree(tab, csv, name);
    await tab.run(`page.seek(${Math.floor(0.2 * csv.rows.length)})`);
    await shot(tab, `${scenario}-${width}-${dark ? 'dark' : 'light'}`, false);
    const paper = await tab.run('getComputedStyle(document.body).backgroundColor');
    check(`${name}: ${dark ? 'dark' : 'light'} as the system prefers`, dark === /^rgb\(1\d, /.test(paper), paper);
    await tab.key('d');
    check(`${name}: the other theme on request`, paper !== await tab.run('getComputedStyle(document.body).backgroundColor'));
    await tab.frames(2);
    await shot(tab, `${scenario}-${width}-${dark ? 'light' : 'dark'}`, true);
    check(`${name}: still no console error`, tab.complaints.length === 0, tab.complaints.join('; '));
    await tab.close();
  }
}

// a second trajectory: half of the columns, every third row, and 10 cm aside
async function comparison(chrome) {
  const scenario = path.join(scenarios, 'cube_slide.toml'), table = path.join(work, 'cube_slide.csv');
  const csv = readCsv(table), other = path.join(work, 'other.csv'), file = path.join(work, 'compare.html');
  const rows = csv.rows.filter((_, k) => k % 3 === 0 || k === csv.rows.length - 1);
  fs.writeFileSync(other, 't,cube.px,cube.py,cube.vx\n' + rows.map((r) => [r.t, r['cube.px'] + 0.1 * r.t, r['cube.py'], r['cube.vx']].join(',')).join('\n') + '\n');
  const run = spawnSync(ecp, ['run', scenario, '--compare', other, '--report', file], { encoding: 'utf8' });
  check('comparison: a difference above the tolerance ends with 1', run.status === 1);
  check('comparison: the largest difference is named', /pose +0\.4 at t = 4 s in cube\.px: 8\.4547/.test(run.stdout), run.stdout);
  const tab = await chrome.open(file, { width: 1280 });
  await quiet(tab, 'comparison');
  await tab.run('page.seek(300)');
  const top = await tab.run(`[...document.querySelectorAll('#difference-rows tr')].map((r) => r.innerText.split('\\t'))`);
  check('comparison: the page lists the differences', top.length === 3 && top[0][0].startsWith('cube.px') && top[0][1] === '0.4', JSON.stringify(top));
  check('comparison: dashed lines in the plots', await tab.run(`document.querySelectorAll('path.other').length`) === 3);
  const ghost = await tab.run(`page.run.otherPose(page.body, 300).p`);
  check('comparison: the other body is where its file says', Math.abs(ghost[0] - csv.rows[300]['cube.px'] - 0.1 * csv.rows[300].t) < 1e-5, String(ghost));
  const withOther = await tab.run(pixels);
  await tab.key('o');
  check('comparison: the other body is drawn, and can be hidden', withOther !== await tab.run(pixels));
  await tab.key('o');
  await shot(tab, 'compare-1280-light', false);
  await tab.close();
}

async function index(chrome) {
  const out = path.join(work, 'demo');
  execFileSync(ecp, ['demo', scenarios, '--out', out]);
  const names = fs.readdirSync(scenarios).filter((f) => f.endsWith('.toml')).map((f) => f.slice(0, -5)).sort();
  for (const width of [1280, 400]) {
    const tab = await chrome.open(path.join(out, 'index.html'), { width, dark: width === 400 });
    await quiet(tab, `index at ${width} px`);
    const cards = await tab.run(`[...document.querySelectorAll('.card')].map((c) => ({ link: c.querySelector('a').getAttribute('href'), lines: c.querySelectorAll('svg path').length,
      text: c.querySelector('p').textContent, figures: c.querySelectorAll('dd').length }))`);
    check(`index at ${width} px: a card per scenario`, JSON.stringify(cards.map((c) => c.link).sort()) === JSON.stringify(names.map((n) => n + '.html')));
    check(`index at ${width} px: picture, sentence, figures`, cards.every((c) => c.lines > 5 && c.text.length > 20 && c.figures >= 4), JSON.stringify(cards.filter((c) => c.lines <= 5)));
    check(`index at ${width} px: every link leads to a page`, cards.every((c) => fs.existsSync(path.join(out, c.link))));
    await shot(tab, `index-${width}-${width === 400 ? 'dark' : 'light'}`, width === 1280);
    await tab.close();
  }
  for (const name of names) {
    const tab = await chrome.open(path.join(out, name + '.html'), { width: 1280 });
    const moves = await tab.run(`(page.seek(page.rows - 1), page.plots.length > 5)`);
    check(`${name}: opens from the index without an error`, moves && tab.complaints.length === 0, tab.complaints.join('; '));
    await tab.close();
  }
}

// worlds with next to nothing in them, runs that end early, long runs, several bodies
const FLOOR = '[[body]]\nname = "floor"\nkind = "fixed"\nshape = "halfspace"\nnormal = [0, 0, 1]\n';
const solid = (name, shape, x) => `[[body]]\nname = "${name}"\nkind = "dynamic"\n${shape}\nmass = 1\nposition = [${x}, 0, 0.6]\nangular_velocity = [0, 1, 2]\n`;
const touch = (name, first) => `[[contact]]\nbodies = [${first ? `"floor", "${name}"` : `"${name}", "floor"`}]\nmu = 0.3\ne = [1, 1, 0.1]\n`;
const head = (duration, g) => `h = 0.01\nduration = ${duration}\ngravity = [0, 0, ${g}]\n`;

async function odd(chrome) {
  const ball = solid('ball', 'shape = "sphere"\nradius = 0.5', 0), four = { cone: 'shape = "cone"\nradius = 0.3\nheight = 0.8', egg: 'shape = "ellipsoid"\nradii = [0.2, 0.3, 0.4]',
    gem: 'shape = "facets"\nplanes = [1,1,1,0.4, -1,1,1,0.4, 1,-1,1,0.4, 1,1,-1,0.4, -1,-1,1,0.4, -1,1,-1,0.4, 1,-1,-1,0.4, -1,-1,-1,0.4]', can: 'shape = "cylinder"\nradius = 0.25\nlength = 0.5' };
  const names = Object.keys(four);
  const worlds = {
    'nothing at all': head(0.3, 0), 'only a floor': head(0.3, -9.8) + FLOOR, 'a body that touches nothing': head(0.3, 0) + ball,
    'no steps': head(0, -9.8) + FLOOR + ball + touch('ball'),
    'a refused step': head(1, -9.8) + FLOOR + ball + touch('ball') + '[[impulse]]\nbody = "ball"\nat = 0.5\ntorque = [1e9, 0, 0]\n',
    'a long run': head(100, -9.8) + FLOOR + ball + touch('ball'),
    'several bodies': head(2, -9.8) + FLOOR + names.map((n, i) => solid(n, four[n], i)).join('') + names.map((n, i) => touch(n, i === 0)).join(''),
  };
  for (const [name, text] of Object.entries(worlds)) {
    const file = path.join(work, 'odd.toml'), page = path.join(work, 'odd.html'), table = path.join(work, 'odd.csv');
    fs.writeFileSync(file, text);
    spawnSync(ecp, ['run', file, '--report', page, '--csv', table, '--quiet']);
    const csv = readCsv(table), tab = await chrome.open(page, { width: 400 });
    await quiet(tab, name);
    check(`${name}: the last row is shown`, await tab.run('page.seek(page.rows - 1), page.time(page.k)') === csv.rows.at(name === 'a long run' ? -1 - (csv.rows.length - 1) % 4 : -1).t);
    if (name === 'a refused step') check(`${name}: the page says so`, await tab.run(`document.getElementById('figures').textContent`).then((t) => t.includes('ECP_E_STATE')));
    if (name === 'a long run') check(`${name}: thinned evenly, and said`, await tab.run(`page.run.stride === 4 && page.rows === 2501 && document.getElementById('lead').textContent.includes('One step in 4')`));
    if (name === 'several bodies') {
      const agrees = await tab.run(`page.run.contacts.map((c) => Array.from({ length: page.rows }, (_, k) => k).filter((k) => {
        const row = page.run.row(k), r = row.contact(c.index), o = patchOutline(c, row), b = nearestBorder(o, r.a);
        return ![o.length === 0, o.length === 1, o.length === 2, o.length > 2][r.patch] || Math.abs((b ? V.norm(V.sub(b, r.a)) : 0) - r.edge) > 2e-3; }).length)`);
      check(`${name}: outline and edge of every contact agree with the report`, agrees.every((n) => n === 0), JSON.stringify(agrees));
      await tab.run(`(() => { for (const id of ['which-body', 'which-contact']) { const e = document.getElementById(id); e.value = 2; e.dispatchEvent(new Event('change')); } })()`);
      const cells = await tableAgrees(tab, csv, csv.rows.length - 1), shown = await tab.run(`document.querySelector('#now td').dataset.column`);
      check(`${name}: another body and contact can be chosen`, shown === 'gem.px' && cells.ok, shown + ' ' + cells.detail);
      await shot(tab, 'several-400-light', true);
    }
    check(`${name}: still no console error`, tab.complaints.length === 0, tab.complaints.join('; '));
    await tab.close();
  }
}

(async () => {
  const chrome = await Chrome.launch();
  try {
    await one(chrome, 'cube_slide', 'cube');
    await one(chrome, 'cube_tumble', 'cube');
    await one(chrome, 'cylinder_roll', 'cylinder');
    await one(chrome, 't_bar', 'bar');
    await comparison(chrome);
    await odd(chrome);
    await index(chrome);
  } finally {
    await chrome.close();
    fs.rmSync(work, { recursive: true, force: true });
  }
  console.log(`${tests - failures} passed, ${failures} failed`);
  process.exit(failures ? 1 : 0);
})().catch((e) => { console.log(`FAIL: ${e.stack}`); process.exit(1); });
