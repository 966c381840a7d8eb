/** Picks a ticket of 30 lines and 60 units offline, with two reloads and a killed tab, then restores the network. */
import type { Page } from 'playwright-core';
import { atMost, type Bar } from '../../town/console/bars.ts';
import { type Floor, MUG, scan, ticketPath } from './floor.ts';

const LINES = 30;
const UNITS = 60;
/** Numbers of picked units after which the page is reloaded, then killed, then reloaded again. */
const BREAKS = [15, 30, 45];

export async function offline(floor: Floor): Promise<Bar[]> {
  // Each line has a different price, so that the ticket does not merge the lines.
  const ticketId = await floor.ticket(Array.from({ length: LINES }, (_, line) => [2, line + 1] as const));
  const context = await floor.device('ana');
  const open = async () => {
    const page = await floor.page(context);
    await page.goto(`${floor.origin}${ticketPath(ticketId)}`);
    await page.locator('[data-scan-target]:focus').waitFor();
    return page;
  };
  let page = await open();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.waitForLoadState('networkidle');
  const plug = floor.unplug();
  for (let unit = 1; unit <= UNITS; unit += 1) {
    await scan(page, MUG);
    await sumOf(page).getByText(`${unit}/${UNITS}`, { exact: true }).waitFor();
    if (!BREAKS.includes(unit)) continue;
    if (unit === BREAKS[1]) {
      await kill(page);
      page = await open();
    } else {
      await page.reload();
      await page.locator('[data-scan-target]:focus').waitFor();
    }
    await sumOf(page).getByText(`${unit}/${UNITS}`, { exact: true }).waitFor();
  }
  const shown = Number((await sumOf(page).textContent())!.split('/')[0]);
  plug();
  const begun = performance.now();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  let counted = 0;
  while (counted < UNITS && performance.now() - begun < 30_000) {
    counted = await floor.counted(ticketId);
    if (counted < UNITS) await page.waitForTimeout(50);
  }
  const took = (performance.now() - begun) / 1_000;
  await context.close();
  return [
    atMost(0, {
      name: `units wrong of ${UNITS} in ${LINES} lines picked offline`,
      value: Math.abs(UNITS - counted) + Math.abs(UNITS - shown),
      unit: 'units',
      note: 'two reloads and a killed tab',
    }),
    atMost(5, { name: 'all is sent after the network is back', value: took, unit: 's', note: '' }),
  ];
}

const sumOf = (page: Page) => page.locator('.pick-sum');

/** Kills the renderer, like a system that is short of memory. */
async function kill(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  session.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
}
