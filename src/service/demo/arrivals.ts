/**
 * Arrivals of the small town: expected, partly received, held and closed shipments of the store in Harbour Street.
 * They are loaded through the HTTP interface, after the town. The store keeps stock.
 */
import { DAY_MS } from '../../platform/time.ts';
import { checkDigit } from '../../shared/gs1.ts';
import { itemId, townShelves } from './items.ts';
import { harbourStreet, type Secrets, type TownCall } from './town.ts';

const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
const WAREHOUSE = 'HS001';

/** A carton label: SSCC with its application identifier. */
const label = (serial: number): string => {
  const body = `3401234500${String(serial).padStart(7, '0')}`;
  return `00${body}${checkDigit(body)}`;
};

/** Shipments of the town by their purpose, and the labels of their cartons. */
export const townArrivals = {
  late: 'ASN-0417',
  today: 'ASN-0421',
  inWork: 'ASN-0419',
  held: 'ASN-0418',
  closed: 'ASN-0412',
  order: 'PO-7731',
  later: 'PO-7740',
  cartons: {
    late: [label(101), label(102)],
    today: [label(201), label(202), label(203), label(204), label(205), label(206)],
    inWork: [label(301), label(302), label(303), label(304), label(305)],
    held: [label(401), label(402)],
    closed: [label(501), label(502)],
  },
} as const;

type Line = readonly [sku: string, quantity: number, carton?: string, purchaseOrder?: string];

interface Announced {
  type: 'ASN' | 'PO';
  number: string;
  /** Days from today to the announced day of arrival. */
  day: number;
  shipper: string;
  lines: readonly Line[];
}

const { cartons } = townArrivals;

const ANNOUNCED: readonly Announced[] = [
  {
    type: 'PO',
    number: townArrivals.order,
    day: 0,
    shipper: 'Pottery Ltd',
    lines: [
      ['MUG-WHT', 48],
      ['SOAP-LAV', 60],
      ['LAMP-BRS', 4],
    ],
  },
  {
    type: 'PO',
    number: townArrivals.later,
    day: 3,
    shipper: 'Northside Trading',
    lines: [
      ['UMBR-NAV', 12],
      ['BOOT-BRN-42', 6],
    ],
  },
  {
    type: 'ASN',
    number: townArrivals.late,
    day: -2,
    shipper: 'Quayside',
    lines: [
      ['TEE-RED-M', 20, cartons.late[0]],
      ['TEE-RED-L', 20, cartons.late[1]],
    ],
  },
  {
    type: 'ASN',
    number: townArrivals.today,
    day: 0,
    shipper: 'Quayside',
    lines: [
      ['TEE-RED-M', 12, cartons.today[0]],
      ['TEE-RED-L', 12, cartons.today[1]],
      ['TEE-BLU-M', 12, cartons.today[2]],
      ['UMBR-NAV', 6, cartons.today[3]],
      ['BOOT-BRN-42', 4, cartons.today[3]],
      ['SOAP-LAV', 24, cartons.today[4]],
      ['MATCH-100', 40, cartons.today[5]],
    ],
  },
  {
    type: 'ASN',
    number: townArrivals.inWork,
    day: 0,
    shipper: 'Pottery Ltd',
    lines: [
      ['MUG-WHT', 12, cartons.inWork[0], townArrivals.order],
      ['MUG-WHT', 12, cartons.inWork[1], townArrivals.order],
      ['MUG-WHT', 12, cartons.inWork[2], townArrivals.order],
      ['SOAP-LAV', 24, cartons.inWork[3], townArrivals.order],
      ['LAMP-BRS', 2, cartons.inWork[4], townArrivals.order],
      ['SOAP-LAV', 6, cartons.inWork[4], townArrivals.order],
    ],
  },
  {
    type: 'ASN',
    number: townArrivals.held,
    day: 0,
    shipper: 'Northside Trading',
    lines: [
      ['LAMP-BRS', 4, cartons.held[0]],
      ['UMBR-NAV', 10, cartons.held[1]],
    ],
  },
  {
    type: 'ASN',
    number: townArrivals.closed,
    day: -1,
    shipper: 'Quayside',
    lines: [
      ['TEE-BLU-M', 18, cartons.closed[0]],
      ['UMBR-NAV', 8, cartons.closed[1]],
    ],
  },
];

