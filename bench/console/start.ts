/**
 * Measures the time until the user can work, on a device six times slower, and the number of taps until the first unit
 * is picked.
 */
import type { Page } from 'playwright-core';
import { atMost, type Bar } from '../../town/console/bars.ts';
import { median } from '../support/scenario.ts';
import { type Floor, SLOW } from './floor.ts';

export async function start(floor: Floor, rounds: number): Promise<Bar[]> {
  const cold: number[] = [];
  const cached: number[] = [];
  // In a checkout, the first request bundles the console. An installed service does not bundle, so this request is not
  // measured.
  await fetch(`${floor.origin}/console/`);
  for (let round = 0; round < rounds; round += 1) {
    const context = await floor.device('ana');
    await context.addInitScript(watchStart);
    const page = await floor.page(context, SLOW);
    await page.goto(`${floor.origin}/console/`);
    cold.push(await interactive(page));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.close();
    const again = await floor.page(context, SLOW);
    await again.goto(`${floor.origin}/console/`);
    cached.push(await interactive(again));
    await context.close();
  }
  const note = (values: readonly number[]) =>
    `median of ${rounds}, ${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))}, processor ${SLOW} times slower`;
  return [
    atMost(2_000, { name: 'home is interactive, nothing cached', value: median(cold), unit: 'ms', note: note(cold) }),
    atMost(1_000, { name: 'home is interactive, from cache', value: median(cached), unit: 'ms', note: note(cached) }),
    await taps(floor),
  ];
}

/**
 * Records the time at which the tiles of the home screen are painted and the page can handle a tap. Runs in the page.
 */
function watchStart(): void {
  const see = new MutationObserver(() => {
    // A new screen is transparent until all of its parts have arrived.
    if (document.querySelector('.tile')?.checkVisibility({ opacityProperty: true }) !== true) return;
    see.disconnect();
    requestAnimationFrame(() => {
      setTimeout(() => {
        (globalThis as unknown as { interactiveAt: number }).interactiveAt = performance.now();
      });
    });
  });
  see.observe(document, { childList: true, subtree: true, attributeFilter: ['data-covered'] });
}

async function interactive(page: Page): Promise<number> {
  const at = await page.waitForFunction(() => (globalThis as unknown as { interactiveAt?: number }).interactiveAt);
  return (await at.jsonValue())!;
}

/** Counts the taps from the home screen until a unit is picked. */
async function taps(floor: Floor): Promise<Bar> {
  await floor.takeIn([[1, 5]], [[1, 5]]);
  const context = await floor.device('leo');
  const page = await floor.page(context);
  let count = 0;
  const tap = async (what: ReturnType<Page['locator']>) => {
    await what.tap();
    count += 1;
  };
  await page.goto(`${floor.origin}/console/`);
  await tap(page.getByRole('link', { name: /Pick.*Pickup/ }));
  await tap(page.getByRole('button', { name: /Take the next/ }));
  await tap(page.getByRole('button', { name: 'Found 1' }));
  await page.locator('.pick-sum').getByText(/^1\//).waitFor();
  await context.close();
  return atMost(3, { name: 'taps from home to the first unit picked', value: count, unit: 'taps', note: '' });
}
