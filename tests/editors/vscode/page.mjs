// Report pages in Chromium.  Arguments: a folder of pages, and a JSON file of expressions with sizes and expected values.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { launchBrowser, OUT } from './workbench.mjs';

const [folder, questions] = process.argv.slice(2);
const browser = await launchBrowser();
try {
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1100, 460]) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
      for (const name of fs.readdirSync(folder).sort()) {
        await look(context, path.join(folder, name), `${path.parse(name).name}-${colorScheme}-${width}`);
      }
      await context.close();
    }
  }
  const page = await openPage(await browser.newContext(), path.join(folder, 'transpose.html'));
  await compareValues(page);
  await seeOpenLanes(await openPage(await browser.newContext(), path.join(folder, 'gathers.html')));
  await seeCostsOfFunctions(await openPage(await browser.newContext(), path.join(folder, 'helpers.html')));
  await useByKeyboard(page);
  await followLinks(await openPage(await browser.newContext(), path.join(folder, 'transpose.html')));
  console.log('PASS');
} finally {
  await browser.close();
}

async function openPage(context, file) {
  const page = await context.newPage();
  page.on('pageerror', (error) => assert.fail(`${file}: ${error}`));
  page.on('console', (message) => assert.notEqual(message.type(), 'error', `${file}: ${message.text()}`));
  page.on('request', (request) => assert.match(request.url(), /^file:/, 'a request'));
  await page.goto(`file://${file}`);
  await page.locator('main').waitFor();
  return page;
}

/** Every kernel and launch is drawn; nothing is wider than the window, no text is cut or outside of its drawing. */
async function look(context, file, name) {
  const page = await openPage(context, file);
  const kernels = await page.locator('[data-part="pick"] select').first().locator('option').count();
  for (let kernel = 0; kernel < kernels; kernel += 1) {
    await page.locator('[data-part="pick"] select').first().selectOption(String(kernel));
    const faults = await page.evaluate(layoutFaults);
    assert.deepEqual(faults, [], `${name}, kernel ${kernel}`);
  }
  if (/^(transpose|gathers|helpers)/.test(name)) await page.screenshot({ path: path.join(OUT, `page-${name}.png`), fullPage: true });
  await page.close();
}

/** Runs in the page. */
function layoutFaults() {
  const faults = [];
  if (document.documentElement.scrollWidth > window.innerWidth) faults.push('the page is wider than the window');
  for (const text of document.querySelectorAll('svg text')) {
    const [box, all] = [text.getBoundingClientRect(), text.ownerSVGElement.getBoundingClientRect()];
    const inside = box.left >= all.left - 1 && box.right <= all.right + 1 && box.top >= all.top - 1 && box.bottom <= all.bottom + 1;
    if (!inside) faults.push(`'${text.textContent}' stands outside of its drawing`);
  }
  for (const drawing of document.querySelectorAll('svg.chart, .lanes svg')) {
    const boxes = [...drawing.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
    boxes.forEach(([one, a], i) => {
      for (const [other, b] of boxes.slice(i + 1)) {
        const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
        if (!apart) faults.push(`'${one}' and '${other}' overlap`);
      }
    });
  }
  for (const part of document.querySelectorAll('p, li, h1, h2, h3, label, figcaption, .said, td:not(.code)')) {
    if (part.textContent.includes('`')) faults.push(`'${part.textContent}' has marks of code`);
    if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0 && !part.closest('.wide')) faults.push(`'${part.textContent}' is cut`);
  }
  return faults;
}

/** The page's arithmetic gives what Python gives. */
async function compareValues(page) {
  const asked = JSON.parse(fs.readFileSync(questions, 'utf8'));
  const wrong = await page.evaluate((all) => {
    const exact = (sizes) => Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, BigInt(size)]));
    const shown = (value) => (typeof value === 'bigint' ? String(value) : value);
    return all
      .map(([text, sizes, expected]) => [text, sizes, expected, shown(globalThis.warpcostValueOf(text, exact(sizes)))])
      .filter(([, , expected, found]) => expected !== found);
  }, asked);
  assert.ok(asked.length > 1000, `only ${asked.length} expressions`);
  assert.deepEqual(wrong.slice(0, 5), []);
  console.log(`${asked.length} values agree`);
}

