import { findSettings } from '../kernel/settings.ts';
import { ORDER_STATES, type OrderState } from '../kernel/states.ts';
import { badValue } from '../platform/http/errors.ts';
import { type PageQuery, pageBody, pageLimit, pageSchema } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import { quote } from '../platform/message/words.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { textWithoutIndex } from '../platform/storage/without-index.ts';
import { formatDateTime, parseDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import { statusOf } from '../shared/status.ts';
import { ListedOrder, OrdersQuery } from './read-schema.ts';
import { say } from './sentences.ts';

/** Lists the fulfillment orders of a store (docs/api.md#lists). */
export const listFulfillmentOrders = readOperation({
  id: 'listFulfillmentOrders',
  since: '0.4.0',
  method: 'GET',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders',
  summary: 'List the orders of a store',
  description: `Lists the fulfillment orders of a store at all nodes, a page at a time; \`next\` is the \`after\` of the next page.

- \`webOrderId\` and \`omsOrderId\` find the orders of an order of the web store or the OMS, sorted by fulfillmentOrderId. Numbers are compared as they were sent; case matters.
- Without a number, the list is sorted by the last change, the oldest first. An order that changes while you read moves to the end, so you may get it twice.
- \`status\` selects states. \`changedSince\` selects orders that have changed since a time. To stay up to date, begin with a time a minute before your last request, or read the feed of events, which has every change.
- An order must match every filter you send. A credential that is limited to nodes gets only the orders of these nodes.`,
  access: {
    auth: 'operatorOrApiKey',
    group: ['fulfillment', 'intake', 'supervise'],
    permission: ['fulfillment.read', 'orders.change'],
  },
  message: {
    query: OrdersQuery,
    replies: { 200: { description: 'A page.', schema: pageSchema('fulfillmentOrders', ListedOrder) } },
    refusals: { 404: 'There is no such store.' },
    errors: 'problem',
  },
  run: {
    rules: (_ctx, { query: { status } }, errors) => checkStatus(status, errors),
    async handle({ db, actor: { nodeIds = null } }, { store, query: { status, changedSince, ...query } }) {
      const { webOrderId, omsOrderId, ...page } = query;
      const settings = await findSettings(db, store.client_id);
      const of: Wanted = {
        clientId: store.client_id,
        storeId: store.store_id,
        nodeIds,
        states: statesOf(status),
        since: changedSince === undefined ? 0 : parseDateTime(changedSince),
      };
      const isNumbered = webOrderId !== undefined || omsOrderId !== undefined;
      const rows = await (isNumbered
        ? selectNumbered(db, { ...of, webOrderId, omsOrderId }, page)
        : selectChanged(db, of, page)
      ).execute();
      const showOne = (order: FulfillmentOrderRow) => show(order, settings);
      const idOf = (order: FulfillmentOrderRow) => (isNumbered ? order.fulfillment_order_id : changeOf(order));
      return reply(200, pageBody('fulfillmentOrders', page, rows, showOne, idOf));
    },
  },
  example: { path: '/operator/v1/stores/TOWN_US/fulfillmentOrders?webOrderId=25255000301' },
});

/** Adds an error for the first code in `status` that is not the code of a state. */
export function checkStatus(status: string | undefined, errors: FieldErrors): void {
  const unknown = status?.split(',').find((code) => stateOf(code) === undefined);
  if (unknown === undefined) return;
  const message = say('there is no state {unknown}; send one of {orderStates}', {
    unknown: quote(unknown),
    orderStates: ORDER_STATES.join(', '),
  });
  errors.add('query:status', 'enum', message);
}

/** Returns the states in `status`; without `status`, all states. */
export function statesOf(status: string | undefined): readonly OrderState[] {
  if (status === undefined) return ORDER_STATES;
  return [...new Set(status.split(',').flatMap((code) => stateOf(code) ?? []))];
}

/** Returns the position of an order in the list by time of change, as a value for `after` of `selectChanged`. */
export function changeOf(order: Pick<FulfillmentOrderRow, 'updated_at' | 'fulfillment_order_id'>): string {
  return `${order.updated_at}.${order.fulfillment_order_id}`;
}

/** Returns the state with this code, or undefined. */
function stateOf(code: string): OrderState | undefined {
  return ORDER_STATES.find((state) => String(state) === code);
}

interface Wanted {
  clientId: string;
  storeId: string;
  nodeIds: readonly string[] | null;
  states: readonly OrderState[];
  /** Only orders that changed at this time or later are listed. Epoch milliseconds. */
  since: number;
}

interface Numbered extends Wanted {
  webOrderId?: string | undefined;
  omsOrderId?: string | undefined;
}

/** Selects the orders with a webOrderId or omsOrderId, sorted by their ids. Exported for the test of its query plan. */
export function selectNumbered(
  db: Reader,
  { clientId, storeId, nodeIds, states, since, webOrderId, omsOrderId }: Numbered,
  page: PageQuery,
) {
  // The first query is materialized; otherwise SQLite reads all orders of the client along the primary key to sort them
  // by id. Store and node are in expressions: with the plain columns, SQLite uses an index that begins with one of
  // them. It then reads all orders of a state or node.
  return db
    .with(
      (cte) => cte('found').materialized(),
      (from) => {
        let orders = from
          .selectFrom('fulfillment_orders')
          .selectAll()
          .where('client_id', '=', clientId)
          .where(textWithoutIndex('store_id'), '=', storeId)
          .where('status', 'in', states)
          .where('updated_at', '>=', since);
        if (webOrderId !== undefined) orders = orders.where('web_order_id', '=', webOrderId);
        if (omsOrderId !== undefined) orders = orders.where('oms_order_id', '=', omsOrderId);
        return nodeIds === null ? orders : orders.where(textWithoutIndex('node_id'), 'in', [...nodeIds]);
      },
    )
    .selectFrom('found')
    .selectAll()
    .where('fulfillment_order_id', '>', page.after ?? '')
    .orderBy('fulfillment_order_id')
    .limit(pageLimit(page));
}

/**
 * Selects orders sorted by time of change. Each state is read separately along the index by state and change, so that a
 * rare state is found among millions of ended orders.
 */
export function selectChanged(db: Reader, { clientId, storeId, nodeIds, states, since }: Wanted, page: PageQuery) {
  const { at, id } = page.after === undefined ? { at: since, id: '' } : placeOf(page.after, since);
  const walks = states.map((state) => {
    const walk = db
      .selectFrom('fulfillment_orders')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('store_id', '=', storeId)
      .where('status', '=', state)
      .where((eb) => eb(eb.refTuple('updated_at', 'fulfillment_order_id'), '>', eb.tuple(at, id)))
      .$if(nodeIds !== null, (own) => own.where('node_id', 'in', [...nodeIds!]))
      .orderBy('updated_at')
      .orderBy('fulfillment_order_id')
      .limit(pageLimit(page));
    return db.selectFrom(walk.as('walk')).selectAll();
  });
  const [first, ...others] = walks;
  const all = others.reduce((union, walk) => union.unionAll(walk), first!);
  return db
    .selectFrom(all.as('found'))
    .selectAll()
    .orderBy('updated_at')
    .orderBy('fulfillment_order_id')
    .limit(pageLimit(page));
}

/**
 * Reads a value of `after`: the time of the last change and the id of the last order. A time before `since` becomes
 * `since`.
 * @throws Refusal 400
 */
function placeOf(after: string, since: number): { at: number; id: string } {
  const [, at = '', id = ''] = /^([0-9]{1,15})\.(.+)$/.exec(after) ?? [];
  if (at === '') throw badValue('query:after', 'format', say('`after` must be `next` of the previous page'));
  return Number(at) < since ? { at: since, id: '' } : { at: Number(at), id };
}

function show(order: FulfillmentOrderRow, settings: Settings): ListedOrder {
  return {
    fulfillmentOrderId: order.fulfillment_order_id,
    nodeId: order.node_id,
    webOrderId: order.web_order_id,
    omsOrderId: order.oms_order_id,
    fulfillmentType: order.fulfillment_type,
    ...statusOf(settings, order.status),
    revision: order.revision,
    fulfillmentOrderDate: formatDateTime(order.fulfillment_order_date),
    changedDate: formatDateTime(order.updated_at),
    ...(order.ended_at !== null && { endedDate: formatDateTime(order.ended_at) }),
  };
}
