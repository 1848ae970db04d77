'use strict';
// chrome.js - drives a headless Chromium by the DevTools protocol over a pipe; needs node only.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--hide-scrollbars', '--remote-debugging-pipe'];

class Chrome {
  static async launch(program = process.env.CHROMIUM || 'chromium') {
    const chrome = new Chrome();
    chrome.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ecp-browser-'));
    chrome.process = spawn(program, [...FLAGS, `--user-data-dir=${chrome.folder}`, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    chrome.waiting = new Map();
    chrome.listeners = new Set();
    chrome.last = 0;
    const failed = new Promise((_, no) => {
      chrome.process.on('error', (e) => no(new Error(`${program} cannot be started: ${e.message}`)));
      chrome.process.on('exit', (code) => { chrome.waiting.forEach((w) => w.no(new Error(`the browser ended with ${code}`))); });
    });
    let rest = Buffer.alloc(0);
    chrome.process.stdio[4].on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1)) chrome.receive(JSON.parse(rest.subarray(0, end).toString()));
    });
    chrome.process.stdio[3].on('error', () => {});
    await Promise.race([chrome.send('Browser.getVersion'), failed]);
    return chrome;
  }
  receive(message) {
    const w = this.waiting.get(message.id);
    if (w) {
      this.waiting.delete(message.id);
      if (message.error) w.no(new Error(message.error.message)); else w.yes(message.result);
    } else {
      this.listeners.forEach((f) => f(message));
    }
  }
  send(method, params = {}, sessionId = undefined) {
    const id = ++this.last;
    return new Promise((yes, no) => {
      this.waiting.set(id, { yes, no });
      this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    });
  }
  async open(file, { width, height = 900, dark = false }) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const tab = new Tab(this, sessionId, targetId);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await tab.send(`${domain}.enable`);
    await tab.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await tab.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] });
    const loaded = tab.event('Page.loadEventFired');
    await tab.send('Page.navigate', { url: 'file://' + path.resolve(file) });
    await loaded;
    await tab.frames(2);
    return tab;
  }
  async close() {
    const gone = new Promise((yes) => { this.process.on('exit', yes); });
    this.send('Browser.close').catch(() => {});
    await gone;
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Tab {
  constructor(chrome, session, target) {
    Object.assign(this, { chrome, session, target, complaints: [], requests: [] });
    this.listener = (m) => {
      if (m.sessionId !== session) return;
      if (m.method === 'Runtime.exceptionThrown') this.complaints.push(m.params.exceptionDetails.exception?.description || m.params.exceptionDetails.text);
      if (m.method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(m.params.type)) this.complaints.push(JSON.stringify(m.params.args));
      if (m.method === 'Log.entryAdded' && m.params.entry.level === 'error') this.complaints.push(m.params.entry.text);
      if (m.method === 'Network.requestWillBeSent') this.requests.push(m.params.request.url);
    };
    chrome.listeners.add(this.listener);
  }
  send(method, params) { return this.chrome.send(method, params, this.session); }
  event(name) {
    return new Promise((yes) => {
      const f = (m) => { if (m.sessionId === this.session && m.method === name) { this.chrome.listeners.delete(f); yes(m.params); } };
      this.chrome.listeners.add(f);
    });
  }
  async run(expression) {
    const r = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (r.exceptionDetails) throw new Error(r.exceptionDetails.exception?.description || r.exceptionDetails.text);
    return r.result.value;
  }
  frames(n) { return this.run(`new Promise(async (yes) => { for (let i = 0; i < ${n}; i++) await new Promise(requestAnimationFrame); yes(); })`); }
  async until(expression, limit = 10000) {
    for (const end = Date.now() + limit; Date.now() < end;) {
      if (await this.run(expression)) return true;
      await this.frames(2);
    }
    return false;
  }
  async key(key, code = key) {
    const text = key.length === 1 ? key : undefined;
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code });
  }
  async drag(from, to) {
    const at = (type, p, buttons) => this.send('Input.dispatchMouseEvent', { type, x: p[0], y: p[1], button: 'left', buttons, clickCount: 1 });
    await at('mousePressed', from, 1);
    for (let i = 1; i <= 5; i++) await at('mouseMoved', [from[0] + (to[0] - from[0]) * i / 5, from[1] + (to[1] - from[1]) * i / 5], 1);
    await at('mouseReleased', to, 0);
  }
  async picture(file, whole = false) {
    const clip = whole ? await this.run('({ x: 0, y: 0, scale: 1, width: innerWidth, height: document.documentElement.scrollHeight })') : undefined;
    const { data } = await this.send('Page.captureScreenshot', { format: 'png', clip, captureBeyondViewport: whole });
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  }
  async close() {
    this.chrome.listeners.delete(this.listener);
    await this.chrome.send('Target.closeTarget', { targetId: this.target });
  }
}

module.exports = { Chrome };
