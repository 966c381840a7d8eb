import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goingTo, openPlace, type Place, storeOrder, trackedBy } from './place.ts';
import { putOnTicket } from './put-on-ticket.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
  await takeIn();
});
afterAll(() => place.close());

type Body = Record<string, unknown>;
const idsOf = (found: { fulfillmentOrderId: string }[]) => found.map((order) => order.fulfillmentOrderId);

const NAMES = ['Ada Byron', 'Áda O’Brien', 'Bo Byrne-Ada', 'Zoë'];
const PHONES = ['+1 215 555 0199', '2155550199', '5550199', '199', '12155550198'];
const EMAILS = ['ada@example.com', 'ADA@example.com', 'bo@example.com'];
const ZIPS = ['19406', '19406-1234', '194', 'H2Y 1C6', 'h2y1c7', '02110'];
const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 1);
const iso = (minute: number) => new Date(START + minute * MINUTE).toISOString();

interface Plain {
  id: string;
  columns: { type: string; status: number; queue: string; ticket: string | null };
  carrier: string;
  service: string;
  web: string;
  oms: string;
  zip: string;
  ordered: number;
  released: number;
  expected: number;
  customer: { name: string; email: string; phone: string };
  proxy: { name: string; email: string; phone: string } | undefined;
  pin: string | undefined;
  tracking: string;
}

/** Returns order `n`, the same in each run. The fields use different factors, so their values combine differently. */
function plain(n: number): Plain {
  const pick = <T>(values: readonly T[], factor: number) => values[(n * factor + (n >> 3)) % values.length]!;
  const person = (shift: number) => ({
    name: pick(NAMES, 1 + shift),
    email: pick(EMAILS, 5 + shift),
    phone: pick(PHONES, 7 + shift),
  });
  const ordered = (n * 7) % 11;
  return {
    id: `R${String((n * 37) % 100).padStart(2, '0')}`,
    columns: {
      type: pick(['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE'], 1),
      status: pick([1100, 1150, 1200, 1300, 1400], 3),
      queue: pick(['RA', 'RB'], 1),
      ticket: pick(['P1', 'P2'], 3),
    },
    carrier: pick(['UPS', 'FEDEX'], 1),
    service: pick(['GROUND', 'AIR', 'SEA'], 2),
    web: pick(['W1', 'W2', 'W3'], 1),
    oms: pick(['O1', 'O2'], 5),
    zip: pick(ZIPS, 5),
    ordered,
    released: ordered + (n % 5),
    expected: 100 + (n % 9),
    customer: person(0),
    proxy: n % 3 === 0 ? undefined : person(1),
    pin: n % 2 === 0 ? undefined : pick(['1', '2'], 1),
    tracking: pick(['TA', 'TB', 'TC'], 2),
  };
}

const orders = Array.from({ length: 60 }, (_, n) => plain(n));

async function takeIn() {
  const answer = await place.intake(
    orders.map((order) =>
      storeOrder(order.id, {
        nodeId: 'N1',
        omsOrderId: order.oms,
        webOrderId: order.web,
        carrier: order.carrier,
        service: order.service,
        orderDate: iso(order.ordered),
        fulfillmentOrderDate: iso(order.released),
        expectedDeliveryDate: iso(order.expected),
        customer: order.customer,
        ...(order.proxy && { proxyDetails: order.proxy }),
        ...(order.pin && { pinNumber: order.pin }),
        ...goingTo(order.zip),
        ...trackedBy(order.tracking),
      }),
    ),
  );
  expect(answer.status, answer.text).toBe(201);
  for (const ticketId of ['P1', 'P2']) {
    await putOnTicket(
      place.store,
      ticketId,
      orders.filter(({ columns }) => columns.ticket === ticketId).map(({ id }) => id),
    );
  }
  for (const { id, columns } of orders) {
    const { type, status, queue, ticket } = columns;
    await place.setOrder(id, {
      fulfillment_type: type,
      status,
      queue_id: queue,
      pick_ticket_id: ticket,
      store_id: 'S2',
      node_id: 'N2',
    });
  }
}

const words = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[̀-ͯ]/g, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

