/** The documented spellings of an inbound message, and its accepted forms. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asn, errorsOf, type Inbound, messagesOf, openInbound, PATH, po } from './support.ts';

let inbound: Inbound;
beforeAll(async () => {
  inbound = await openInbound();
});
afterAll(() => inbound.close());

type Members = Record<string, unknown>;

let numbers = 0;
const freshNumber = () => `F-${++numbers}`;

/** Returns the interface's spelling of a camel-cased name. */
function pascal(name: string): string {
  const special: Record<string, string> = {
    asnNumber: 'ASNNumber',
    asnData: 'ASNData',
    poData: 'POData',
    poStatus: 'POStatus',
  };
  return special[name] ?? name[0]!.toUpperCase() + name.slice(1);
}

/** Returns a copy with every name changed by `rename`. */
function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((element) => renamed(element, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), renamed(inner, rename)]));
}

/** Returns a message with every documented field. */
function whole(kind: 'ASN' | 'PO', number: string) {
  const pairs = (level: string) => ({ extendedAttributes: [{ name: level, value: '1', description: 'd' }] });
  const header = {
    asnNumber: kind === 'ASN' ? number : '',
    shipmentNumber: kind === 'PO' ? number : '',
    poStatus: '',
    sellerId: '420',
    headerExtendedAttributes: pairs('header'),
  };
  const line = (lineNumber: string) => ({
    asnNumber: kind === 'ASN' ? number : '',
    cartonId: `C-${lineNumber}`,
    lineNumber,
    shippingComments: 'fragile',
    detailExtendedAttributes: pairs('detail'),
  });
  return kind === 'ASN' ? asn(header, line('1'), line('2')) : po(header, line('1'), line('2'));
}

async function message(kind: 'ASN' | 'PO', number: string): Promise<unknown> {
  const answer = await inbound.read(kind, number);
  expect(answer.status).toBe(200);
  return (answer.body as { message: unknown }).message;
}

async function voided(kind: 'ASN' | 'PO', number: string): Promise<void> {
  expect((await inbound.operator('DELETE', `/operator/v1/clients/TOWN/inbound/${kind}/${number}`)).status).toBe(204);
}

/** Expects that the service stores the body as `expected`; then voids the shipment. */
async function expectStored(kind: 'ASN' | 'PO', number: string, body: unknown, expected: unknown): Promise<void> {
  const answer = await inbound.transmit(body);
  expect(answer.status, answer.text).toBe(200);
  expect(await message(kind, number)).toEqual(expected);
  await voided(kind, number);
}

