// What a user does on an afternoon: sees findings, reads cards, applies a fix, silences, changes a setting, loses a worker.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { commandOf, descendants, PYTHON, scenario } from './workbench.mjs';

const MACHINE = { 'warpcost.server.interpreter': PYTHON };

await scenario('findings', { machine: MACHINE, environment: { PYTHONPATH: process.env.WARPCOST_ROOT } }, async (bench) => {
  const { page } = (await bench.open('transpose.cu'), bench);

  await bench.awaitSquiggles('warning', [7, 19]);
  bench.mark('squiggles');
  await bench.awaitSquiggles('info', [26, 27]);
  assert.match(await page.locator('#status\\.editor\\.mode').innerText(), /CUDA C\+\+/);

  await bench.awaitLine(7, /32 sectors \(8x\)/);
  await bench.awaitLine(19, /32-way conflict/);
  bench.mark('inlay hints');

  const lenses = page.locator('.monaco-editor .codelens-decoration');
  await lenses.filter({ hasText: 'warp: 8 sectors (ideal) | 31 conflicts' }).first().waitFor();
  assert.equal(await lenses.count(), 3, 'a lens per kernel');
  bench.mark('code lenses');

  await bench.awaitStatus('warpcost is running', /^version \S+, from the setting warpcost\.server\.interpreter$/m);

  await bench.goTo(11, 20);
  const kernel = await bench.hover('most expensive warp');
  assert.match(kernel, /31 bank conflicts/);
  assert.match(kernel, /per launch/);
  await bench.picture('hover-kernel');
  await bench.escape();
  await bench.goTo(7, 12);
  const access = await bench.hover('ABCDEFGH IJKLMNOP');
  assert.match(access, /Each warp touches 32 sectors where 4 would do/);
  assert.doesNotMatch(access, /`/, 'marks of code where no Markdown is shown');
  assert.equal(access.match(/each warp touches up to 32 sectors where 4 would do \(8x\)/g)?.length, 1, 'one diagnostic on the range');
  await bench.picture('hover-access');
  bench.mark('hover cards');

  // The page of the rule: by the link of the card, by the code of the finding, and by the command for the finding at the cursor.
  const preview = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  const shown = async (title) => {
    await preview.locator('h1', { hasText: title }).waitFor();
    await bench.command('View: Close Editor');
    await page.locator('iframe.webview.ready').first().waitFor({ state: 'detached' });
  };
  await page.locator('.monaco-hover a', { hasText: 'Show documentation for WC101' }).first().click();
  await preview.locator('h1', { hasText: 'WC101: uncoalesced-access' }).waitFor();
  await bench.picture('rule-page');
  await preview.locator('a', { hasText: 'Levels' }).first().click();
  await shown('Levels');
  await bench.goTo(19, 30);
  await bench.hover('Bank conflict reading');
  await page.locator('.monaco-hover a.code-link', { hasText: 'WC201' }).first().click();
  await shown('WC201: bank-conflict');
  await bench.goTo(26, 24);
  await bench.command('warpcost: Show Documentation of a Rule');
  await shown('WC302: divergent-loop');
  await bench.goTo(19, 30);
  await bench.hover('Bank conflict reading');
  await page.locator('.monaco-hover a', { hasText: 'What is assumed?' }).first().click();
  await shown('The standing assumptions');
  bench.mark('pages of rules');

  await bench.goTo(19, 30);
  const pad = await bench.quickFixByKeys("Pad 'tile' to [32][33]: 32-way bank conflict -> none");
  await bench.picture('quick-fix');
  await pad.click();
  await bench.awaitSquiggles('warning', [7]);
  assert.match(await bench.line(12), /tile\[32\]\[33\]/);
  bench.mark('fix applied');

  await bench.goTo(7, 12);
  await (await bench.quickFix('Transpose through a tile')).click();
  await bench.awaitSquiggles('warning', []);
  bench.mark('refactored');
  await page.keyboard.press('Control+Z');
  await bench.awaitSquiggles('warning', [7]);

  await bench.goTo(7, 12);
  await (await bench.quickFix('Silence WC101 on this line')).click();
  await bench.awaitSquiggles('warning', []);
  assert.match(await bench.line(7), /warpcost: ignore\[WC101\]/);
  bench.mark('silenced');
  await page.keyboard.press('Control+Z');
  await bench.awaitSquiggles('warning', [7]);

  // Why it is told, its page, and silence in the file and the project: each an entry of the menu.
  await bench.goTo(7, 12);
  await (await bench.quickFix('Why this level?')).click();
  await bench.awaitEditor(/WC101 uncoalesced-access begins at warning/);
  await bench.closeEditor();
  await bench.goTo(7, 12);
  await (await bench.quickFix('Show documentation for WC101')).click();
  await shown('WC101: uncoalesced-access');
  await bench.goTo(7, 12);
  await (await bench.quickFix('Silence WC101 in this file')).click();
  await bench.awaitSquiggles('warning', []);
  assert.match(await bench.line(1), /warpcost: ignore-file\[WC101\]/);
  await page.keyboard.press('Control+Z');
  await page.keyboard.press('Control+Z');
  await bench.awaitSquiggles('warning', [7, 19]);
  await bench.goTo(19, 30);
  await (await bench.quickFix('Silence WC201 in this project (warpcost.toml)')).click();
  await bench.awaitSquiggles('warning', [7]);
  const settings = path.join(bench.workspace, 'warpcost.toml');
  assert.equal(fs.readFileSync(settings, 'utf8'), '[levels]\nWC201 = "off"\n', 'the file that was made');
  await bench.goTo(7, 12);
  await (await bench.quickFix('Silence WC101 in this project (warpcost.toml)')).click();
  await page.locator('.tab.dirty[data-resource-name="warpcost.toml"]').first().waitFor();
  await bench.command('File: Save All Files');
  await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
  assert.equal(fs.readFileSync(settings, 'utf8'), '[levels]\nWC201 = "off"\nWC101 = "off"\n', 'the file that was edited');
  await bench.awaitSquiggles('warning', []);
  fs.rmSync(settings);
  await bench.awaitSquiggles('warning', [7, 19]);
  bench.mark('actions of findings');

  await bench.change({ 'warpcost.levels': { WC201: 'off' }, 'warpcost.codeLens': false });
  await bench.awaitSquiggles('warning', [7]);
  await lenses.first().waitFor({ state: 'detached' });
  await bench.change({});
  await bench.awaitSquiggles('warning', [7, 19]);
  bench.mark('settings changed');

  const server = bench.servers();
  assert.equal(server.length, 1, 'one server');
  const worker = descendants(server[0]).find((pid) => commandOf(pid).includes('warpcost-worker'));
  process.kill(worker, 'SIGKILL');
  await bench.retype(7, 9, 'out[y * w + x] = in[y * w + x];');
  await bench.awaitSquiggles('warning', [19]);
  assert.deepEqual(bench.servers(), server, 'the server lived on');
  bench.mark('worker killed and recovered');

  process.kill(server[0], 'SIGKILL');
  await bench.retype(7, 9, 'out[x * h + y] = in[y * w + x];');
  await bench.awaitSquiggles('warning', [7, 19]);
  bench.mark('server killed and recovered');
});
