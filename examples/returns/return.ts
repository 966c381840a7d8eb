/**
 * Plays returns as an order management system and a store: a parcel, and goods at the counter with an exchange. See
 * README.md.
 */
import createClient from 'openapi-fetch';
import type { paths } from '../../contract/client.d.ts';

export interface Settings {
  /** URL of the service, for example http://127.0.0.1:8080. */
  url: string;
  apiKey: string;
  /** An order that was handed over. */
  fulfillmentOrderId: string;
}

const storeId = 'TOWN_US';
const clientId = 'TOWN';
const nodeId = 'TOWN-Store001';
const clerk = 'ana';

type Client = ReturnType<typeof connect>;

function connect({ url, apiKey }: Settings) {
  return createClient<paths>({ baseUrl: url, headers: { apiKey } });
}

/** Reports each step in a line. @throws Error with the error of the service */
export async function bringBack(settings: Settings, tell: (line: string) => void): Promise<void> {
  const client = connect(settings);
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

  await payRefunds(client, number, tell);
  await exchangeAtCounter(client, { fulfillmentOrderId, webLineId: line.webLineId }, tell);
}

/** Pays the due refunds of a return, and reports each. */
async function payRefunds(client: Client, number: string, tell: (line: string) => void): Promise<void> {
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

/**
 * Takes a unit back at the counter. The customer wants another item; the order management system sends an order for
 * this item.
 */
async function exchangeAtCounter(
  client: Client,
  line: { fulfillmentOrderId: string; webLineId: string },
  tell: (line: string) => void,
): Promise<void> {
  const wants = { itemId: '21-LAMP-BRS', quantity: 1 };
  const taken = await client.POST('/operator/v1/clients/{clientId}/nodes/{nodeId}/returns', {
    params: { path: { clientId, nodeId } },
    body: {
      // The takeId makes a retry safe.
      takeId: crypto.randomUUID(),
      userId: clerk,
      storeId,
      lines: [{ ...line, quantity: 1, condition: 'GOOD' }],
      exchangeLines: [{ line: 1, wants }],
    },
  });
  if (taken.error) throw rejected(taken.error);
  const { number, state, createdAt } = taken.data.return;
  tell(`return ${number} at the counter is ${state}`);
  await payRefunds(client, number, tell);

  const orderId = `EXCHANGE-${crypto.randomUUID().slice(0, 8)}`;
  const name = { firstName: 'Ada', lastName: 'Lovelace' };
  const contact = { phone: '+1 401 555 0101', email: 'ada.lovelace@mail.example' };
  const home = {
    line1: '12 Engine Row',
    city: 'Newport',
    mainDivisionCode: 'RI',
    postalCode: '02840',
    countryCode: 'US',
  };
  const ordered = await client.POST('/operator/v1/stores/{storeId}/fulfillmentOrders', {
    params: { path: { storeId } },
    body: {
      fulfillmentOrderId: orderId,
      omsOrderId: orderId,
      webOrderId: orderId,
      nodeId,
      orderDate: createdAt,
      fulfillmentOrderDate: createdAt,
      currency: 'USD',
      customer: { name: 'Ada Lovelace', ...contact },
      fulfillmentType: 'STORE_PICK_UP',
      carrier: '',
      service: '',
      destinations: [
        { destinationId: 'home', destinationType: 'SHIPPING_ADDRESS', personName: name, address: home, ...contact },
      ],
      billToAddress: { destinationId: 'home' },
      shippingAddress: { destinationId: 'home' },
      lines: [{ webLineId: '1', ...wants, unitPrice: 49 }],
      exchangeOf: { returnNumber: number, line: 1 },
    },
  });
  if (ordered.error) throw rejected(ordered.error);
  const read = await client.GET('/operator/v1/stores/{storeId}/returns/{number}', {
    params: { path: { storeId, number } },
  });
  if (read.error) throw rejected(read.error);
  for (const { line: position, fulfillmentOrderId } of read.data.exchanges) {
    tell(`line ${position} is exchanged by order ${fulfillmentOrderId ?? '-'}`);
  }
}

function rejected(error: { title?: string; detail?: string }): Error {
  return new Error(`${error.title ?? 'error'}: ${error.detail ?? ''}`);
}

if (import.meta.main) {
  const { BASE: url = 'http://127.0.0.1:8080', API_KEY: apiKey = '', ORDER = '100000000601001' } = process.env;
  await bringBack({ url, apiKey, fulfillmentOrderId: ORDER }, console.log);
}