describe('spelling', () => {
  it.each(['ASN', 'PO'] as const)('every field of an %s can be in camelCase or in PascalCase', async (kind) => {
    const number = freshNumber();
    const camel = whole(kind, number);
    await expectStored(kind, number, camel, camel);
    await expectStored(kind, number, renamed(camel, pascal), camel);
  });

  it('the camel-cased example of the interface is accepted as it is shown', async () => {
    const number = freshNumber();
    const example = {
      poData: [
        {
          header: {
            storeCode: '988',
            receivingType: 'P',
            shipmentNumber: number,
            orderDate: '2023-06-01',
            shipmentReceiptDate: '2023-06-14',
            shipperName: 'Vendor',
            receivingWarehouseId: 'DC001',
            headerExtendedAttributes: { extendedAttributes: [] },
          },
          details: {
            detail: [
              {
                clientItemId: 'MUG-WHT',
                shippedQuantity: 10,
                itemCost: 3.25,
                shippingComments: '',
                trailerNumber: '1',
                receivingWarehouseId: 'DC001',
                detailExtendedAttributes: { extendedAttributes: [{ name: 'n', description: 'd', value: 'v' }] },
              },
            ],
          },
        },
      ],
    };
    await expectStored('PO', number, example, example);
  });

  it('any mix of spellings, orders and forms of one message stores the same canonical message', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('ASN' as const, 'PO' as const),
        fc.infiniteStream(fc.nat(1000)),
        fc.constantFrom('', 'receivingDetail', 'ReceivingDetail'),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        async (kind, dice, root, [isSingle, isPlainList, isReversed, isListOfDetails]) => {
          const number = freshNumber();
          const canonical = whole(kind, number);
          const [name, data] = Object.entries(structuredClone(canonical))[0] as [string, Members[]];
          const shipment = data[0] as { header: Members; details: Members };
          if (isPlainList === true) {
            const { extendedAttributes } = shipment.header['headerExtendedAttributes'] as {
              extendedAttributes: unknown[];
            };
            shipment.header['headerExtendedAttributes'] = extendedAttributes;
          }
          const mixed = {
            [name]: [{ ...shipment, details: isListOfDetails === true ? [shipment.details] : shipment.details }],
          };
          const spelled = renamed(mixed, (one) => (dice.next().value! % 2 === 0 ? one : pascal(one))) as Members;
          const sorted = isReversed === true ? reversed(spelled) : spelled;
          const single =
            isSingle === true
              ? Object.fromEntries(
                  Object.entries(sorted as Record<string, unknown[]>).map(([key, [one]]) => [key, one]),
                )
              : sorted;
          await expectStored(kind, number, root === '' ? single : { [root]: single }, canonical);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('the same field in two spellings is rejected, naming both', async () => {
    const answer = await inbound.transmit(po({ ShipmentNumber: 'P-1' }, { ItemCost: 1 }));
    expect(messagesOf(answer)).toEqual([
      "'shipmentNumber' and 'ShipmentNumber' are the same field; send it once [/poData/0/header/ShipmentNumber]",
      "Line 1: 'itemCost' and 'ItemCost' are the same field; send it once [/poData/0/details/detail/0/ItemCost]",
    ]);
  });

  it("an unknown field is rejected with the nearest known name in the caller's spelling", async () => {
    const camel = await inbound.transmit(po({ shiperName: 'x' }, { trailerNumbr: '1', colour: 'red' }));
    expect(messagesOf(camel)).toEqual([
      "unknown field 'shiperName'; did you mean 'shipperName'? [/poData/0/header/shiperName]",
      "Line 1: unknown field 'trailerNumbr'; did you mean 'trailerNumber'? [/poData/0/details/detail/0/trailerNumbr]",
      "Line 1: unknown field 'colour'; remove it [/poData/0/details/detail/0/colour]",
    ]);
    expect(errorsOf(camel)[1]!.poAsnErrorPayload).toEqual({ line: 1, clientItemId: 'MUG-WHT', trailerNumbr: '1' });
    const written = await inbound.transmit({
      ReceivingDetail: renamed(asn({ asnNumbr: 'x' }), pascal),
      ReceivingDetails: 1,
    });
    expect(messagesOf(written)).toEqual([
      "unknown field 'ReceivingDetails'; remove it [/ReceivingDetails]",
      "unknown field 'AsnNumbr'; did you mean 'ASNNumber'? [/ReceivingDetail/ASNData/0/Header/AsnNumbr]",
    ]);
  });

  it('Prefer: handling=lenient ignores unknown fields and lists them', async () => {
    const number = freshNumber();
    const body = po({ shipmentNumber: number, colour: 'red' }, { zone: 4 });
    const answer = await inbound.transmit(body, { prefer: 'handling=lenient' });
    expect(answer.status).toBe(200);
    expect(answer.headers['ignored-members']).toBe('/poData/0/header/colour, /poData/0/details/detail/0/zone');
    expect(await message('PO', number)).toEqual(po({ shipmentNumber: number }));
    const written = await inbound.transmit(
      {
        ReceivingDetail: {
          ...(renamed(po({ shipmentNumber: freshNumber(), bar: 1 }, { baz: 2 }), pascal) as object),
          Foo: 3,
        },
      },
      { prefer: 'handling=lenient' },
    );
    expect(written.headers['ignored-members']).toBe(
      '/ReceivingDetail/POData/0/Header/Bar, /ReceivingDetail/POData/0/Details/Detail/0/Baz, /ReceivingDetail/Foo',
    );
  });

  it("errors name a missing field in the spelling of the caller's other fields", async () => {
    const body = renamed(asn({ shipperName: undefined }, { itemCost: undefined }), pascal);
    expect(messagesOf(await inbound.transmit(body))).toEqual([
      "'ShipperName' is missing; add it [/ASNData/0/Header/ShipperName]",
      "Line 1: 'ItemCost' is missing; add it [/ASNData/0/Details/Detail/0/ItemCost]",
    ]);
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}

describe('forms', () => {
  it.each<[string, (shipment: Members) => unknown]>([
    ['a list of one', (shipment) => ({ poData: [shipment] })],
    ['a single object', (shipment) => ({ poData: shipment })],
    ['under receivingDetail', (shipment) => ({ receivingDetail: { poData: shipment } })],
    ['under ReceivingDetail', (shipment) => ({ ReceivingDetail: { POData: [shipment] } })],
    ['a body that is a list of one', (shipment) => [{ poData: shipment }]],
    ['ReceivingDetail as a list of one', (shipment) => ({ ReceivingDetail: [{ poData: shipment }] })],
    ['Header as a list of one', (shipment) => ({ poData: { ...shipment, header: [shipment['header']] } })],
    ['Details as a list of one', (shipment) => ({ poData: { ...shipment, details: [shipment['details']] } })],
    [
      'Detail as a single object',
      (shipment) => ({ poData: { ...shipment, details: { detail: firstLine(shipment) } } }),
    ],
    ['Details as a list of lines', (shipment) => ({ poData: { ...shipment, details: [firstLine(shipment)] } })],
    [
      'Details as a list of containers',
      (shipment) => ({ poData: { ...shipment, details: [{ detail: firstLine(shipment) }, { Detail: [] }] } }),
    ],
  ])('the shipment can come as %s', async (_name, form) => {
    const number = freshNumber();
    const canonical = po({ shipmentNumber: number });
    await expectStored('PO', number, form(canonical.poData[0]), canonical);
  });

  it('lines of several containers are read in their order', async () => {
    const number = freshNumber();
    const { header, details } = po(
      { shipmentNumber: number },
      { lineNumber: '1' },
      { lineNumber: '2' },
      { lineNumber: '3' },
    ).poData[0];
    const [first, ...others] = details.detail;
    const body = { poData: { header, details: [{ detail: first }, { detail: others }] } };
    await expectStored('PO', number, body, { poData: [{ header, details }] });
  });

  it.each<[string, (pair: Members) => unknown]>([
    ['a container with a list', (pair) => ({ extendedAttributes: [pair] })],
    ['a container with one object', (pair) => ({ ExtendedAttributes: pair })],
    ['a list', (pair) => [pair]],
    ['one object', (pair) => pair],
    ['a list of containers', (pair) => [{ extendedAttributes: pair }]],
  ])('extended attributes of both levels can come as %s', async (_name, form) => {
    const number = freshNumber();
    const pair = { name: 'zone', value: '4' };
    const body = po(
      { shipmentNumber: number, headerExtendedAttributes: form(pair) },
      { detailExtendedAttributes: form(pair) },
    );
    const list = { extendedAttributes: [pair] };
    const canonical = po(
      { shipmentNumber: number, headerExtendedAttributes: list },
      { detailExtendedAttributes: list },
    );
    await expectStored('PO', number, body, canonical);
  });

  it('an empty container of extended attributes counts as no attribute', async () => {
    const number = freshNumber();
    const list = { extendedAttributes: [] };
    await expectStored(
      'PO',
      number,
      po({ shipmentNumber: number, headerExtendedAttributes: {} }),
      po({ shipmentNumber: number, headerExtendedAttributes: list }),
    );
  });

  it.each<[string, unknown]>([
    ['two ASNs', { asnData: [asn().asnData[0], asn({ asnNumber: 'A-2' }).asnData[0]] }],
    ['two POs', { ReceivingDetail: { POData: [po().poData[0], po().poData[0]] } }],
    ['an ASN and a PO', { ...asn(), ...po() }],
    ['one beside ReceivingDetail', { ReceivingDetail: asn(), poData: po().poData }],
    ['none', { asnData: [] }],
  ])('one ASN or PO is transmitted per call: %s', async (_name, body) => {
    const before = await inbound.counts();
    const answer = await inbound.transmit(body);
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)).toHaveLength(1);
    expect(errorsOf(answer)[0]!.type).toBe('HEADER_LEVEL_ERROR');
    expect(messagesOf(answer)[0]).toMatch(
      /one ASN or (one )?PO per call|put it inside, or send it alone|has 0 elements/,
    );
    expect(await inbound.counts()).toEqual(before);
  });
});

function firstLine(shipment: Members): unknown {
  return (shipment['details'] as { detail: unknown[] }).detail[0];
}

describe('content type', () => {
  it.each(['application/json', 'application/xml', 'text/xml', 'application/xml; charset=utf-8', 'Application/JSON'])(
    'a JSON body labelled %s is accepted',
    async (label) => {
      const number = freshNumber();
      expect((await inbound.transmit(asn({ asnNumber: number }), { 'content-type': label })).status).toBe(200);
      expect(await message('ASN', number)).toEqual(asn({ asnNumber: number }));
    },
  );

  it.each(['application/xml', 'application/json'])('XML labelled %s is rejected with a sentence', async (label) => {
    const raw = '<?xml version="1.0"?><ReceivingDetail><ASNData/></ReceivingDetail>';
    const headers = { apikey: inbound.client.secrets.apiKey, 'content-type': label };
    const answer = await inbound.call({ method: 'POST', path: PATH, raw, headers });
    expect(answer.status).toBe(415);
    expect(messagesOf(answer)[0]).toContain('The body is XML. This operation reads only JSON');
  });

  it.each([['text/plain'], ['application/json; charset=utf-16'], ['multipart/form-data; boundary=x']])(
    '%s is rejected',
    async (label) => {
      const answer = await inbound.transmit(asn({ asnNumber: 'NEVER' }), { 'content-type': label });
      expect(answer.status).toBe(415);
      expect((await inbound.read('ASN', 'NEVER')).status).toBe(404);
    },
  );
});
