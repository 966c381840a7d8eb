import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringifyJson } from '../../src/platform/message/json.ts';
import { createSealer } from '../../src/platform/secrets.ts';
import { tourToRead } from '../../src/service/demo/tour.ts';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

const INTAKE = '/operator/v1/stores/TOWN_US/fulfillmentOrders';
const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
// biome-ignore lint/suspicious/noExplicitAny: a message of any shape
type Order = Record<string, any>;
const pickup = tourToRead().find(({ operationId }) => operationId === 'createFulfillmentOrders')!.body as Order;

/** Builds an order with few optional fields: the customer has a name, the destination has a name and an address. */
const bare = (fulfillmentOrderId: string, more: object = {}): Order => ({
  fulfillmentOrderId,
  omsOrderId: 'BARE',
  webOrderId: 'BARE',
  nodeId: 'TOWN-Store001',
  fulfillmentType: 'STORE_PICK_UP',
  orderDate: '2026-03-02T11:00Z',
  currency: 'USD',
  customer: { name: 'Ada' },
  destinations: [
    {
      destinationId: 'home',
      personName: { firstName: 'Ada' },
      address: { line1: '1 Marina', city: 'Singapore', countryCode: 'US' },
    },
  ],
  billToAddress: { destinationId: 'home' },
  shippingAddress: { destinationId: 'home' },
  lines: [{ webLineId: '1', itemId: '21-MUG-WHT', quantity: 1, unitPrice: 9.5, instructions: [{ type: 'GIFT' }] }],
  ...more,
});

