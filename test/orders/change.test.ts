import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimCommand } from '../../src/kernel/commands.ts';
import { QUEUES } from '../../src/kernel/states.ts';
import { anonymizeOrder } from '../../src/orders/anonymize.ts';
import { changeableTypes, ORDER_CHANGES, type OrderChange } from '../../src/orders/change-rules.ts';
import { createSealer } from '../../src/platform/secrets.ts';
import { formatDateTime } from '../../src/platform/time.ts';
import { followAgenda } from '../../src/service/scheduler/agenda.ts';
import { FULFILLMENT_TYPES, type FulfillmentType } from '../../src/shared/client-settings.ts';
import { faultsOf, type Members } from '../picking/picking.ts';
import type { Answer } from '../support/backroom.ts';
import { type Flow, openFlow, STORE, systemCtx } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

let count = 0;
const change = (orderId: string, members: Members): Promise<Answer> =>
  town.client.post(`${STORE}/fulfillmentOrders/${orderId}/change`, {
    changeId: `change-${++count}`,
    userId: 'mara',
    ...members,
  });
const read = async (orderId: string) =>
  (await town.client.get(`${STORE}/fulfillmentOrders/${orderId}`)).body as Members & {
    destinations: Members[];
    lines: Members[];
    allowedChanges: { change: OrderChange; allowed: boolean; reason?: string }[];
    notes?: Members[];
  };
const PARIS = {
  personName: { firstName: 'Ada', lastName: 'Lovelace' },
  address: { line1: '9 Cove Road', city: 'Newport', countryCode: 'US', postalCode: '02840', mainDivisionCode: 'RI' },
};
const ADA = { name: 'Ada Lovelace', email: 'ada@mail.example', phone: '+1 401 555 0199' };
const inDays = (days: number) => formatDateTime(town.clock.now + days * 86_400_000);

/** Messages with one change each. */
const ONE: Record<Exclude<OrderChange, 'holdLocation'>, () => Members> = {
  contact: () => ({ contact: ADA }),
  shippingAddress: () => ({ shippingAddress: PARIS }),
  proxy: () => ({ proxy: { name: 'Bo Byrne' } }),
  pin: () => ({ pin: '8471' }),
  carrier: () => ({ carrier: 'FEDEX' }),
  giftMessage: () => ({ giftMessage: 'Enjoy' }),
  pickupDeadline: () => ({ pickupDeadline: inDays(30) }),
  note: () => ({ note: 'Rings the bell twice' }),
};
const CHANGES = Object.keys(ONE) as (keyof typeof ONE)[];

const everywhere = FULFILLMENT_TYPES.flatMap((type) =>
  ([1000, 1100, 1150, 1200, 1300, 1400, 1500, 3700, 3800, 3900, 8000, 9000, 9100, 9200] as const)
    .filter((state) => {
      if (state === 1000 || state === 8000) return true;
      if (state === 3700 || state === 9100 || state === 9200) return type === 'SHIP_TO_HOME';
      if (state === 9000) return type === 'STORE_PICK_UP' || type === 'ASSOCIATE_DELIVERY';
      if (state === 3800) return type === 'STORE_PICK_UP' || type === 'SHIP_TO_STORE';
      if (state === 3900) return type === 'ASSOCIATE_DELIVERY';
      return QUEUES[type][state] !== null;
    })
    .map((state) => [type, state] as const),
);

