/**
 * The permissions of each role. Sessions (`http/sessions.ts`), the console and the documentation use this table.
 */
import type { Permission } from './ctx.ts';

/** Meaning of each permission, for the documentation. */
export const PERMISSION_MEANINGS: Readonly<Record<Permission, string>> = {
  'fulfillment.read': 'search and read orders, tickets, slips and alerts',
  'fulfillment.write': 'generate, scan, confirm, pack, hand over, deliver',
  'checkin.read': 'read check-in details',
  'checkin.write': 'confirm check-in',
  supervise: 'take over or reset the ticket of another user, unlock a PIN, unlock a device, give a first PIN',
  decline: 'decline an order, release a hold, decide re-source requests',
  'reroute.read': 'read re-source requests',
  contact: "see a customer's e-mail address and phone number everywhere",
  'proofs.read': 'see signatures and photos of hand-overs',
  receive: 'read inbound shipments and receive goods',
  'stock.read': 'read stock',
  'receipts.close': 'close receipts',
  'receipts.approve': 'reopen and approve receipts',
  'stock.count': 'count stock',
  'stock.adjust': 'adjust stock',
  people: 'manage users and devices of own nodes, read access events',
  'items.read': 'read items',
  'items.write': 'write, upload and delete items',
  'orders.intake': 'send in orders and inbound shipments',
  'orders.change': 'cancel or change an order',
  client: 'read events, manage webhooks and credentials of the client',
  installation: 'manage clients, stores, nodes, providers and people of the operator',
};

const FLOOR = [
  'fulfillment.read',
  'fulfillment.write',
  'checkin.read',
  'checkin.write',
  'receive',
  'stock.read',
  'items.read',
] as const satisfies readonly Permission[];

const LEAD = [
  ...FLOOR,
  'supervise',
  'decline',
  'reroute.read',
  'contact',
  'receipts.close',
  'receipts.approve',
  'stock.count',
  'stock.adjust',
] as const satisfies readonly Permission[];

/** The permissions of each role. `operator` is the role of the operator's users, never of a client's user. */
export const ROLE_PERMISSIONS = {
  associate: FLOOR,
  lead: LEAD,
  manager: [...LEAD, 'proofs.read', 'people', 'orders.change'],
  clerk: ['checkin.read', 'checkin.write', 'receive', 'stock.read', 'receipts.close', 'stock.count', 'items.read'],
  support: [
    'fulfillment.read',
    'checkin.read',
    'reroute.read',
    'contact',
    'proofs.read',
    'items.read',
    'orders.change',
  ],
  integrator: ['items.read', 'items.write', 'orders.intake', 'orders.change', 'client'],
  operator: [
    'fulfillment.read',
    'checkin.read',
    'decline',
    'reroute.read',
    'receive',
    'stock.read',
    'people',
    'items.read',
    'items.write',
    'orders.intake',
    'orders.change',
    'client',
    'installation',
  ],
} as const satisfies Record<string, readonly Permission[]>;

export type Role = keyof typeof ROLE_PERMISSIONS;

export const ROLES = Object.keys(ROLE_PERMISSIONS) as [Role, ...Role[]];

type ClientRole = Exclude<Role, 'operator'>;
/** Roles for the users of a client. */
export const CLIENT_ROLES = ROLES.filter((role) => role !== 'operator') as [ClientRole, ...ClientRole[]];

/** Returns the permissions of a role; an unknown role has none. */
export function permissionsOf(role: string): readonly Permission[] {
  return Object.hasOwn(ROLE_PERMISSIONS, role) ? ROLE_PERMISSIONS[role as Role] : [];
}

/**
 * Whether `giver` has all permissions of `role` at all of `nodeIds`. An empty list `nodeIds`, and null in `giver`, mean
 * all nodes.
 */
export function covers(
  giver: { permissions: readonly Permission[]; nodeIds: readonly string[] | null },
  role: string,
  nodeIds: readonly string[],
): boolean {
  const hasAll = permissionsOf(role).every((one) => giver.permissions.includes(one));
  const { nodeIds: own } = giver;
  return hasAll && (own === null || (nodeIds.length > 0 && nodeIds.every((id) => own.includes(id))));
}
