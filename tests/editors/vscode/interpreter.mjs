// The server comes with the interpreter that is selected; with another one selected, from there.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PYTHON, scenario } from './workbench.mjs';

// A Python without warpcost, and one with it.
const without = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'python-')), 'python');
fs.writeFileSync(without, `#!/bin/sh\nexec '${PYTHON}' -S -E "$@"\n`, { mode: 0o755 });

const options = {
  environment: { PYTHONPATH: process.env.WARPCOST_ROOT, WARPCOST_INTERPRETERS: `${without}:${PYTHON}` },
  vsix: [process.env.WARPCOST_VSIX, `${process.env.WARPCOST_NEIGHBOURS}/python.vsix`],
};

await scenario('interpreter', options, async (bench) => {
  await bench.open('transpose.cu');
  const { page } = bench;
  await page.locator('.notification-toast', { hasText: 'warpcost needs its server' }).first().waitFor();
  // The status item says where it was looked for, and why that would not do.
  await bench.awaitStatus('warpcost is not installed yet', /selected Python interpreter: .*No module named 'lsp_server'/);
  bench.mark('not found');

  await bench.command('Python: Select Interpreter');
  await bench.pick(PYTHON);
  await bench.awaitStatus('warpcost is running', /from the selected Python interpreter/);
  await bench.awaitSquiggles('warning', [7, 19]);
  bench.mark('found');

  // The same one again is no reason to start another.
  const [server] = bench.servers();
  await bench.command('Python: Select Interpreter');
  await bench.pick(PYTHON);
  await bench.retype(7, 9, 'out[y * w + x] = in[y * w + x];');
  await bench.awaitSquiggles('warning', [19]);
  assert.deepEqual(bench.servers(), [server], 'the server lived on');
});