describe('fields that can be changed', () => {
  it.each(everywhere)('of a %s order in %i are those of the table and of its read', async (type, state) => {
    const orderId = await town.orderIn(type, state);
    expect((await town.row(orderId)).status).toBe(state);
    const { allowedChanges } = await read(orderId);
    expect(allowedChanges.map((one) => one.change)).toEqual(ORDER_CHANGES);
    for (const { change: name, allowed, reason } of allowedChanges) {
      const isTracked = (name === 'shippingAddress' || name === 'carrier') && (state === 1500 || state === 3700);
      const isEmpty = name === 'holdLocation' && (await town.lines(orderId)).every((line) => held(line) === 0);
      const isIn = changeableTypes(name, state).includes(type);
      expect(allowed, name).toBe(isIn && !isTracked && !isEmpty);
      expect(reason === undefined, name).toBe(allowed);
    }
    const standing = await town.stands(orderId);
    for (const name of CHANGES) {
      const before = await town.row(orderId);
      const answer = await change(orderId, ONE[name]());
      const { allowed } = allowedChanges.find((one) => one.change === name)!;
      expect([name, answer.status], answer.text).toEqual([name, allowed ? 200 : 409]);
      if (!allowed) {
        expect(await town.row(orderId)).toEqual(before);
        expect(answer.body).toMatchObject({ code: 'CONFLICT', refused: [{ change: name }] });
      }
    }
    expect(await town.stands(orderId)).toEqual(standing);
    await town.conserved(orderId);
  });

  const held = (line: Awaited<ReturnType<Flow['lines']>>[number]) =>
    line.picked - line.handed_over - line.refused - line.returned - line.missing;
});

