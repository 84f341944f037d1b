// Beside clangd on the same file: both hovers in one window, no finding twice.

import assert from 'node:assert/strict';
import { scenario } from './workbench.mjs';

const options = {
  environment: { PYTHONPATH: process.env.WARPCOST_ROOT, WARPCOST_CLANGD: process.env.WARPCOST_CLANGD },
  vsix: [process.env.WARPCOST_VSIX, `${process.env.WARPCOST_NEIGHBOURS}/clangd.vsix`],
};

await scenario('clangd', options, async (bench) => {
  bench.putServerOnPath(); // Nothing is set.
  await bench.open('transpose.cu');
  await bench.awaitSquiggles('warning', [7, 19]);
  await bench.awaitStatus('warpcost is running', /from PATH$/m);
  await bench.goTo(11, 20);
  // clangd says what the name is, warpcost what it costs, each as soon as it has read the file.
  const card = await bench.hoverOnce('transpose_tiled', '31 bank conflicts', 'function transpose_tiled');
  assert.match(card, /31 bank conflicts/);
  assert.match(card, /per launch/);
  await bench.picture('hover-beside-clangd');
  const rows = bench.page.locator('.monaco-hover:not(.hidden) .hover-row');
  assert.ok((await rows.count()) >= 2, 'a row for each');
  const boxes = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect()).map(({ top, bottom, left, right }) => ({ top, bottom, left, right })));
  boxes.slice(1).forEach((box, i) => assert.ok(box.top >= boxes[i].bottom - 1, 'the rows stand below each other'));
});
