/**
 * The help of each screen: it exists in every language, it opens by key and by button, and the scanner works while it
 * is open.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HELP } from '../../console/help/screens.ts';
import { CHOOSE_PLACE, ROUTES, SIGN_IN } from '../../console/routes.ts';
import { help as de } from '../../console/texts/de/help.ts';
import { help as en } from '../../console/texts/en/help.ts';
import { help as es } from '../../console/texts/es/help.ts';
import type { HelpMessages } from '../../console/texts/help.ts';
import type { Role } from '../../src/platform/roles.ts';
import { anchorOf } from '../../src/service/web/html-page.ts';
import { beyondEdge } from '../../town/console/measure.ts';
import { axe, type Console, openConsole, type PageOptions } from './support/browser.ts';

const SCREENS = [...ROUTES, SIGN_IN, CHOOSE_PLACE].map(({ pattern }) => pattern);
const LANGUAGES: Record<string, HelpMessages> = { en, de, es };

describe('the help of every screen', () => {
  for (const [language, texts] of Object.entries(LANGUAGES)) {
    it(`is there in ${language}, in words of its own`, () => {
      const screens: Record<string, HelpMessages['screens']['/']> = texts.screens;
      expect(Object.keys(screens).sort()).toEqual([...SCREENS].sort());
      for (const [screen, { name, what, scan, offline }] of Object.entries(screens)) {
        for (const text of [name, what, scan, offline]) expect(text.trim(), screen).not.toBe('');
        if (texts !== en) expect(what, screen).not.toBe(en.screens[screen as '/'].what);
      }
      expect(new Set(Object.values(screens).map(({ name }) => name)).size).toBe(SCREENS.length);
    });
  }

  it('leads to a page of the guide, and a heading in it', () => {
    const missing = Object.values(HELP).filter(({ guide }) => {
      const [page, anchor] = guide.split('#') as [string, string | undefined];
      const headings = readFileSync(page, 'utf8').match(/^#{1,4} .+$/gm) ?? [];
      return anchor !== undefined && !headings.some((one) => anchorOf(one.replace(/^#+ /, '')) === anchor);
    });
    expect(missing).toEqual([]);
  });
});

describe('in a browser, help', () => {
  let desk: Console;
  beforeAll(async () => {
    desk = await openConsole();
  });
  afterAll(() => desk.close());

  async function open(as: Role, path: string, options: PageOptions & { search?: string } = {}) {
    const page = await desk.page({ as, path: null, ...options });
    await page.addInitScript(() => {
      localStorage.setItem('backroom.place', JSON.stringify({ clientId: 'TOWN', nodeId: 'TOWN-Store001' }));
    });
    await page.goto(`${desk.origin}/console/${options.search ?? ''}#${path}`);
    await page.waitForSelector('#main');
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
    const dialog = page.getByRole('dialog');
    return {
      page,
      dialog,
      hasTarget: () => page.evaluate(() => document.activeElement?.matches('[data-scan-target]')),
    };
  }

  it('says that it could not be loaded, and offers to load the page again', async () => {
    const { page, dialog } = await open('clerk', '/receive', { allow: [/help-.*\.js/] });
    await page.route(/\/help-[^/]*\.js/, (route) => route.abort());
    await page.keyboard.press('F1');
    const notice = page.getByRole('alert');
    await notice.getByText('No connection to the service.').waitFor();
    await page.keyboard.press('F1');
    await notice.waitFor({ state: 'detached' });
    await page.keyboard.press('F1');
    await page.unroute(/\/help-[^/]*\.js/);
    await notice.getByRole('button', { name: 'Load the page again' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.waitForSelector('#main');
    await page.keyboard.press('F1');
    await dialog.getByRole('heading', { name: 'Receive', exact: true }).waitFor();
  });

  it('opens by key and by button, closes by Escape, gives the focus back to the scan target', async () => {
    const { page, dialog, hasTarget } = await open('clerk', '/receive');
    await page.waitForFunction(() => document.activeElement?.matches('[data-scan-target]'));
    await page.keyboard.press('?');
    await dialog.getByRole('heading', { name: 'Receive', exact: true }).waitFor();
    await expect.poll(() => dialog.innerText()).toContain('Goods without papers');
    await expect.poll(() => dialog.locator('kbd', { hasText: /^B$/ }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(hasTarget).toBe(true);
    await expect.poll(() => page.inputValue('[data-scan-target]')).toBe('');

    await page.keyboard.press('F1');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.poll(hasTarget).toBe(true);

    await page.getByRole('button', { name: 'Help' }).click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(hasTarget).toBe(true);
  });

  it('does not take a code for a shortcut, nor a character in a field, and a scan goes through it', async () => {
    const { page, dialog, hasTarget } = await open('clerk', '/receive');
    await expect.poll(hasTarget).toBe(true);
    await page.keyboard.type('b?-1', { delay: 5 });
    await page.keyboard.press('Enter');
    await page.getByText('b?-1').waitFor();
    await expect.poll(() => dialog.count()).toBe(0);

    await page.getByRole('searchbox').fill('');
    await page.getByRole('searchbox').press('?');
    await expect.poll(() => page.inputValue('[type="search"]')).toBe('?');

    await page.getByRole('button', { name: 'Help' }).click();
    await dialog.waitFor();
    await page.keyboard.type('b?-2', { delay: 5 });
    await page.keyboard.press('Enter');
    await page.getByText('b?-2').waitFor();
    await dialog.waitFor({ state: 'detached' });

    // A single letter in the scan target is a shortcut.
    await page.locator('[data-scan-target]').focus();
    await page.keyboard.press('b');
    await dialog.getByText('Goods without papers').waitFor();
  });

  it('is also available at the desk and before the sign-in', async () => {
    const { page, dialog } = await open('manager', '/office/orders', { viewport: 'desk', theme: 'dark' });
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('?');
    await dialog.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TR');

    const signedOut = await desk.page({});
    await signedOut.getByRole('button', { name: 'Help' }).click();
    await signedOut.getByRole('dialog').getByRole('heading', { name: 'Sign in' }).waitFor();
    const guide = signedOut.getByRole('link', { name: 'More in the guide' });
    const page_ = await signedOut.request.get((await guide.getAttribute('href'))!);
    expect(page_.status()).toBe(200);
  });

  it('is accessible and within 320 px in every language, the longest texts included', async () => {
    for (const [theme, locale, search] of [
      ['light', 'de-DE', ''],
      ['dark', 'es-ES', ''],
      ['light', 'en-US', '?pseudo'],
    ] as const) {
      const { page, dialog } = await open('associate', '/', { viewport: 'narrow', theme, locale, search });
      await page.keyboard.press('F1');
      await dialog.waitFor();
      expect([await axe(page), await beyondEdge(page)], locale).toEqual([[], []]);
      if (search === '') continue;
      const bare = await dialog.locator('h2, h3, p, dd, a').allInnerTexts();
      expect(bare.filter((text) => !text.trim().startsWith('⟦'))).toEqual([]);
    }
  });
});
