import type { Big } from 'big.js';
import { findOrders } from '../kernel/orders.ts';
import type { OrderFacts, OrderMoney } from '../kernel/returns/action.ts';
import { leftToReturn, reasonsAgainst, returnableUntil, untilOf } from '../kernel/returns/eligibility.ts';
import { showLine as showReturnLine } from '../kernel/returns/events.ts';
import { dueOf, moneyOf, positive } from '../kernel/returns/money.ts';
import { findReturnSettings, readFacts } from '../kernel/returns/subject.ts';
import { findSettings } from '../kernel/settings.ts';
import { numericOf } from '../platform/decimal.ts';
import { allows } from '../platform/http/auth.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { readJson } from '../platform/json-column.ts';
import type { OrderLineRow, ReturnLineRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import type { ReturnSettings } from '../shared/return-settings.ts';
import { statusOf } from '../shared/status.ts';
import { findNamed, findReturnsOf } from './find.ts';
import { findExcluded } from './rules.ts';
import { CheckMessage, checkReply } from './schema.ts';
import { linesOf } from './search.ts';
import { say } from './sentences.ts';
import { customerOf, ordersNamed } from './show.ts';

const NAMES = ['webOrderId', 'fulfillmentOrderId', 'trackingNumber', 'code'] as const;

/** Finds the units of an order that can be returned. */
export const checkReturn = readOperation({
  id: 'checkReturn',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/returns/eligibility',
  summary: 'Check which units can be returned',
  description: `Finds orders and returns by one of the fields. For each line, the response has the number of units that can be returned, the time until which they can be returned, the refund of these units, and the rules that forbid a return.

- \`returnableQuantity\` is the number of handed-over units minus returned units and units on the way back; it is 0 if a rule forbids the return.
- \`returns\` has every return of these orders, and the returns that match the field directly, with their units.
- An order has the name of its customer if you have permission to read the order.
- An order of another store of the client has the rule OTHER_STORE; you see it only if you have access to that store. Its returns have the numbers of that store.
- If nothing is found, the lists are empty.`,
  access: {
    auth: 'operatorOrApiKey',
    group: ['intake', 'fulfillment', 'receiving'],
    permission: ['orders.change', 'fulfillment.read', 'receive'],
    reveals: ({ orders }: { orders: Parameters<typeof ordersNamed>[0] }) => ordersNamed(orders),
  },
  message: {
    body: CheckMessage,
    replies: { 200: { description: 'The orders and returns that were found', schema: checkReply } },
    refusals: { 404: 'There is no such store.' },
    errors: 'problem',
  },
  run: {
    rules(_ctx, { body }, errors) {
      const sent = NAMES.filter((name) => body[name] !== undefined || errors.isBad(`/${name}`));
      if (sent.length === 1) return;
      const names = NAMES.join(', ');
      const part = sent.length === 0 ? say('none') : sent.join(', ');
      errors.add('', 'one', say('send exactly one of {names}; the message has {part}', { names, part }));
    },
    async handle(ctx, { store, body }) {
      const found = await findNamed(ctx, store, body);
      const rows = await findOrders(ctx, store.client_id, found.orderIds);
      const orders = rows.filter((row) => row.store_id === store.store_id || allows(ctx.actor.storeIds, row.store_id));
      const returns = await findReturnsOf(ctx, store.client_id, orders, found.returnIds);
      const { client_id: clientId, store_id: storeId } = store;
      const lines = await linesOf(ctx, clientId, returns);
      const settings = await findSettings(ctx.db, clientId);
      const { settings: own } = await findReturnSettings(ctx.db, { clientId, storeId });
      const facts = await readFacts(ctx, clientId, orders);
      const items = [...facts.values()].flatMap(({ lines }) => lines.map((line) => line.item_id));
      const excluded = await findExcluded(ctx, clientId, own, items);
      const judging = { storeId, excluded, settings: own, now: ctx.now, isOverridden: false };
      return reply(200, {
        orders: [...facts.values()].map((one) => ({
          ...showOrder(one, settings, judging),
          ...customerOf(ctx.actor, one.order),
        })),
        returns: returns.map((row) => ({
          number: row.number,
          returnId: row.return_id,
          state: row.status,
          lines: (lines.get(row.return_id) ?? []).map(showUnits),
        })),
      });
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/returns/eligibility',
    body: { fulfillmentOrderId: '{orders.handedOver}' },
  },
});

/** Returns a line of a return with the number of its units. */
function showUnits(line: ReturnLineRow) {
  const { fulfillmentOrderId, webLineId, itemId, requested, over } = showReturnLine(line);
  return {
    ...(fulfillmentOrderId !== undefined && { fulfillmentOrderId }),
    ...(webLineId !== undefined && { webLineId }),
    itemId,
    quantity: requested + over,
  };
}

interface Judging {
  storeId: string;
  excluded: ReadonlySet<string>;
  settings: ReturnSettings;
  now: number;
  isOverridden: boolean;
}

function showOrder(facts: OrderFacts, settings: Settings, judging: Judging) {
  const { order, lines } = facts;
  const money = moneyOf(facts);
  const until = returnableUntil(facts, judging.settings);
  return {
    fulfillmentOrderId: order.fulfillment_order_id,
    webOrderId: order.web_order_id,
    nodeId: order.node_id,
    ...statusOf(settings, order.status),
    currency: order.currency,
    ...(until !== undefined && { until: formatDateTime(until) }),
    lines: lines.map((line) => showLine(facts, money, line, judging)),
  };
}

function showLine(facts: OrderFacts, money: OrderMoney, line: OrderLineRow, judging: Judging) {
  const reasons = reasonsAgainst(facts, line, 1, judging);
  const until = untilOf(facts, line, judging.settings);
  const returnable = reasons.length > 0 ? 0 : leftToReturn(line);
  return {
    webLineId: line.web_line_id,
    itemId: line.item_id,
    itemDesc: readJson(line.snapshot).itemDetails.itemDesc,
    handedOverQuantity: line.handed_over,
    cameBackQuantity: line.came_back,
    comingBackQuantity: line.coming_back,
    returnableQuantity: returnable,
    refundAmount: numericOf(refundOf(facts, money, line, returnable)),
    ...(until !== undefined && { until: formatDateTime(until) }),
    reasons,
  };
}

/**
 * Returns the refund for `units` more units of a line: the amount due with these units, minus the amount due for the
 * units that were returned before.
 */
function refundOf({ order, lines }: OrderFacts, money: OrderMoney, line: OrderLineRow, units: number): Big {
  const before = new Map(lines.map((one) => [one.line_index, one.came_back]));
  const after = new Map(before).set(line.line_index, line.came_back + units);
  const due = (came: ReadonlyMap<number, number>) => dueOf(money, came, 'NEVER', order.currency).due;
  // A line such as a coupon lowers the refund of the order.
  return positive(due(after).minus(due(before)));
}
