/** The camera in a browser. A moving picture without a code takes the place of the camera. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Console, openConsole } from './support/browser.ts';
import { openAs } from './support/counter.ts';

let desk: Console;
beforeAll(async () => {
  desk = await openConsole();
});
afterAll(() => desk.close());

/** Opens a screen with a scan line, on a device whose camera the test controls. */
async function handheld(allow: RegExp[] = []): Promise<Page> {
  const page = await openAs(desk, 'clerk', '/receive', { allow });
  await page.evaluate(() => {
    const opened: MediaStreamTrack[] = [];
    Object.assign(globalThis, { tracks: opened });
    navigator.mediaDevices.getUserMedia = async () => {
      const canvas = document.createElement('canvas');
      canvas.getContext('2d')!.fillRect(0, 0, 10, 10);
      const stream = canvas.captureStream();
      opened.push(...stream.getVideoTracks());
      return stream;
    };
  });
  return page;
}

const open = (page: Page) => page.getByRole('button', { name: 'Scan with the camera' }).click();
const picture = (page: Page) => page.locator('video');

describe('the camera', () => {
  it('says if its reader cannot be loaded, and loads it by the next try, without a load of the page', async () => {
    const page = await handheld([/wasm/, /ArrayBuffer/]);
    await page.route(/\.wasm$/, (route) => route.abort());
    await open(page);
    const notice = page.getByRole('alert');
    await notice.getByText('No connection to the service.').waitFor();
    expect(await page.evaluate(() => (globalThis as unknown as { tracks: unknown[] }).tracks)).toEqual([]);
    await page.unroute(/\.wasm$/);
    await notice.getByRole('button', { name: 'Try again' }).click();
    await picture(page).waitFor();
  });

  it('that is unplugged shows a notice in place of its last picture', async () => {
    const page = await handheld();
    await open(page);
    await picture(page).waitFor();
    await page.waitForFunction(() => document.querySelector('video')!.srcObject !== null);
    await page.evaluate(() => {
      const [track] = (globalThis as unknown as { tracks: MediaStreamTrack[] }).tracks;
      track!.stop();
      track!.dispatchEvent(new Event('ended'));
    });
    await page.getByText('No camera was found').waitFor();
    expect(await picture(page).isVisible()).toBe(false);
  });
});
