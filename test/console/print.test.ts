import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCode } from '../../src/shared/gs1.ts';
import { newContext } from './support/browser.ts';
import { type Lab, openLab } from './support/lab.ts';
import type { PrintLab } from './support/print-lab.tsx';
import { codesIn, pagesOf, rasterOfZpl } from './support/raster.ts';

const DPIS = [203, 300] as const;
const PAPERS = { A4: [210, 297], LETTER: [215.9, 279.4], LABEL: [100, 150], RECEIPT: [80, undefined] } as const;

/** The object that the page provides for the tests. */
declare const lab: PrintLab;
const PAPER_NAMES = Object.keys(PAPERS) as (keyof typeof PAPERS)[];

let served: Lab;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  served = await openLab('print-lab.tsx');
  const context = await newContext({ colorScheme: 'dark' });
  page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(served.url);
  await page.waitForFunction(() => 'lab' in globalThis);
  await page.evaluate(() => document.fonts.load('10pt "Atkinson Hyperlegible Next"'));
  // Printing needs no network.
  await context.setOffline(true);
});
afterAll(async () => {
  await page.context().close();
  await served.close();
});

const pdf = () => page.pdf({ preferCSSPageSize: true, printBackground: false });
/** Returns the GTIN or SSCC in a code, without the zeros that the symbol adds; any other code unchanged. */
const plain = (code: string) =>
  readCode(code, 2026).reads.find(({ kind }) => kind === 'GTIN' || kind === 'SSCC')?.value ?? code;

/** Returns a text without the spaces at which rows end, and without the parentheses of an SSCC. */
const bare = (text: string) => text.replace(/[\s()]/g, '');

describe('every printed code scans back', () => {
  it('from every document on every paper, at 203 and 300 dpi, from a console in the dark theme', async () => {
    const names = await page.evaluate(() => lab.documents);
    expect(names).toHaveLength(9);
    for (const name of names) {
      const code = await page.evaluate((one) => lab.codeOf(one), name);
      for (const paper of PAPER_NAMES) {
        const [widthMm, heightMm] = PAPERS[paper];
        await page.evaluate(([one, size]) => lab.showDocuments([one], size), [name, paper] as const);
        const content = await pdf();
        for (const dpi of DPIS) {
          const pages = await pagesOf(content, dpi);
          const what = `${name} on ${paper} at ${dpi} dpi`;
          expect(await codesIn(pages[0]!), what).toContain(code);
          expect(pages[0]!.widthMm, what).toBeCloseTo(widthMm, 0);
          if (heightMm === undefined) expect(pages, what).toHaveLength(1);
          else expect(pages[0]!.heightMm, what).toBeCloseTo(heightMm, 0);
        }
      }
    }
  });

  it('from every label, each on one page of its own size', async () => {
    const labels = await page.evaluate(() => lab.labels);
    for (const [name, code] of Object.entries(labels)) {
      await page.evaluate((one) => lab.showLabel(one), name);
      const content = await pdf();
      for (const dpi of DPIS) {
        const pages = await pagesOf(content, dpi);
        expect(pages, name).toHaveLength(1);
        expect((await codesIn(pages[0]!)).map(plain), `${name} at ${dpi} dpi`).toEqual([plain(code)]);
      }
    }
  });

  it('from the ZPL of every label, dot by dot', async () => {
    const labels = await page.evaluate(() => lab.labels);
    for (const [name, code] of Object.entries(labels)) {
      for (const dpi of [203, 300, 600] as const) {
        const zpl = await page.evaluate(([one, resolution]) => lab.zpl(one, resolution), [name, dpi] as const);
        expect((await codesIn(rasterOfZpl(zpl))).map(plain), `${name} at ${dpi} dpi`).toEqual([plain(code)]);
      }
    }
  });
});

