/** The table of all screens: path, permissions, file. The navigation, the router and the tests read it. */
import { ArrowDownToLine, Boxes, ClipboardList, HandHelping, House, Move, Package, PackageCheck, Truck } from 'lucide';
import type { Route } from './ui/route.ts';

export { isOpenTo } from './ui/route.ts';

/** Screens that work at a node. */
const FLOOR = { needsPlace: true } as const;
/**
 * Screens of the desk, which show the data of one client. The texts of the desk load with the first of these screens.
 */
const OFFICE = { isOffice: true, needsClient: true } as const;
const EDI = { ...OFFICE, texts: 'edi' } as const;
const RETURNS = { ...OFFICE, texts: 'returns' } as const;
/** Screens of the desk that need no client: screens of the installation, and screens with a store in their path. */
const OFFICE_OF_ALL = { isOffice: true } as const;
const PICKING = { permissions: ['fulfillment.read', 'fulfillment.write'] } as const;

/** The screen for all paths while no user is signed in. */
export const SIGN_IN = {
  pattern: '/sign-in',
  load: () => import('./floor/sign-in.tsx'),
  hasShellTexts: true,
} as const satisfies Route;
/**
 * The screen that asks for a client or a node. It is shown in place of a screen that needs a client or node, until the
 * user has chosen.
 */
export const CHOOSE_PLACE = {
  pattern: '/choose-place',
  load: () => import('./floor/choose-place.tsx'),
} as const satisfies Route;

