/** Suggests the hold location for picked goods (docs/interface.md#response-of-the-pick-ticket). */
import { type SqlBool, sql } from 'kysely';
import { readJson } from '../../platform/json-column.ts';
import type { Reader } from '../../platform/storage/db.ts';
import { statement } from '../../platform/storage/statement.ts';
import type { FulfillmentOrderRow, NodeRow } from '../../platform/storage/tables.ts';
import { State } from '../states.ts';
import { NO_HOLD_LOCATION } from './reverse-ticket.ts';

/**
 * Orders whose goods are at the node. The condition must equal the condition of the index `fulfillment_orders_by_hold`.
 */
export const AT_NODE = sql<SqlBool>`(status < 3700 or status = 8000)`;

/** Returns the location of an order's goods. Before the CONFIRM of a check-in, it is the location that was saved last. */
export function locationOf(order: Pick<FulfillmentOrderRow, 'status' | 'hold_location' | 'checkin_hold_location'>) {
  return order.status === State.WAITING_FOR_CHECK_IN ? order.checkin_hold_location : order.hold_location;
}

/** Orders whose check-in has saved a location. The condition must equal the condition of `fulfillment_orders_by_saved_hold`. */
export const IS_SAVED = sql<SqlBool>`(checkin_hold_location is not null and status = 1300)`;

/**
 * Returns the hold location of the node with the fewest uses; of several such locations, the first in the node's list.
 * A node without hold locations gets `NO_HOLD_LOCATION`. An order uses its location while its goods are at the node,
 * also before the CONFIRM of its check-in. An open ticket also uses its location.
 */
export async function suggestHoldLocation(db: Reader, node: NodeRow): Promise<string> {
  const locations = readJson(node.hold_locations);
  const [first] = locations;
  if (first === undefined) return NO_HOLD_LOCATION;
  const used = new Map<string, number>();
  const at = { clientId: node.client_id, nodeId: node.node_id };
  for (const { location, uses } of await selectUses(db, at)) {
    if (location !== null) used.set(location, (used.get(location) ?? 0) + uses);
  }
  const usesOf = (location: string) => used.get(location) ?? 0;
  return locations.reduce((least, location) => (usesOf(location) < usesOf(least) ? location : least), first);
}

interface AtNode {
  clientId: string;
  nodeId: string;
}

/**
 * Counts the uses of each location by orders and by open tickets. The statuses are literals, because the partial
 * indexes do not match bound values. With an index, the query takes a tenth of the time.
 */
const selectUses = statement((db, { clientId, nodeId }: AtNode) =>
  db
    .selectFrom('fulfillment_orders')
    .select((eb) => ['hold_location as location', eb.fn.countAll<number>().as('uses')])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('hold_location', 'is not', null)
    .where(AT_NODE)
    .groupBy('hold_location')
    .unionAll(
      db
        .selectFrom('fulfillment_orders')
        .select((eb) => ['checkin_hold_location as location', eb.fn.countAll<number>().as('uses')])
        .where('client_id', '=', clientId)
        .where('node_id', '=', nodeId)
        .where(IS_SAVED)
        .groupBy('checkin_hold_location'),
    )
    .unionAll(
      db
        .selectFrom('pick_tickets')
        .select((eb) => ['hold_location as location', eb.fn.countAll<number>().as('uses')])
        .where('client_id', '=', clientId)
        .where('node_id', '=', nodeId)
        .where('status', '<>', sql.lit('CLOSED' as const))
        .groupBy('hold_location'),
    ),
);
