// The server comes with the interpreter that is selected; every command from where a user finds it: the status item's menu, the
// palette, the walkthrough with its pictures.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PYTHON, scenario } from './workbench.mjs';

/** A program of this name in a folder of its own. */
function program(name, text) {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'python-')), name);
  fs.writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
}

// A Python without warpcost, one that takes itself for an old one, as far as it is asked, and one with warpcost.
const without = program('python', `exec '${PYTHON}' -S -E "$@"`);
const old = program('python3.9', `[ "$1" = -c ] || { echo "Unknown option: $1" >&2; exit 2; }
exec '${PYTHON}' -S -E -c "import sys; sys.version_info = (3, 9, 2, 'final', 0); exec(sys.argv[1])" "$2"`);

const options = {
  environment: { PYTHONPATH: process.env.WARPCOST_ROOT, WARPCOST_INTERPRETERS: `${without}:${old}:${PYTHON}` },
  vsix: [process.env.WARPCOST_VSIX, `${process.env.WARPCOST_NEIGHBOURS}/python.vsix`],
};

await scenario('commands', options, async (bench) => {
  // What an earlier version of the extension would have left: a finished environment, of another wheel.
  const environment = path.join(bench.userData, 'User', 'globalStorage', 'warpcost.warpcost', 'server');
  fs.mkdirSync(path.join(environment, 'bin'), { recursive: true });
  fs.symlinkSync(PYTHON, path.join(environment, 'bin', 'python'));
  fs.writeFileSync(path.join(environment, 'warpcost-installed'), 'the fingerprint of another wheel');
  await bench.open('transpose.cu');
  const { page } = bench;
  const update = page.locator('.notification-toast', { hasText: 'The server of warpcost is out of date' }).first();
  await update.waitFor();
  assert.match(await update.innerText(), /installed by another version of this extension\. Update it\?/);
  assert.deepEqual(await update.locator('.monaco-button').allInnerTexts(), ['Update', 'Not now']);
  // The status item says where it was looked for, and why that would not do.
  const reasons = /selected Python interpreter: .*No module named 'lsp_server'[^]*private environment: it was made by another version/;
  await bench.awaitStatus('The server of warpcost is out of date', reasons);
  await bench.picture('update-offer');
  fs.rmSync(environment, { recursive: true });
  bench.mark('out of date');
  await bench.command('Python: Select Interpreter');
  await bench.pick(old);
  await bench.awaitStatus('warpcost is not installed yet', /selected Python interpreter: it is Python 3\.9, and warpcost needs 3\.11 or later$/m);
  bench.mark('not found');

  await bench.command('Python: Select Interpreter');
  await bench.pick(PYTHON);
  await bench.awaitStatus('warpcost is running', /from the selected Python interpreter/);
  await bench.awaitSquiggles('warning', [7, 19]);
  bench.mark('found');

  // The same one again is no reason to start another.
  const before = bench.servers();
  assert.equal(before.length, 1, 'one server');
  await bench.command('Python: Select Interpreter');
  await bench.pick(PYTHON);
  await bench.retype(7, 9, 'out[y * w + x] = in[y * w + x];');
  await bench.awaitSquiggles('warning', [19]);
  assert.deepEqual(bench.servers(), before, 'the server lived on');

  const entries = page.locator('.quick-input-list .monaco-list-row');
  const menu = async (title) => {
    await bench.statusItem().click();
    await entries.filter({ hasText: 'Open kernel report' }).first().waitFor();
    assert.equal(await entries.count(), 9, 'entries of the menu');
    if (title) await bench.pick(title);
  };
  await menu();
  await bench.picture('menu');
  await bench.escape();
  bench.mark('menu');

  await menu('Show stages of the analysis');
  await bench.pick('lp');
  await bench.awaitEditor(/sectors, upper bound, certified/);
  await bench.awaitEditor(/\[line \d+\]/);
  await bench.picture('stages');
  await bench.closeEditor();
  await bench.command('warpcost: Show Results as JSON');
  await bench.awaitEditor(/"schema": 1/);
  await bench.picture('json');
  await bench.closeEditor();
  bench.mark('stages and JSON');

  // A task: what it finds in files that are not open is in Problems, by the matcher of its lines.
  await bench.command('Tasks: Run Task');
  for (const title of ['warpcost', 'warpcost: check this file']) {
    await entries.filter({ hasText: title }).first().waitFor();
    if (title === 'warpcost') await bench.pick(title);
  }
  await bench.pick('warpcost: check the workspace');
  // The terminal comes to the front once the task has ended with findings.
  await page.locator('[id="status.problems"] [aria-label*="Warnings: 2"], [id="status.problems"][aria-label*="Warnings: 2"]').first().waitFor();
  await page.locator('.part.panel .terminal-outer-container, .part.panel .terminal-wrapper').first().waitFor();
  await bench.command('Problems: Focus on Problems View');
  const problems = page.locator('.markers-panel .monaco-list-row');
  await problems.filter({ hasText: 'uncoalesced-access: Uncoalesced store to `a`' }).first().waitFor();
  await bench.picture('task');
  await bench.command('View: Hide Panel');
  bench.mark('task');

  // Keys of settings files and names of kernels are completed.
  fs.writeFileSync(path.join(bench.workspace, 'warpcost.toml'), '[levels]\n');
  await bench.openFile('warpcost.toml');
  await bench.goTo(2);
  await page.keyboard.type('WC2');
  const suggestions = page.locator('.suggest-widget .monaco-list-row');
  await suggestions.filter({ hasText: 'bank-conflict' }).first().waitFor();
  await bench.picture('settings-completion');
  await bench.escape();
  await bench.command('File: Revert File');
  await bench.closeEditor();
  fs.rmSync(path.join(bench.workspace, 'warpcost.toml'));
  bench.mark('completion');

  // One that hangs ends, too.
  process.kill(before[0], 'SIGSTOP');
  await bench.command('warpcost: Restart Server');
  await bench.until(() => bench.servers().length === 1 && bench.servers()[0] !== before[0], 'another server');
  await bench.awaitStatus('warpcost is running', /version/);
  await bench.retype(7, 9, 'out[x * h + y] = in[y * w + x];');
  await bench.awaitSquiggles('warning', [7, 19]);
  bench.mark('restarted');

  // An installation that fails leaves what there was.
  const [last] = bench.servers();
  fs.writeFileSync(path.join(bench.userData, 'Machine', 'settings.json'), JSON.stringify({ 'warpcost.server.interpreter': old }));
  await bench.until(() => bench.servers().length === 1 && bench.servers()[0] !== last, 'another server');
  await bench.command('warpcost: Install Server into a Private Environment');
  const failed = page.locator('.notification-toast', { hasText: `no Python 3.11 or later was found (${old}: is Python 3.9)` }).first();
  await failed.waitFor();
  await bench.awaitStatus('warpcost is running', /from the selected Python interpreter/);
  await bench.command('Notifications: Clear All Notifications');
  await failed.waitFor({ state: 'detached' });
  bench.mark('installation failed');

  // This build of VS Code lacks the native package that writes logs: the channel is there, and empty.
  await bench.command('warpcost: Show Log');
  await page.locator('.part.panel .title-actions select').first().waitFor();
  assert.equal(await page.locator('.part.panel .title-actions select').first().evaluate((list) => list.selectedOptions[0].text), 'warpcost');
  // It takes the focus when it is there, and what is opened before is closed by that.
  await page.waitForFunction(() => document.activeElement?.closest('.part.panel'));
  await bench.command('View: Hide Panel');
  bench.mark('log');

  await bench.command('Welcome: Open Walkthrough...');
  await page.locator('.quick-input-widget input[type="text"]').first().fill('See what each warp pays');
  await bench.pick('See what each warp pays');
  for (const step of ['Get the server', 'Open a CUDA file', 'Apply a fix', 'Read the report']) {
    await page.locator('.getting-started-step', { hasText: step }).first().waitFor();
  }
  await page.locator('.getting-started-step', { hasText: 'Apply a fix' }).first().click();
  await page.locator('.getting-started-media img').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.getting-started-media img')?.naturalWidth > 0);
  await bench.picture('walkthrough');
});
