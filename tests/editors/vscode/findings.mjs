// What a user does on an afternoon: sees findings, reads cards, applies a fix, silences, changes a setting, loses a worker.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { PYTHON, scenario } from './workbench.mjs';

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

  await page.locator('#warpcost\\.warpcost\\.status, [id="warpcost.warpcost.status"], .statusbar-item', { hasText: 'warpcost' }).first().waitFor();

  await bench.goTo(11, 20);
  const kernel = await bench.hover('most expensive warp');
  assert.match(kernel, /31 bank conflicts/);
  assert.match(kernel, /per launch/);
  await bench.picture('hover-kernel');
  await bench.escape();
  await bench.goTo(7, 12);
  const access = await bench.hover('ABCDEFGH IJKLMNOP');
  assert.match(access, /32 sectors per request, ideal 4/);
  assert.equal(access.match(/uncoalesced|up to 32 sectors per request, ideal 4 \(8\.0x\); executed/g)?.length, 1, 'one diagnostic on the range');
  await bench.picture('hover-access');
  await bench.escape();
  bench.mark('hover cards');

  await bench.goTo(19, 30);
  const pad = await bench.quickFix('Pad `tile` to [32][33]: 32-way bank conflict -> none');
  await bench.picture('quick-fix');
  await pad.click();
  await bench.awaitSquiggles('warning', [7]);
  assert.match(await bench.line(12), /tile\[32\]\[33\]/);
  bench.mark('fix applied');

  await bench.goTo(7, 12);
  await (await bench.quickFix('Silence WC101 on this line')).click();
  await bench.awaitSquiggles('warning', []);
  assert.match(await bench.line(7), /warpcost: ignore\[WC101\]/);
  bench.mark('silenced');
  await page.keyboard.press('Control+Z');
  await page.keyboard.press('Control+Z');
  await bench.awaitSquiggles('warning', [7, 19]);

  await bench.change({ 'warpcost.levels': { WC201: 'off' }, 'warpcost.codeLens': false });
  await bench.awaitSquiggles('warning', [7]);
  await lenses.first().waitFor({ state: 'detached' });
  await bench.change({});
  await bench.awaitSquiggles('warning', [7, 19]);
  bench.mark('settings changed');

  const servers = () => descendants(bench.process.pid).filter((pid) => commandOf(pid).includes('lsp_server'));
  const server = servers();
  assert.equal(server.length, 1, 'one server');
  const worker = descendants(server[0]).find((pid) => commandOf(pid).includes('spawn_main'));
  process.kill(worker, 'SIGKILL');
  await bench.retype(7, 9, 'out[y * w + x] = in[y * w + x];');
  await bench.awaitSquiggles('warning', [19]);
  assert.deepEqual(servers(), server, 'the server lived on');
  bench.mark('worker killed and recovered');

  process.kill(server[0], 'SIGKILL');
  await bench.retype(7, 9, 'out[x * h + y] = in[y * w + x];');
  await bench.awaitSquiggles('warning', [7, 19]);
  bench.mark('server killed and recovered');
});

/** The processes below one, by their numbers. */
function descendants(pid) {
  const children = asked('pgrep', '-P', String(pid)).trim().split('\n').filter(Boolean).map(Number);
  return [...children, ...children.flatMap(descendants)];
}

function commandOf(pid) {
  return asked('ps', '-o', 'args=', '-p', String(pid));
}

/** What a program says; status 1 is the word of both for: there is none. */
function asked(program, ...words) {
  const done = spawnSync(program, words, { encoding: 'utf8' });
  assert.ok(done.status === 0 || done.status === 1, `${program}: ${done.stderr}`);
  return done.stdout;
}
