/** The supplier Green Valley: its profile, its files, and the JSON messages with the same content. */
import { checkDigit } from '../../src/shared/gs1.ts';

export const EDI = '/operator/v1/clients/TOWN/edi';
export const PARTNER = 'GREENVALLEY';

/** The settings of the partner. The other fields have their defaults. */
export const PROFILE = {
  sellerId: 'TOWNS',
  usage: 'P',
  ours: { qualifier: '12', id: '4085551234' },
  theirs: { qualifier: 'ZZ', id: PARTNER },
  locations: [{ entity: 'ST', qualifier: '92', code: '004', storeCode: '988', receivingWarehouseId: 'DC001' }],
  defaults: { itemCost: 3.75, trailerNumber: 'T-1' },
};

const ITEMS = ['MUG-WHT', 'TEE-RED-M', 'SOAP-LAV'];
const GROUPS: Readonly<Record<string, string>> = { '856': 'SH', '850': 'PO', '860': 'PC', '997': 'FA' };

interface Line {
  carton: string;
  pallet?: string;
  item: string;
  /** Number of units. If `perCase` is set, the file has cases of `perCase` units each. */
  units: number;
  perCase?: number;
  lineNumber?: string;
  order?: string;
}

/** An ASN or PO, from which `setOf` makes the X12 set and `messageOf` the JSON message. */
export interface Shipment {
  type: 'ASN' | 'PO';
  number: string;
  day: string;
  shipper: string;
  trailer?: string;
  lines: Line[];
}

/** A set: ST01 and the segments between ST and SE. */
export type SetOf = readonly [setId: string, segments: readonly string[]];

export type Random = () => number;

export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

export function pick<T>(random: Random, all: readonly T[]): T {
  return all[Math.floor(random() * all.length)]!;
}

/** Returns the SSCC with this serial number. */
function sscc(number: number): string {
  const body = `0034012${String(number).padStart(10, '0')}`;
  return body + checkDigit(body);
}

let marks = 0;

/**
 * Returns a random shipment. An ASN has cartons, some on pallets, with lines of no order, of one order or of two
 * orders.
 */
export function anyShipment(
  random: Random,
  number: string,
  type: Shipment['type'] = random() < 0.7 ? 'ASN' : 'PO',
): Shipment {
  const shipment: Shipment = {
    type,
    number,
    day: `2026-12-${String(between(random, 1, 31)).padStart(2, '0')}`,
    shipper: pick(random, ['Green Valley', 'Green Valley Ltd', "O'Hara & Sons", 'GV']),
    ...(type === 'ASN' && random() < 0.7 && { trailer: `TR${between(random, 1, 999)}` }),
    lines: [],
  };
  const line = (at: number): Omit<Line, 'carton'> => {
    const perCase = random() < 0.3 ? between(random, 2, 12) : undefined;
    return {
      item: pick(random, ITEMS),
      units: between(random, 1, 40) * (perCase ?? 1),
      ...(perCase !== undefined && { perCase }),
      ...(random() < 0.8 && { lineNumber: String(at + 1) }),
    };
  };
  if (type === 'PO') {
    shipment.lines = Array.from({ length: between(random, 1, 6) }, (_, at) => ({ carton: '', ...line(at) }));
    return shipment;
  }
  const orders = [undefined, [`${number}-A`], [`${number}-A`, `${number}-B`]][between(random, 0, 2)];
  for (const order of orders ?? [undefined]) {
    const pallet = random() < 0.3 ? sscc(++marks) : undefined;
    // Each pallet has cartons, because the service reads a pallet with one item and no carton as the carton.
    for (let carton = between(random, 1, 3); carton > 0; carton -= 1) {
      const mark = random() < 0.7 ? sscc(++marks) : `C-${++marks}`;
      for (let count = between(random, 1, 3); count > 0; count -= 1) {
        shipment.lines.push({
          carton: mark,
          ...line(shipment.lines.length),
          ...(pallet !== undefined && { pallet }),
          ...(order !== undefined && { order }),
        });
      }
    }
  }
  return shipment;
}

/** Returns the X12 set of a shipment: an 856 or 850. `purpose` is BSN01 or BEG01. */
export function setOf(shipment: Shipment, purpose = '00'): SetOf {
  return shipment.type === 'ASN' ? ['856', noticeOf(shipment, purpose)] : ['850', orderOf(shipment, purpose)];
}

const dayOf = (day: string) => day.replaceAll('-', '');