describe('a change', () => {
  it('of all fields is shown in the response and in the searches, and recorded by one event without the new values', async () => {
    const orderId = await town.make('STORE_PICK_UP');
    const before = await town.row(orderId);
    const answer = await change(orderId, {
      contact: ADA,
      proxy: { name: 'Bo Byrne', phone: '401 555 0111' },
      pin: '8471',
      giftMessage: 'For the crew',
      note: 'Calls before she comes',
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual(await read(orderId));
    expect(answer.body).toMatchObject({
      revision: before.revision + 1,
      customer: ADA,
      proxyDetails: { name: 'Bo Byrne', email: '', phone: '401 555 0111' },
      notes: [{ userId: 'mara', note: 'Calls before she comes', notedDate: inDays(0) }],
      lines: [{ instructions: [{ type: 'GIFT_MESSAGE', text: 'For the crew' }] }, {}],
    });
    const events = await town.events('order', orderId);
    expect(events.at(-1)).toMatchObject({
      type: 'order.changed',
      revision: before.revision + 1,
      data: { userId: 'mara', status: '1100', fields: ['contact', 'proxy', 'pin', 'giftMessage', 'note'] },
    });
    expect(JSON.stringify(events)).not.toMatch(/Ada|Byrne|8471|crew|Calls/);
    const where = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
    const queueId = 'WAITING_FOR_PICK_ISPU';
    const found = await town.client.post(`/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders?queueId=${queueId}`, {
      ...where,
      queueId,
      customer: { name: 'lovelace', email: '', phone: '5550199' },
    });
    expect(JSON.stringify(found.body)).toContain(orderId);
  });

  it('sent again under the same id has no effect, also after other changes; with other content it is rejected', async () => {
    const orderId = await town.make('SHIP_TO_HOME');
    const message = { changeId: 'once', note: 'Dog in the yard', carrier: 'FEDEX' };
    const first = await change(orderId, message);
    expect([first.status, first.body['carrier'], first.body['shipMethod']]).toMatchObject([
      200,
      'FEDEX',
      expect.any(String),
    ]);
    await change(orderId, { carrier: 'UPS' });
    const again = await change(orderId, message);
    expect([again.status, again.body]).toEqual([200, await read(orderId)]);
    expect(again.body).toMatchObject({ carrier: 'UPS', notes: [{ note: 'Dog in the yard' }] });
    const other = await change(orderId, { ...message, note: 'Cat in the yard' });
    expect([other.status, other.body['code']]).toEqual([409, 'CONFLICT']);
    expect((await read(orderId)).notes).toHaveLength(1);
  });

  it('sent again with its deadline in another spelling has no effect, also if an earlier release made the change', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    const [deadline, late] = [inDays(30), inDays(31)];
    const spelled = deadline.replace('+00:00', 'Z');
    expect((await change(orderId, { changeId: 'day', pickupDeadline: spelled })).status).toBe(200);
    const { revision } = await town.row(orderId);
    expect((await change(orderId, { changeId: 'day', pickupDeadline: deadline })).status).toBe(200);
    expect((await change(orderId, { changeId: 'day', pickupDeadline: late })).status).toBe(409);
    // Releases until 0.5.0 compared the deadline as a text, in the spelling of the request.
    const key = { clientId: 'TOWN', scope: `change:${orderId}`, commandId: 'old' } as const;
    const sent = { userId: 'ana', pickupDeadline: spelled };
    const sealer = createSealer(Buffer.from('ab'.repeat(32), 'hex'));
    await town.store.write((db) => claimCommand({ db, sealer, now: town.clock.now }, key, sent, 'changeId'));
    expect((await change(orderId, { changeId: 'old', ...sent })).status).toBe(200);
    expect((await town.row(orderId)).revision).toBe(revision);
  });

  it('sent 16 times at once happens once', async () => {
    const orderId = await town.make('STORE_PICK_UP');
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => change(orderId, { changeId: 'at once', note: 'One note' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
    expect((await read(orderId)).notes).toHaveLength(1);
    expect((await town.events('order', orderId)).filter(({ type }) => type === 'order.changed')).toHaveLength(1);
  });

  it('to the current value is no change, and records no event', async () => {
    const orderId = await town.make('SHIP_TO_HOME');
    const before = await town.row(orderId);
    const { customer } = await read(orderId);
    const answer = await change(orderId, { contact: customer, carrier: before.carrier, proxy: undefined });
    expect([answer.status, await town.row(orderId)]).toEqual([200, before]);
  });

  it('is rejected as a whole when one part is not possible, and every such part is named', async () => {
    const orderId = await town.make('SHIP_TO_HOME');
    const before = await town.row(orderId);
    const answer = await change(orderId, { note: 'x', pin: '1', proxy: { name: 'Bo' }, carrier: 'DHL' });
    expect(answer.status).toBe(409);
    expect((answer.body['refused'] as Members[]).map((one) => one['change'])).toEqual(['proxy', 'pin']);
    expect(await town.row(orderId)).toEqual(before);
    expect((await read(orderId)).notes).toBeUndefined();
  });

  it('that removes missing fields is accepted for every type and state', async () => {
    const orderId = await town.make('SHIP_TO_HOME');
    const remove = ['proxy', 'pin', 'giftMessage', 'pickupDeadline'];
    expect((await change(orderId, { remove, note: 'x' })).status).toBe(200);
    const { fields } = (await town.events('order', orderId)).at(-1)!.data;
    expect(fields).toEqual(['note']);
  });

  it('with null for fields that it does not change keeps proxy, PIN and gift message, as a serializer that writes nulls expects', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    await change(orderId, { proxy: { name: 'Bo' }, pin: '8471', giftMessage: 'For you' });
    const before = await town.row(orderId);
    const nulls = { contact: null, proxy: null, pin: null, giftMessage: null, pickupDeadline: null, remove: null };
    expect((await change(orderId, { ...nulls, note: 'x' })).status).toBe(200);
    const { fields } = (await town.events('order', orderId)).at(-1)!.data;
    expect(fields).toEqual(['note']);
    expect(await town.row(orderId)).toMatchObject({ contacts: before.contacts, pin_hash: before.pin_hash });
    expect((await change(orderId, nulls)).status).toBe(400);
  });

  it('removes a proxy only by name, and not together with a new one', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    await change(orderId, { proxy: { name: 'Bo' } });
    const both = await change(orderId, { proxy: { name: 'Cy' }, remove: ['proxy', 'proxy', 'contact'] });
    expect([both.status, faultsOf(both)]).toEqual([
      400,
      ['/remove/0 contradiction', '/remove/1 contradiction', '/remove/1 unique', '/remove/2 enum'],
    ]);
    expect((await change(orderId, { remove: ['proxy'] })).status).toBe(200);
    expect((await read(orderId)).proxyDetails).toBeUndefined();
  });

  it('of quantities is rejected with the operations that change them', async () => {
    const orderId = await town.make('SHIP_TO_HOME');
    const answer = await change(orderId, { lines: [{ webLineId: '1', quantity: 3 }], note: 'x' });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('cancel')]);
  });

  it('lists every error of the message in one response', async () => {
    const orderId = await town.make('SHIP_TO_HOME');
    const answer = await change(orderId, {
      shippingAddress: { personName: { firstName: 'Ada' }, address: { city: 'x', countryCode: 'us' } },
      pickupDeadline: formatDateTime(town.clock.now),
      giftMessage: 5,
      giftMessageLines: ['1', '9'],
      note: '',
    });
    expect([answer.status, faultsOf(answer)]).toEqual([
      400,
      [
        '/giftMessage type',
        '/giftMessageLines/1 unknown',
        '/note minLength',
        '/pickupDeadline past',
        '/shippingAddress/address/countryCode pattern',
        '/shippingAddress/address/line1 required',
      ],
    ]);
    expect(faultsOf(await change(orderId, {}))).toEqual([' nothing']);
    expect(faultsOf(await change(orderId, { pickupDeadline: inDays(367) }))).toEqual(['/pickupDeadline maximum']);
    expect(faultsOf(await change(orderId, { giftMessageLines: ['1'], note: 'x' }))).toEqual([
      '/giftMessageLines giftMessage',
    ]);
  });

  it('of a missing order, or of another store, is 404', async () => {
    expect((await change('none', { note: 'x' })).status).toBe(404);
  });

  it('remains when the order is sent again: intake compares with the first version', async () => {
    const body = (await orderBody('AGAIN')) as Members;
    expect((await town.client.post(`${STORE}/fulfillmentOrders`, body)).status).toBe(201);
    expect((await change('AGAIN', { contact: ADA })).status).toBe(200);
    expect((await town.client.post(`${STORE}/fulfillmentOrders`, body)).status).toBe(200);
    expect((await read('AGAIN'))['customer']).toEqual(ADA);
  });

  const orderBody = async (fulfillmentOrderId: string) => ({
    fulfillmentOrderId,
    omsOrderId: 'O',
    webOrderId: 'W',
    nodeId: 'TOWN-Store001',
    fulfillmentType: 'STORE_PICK_UP',
    orderDate: formatDateTime(town.clock.now),
    currency: 'USD',
    customer: { name: 'Bo Diaz', email: '', phone: '' },
    destinations: [{ destinationId: '1' }],
    billToAddress: { destinationId: '1' },
    shippingAddress: { destinationId: '1' },
    lines: [{ webLineId: '1', itemId: '21-SOAP-LAV', quantity: 1, unitPrice: 1 }],
  });
});

