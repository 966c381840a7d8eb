import type { Ctx } from '../ctx.ts';
import { badRequest, conflict } from '../http/errors.ts';
import { reply, writeOperation } from '../http/operation.ts';
import { FAULTS_MAX, type Fault } from '../http/validate.ts';
import type { StoreRow } from '../storage/tables.ts';
import { IntakeBody, IntakeReply, type OrderIntake } from './intake-schema.ts';
import { type CheckedOrder, checkOrders, insertOrders, type NewOrder, type StandingRow } from './intake-store.ts';
import { findOrders } from './store.ts';

/** An order taken in by another transaction between check and insert is seen by the second check: orders are never deleted. */
const ATTEMPTS = 2;

export const createFulfillmentOrders = writeOperation({
  id: 'createFulfillmentOrders',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders',
  auth: 'operatorOrApiKey',
  group: 'intake',
  summary: 'Take in fulfillment orders',
  description: `One order or a list of 1 to 500, all or nothing (design 7, decision 33). Each order needs: a node of the
client that works on its fulfillment type; items that exist and are eligible for it; webLineIds and destinationIds that
stand once; references to its own destinations; an orderDate not later than its fulfillmentOrderDate. SHIP_TO_HOME needs
carrier and service, whole destinations, and a countryOfOrigin on each item when it goes to another country than the
node's. SHIP_TO_STORE needs shipFromAddress and packages that sum to the lines, or inStore: true. Pointers of faults start
with the index of the order where a list was sent. An order that is there already with the same content is left as it is;
with other content the call is refused with 409, naming the members that differ.`,
  ownAgreement: true,
  body: IntakeBody,
  errors: 'problem',
  replies: {
    201: { description: 'At least one order was taken in', schema: IntakeReply },
    200: { description: 'All orders were there already with the same content', schema: IntakeReply },
  },
  refusals: { 404: 'There is no such store', 409: 'An order is there already with other content; `differs` names it' },
  async handle(ctx, { store, body }) {
    const orders = Array.isArray(body) ? body : [body];
    const standings = new Map<string, StandingRow>();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const open = orders.filter((order) => !standings.has(order.fulfillmentOrderId));
      const checked = await checkOrders(ctx, store, open);
      refuseFaults(checked, Array.isArray(body));
      refuseDifferences(checked);
      const fresh = checked.filter((one): one is NewOrder => one.outcome === 'new');
      for (const [id, row] of await insertOrders(ctx, store, fresh)) standings.set(id, row);
      if (fresh.every(({ order }) => standings.has(order.fulfillmentOrderId))) break;
    }
    const created = standings.size > 0;
    return reply(created ? 201 : 200, { fulfillmentOrders: await whereTheyStand(ctx, store, orders, standings) });
  },
});

function refuseFaults(checked: readonly CheckedOrder[], isList: boolean): void {
  const faults: Fault[] = checked.flatMap((one, index) =>
    one.outcome !== 'faulty'
      ? []
      : one.faults.map((fault) => (isList ? { ...fault, pointer: `/${index}${fault.pointer}` } : fault)),
  );
  if (faults.length === 0) return;
  const more = faults.length > FAULTS_MAX || checked.some((one) => one.outcome === 'faulty' && one.more);
  throw badRequest(faults.slice(0, FAULTS_MAX), more ? `${FAULTS_MAX}+` : faults.length);
}

function refuseDifferences(checked: readonly CheckedOrder[]): void {
  const differs = checked.flatMap((one) =>
    one.outcome === 'differs' ? [{ fulfillmentOrderId: one.order.fulfillmentOrderId, members: one.members }] : [],
  );
  const [first] = differs;
  if (first === undefined) return;
  const others = differs.length === 1 ? '' : ` and ${differs.length - 1} more`;
  throw conflict(
    `Order ${JSON.stringify(first.fulfillmentOrderId)}${others} is there already with other content (${first.members.join(', ')}); ` +
      'nothing was taken in. Send the same content, or another fulfillmentOrderId.',
    { differs },
  );
}

async function whereTheyStand(
  ctx: Ctx,
  store: StoreRow,
  orders: readonly OrderIntake[],
  created: ReadonlyMap<string, StandingRow>,
) {
  const before = orders.map((order) => order.fulfillmentOrderId).filter((id) => !created.has(id));
  const rows = before.length === 0 ? [] : await findOrders(ctx, store.client_id, before);
  const standings = new Map<string, StandingRow>([
    ...created,
    ...rows.map((row) => [row.fulfillment_order_id, row] as const),
  ]);
  return orders.map(({ fulfillmentOrderId }) => {
    const { status, queue_id: queueId } = standings.get(fulfillmentOrderId)!;
    return { fulfillmentOrderId, status: String(status), ...(queueId !== null && { queueId }) };
  });
}
