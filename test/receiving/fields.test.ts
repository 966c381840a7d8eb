/**
 * Every row of the interface's table of inbound fields, written by hand. The tests send each field with a value at its
 * limit and with a value beyond its limit, and leave the field out.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '../../src/platform/decimal.ts';
import type { Answer } from '../support/backroom.ts';
import { asn, errorsOf, type Inbound, LONG_ITEMS, openInbound, po } from './support.ts';

let inbound: Inbound;
beforeAll(async () => {
  inbound = await openInbound();
});
afterAll(() => inbound.close());

type Kind = 'ASN' | 'PO';
type Members = Record<string, unknown>;

interface Row {
  /** The spelling of the name in the interface's table. */
  member: string;
  says: string;
  /** The spelling of the name in the interface's example. */
  camel: string;
  required: readonly Kind[];
  good: readonly unknown[];
  bad: readonly unknown[];
}

const BOTH: readonly Kind[] = ['ASN', 'PO'];
const x = (count: number) => 'x'.repeat(count);

const header: readonly Row[] = [
  {
    member: 'ASNNumber',
    says: 'string of 1 to 15, required for an ASN, blank for a PO',
    camel: 'asnNumber',
    required: ['ASN'],
    good: ['A', `A${x(14)}`],
    bad: [`A${x(15)}`, '', ' A', 7, null],
  },
  {
    member: 'ShipmentNumber',
    says: 'string of 1 to 15, required for a PO, blank for an ASN',
    camel: 'shipmentNumber',
    required: ['PO'],
    good: ['IAJUS-116294', `P${x(14)}`],
    bad: [`P${x(15)}`, 7],
  },
  {
    member: 'ReceivingType',
    says: 'A for an ASN, P for a PO, required',
    camel: 'receivingType',
    required: BOTH,
    good: [],
    bad: ['X', 'a', 'AP', '', 1],
  },
  {
    member: 'ReceivingWarehouseId',
    says: 'string, a warehouse of the client, required',
    camel: 'receivingWarehouseId',
    required: BOTH,
    good: ['DC001', 'DC002'],
    bad: ['DC009', 'dc001', '', 5],
  },
  {
    member: 'ShipmentReceiptDate',
    says: 'ISO date, required',
    camel: 'shipmentReceiptDate',
    required: BOTH,
    good: ['2023-06-14', '2024-02-29', '2026-03-20T08:00:00Z', '2026-03-20T08:00:00+02:00'],
    bad: ['2026-02-30', '2025-02-29', '20260320', '2026-03-20T08:00:00', '', 20260320],
  },
  {
    member: 'OrderDate',
    says: 'ISO date, optional',
    camel: 'orderDate',
    required: [],
    good: ['2023-06-14', '2026-03-20T08:00:00Z'],
    bad: ['2026-13-01', '', 1],
  },
  {
    member: 'ShipperName',
    says: 'string of 1 to 30, required',
    camel: 'shipperName',
    required: BOTH,
    good: ['S', x(30), '\u{1f4e6}'.repeat(30)],
    bad: [x(31), '', 3],
  },
  {
    member: 'StoreCode',
    says: 'string of 1 to 5, a store of the seller, required',
    camel: 'storeCode',
    required: BOTH,
    good: ['988', 'ABCDE'],
    bad: ['ABCDEF', 'NONE', '', 988],
  },
  { member: 'POStatus', says: 'string, kept as sent', camel: 'poStatus', required: [], good: ['', 'OPEN'], bad: [1] },
  {
    member: 'SellerId',
    says: 'string, kept as sent, need not agree with the path',
    camel: 'sellerId',
    required: [],
    good: ['420', 'TOWNS', ''],
    bad: [420],
  },
];

