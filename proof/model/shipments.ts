/**
 * Shipments at the first node: how commands name them, and the commands that announce, void and read them or report
 * their arrival.
 */
import fc from 'fast-check';
import { Arrival } from './arrivals.ts';
import { type Booked, broughtBy } from './brought.ts';
import { type Command, type Expected, often, type Rule, rule } from './command.ts';
import type { Named } from './goods.ts';
import { arrived, KINDS, type Numbered, type Type } from './goods.ts';
import type { Model } from './model.ts';
import { sellerId, sellerOf, skuOf, WAREHOUSE, type World } from './world.ts';

/** The seller of a shipment. In some commands, and in older saved sequences, the seller is missing. */
const sellers = { seller: fc.constantFrom(undefined, 0, 0, 1) };
export const asns = { asn: fc.constantFrom(0, 0, 1), ...sellers };
export const named = { ...asns, of: fc.constantFrom<Type>('ASN', 'ASN', 'ASN', 'PO', 'PO', 'BLIND') };
export const near = { near: often };

/**
 * Numbers of shipments. Purchase orders at the first node begin at `FIRST_PO`, because lower numbers belong to the
 * second node.
 */
const NUMBERS: Record<Type, (number: number) => string> = {
  ASN: (number) => `ASN-${number}`,
  PO: (number) => `PO-${number + FIRST_PO}`,
  BLIND: (number) => `BLIND-${number}`,
};
const FIRST_PO = 5;

export const numberOf = ({ of = 'ASN', asn }: Named) => NUMBERS[of](asn);
export const nodePath = ({ id }: World) => `/operator/v1/clients/${id}/nodes/${id}-1`;
const ofSeller = (world: World, { seller }: Named) =>
  seller === undefined ? '' : `?sellerId=${sellerId(world, seller)}`;
/** Returns the path of a shipment; `what` is the action. */
export const pathOf = (world: World, one: Named, what?: string) =>
  `${nodePath(world)}/inbound/${one.of ?? 'ASN'}/${numberOf(one)}${what === undefined ? '' : `/${what}`}${ofSeller(world, one)}`;
const pathOfClient = (world: World, one: Named) =>
  `/operator/v1/clients/${world.id}/inbound/${one.of ?? 'ASN'}/${numberOf(one)}${ofSeller(world, one)}`;

/**
 * Returns the name of a shipment. It includes the seller, because a number is unique only among the shipments of a
 * seller.
 */
export const nameOf = ({ seller, number }: Numbered) => `${seller ?? ''}/${number}`;
/** Returns the fields with which a command names a shipment. */
export const namedOf = ({ type, number, seller }: Arrival): Named => ({
  of: type,
  asn: Number(number.slice(type.length + 1)) - (type === 'PO' ? FIRST_PO : 0),
  seller,
});
/** Returns all shipments to which the fields of a command can refer. */
const arrivalsNamed = ({ arrivals }: Model, one: Named) =>
  [...arrivals.values()].filter(
    ({ number, seller }) => number === numberOf(one) && (one.seller === undefined || one.seller === seller),
  );

/**
 * Returns the shipment of a command; undefined if it does not exist, or if two sellers use its number and the command
 * names no seller.
 */
export function arrivalOf(model: Model, one: Named): Arrival | undefined {
  const [arrival, ...others] = arrivalsNamed(model, one);
  return others.length > 0 ? undefined : arrival;
}

/** Returns the error of a command whose shipment does not exist, or whose fields fit several shipments. */
export function missing(model: Model, one: Named): Expected {
  const all = arrivalsNamed(model, one);
  const names = all.map(({ seller }) => seller).sort((a, b) => (a ?? -1) - (b ?? -1));
  return all.length === 0 ? { status: 404 } : { status: 409, code: 'AMBIGUOUS_NUMBER', names };
}

export const arrivalsOf = ({ arrivals }: Model, type: Type) =>
  [...arrivals.values()].filter((one) => one.type === type);

/** Returns the other ASNs that announce a carton. If some of them are open, returns only the open ASNs. */
export function announcersOf(model: Model, arrival: Arrival, carton: string): Arrival[] {
  const all = arrivalsOf(model, 'ASN').filter((one) => one !== arrival && one.announced.includes(carton));
  const open = all.filter(isOpen);
  return open.length > 0 ? open : all;
}

