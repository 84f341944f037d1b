// A program of several files: the launch in main.cu is found, so that the answer is that of the command line (parts/answer.txt).

import { PYTHON, scenario } from './workbench.mjs';

const MACHINE = { 'warpcost.server.interpreter': PYTHON };

await scenario('one_answer', { machine: MACHINE, environment: { PYTHONPATH: process.env.WARPCOST_ROOT } }, async (bench) => {
  await bench.open('parts/rows.cu');
  await bench.awaitSquiggles('warning', [3]);
  await bench.awaitSquiggles('info', []);
  bench.mark('one answer');
});
