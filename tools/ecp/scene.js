'use strict';
// scene.js - the replay: a small 3D view on a 2D canvas. Everything drawn is convex, so faces that
// look at the viewer are drawn and bodies are painted from far to near.

const V = {
  add: (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
  sub: (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]],
  mul: (k, a) => [k * a[0], k * a[1], k * a[2]],
  dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
  cross: (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
  norm: (a) => Math.hypot(a[0], a[1], a[2]),
  unit: (a) => { const n = Math.hypot(a[0], a[1], a[2]) || 1; return [a[0] / n, a[1] / n, a[2] / n]; },
  axpy: (a, k, b) => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]],
  // body to world by a quaternion w, x, y, z
  turn: (q, a) => {
    const u = [q[1], q[2], q[3]];
    const n2 = q[0] * q[0] + V.dot(u, u) || 1;
    return V.axpy(a, 2 / n2, V.cross(u, V.axpy(V.cross(u, a), q[0], a)));
  },
  back: (q, a) => V.turn([q[0], -q[1], -q[2], -q[3]], a),
  multiply: (a, b) => [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]],
  across: (n) => V.unit(V.cross(n, Math.abs(n[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0])),
};

// ---------------------------------------------------------------------------------------------
// shapes

// face normals and the faces on both sides of every edge
function prepareMesh(data) {
  const v = [];
  for (let i = 0; i < data.vertices.length; i += 3) v.push(data.vertices.slice(i, i + 3));
  const features = new Set();
  for (let i = 0; i < data.features.length; i += 2) {
    features.add(Math.min(data.features[i], data.features[i + 1]) + ':' +
                 Math.max(data.features[i], data.features[i + 1]));
  }
  const edges = new Map();
  const normals = data.faces.map((face, f) => {
    let n = [0, 0, 0];
    face.forEach((a, i) => {
      const b = face[(i + 1) % face.length], key = Math.min(a, b) + ':' + Math.max(a, b);
      n = V.add(n, V.cross(v[a], v[b]));
      if (edges.has(key)) edges.get(key).g = f;
      else edges.set(key, { a, b, f, g: f, feature: features.has(key) });
    });
    return V.unit(n);
  });
  return { v, faces: data.faces, normals, edges: [...edges.values()], reach: Math.max(...v.map(V.norm)) };
}

// the points of a part that reach farthest against n, in body coordinates: a face, an edge or a point
function lowest(part, n) {
  const s = part.size, r = s[0], z = [0, 0, 1];
  const down = (c) => {
    const flat = [n[0], n[1], 0], k = V.norm(flat);
    return k < 1e-12 ? c : V.axpy(c, -r / k, flat);
  };
  const ring = (c) => Array.from({ length: 48 }, (_, i) =>
    V.add(c, [r * Math.cos(i * Math.PI / 24), r * Math.sin(i * Math.PI / 24), 0]));
  let points;
  if (part.shape === 'ellipsoid') {
    const q = Math.hypot(s[0] * n[0], s[1] * n[1], s[2] * n[2]);
    return [[-s[0] * s[0] * n[0] / q, -s[1] * s[1] * n[1] / q, -s[2] * s[2] * n[2] / q]];
  } else if (part.shape === 'cylinder') {
    if (Math.abs(n[2]) > 1 - 1e-6) return ring(V.mul(n[2] > 0 ? -s[2] : s[2], z));
    points = [down([0, 0, -s[2]]), down([0, 0, s[2]])];
  } else if (part.shape === 'cone') {
    if (n[2] > 1 - 1e-6) return ring([0, 0, -s[2] / 4]);
    points = [down([0, 0, -s[2] / 4]), [0, 0, 0.75 * s[2]]];
  } else {
    points = part.mesh.v;
  }
  const low = Math.min(...points.map((p) => V.dot(n, p)));
  return points.filter((p) => V.dot(n, p) < low + 3e-4 * part.mesh.reach);
}

