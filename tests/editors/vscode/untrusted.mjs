// A workspace that is not trusted does not choose what is run; the analysis works all the same.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { scenario } from './workbench.mjs';

const options = {
  // The user's own word; in the folder of a workspace it counts for nothing until that is trusted.
  machine: { 'warpcost.server.interpreter': '${workspaceFolder}/program' },
  environment: { PYTHONPATH: process.env.WARPCOST_ROOT },
  trust: false,
};

await scenario('untrusted', options, async (bench) => {
  // The workspace names a program of its own, which leaves a trace when it is run.
  const trace = path.join(bench.home, 'trace');
  const program = path.join(bench.workspace, 'program');
  fs.writeFileSync(program, `#!/bin/sh\necho ran >> '${trace}'\nexit 3\n`, { mode: 0o755 });
  fs.mkdirSync(path.join(bench.workspace, '.vscode'));
  const log = path.join(bench.home, 'log');
  const own = {
    'warpcost.server.path': program, 'warpcost.server.interpreter': program, 'warpcost.server.args': ['--log-file', log],
    'python.defaultInterpreterPath': program,
  };
  fs.writeFileSync(path.join(bench.workspace, '.vscode', 'settings.json'), JSON.stringify(own));

  bench.putServerOnPath();
  await bench.open('transpose.cu');
  await bench.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).first().waitFor();
  await bench.awaitSquiggles('warning', [7, 19]);
  assert.ok(!fs.existsSync(trace), 'a program of the workspace was run');
  assert.ok(!fs.existsSync(log), 'the workspace gave the server options');
  bench.mark('squiggles without trust');

  await bench.command('Workspaces: Manage Workspace Trust');
  await bench.page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).first().click();
  // Now the workspace may choose, and its program is no server: that is said.
  await bench.page.locator('.notification-toast', { hasText: 'warpcost was not found: the setting warpcost.server.path: it ended with status 3 and said nothing' }).first().waitFor();
  assert.ok(fs.existsSync(trace), 'the program of the trusted workspace was not run');
  await bench.picture('wrong-path');
});