const detail: readonly Row[] = [
  {
    member: 'ASNNumber',
    says: "string of 15, required for an ASN, the header's",
    camel: 'asnNumber',
    required: ['ASN'],
    good: [],
    bad: [x(16), 1],
  },
  {
    member: 'CartonId',
    says: 'string, required for an ASN',
    camel: 'cartonId',
    required: ['ASN'],
    good: ['1', '00340123450000000018', x(64)],
    bad: [x(65), 18],
  },
  {
    member: 'ClientItemId',
    says: 'string of 1 to 15, an item of the catalog, required',
    camel: 'clientItemId',
    required: BOTH,
    good: ['MUG-WHT', LONG_ITEMS[0]],
    bad: [LONG_ITEMS[1], 'MUG-PNK', 'mug-wht', '', 1],
  },
  {
    member: 'ItemCost',
    says: 'decimal from 0 to 999999, digits kept, required',
    camel: 'itemCost',
    required: BOTH,
    good: [0, 0.01, 999999, 12.3456789, new Decimal('123456.12345678901234567'), 999998.99],
    bad: [-0.01, 999999.01, new Decimal('999999.00000000000000001'), 1000000, '12.50', ''],
  },
  {
    member: 'LineNumber',
    says: 'string, optional',
    camel: 'lineNumber',
    required: [],
    good: ['1', '', x(64)],
    bad: [x(65), 1],
  },
  {
    member: 'ReceivingWarehouseId',
    says: "string of at most 5, the header's, required",
    camel: 'receivingWarehouseId',
    required: BOTH,
    good: ['DC001'],
    bad: ['DC002', 'DC0011', '', 1],
  },
  {
    member: 'ShippedQuantity',
    says: 'whole number from 1 to 99999, required',
    camel: 'shippedQuantity',
    required: BOTH,
    good: [1, 99999],
    bad: [0, 100000, 1.5, -1, '24', new Decimal('9007199254740993')],
  },
  {
    member: 'ShippingComments',
    says: 'string of at most 100, optional',
    camel: 'shippingComments',
    required: [],
    good: ['', x(100)],
    bad: [x(101), 1],
  },
  {
    member: 'TrailerNumber',
    says: 'string of 1 to 25, required',
    camel: 'trailerNumber',
    required: BOTH,
    good: ['T', x(25)],
    bad: [x(26), '', 7],
  },
];

const attribute: readonly Row[] = [
  {
    member: 'Name',
    says: 'string, required',
    camel: 'name',
    required: BOTH,
    good: ['colour', x(255)],
    bad: ['', x(256), 1],
  },
  {
    member: 'Value',
    says: 'string, listed as required, default blank',
    camel: 'value',
    required: [],
    good: ['', x(4000)],
    bad: [x(4001), 1],
  },
  {
    member: 'Description',
    says: 'string, optional',
    camel: 'description',
    required: [],
    good: ['', x(4000)],
    bad: [x(4001), 1],
  },
];

let numbers = 0;
const freshNumber = () => `T-${++numbers}`;
const numberMember = { ASN: 'asnNumber', PO: 'shipmentNumber' } as const;

/** Returns a message with the given fields, and its number: that of the header, or a new one. */
function message(kind: Kind, header: Members, line: Members): { number: string; body: unknown } {
  const given = header[numberMember[kind]];
  const number = typeof given === 'string' ? given : freshNumber();
  const own = { [numberMember[kind]]: number, ...header };
  return { number, body: kind === 'ASN' ? asn(own, line) : po(own, line) };
}

interface Stored {
  header: Members;
  details: { detail: [Members] };
}

async function stored(kind: Kind, number: string): Promise<Stored> {
  const answer = await inbound.read(kind, number);
  expect(answer.status).toBe(200);
  const { message } = answer.body as { message: Record<string, [Stored]> };
  return (message['asnData'] ?? message['poData'])![0];
}

/**
 * Expects at least one error about the field. Each error has the level and the name of the field, and the sent value
 * (of a text, the first 200 characters).
 */
function expectFault(answer: Answer, level: 'HEADER' | 'DETAIL', camel: string, value: unknown): void {
  expect(answer.status, JSON.stringify(value)).toBe(400);
  const found = errorsOf(answer).filter(
    ({ type, message }) => type === `${level}_LEVEL_ERROR` && message.endsWith(`/${camel}]`),
  );
  expect(found, `${camel} ${JSON.stringify(value)}: ${answer.text}`).not.toEqual([]);
  for (const { message, poAsnErrorPayload } of found) {
    expect(message).toMatch(level === 'DETAIL' ? /^Line 1: ./ : /^[^L]/);
    expect(message).toContain(camel);
    if (value === undefined) expect(poAsnErrorPayload).not.toHaveProperty(camel);
    else if (typeof value === 'string' && value.length > 200)
      expect(String(poAsnErrorPayload[camel])).toHaveLength(200);
    else expect(poAsnErrorPayload[camel]).toEqual(value);
  }
}

const titles = (rows: readonly Row[]) => rows.map((row) => [row.member, row.says, row] as const);

