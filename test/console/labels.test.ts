import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, newContext } from './support/browser.ts';
import { type Lab, openLab } from './support/lab.ts';
import { codesIn, pagesOf, rasterOfZpl } from './support/raster.ts';

let served: Lab;
let page: Page;
beforeAll(async () => {
  served = await openLab('labels-lab.tsx');
  const context = await newContext({ viewport: { width: 320, height: 568 } });
  page = await context.newPage();
  await page.goto(served.url);
  await page.getByRole('heading', { name: 'Labels' }).waitFor();
});
afterAll(async () => {
  await page.context().close();
  await served.close();
});

it('saves a ZPL label for each line, and every one scans', async () => {
  await page.getByLabel('Codes, one a line').fill('A-04-2\n\n  Kühlraum 1 \n');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as ZPL' }).click();
  const zpl = readFileSync(await (await download).path(), 'utf8');
  const labels = zpl.split(/(?=\^XA)/);
  expect(await Promise.all(labels.map((label) => codesIn(rasterOfZpl(label))))).toEqual([['A-04-2'], ['Kühlraum 1']]);
});

it('opens the print dialog with a page for each label', async () => {
  // A real print dialog would block the page, so the test replaces it. The page shows the content to print until the
  // event `afterprint`.
  await page.evaluate(() => {
    globalThis.print = () => undefined;
  });
  await page.getByRole('button', { name: 'Print' }).click();
  await page.waitForSelector('.print-root figcaption', { state: 'attached' });
  const pages = await pagesOf(await page.pdf({ preferCSSPageSize: true }), 203);
  expect(await Promise.all(pages.map((one) => codesIn(one)))).toEqual([['A-04-2'], ['Kühlraum 1']]);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.waitForSelector('.print-root', { state: 'detached' });
});

it('prints the command cards without a code, and no carton whose number is wrong', async () => {
  await page.getByLabel('What to print').selectOption('carton');
  await page.getByLabel('Codes, one a line').fill('340123450000000018');
  await expect.poll(() => page.getByText('340123450000000018 is no SSCC').first().isVisible()).toBe(true);
  await expect.poll(() => page.getByRole('button', { name: 'Save as ZPL' }).getAttribute('aria-disabled')).toBe('true');
  await page.getByLabel('What to print').selectOption('commands');
  await expect.poll(() => page.getByRole('button', { name: 'Save as ZPL' }).getAttribute('aria-disabled')).toBeNull();
});

it('has no barrier that axe finds, and no sideways scroll at 320 px', async () => {
  expect(await axe(page)).toEqual([]);
  expect(await beyondEdge(page)).toEqual([]);
});

it('shows its texts also if those of the frame come last', async () => {
  const other = await page.context().newPage();
  await other.route(/\/en\.js$/, async (route) => {
    await floorTexts;
    await route.continue();
  });
  const floorTexts = other.waitForEvent('requestfinished', (request) => /\/floor\d*\.js$/.test(request.url()));
  await other.goto(served.url);
  await other.getByRole('heading', { name: 'Labels' }).waitFor();
  await other.close();
});