describe('ZPL', () => {
  it('has the label once, its texts without commands of the printer, and no bar narrower than 3 dots', async () => {
    const zpl = await page.evaluate(() => lab.zpl('itemOwn', 203));
    expect(zpl.startsWith('^XA\n^CI28\n')).toBe(true);
    expect(zpl.endsWith('^PQ1\n^XZ\n')).toBe(true);
    expect(zpl).toContain('^FDITM-77_5E_7E_5F_5CX^FS');
    expect(zpl.match(/\^XA/g)).toHaveLength(1);
    for (const [, wide] of zpl.matchAll(/\^GB(\d+),/g)) expect(Number(wide)).toBeGreaterThanOrEqual(3);
  });

  it('has the quiet zone on both sides of bars of every length, at every resolution', async () => {
    const text = 'A-04-02-03-LEFT-OF-THE-DOOR-0123456789-A';
    for (const dpi of [203, 300, 600] as const) {
      for (let length = 1; length <= text.length; length += 1) {
        const place = text.slice(0, length);
        const zpl = await page.evaluate(([one, resolution]) => lab.zplOfPlace(one, resolution), [place, dpi] as const);
        const boxes = [...zpl.matchAll(/\^FO(\d+),(\d+)\^GB(\d+),/g)].map((box) => box.slice(1).map(Number));
        const module = Math.min(...boxes.map(([, , wide]) => wide!));
        const isMatrix = new Set(boxes.map(([, y]) => y)).size > 1;
        const left = Math.min(...boxes.map(([x]) => x!));
        const right = Math.max(...boxes.map(([x, , wide]) => x! + wide!));
        const width = Number(/\^PW(\d+)/.exec(zpl)![1]);
        const quiet = (isMatrix ? 4 : 10) * module;
        expect(Math.min(left, width - right), `${place} at ${dpi} dpi`).toBeGreaterThanOrEqual(quiet);
      }
    }
  });

  it('has the whole text of every label, in rows within its edges', async () => {
    const texts = await page.evaluate(() => lab.texts);
    for (const [name, lines] of Object.entries(texts)) {
      for (const dpi of [203, 300, 600] as const) {
        const zpl = await page.evaluate(([one, resolution]) => lab.zpl(one, resolution), [name, dpi] as const);
        const height = Number(/\^LL(\d+)/.exec(zpl)![1]);
        // Bold rows are printed twice.
        const rows = new Map<number, string>();
        for (const [, y, high, wide, data] of zpl.matchAll(/,(\d+)\^A0N,(\d+),\d+\^FB(\d+),1,0,C\^FH_\^FD(.*)\^FS/g)) {
          const text = data!.replace(/_([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
          rows.set(Number(y), text);
          const what = `${name} at ${dpi} dpi: ${text}`;
          // Letters of the printer are about 0.55 of their height wide.
          expect(text.length * Number(high) * 0.55, what).toBeLessThanOrEqual(Number(wide));
          expect(Number(y) + Number(high), what).toBeLessThanOrEqual(height);
        }
        for (const line of lines) expect(bare([...rows.values()].join('')), name).toContain(bare(line));
      }
    }
  });
});

describe('paper', () => {
  it('has the text of every code below it, but of a badge, whose code is a secret', async () => {
    await page.evaluate(() => lab.showLabel('place'));
    expect(await page.evaluate(() => document.querySelector('.print-root figcaption')?.textContent)).toBe('A-04-2');
    await page.evaluate(() => lab.showLabel('badge'));
    expect(await page.evaluate(() => document.querySelector('.print-root')!.textContent)).toBe('Mara MüllerStore 001');
    expect(await page.evaluate(() => lab.zpl('badge', 203))).not.toContain('BR-8c1f');
  });

  it('shows the words of its reader’s language, the client’s texts, and amounts as that language writes them', async () => {
    await page.evaluate(() => lab.showDocuments(['packSlip'], 'A4'));
    const text = await page.evaluate(() =>
      document.querySelector('.print-root')!.textContent.replaceAll('\u00a0', ' '),
    );
    for (const part of [
      'Lieferschein',
      'Lieferadresse',
      'Rücksendung an',
      'Tasse ITEM-1',
      '42,50 $',
      'Example Store',
      'Return within 30 days.',
    ]) {
      expect(text).toContain(part);
    }
    expect(await page.evaluate(() => document.querySelector('.print-root [lang]')!.getAttribute('lang'))).toBe('de');
  });

  it('breaks a long list over pages without cutting a line', async () => {
    await page.evaluate(() => lab.showDocuments(['pickList'], 'A4'));
    expect((await pagesOf(await pdf(), 50)).length).toBe(2);
  });

  it('ends on a receipt roll where the longest document ends', async () => {
    const pagesOn = async (...names: string[]) => {
      await page.evaluate((all) => lab.showDocuments(all, 'RECEIPT'), names);
      return pagesOf(await pdf(), 203);
    };
    const alone = [await pagesOn('holdTicket'), await pagesOn('receipt')].map(([one]) => one!.heightMm);
    const both = await pagesOn('holdTicket', 'receipt');
    expect(both).toHaveLength(2);
    for (const one of both) {
      expect(Math.abs(one.heightMm - Math.max(...alone))).toBeLessThan(2);
      expect(await codesIn(one)).not.toEqual([]);
    }
  });

  it('has the whole text of every label, within its edges', async () => {
    const texts = await page.evaluate(() => lab.texts);
    for (const [name, lines] of Object.entries(texts)) {
      await page.evaluate((one) => lab.showLabel(one), name);
      const shown = await page.evaluate(() => {
        const label = document.querySelector('.print-root .print-label')!;
        const bounds = label.getBoundingClientRect();
        const rows = [...label.querySelectorAll('p, figcaption')];
        return {
          text: rows.map((row) => row.textContent).join(' '),
          cut: rows.filter((row) => {
            const { bottom } = row.getBoundingClientRect();
            return row.scrollWidth > row.clientWidth || bottom > bounds.bottom;
          }).length,
        };
      });
      for (const line of lines) expect(bare(shown.text), name).toContain(bare(line));
      expect(shown.cut, name).toBe(0);
    }
  });

  it('is GS1-128 for the id of a carton only if the id is an SSCC', async () => {
    const caption = () => page.evaluate(() => document.querySelector('.print-root figcaption')?.textContent);
    await page.evaluate(() => lab.showLabel('cartonSscc'));
    expect(await caption()).toBe('(00) 000123456789012343');
    await page.evaluate(() => lab.showLabel('cartonDigits'));
    expect(await caption()).toBe('000123456789012348');
  });

  it('leaves nothing in the page if it cannot be drawn, so the next print does not have it', async () => {
    const failure = await page.evaluate(() => lab.showBroken().catch(String));
    expect(failure).toContain('GS1badChecksum');
    expect(await page.evaluate(() => document.querySelectorAll('.print-root').length)).toBe(0);
    expect(await page.evaluate(() => document.documentElement.classList.contains('is-printing'))).toBe(false);
  });

  it('leaves out a logo that a stalled network never delivers', async () => {
    await page.route('**/stalled.png', () => undefined);
    const from = Date.now();
    await page.evaluate(() => lab.showDocumentWithLogo('holdTicket', '/console/stalled.png'));
    expect(Date.now() - from).toBeGreaterThan(2500);
    expect(await page.evaluate(() => document.querySelectorAll('.print-root img').length)).toBe(0);
    expect(await page.evaluate(() => document.querySelector('.print-root')!.textContent)).toContain('W-77');
  });

  it('draws no complaint of the browser: no style, script or picture that the policy forbids', () => {
    expect(complaints).toEqual([]);
  });
});
