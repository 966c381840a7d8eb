/**
 * `npm run screenshots`: takes pictures of the console's screens. It starts the demo and opens every screen at 320, 768
 * and 1440 px in both themes. It writes all pictures to `screenshots/`, and the pictures for the documentation to
 * `docs/pictures/`.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { createLog } from '../src/platform/log.ts';
import { systemPorts } from '../src/platform/ports.ts';
import { startDemo } from '../src/service/cli/demo.ts';
import { launchOptions } from '../town/console/chromium.ts';

const OUT = 'screenshots';
const DOCS = 'docs/pictures';
const WIDTHS = { phone: [320, 640], tablet: [768, 1024], desk: [1440, 900] } as const;
type Width = keyof typeof WIDTHS;

/** A screen: its name, its path, the signed-in user, and the width of its picture in the documentation. */
const SCREENS: readonly { name: string; path: string; as: string; docs?: Width }[] = [
  { name: 'home', path: '/', as: 'ana', docs: 'phone' },
  { name: 'queue', path: '/queue?queueId=WAITING_FOR_PICK_ISPU', as: 'ana', docs: 'phone' },
  { name: 'pick', path: '/pick/TOWN_US/TICKET', as: 'ana', docs: 'phone' },
  { name: 'tickets', path: '/tickets', as: 'leo' },
  { name: 'hand-over', path: '/hand-over', as: 'ana' },
  { name: 'hand-over-order', path: '/hand-over/TOWN_US/100000000501001', as: 'ana', docs: 'phone' },
  { name: 'check-in', path: '/check-in', as: 'cleo' },
  { name: 'check-in-order', path: '/check-in/TOWN_US/100000000301001', as: 'cleo', docs: 'phone' },
  { name: 'receive', path: '/receive', as: 'cleo', docs: 'phone' },
  { name: 'receive-shipment', path: '/receive/ASN/ASN-0419?sellerId=TOWNS', as: 'cleo', docs: 'phone' },
  { name: 'receive-carton', path: '/receive/ASN/ASN-0419/carton/00340123450000003056?sellerId=TOWNS', as: 'cleo' },
  { name: 'receive-po', path: '/receive/PO/PO-7731?sellerId=TOWNS', as: 'cleo' },
  { name: 'receive-close', path: '/receive/ASN/ASN-0419/close?sellerId=TOWNS', as: 'cleo', docs: 'phone' },
  { name: 'receive-held', path: '/receive/ASN/ASN-0418/close?sellerId=TOWNS', as: 'leo' },
  { name: 'receive-statement', path: '/receive/ASN/ASN-0412/close?sellerId=TOWNS', as: 'cleo' },
  { name: 'stock', path: '/stock', as: 'cleo' },
  { name: 'stock-count', path: '/stock/count?itemId=21-MUG-WHT', as: 'cleo' },
  { name: 'stock-move', path: '/stock/move?itemId=21-MUG-WHT', as: 'leo' },
  { name: 'pack', path: '/pack', as: 'ana' },
  { name: 'pack-order', path: '/pack/TOWN_US/100000000202001', as: 'ana', docs: 'tablet' },
  { name: 'deliver', path: '/deliver', as: 'ana' },
  { name: 'bring-back', path: '/bring-back', as: 'ana' },
  { name: 'find', path: '/find?code=400000000046', as: 'ana' },
  { name: 'exceptions', path: '/exceptions', as: 'leo', docs: 'desk' },
  { name: 'boards', path: '/boards', as: 'mara', docs: 'desk' },
  { name: 'items', path: '/items', as: 'leo' },
  { name: 'item', path: '/item/21-MUG-WHT', as: 'leo' },
  { name: 'orders', path: '/office/orders', as: 'mara', docs: 'desk' },
  { name: 'order', path: '/office/orders/TOWN_US/100000000501001', as: 'mara', docs: 'desk' },
  { name: 'people', path: '/office/people', as: 'mara', docs: 'desk' },
  { name: 'devices', path: '/office/devices', as: 'mara' },
  { name: 'inbound', path: '/office/inbound', as: 'mara' },
  {
    name: 'inbound-shipment',
    path: '/office/inbound/PO/PO-7731?sellerId=TOWNS&nodeId=TOWN-Store001',
    as: 'mara',
    docs: 'desk',
  },
  { name: 'access', path: '/office/access', as: 'mara' },
  { name: 'imports', path: '/office/imports', as: 'igor' },
  { name: 'credentials', path: '/office/credentials', as: 'igor' },
  { name: 'webhooks', path: '/office/webhooks', as: 'igor' },
  { name: 'nodes', path: '/office/nodes', as: 'opal' },
  { name: 'settings', path: '/office/settings', as: 'opal' },
  { name: 'providers', path: '/office/providers', as: 'opal' },
  { name: 'clients', path: '/office/clients', as: 'opal' },
  { name: 'clock', path: '/office/clock', as: 'opal' },
  { name: 'labels', path: '/labels', as: 'leo' },
  { name: 'scanner', path: '/scanner', as: 'ana' },
  { name: 'sync', path: '/sync', as: 'ana' },
  { name: 'me', path: '/me', as: 'ana' },
];