/** Announces the arrivals and receives some of them. @throws Error with the first error response */
export async function loadArrivals(call: TownCall, as: Secrets, now: number): Promise<void> {
  const send: TownCall = async (method, path, options) => {
    const response = await call(method, path, options);
    if (response.status >= 300)
      throw new Error(`${method} ${path} gave ${response.status}: ${JSON.stringify(response.body)}`);
    return response;
  };
  const node = { ...harbourStreet, receivingWarehouseId: WAREHOUSE, stock: 'KEPT' };
  await send('PUT', NODE, { as: 'operator', body: node });
  await countShelves(send, as);
  for (const one of ANNOUNCED) {
    await send('POST', '/poasn-manager-service/sellers/TOWNS/poasn/create', { as, body: messageOf(one, now) });
  }
  const post = (number: string, what: string, body: object) =>
    send('POST', `${NODE}/inbound/ASN/${number}/${what}`, { as, body });
  const receipts = (number: string) => {
    let made = 0;
    return (userId: string, body: object) =>
      post(number, 'receipts', { receiptId: `${number}-${++made}`, userId, ...body });
  };

  const inWork = receipts(townArrivals.inWork);
  await post(townArrivals.inWork, 'arrive', { userId: 'cleo' });
  await inWork('cleo', { cartons: [{ cartonId: cartons.inWork[0], as: 'GOOD' }] });
  await inWork('ana', { cartons: [{ cartonId: cartons.inWork[1], as: 'DAMAGED', reason: 'CRUSHED' }] });
  await inWork('ana', { lines: [{ cartonId: cartons.inWork[3], itemId: itemId('SOAP-LAV'), good: 9 }] });

  const held = receipts(townArrivals.held);
  await held('cleo', {
    cartons: [{ cartonId: cartons.held[0], as: 'GOOD' }],
    lines: [
      { cartonId: cartons.held[1], itemId: itemId('UMBR-NAV'), good: 12 },
      { cartonId: cartons.held[1], itemId: itemId('MUG-WHT'), good: 3 },
    ],
    unannounced: true,
  });

  const closed = receipts(townArrivals.closed);
  await closed('cleo', {
    cartons: [{ cartonId: cartons.closed[0], as: 'GOOD' }],
    lines: [{ cartonId: cartons.closed[1], itemId: itemId('UMBR-NAV'), good: 6, damaged: 1, reason: 'BROKEN' }],
  });
  await post(townArrivals.closed, 'close', {
    closeId: 'ASN-0412-1',
    userId: 'leo',
    reasons: [{ cartonId: cartons.closed[1], itemId: itemId('UMBR-NAV'), reason: 'NOT_IN_CARTON' }],
  });
}

/** Counts each item for the first time, with the quantities in `townShelves`. */
async function countShelves(send: TownCall, as: Secrets): Promise<void> {
  const { body } = await send('GET', `${NODE}/stock?pageSize=500`, { as });
  const levels = (body as { stock: { itemId: string; revision: number }[] }).stock;
  const revisions = new Map(levels.map((level) => [level.itemId, level.revision]));
  const lines = townShelves.map(([sku, , , counted]) => ({
    itemId: itemId(sku),
    counted,
    revision: revisions.get(itemId(sku)) ?? 0,
  }));
  await send('POST', `${NODE}/counts`, { as, body: { countId: 'opening', userId: 'leo', lines } });
}

/** The message that announces a shipment of the town. */
export function messageOf({ type, number, day, shipper, lines }: Announced, now: number) {
  const header = {
    ...(type === 'ASN' ? { asnNumber: number } : { shipmentNumber: number }),
    receivingType: type === 'ASN' ? 'A' : 'P',
    receivingWarehouseId: WAREHOUSE,
    shipmentReceiptDate: new Date(now + day * DAY_MS).toISOString().slice(0, 10),
    shipperName: shipper,
    storeCode: '988',
  };
  const detail = lines.map(([clientItemId, shippedQuantity, cartonId, purchaseOrder], index) => ({
    ...(type === 'ASN' && { asnNumber: number, cartonId }),
    clientItemId,
    itemCost: 1,
    lineNumber: String(index + 1),
    receivingWarehouseId: WAREHOUSE,
    shippedQuantity,
    trailerNumber: 'TR-12',
    ...(purchaseOrder !== undefined && {
      detailExtendedAttributes: { extendedAttributes: [{ name: 'PONumber', value: purchaseOrder }] },
    }),
  }));
  const data = { header, details: { detail } };
  return type === 'ASN' ? { asnData: [data] } : { poData: [data] };
}
