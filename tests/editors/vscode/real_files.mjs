// Real files, whichever WARPCOST_FILES names ("file line column" by line, below the folder of WARPCOST_FOLDER): each is opened, the card of its first
// finding or kernel is shown, in the dark and in the light, and measured: no card leaves the window, no table of it is cut.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { scenario } from './workbench.mjs';

const THEMES = [['dark', 'Default Dark Modern'], ['light', 'Default Light Modern']];

const places = process.env.WARPCOST_FILES.trim().split('\n').map((line) => line.split('\t'));

/** The card at the cursor, asked for again until it has come: a long file may still be analysed. */
async function hover(bench, text) {
  const card = bench.page.locator('.monaco-hover:not(.hidden)', { hasText: text }).first();
  await bench.until(async () => {
    await bench.escape();
    for (const key of ['Control+K', 'Control+I']) await bench.page.keyboard.press(key);
    return card.waitFor({ timeout: 3000 }).then(() => true, () => false);
  }, `no card with ${text}`);
  return card.innerText();
}

/** What of the card is outside of the window, or wider than its frame. */
function measured(page) {
  return page.locator('.monaco-hover:not(.hidden)').first().evaluate((card) => {
    const { top, bottom, left, right } = card.getBoundingClientRect();
    const wide = [...card.querySelectorAll('table, pre, p')].filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0);
    const scrolled = [...card.querySelectorAll('.monaco-scrollable-element > *')].some((part) => part.scrollHeight > part.clientHeight + 1);
    return {
      outside: top < 0 || left < 0 || bottom > innerHeight || right > innerWidth,
      cut: wide.map((part) => part.tagName),
      scrolled,
    };
  });
}

await scenario('real-files', {}, async (bench) => {
  bench.putServerOnPath();
  for (const [name] of places) {
    fs.mkdirSync(path.dirname(path.join(bench.workspace, name)), { recursive: true });
    fs.copyFileSync(path.join(process.env.WARPCOST_FOLDER, name), path.join(bench.workspace, name));
  }
  await bench.open('transpose.cu');
  const wrong = [];
  for (const [theme, title] of THEMES) {
    await bench.change({ 'workbench.colorTheme': title });
    for (const [number, [name, line, column, text]] of places.entries()) {
      await bench.openFile(path.basename(name));
      await bench.awaitStatus('warpcost is running', /^warpcost is running$/m);
      await bench.goTo(Number(line), Number(column), '');
      const card = await hover(bench, text);
      const found = await measured(bench.page);
      await bench.picture(`real-${String(number + 1).padStart(2, '0')}-${theme}`);
      console.log(JSON.stringify({ theme, name, line, ...found, lines: card.split('\n').length }));
      if (found.outside || found.cut.length > 0) wrong.push(`${name}:${line} (${theme}): ${JSON.stringify(found)}`);
      await bench.escape();
    }
  }
  assert.deepEqual(wrong, []);
});