// convex hull of points in the plane across n, counter-clockwise about n
function hullAcross(points, n) {
  const x = V.across(n), y = V.cross(n, x);
  const flat = points.map((p) => ({ p, u: V.dot(x, p), v: V.dot(y, p) }))
    .sort((a, b) => a.u - b.u || a.v - b.v);
  if (flat.length < 3) return flat.map((f) => f.p);
  const half = (list) => {
    const out = [];
    for (const c of list) {
      while (out.length > 1) {
        const a = out[out.length - 2], b = out[out.length - 1];
        if ((b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u) > 0) break;
        out.pop();
      }
      out.push(c);
    }
    out.pop();
    return out;
  };
  return [...half(flat), ...half(flat.reverse())].map((f) => f.p);
}

// the part of a polygon (or of a line) where keep(p) >= 0, keep linear
function clip(points, keep, closed = true) {
  const out = [];
  for (let i = 0; i < points.length; i++) {
    const a = points[i], b = points[(i + 1) % points.length], ka = keep(a), kb = keep(b);
    if (ka >= 0) out.push(a);
    if ((closed || i + 1 < points.length) && (ka >= 0) !== (kb >= 0)) {
      out.push(V.axpy(a, ka / (ka - kb), V.sub(b, a)));
    }
  }
  return out;
}

function lowestOf(body, pose, n) {
  let best = [], level = Infinity;
  for (const part of body.parts) {
    if (!part.mesh) continue;
    const q = V.multiply(pose.q, part.orientation), x = V.add(pose.p, V.turn(pose.q, part.position));
    const points = lowest(part, V.back(q, n)).map((p) => V.add(x, V.turn(q, p)));
    const low = Math.min(...points.map((p) => V.dot(n, p)));
    if (low < level - 3e-4 * part.mesh.reach) best = points;
    else if (low < level + 3e-4 * part.mesh.reach) best = best.concat(points);
    level = Math.min(level, low);
  }
  return hullAcross(best, n);
}

const isPlane = (body) => body.parts.length === 1 && body.parts[0].shape === 'halfspace';

// what the report calls the patch of a contact, as world points: [] open, else point, line, polygon
function patchOutline(contact, row) {
  const [a, b] = [row.body(contact.a), row.body(contact.b)], c = row.contact(contact.index);
  if (!c.patch) return [];
  if (c.patch === 1) return [c.a];
  const upper = isPlane(a.body) ? b : a, sign = upper === a ? 1 : -1, n = V.mul(sign, c.n);
  let points = lowestOf(upper.body, upper.pose, n);
  const other = upper === a ? b : a;
  if (!isPlane(other.body)) {
    const face = lowestOf(other.body, other.pose, V.mul(-1, n)).reverse();
    for (let i = 0; face.length > 2 && i < face.length; i++) {
      const inward = V.cross(n, V.sub(face[(i + 1) % face.length], face[i]));
      points = clip(points, (p) => V.dot(inward, V.sub(p, face[i])), points.length > 2);
    }
  }
  if (c.patch === 2 && points.length > 2) {
    // a body that has just begun to tip: only the lowest two corners, and what is level with them
    const height = points.map((p) => V.dot(n, p)), [low, second] = [...height].sort((p, q) => p - q);
    points = points.filter((_, i) => height[i] <= second + (second - low) + 1e-6 * upper.body.parts[0].mesh.reach);
    let far = [points[0], points[1]];
    for (const p of points) for (const q of points) {
      if (V.norm(V.sub(p, q)) > V.norm(V.sub(far[0], far[1]))) far = [p, q];
    }
    points = far;
  }
  return points;
}

