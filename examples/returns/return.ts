/** Plays a whole return as an order management system and a store: check, request, parcel, receipt, close, refund. See README.md. */
import createClient from 'openapi-fetch';
import type { paths } from '../../contract/client.d.ts';

export interface Settings {
  /** Where the service is, for example http://127.0.0.1:8080. */
  url: string;
  apiKey: string;
  /** An order that was handed over. */
  fulfillmentOrderId: string;
}

const storeId = 'TOWN_US';
const clientId = 'TOWN';
const nodeId = 'TOWN-Store001';
const clerk = 'ana';

/** Reports each step in a line. @throws Error with the error of the service */
export async function bringBack(settings: Settings, tell: (line: string) => void): Promise<void> {
  const client = createClient<paths>({ baseUrl: settings.url, headers: { apiKey: settings.apiKey } });
  const { fulfillmentOrderId } = settings;

  const checked = await client.POST('/operator/v1/stores/{storeId}/returns/eligibility', {
    params: { path: { storeId } },
    body: { fulfillmentOrderId },
  });
  if (checked.error) throw rejected(checked.error);
  const line = checked.data.orders[0]?.lines.find((one) => one.returnableQuantity > 0);
  if (line === undefined) throw new Error(`nothing of order ${fulfillmentOrderId} can come back`);
  tell(`${line.returnableQuantity} of ${line.itemId} can come back until ${line.until ?? '-'}`);

  // The number makes a retry of the request safe.
  const number = `EXAMPLE-${crypto.randomUUID().slice(0, 8)}`;
  const requested = await client.POST('/operator/v1/stores/{storeId}/returns', {
    params: { path: { storeId } },
    body: { number, lines: [{ fulfillmentOrderId, webLineId: line.webLineId, quantity: 1, reason: 'NOT_WANTED' }] },
  });
  if (requested.error) throw rejected(requested.error);
  const { returnId } = requested.data;
  tell(`return ${number} is ${requested.data.state}`);

  const moved = await client.POST('/operator/v1/stores/{storeId}/returns/{number}/inTransit', {
    params: { path: { storeId, number } },
    body: { trackingNumber: `1Z${number}` },
  });
  if (moved.error) throw rejected(moved.error);
  tell(`the parcel ${moved.data.trackingNumber ?? ''} is under way`);

  const path = { clientId, nodeId, returnId };
  const received = await client.POST('/operator/v1/clients/{clientId}/nodes/{nodeId}/returns/{returnId}/receipts', {
    params: { path },
    body: {
      receiptId: `${number}-1`,
      userId: clerk,
      lines: [{ itemId: line.itemId, quantity: 1, condition: 'OPENED' }],
    },
  });
  if (received.error) throw rejected(received.error);
  tell(`received at ${nodeId}: ${received.data.return.totals.held} held`);

  const closed = await client.POST('/operator/v1/clients/{clientId}/nodes/{nodeId}/returns/{returnId}/close', {
    params: { path },
    body: { closeId: `${number}-close`, userId: clerk },
  });
  if (closed.error) throw rejected(closed.error);
  tell(`return ${number} is ${closed.data.state}`);

  const decided = await client.POST('/operator/v1/clients/{clientId}/nodes/{nodeId}/returns/{returnId}/dispose', {
    params: { path },
    body: { disposeId: `${number}-decide`, userId: clerk, lines: [{ position: 1, quantity: 1, to: 'SHELF' }] },
  });
  if (decided.error) throw rejected(decided.error);
  tell(`for sale again: ${decided.data.totals.sellable}`);

  const refunds = await client.GET('/operator/v1/clients/{clientId}/refunds', {
    params: { path: { clientId }, query: { status: 'DUE', number } },
  });
  if (refunds.error) throw rejected(refunds.error);
  for (const { refundId, amount, currency } of refunds.data.refunds) {
    // Here your system pays the customer.
    const paid = await client.POST('/operator/v1/clients/{clientId}/refunds/{refundId}/answer', {
      params: { path: { clientId, refundId } },
      body: { outcome: 'DONE', reference: `PSP-${number}` },
    });
    if (paid.error) throw rejected(paid.error);
    tell(`refund of ${amount} ${currency} is ${paid.data.status}`);
  }
}

function rejected(error: { title?: string; detail?: string }): Error {
  return new Error(`${error.title ?? 'error'}: ${error.detail ?? ''}`);
}

if (import.meta.main) {
  const { BASE: url = 'http://127.0.0.1:8080', API_KEY: apiKey = '', ORDER = '100000000601001' } = process.env;
  await bringBack({ url, apiKey, fulfillmentOrderId: ORDER }, console.log);
}
