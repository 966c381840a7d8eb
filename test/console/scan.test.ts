import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newContext } from './support/browser.ts';
import { type Lab, openLab } from './support/lab.ts';
import type { ScanLab } from './support/scan-lab.tsx';

/** The object that the page provides for the tests. */
declare const lab: ScanLab;

const CODE = '4006381333931';
const OTHER = '4006381333948';

let served: Lab;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  served = await openLab('scan-lab.tsx');
});
afterAll(() => served.close());
beforeEach(async () => {
  const context = await newContext({ viewport: { width: 360, height: 740 } });
  page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(served.url);
  await page.waitForFunction(() => 'lab' in globalThis);
  // On a busy machine, keys arrive with longer pauses than from a scanner.
  await page.evaluate(() => lab.setProfile({ gapMs: 500 }));
  return () => context.close();
});

/** Sends keys as a keyboard-wedge scanner does, without pauses. */
async function wedge(code: string, end: string | null = 'Enter'): Promise<void> {
  await page.keyboard.type(code, { delay: 0 });
  if (end !== null) await page.keyboard.press(end);
}
const texts = () => page.evaluate(() => lab.scans.map(({ text, source }) => `${source} ${text}`));
const scanned = (...expected: string[]) => expect.poll(texts).toEqual(expected);
const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);
const isOnTarget = () => page.evaluate(() => document.activeElement?.hasAttribute('data-scan-target') === true);