/** Each access has one drawing.  Where memory decides, it shows the lanes and the ends of the cost, and no lane's place. */
async function seeOpenLanes(page) {
  const expected = {
    gather: ['in[idx[i]]', '32 lanes anywhere: at most 32 sectors, at least 1', 32, [32, 1],
      'memory decides where · ideal 4'],
    histogram: ['part[data[threadIdx.x]]', '32 lanes somewhere within 1,024 bytes: at most 8 wavefronts, at least 1', 32, [8, 1],
      'memory decides where · ideal 1'],
    few: ['a[idx[threadIdx.x]]', '8 lanes anywhere: at most 8 sectors, at least 1', 8, [8, 1],
      'memory decides where · ideal 1'],
    wide: ['a[idx[threadIdx.x]].x', '32 lanes anywhere: at most 32 sectors, at least 1', 32, [32, 1],
      'memory decides where · ideal 4'],
  };
  for (const [kernel, [text, label, lanes, rows, rest]] of Object.entries(expected)) {
    await page.locator('[data-part="pick"] select').first().selectOption({ label: kernel });
    const cards = page.locator('.access');
    for (let i = 0; i < (await cards.count()); i += 1) assert.equal(await cards.nth(i).locator('svg').count(), 1, `${kernel}, access ${i}`);
    const card = cards.filter({ has: page.locator('h3 code', { hasText: new RegExp(`^${text.replace(/[[\].]/g, '\\$&')}$`) }) });
    assert.equal(await card.locator('svg').getAttribute('aria-label'), label);
    assert.equal(await card.locator('figcaption').innerText(), `${label} · ${rest}`);
    assert.equal(await card.locator('.lane:not(.off)').count(), lanes, `${kernel}: active lanes`);
    assert.equal(await card.locator('.link').count(), 0, `${kernel}: a place of a lane`);
    const counts = await card.locator('.target').evaluateAll((boxes) => boxes.map((box) => box.getAttribute('y')));
    assert.deepEqual([...new Set(counts)].map((y) => counts.filter((other) => other === y).length), rows, `${kernel}: the ends of the cost`);
  }
  await page.locator('[data-part="pick"] select').first().selectOption({ label: 'few' });
  const always = page.locator('figcaption', { hasText: 'always' });
  assert.equal(await always.innerText(), '32 lanes somewhere within 32 bytes: always 1 sector · memory decides where');
  const constant = page.locator('.access', { has: page.locator('svg[aria-label*="address"]') });
  assert.deepEqual(await constant.locator('svg').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
    ['8 lanes somewhere within 256 bytes: at most 8 addresses, at least 1', '32 lanes on 1 address']);
  await page.close();
}

/** What a kernel pays in functions that it calls stands beside their lines, and nothing is missing from the whole. */
async function seeCostsOfFunctions(page) {
  await page.locator('[data-part="pick"] select').first().selectOption({ label: 'row_sums' });
  const rows = await page.locator('.source tbody tr').evaluateAll((all) =>
    all.map((row) => [...row.cells].map((cell) => cell.innerText.trim())).map(([share, line, text]) => `${share}|${line}|${text}`));
  assert.deepEqual(rows, [
    '|6|float sum = 0.0f;', '|7|for (int k = 0; k < n; k++) {', '50%|8|sum += a[i * n + k];', '|9|}', '|10|return sum;',
    '|⋯|',
    '|17|__global__ void row_sums(float *out, const float *a, int n) {', '|18|int i = blockIdx.x * blockDim.x + threadIdx.x;',
    '0.0%|19|out[i] = other_row(a, n, i) + own_row(a, n, i);', '|20|}',
    '50%||rows.cuh:4 a[i * n + k]',
  ]);
  await page.locator('.source [data-line="8"] button').click();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-line')), '8', 'the access in the function has the focus');
  await page.close();
}

