/** Check-ins on this device: what the screens of the check-in need besides `outbox.snapshot`. */
import { api, send } from '../api.ts';
import type { CheckInSubject } from './commands.ts';
import { outbox } from './index.ts';

/** Sends the waiting commands of a check-in and reads it from the service. @throws ApiError if it cannot be read now */
export function keepCheckIn(subject: CheckInSubject): Promise<void> {
  const { storeId, nodeId, id: fulfillmentOrderId } = subject;
  return outbox.snapshot.refreshCheckIn(subject, async (signal) => {
    const path = { storeId, nodeId, fulfillmentOrderId };
    const details = await send(
      api.GET('/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders/{fulfillmentOrderId}/checkin', {
        params: { path },
        signal,
      }),
    );
    return details.fulfillmentOrder;
  });
}