describe('Header', () => {
  it.each(titles(header))('%s: %s', async (_member, _says, { camel, required, good, bad }) => {
    for (const kind of BOTH) {
      // The header of an ASN also has a field for a PO number, and the header of a PO has one for an ASN number. The
      // service stores this field as sent.
      const isOther = camel === numberMember[kind === 'ASN' ? 'PO' : 'ASN'];
      const line = (value: unknown) =>
        camel === 'receivingWarehouseId' || (camel === 'asnNumber' && kind === 'ASN') ? { [camel]: value } : {};
      for (const value of isOther ? ['', ...good.slice(1)] : good) {
        const { number, body } = message(kind, { [camel]: value }, line(value));
        const answer = await inbound.transmit(body);
        expect(answer.status, answer.text).toBe(200);
        expect((await stored(kind, number)).header[camel]).toBe(value);
      }
      const { counts } = inbound;
      const before = await counts();
      for (const value of isOther ? bad.slice(0, 1) : bad) {
        const { body } = message(kind, { [camel]: value }, line(value));
        expectFault(await inbound.transmit(body), 'HEADER', camel, value);
      }
      const without = await inbound.transmit(message(kind, { [camel]: undefined }, {}).body);
      if (required.includes(kind)) expectFault(without, 'HEADER', camel, undefined);
      else expect(without.status).toBe(200);
      expect((await counts()).shipments).toBe(before.shipments + (required.includes(kind) ? 0 : 1));
    }
  });

  it('ReceivingType must match the field with the shipment', async () => {
    const asAsn = await inbound.transmit(asn({ asnNumber: freshNumber(), receivingType: 'P' }));
    expectFault(asAsn, 'HEADER', 'receivingType', 'P');
    const asPo = await inbound.transmit(po({ shipmentNumber: freshNumber(), receivingType: 'A' }));
    expectFault(asPo, 'HEADER', 'receivingType', 'A');
    expect(errorsOf(asPo)[0]!.message).toContain('P with poData');
  });

  it('ShipmentNumber of an ASN and ASNNumber of a PO are kept as sent', async () => {
    const [first, second] = [freshNumber(), freshNumber()];
    expect((await inbound.transmit(asn({ asnNumber: first, shipmentNumber: 'PO-9' }))).status).toBe(200);
    expect(
      (await inbound.transmit(po({ shipmentNumber: second, asnNumber: 'A-9' }, { cartonId: 'C', asnNumber: 'A-8' })))
        .status,
    ).toBe(200);
    expect((await stored('ASN', first)).header['shipmentNumber']).toBe('PO-9');
    const order = await stored('PO', second);
    expect(order.header['asnNumber']).toBe('A-9');
    expect(order.details.detail[0]).toMatchObject({ cartonId: 'C', asnNumber: 'A-8' });
  });
});

describe('Detail', () => {
  it.each(titles(detail))('%s: %s', async (_member, _says, { camel, required, good, bad }) => {
    for (const kind of BOTH) {
      for (const value of good) {
        const { number, body } = message(kind, {}, { [camel]: value });
        const answer = await inbound.transmit(body);
        expect(answer.status, answer.text).toBe(200);
        expect((await stored(kind, number)).details.detail[0][camel]).toEqual(value);
      }
      const before = await inbound.counts();
      for (const value of bad) {
        expectFault(await inbound.transmit(message(kind, {}, { [camel]: value }).body), 'DETAIL', camel, value);
      }
      expect(await inbound.counts()).toEqual(before);
      const without = await inbound.transmit(message(kind, {}, { [camel]: undefined }).body);
      if (required.includes(kind)) expectFault(without, 'DETAIL', camel, undefined);
      else expect(without.status, without.text).toBe(200);
    }
  });

  it("ASNNumber of each line of an ASN is the header's", async () => {
    const answer = await inbound.transmit(asn({ asnNumber: 'A-77' }, {}, { asnNumber: 'A-78' }, { asnNumber: '' }));
    const errors = errorsOf(answer);
    expect(
      errors.map(({ type, poAsnErrorPayload }) => [type, poAsnErrorPayload['line'], poAsnErrorPayload['asnNumber']]),
    ).toEqual([
      ['DETAIL_LEVEL_ERROR', 2, 'A-78'],
      ['DETAIL_LEVEL_ERROR', 3, ''],
    ]);
    expect(errors[0]!.message).toContain('"A-77"');
  });

  it('ClientItemId of 16 characters is rejected with both limits, although an item can have that many', async () => {
    const answer = await inbound.transmit(po({}, { clientItemId: LONG_ITEMS[1] }));
    expect(errorsOf(answer)).toHaveLength(1);
    expect(errorsOf(answer)[0]!.message).toMatch(/has 16 characters; send at most 15 .* may have 16/);
  });

  it('the same item twice in one carton remains two lines', async () => {
    const number = freshNumber();
    const answer = await inbound.transmit(asn({ asnNumber: number }, {}, {}));
    expect(answer.status).toBe(200);
    expect((await inbound.read('ASN', number)).body).toMatchObject({ totalLines: 2, totalUnits: 48 });
  });
});