describe('a shipping address', () => {
  const addressOf = async (orderId: string) => {
    const { destinations, shippingAddress } = await read(orderId);
    const { destinationId } = shippingAddress as { destinationId: string };
    return destinations.find((one) => one['destinationId'] === destinationId)!;
  };

  it('becomes a destination of its own if the bill had the same one, and the billing address remains', async () => {
    const orderId = await town.make('SHIP_TO_HOME');
    const before = await read(orderId);
    const { billToAddress, shippingAddress, destinations } = before;
    expect((await change(orderId, { shippingAddress: PARIS })).status).toBe(200);
    const after = await read(orderId);
    expect(await addressOf(orderId)).toMatchObject(PARIS);
    expect(after['billToAddress']).toEqual(billToAddress);
    const isShared = JSON.stringify(billToAddress) === JSON.stringify(shippingAddress);
    expect(after.destinations.length).toBe(destinations.length + (isShared ? 1 : 0));
    const bill = (all: Members[]) =>
      all.find((one) => one['destinationId'] === (billToAddress as { destinationId: string }).destinationId);
    expect(bill(after.destinations)).toEqual(bill(destinations));
    expect((await town.row(orderId)).postal_code_key).toBe('02840');
    await change(orderId, { shippingAddress: { ...PARIS, address: { ...PARIS.address, line1: '10 Cove Road' } } });
    expect((await read(orderId)).destinations.length).toBe(after.destinations.length);
  });

  it('cannot be changed while a package has a tracking number, and neither can the carrier', async () => {
    const orderId = await town.picked('SHIP_TO_HOME');
    expect((await town.pack(orderId, { 1: 1 })).status).toBe(204);
    const refused = await change(orderId, { shippingAddress: PARIS, carrier: 'DHL' });
    expect([refused.status, refused.body['refused']]).toMatchObject([
      409,
      [{ change: 'shippingAddress' }, { change: 'carrier' }],
    ]);
    expect((await town.pack(orderId, {}, '1', { action: 'VOID', packageItems: undefined })).status).toBe(204);
    expect((await change(orderId, { shippingAddress: PARIS, carrier: 'DHL' })).status).toBe(200);
    expect(await addressOf(orderId)).toMatchObject(PARIS);
  });

  it('in another country needs items whose country of origin is known', async () => {
    const orderId = await town.make('SHIP_TO_HOME');
    await town.client.put('/item-service/clients/TOWN/items/21-SOAP-LAV?merge=true', { countryOfOrigin: '' });
    const abroad = { ...PARIS, address: { ...PARIS.address, countryCode: 'FR' } };
    const answer = await change(orderId, { shippingAddress: abroad });
    const fault = '/shippingAddress/address/countryCode countryOfOrigin';
    expect([answer.status, faultsOf(answer)]).toEqual([400, [fault]]);
  });

  it('and all other fields of a returned order are copied to the order at the next node', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [3, 2], [0, 0]);
    expect((await change(orderId, { shippingAddress: PARIS, contact: ADA, carrier: 'DHL' })).status).toBe(200);
    const [request] = await town.requestsOf(orderId);
    const to = { nodeId: 'TOWN-DC001', fulfillmentOrderId: `${orderId}-next` };
    const answered = await town.answer(request!['requestId'], { outcome: 'RESOURCE', ...to });
    expect(answered.status, answered.text).toBe(200);
    expect(await addressOf(to.fulfillmentOrderId)).toMatchObject(PARIS);
    expect(await read(to.fulfillmentOrderId)).toMatchObject({ customer: ADA, carrier: 'DHL' });
  });
});

