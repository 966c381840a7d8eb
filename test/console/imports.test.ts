/**
 * The screen Imports in a real browser: a file with good and wrong rows, files that are rejected as a whole, in German
 * too, and the template.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, openConsole } from './support/browser.ts';
import { openAs } from './support/sign-in.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole();
});
afterAll(() => desk.close());

const COLUMNS =
  'clientId,catalogId,clientItemId,itemId,type,salesClass,styleId,taxCode,description,upcs.0.upcType,upcs.0.upc';
const row = (sku: string, salesClass: string, upc: string) =>
  `TOWN,21,${sku},21-${sku},MERCH,${salesClass},CUP,76800,"Espresso cup, white",UPC,${upc}`;

async function send(
  page: Page,
  text: string,
  labels: readonly [string, string] = ['CSV file', 'Send items'],
): Promise<void> {
  await page
    .getByLabel(labels[0])
    .setInputFiles({ name: 'items.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByRole('button', { name: labels[1] }).click();
}

const stored = async (itemId: string) =>
  (await desk.town.client.get(`/item-service/stores/TOWN_US/items/${itemId}`)).status === 200;

describe('an import', () => {
  it('asks for the file again if it was saved since it was chosen', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'imports-')), 'items.csv');
    writeFileSync(path, [COLUMNS, row('CUP-9', 'sometimes', '400000000497')].join('\n'));
    const page = await openAs(desk, 'integrator', '/office/imports', { viewport: 'desk' });
    const field = page.getByLabel('CSV file');
    const upload = page.getByRole('button', { name: 'Send items' });
    await field.setInputFiles(path);
    await upload.click();
    await page.getByRole('row', { name: /21-CUP-9/ }).waitFor();
    writeFileSync(path, [COLUMNS, row('CUP-9', 'stock', '400000000497')].join('\n'));
    await upload.click();
    await page.getByText('The file has changed since you chose it. Choose it again.').waitFor();
    expect(await field.inputValue()).toBe('');
    await field.setInputFiles(path);
    await upload.click();
    await page.getByText('The item is stored').waitFor();
    rmSync(path);
  });

  it('asks to sign in again if the session has ended', async () => {
    const page = await openAs(desk, 'integrator', '/office/imports', { viewport: 'desk' });
    await page.getByLabel('CSV file').waitFor();
    const ended = await desk.town.operator('DELETE', '/operator/v1/clients/TOWN/users/igor/sessions');
    expect(ended.status, ended.text).toBeLessThan(300);
    await send(page, [COLUMNS, row('CUP-8', 'stock', '400000000480')].join('\n'));
    await page.getByText('You were signed out.', { exact: false }).waitFor();
  });

  it('stores the good rows, says how many are not stored, and lists them with their errors', async () => {
    const page = await openAs(desk, 'integrator', '/office/imports', { viewport: 'desk' });
    await send(
      page,
      [COLUMNS, row('CUP-1', 'stock', '400000000411'), row('CUP-2', 'sometimes', '400000000428')].join('\n'),
    );
    await page.getByText('1 of 2 items are not stored').waitFor();
    const rejected = page.getByRole('row', { name: /21-CUP-2/ });
    await rejected.getByText("'salesClass' must be one of stock").waitFor();
    expect(await page.getByText('items are stored', { exact: false }).count()).toBe(0);
    expect([await stored('21-CUP-1'), await stored('21-CUP-2')]).toEqual([true, false]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Errors as CSV' }).click();
    expect(readFileSync(await (await saved).path(), 'utf8')).toContain(
      "21-CUP-2,\"line 3: 'salesClass' must be one of",
    );
    expect(await axe(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await beyondEdge(page)).toEqual([]);
    await send(page, [COLUMNS, row('CUP-2', 'stock', '400000000428')].join('\n'));
    await page.getByText('The item is stored').waitFor();
    expect(await stored('21-CUP-2')).toBe(true);
  });

  it('with a wrong column changes nothing, and names the column', async () => {
    const page = await openAs(desk, 'integrator', '/office/imports', { viewport: 'desk' });
    await send(page, 'itemId,descripton\n21-CUP-3,Cup\n');
    await page.getByText('The file is rejected: no item is stored').waitFor();
    const errors = page.getByRole('table', { name: 'Errors of the file' });
    await errors.getByRole('columnheader', { name: 'Column' }).waitFor();
    await errors
      .getByRole('row', { name: /^descripton / })
      .getByText("did you mean 'description'?")
      .waitFor();
    expect(await page.getByText('Rows that are not stored').count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    expect(await stored('21-CUP-3')).toBe(false);
  });

  it('in German has its errors in German: of rows, and of a file; a file with semicolons is read', async () => {
    const page = await openAs(desk, 'integrator', '/office/imports', { viewport: 'desk', locale: 'de-DE' });
    const labels = ['CSV-Datei', 'Artikel senden'] as const;
    await send(page, [COLUMNS, row('CUP-4', 'manchmal', '400000000435'), 'TOWN,21'].join('\n'), labels);
    await page
      .getByRole('row', { name: /^21-CUP-4 / })
      .getByText("Zeile 2: 'salesClass' muss einer von stock")
      .waitFor();
    await page.getByRole('row', { name: /^3 Zeile 3: die Zeile hat 2 Zellen, die Kopfzeile aber 11/ }).waitFor();
    await send(page, [`${COLUMNS},kein`, `${row('CUP-4', 'stock', '400000000435')},1`].join('\n'), labels);
    await page.getByText('Die Datei ist abgelehnt: Kein Artikel ist gespeichert').waitFor();
    await page
      .getByRole('table', { name: 'Fehler der Datei' })
      .getByText("unbekannte Spalte 'kein'; entfernen Sie sie")
      .waitFor();
    expect(await stored('21-CUP-4')).toBe(false);
    await send(page, [COLUMNS, row('CUP-4', 'stock', '400000000435')].join('\n').replaceAll(',', ';'), labels);
    await expect.poll(() => stored('21-CUP-4')).toBe(true);
  });

  it.each([
    ['en-US', ['CSV file', 'Send items'], 'Template', 'The item is stored', ','],
    ['de-DE', ['CSV-Datei', 'Artikel senden'], 'Vorlage', 'Der Artikel ist gespeichert', ';'],
  ] as const)('of the template in %s is accepted', async (locale, labels, template, done, separator) => {
    const page = await openAs(desk, 'integrator', '/office/imports', { viewport: 'desk', locale });
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: template }).click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    expect(text.startsWith(`\ufeffclientId${separator}catalogId${separator}`)).toBe(true);
    await send(page, text, labels);
    await page.getByText(done).waitFor();
  });
});