// the point of the border of a patch nearest to its ECP
function nearestBorder(points, a) {
  if (points.length < 2) return null;
  let best = null, least = Infinity;
  const candidates = points.length === 2 ? points : points.map((p, i) => {
    const q = points[(i + 1) % points.length], d = V.sub(q, p);
    const t = Math.max(0, Math.min(1, V.dot(V.sub(a, p), d) / (V.dot(d, d) || 1)));
    return V.axpy(p, t, d);
  });
  for (const p of candidates) {
    const r = V.norm(V.sub(p, a));
    if (r < least) { least = r; best = p; }
  }
  return best;
}

// ---------------------------------------------------------------------------------------------
// the camera

class Camera {
  constructor(up) {
    this.up = up;
    this.x = V.unit(V.sub([1, 0, 0], V.mul(up[0], up)));
    if (V.norm(V.sub([1, 0, 0], V.mul(up[0], up))) < 0.1) this.x = V.across(up);
    this.y = V.cross(up, this.x);
    this.target = [0, 0, 0];
    this.distance = 5;
    this.side = -2.15;
    this.home();
  }
  home() { this.azimuth = this.side; this.elevation = 0.42; this.pan = [0, 0, 0]; }
  frame(width, height) {
    const ca = Math.cos(this.azimuth), sa = Math.sin(this.azimuth);
    const ce = Math.cos(this.elevation), se = Math.sin(this.elevation);
    const flat = V.add(V.mul(ca, this.x), V.mul(sa, this.y));
    const out = V.add(V.mul(ce, flat), V.mul(se, this.up));      // from the target to the eye
    const target = V.add(this.target, this.pan);
    this.eye = V.axpy(target, this.distance, out);
    this.forward = V.mul(-1, out);
    this.right = V.unit(V.cross(this.forward, this.up));
    this.above = V.cross(this.right, this.forward);
    this.width = width; this.height = height;
    this.scale = 1.7 * Math.min(width * 0.8, height);
    this.near = 0.02 * this.distance;
  }
  depth(p) { return V.dot(this.forward, V.sub(p, this.eye)); }
  project(p) {
    const d = V.sub(p, this.eye), z = Math.max(V.dot(this.forward, d), this.near);
    return [this.width / 2 + this.scale * V.dot(this.right, d) / z,
      this.height / 2 - this.scale * V.dot(this.above, d) / z];
  }
}

// ---------------------------------------------------------------------------------------------
// drawing

class Scene {
  constructor(canvas, run) {
    this.canvas = canvas;
    this.run = run;
    this.show = { trail: true, arrows: true, patch: true, other: true };
    const g = run.gravity, up = V.norm(g) > 0 ? V.unit(V.mul(-1, g)) : [0, 0, 1];
    this.camera = new Camera(up);
    const meshes = run.meshes.map((data) => data && prepareMesh(data));
    run.bodies.forEach((body) => body.parts.forEach((part) => {
      part.mesh = meshes[part.mesh];
      part.round = !['box', 'polytope'].includes(part.shape);
    }));
    this.camera.side = this.openSide();
    this.camera.home();
    this.measure();
    this.listen();
  }
  // the first of four sides from which most planes show their free face
  openSide() {
    const cam = this.camera, faces = (side) => this.planes(this.run.row(0)).filter((plane) =>
      V.dot(plane.n, V.add(V.mul(Math.cos(side), cam.x), V.mul(Math.sin(side), cam.y))) > -0.01).length;
    return [0, 1, 2, 3].map((i) => -2.15 + i * Math.PI / 2).reduce((best, side) => faces(side) > faces(best) ? side : best);
  }