describe.each([
  ['HeaderExtendedAttributes', 'HEADER', 'headerExtendedAttributes'],
  ['DetailExtendedAttributes', 'DETAIL', 'detailExtendedAttributes'],
] as const)('%s', (_name, level, list) => {
  const laid = (kind: Kind, attributes: unknown) =>
    level === 'HEADER' ? message(kind, { [list]: attributes }, {}) : message(kind, {}, { [list]: attributes });
  const read = async (kind: Kind, number: string) => {
    const shipment = await stored(kind, number);
    return (level === 'HEADER' ? shipment.header : shipment.details.detail[0])[list] as {
      extendedAttributes: Members[];
    };
  };

  it('is an optional list of name/value pairs, stored and returned in its order', async () => {
    for (const kind of BOTH) {
      const pairs = [
        { name: 'b', value: '2', description: 'second' },
        { name: 'a', value: '1' },
        { name: 'a', value: '1' },
      ];
      const { number, body } = laid(kind, { extendedAttributes: pairs });
      expect((await inbound.transmit(body)).status).toBe(200);
      expect(await read(kind, number)).toEqual({ extendedAttributes: pairs });
    }
  });

  it('has at most 100 pairs', async () => {
    const pairs = (count: number) =>
      Array.from({ length: count }, (_unused, index) => ({ name: `n${index}`, value: '' }));
    const { number, body } = laid('PO', pairs(100));
    expect((await inbound.transmit(body)).status).toBe(200);
    expect((await read('PO', number)).extendedAttributes).toHaveLength(100);
    const refused = await inbound.transmit(laid('PO', pairs(101)).body);
    expect(errorsOf(refused).map(({ type }) => type)).toEqual([`${level}_LEVEL_ERROR`]);
    expect(errorsOf(refused)[0]!.message).toContain('101 elements; send at most 100');
  });

  it.each(titles(attribute))('%s of a pair: %s', async (_member, _says, { camel, required, good, bad }) => {
    const whole: Members = { name: 'n', value: 'v', description: 'd' };
    for (const kind of BOTH) {
      for (const value of good) {
        const { number, body } = laid(kind, { extendedAttributes: [{ ...whole, [camel]: value }] });
        const answer = await inbound.transmit(body);
        expect(answer.status, answer.text).toBe(200);
        expect((await read(kind, number)).extendedAttributes[0]![camel]).toBe(value);
      }
      for (const value of bad) {
        const { body } = laid(kind, { extendedAttributes: [{ ...whole, [camel]: value }] });
        expectFault(await inbound.transmit(body), level, camel, value);
      }
      const without = await inbound.transmit(
        laid(kind, { extendedAttributes: [{ ...whole, [camel]: undefined }] }).body,
      );
      if (required.includes(kind)) expectFault(without, level, camel, undefined);
      else expect(without.status).toBe(200);
    }
  });
});

describe('containers', () => {
  it('ASNData is required when sent as an ASN, POData when sent as a PO', async () => {
    for (const body of [{}, { ReceivingDetail: {} }]) {
      const answer = await inbound.transmit(body);
      expect(answer.status).toBe(400);
      expect(errorsOf(answer)).toHaveLength(1);
      expect(errorsOf(answer)[0]).toMatchObject({
        type: 'HEADER_LEVEL_ERROR',
        message: expect.stringMatching(/asnData.*poData/i) as unknown,
      });
    }
  });

  it.each(['asnData', 'poData'] as const)('Header and Details of %s are required', async (root) => {
    const answer = await inbound.transmit({ [root]: {} });
    expect(errorsOf(answer).map(({ message }) => message)).toEqual([
      `'header' is missing; add it [/${root}/header]`,
      `'details' is missing; add it [/${root}/details]`,
    ]);
  });

  it('Detail is required and has at least one line', async () => {
    const { header } = po().poData[0];
    const without = await inbound.transmit({ poData: { header, details: {} } });
    expect(errorsOf(without).map(({ message }) => message)).toEqual([
      "'detail' is missing; add it [/poData/details/detail]",
    ]);
    for (const details of [{ detail: [] }, []]) {
      const empty = await inbound.transmit({ poData: { header, details } });
      expect(errorsOf(empty)).toHaveLength(1);
      expect(errorsOf(empty)[0]!.message).toContain('has 0 elements; send at least 1');
    }
  });

  it.each([
    ['the root', 5],
    ['the root', null],
    ['the root', [asn(), asn()]],
    ['ReceivingDetail', { ReceivingDetail: 'x' }],
    ['asnData', { asnData: null }],
    ['asnData', { asnData: [[]] }],
    ['header', { asnData: { header: [], details: {} } }],
    ['details', { asnData: { header: {}, details: 'x' } }],
    ['detail', { asnData: { header: {}, details: { detail: 'x' } } }],
    ['a line', { asnData: { header: {}, details: { detail: [null, [], 1] } } }],
    ['attributes', po({ headerExtendedAttributes: 'x' })],
    ['an attribute', po({}, { detailExtendedAttributes: [[], 1, 'x'] })],
  ])('%s of a wrong type is rejected', async (_place, body) => {
    const before = await inbound.counts();
    const answer = await inbound.transmit(body);
    expect(answer.status).toBe(400);
    expect(errorsOf(answer).some(({ message }) => /must be|is needed|is missing/.test(message))).toBe(true);
    expect(await inbound.counts()).toEqual(before);
  });
});