const TABLE = [
  {
    pattern: '/',
    ...FLOOR,
    hasShellTexts: true,
    load: () => import('./floor/home.tsx'),
    nav: { group: 'work', name: 'home', icon: House },
  },
  // Screens of picking.
  { pattern: '/queue', ...FLOOR, ...PICKING, load: () => import('./jobs/pick/queue.tsx') },
  { pattern: '/pick/:storeId/:ticketId', ...FLOOR, ...PICKING, load: () => import('./jobs/pick/pick.tsx') },
  {
    pattern: '/pick/:storeId/:ticketId/correct',
    ...FLOOR,
    permissions: ['supervise'],
    load: () => import('./jobs/pick/correct.tsx'),
  },
  {
    pattern: '/tickets',
    ...FLOOR,
    ...PICKING,
    load: () => import('./jobs/pick/tickets.tsx'),
    nav: { group: 'work', name: 'tickets', icon: ClipboardList },
  },
  { pattern: '/bring-back', ...FLOOR, ...PICKING, load: () => import('./jobs/bring-back/bring-back.tsx') },
  {
    pattern: '/bring-back/:storeId/:ticketId',
    ...FLOOR,
    ...PICKING,
    load: () => import('./jobs/bring-back/bring-back-ticket.tsx'),
  },
  // Screens of the counter.
  {
    pattern: '/hand-over',
    ...FLOOR,
    load: () => import('./jobs/hand-over/hand-over.tsx'),
    permissions: ['fulfillment.write'],
    nav: { group: 'work', name: 'handOver', icon: HandHelping },
  },
  {
    pattern: '/hand-over/:storeId/:orderId',
    ...FLOOR,
    load: () => import('./jobs/hand-over/hand-over-order.tsx'),
    permissions: ['fulfillment.write'],
  },
  {
    pattern: '/return',
    ...FLOOR,
    texts: 'take-back',
    load: () => import('./jobs/return/return.tsx'),
    permissions: ['fulfillment.write', 'receive'],
    nav: { group: 'work', name: 'takeBack' },
  },
  {
    pattern: '/return/:storeId/order/:orderId',
    ...FLOOR,
    texts: 'take-back',
    load: () => import('./jobs/return/return-order.tsx'),
    permissions: ['fulfillment.write'],
  },
  {
    pattern: '/return/:storeId/blind',
    ...FLOOR,
    texts: 'take-back',
    load: () => import('./jobs/return/return-blind.tsx'),
    permissions: ['fulfillment.write'],
  },
  {
    pattern: '/return/:storeId/announced/:number',
    ...FLOOR,
    texts: 'take-back',
    load: () => import('./jobs/return/return-announced.tsx'),
    permissions: ['receive'],
  },
  {
    pattern: '/check-in',
    ...FLOOR,
    load: () => import('./jobs/check-in/check-in.tsx'),
    permissions: ['checkin.write'],
    nav: { group: 'work', name: 'checkIn', icon: PackageCheck },
  },
  {
    pattern: '/check-in/:storeId/:orderId',
    ...FLOOR,
    load: () => import('./jobs/check-in/check-in-order.tsx'),
    permissions: ['checkin.write'],
  },
  {
    pattern: '/receive',
    ...FLOOR,
    load: () => import('./jobs/receive/receive.tsx'),
    permissions: ['receive'],
    nav: { group: 'work', name: 'receive', icon: ArrowDownToLine },
  },
  {
    pattern: '/receive/:type/:number',
    ...FLOOR,
    load: () => import('./jobs/receive/receive-shipment.tsx'),
    permissions: ['receive'],
  },
  {
    pattern: '/receive/:type/:number/carton/:cartonId',
    ...FLOOR,
    load: () => import('./jobs/receive/receive-carton.tsx'),
    permissions: ['receive'],
  },
  {
    pattern: '/receive/:type/:number/close',
    ...FLOOR,
    load: () => import('./jobs/receive/receive-close.tsx'),
    permissions: ['receive'],
  },
  {
    pattern: '/stock',
    ...FLOOR,
    load: () => import('./jobs/count/stock.tsx'),
    permissions: ['stock.read'],
    nav: { group: 'work', name: 'stock', icon: Boxes },
  },
  {
    pattern: '/stock/count',
    ...FLOOR,
    load: () => import('./jobs/count/stock-count.tsx'),
    permissions: ['stock.count'],
  },
  {
    pattern: '/stock/plans',
    ...FLOOR,
    texts: 'lead',
    load: () => import('./jobs/count/plans.tsx'),
    permissions: ['stock.read'],
  },
  {
    pattern: '/stock/plans/:planId',
    ...FLOOR,
    texts: 'lead',
    load: () => import('./jobs/count/plan.tsx'),
    permissions: ['stock.read'],
  },
  {
    pattern: '/stock/plans/:planId/count',
    ...FLOOR,
    texts: 'lead',
    load: () => import('./jobs/count/plan-count.tsx'),
    permissions: ['stock.count', 'fulfillment.write'],
  },
  { pattern: '/stock/move', ...FLOOR, load: () => import('./jobs/move/stock-move.tsx'), permissions: ['stock.adjust'] },
  {
    pattern: '/pack',
    ...FLOOR,
    load: () => import('./jobs/pack/pack.tsx'),
    permissions: ['fulfillment.write'],
    nav: { group: 'work', name: 'pack', icon: Package },
  },
  {
    pattern: '/pack/:storeId/:orderId',
    ...FLOOR,
    load: () => import('./jobs/pack/pack-order.tsx'),
    permissions: ['fulfillment.write'],
  },
  {
    pattern: '/deliver',
    ...FLOOR,
    load: () => import('./jobs/deliver/deliver.tsx'),
    permissions: ['fulfillment.write'],
    nav: { group: 'work', name: 'deliver', icon: Truck },
  },
  {
    pattern: '/deliver/:storeId/:orderId',
    ...FLOOR,
    load: () => import('./jobs/deliver/deliver-order.tsx'),
    permissions: ['fulfillment.write'],
  },
  {
    pattern: '/move',
    ...FLOOR,
    load: () => import('./jobs/move/move.tsx'),
    permissions: ['fulfillment.write'],
    nav: { group: 'work', name: 'move', icon: Move },
  },
  // Screens that search orders and items, and screens of leads and managers.
  { pattern: '/find', ...FLOOR, load: () => import('./floor/find.tsx') },
  {
    pattern: '/exceptions',
    ...FLOOR,
    texts: 'lead',
    load: () => import('./floor/exceptions.tsx'),
    permissions: ['supervise', 'decline'],
    nav: { group: 'lead', name: 'exceptions' },
  },
  {
    pattern: '/boards',
    needsClient: true,
    texts: 'desk',
    load: () => import('./floor/boards.tsx'),
    permissions: ['supervise'],
    nav: { group: 'lead', name: 'boards' },
  },
  {
    pattern: '/items',
    needsClient: true,
    load: () => import('./floor/items.tsx'),
    permissions: ['items.read'],
    nav: { group: 'work', name: 'items' },
  },
  { pattern: '/item/:itemId', ...FLOOR, load: () => import('./floor/item.tsx'), permissions: ['items.read'] },
  // Screens of the office.
  {
    pattern: '/office/clients',
    ...OFFICE_OF_ALL,
    load: () => import('./office/clients.tsx'),
    permissions: ['installation'],
    nav: { group: 'office', name: 'clients' },
  },
  {
    pattern: '/office/orders',
    ...OFFICE,
    load: () => import('./office/orders.tsx'),
    permissions: ['orders.change', 'supervise'],
    needs: 'fulfillment.read',
    nav: { group: 'office', name: 'orders' },
  },
  {
    pattern: '/office/orders/:storeId/:orderId',
    ...OFFICE_OF_ALL,
    load: () => import('./office/order.tsx'),
    permissions: ['fulfillment.read'],
  },
  {
    pattern: '/office/people',
    ...OFFICE,
    load: () => import('./office/people.tsx'),
    permissions: ['people', 'supervise'],
    nav: { group: 'office', name: 'users' },
  },
  {
    pattern: '/office/devices',
    ...OFFICE,
    load: () => import('./office/devices.tsx'),
    permissions: ['people', 'supervise'],
    nav: { group: 'office', name: 'devices' },
  },
  {
    pattern: '/office/inbound',
    ...OFFICE,
    load: () => import('./office/inbound.tsx'),
    permissions: ['receive', 'installation'],
    nav: { group: 'office', name: 'inbound' },
  },
  {
    pattern: '/office/inbound/:type/:number',
    ...OFFICE,
    load: () => import('./office/shipment.tsx'),
    permissions: ['receive', 'installation'],
  },
  {
    pattern: '/office/returns',
    ...RETURNS,
    load: () => import('./office/returns.tsx'),
    permissions: ['orders.change', 'fulfillment.read', 'receive'],
    nav: { group: 'office', name: 'returns' },
  },
  {
    pattern: '/office/returns/:storeId/:number',
    ...RETURNS,
    load: () => import('./office/return.tsx'),
    permissions: ['orders.change', 'fulfillment.read', 'receive'],
  },
  {
    pattern: '/office/refunds',
    ...RETURNS,
    load: () => import('./office/refunds.tsx'),
    permissions: ['orders.change', 'client'],
  },
  {
    pattern: '/office/edi',
    ...EDI,
    load: () => import('./office/edi.tsx'),
    permissions: ['client'],
    nav: { group: 'office', name: 'edi' },
  },
  {
    pattern: '/office/edi/interchange/:interchangeId',
    ...EDI,
    load: () => import('./office/edi-interchange.tsx'),
    permissions: ['client'],
  },
  { pattern: '/office/edi/try', ...EDI, load: () => import('./office/edi-try.tsx'), permissions: ['orders.intake'] },
  {
    pattern: '/office/edi/partners',
    ...EDI,
    load: () => import('./office/edi-partners.tsx'),
    permissions: ['client'],
  },
  {
    pattern: '/office/imports',
    ...OFFICE,
    load: () => import('./office/imports.tsx'),
    permissions: ['items.write'],
    nav: { group: 'office', name: 'imports' },
  },
  {
    pattern: '/office/credentials',
    ...OFFICE,
    load: () => import('./office/credentials.tsx'),
    permissions: ['client'],
    nav: { group: 'office', name: 'credentials' },
  },
  {
    pattern: '/office/webhooks',
    ...OFFICE,
    load: () => import('./office/webhooks.tsx'),
    permissions: ['client'],
    nav: { group: 'office', name: 'webhooks' },
  },
  {
    pattern: '/office/setup',
    ...OFFICE_OF_ALL,
    texts: 'desk',
    load: () => import('./office/setup.tsx'),
    permissions: ['installation', 'client'],
    nav: { group: 'office', name: 'setup' },
  },
  {
    pattern: '/office/stores',
    ...OFFICE,
    load: () => import('./office/stores.tsx'),
    permissions: ['installation'],
    nav: { group: 'office', name: 'stores' },
  },
  {
    pattern: '/office/nodes',
    ...OFFICE,
    load: () => import('./office/nodes.tsx'),
    permissions: ['installation'],
    nav: { group: 'office', name: 'nodes' },
  },
  {
    pattern: '/office/settings',
    ...OFFICE,
    texts: 'desk',
    load: () => import('./office/settings.tsx'),
    permissions: ['installation', 'people', 'client'],
    nav: { group: 'office', name: 'settings' },
  },
  {
    pattern: '/office/providers',
    ...OFFICE,
    texts: 'desk',
    load: () => import('./office/providers.tsx'),
    permissions: ['installation'],
    nav: { group: 'office', name: 'providers' },
  },
  {
    pattern: '/office/access',
    ...OFFICE,
    texts: 'desk',
    load: () => import('./office/access.tsx'),
    permissions: ['people'],
    nav: { group: 'office', name: 'access' },
  },
  {
    pattern: '/office/clock',
    ...OFFICE_OF_ALL,
    load: () => import('./office/clock.tsx'),
    permissions: ['installation'],
    nav: { group: 'office', name: 'clock' },
  },
  // Screens for every user.
  {
    pattern: '/labels',
    load: () => import('./print/labels-page.tsx'),
    texts: 'desk',
    permissions: ['fulfillment.read', 'checkin.read', 'receive', 'installation'],
    nav: { group: 'you', name: 'labels' },
  },
  {
    pattern: '/scanner',
    load: () => import('./scan/test-page.tsx'),
    nav: { group: 'you', name: 'scanner' },
  },
  {
    pattern: '/sync',
    load: () => import('./offline/conflicts.tsx'),
    nav: { group: 'you', name: 'sync' },
  },
  { pattern: '/passkeys', load: () => import('./floor/passkeys.tsx') },
  { pattern: '/me', load: () => import('./floor/me.tsx'), nav: { group: 'you', name: 'me' } },
] as const satisfies readonly Route[];

export const ROUTES: readonly Route[] = TABLE;