describe('codes in the browser', () => {
  it('arrive at the scan target, which has the focus from the start and shows no keyboard', async () => {
    await expect.poll(isOnTarget).toBe(true);
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).inputMode)).toBe('none');
    await wedge(CODE);
    await wedge(OTHER, 'Tab');
    await scanned(`wedge ${CODE}`, `wedge ${OTHER}`);
    await expect.poll(isOnTarget).toBe(true);
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('');
  });

  it('are all counted, however fast they follow each other, 200 in a row', async () => {
    const codes = Array.from({ length: 200 }, (_, at) => `CODE-${at}`);
    for (const code of codes) await wedge(code);
    await scanned(...codes.map((code) => `wedge ${code}`));
  });

  it('are whole when the page is busy while they come', async () => {
    const busy = page.evaluate(() => lab.busyMs(600));
    await wedge(CODE);
    await busy;
    await expect.poll(() => page.evaluate(() => lab.scans.map(({ text }) => text))).toEqual([CODE]);
  });

  it('that are committed in one piece count, with Enter and without', async () => {
    await page.keyboard.insertText(CODE);
    await page.keyboard.press('Enter');
    await scanned(`wedge ${CODE}`);
    await page.keyboard.insertText(OTHER);
    await scanned(`wedge ${CODE}`, `wedge ${OTHER}`);
  });

  it('with a pause at the end count where nothing else ends them', async () => {
    await page.click('#target');
    await wedge(CODE, null);
    await scanned(`wedge ${CODE}`);
    await page.evaluate(() => lab.setProfile({ endsByGap: false }));
    await wedge(OTHER, null);
    await page.waitForTimeout(800);
    await scanned(`wedge ${CODE}`);
  });

  it('keep the separator of GS1, which scanners send as Control and ]', async () => {
    for (const where of ['target', 'page']) {
      if (where === 'page') await page.click('#target');
      await page.keyboard.type(`010401234567890110AB`);
      await page.keyboard.press('Control+]');
      await wedge('21X');
    }
    const expected = 'wedge 010401234567890110AB\x1d21X';
    await scanned(expected, expected);
  });

  it('in a text field give the field its value back, and the focus goes to the scan target', async () => {
    await page.click('#quantity');
    await wedge(CODE);
    await scanned(`wedge ${CODE}`);
    await expect.poll(() => page.inputValue('#quantity')).toBe('7');
    await expect.poll(() => page.textContent('#shown')).toBe('7');
    await expect.poll(isOnTarget).toBe(true);
    await page.click('#quantity');
    await page.keyboard.insertText(OTHER);
    await page.keyboard.press('Enter');
    await scanned(`wedge ${CODE}`, `wedge ${OTHER}`);
    await expect.poll(() => page.inputValue('#quantity')).toBe('7');
  });

  it('are not what a person types into a field', async () => {
    await page.evaluate(() => lab.setProfile({ gapMs: 100 }));
    await page.fill('#quantity', '');
    await page.locator('#quantity').pressSequentially('1234', { delay: 60 });
    await page.keyboard.press('Enter');
    await expect.poll(() => page.inputValue('#quantity')).toBe('1234');
    expect(await texts()).toEqual([]);
  });

  it('stay in a field that is there to be scanned into', async () => {
    await page.click('#keep');
    await wedge(CODE);
    await expect.poll(() => page.inputValue('#keep')).toBe(CODE);
    expect(await texts()).toEqual([]);
  });

  it('change no choice of a list that has the focus', async () => {
    await page.focus('#select');
    await wedge(CODE);
    await scanned(`wedge ${CODE}`);
    await expect.poll(() => page.inputValue('#select')).toBe('1');
  });

  it('click no button that has the focus, and reach no shortcut', async () => {
    await page.click('#target');
    await page.focus('#button');
    await wedge(CODE);
    await scanned(`wedge ${CODE}`);
    expect(await page.evaluate(() => [lab.clicks, lab.keys])).toEqual([[], []]);
    await page.keyboard.press('j');
    await expect.poll(() => page.evaluate(() => lab.keys)).toEqual(['j']);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => lab.clicks)).toEqual(['button']);
  });

  it('count while a dialog is open, whatever has the focus in it, and the target has it again afterwards', async () => {
    await page.click('#open');
    await page.focus('#inside');
    await wedge(CODE);
    await scanned(`wedge ${CODE}`);
    expect(await page.evaluate(() => lab.clicks)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(isOnTarget).toBe(true);
  });

  it('count at once after a dialog that a code has closed, though one of its fields had the caret', async () => {
    await expect.poll(isOnTarget).toBe(true);
    await page.evaluate(() => {
      lab.closesByCode = true;
      lab.showDialog(true);
    });
    await page.click('#typed');
    await wedge(CODE);
    await page.locator('dialog').waitFor({ state: 'detached' });
    await wedge(OTHER);
    await scanned(`wedge ${CODE}`, `wedge ${OTHER}`);
  });

  it('find the target again after a tap on a button, but not while a field is filled', async () => {
    await page.click('#button');
    await expect.poll(isOnTarget).toBe(true);
    await page.click('#quantity');
    await page.waitForTimeout(50);
    expect(await focused()).toBe('quantity');
  });

  it('that are pasted count line by line, but a paste into a field is a paste', async () => {
    const paste = (text: string) =>
      page.evaluate((content) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', content);
        document.activeElement!.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        );
      }, text);
    await paste(`${CODE}\r\nA1\n${OTHER}\n`);
    await scanned(`paste ${CODE}`, 'paste A1', `paste ${OTHER}`);
    await page.click('#quantity');
    await paste(CODE);
    await scanned(`paste ${CODE}`, 'paste A1', `paste ${OTHER}`);
  });

  it('that a person types into the target count with Enter', async () => {
    await page.getByRole('button', { name: 'Type a code' }).click();
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).inputMode)).toBe('text');
    await page.evaluate(() => lab.setProfile({ gapMs: 100 }));
    await page.keyboard.type('A-04-2', { delay: 130 });
    await page.keyboard.press('Enter');
    await scanned('typing A-04-2');
  });

  it('of a slow scanner are whole where the profile says so, and the device keeps its profile', async () => {
    await page.evaluate(() => lab.setProfile({ gapMs: 1_000, prefix: '~' }));
    await page.reload();
    await page.waitForFunction(() => 'lab' in globalThis);
    await page.keyboard.type(`~${CODE}`, { delay: 150 });
    await page.keyboard.press('Enter');
    await scanned(`wedge ${CODE}`);
  });
});

describe('sound', () => {
  it('waits for the first tap or key, as browsers ask, and says so', async () => {
    expect(await page.evaluate(() => lab.sound())).toBe('waiting');
    await expect.poll(() => page.getByText('The sound starts with your first tap.').isVisible()).toBe(true);
    await page.click('#button');
    await expect.poll(() => page.evaluate(() => lab.sound())).toBe('on');
    await page.evaluate(() => {
      for (const what of ['right', 'wrong', 'done'] as const) lab.feedback(what);
    });
  });

  it('and codes draw no complaint of the browser', () => {
    expect(complaints).toEqual([]);
  });
});
