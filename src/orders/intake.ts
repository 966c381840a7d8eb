import { findOrders } from '../kernel/orders.ts';
import { heldUntil } from '../kernel/street-date.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { FieldErrors } from '../platform/message/field-errors.ts';
import { inEnglish } from '../platform/message/sentence.ts';
import { quote } from '../platform/message/words.ts';
import type { StoreRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { statusOf } from '../shared/status.ts';
import { servedBy } from './exchanges.ts';
import { IntakeBody, IntakeReply, type OrderIntake } from './intake-schema.ts';
import {
  type CheckedOrder,
  type CheckedOrders,
  checkOrders,
  insertOrders,
  type NewOrder,
  type PositionRow,
} from './intake-store.ts';

/**
 * If another transaction inserts an order between check and insert, the second check finds it: no process deletes an
 * order so soon.
 */
const ATTEMPTS = 2;

export const createFulfillmentOrders = writeOperation({
  id: 'createFulfillmentOrders',
  since: '0.1.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders',
  summary: 'Take in fulfillment orders',
  description: `Takes in one fulfillment order or a list of 1 to 500, all or nothing.

Every order needs:

- a node of the client that fulfills its fulfillmentType,
- items that exist, are eligible for that type, and have no status that the client rejects (default Discontinued),
- units of each item within its minOrderableQuantity and maxOrderableQuantity,
- unique webLineIds and destinationIds, and references to its own destinations only,
- an orderDate that is its fulfillmentOrderDate or earlier; both are at most a day after the time of the service.

By fulfillment type:

- SHIP_TO_HOME needs carrier, service and complete destinations. An order to another country needs a countryOfOrigin on every item.
- SHIP_TO_STORE needs shipFromAddress and packages that hold exactly the units of the lines, or inStore: true.

Further rules:

- An item, or a component of a bundle, whose streetDate is in the future is an error. With the client's setting streetDate HOLD the order is
held until that date instead (1000). Sales classes that the client sells before the date are exempt.
- An existing order with the same content does not change. Other content gets 409, and the error names the fields that differ. If the
client requires PINs at the hand-over (setting pin.required), pinNumber is not compared.
- A node that keeps stock reserves the units. With promise AVAILABLE the service rejects an order for more units than are
available. Items with infiniteInventory are exempt. With the client's setting stock.promiseCheck ELIGIBLE, items without
inventoryCheckEligible are exempt too.
- In a list, error pointers start with the index of the order.`,
  events: ['order.received', 'order.held', 'stock.changed'],
  access: { auth: 'operatorOrApiKey', group: 'intake', permission: 'orders.intake' },
  message: {
    ownAgreement: true,
    secretMember: 'pinNumber',
    body: IntakeBody,
    errors: 'problem',
    replies: {
      201: { description: 'At least one order was taken in', schema: IntakeReply },
      200: { description: 'All orders already exist with the same content', schema: IntakeReply },
    },
    refusals: {
      404: 'There is no such store',
      409: 'An order exists already with other content (`differs` lists such orders), or its node has promise AVAILABLE and fewer available units than the order wants (code NOT_AVAILABLE; `items` lists the available units).',
    },
  },
  run: {
    repeat: 'same',
    async rules(ctx, { store, body }, errors) {
      if (!Array.isArray(body)) return checkOrders(ctx, store, [body], () => errors);
      const orders = body.map((order) => order ?? {});
      const checked = await checkOrders(ctx, store, orders, (index) => errors.under(`/${index}`));
      for (const [index, one] of checked.orders.entries()) {
        if (one.outcome !== 'differs' || !one.isWithin) continue;
        const id = quote(one.order.fulfillmentOrderId);
        const message = `order ${id} is in the message twice with different content (${one.members.join(', ')}); send it once`;
        errors.add(`/${index}/fulfillmentOrderId`, 'unique', inEnglish(message));
      }
      return checked;
    },
    async handle(ctx, { store, body, found }) {
      const orders = Array.isArray(body) ? body : [body];
      const created = new Map<string, PositionRow>();
      let checked: CheckedOrders = found;
      for (let attempt = 1; ; attempt += 1) {
        rejectServed(checked.orders);
        rejectDifferences(checked.orders);
        const fresh = checked.orders.filter((one): one is NewOrder => one.outcome === 'new');
        for (const [id, row] of await insertOrders(ctx, store, fresh, checked)) created.set(id, row);
        const missed = fresh.map(({ order }) => order).filter((order) => !created.has(order.fulfillmentOrderId));
        if (missed.length === 0 || attempt === ATTEMPTS) break;
        // The missed orders now exist, and the rules do not apply again to existing orders.
        checked = await checkOrders(ctx, store, missed, () => new FieldErrors());
      }
      return reply(created.size > 0 ? 201 : 200, {
        fulfillmentOrders: await showPositions(ctx, store, checked.settings, orders, created),
      });
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/fulfillmentOrders',
    body: {
      fulfillmentOrderId: '100000000901001',
      omsOrderId: '100000000901',
      webOrderId: '25255000901',
      nodeId: 'TOWN-Store001',
      fulfillmentType: 'STORE_PICK_UP',
      orderDate: '{now}',
      currency: 'USD',
      carrier: '',
      service: '',
      customer: { name: 'Ada Lovelace', phone: '+1 401 555 0101', email: 'ada.lovelace@mail.example' },
      destinations: [
        {
          destinationId: 'home',
          personName: { firstName: 'Ada', lastName: 'Lovelace' },
          address: {
            line1: '12 Engine Row',
            city: 'Newport',
            mainDivisionCode: 'RI',
            postalCode: '02840',
            countryCode: 'US',
          },
          phone: '+1 401 555 0101',
          email: 'ada.lovelace@mail.example',
        },
      ],
      billToAddress: { destinationId: 'home' },
      shippingAddress: { destinationId: 'home' },
      lines: [{ webLineId: '1', itemId: '21-MUG-WHT', quantity: 2, unitPrice: 9.5 }],
    },
  },
});

function rejectServed(checked: readonly CheckedOrder[]): void {
  const served = checked.find((one) => one.outcome === 'served');
  if (served === undefined) return;
  throw conflict(inEnglish(`${servedBy(served.other, served.order)}; nothing was stored.`));
}

function rejectDifferences(checked: readonly CheckedOrder[]): void {
  const differs = checked.flatMap((one) =>
    one.outcome === 'differs' ? [{ fulfillmentOrderId: one.order.fulfillmentOrderId, members: one.members }] : [],
  );
  const [first] = differs;
  if (first === undefined) return;
  const others = differs.length === 1 ? '' : ` and ${differs.length - 1} more`;
  throw conflict(
    inEnglish(
      `Order ${JSON.stringify(first.fulfillmentOrderId)}${others} ${others === '' ? 'exists' : 'exist'} already with other content (${first.members.join(', ')}); ` +
        'nothing was stored. Send the same content, or another fulfillmentOrderId.',
    ),
    { differs },
  );
}

async function showPositions(
  ctx: Ctx,
  store: StoreRow,
  settings: Settings,
  orders: readonly OrderIntake[],
  created: ReadonlyMap<string, PositionRow>,
) {
  const before = orders.map((order) => order.fulfillmentOrderId).filter((id) => !created.has(id));
  const rows = before.length === 0 ? [] : await findOrders(ctx, store.client_id, before);
  const positions = new Map<string, PositionRow>([
    ...created,
    ...rows.map((row) => [row.fulfillment_order_id, row] as const),
  ]);
  return orders.map(({ fulfillmentOrderId }) => {
    const position = positions.get(fulfillmentOrderId)!;
    const { status, queue_id: queueId } = position;
    return {
      fulfillmentOrderId,
      ...statusOf(settings, status),
      ...(queueId !== null && { queueId }),
      ...heldUntil(position),
    };
  });
}