describe('a PIN', () => {
  const pinOf = async (orderId: string) => (await town.row(orderId)).pin_cipher;
  const hand = (orderId: string, pinNumber?: string) =>
    town.client.put('/stores/TOWN_US/nodes/TOWN-Store001/customerPickUp/confirm', {
      modifyAssociateId: 'bo',
      customerPickUpDetails: {
        storeId: 'TOWN_US',
        nodeId: 'TOWN-Store001',
        fulfillmentOrderId: orderId,
        ...(pinNumber && { pinNumber }),
        customerPickUpItems: [
          {
            webLineId: '1',
            itemId: '21-SOAP-LAV',
            customerPickedQuantity: 1,
            canceledQuantity: 0,
            backroomPickedQuantity: 3,
          },
        ],
      },
    });

  it('is sealed, is checked at the hand-over, and resets the count of wrong attempts', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    expect((await change(orderId, { pin: '8471' })).status).toBe(200);
    const { pin_cipher: cipher, pin_hash: hash } = await town.row(orderId);
    expect(cipher).toMatch(/^v2\./);
    expect(`${cipher}${hash}`).not.toContain('8471');
    expect((await hand(orderId, '1111')).body['code']).toBe('WRONG_PIN');
    expect((await town.row(orderId)).pin_attempts).toBe(1);
    await change(orderId, { pin: '9999' });
    expect((await town.row(orderId)).pin_attempts).toBe(0);
    expect((await hand(orderId, '8471')).body['code']).toBe('WRONG_PIN');
    expect((await hand(orderId, '9999')).status).toBeLessThan(300);
  });

  it('is removed by `remove`, and removing a missing one is no change', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    await change(orderId, { pin: '8471' });
    expect((await change(orderId, { remove: ['pin'] })).status).toBe(200);
    expect(await pinOf(orderId)).toBeNull();
    const { revision } = await town.row(orderId);
    expect((await change(orderId, { remove: ['pin'] })).status).toBe(200);
    expect((await town.row(orderId)).revision).toBe(revision);
  });

  it('sent under a used changeId or Idempotency-Key gets the same response as any other: no caller can probe it', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    await change(orderId, { changeId: 'pin', pin: '8471' });
    const cipher = await pinOf(orderId);
    expect((await change(orderId, { changeId: 'pin', pin: '1234' })).status).toBe(200);
    expect(await pinOf(orderId)).toBe(cipher);
  });

  it('is in no read, and in no error that repeats sent values', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    const answer = await change(orderId, { pin: '8471' });
    expect(answer.text).not.toContain('8471');
    expect((await change(orderId, { pin: '847184718471847184718471', note: '' })).text).not.toContain('8471');
  });
});

