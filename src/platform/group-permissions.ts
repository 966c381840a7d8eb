/** The permissions that each group of operations includes. The service and the console read this table. */
import type { Group, Permission } from './ctx.ts';

/** Permissions that a user needs to give a credential a group. */
export const GROUP_PERMISSIONS: Readonly<Record<Group, readonly Permission[]>> = {
  items: ['items.write'],
  inbound: ['orders.intake'],
  receiving: ['receive', 'receipts.close', 'stock.read'],
  stock: ['stock.read', 'receipts.approve', 'stock.count', 'stock.adjust'],
  intake: ['orders.intake', 'orders.change'],
  fulfillment: ['fulfillment.write'],
  supervise: ['supervise', 'decline', 'proofs.read'],
  events: ['client'],
};