/** Number of ids that commands have chosen. A command that is sent again with its Idempotency-Key has the same id. */
let ids = 0;
export const freshId = () => `g${++ids}`;

/** With `near`, the command gets a shipment to which it applies. Without such a shipment, the command is left out. */
export function meant<C extends Named & { near?: boolean }>(
  model: Model,
  command: C,
  isFor: (arrival: Arrival) => boolean,
): C | undefined {
  const found = arrivalOf(model, command);
  if (command.near !== true || (found !== undefined && isFor(found))) return command;
  // If two sellers use the number, the command keeps it and names no seller, to test the error for this case.
  if (found === undefined && command.seller === undefined && missing(model, command).status === 409) return command;
  const { of = 'ASN' } = command;
  const others = arrivalsOf(model, of).filter((one) => isFor(one));
  const other = others.find((one) => one.seller === command.seller) ?? others[0];
  return other === undefined ? undefined : { ...command, ...namedOf(other) };
}

export const isOpen = ({ state }: Arrival) => state !== 'CLOSED';
export const hasHeld = (arrival: Arrival) => isOpen(arrival) && arrival.keys.some((key) => key.held > 0);

export interface Shown {
  state: string;
  sums: { keys: ({ cartonId?: string; itemId: string } & Record<string, number>)[] };
}

const MEMBERS = ['announced', ...KINDS, 'over', 'short', 'open'] as const;

