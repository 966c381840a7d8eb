/**
 * Opens every screen as a user with access. Checks for layout shifts, content beyond the edge, requests to other sites,
 * and violations of the content security policy.
 */

import { townOrders } from '../../src/service/demo/orders.ts';
import { atMost, type Bar, screensOfConsole } from '../../town/console/bars.ts';
import { beyondEdge, shiftOf, watchShifts } from '../../town/console/measure.ts';
import type { Floor } from './floor.ts';

const SIZES = [
  { width: 320, height: 568 },
  { width: 1440, height: 900 },
];
/** Maximum number of layout shifts that the note lists for a screen. */
const NAMED = 3;
/** The user who opens a screen, by the first permission that the screen requires. */
const WHO: Record<string, string> = {
  installation: 'opal',
  client: 'igor',
  'items.write': 'igor',
  people: 'mara',
  'orders.change': 'mara',
  receive: 'mara',
};

export async function tour(floor: Floor): Promise<Bar[]> {
  const ticketId = await floor.ticket([[2, 5]], [[1, 5]]);
  const screens = (await screensOfConsole()).map(({ pattern, permissions = [] }) => ({
    path: pathOf(pattern, ticketId),
    who: WHO[permissions[0] ?? ''] ?? 'leo',
  }));
  const found = { shifts: 0, wide: [] as string[], elsewhere: new Set<string>(), reports: new Set<string>() };
  const moves: string[] = [];
  for (const size of SIZES) {
    for (const who of new Set(screens.map((screen) => screen.who))) {
      const context = await floor.device(who, size);
      context.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(`${floor.origin}/`) && !/^(data|blob|about):/.test(url)) found.elsewhere.add(url);
      });
      await context.exposeBinding('reportPolicy', (_, report: string) => found.reports.add(report));
      await context.addInitScript(watchPolicy);
      await context.addInitScript(watchShifts);
      const page = await floor.page(context);
      for (const { path } of screens.filter((screen) => screen.who === who)) {
        // The screen is loaded completely, because a full load is a harder test than a change from another screen.
        await page.goto('about:blank');
        await page.goto(`${floor.origin}/console/#${path}`);
        await page.waitForSelector('h1');
        await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
        await page.waitForFunction(() => document.documentElement.dataset['covered'] === undefined);
        // A fixed wait for pictures and late content: the network never becomes idle, because the home screen polls.
        await page.waitForTimeout(400);
        const { sum, moved } = await shiftOf(page);
        found.shifts = Math.max(found.shifts, sum);
        if (sum > 0) moves.push(`${path} at ${size.width} px ${sum.toFixed(4)}: ${moved.slice(0, NAMED).join(', ')}`);
        if (size.width === 320) found.wide.push(...(await beyondEdge(page)).map((what) => `${path} ${what}`));
      }
      await context.close();
    }
  }
  const first = (texts: Iterable<string>) => [...texts][0] ?? `${screens.length} screens`;
  return [
    atMost(0, { name: 'largest layout shift of a screen', value: found.shifts, unit: '', note: moves.join('; ') }),
    atMost(0, {
      name: 'elements beyond the edge at 320 px',
      value: found.wide.length,
      unit: '',
      note: first(found.wide),
    }),
    atMost(0, {
      name: 'requests to another origin',
      value: found.elsewhere.size,
      unit: '',
      note: first(found.elsewhere),
    }),
    atMost(0, {
      name: 'reports of the Content-Security-Policy',
      value: found.reports.size,
      unit: '',
      note: first(found.reports),
    }),
  ];
}

/** Reports violations of the content security policy. Runs in the page. */
function watchPolicy(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
    const report = `${violatedDirective} blocks ${blockedURI} at ${sourceFile}`;
    (globalThis as unknown as { reportPolicy: (report: string) => void }).reportPolicy(report);
  });
}

/** Returns the path of a screen, with ids of the town. */
function pathOf(pattern: string, ticketId: string): string {
  const orderOf: Record<string, string> = {
    'check-in': townOrders.arriving,
    pack: townOrders.picked,
    deliver: townOrders.delivery,
  };
  return pattern
    .replace(':storeId', 'TOWN_US')
    .replace(':orderId', orderOf[pattern.split('/')[1]!] ?? townOrders.ready)
    .replace(':ticketId', ticketId)
    .replace(':itemId', '21-MUG-WHT');
}