  // how far the motion reaches, how large the movers are, how strong the impulses
  measure() {
    const run = this.run, step = Math.max(1, Math.floor(run.rows / 300));
    const movers = this.movers = run.bodies.filter((b) => b.kind === 'dynamic');
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    this.radius = Math.max(0, ...movers.map((b) => Math.max(0, ...b.parts.map((p) => p.mesh ? p.mesh.reach : 0)))) || 1;
    for (const body of movers) {
      for (let k = 0; k < run.rows; k += step) {
        const p = run.pose(body, k).p;
        for (let i = 0; i < 3; i++) { low[i] = Math.min(low[i], p[i]); high[i] = Math.max(high[i], p[i]); }
      }
    }
    if (!movers.length || !isFinite(low[0])) { low.fill(-1); high.fill(1); }
    this.centre = V.mul(0.5, V.add(low, high));
    this.extent = V.norm(V.sub(high, low)) / 2;
    this.follow = movers.length === 1 && this.extent > 1.6 * this.radius;
    this.leader = movers[0];
    this.low = low; this.high = high;
    const pn = [];
    run.contacts.forEach((c) => { for (let k = 1; k < run.rows; k += step) { const x = run.value(`c${c.index}.pn`, k); if (x > 0) pn.push(x); } });
    pn.sort((a, b) => a - b);
    this.impulse = pn.length ? pn[Math.floor(0.9 * (pn.length - 1))] : 1;
    const mu = Math.max(0.05, ...run.contacts.map((c) => c.mu));
    this.frictionScale = mu < 0.15 ? 5 : mu < 0.4 ? 2 : 1;
    this.fit();
  }
  fit() {
    const seen = this.follow ? 2.0 * this.radius : 0.8 * this.extent + 1.7 * this.radius;
    this.camera.distance = 3.6 * seen;
  }
  home() { this.camera.home(); this.fit(); }

  listen() {
    const held = new Map();
    let spread = 0;
    const c = this.canvas, cam = this.camera;
    c.addEventListener('pointerdown', (e) => { c.setPointerCapture(e.pointerId); held.set(e.pointerId, [e.clientX, e.clientY]); spread = 0; });
    const end = (e) => { held.delete(e.pointerId); spread = 0; };
    c.addEventListener('pointerup', end);
    c.addEventListener('pointercancel', end);
    c.addEventListener('pointermove', (e) => {
      const last = held.get(e.pointerId);
      if (!last) return;
      const dx = e.clientX - last[0], dy = e.clientY - last[1];
      held.set(e.pointerId, [e.clientX, e.clientY]);
      if (held.size > 1) {
        const [p, q] = [...held.values()], d = Math.hypot(p[0] - q[0], p[1] - q[1]);
        if (spread) this.zoom(spread / d);
        spread = d;
      } else if (e.shiftKey || e.buttons === 2) {
        const k = cam.distance / cam.scale;
        cam.pan = V.add(cam.pan, V.add(V.mul(-dx * k, cam.right), V.mul(dy * k, cam.above)));
      } else {
        cam.azimuth -= 0.008 * dx;
        cam.elevation = Math.max(-1.5, Math.min(1.5, cam.elevation + 0.008 * dy));
      }
      this.draw();
    });
    c.addEventListener('wheel', (e) => { e.preventDefault(); this.zoom(Math.exp(0.0012 * e.deltaY)); this.draw(); }, { passive: false });
    c.addEventListener('contextmenu', (e) => e.preventDefault());
    c.addEventListener('dblclick', () => { this.home(); this.draw(); });
  }
  zoom(k) { this.camera.distance = Math.max(0.3 * this.radius, Math.min(1e3 * (this.radius + this.extent), this.camera.distance * k)); }

  colours() {
    const css = getComputedStyle(document.documentElement), get = (name) => css.getPropertyValue('--' + name).trim();
    this.ink = Object.fromEntries(['sky', 'ground', 'grid', 'edge', 'stick', 'slip', 'open', 'normal', 'margin',
      'other', 'shadow', 'text', 'halo', 'load'].map((n) => [n, get(n)]));
    this.solids = [1, 2, 3, 4].map((i) => get('solid' + i).split(',').map(Number));
  }

