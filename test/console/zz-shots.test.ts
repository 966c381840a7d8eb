import { afterAll, beforeAll, it } from 'vitest';
import { loadArrivals } from '../../src/service/demo/arrivals.ts';
import { townCall } from '../support/town.ts';
import { type Console, openConsole } from './support/browser.ts';
import { openAs } from './support/sign-in.ts';
let desk: Console;
beforeAll(async () => {
  desk = await openConsole();
  await loadArrivals(townCall(desk.town.call), desk.town.client.secrets, desk.town.clock.now);
});
afterAll(() => desk.close());
it('shots', { timeout: 300_000 }, async () => {
  const page = await openAs(desk, 'lead', '/', { viewport: 'narrow', locale: 'de-DE' });
  page.setDefaultTimeout(20_000);
  const titles: unknown[] = [];
  const o = desk.town.orders as Record<string, string>;
  for (const path of ['/', '/queue', '/tickets', '/pack', `/pack/TOWN_US/${o.picked}`, '/hand-over', `/hand-over/TOWN_US/${o.ready}`, '/check-in', '/receive', '/bring-back', '/deliver', '/move', '/stock', '/stock/plans', '/stock/count', '/exceptions', '/boards', '/me', '/sync', '/return', '/items', '/receive/ASN/ASN-0421', '/receive/ASN/ASN-0421/close']) {
    await page.evaluate((to) => { location.hash = to; }, path);
    await page.waitForTimeout(1200);
    const found = await page.evaluate(() => {
      const h = document.querySelector('h1');
      if (h === null) return 'none';
      const range = document.createRange(); range.selectNodeContents(h);
      const tops = new Set([...range.getClientRects()].map((r) => Math.round(r.top)));
      return [h.textContent, tops.size, h.scrollWidth > h.clientWidth, document.documentElement.scrollWidth];
    });
    titles.push([path, found]);
    await page.screenshot({ path: `/tmp/con-shots/de-${path.replaceAll('/', '_')}.png` });
  }
  console.log(JSON.stringify(titles, null, 0).replaceAll('],[', '],\n['));
});