/** Returns the sums of each key in a response, by the name of the key. */
export function keysShown({ sums: { keys } }: Pick<Shown, 'sums'>): [string, ...number[]][] {
  return keys
    .map((key): [string, ...number[]] => [
      `${key.cartonId ?? ''}/${skuOf(key.itemId)}`,
      ...MEMBERS.map((member) => key[member]!),
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

export const stateAndSums = (arrival: Arrival) => [arrival.state, arrival.sums()];
export const shownState = (body: Shown) => [body.state, keysShown(body)];

/** The error for a shipment whose state does not allow the action. */
export const CLOSED = { status: 409, code: 'NOT_OPEN' };

interface Line {
  sku: number;
  units: number;
  /** The number of the purchase order that the line delivers. */
  po?: number | null;
  /**
   * True if the carton of the line has the index of the previous line. If `isShared` is true, the line is in the carton
   * `SHARED` instead.
   */
  isJoined?: boolean;
  /** True if the line is in the carton `SHARED`. */
  isShared?: boolean;
}

/** A carton that several shipments can announce. */
export const SHARED = 'XC0';

interface Announce extends Named {
  lines: Line[];
  /** The purchase order of the lines that name no purchase order. */
  po?: number | null;
}

const poNumber = (po: number | null | undefined) => (po == null ? undefined : numberOf({ of: 'PO', asn: po }));

/** Returns the lines of an ASN with their cartons and purchase orders. */
function linesOf({ asn, lines, po }: Announce) {
  return lines.map((line, index) => ({
    carton: line.isShared === true ? SHARED : `A${asn}C${line.isJoined === true && index > 0 ? index - 1 : index}`,
    sku: line.sku,
    units: line.units,
    own: poNumber(line.po),
    po: poNumber(line.po) ?? poNumber(po),
  }));
}

const header = { receivingWarehouseId: WAREHOUSE, shipmentReceiptDate: '2026-03-20', shipperName: 'x', storeCode: '1' };

const transmitted = (world: World, { seller = 0 }: Named, body: object) =>
  world.call('POST', `/poasn-manager-service/sellers/${sellerId(world, seller)}/poasn/create`, body);

const units = fc.integer({ min: 1, max: 6 });
const po = { po: fc.constantFrom(null, null, null, 0, 1) };

const announce = rule<Announce, unknown>({
  weight: 3,
  members: fc.record({
    ...asns,
    ...po,
    lines: fc.array(
      fc.record({
        sku: fc.nat(2),
        units,
        ...po,
        isJoined: fc.boolean(),
        isShared: fc.constantFrom(false, false, true),
      }),
      {
        minLength: 1,
        maxLength: 2,
      },
    ),
  }),
  send(world, command) {
    const { asn } = command;
    const asnNumber = numberOf({ asn });
    const shipmentNumber = poNumber(command.po);
    const detail = linesOf(command).map(({ carton, sku, units, own }) => ({
      asnNumber,
      cartonId: carton,
      clientItemId: `SKU${sku}`,
      shippedQuantity: units,
      itemCost: 1,
      trailerNumber: '1',
      receivingWarehouseId: WAREHOUSE,
      ...(own !== undefined && {
        detailExtendedAttributes: { extendedAttributes: [{ name: 'PONumber', value: own }] },
      }),
    }));
    const head = { ...header, asnNumber, receivingType: 'A', ...(shipmentNumber !== undefined && { shipmentNumber }) };
    return transmitted(world, command, { asnData: [{ header: head, details: { detail } }] });
  },
  expect: (model, command) => announced(model, { ...command, of: 'ASN' }, linesOf(command)),
});

const announcePo = rule<Named & { lines: Line[] }, unknown>({
  weight: 3,
  members: fc.record({
    asn: fc.nat(1),
    ...sellers,
    lines: fc.array(fc.record({ sku: fc.nat(2), units }), { minLength: 1, maxLength: 2 }),
  }),
  send(world, { asn, seller, lines }) {
    const detail = lines.map(({ sku, units }) => ({
      clientItemId: `SKU${sku}`,
      shippedQuantity: units,
      itemCost: 1,
      trailerNumber: '1',
      receivingWarehouseId: WAREHOUSE,
    }));
    const shipmentNumber = numberOf({ of: 'PO', asn });
    return transmitted(
      world,
      { asn, ...(seller !== undefined && { seller }) },
      {
        poData: [{ header: { ...header, shipmentNumber, receivingType: 'P' }, details: { detail } }],
      },
    );
  },
  expect: (model, { asn, seller = 0, lines }) =>
    announced(
      model,
      { of: 'PO', asn, seller },
      lines.map(({ sku, units }) => ({ carton: '', sku, units })),
    ),
});

function announced(model: Model, one: Named, lines: Arrival['lines']) {
  const content = JSON.stringify(lines);
  const numbered = { seller: one.seller ?? 0, number: numberOf(one) };
  const before = model.arrivals.get(nameOf(numbered));
  if (before?.content === content) return { status: 200 };
  const wrong = [
    ...(before === undefined ? [] : ['NUMBER_ALREADY_USED ']),
    ...lines.flatMap(({ carton, sku }, index) => [
      ...(model.items.has(sku) ? [] : [`ITEM_NOT_FOUND ${index + 1}`]),
      ...(isTaken(model, before, carton) ? [`CARTON_ALREADY_ANNOUNCED ${index + 1}`] : []),
    ]),
  ];
  if (wrong.length > 0) return { status: 400, names: wrong };
  model.arrivals.set(nameOf(numbered), new Arrival(model.ledger, numbered, content, lines));
  return { status: 200 };
}

/** Returns whether the client forbids duplicate cartons and another open shipment announces this carton. */
const isTaken = ({ arrivals, settings }: Model, before: Arrival | undefined, carton: string) =>
  settings.duplicateCartons === 'REFUSE' &&
  carton !== '' &&
  [...arrivals.values()].some((one) => one !== before && isOpen(one) && one.announced.includes(carton));

const voidAsn = rule<Named, unknown>({
  weight: 1,
  members: fc.record({ ...asns, of: fc.constantFrom<Type>('ASN', 'ASN', 'PO') }),
  send: (world, one) => world.operator('DELETE', pathOfClient(world, one)),
  expect(model, one) {
    const arrival = arrivalOf(model, one);
    if (arrival === undefined) return missing(model, one);
    if (arrival.state !== 'EXPECTED') return { status: 409, code: 'CONFLICT' };
    model.arrivals.delete(nameOf(arrival));
    return { status: 204 };
  },
});

const arriveAsn = rule<Named, unknown>({
  weight: 1,
  members: fc.record(named),
  send: (world, one) => world.call('POST', pathOf(world, one, 'arrive'), { userId: 'ann' }),
  expect(model, one) {
    const arrival = arrivalOf(model, one);
    // A device sends an arrival late, or again, so it is no error after the close.
    return arrival === undefined ? missing(model, one) : { status: 204 };
  },
});

/** Returns the ASNs of the seller that have lines for a purchase order. */
export const deliveriesOf = (model: Model, { seller, number }: Numbered) =>
  arrivalsOf(model, 'ASN').filter((one) => one.seller === seller && one.lines.some(({ po }) => po === number));

interface Ordered {
  itemId: string;
  ordered: number;
  announced: number;
  arrived: number;
}

/**
 * Returns the units of each item: ordered by a purchase order, announced by its ASNs, and arrived with or without an
 * ASN.
 */
function threeWay(model: Model, po: Arrival): [sku: number, ordered: number, announced: number, arrived: number][] {
  const found = new Map<number, [number, number, number]>();
  const add = (sku: number, ...more: [number, number, number]) => {
    const before = found.get(sku) ?? [0, 0, 0];
    found.set(sku, [before[0] + more[0], before[1] + more[1], before[2] + more[2]]);
  };
  for (const key of po.keys) add(key.sku, key.announced, 0, arrived(key));
  for (const asn of deliveriesOf(model, po)) {
    for (const key of asn.keys) {
      const lines = asn.lines.filter(({ carton, sku }) => carton === key.carton && sku === key.sku);
      let left = arrived(key);
      for (const [index, { units, po: own }] of lines.entries()) {
        // Arrived units fill the lines in their order. The last line gets the remaining units.
        const part = index === lines.length - 1 ? left : Math.min(left, units);
        left -= part;
        if (own === po.number) add(key.sku, 0, units, part);
      }
    }
  }
  return [...found].map(([sku, units]): [number, number, number, number] => [sku, ...units]).sort(([a], [b]) => a - b);
}

/** Returns the units of an item that the ASNs of a purchase order brought; 0 for another shipment. */
export function broughtTo(model: Model, one: Arrival, sku: number): number {
  if (one.type !== 'PO') return 0;
  const own = one.keys.filter((key) => key.sku === sku).reduce((sum, key) => sum + arrived(key), 0);
  const [, , , all] = threeWay(model, one).find(([known]) => known === sku)!;
  return all - own;
}

interface Read extends Shown {
  cartons: { cartonId: string; state: string; holder?: { userId: string } }[];
  orders?: Ordered[];
  receipts: Booked[];
  allowedActions: { action: string; allowed: boolean }[];
}

const readAsn = rule<Named, Read>({
  weight: 2,
  members: fc.record(named),
  send: (world, one) => world.call('GET', pathOf(world, one)),
  expect(model, one) {
    const arrival = arrivalOf(model, one);
    if (arrival === undefined) return missing(model, one);
    const orders = arrival.type === 'PO' ? threeWay(model, arrival) : null;
    const shows = [stateAndSums(arrival), arrival.cartonStates(model.now), orders, arrival.told, arrival.allowed()];
    return { status: 200, shows };
  },
  shows: (body) => [
    shownState(body),
    body.cartons.map(({ cartonId, state, holder }) => [cartonId, state, holder?.userId ?? null]).sort(),
    body.orders
      ?.map(({ itemId, ordered, announced, arrived }) => [skuOf(itemId), ordered, announced, arrived] as const)
      .sort(([a], [b]) => a - b) ?? null,
    body.receipts.map(broughtBy),
    body.allowedActions.filter(({ allowed }) => allowed).map(({ action }) => action),
  ],
});

interface Listed {
  type: string;
  number: string;
  sellerId: string;
  state: string;
  announcedQuantity: number;
  receivedQuantity: number;
  cartons: number;
  cartonsDone: number;
  openQuantity: number;
}

const listArrivals = rule<object, { inbound: Listed[] }>({
  weight: 1,
  members: fc.constant({}),
  send: (world) => world.call('GET', `${nodePath(world)}/inbound`),
  expect: ({ arrivals, now }) => ({
    status: 200,
    shows: [...arrivals.values()].map((one) => [nameOf(one), one.state, ...one.totals(now)]).sort(inOrder),
  }),
  shows: ({ inbound }) =>
    inbound
      .map((one) => [
        nameOf({ seller: sellerOf(one.sellerId), number: one.number }),
        one.state,
        one.announcedQuantity,
        one.receivedQuantity,
        one.openQuantity,
        one.cartons,
        one.cartonsDone,
      ])
      .sort(inOrder),
});

const inOrder = ([a]: readonly unknown[], [b]: readonly unknown[]) => (String(a) < String(b) ? -1 : 1);
export const shipments: Record<string, Rule<Command>> = {
  announce,
  announcePo,
  voidAsn,
  arriveAsn,
  readAsn,
  listArrivals,
};
