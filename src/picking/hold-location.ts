/** Where the picked goods should wait (docs/decisions/055). */
import { type SqlBool, sql } from 'kysely';
import { NO_HOLD_LOCATION } from '../kernel/reverse-ticket.ts';
import type { Reader } from '../platform/storage/db.ts';
import { statement } from '../platform/storage/statement.ts';
import type { NodeRow } from '../platform/storage/tables.ts';

/** Orders whose goods lie at the node: the condition of the index `fulfillment_orders_by_hold`, word for word. */
const AT_NODE = sql<SqlBool>`(status < 3700 or status = 8000)`;

/**
 * The node's hold location that is used least, ties in the node's own order. In use is what orders not yet handed over wait
 * in, and what open tickets were given.
 */
export async function suggestHoldLocation(db: Reader, node: NodeRow): Promise<string> {
  const locations = JSON.parse(node.hold_locations) as string[];
  const [first] = locations;
  if (first === undefined) return NO_HOLD_LOCATION;
  const used = new Map<string, number>();
  const at = { clientId: node.client_id, nodeId: node.node_id };
  for (const { location, uses } of [...(await usesByOrders(db, at)), ...(await usesByTickets(db, at))]) {
    if (location !== null) used.set(location, (used.get(location) ?? 0) + uses);
  }
  const usesOf = (location: string) => used.get(location) ?? 0;
  return locations.reduce((least, location) => (usesOf(location) < usesOf(least) ? location : least), first);
}

/** Statuses are not bound: only then do the indexes of what is in use answer by themselves, a tenth of the time. */
interface AtNode {
  clientId: string;
  nodeId: string;
}

const usesByOrders = statement((db, { clientId, nodeId }: AtNode) =>
  db
    .selectFrom('fulfillment_orders')
    .select((eb) => ['hold_location as location', eb.fn.countAll<number>().as('uses')])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('hold_location', 'is not', null)
    .where(AT_NODE)
    .groupBy('hold_location'),
);

const usesByTickets = statement((db, { clientId, nodeId }: AtNode) =>
  db
    .selectFrom('pick_tickets')
    .select((eb) => ['hold_location as location', eb.fn.countAll<number>().as('uses')])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('status', '<>', sql.lit('CLOSED' as const))
    .groupBy('hold_location'),
);
