import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, type Console, killTab, openConsole, watch } from './support/browser.ts';

const PAGE = { type: 'text/html' };
const STRICT = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types console",
};

let desk: Console;
beforeAll(async () => {
  desk = await openConsole({ proxy: true });
  const page = (body: string) => ({
    ...PAGE,
    headers: STRICT,
    body: `<!doctype html><html lang="en"><title>T</title><body>${body}`,
  });
  desk.proxy.serve('/plain', page('<main><h1>Town</h1></main>'));
  desk.proxy.serve('/bad', page('<main><h1>Town</h1><img src="/x.png"></main>'));
});
afterAll(() => desk.close());

describe('the browser of the tests', () => {
  it('is on the real service, at the time of the town', async () => {
    const page = await desk.page({ path: '/plain' });
    const [status, now] = await page.evaluate(async () => [(await fetch('/livez')).status, Date.now()]);
    expect(status).toBe(200);
    expect(Math.abs(now - desk.town.clock.now)).toBeLessThan(60_000);
  });

  it('runs axe-core under a policy that forbids inline scripts, and hears what it finds', async () => {
    const page = await desk.page({ path: '/plain' });
    expect(await axe(page)).toEqual([]);
    await page.evaluate(() => document.querySelector('h1')?.setAttribute('role', 'nonsense'));
    expect((await axe(page)).join()).toContain('aria-roles');
  });

  it('hears a report of the policy, a console error and a request to another origin', async () => {
    const page = await desk.page({ path: '/bad', allow: [/./] });
    const heard = await watch(page.context(), desk.origin, desk.town.clock);
    await page.evaluate(() => console.error('broken'));
    await page.evaluate(() => fetch('http://localhost:9/').catch(() => undefined));
    expect(heard.join('\n')).toMatch(/content security policy: img-src[\s\S]*console: broken/);
    const open = await desk.page({ path: null, allow: [/./] });
    await open.goto('http://127.0.0.1:9/').catch(() => undefined);
    expect((await watch(open.context(), desk.origin, desk.town.clock)).join('\n')).toContain(
      'request to another origin',
    );
  });

  it('loses its network, and a response after the service has done the work', async () => {
    const page = await desk.page({ path: '/plain' });
    const read = () =>
      page.evaluate(() =>
        fetch('/livez').then(
          ({ status }) => status,
          () => 'no network',
        ),
      );
    const plug = desk.proxy.unplug();
    expect(await read()).toBe('no network');
    plug();
    desk.proxy.next('/livez', { kind: 'cut' });
    expect(await read()).toBe('no network');
    expect(desk.proxy.passed.at(-1)).toMatchObject({ url: '/livez', status: 200 });
    desk.proxy.next('/livez', { kind: 'refuse', status: 503, retryAfter: 2 });
    expect(await read()).toBe(503);
    expect(await read()).toBe(200);
  });

  it('kills a tab', async () => {
    const page = await desk.page({ path: '/plain' });
    await killTab(page);
    const second = await desk.page({ path: '/plain', context: page.context() });
    expect(await second.title()).toBe('T');
  });
});
