import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ upTo: 'returns' });
});
afterAll(() => town.close());

const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
const where = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };

describe('a value outside a list', () => {
  const queueId = 'WAITING_FOR_PICK_ISPU';
  const calls: [what: string, meant: string, send: () => Promise<{ status: number; text: string }>][] = [
    [
      'the action of a pick ticket',
      'CONFIRM',
      () =>
        town.client.put(`${NODE}/pickTicket/update`, {
          modifyAssociateId: 'mara',
          pickTicketDetails: { ...where, pickTicketId: town.tickets.open, userId: 'mara', action: 'confirm' },
        }),
    ],
    [
      'the action of a check-in',
      'CONFIRM',
      () =>
        town.client.post(`${NODE}/fulfillmentOrders/${town.orders.arriving}/checkin`, {
          modifyAssociateId: 'mara',
          fulfillmentOrder: { ...where, fulfillmentOrderId: town.orders.arriving, action: 'confirm' },
        }),
    ],
    [
      'a fulfillment type',
      'SHIP_TO_HOME',
      () =>
        town.client.post(`${NODE}/fulfillmentOrders?queueId=${queueId}`, {
          ...where,
          queueId,
          fulfillmentType: 'ship to home',
        }),
    ],
    [
      'a reason',
      'CancelCustomerInitiated',
      () =>
        town.client.post(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${town.orders.waiting}/cancel`, {
          reasonCode: 'CANCELCUSTOMERINITIATED',
        }),
    ],
    ['the type of a shipment in a path', 'PO', () => town.operator('GET', '/operator/v1/clients/TOWN/inbound/po/PO-1')],
    ['a query', 'ASN', () => town.operator('GET', '/operator/v1/clients/TOWN/inbound?type=asn')],
    [
      'a tender of a gift card',
      'SD',
      () => town.client.put('/item-service/clients/TOWN/items/21-MUG-WHT?merge=true', { giftCardTenderCode: 'sd' }),
    ],
  ];

  it.each(calls)('%s gets an error that suggests %s', async (_what, meant, send) => {
    const answer = await send();
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(`did you mean '${meant}'?`);
  });
});

describe('an error', () => {
  it('for a CSV file sent as the whole body says how to send it', async () => {
    const answer = await town.client.call({
      method: 'POST',
      path: '/item-service/clients/TOWN/upload',
      raw: 'itemId\n21-A\n',
      headers: { 'content-type': 'text/csv' },
    });
    expect(answer.status).toBe(415);
    expect(answer.body).toMatchObject({ category: 'VALIDATION', code: 'UNSUPPORTED_MEDIA_TYPE' });
    for (const word of ['multipart/form-data', '"filename"', '-F filename=@items.csv', 'text/csv'])
      expect(answer.body.description).toContain(word);
  });

  it('for a missing item names the parts of an itemId', async () => {
    const read = await town.client.get('/item-service/stores/TOWN_US/items/21-NONE');
    const put = await town.operator('PUT', '/operator/v1/clients/TOWN/nodes/TOWN-Store001/items/MUG-WHT', {});
    for (const answer of [read, put]) {
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('<catalogId>-<clientItemId>');
    }
  });

  it('for the url of a webhook names the setting that allows it', async () => {
    const put = (url: string) => town.client.put('/operator/v1/clients/TOWN/webhooks/closed', { url });
    expect((await put('http://hooks.example.com/')).text).toContain('WEBHOOK_PLAIN_HTTP');
    expect((await put('https://127.0.0.1/')).text).toContain('WEBHOOK_ALLOW');
  });
});