describe('a gift message', () => {
  const messagesOf = async (orderId: string) =>
    (await read(orderId)).lines.map((line) =>
      (line['instructions'] as Members[] | undefined)?.map((one) => one['text']),
    );

  it('goes to the named lines, else to the lines that have one, else to the first line; `remove` removes it', async () => {
    const orderId = await town.make('SHIP_TO_HOME');
    await change(orderId, { giftMessage: 'First' });
    expect(await messagesOf(orderId)).toEqual([['First'], undefined]);
    await change(orderId, { giftMessage: 'Second', giftMessageLines: ['2'] });
    expect(await messagesOf(orderId)).toEqual([['First'], ['Second']]);
    await change(orderId, { giftMessage: 'Both' });
    expect(await messagesOf(orderId)).toEqual([['Both'], ['Both']]);
    await change(orderId, { remove: ['giftMessage'], giftMessageLines: ['1'] });
    expect(await messagesOf(orderId)).toEqual([[], ['Both']]);
    await change(orderId, { remove: ['giftMessage'] });
    expect(await messagesOf(orderId)).toEqual([[], []]);
  });

  it('is rejected for a line that already has 20 other instructions, and another line takes it', async () => {
    const instructions = Array.from({ length: 20 }, (_, n) => ({ type: 'WRAP', text: `${n}` }));
    const line = { itemId: '21-MUG-WHT', quantity: 1, unitPrice: 5 };
    const lines = [
      { ...line, webLineId: '1', instructions },
      { ...line, webLineId: '2' },
    ];
    const orderId = await town.order({ type: 'SHIP_TO_HOME', lines: [], more: { lines } });
    const rejected = await change(orderId, { giftMessage: 'Enjoy' });
    expect([rejected.status, rejected.body['code']]).toEqual([409, 'CONFLICT']);
    expect(rejected.body['detail']).toContain('line "1" already has 20 instructions');
    expect((await change(orderId, { giftMessage: 'Enjoy', giftMessageLines: ['2'] })).status).toBe(200);
    expect((await messagesOf(orderId))[1]).toEqual(['Enjoy']);
  });
});

