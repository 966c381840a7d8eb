/** Reads an order. */
import { api, send } from '../api.ts';

export type Details = Awaited<ReturnType<typeof readOrder>>;

export function readOrder(storeId: string, fulfillmentOrderId: string, signal?: AbortSignal) {
  return send(
    api.GET('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}', {
      params: { path: { storeId, fulfillmentOrderId } },
      ...(signal && { signal }),
    }),
  );
}