describe('an order without its optional fields', () => {
  it('is accepted, and responses that require these fields have them blank', async () => {
    expect((await town.client.post(INTAKE, bare('BARE-1', { proxyDetails: { name: 'Bo' } }))).status).toBe(201);
    const where = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
    const queueId = 'WAITING_FOR_PICK_ISPU';
    const queued = await town.client.post(`${NODE}/fulfillmentOrders?queueId=${queueId}`, {
      ...where,
      queueId,
      fulfillmentOrderId: 'BARE-1',
    });
    const found = await town.client.post('/stores/TOWN_US/fulfillmentOrder/search', {
      ...where,
      fulfillmentOrder: { fulfillmentOrderId: 'BARE-1' },
    });
    for (const { body } of [queued, found]) {
      expect(body.fulfillmentOrders).toMatchObject([
        {
          carrier: '',
          service: '',
          customer: { name: 'Ada', email: '', phone: '' },
          proxyDetails: { name: 'Bo', email: '', phone: '' },
        },
      ]);
    }
  });

  it('is not found by a phone number or an e-mail address', async () => {
    await town.client.post(INTAKE, bare('BARE-2'));
    const search = (customer: object) =>
      town.client.post('/stores/TOWN_US/fulfillmentOrder/search', {
        storeId: 'TOWN_US',
        nodeId: 'TOWN-Store001',
        fulfillmentOrder: { fulfillmentOrderId: 'BARE-2', customer: { name: '', email: '', phone: '', ...customer } },
      });
    expect((await search({ name: 'ada' })).body.totalRecords).toBe(1);
    expect((await search({ phone: '4015550101' })).body.totalRecords).toBe(0);
    expect((await search({ phone: '0' })).body.totalRecords).toBe(0);
    expect((await search({ email: 'ada@mail.example' })).body.totalRecords).toBe(0);
  });

  it('of type SHIP_TO_HOME has a blank state, postal code, last name, e-mail address and phone on its pack slip', async () => {
    const order = bare('BARE-HOME', { fulfillmentType: 'SHIP_TO_HOME', carrier: 'UPS', service: 'GROUND' });
    expect((await town.client.post(INTAKE, order)).status).toBe(201);
    const call = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', userId: 'mara', modifyAssociateId: 'mara' };
    const generated = await town.client.post(`${NODE}/pickTicket/generate`, {
      ...call,
      queueId: 'WAITING_FOR_PICK_SFS',
      fulfillmentOrderIds: ['BARE-HOME'],
    });
    const { pickTicketId } = generated.body.pickTicketDetails[0];
    const { modifyAssociateId, ...of } = call;
    const confirmed = await town.client.put(`${NODE}/pickTicket/update`, {
      modifyAssociateId,
      pickTicketDetails: {
        ...of,
        pickTicketId,
        action: 'CONFIRM',
        holdLocation: 'A1',
        pickTicketItems: [{ id: 1, itemId: '21-MUG-WHT', pickedQuantity: 1 }],
      },
    });
    expect(confirmed.status).toBe(204);
    const { userId: _userId, ...slip } = call;
    const { body } = await town.client.post('/stores/TOWN_US/fulfillmentOrders/BARE-HOME/packslip/generate', {
      ...slip,
      fulfillmentOrderId: 'BARE-HOME',
    });
    expect(body.packSlipDetails[0].fulfillmentOrder.destinations[0]).toEqual({
      destinationId: 'home',
      personName: { firstName: 'Ada', lastName: '' },
      address: { line1: '1 Marina', city: 'Singapore', mainDivisionCode: '', postalCode: '', countryCode: 'US' },
      email: '',
      phone: '',
    });
  });

  it('is the same order when sent again with blank fields, and vice versa', async () => {
    const blanks = {
      carrier: '',
      service: '',
      shipMethod: '',
      customer: { name: 'Ada', email: '', phone: null },
      lines: [{ ...bare('').lines[0], instructions: [{ type: 'GIFT', text: '' }] }],
      destinations: [{ ...bare('').destinations[0], phone: '', email: '' }],
    };
    for (const [first, again] of [
      [bare('SAME-1'), bare('SAME-1', blanks)],
      [bare('SAME-2', blanks), bare('SAME-2')],
    ]) {
      expect((await town.client.post(INTAKE, first)).status).toBe(201);
      const answer = await town.client.post(INTAKE, again);
      expect([answer.status, answer.text.includes('differs')]).toEqual([200, false]);
      expect((await town.client.post(INTAKE, { ...again, carrier: 'UPS' })).body.differs[0].members).toEqual([
        'carrier',
      ]);
    }
  });

  it('is the same order when it was accepted by an earlier release, which hashed blank fields', async () => {
    const order = { ...pickup, fulfillmentOrderId: 'OLD-1', carrier: '', service: '' };
    expect((await town.client.post(INTAKE, order)).status).toBe(201);
    const blank = (name: string) =>
      createSealer(Buffer.from('ab'.repeat(32), 'hex'))
        .fingerprint('TOWN', `${name}\0""`)
        .slice(0, 16);
    await town.store.write(async (tx) => {
      const old = tx.selectFrom('fulfillment_orders').select('member_hashes').where('client_id', '=', 'TOWN');
      const { member_hashes } = await old.where('fulfillment_order_id', '=', 'OLD-1').executeTakeFirstOrThrow();
      const hashes = { ...(JSON.parse(member_hashes) as object), carrier: blank('carrier'), service: blank('service') };
      await tx
        .updateTable('fulfillment_orders')
        .set({ member_hashes: stringifyJson(hashes) })
        .where('client_id', '=', 'TOWN')
        .where('fulfillment_order_id', '=', 'OLD-1')
        .execute();
    });
    expect((await town.client.post(INTAKE, order)).status).toBe(200);
    expect((await town.client.post(INTAKE, { ...order, carrier: null, service: undefined })).status).toBe(200);
    expect((await town.client.post(INTAKE, { ...order, carrier: 'UPS' })).status).toBe(409);
  });
});

describe('a node without its optional fields', () => {
  it('is created, and returned with blanks and empty lists', async () => {
    const { status, body } = await town.operator('PUT', '/operator/v1/clients/TOWN/nodes/BARE', {
      name: 'Bare',
      nodeType: 'STORE',
      timeZone: 'Asia/Singapore',
      address: { line1: '1 Marina', city: 'Singapore', countryCode: 'SG' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      address: { mainDivisionCode: '', postalCode: '' },
      phone: '',
      openingHours: [],
      holdLocations: [],
      fulfillmentTypes: [],
    });
    const again = await town.operator('PUT', '/operator/v1/clients/TOWN/nodes/BARE', body);
    expect([again.status, again.body]).toEqual([200, body]);
  });
});