/** Everything can be reached and worked without a mouse, and the focus stays where it was when the page draws anew. */
async function useByKeyboard(page) {
  const { keyboard } = page;
  const focused = () => page.evaluate(() => document.activeElement?.closest('label')?.innerText.trim().split('\n')[0] ?? document.activeElement?.getAttribute('class'));
  const tabTo = async (wanted) => {
    for (let i = 0; i < 60; i += 1) {
      await keyboard.press('Tab');
      if (wanted(await focused())) return;
    }
    assert.fail(`no way by Tab to ${wanted}`);
  };
  await tabTo((name) => /^kernel/.test(name ?? ''));
  await keyboard.press('ArrowDown');
  await page.locator('td', { hasText: '256*gridDim.x*gridDim.y' }).first().waitFor();
  assert.match(await focused(), /^kernel/, 'the focus after another kernel was chosen');

  await tabTo((name) => /^gridDim\.x/.test(name ?? ''));
  await keyboard.press('Control+A');
  await keyboard.type('3');
  await page.locator('.now', { hasText: /^24,576$/ }).first().waitFor();

  await tabTo((name) => name === 'chart');
  const said = page.locator('.said').first();
  const before = await said.innerText();
  await keyboard.press('ArrowRight');
  assert.notEqual(await said.innerText(), before, 'arrow keys read the chart');
  await keyboard.press('End');
  assert.match(await said.innerText(), /gridDim\.x = 2,048: exactly 16,777,216/);

  // Of many sizes some are drawn; the last and the chosen one always.
  await page.locator('label', { hasText: 'up to' }).locator('select').selectOption('65536');
  await page.locator('.legend', { hasText: 'one size in 33 is drawn' }).waitFor();
  await page.locator('.said', { hasText: /^gridDim\.x = 3: exactly 24,576/ }).first().waitFor();
  await page.locator('svg.chart').first().focus();
  await keyboard.press('End');
  assert.match(await said.innerText(), /gridDim\.x = 65,536: exactly 536,870,912/);
  assert.deepEqual(await page.evaluate(layoutFaults), [], 'layout of a chart of many sizes');

  const ideals = await page.locator('.bounds tbody td:last-child').allInnerTexts();
  assert.equal(ideals[0], '8', 'ideal of the case that holds at these sizes');

  const cases = page.locator('.access[data-line="15"] .cases tbody tr');
  const costs = await cases.locator('td:nth-child(2)').allInnerTexts();
  assert.deepEqual(costs, ['4, ideal', 'at most 5 (1.3x the ideal)'], 'cases beside the ideal');

  const line = page.locator('.source [data-line="19"] button');
  await line.focus();
  await keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-line')), '19', 'the access of the line has the focus');

  const shares = await page.locator('.source .share').allInnerTexts();
  const total = shares.map((text) => parseFloat(text)).reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(total - 100) < 2, `shares of lines: ${shares}`);
}

/** The overview leads to kernels, a finding selects its metric and line, the address says all of it, and sizes stay within sense. */
async function followLinks(page) {
  const rows = page.locator('.overview tbody tr');
  const names = await rows.locator('th').allInnerTexts();
  await page.locator('[data-part="overview"] input').fill('tiled');
  assert.deepEqual(await page.locator('.overview tbody tr:visible th').allInnerTexts(), names.filter((name) => name.includes('tiled')));
  await page.locator('.overview tbody tr:visible button').first().click();
  assert.match(page.url(), /#kernel=transpose_tiled&/);
  const finding = page.locator('.findings li', { hasText: 'WC201' }).locator('button');
  await finding.first().click();
  assert.equal(await page.locator('[data-part="source"] select').inputValue(), 'conflicts', 'the metric of the finding');
  assert.match(page.url(), /metric=conflicts&line=\d+/);
  assert.equal(await page.locator('.source tr.at').count(), 1, 'its line');
  await page.reload();
  assert.equal(await page.locator('[data-part="source"] select').inputValue(), 'conflicts', 'a link opens there');
  assert.equal(await page.locator('[data-part="pick"] select').first().locator('option:checked').innerText(), 'transpose_tiled');
  const size = page.locator('[data-part="bounds"] input').first();
  await size.fill('-5');
  await size.blur();
  assert.ok(Number(await size.inputValue()) >= 0, 'no size below nothing');
  await size.fill('99999999999999999999');
  assert.equal(await page.locator('[data-part="bounds"] input').first().inputValue(), '2147483647');
  await page.close();
}
