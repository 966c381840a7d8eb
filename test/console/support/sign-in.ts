/** Opens pages with a signed-in user of the town. */
import type { Page } from 'playwright-core';
import type { Role } from '../../../src/platform/roles.ts';
import type { Console, PageOptions } from './browser.ts';

/** Opens a page of a new device (or of `context`) with the user of a role signed in; `path` is the part after `#`. */
export async function openAs(desk: Console, role: Role, path: string, options: PageOptions = {}): Promise<Page> {
  const page = await desk.page({ ...options, path: null });
  const { clientId, userId, password } = desk.town.people[role];
  const answer = await page.context().request.post(`${desk.origin}/session`, {
    // The request of a test has no `Sec-Fetch-Site`, so the test sends the value that a page of the console sends.
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { ...(clientId !== undefined && { clientId }), userId, password },
  });
  if (answer.status() !== 201) throw new Error(`${userId} could not sign in: ${await answer.text()}`);
  await page.goto(`${desk.origin}/console/#${path}`);
  return page;
}
