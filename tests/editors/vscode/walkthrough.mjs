// The walkthrough opens with its four steps and their pictures; the menu of the status item has every command.

import assert from 'node:assert/strict';
import { PYTHON, scenario } from './workbench.mjs';

const MACHINE = { 'warpcost.server.interpreter': PYTHON };

await scenario('walkthrough', { machine: MACHINE, environment: { PYTHONPATH: process.env.WARPCOST_ROOT } }, async (bench) => {
  await bench.open('transpose.cu');
  const { page } = bench;
  await bench.awaitSquiggles('warning', [7, 19]);

  const entries = page.locator('.quick-input-list .monaco-list-row');
  await bench.command('warpcost: Show Menu');
  await entries.filter({ hasText: 'Open kernel report' }).first().waitFor();
  assert.equal(await entries.count(), 6, 'entries of the menu');
  await bench.picture('menu');
  await bench.escape();

  await bench.command('Welcome: Open Walkthrough...');
  await page.locator('.quick-input-widget input[type="text"]').first().fill('See what each warp pays');
  await entries.filter({ hasText: 'See what each warp pays' }).first().click();
  for (const step of ['Get the server', 'Open a CUDA file', 'Apply a fix', 'Read the report']) {
    await page.locator('.getting-started-step', { hasText: step }).first().waitFor();
  }
  await page.locator('.getting-started-step', { hasText: 'Apply a fix' }).first().click();
  const picture = page.locator('.getting-started-media img').first();
  await picture.waitFor();
  await page.waitForFunction(() => document.querySelector('.getting-started-media img')?.naturalWidth > 0);
  await bench.picture('walkthrough');
});