  draw(k) {
    if (k !== undefined) this.k = k;
    const box = this.canvas.getBoundingClientRect(), dpr = window.devicePixelRatio || 1;
    const w = Math.round(box.width * dpr), h = Math.round(box.height * dpr);
    if (!w || !h) return;
    if (this.canvas.width !== w || this.canvas.height !== h) { this.canvas.width = w; this.canvas.height = h; }
    if (!this.ink) this.colours();
    const g = this.g = this.canvas.getContext('2d'), row = this.run.row(this.k);
    g.setTransform(dpr, 0, 0, dpr, 0, 0);
    g.lineJoin = g.lineCap = 'round';
    g.fillStyle = this.ink.sky;
    g.fillRect(0, 0, box.width, box.height);
    this.aim(row);
    this.camera.frame(box.width, box.height);
    this.drawPlanes(row);
    this.drawShadows(row);
    this.run.contacts.forEach((c) => this.drawUnder(c, row));
    this.drawBodies(row);
    if (this.show.other && this.run.other) this.drawOther();
    this.run.contacts.forEach((c) => this.drawOver(c, row));
    if (this.show.arrows) this.movers.forEach((body) => this.drawLoad(body, row));
  }

  aim(row) {
    if (this.follow && this.leader) {
      const up = this.camera.up, p = row.body(this.run.bodies.indexOf(this.leader)).pose.p;
      this.camera.target = V.axpy(p, V.dot(up, V.sub(this.centre, p)), up);
    } else {
      this.camera.target = this.centre;
    }
  }

  path(points, closed) {
    const cam = this.camera;
    const seen = clip(points, (p) => cam.depth(p) - cam.near, closed);
    if (seen.length < 2) return false;
    this.g.beginPath();
    seen.forEach((p, i) => { const s = cam.project(p); if (i) this.g.lineTo(s[0], s[1]); else this.g.moveTo(s[0], s[1]); });
    if (closed) this.g.closePath();
    return true;
  }
  stroke(points, colour, width, closed = false, dash = []) {
    const g = this.g;
    if (!this.path(points, closed)) return;
    g.setLineDash(dash); g.strokeStyle = colour; g.lineWidth = width; g.stroke(); g.setLineDash([]);
  }
  fill(points, colour) {
    if (!this.path(points, true)) return;
    this.g.fillStyle = colour; this.g.fill();
  }