describe('a pickup deadline', () => {
  it('sets when the order expires, and the alert of the old deadline closes', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    const sla = (await town.row(orderId)).sla_at!;
    const answer = await change(orderId, { pickupDeadline: inDays(30) });
    expect(answer.body['slaDate']).toEqual({ slaTypeId: 'CUSTOMER_PICKUP', value: inDays(30) });
    const row = await town.row(orderId);
    expect(row.sla_at).toBe(town.clock.now + 30 * 86_400_000);
    expect(row.due_at).toBeGreaterThan(town.clock.now);
    expect(row.due_at).toBeLessThan(row.sla_at!);
    expect((await change(orderId, { remove: ['pickupDeadline'] })).status).toBe(200);
    expect((await town.row(orderId)).sla_at).toBe(sla);
  });

  it('that no change has set cannot be removed: the deadline stays although the SLA is another one now', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    const before = await town.row(orderId);
    const path = '/operator/v1/clients/TOWN';
    const { body } = await town.operator('GET', path);
    const slaMinutes = { CUSTOMER_PICKUP: 3 * 1440 };
    const put = await town.operator('PUT', path, { ...body, settings: { ...body.settings, slaMinutes } });
    expect(put.status, put.text).toBe(200);
    const { now } = town.clock;
    try {
      for (const days of [0, 4]) {
        town.clock.now = now + days * 86_400_000;
        const answer = await change(orderId, { remove: ['pickupDeadline'] });
        expect(answer.status, answer.text).toBe(200);
        expect(await town.row(orderId)).toEqual(before);
      }
    } finally {
      town.clock.now = now;
      await town.operator('PUT', path, body);
    }
  });

  it('can be removed if the events of the change that set it are deleted and later ones are not', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    const sla = (await town.row(orderId)).sla_at!;
    await change(orderId, { pickupDeadline: inDays(30) });
    const { now } = town.clock;
    try {
      town.clock.now = now + 1;
      await change(orderId, { note: 'x' });
      await town.store.write((db) =>
        db.deleteFrom('events').where('resource_id', '=', orderId).where('at', '<=', now).execute(),
      );
      expect((await change(orderId, { remove: ['pickupDeadline'] })).status).toBe(200);
      expect((await town.row(orderId)).sla_at).toBe(sla);
    } finally {
      town.clock.now = now;
    }
  });

  it('cannot be removed once the deadline of the SLA has passed, because the order would expire at once', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    const sla = (await town.row(orderId)).sla_at!;
    await change(orderId, { pickupDeadline: inDays(30) });
    const before = await town.row(orderId);
    const { now } = town.clock;
    try {
      town.clock.now = sla;
      const answer = await change(orderId, { note: 'x', remove: ['pickupDeadline'] });
      expect([answer.status, faultsOf(answer)]).toEqual([400, ['/remove/0 past']]);
      expect(answer.text).toContain('would expire now');
      expect(await town.row(orderId)).toEqual(before);
    } finally {
      town.clock.now = now;
    }
  });

  it('closes the alert of the order; when the new deadline approaches, the alert opens again and the customer is reminded again', async () => {
    const orderId = await town.picked('STORE_PICK_UP');
    const alerts = () =>
      town.store.read((db) =>
        db
          .selectFrom('alerts')
          .select(['status', 'alert_type'])
          .where('client_id', '=', 'TOWN')
          .where('fulfillment_order_id', '=', orderId)
          .execute(),
      );
    const follow = async () => {
      const { due_at: at } = await town.row(orderId);
      town.clock.now = Math.max(town.clock.now, at!);
      await town.store.write((db) =>
        followAgenda(systemCtx(town, db), { clientId: 'TOWN', id: orderId, at: at! }, () => {}),
      );
    };
    const reminders = async () =>
      (await town.events('order', orderId)).flatMap(({ type, data }) =>
        type === 'order.pickupReminder' ? [data['expiresAt']] : [],
      );
    await follow();
    expect(await alerts()).toEqual([{ status: 'OPEN', alert_type: 'CUSTOMER_PICKUP_APPROACHING' }]);
    const first = formatDateTime((await town.row(orderId)).sla_at!);
    const second = inDays(20);
    await change(orderId, { pickupDeadline: second });
    expect(await alerts()).toEqual([{ status: 'CLOSED', alert_type: 'CUSTOMER_PICKUP_APPROACHING' }]);
    expect(await reminders()).toEqual([first]);
    await follow();
    expect(await alerts()).toEqual([{ status: 'OPEN', alert_type: 'CUSTOMER_PICKUP_APPROACHING' }]);
    await change(orderId, { pickupDeadline: second, note: 'The same day' });
    expect(await alerts()).toEqual([{ status: 'OPEN', alert_type: 'CUSTOMER_PICKUP_APPROACHING' }]);
    expect(await reminders()).toEqual([first, second]);
    await follow();
    expect((await town.row(orderId)).status).toBe(8000);
  });
});

describe('notes', () => {
  it('are listed oldest first, also on an ended order, and are deleted with the customer’s data', async () => {
    const orderId = await town.orderIn('STORE_PICK_UP' satisfies FulfillmentType, 9000);
    await change(orderId, { note: 'First' });
    town.clock.now += 60_000;
    await change(orderId, { note: 'Second' });
    expect((await read(orderId)).notes!.map((one) => one['note'])).toEqual(['First', 'Second']);
    const row = await town.row(orderId);
    await town.store.write((db) => anonymizeOrder(systemCtx(town, db), row));
    const after = await read(orderId);
    expect(after.notes).toBeUndefined();
    const refused = await change(orderId, { note: 'Third' });
    expect([refused.status, refused.body['detail']]).toEqual([409, expect.stringContaining('anonymized')]);
    const commands = await town.store.read((db) =>
      db.selectFrom('commands').selectAll().where('scope', '=', `change:${orderId}`).execute(),
    );
    expect(commands).toEqual([]);
  });
});