function sameContact(contact: Plain['customer'] | undefined, filter: Plain['customer'] | undefined): boolean {
  if (filter === undefined || (filter.name === '' && filter.email === '' && filter.phone === '')) return true;
  if (contact === undefined) return false;
  const [a, b] = [contact.phone.replace(/\D/g, ''), filter.phone.replace(/\D/g, '')];
  const shorter = Math.min(a.length, b.length);
  return (
    words(filter.name).every((word) => words(contact.name).some((one) => one.startsWith(word))) &&
    (filter.email === '' || filter.email.toLowerCase() === contact.email.toLowerCase()) &&
    (filter.phone === '' || a === b || (shorter >= 7 && a.slice(-shorter) === b.slice(-shorter)))
  );
}

interface Wish {
  fulfillmentType?: string;
  carrier?: string;
  service?: string;
  shipMethod?: string;
  pickTicketId?: string;
  fulfillmentOrderId?: string;
  webOrderId?: string;
  omsOrderId?: string;
  zipCodeRange?: { from: string; to: string };
  orderDateRange?: [number, number];
  fulfillmentOrderDateRange?: [number, number];
  expectedDeliveryDateRange?: [number, number];
  customer?: Plain['customer'];
  proxyDetails?: Plain['customer'];
  trackingNumber?: string;
  pinNumber?: string;
  fulfillmentTypes?: string[];
  statuses?: { from: number; to: number };
}

const inRange = (value: number, range: [number, number] | undefined) =>
  range === undefined || (range[0] <= value && value <= range[1]);
const same = (value: unknown, wished: unknown) => wished === undefined || value === wished;

function matches(order: Plain, wish: Wish): boolean {
  const zip = order.zip.toUpperCase().replace(/[ -]/g, '');
  const { from, to } = wish.zipCodeRange ?? { from: '', to: '' };
  return (
    same(order.columns.type, wish.fulfillmentType) &&
    (wish.fulfillmentTypes?.includes(order.columns.type) ?? true) &&
    inRange(order.columns.status, wish.statuses && [wish.statuses.from, wish.statuses.to]) &&
    same(order.carrier, wish.carrier) &&
    same(order.service, wish.service) &&
    same(`${order.carrier}_${order.service}`, wish.shipMethod) &&
    same(order.columns.ticket, wish.pickTicketId) &&
    same(order.id, wish.fulfillmentOrderId) &&
    same(order.web, wish.webOrderId) &&
    same(order.oms, wish.omsOrderId) &&
    (wish.zipCodeRange === undefined || (zip >= from && (zip <= to || zip.startsWith(to)))) &&
    inRange(order.ordered, wish.orderDateRange) &&
    inRange(order.released, wish.fulfillmentOrderDateRange) &&
    inRange(order.expected, wish.expectedDeliveryDateRange) &&
    sameContact(order.customer, wish.customer) &&
    sameContact(order.proxy, wish.proxyDetails) &&
    same(order.tracking, wish.trackingNumber) &&
    same(order.pin, wish.pinNumber)
  );
}

const expected = (wish: Wish, queue?: string) =>
  orders
    .filter((order) => (queue === undefined || order.columns.queue === queue) && matches(order, wish))
    .sort((a, b) => a.released - b.released || (a.id < b.id ? -1 : 1))
    .map((order) => order.id);

const asRange = (range: [number, number] | undefined) => range && { from: iso(range[0]), to: iso(range[1]) };