const only = process.argv.slice(2);
const lines: string[] = [];
const server = await startDemo({ port: 0, print: (line) => lines.push(line), ports: systemPorts(createLog('warn')) });
const base = /http:\/\/[\d.:]+/.exec(lines[0]!)![0];
const passwordOf = (userId: string) => new RegExp(`user ${userId}\\s+password (\\S+)`).exec(lines.join('\n'))![1]!;
const browser = await chromium.launch(launchOptions());
const ticket = await startTicket();
mkdirSync(OUT, { recursive: true });
mkdirSync(DOCS, { recursive: true });
try {
  for (const userId of new Set(SCREENS.map(({ as }) => as))) {
    for (const theme of ['light', 'dark'] as const) {
      for (const [width, [w, h]] of Object.entries(WIDTHS)) {
        const context = await browser.newContext({
          viewport: { width: w, height: h },
          colorScheme: theme,
          locale: 'en-US',
          reducedMotion: 'reduce',
        });
        const page = await context.newPage();
        await signIn(page, userId);
        for (const screen of SCREENS.filter(
          (one) => one.as === userId && (only.length === 0 || only.includes(one.name)),
        )) {
          await page.goto(`${base}/console/#${screen.path.replace('TICKET', ticket)}`);
          await page.waitForSelector('h1');
          await page.waitForSelector('[aria-busy="true"]', { state: 'detached' });
          // The script waits a fixed time for the images, because the home screen polls and the network therefore never becomes
          // idle.
          await page.waitForTimeout(400);
          const file = join(OUT, `${screen.name}-${width}-${theme}.png`);
          await page.screenshot({ path: file });
          if (screen.docs === width && theme === 'light') copyFileSync(file, join(DOCS, `${screen.name}-${width}.png`));
        }
        await context.close();
        console.log(`${userId} ${width} ${theme}`);
      }
    }
  }
} finally {
  await browser.close();
  await server.close();
}

/** Ana starts a ticket for two orders, so that there is a ticket to show. */
async function startTicket(): Promise<string> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, 'ana');
  const response = await context.request.post(`${base}/stores/TOWN_US/nodes/TOWN-Store001/pickTicket/generate`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: {
      storeId: 'TOWN_US',
      nodeId: 'TOWN-Store001',
      queueId: 'WAITING_FOR_PICK_ISPU',
      userId: 'ana',
      modifyAssociateId: 'ana',
      fulfillmentOrderIds: ['100000000101001', '100000000102001'],
    },
  });
  const { pickTicketDetails } = (await response.json()) as { pickTicketDetails: [{ pickTicketId: string }] };
  await context.close();
  return pickTicketDetails[0].pickTicketId;
}

/** Signs in with the sign-in operation, and chooses the town's first store. */
async function signIn(page: Page, userId: string): Promise<void> {
  await page.context().request.post(`${base}/session`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { ...(userId !== 'opal' && { clientId: 'TOWN' }), userId, password: passwordOf(userId) },
  });
  const place = JSON.stringify({ clientId: 'TOWN', nodeId: 'TOWN-Store001' });
  await page.addInitScript(`localStorage.setItem('backroom.place', ${JSON.stringify(place)})`);
  await page.goto(`${base}/console/`);
  await page.waitForSelector('#main');
}
