// The kernel report beside the source, light and dark; a click in it leads to the line.

import assert from 'node:assert/strict';
import path from 'node:path';
import { PYTHON, scenario } from './workbench.mjs';

// Without the Python extension its setting says which interpreter is selected, with variables as that extension has them.
const MACHINE = { 'python.defaultInterpreterPath': '${env:FOLDER_OF_PYTHON}/python' };
const ENVIRONMENT = { PYTHONPATH: process.env.WARPCOST_ROOT, FOLDER_OF_PYTHON: path.dirname(PYTHON) };

await scenario('report', { machine: MACHINE, environment: ENVIRONMENT }, async (bench) => {
  await bench.open('transpose.cu');
  const { page } = bench;
  await bench.awaitSquiggles('warning', [7, 19]);
  await bench.awaitStatus('warpcost is running', /from the selected Python interpreter/);
  bench.mark('squiggles');

  await bench.command('warpcost: Open Kernel Report');
  await page.locator('.tab', { hasText: 'Kernel report: transpose.cu' }).first().waitFor();
  const frame = page.frameLocator('iframe.webview.ready').frameLocator('iframe[title]');
  await frame.locator('h1', { hasText: 'Kernel report' }).waitFor();
  bench.mark('report open');
  await frame.locator('select').first().selectOption({ label: 'transpose_tiled' });
  await frame.locator('td', { hasText: '256*gridDim.x*gridDim.y' }).first().waitFor();
  assert.equal(await frame.locator('.access svg').count(), 4, 'a picture per access');
  await bench.picture('report-light');

  await bench.change({ 'workbench.colorTheme': 'Default Dark Modern' });
  await frame.locator('body.vscode-dark').waitFor();
  assert.equal(await frame.locator('body').evaluate((body) => getComputedStyle(body).colorScheme), 'dark');
  await bench.picture('report-dark');

  await frame.locator('.findings button').first().click();
  await page.waitForFunction(() => document.querySelector('#status\\.editor\\.selection')?.textContent.includes('Ln 19'));
  bench.mark('led to the line');
});