describe('any combination of filters finds what a plain filter over the orders finds', () => {
  const range = (most: number) =>
    fc
      .tuple(fc.integer({ min: 0, max: most }), fc.integer({ min: 0, max: most }))
      .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);
  const contact = fc.record({
    name: fc.constantFrom('', 'ada', 'BYR', 'o’b', 'zoe', 'da', 'Ada Byr'),
    email: fc.constantFrom('', '', ...EMAILS),
    phone: fc.constantFrom('', '', '15550199', ...PHONES),
  });
  const zip = fc
    .constantFrom(
      ['194', '194'],
      ['19406', '19406'],
      ['0', '19406'],
      ['19406 1', 'H2Y'],
      ['H2Y1C7', 'z'],
      ['02110', '1'],
    )
    .map(([from, to]) => ({ from: from.toUpperCase().replace(' ', ''), to: to.toUpperCase() }));
  const contacts = { customer: contact, proxyDetails: contact };
  const queueWish = fc.record(
    {
      fulfillmentType: fc.constantFrom('STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE'),
      carrier: fc.constantFrom('UPS', 'FEDEX'),
      service: fc.constantFrom('GROUND', 'AIR', 'SEA'),
      shipMethod: fc.constantFrom('UPS_GROUND', 'FEDEX_AIR'),
      pickTicketId: fc.constantFrom('P1', 'P2'),
      fulfillmentOrderId: fc.constantFrom(...orders.slice(0, 5).map((order) => order.id)),
      webOrderId: fc.constantFrom('W1', 'W2', 'W3'),
      zipCodeRange: zip,
      orderDateRange: range(11),
      fulfillmentOrderDateRange: range(16),
      expectedDeliveryDateRange: range(109),
      ...contacts,
      trackingNumber: fc.constantFrom('TA', 'TB', 'TC'),
      pinNumber: fc.constantFrom('1', '2'),
    },
    { requiredKeys: [] },
  );
  const few = <T extends object>(wishes: fc.Arbitrary<T>) =>
    fc.tuple(wishes, fc.integer({ min: 0, max: 3 }), fc.nat()).map(([wish, count, start]) => {
      const members = Object.entries(wish);
      const kept = Array.from(
        { length: Math.min(count, members.length) },
        (_, i) => members[(start + i * 5) % members.length]!,
      );
      return Object.fromEntries(kept) as T;
    });

  const S2 = (path: string, body: Body) =>
    place.call({ method: 'POST', path, body, headers: { apiKey: place.keys.all } });

  test('queue search', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(few(queueWish), queueWish),
        fc.constantFrom('RA', 'RB'),
        async (wish: Wish, queueId) => {
          const ranges = {
            orderDateRange: asRange(wish.orderDateRange),
            fulfillmentOrderDateRange: asRange(wish.fulfillmentOrderDateRange),
            expectedDeliveryDateRange: asRange(wish.expectedDeliveryDateRange),
          };
          const body = { ...wish, ...ranges, storeId: 'S2', nodeId: 'N2', queueId, pageSize: 100 };
          const answer = await S2(`/stores/S2/nodes/N2/fulfillmentOrders?queueId=${queueId}`, body);
          expect(answer.status, answer.text).toBe(200);
          expect(idsOf(answer.body.fulfillmentOrders)).toEqual(expected(wish, queueId));
          found += answer.body.fulfillmentOrders.length;
        },
      ),
      { numRuns: 150 },
    );
    expect(found).toBeGreaterThan(0);
  });

  test('order search', async () => {
    const wishes = fc.record(
      {
        webOrderId: fc.constantFrom('W1', 'W2', 'W3'),
        omsOrderId: fc.constantFrom('O1', 'O2'),
        orderDateRange: range(11),
        fulfillmentOrderId: fc.constantFrom(...orders.slice(0, 5).map((order) => order.id)),
        fulfillmentTypes: fc.subarray(['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE'], { minLength: 1 }),
        statuses: fc
          .constantFrom([1100, 1100], [1101, 1199], [1150, 1300], [0, 99_999])
          .map(([from, to]) => ({ from: from, to: to })),
        ...contacts,
        fulfillmentOrderDateRange: range(16),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(few(wishes), wishes), async (wish: Wish) => {
        const { webOrderId, omsOrderId, orderDateRange, fulfillmentOrderDateRange, ...inner } = wish;
        const answer = await S2('/stores/S2/fulfillmentOrder/search', {
          storeId: 'S2',
          nodeId: 'N2',
          webOrderId,
          omsOrderId,
          orderDateRange: asRange(orderDateRange),
          fulfillmentOrder: { ...inner, fulfillmentOrderDateRange: asRange(fulfillmentOrderDateRange) },
          pageSize: 100,
        });
        expect(answer.status, answer.text).toBe(200);
        expect(idsOf(answer.body.fulfillmentOrders)).toEqual(expected(wish));
        expect(answer.body.totalRecords).toBe(expected(wish).length);
      }),
      { numRuns: 150 },
    );
  });
});
