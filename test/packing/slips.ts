/** Orders to pack: taken in through the interface, then set to picked with the quantities that a test needs. */
import type { OrderIntake } from '../../src/orders/intake-schema.ts';
import type { OrderState } from '../../src/orders/lifecycle.ts';
import { homeOrder, openPlace, type Place } from '../orders/place.ts';
import type { Answer } from '../support/backroom.ts';

export interface Shop extends Place {
  /** Takes an order in and marks units of its lines as picked; the rest is declined. */
  pickedOrder: (id: string, picked: readonly number[], members?: Partial<OrderIntake>) => Promise<void>;
  /** Puts an order into a state, whatever led there. */
  setState: (id: string, status: OrderState) => Promise<void>;
  generate: (id: string, body?: object, options?: { apiKey?: string; path?: string }) => Promise<Answer>;
  /** The slip of a good answer. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  slip: (id: string) => Promise<any>;
}

/** The members of a good request. */
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