function noticeOf({ number, day, shipper, trailer, lines }: Shipment, purpose: string): string[] {
  const segments = [`BSN*${purpose}*${number}*20261124*0930*0001`, 'HL*1**S'];
  if (trailer !== undefined) segments.push(`TD3*TL**${trailer}`);
  segments.push(`DTM*017*${dayOf(day)}`, `N1*SF*${shipper}`, 'N1*ST*Main Street*92*004');
  let level = 1;
  let above: { order?: string; pallet?: string; carton?: string } = {};
  const at: { order: number; pallet: number; carton: number } = { order: 1, pallet: 1, carton: 1 };
  for (const line of lines) {
    if (line.order !== undefined && line.order !== above.order) {
      at.order = at.pallet = ++level;
      segments.push(`HL*${level}*1*O`, `PRF*${line.order}`);
      above = { order: line.order };
    }
    if (line.pallet !== undefined && line.pallet !== above.pallet) {
      at.pallet = ++level;
      segments.push(`HL*${level}*${at.order}*T`, `MAN*GM*${line.pallet}`);
      above = { ...above, pallet: line.pallet };
    }
    if (line.carton !== above.carton) {
      at.carton = ++level;
      const qualifier = line.carton.startsWith('C-') ? 'CP' : 'GM';
      segments.push(
        `HL*${level}*${line.pallet === undefined ? at.order : at.pallet}*P`,
        `MAN*${qualifier}*${line.carton}`,
      );
      above = { ...above, carton: line.carton };
    }
    segments.push(
      `HL*${++level}*${at.carton}*I`,
      `LIN*${line.lineNumber ?? ''}*SK*${line.item}`,
      `SN1**${quantityOf(line)}`,
    );
    if (line.perCase !== undefined) segments.push(`PO4*${line.perCase}`);
  }
  return [...segments, `CTT*${level}`];
}

function quantityOf({ units, perCase }: Line): string {
  return perCase === undefined ? `${units}*EA` : `${units / perCase}*CA`;
}

function orderOf({ number, day, shipper, lines }: Shipment, purpose: string): string[] {
  const head = [
    `BEG*${purpose}*SA*${number}**20261120`,
    `DTM*017*${dayOf(day)}`,
    `N1*SF*${shipper}`,
    'N1*ST*Main Street*92*004',
  ];
  const body = lines.flatMap((line) => {
    const po1 = `PO1*${line.lineNumber ?? ''}*${quantityOf(line)}*${line.perCase === undefined ? '3.5' : `${3.5 * line.perCase}`}**SK*${line.item}`;
    return line.perCase === undefined ? [po1] : [po1, `PO4*${line.perCase}`];
  });
  return [...head, ...body, `CTT*${lines.length}`];
}

/** Returns the JSON message of the shipment. */
export function messageOf({ type, number, day, shipper, trailer, lines }: Shipment): object {
  const place = { receivingWarehouseId: 'DC001' };
  const shared = { ...place, shipmentReceiptDate: day, shipperName: shipper, storeCode: '988' };
  if (type === 'PO') {
    const detail = lines.map(({ item, units, lineNumber }) => ({
      clientItemId: item,
      itemCost: 3.5,
      ...(lineNumber !== undefined && { lineNumber }),
      ...place,
      shippedQuantity: units,
      trailerNumber: 'T-1',
    }));
    return {
      poData: [
        {
          header: { shipmentNumber: number, receivingType: 'P', orderDate: '2026-11-20', ...shared },
          details: { detail },
        },
      ],
    };
  }
  const orders = new Set(lines.map(({ order }) => order));
  const [order] = orders;
  const header = {
    asnNumber: number,
    ...(orders.size === 1 && order !== undefined && { shipmentNumber: order }),
    receivingType: 'A',
    ...shared,
  };
  const detail = lines.map((line) => {
    const attributes = [
      ...(line.order === undefined ? [] : [{ name: 'PONumber', value: line.order }]),
      ...(line.pallet === undefined ? [] : [{ name: 'PalletId', value: line.pallet }]),
    ];
    return {
      asnNumber: number,
      cartonId: line.carton,
      clientItemId: line.item,
      itemCost: 3.75,
      ...(line.lineNumber !== undefined && { lineNumber: line.lineNumber }),
      ...place,
      shippedQuantity: line.units,
      trailerNumber: trailer ?? 'T-1',
      ...(attributes.length > 0 && { detailExtendedAttributes: { extendedAttributes: attributes } }),
    };
  });
  return { asnData: [{ header, details: { detail } }] };
}

/**
 * Returns an interchange with correct counts and control numbers. Successive sets of the same type are in one group.
 */
export function fileOf(control: number, sets: readonly SetOf[]): string {
  const number = String(control).padStart(9, '0');
  const blank = ' '.repeat(10);
  const isa = `ISA*00*${blank}*00*${blank}*ZZ*${PARTNER.padEnd(15)}*12*${'4085551234'.padEnd(15)}*261124*0930*U*00401*${number}*0*P*>`;
  const segments = [isa];
  const groups: SetOf[][] = [];
  for (const set of sets) {
    if (groups.at(-1)?.[0]?.[0] === set[0]) groups.at(-1)!.push(set);
    else groups.push([set]);
  }
  for (const [at, group] of groups.entries()) {
    const own = control * 10 + at;
    segments.push(`GS*${GROUPS[group[0]![0]]}*${PARTNER}*4085551234*20261124*0930*${own % 1_000_000_000}*X*004010`);
    for (const [index, [setId, body]] of group.entries()) {
      const set = String(index + 1).padStart(4, '0');
      segments.push(`ST*${setId}*${set}`, ...body, `SE*${body.length + 2}*${set}`);
    }
    segments.push(`GE*${group.length}*${own % 1_000_000_000}`);
  }
  return [...segments, `IEA*${groups.length}*${number}`].map((one) => `${one}~\n`).join('');
}
