/** People of the town at their devices: a page on which somebody is signed in already. */
import type { Page } from 'playwright-core';
import type { Role } from '../../../src/platform/roles.ts';
import type { Console, PageOptions } from './browser.ts';

/** Opens a page of a new device (or of `context`) with the user of a role signed in; `path` is the part after `#`. */
export async function openAs(desk: Console, role: Role, path: string, options: PageOptions = {}): Promise<Page> {
  const page = await desk.page({ ...options, path: null });
  const { clientId, userId, password } = desk.town.people[role];
  const answer = await page.context().request.post(`${desk.origin}/session`, {
    // A request of the test is no page's; this says what a page's would.
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { ...(clientId !== undefined && { clientId }), userId, password },
  });
  if (answer.status() !== 201) throw new Error(`${userId} could not sign in: ${await answer.text()}`);
  await page.goto(`${desk.origin}/console/#${path}`);
  return page;
}