  // ---- planes: a grid as large as the motion, cut where other planes cover it
  planes(row) {
    const out = [];
    this.run.bodies.forEach((body, i) => body.parts.forEach((part) => {
      if (part.shape !== 'halfspace') return;
      const pose = row.body(i).pose, n = V.turn(pose.q, part.size);
      out.push({ body, part, pose, n, d: part.offset + V.dot(n, pose.p) });
    }));
    return out;
  }
  region(plane) {
    if (plane.part.region) return plane.part.region;
    const n = plane.part.size, x = V.across(n), y = V.cross(n, x), run = this.run;
    const r = { x, y, low: [Infinity, Infinity], high: [-Infinity, -Infinity] };
    const step = Math.max(1, Math.floor(run.rows / 200));
    for (const body of run.bodies) {
      if (body.kind !== 'dynamic') continue;
      for (let k = 0; k < run.rows; k += step) {
        const at = run.pose(plane.body, k), p = V.back(at.q, V.sub(run.pose(body, k).p, at.p));
        [V.dot(x, p), V.dot(y, p)].forEach((u, i) => { r.low[i] = Math.min(r.low[i], u); r.high[i] = Math.max(r.high[i], u); });
      }
    }
    if (!isFinite(r.low[0])) { r.low = [-1, -1]; r.high = [1, 1]; }
    const margin = 4 * this.radius, span = Math.max(r.high[0] - r.low[0], r.high[1] - r.low[1]) + 2 * margin;
    const raw = Math.max(0.55 * this.radius, this.follow ? 0 : span / 60), power = 10 ** Math.floor(Math.log10(raw));
    r.step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.99);
    for (let i = 0; i < 2; i++) {
      r.low[i] = Math.floor((r.low[i] - margin) / r.step) * r.step;
      r.high[i] = Math.ceil((r.high[i] + margin) / r.step) * r.step;
    }
    return plane.part.region = r;
  }
  // the part of a region that is drawn: all of it, or what is near the body that is followed
  window(plane) {
    const r = this.region(plane);
    if (!this.follow) return r;
    const p = V.back(plane.pose.q, V.sub(this.camera.target, plane.pose.p)), reach = 40;
    const near = [V.dot(r.x, p), V.dot(r.y, p)].map((u) => Math.round(u / r.step));
    return { ...r, low: r.low.map((u, i) => Math.max(u, (near[i] - reach) * r.step)), high: r.high.map((u, i) => Math.min(u, (near[i] + reach) * r.step)) };
  }
  drawPlanes(row) {
    const planes = this.planes(row);
    for (const plane of planes) {
      const r = this.window(plane), n = plane.part.size, g = this.g;
      const at = (u, v) => V.add(plane.pose.p, V.turn(plane.pose.q,
        V.add(V.mul(plane.part.offset, n), V.add(V.mul(u, r.x), V.mul(v, r.y)))));
      const cut = (points, closed) => planes.reduce((list, other) => other === plane || V.dot(other.n, plane.n) > 0.999 ? list
        : clip(list, (p) => V.dot(other.n, p) - other.d + 1e-9, closed), points);
      const front = V.dot(plane.n, this.camera.eye) > plane.d;
      const quad = cut([at(r.low[0], r.low[1]), at(r.high[0], r.low[1]), at(r.high[0], r.high[1]), at(r.low[0], r.high[1])], true);
      const wall = V.dot(plane.n, this.camera.up) < 0.5;
      g.globalAlpha = wall ? 0.5 : 1;
      if (front) this.fill(quad, this.ink.ground);
      g.globalAlpha = !front ? 0.35 : wall ? 0.6 : 1;
      for (let u = r.low[0], i = 0; u <= r.high[0] + 1e-9; u = r.low[0] + ++i * r.step) this.stroke(cut([at(u, r.low[1]), at(u, r.high[1])], false), this.ink.grid, 1);
      for (let v = r.low[1], i = 0; v <= r.high[1] + 1e-9; v = r.low[1] + ++i * r.step) this.stroke(cut([at(r.low[0], v), at(r.high[0], v)], false), this.ink.grid, 1);
      g.globalAlpha = 1;
    }
  }

  drawShadows(row) {
    const up = this.camera.up;
    for (const plane of this.planes(row)) {
      if (V.dot(plane.n, up) < 0.5 || V.dot(plane.n, this.camera.eye) < plane.d) continue;
      this.run.bodies.forEach((body, i) => {
        if (body.kind === 'fixed') return;
        for (const part of body.parts) {
          if (!part.mesh) continue;
          const { q, x } = placed(row.body(i).pose, part);
          const down = part.mesh.v.map((v) => {
            const p = V.add(x, V.turn(q, v));
            return V.axpy(p, (plane.d - V.dot(plane.n, p)) / V.dot(plane.n, up), up);
          });
          this.fill(hullAcross(down, plane.n), this.ink.shadow);
        }
      });
    }
  }

  // ---- bodies
  drawBodies(row) {
    const list = [];
    this.run.bodies.forEach((body, i) => body.parts.forEach((part) => {
      if (part.mesh) list.push({ part, i, body, ...placed(row.body(i).pose, part) });
    }));
    list.forEach((item) => { item.far = this.camera.depth(item.x); });
    list.sort((a, b) => b.far - a.far);
    list.forEach((item) => this.drawPart(item));
  }
  world(item) {
    const m = item.part.mesh;
    item.w = m.v.map((v) => V.add(item.x, V.turn(item.q, v)));
    item.n = m.normals.map((n) => V.turn(item.q, n));
    item.front = m.faces.map((f, i) => V.dot(item.n[i], V.sub(this.camera.eye, item.w[f[0]])) > 0);
  }
  drawPart(item) {
    const g = this.g, m = item.part.mesh, cam = this.camera;
    this.world(item);
    const tint = this.solids[item.body.kind === 'dynamic' ? this.movers.indexOf(item.body) % 3 : 3];
    const light = V.unit(V.add(V.mul(0.55, cam.up), V.add(V.mul(-0.45, cam.right), V.mul(-0.5, cam.forward))));
    m.edges.forEach((e) => {
      if (e.feature && !item.front[e.f] && !item.front[e.g]) this.line(item.w[e.a], item.w[e.b], this.ink.edge, 0.7, 0.16);
    });
    m.faces.forEach((f, i) => {
      if (!item.front[i]) return;
      const k = 0.62 + 0.42 * Math.max(0, V.dot(light, item.n[i]));
      const colour = `rgba(${tint.map((c) => Math.round(Math.min(255, c * k))).join(',')},${item.part.round ? 1 : 0.88})`;
      if (!this.path(f.map((v) => item.w[v]), true)) return;
      g.fillStyle = colour; g.fill();
      if (item.part.round) { g.strokeStyle = colour; g.lineWidth = 0.6; g.stroke(); }
    });
    m.edges.forEach((e) => {
      const f = item.front[e.f], o = item.front[e.g];
      if (f !== o) this.line(item.w[e.a], item.w[e.b], this.ink.edge, 1.3, 1);
      else if (f && e.feature) this.line(item.w[e.a], item.w[e.b], this.ink.edge, item.part.round ? 0.9 : 1.1, item.part.round ? 0.5 : 0.9);
    });
  }
  line(a, b, colour, width, alpha) {
    this.g.globalAlpha = alpha;
    this.stroke([a, b], colour, width);
    this.g.globalAlpha = 1;
  }
  // the second trajectory: outlines only
  drawOther() {
    this.run.bodies.forEach((body, i) => {
      const pose = this.run.otherPose(body, this.k);
      if (!pose) return;
      body.parts.forEach((part) => {
        if (!part.mesh) return;
        const item = { part, body, i, ...placed(pose, part) };
        this.world(item);
        part.mesh.edges.forEach((e) => {
          const f = item.front[e.f], o = item.front[e.g];
          if (f !== o || (e.feature && (f || o))) this.line(item.w[e.a], item.w[e.b], this.ink.other, 1.6, 1);
          else if (e.feature) this.line(item.w[e.a], item.w[e.b], this.ink.other, 0.8, 0.35);
        });
      });
    });
  }

  // ---- contacts
  modeColour(mode) { return [this.ink.open, this.ink.stick, this.ink.slip][mode] || this.ink.open; }
  drawUnder(contact, row) {
    const c = row.contact(contact.index);
    if (this.show.trail) this.drawTrail(contact);
    if (this.show.patch && c.patch > 2) {
      this.g.globalAlpha = 0.3;
      this.fill(patchOutline(contact, row), this.modeColour(c.mode));
      this.g.globalAlpha = 1;
    }
  }
  drawTrail(contact) {
    const run = this.run, name = `c${contact.index}`, a = ['.ax', '.ay', '.az'].map((t) => name + t);
    let piece = [], mode = 0;
    const flush = () => { if (piece.length > 1) this.stroke(piece, this.modeColour(mode), 2); };
    for (let k = Math.max(1, this.k - 3000); k <= this.k; k++) {
      const m = run.value(name + '.mode', k), p = a.map((n) => run.value(n, k));
      if (m !== mode) { flush(); piece = m && mode ? piece.slice(-1) : []; mode = m; }
      if (m) piece.push(p);
    }
    flush();
  }
  drawOver(contact, row) {
    const c = row.contact(contact.index);
    if (!c.mode) return;
    const colour = this.modeColour(c.mode), points = this.show.patch ? patchOutline(contact, row) : [];
    if (points.length > 1) {
      this.stroke(points, colour, points.length === 2 ? 3 : 1.8, points.length > 2);
      const border = nearestBorder(points, c.a);
      if (border && c.edge > 0) {
        this.stroke([c.a, border], this.ink.margin, 2, false, [4, 4]);
        this.dot(border, 2.5, this.ink.margin);
      }
    }
    if (this.show.arrows) {
      const k = 1.0 * this.radius / this.impulse, bound = 2.6 * this.radius;
      const o = V.cross(c.n, c.t), sign = isPlane(this.run.bodies[contact.a]) ? -1 : 1;
      const push = V.add(V.mul(c.pt, c.t), V.mul(c.po, o));
      const size = (x) => Math.min(bound, x) / (x || 1);
      const normal = V.mul(sign * k * size(k * c.pn), V.mul(c.pn, c.n));
      const f = this.frictionScale * k, friction = V.mul(sign * f * size(f * V.norm(push)), push);
      this.arrow(c.a, normal, this.ink.normal);
      this.arrow(c.a, friction, colour);
    }
    this.mark(c.a, colour);
  }
  // the applied force, as the impulse of a step, on the scale of the normal
  drawLoad(body, row) {
    const force = this.run.vector(body.name, ['fx', 'fy', 'fz'], this.k);
    const by = V.mul(this.run.h * this.radius / this.impulse, force), size = V.norm(by);
    if (!(size > 0)) return;
    this.arrow(row.body(this.run.bodies.indexOf(body)).pose.p, V.mul(Math.min(1, 2.6 * this.radius / size), by), this.ink.load);
  }
  arrow(from, by, colour) {
    const g = this.g, cam = this.camera;
    if (V.norm(by) < 0.03 * this.radius) return;
    const a = cam.project(from), b = cam.project(V.add(from, by));
    const d = [b[0] - a[0], b[1] - a[1]], n = Math.hypot(d[0], d[1]);
    if (n < 4) return;
    const head = Math.min(11, 0.5 * n), u = [d[0] / n, d[1] / n];
    for (const [style, extra] of [[this.ink.halo, 3], [colour, 0]]) {
      g.strokeStyle = g.fillStyle = style; g.lineWidth = 0.4 * this.markRadius() + extra;
      g.beginPath(); g.moveTo(a[0], a[1]); g.lineTo(b[0] - 0.7 * head * u[0], b[1] - 0.7 * head * u[1]); g.stroke();
      g.beginPath(); g.moveTo(b[0], b[1]);
      g.lineTo(b[0] - head * u[0] - 0.45 * head * u[1], b[1] - head * u[1] + 0.45 * head * u[0]);
      g.lineTo(b[0] - head * u[0] + 0.45 * head * u[1], b[1] - head * u[1] - 0.45 * head * u[0]);
      g.closePath();
      if (extra) g.stroke(); else g.fill();
    }
  }
  dot(p, r, colour) {
    const s = this.camera.project(p), g = this.g;
    g.beginPath(); g.arc(s[0], s[1], r, 0, 7); g.fillStyle = colour; g.fill();
  }
  markRadius() { return Math.max(3, Math.min(6.5, 0.13 * this.radius * this.camera.scale / this.camera.distance)); }
  mark(p, colour) {
    const s = this.camera.project(p), g = this.g, r = this.markRadius(), arm = 1.55 * r;
    for (const [style, w] of [[this.ink.halo, 0.75 * r], [colour, 0.37 * r]]) {
      g.strokeStyle = style; g.lineWidth = w;
      g.beginPath(); g.arc(s[0], s[1], r, 0, 7); g.stroke();
      g.beginPath(); g.moveTo(s[0] - arm, s[1]); g.lineTo(s[0] + arm, s[1]); g.moveTo(s[0], s[1] - arm); g.lineTo(s[0], s[1] + arm); g.stroke();
    }
  }
}

function placed(pose, part) {
  return { q: V.multiply(pose.q, part.orientation), x: V.add(pose.p, V.turn(pose.q, part.position)) };
}
