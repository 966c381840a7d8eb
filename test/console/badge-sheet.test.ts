import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { PACKAGE_ROOT } from '../../src/platform/version.ts';
import { badgeSheet } from '../../src/service/cli/badge-sheet.ts';
import { launchOptions } from '../../town/console/chromium.ts';

let chrome: Browser;
beforeAll(async () => {
  chrome = await chromium.launch(launchOptions());
  const wasmBinary = new Uint8Array(
    readFileSync(join(PACKAGE_ROOT, 'node_modules/zxing-wasm/dist/reader/zxing_reader.wasm')),
  ).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
}, 60_000);
afterAll(() => chrome.close());

const card = (number: number) => ({
  userId: `user-${number}`,
  name: `Person <b>${number}</b> & others`,
  badge: `BADGE${String(number).padStart(11, '0')}`,
});
const cards = Array.from({ length: 11 }, (_, index) => card(index + 1));

it('each card of the sheet has a bar code that a scanner reads as the badge', { timeout: 60_000 }, async () => {
  const page = await chrome.newPage({ deviceScaleFactor: 3 });
  await page.setContent(badgeSheet('Badges', cards));
  for (const [index, { badge }] of cards.entries()) {
    const image = await page.locator('article').nth(index).screenshot();
    const read = await readBarcodes(new Blob([new Uint8Array(image)]), { formats: ['Code128'] });
    expect(read.map(({ text }) => text)).toEqual([badge]);
  }
  await page.close();
});

it('cards have the size of a bank card, ten on a page of A4, and names are text', { timeout: 60_000 }, async () => {
  const page = await chrome.newPage();
  await page.setContent(badgeSheet('Badges', cards));
  const box = (await page.locator('article').first().boundingBox())!;
  const millimetre = 96 / 25.4;
  expect([box.width / millimetre, box.height / millimetre].map((side) => side.toFixed(1))).toEqual(['85.6', '54.0']);
  await expect.poll(() => page.locator('h1').first().textContent()).toBe('Person <b>1</b> & others');
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(2);
  await page.close();
});
