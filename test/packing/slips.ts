/** Orders to pack: created through the API, then set to picked with the quantities that a test needs. */

import type { OrderState } from '../../src/kernel/states.ts';
import type { OrderIntake } from '../../src/orders/intake-schema.ts';
import type { Json } from '../../src/platform/json-column.ts';
import { operationNamed } from '../../src/service/operations.ts';
import { EVERYWHERE } from '../../src/service/web/openapi/errors.ts';
import { documentedStatuses } from '../../src/service/web/openapi.ts';
import { homeOrder, openPlace, type Place } from '../orders/place.ts';
import type { Answer } from '../support/backroom.ts';

export interface Shop extends Place {
  /** Creates an order and marks units of its lines as picked; declines the other units. */
  pickedOrder: (id: string, picked: readonly number[], members?: Partial<OrderIntake>) => Promise<void>;
  /** Sets the state of an order directly. */
  setState: (id: string, status: OrderState) => Promise<void>;
  generate: (id: string, body?: object, options?: { apiKey?: string; path?: string }) => Promise<Answer>;
  /** Returns the slip of a successful response. */
  slip: (id: string) => Promise<Answer['body']>;
}

/** Three units of one item and two units of the other. */
export const LINES = [
  { webLineId: 'L1', itemId: '1-A', quantity: 3, unitPrice: 19.99, charges: 1, tax: 4.2 },
  {
    webLineId: 'L2',
    itemId: '1-C',
    quantity: 2,
    unitPrice: 9.5,
    tax: 1.33,
    instructions: [{ type: 'GIFT_MESSAGE', text: 'Enjoy' }],
  },
];
/** An order with every optional amount. */
export const FULL = {
  lines: LINES,
  headerCharges: 7.5,
  headerTax: 0.53,
  cashOnDelivery: 12.34,
  carrierException: true,
  externalOrderNumber: 'EXT-1',
  externalOrderNumber2: 'EXT-2',
};

/** Returns the fields of a valid request. */
export const request = (fulfillmentOrderId: string) => ({
  storeId: 'S1',
  nodeId: 'N1',
  modifyAssociateId: 'bo',
  fulfillmentOrderId,
});

export async function openShop(): Promise<Shop> {
  const place = await openPlace();
  const setState = async (id: string, status: OrderState): Promise<void> => {
    await place.store.write((tx) =>
      tx
        .updateTable('fulfillment_orders')
        .set({ status })
        .where('client_id', '=', 'C1')
        .where('fulfillment_order_id', '=', id)
        .execute(),
    );
  };
  const pickedOrder: Shop['pickedOrder'] = async (id, picked, members = {}) => {
    const order = homeOrder(id, members);
    const answer = await place.intake(order);
    if (answer.status !== 201) throw new Error(answer.text);
    await place.store.write(async (tx) => {
      for (const [index, line] of order.lines.entries()) {
        const units = picked[index] ?? line.quantity;
        await tx
          .updateTable('order_lines')
          .set({ picked: units, declined: line.quantity - units, decline_reason: 'IPD' })
          .where('client_id', '=', 'C1')
          .where('fulfillment_order_id', '=', id)
          .where('line_index', '=', index)
          .execute();
      }
    });
    await setState(id, 1200);
  };
  const generate: Shop['generate'] = (id, body = request(id), { apiKey = place.keys.all, path } = {}) =>
    place.call({
      method: 'POST',
      path: path ?? `/stores/S1/fulfillmentOrders/${id}/packslip/generate`,
      body,
      headers: { apiKey },
    });
  const slip: Shop['slip'] = async (id) => {
    const answer = await generate(id);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body.packSlipDetails[0];
  };
  return { ...place, pickedOrder, setState, generate, slip };
}

/**
 * Returns the documented statuses of an operation, without statuses of all operations and statuses of the
 * Idempotency-Key. Includes a status such as 400 or 404 if the operation documents its own cause for that status.
 */
export function ownStatuses(operationId: string): number[] {
  const operation = operationNamed(operationId);
  const own = [...documentedStatuses(operation)].filter(
    (status) =>
      operation.message.refusals?.[status] !== undefined ||
      (!EVERYWHERE.includes(status) && ![401, 409, 422].includes(status)),
  );
  return own.sort((a, b) => a - b);
}

/** Corrupts the stored people and addresses of an order, so that the service itself fails. */
export async function breakContacts({ store }: Place, id: string): Promise<void> {
  await store.write((tx) =>
    tx
      .updateTable('fulfillment_orders')
      .set({ contacts: '{' as Json<never> })
      .where('client_id', '=', 'C1')
      .where('fulfillment_order_id', '=', id)
      .execute(),
  );
}
