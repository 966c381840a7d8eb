import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Console, openConsole } from './support/browser.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole({ proxy: true, below: '/store/backroom' });
});
afterAll(() => desk.close());

// In these tests, a page fails on every request outside of the path.
describe('the console of an installation that is served below a path', () => {
  it('signs in, shows work, and starts without the network', async () => {
    const page = await desk.page({ worker: true });
    const { userId, password } = desk.town.people.associate;
    await page.locator('input[name=clientId]').fill('TOWN');
    await page.locator('input[name=userId]').fill(userId);
    await page.locator('input[name=password]').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();

    await page.waitForSelector('nav.desk', { state: 'attached' });
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    expect(scope).toBe(`${desk.origin}/console/`);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'backroom', path: '/store/backroom' });
    const unplugged = desk.proxy.unplug();
    await page.reload();
    await page.waitForSelector('nav.desk', { state: 'attached' });
    unplugged();
  });

  it('is installed with its own address as start and scope', async () => {
    const page = await desk.page();
    const manifest = await page.evaluate(async () => {
      const { href } = document.querySelector<HTMLLinkElement>('link[rel=manifest]')!;
      const {
        start_url: start,
        scope,
        icons,
      } = (await (await fetch(href)).json()) as {
        start_url: string;
        scope: string;
        icons: { src: string }[];
      };
      return [start, scope, icons[0]!.src].map((path) => new URL(path, href).href);
    });
    const folder = `${desk.origin}/console/`;
    expect(manifest).toEqual([folder, folder, `${folder}icon.svg`]);
  });
});
