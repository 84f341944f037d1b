// Draws a page to a picture.  Arguments: page, picture.

import { launchBrowser } from './workbench.mjs';

const [file, picture] = process.argv.slice(2);
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  await page.goto(`file://${file}`);
  await page.locator('pre').screenshot({ path: picture });
} finally {
  await browser.close();
}
