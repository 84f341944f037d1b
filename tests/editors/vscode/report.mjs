// The kernel report beside the source, light and dark; a click in it leads to the line.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { PYTHON, scenario } from './workbench.mjs';

// Without the Python extension its setting says which interpreter is selected, with variables as that extension has them.
const MACHINE = { 'python.defaultInterpreterPath': '${env:FOLDER_OF_PYTHON}/python' };
const ENVIRONMENT = { PYTHONPATH: process.env.WARPCOST_ROOT, FOLDER_OF_PYTHON: path.dirname(PYTHON) };

// A second folder of the workspace: its own settings of the editor, and its own settings file, hold for its files alone.
const KERNELS = fs.readFileSync(path.join(process.env.WARPCOST_ROOT, 'tests/editors/workspace/transpose.cu'), 'utf8');
const SECOND = {
  'other.cu': KERNELS,
  'inner/another.cu': KERNELS,
  'inner/warpcost.toml': 'levels = { WC201 = "off" }\n',
  '.vscode/settings.json': JSON.stringify({ 'warpcost.warningShare': 0.9 }),
};

await scenario('report', { machine: MACHINE, environment: ENVIRONMENT, second: SECOND }, async (bench) => {
  await bench.open('transpose.cu');
  const { page } = bench;
  await bench.awaitSquiggles('warning', [7, 19]);
  await bench.awaitStatus('warpcost is running', /from the selected Python interpreter/);
  bench.mark('squiggles');

  await bench.openFile('other.cu');
  await bench.awaitSquiggles('warning', [19]);
  await bench.closeEditor();
  await bench.openFile('another.cu');
  await bench.awaitSquiggles('warning', []);
  await bench.awaitSquiggles('info', [7, 26, 27]);
  await bench.closeEditor();
  bench.mark('two folders');

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
