/** Reads an 856 as an ASN (docs/edi-partners.md#ship-notices-856). */
import { decimalText, numeric } from '../../platform/decimal.ts';
import { Pace } from '../../platform/pace.ts';
import type { Segment } from '../../platform/x12/tokens.ts';
import { type HlNode, nearest } from '../../platform/x12/tree.ts';
import { LINES_MAX } from '../../receiving/schema.ts';
import { itemIdOf } from '../../shared/item-id.ts';
import { QUANTITY_MAX } from '../../shared/limits.ts';
import { type Draft, fits, type Intent, intentOf, type Mapping, orderOfStore } from './draft.ts';
import { dayOfArrival, locationOf, shipperName } from './header.ts';
import { catalogOf, itemsOf, orderCosts } from './items.ts';
import type { Profile } from './partner-schema.ts';
import { type Place, type Value, valueAt } from './places.ts';
import { DIVIDED_MAX, piecesOf, quantityOf } from './quantity.ts';

const TRAILER_MAX = 25;
const INTENTS: Readonly<Record<string, Intent>> = { '00': 'ANNOUNCE', '14': 'ANNOUNCE', '05': 'REPLACE', '01': 'VOID' };

/**
 * Returns the draft of the ASN. Returns undefined if the set has an error that prevents it; the findings have the
 * reason.
 */
export async function shipNotice(mapping: Mapping): Promise<Draft | undefined> {
  const { meaning, profile } = mapping;
  const { set } = meaning.file;
  const tree = meaning.file.tree!;
  const bsn = set.segments.find(({ id }) => id === 'BSN')!;
  const shipment = [
    ...tree.header,
    ...tree.nodes.filter(({ level }) => level === 'S').flatMap(({ segments }) => segments),
  ];
  const purpose = valueAt(bsn, 1)!;
  const intent = intentOf(mapping, purpose, INTENTS);
  const number = numberOf(mapping, bsn, shipment);
  if (intent === undefined || number === undefined) return undefined;
  // A void needs only the seller, so a missing location is not a finding.
  const location = locationOf(intent === 'VOID' ? meaning.copy() : meaning, profile, shipment, { segment: bsn });
  const draft = {
    type: 'ASN' as const,
    sellerId: location?.sellerId ?? profile.sellerId,
    number: number.value,
    numberPlace: number,
    intent,
    needsOld: false,
    sellers: [...new Set([profile.sellerId, ...profile.locations.flatMap(({ sellerId }) => sellerId ?? [])])],
  };
  if (intent === 'VOID') return draft;
  const items = tree.nodes.filter(({ level }) => level === 'I');
  if (items.length > LINES_MAX) {
    meaning.add(
      'TOO_MANY_LINES',
      { segment: bsn },
      `The set has ${items.length} items, but at most 20,000 are allowed`,
    );
    return undefined;
  }
  const trailer = trailerOf(mapping, shipment);
  if (trailer === undefined) meaning.add('NO_TRAILER', { segment: bsn }, 'Neither TD303 nor REF BM has a trailer');
  const day = dayOfArrival(meaning, profile, shipment, { later: ['011'] }, { segment: bsn });
  const shipper = shipperName(meaning, profile, shipment, mapping.partnerId);
  const lines = await linesOf(mapping, items, number, shipment);
  const catalogId = await catalogOf(mapping, location);
  await identify(mapping, lines, { sellerId: draft.sellerId, catalogId, locationCode: location?.code });
  const order = sharedOrder(lines);
  const places = {
    header: {
      asnNumber: number,
      ...(location?.place && { storeCode: location.place, receivingWarehouseId: location.place }),
      ...(day && { shipmentReceiptDate: day }),
      ...(shipper.place && { shipperName: shipper.place }),
      ...(trailer?.place && { trailerNumber: trailer.place }),
    },
    line: (at: number) => lines[at] && placesOf(lines[at]),
  };
  const header = {
    asnNumber: number.value,
    ...(order !== undefined && { shipmentNumber: order }),
    receivingType: 'A',
    receivingWarehouseId: location?.receivingWarehouseId,
    shipmentReceiptDate: day?.day,
    shipperName: shipper.value,
    storeCode: location?.storeCode,
  };
  const pace = new Pace();
  const detail: object[] = [];
  for (const line of lines) {
    if (pace.isDue) await pace.rest();
    detail.push({
      asnNumber: number.value,
      cartonId: line.cartonId,
      clientItemId: line.clientItemId?.value,
      itemCost: line.itemCost === undefined ? undefined : numeric(line.itemCost),
      ...(line.lineNumber !== undefined && { lineNumber: line.lineNumber }),
      receivingWarehouseId: location?.receivingWarehouseId,
      shippedQuantity: line.quantity,
      trailerNumber: trailer?.value,
      ...attributesOf(line),
    });
  }
  return { ...draft, message: { value: { asnData: [{ header, details: { detail } }] }, places } };
}

/**
 * Returns the number of the ASN from the field that the profile names. If the number is missing or too long, adds
 * NUMBER_LENGTH and returns undefined.
 */
function numberOf({ meaning, profile }: Mapping, bsn: Segment, shipment: readonly Segment[]): Value | undefined {
  const sent = valueAt(bsn, 2)!;
  if (profile.number === 'REF:BM') {
    const billOfLading = referenceOf(shipment, 'BM');
    if (billOfLading === undefined) {
      meaning.add('NUMBER_LENGTH', { segment: bsn }, 'No REF BM has the number of the ASN', {
        cure: 'Send the bill of lading in REF BM of the shipment.',
      });
      return undefined;
    }
    return fits(meaning, billOfLading, 'ASN') ? billOfLading : undefined;
  }
  const value = profile.number === 'BSN02:TRIM' ? sent.value.replace(/^0+(?=.)/, '') : sent.value;
  return fits(meaning, { ...sent, value }, 'ASN') ? { ...sent, value } : undefined;
}

function referenceOf(segments: readonly Segment[], qualifier: string): Value | undefined {
  for (const segment of segments) {
    const value = segment.id === 'REF' && segment.elements[1] === qualifier ? valueAt(segment, 2) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

function trailerOf({ profile }: Mapping, shipment: readonly Segment[]): { value: string; place?: Place } | undefined {
  const trailers = shipment.filter(({ id }) => id === 'TD3').map((segment) => valueAt(segment, 3));
  for (const value of [...trailers, referenceOf(shipment, 'BM')]) {
    if (value !== undefined && Array.from(value.value).length <= TRAILER_MAX)
      return { value: value.value, place: value };
  }
  const { trailerNumber } = profile.defaults;
  return trailerNumber === undefined ? undefined : { value: trailerNumber };
}

/** A line of the ASN. `clientItemId` and `itemCost` are undefined until `identify` sets them. */
interface AsnLine {
  item: Segment;
  /** The segment SN1. */
  shipped: Segment;
  /** The mark of the carton, if the file has one. */
  carton: Value | undefined;
  cartonId: string;
  order: Value | undefined;
  pallet: Value | undefined;
  lineNumber: string | undefined;
  quantity: number | undefined;
  clientItemId: Value | undefined;
  itemCost: string | undefined;
}

function placesOf({ item, shipped, carton, clientItemId }: AsnLine): Record<string, Place> {
  return {
    line: { segment: item },
    shippedQuantity: { segment: shipped, element: 2 },
    lineNumber: { segment: item, element: 1 },
    ...(carton && { cartonId: carton }),
    ...(clientItemId && { clientItemId }),
  };
}

/**
 * Returns the lines in the order of the items in the file. An item with several packs below it (BSN05 0002) has a line
 * for each pack.
 */
async function linesOf(
  mapping: Mapping,
  items: readonly HlNode[],
  number: Value,
  shipment: readonly Segment[],
): Promise<AsnLine[]> {
  const pace = new Pace();
  const lines: AsnLine[] = [];
  const itemsBelow = new Map<HlNode, number>();
  const marks = new Marks(mapping.profile);
  const orders = new Orders(shipment);
  for (const item of items) {
    if (pace.isDue) await pace.rest();
    const pallet = nearest(item, 'T');
    if (pallet !== undefined) itemsBelow.set(pallet, (itemsBelow.get(pallet) ?? 0) + 1);
  }
  for (const item of items) {
    if (pace.isDue) await pace.rest();
    const [lin, sn1, po4] = [firstOf(item, 'LIN')!, firstOf(item, 'SN1')!, firstOf(item, 'PO4')];
    const shipped = { segment: sn1 };
    const packs = [valueAt(po4, 1), valueAt(po4, 14)] as const;
    const pieces = piecesOf(mapping.meaning, mapping.profile, valueAt(sn1, 3), shipped, packs);
    const above = nearest(item, 'T');
    const pallet = above && marks.of(above);
    const cartons = cartonsOf(marks, item, above !== undefined && itemsBelow.get(above) === 1 ? pallet : undefined);
    const most = cartons.length > 1 ? DIVIDED_MAX : QUANTITY_MAX;
    const quantity =
      pieces === undefined ? undefined : quantityOf(mapping.meaning, valueAt(sn1, 2), pieces, shipped, most);
    const order = orders.of(item);
    const lineNumber = valueAt(lin, 1)?.value;
    for (const { carton, units } of split(mapping, cartons, quantity, { lin, sn1 })) {
      const cartonId = carton?.value ?? cartonByDefault(mapping, number, lin);
      lines.push({
        item: lin,
        shipped: sn1,
        carton,
        cartonId,
        order,
        pallet,
        lineNumber,
        quantity: units,
        clientItemId: undefined,
        itemCost: undefined,
      });
    }
  }
  return lines;
}

function firstOf({ segments }: Pick<HlNode, 'segments'>, id: string): Segment | undefined {
  for (const segment of segments) if (segment.id === id) return segment;
  return undefined;
}

/**
 * Finds the marks of packs and pallets, with the preferred qualifier. Marks are cached, because many items are in one
 * pack.
 */
class Marks {
  readonly #qualifiers: readonly string[];
  readonly #found = new Map<HlNode, Value | undefined>();

  constructor({ cartonQualifiers }: Profile) {
    this.#qualifiers = cartonQualifiers;
  }

  of(node: HlNode): Value | undefined {
    if (!this.#found.has(node)) this.#found.set(node, this.#look(node));
    return this.#found.get(node);
  }

  #look({ segments }: HlNode): Value | undefined {
    const marks = segments.filter(({ id }) => id === 'MAN');
    for (const qualifier of this.#qualifiers) {
      for (const segment of marks) {
        for (const at of [1, 4]) {
          const value = segment.elements[at] === qualifier ? valueAt(segment, at + 1) : undefined;
          if (value !== undefined) return value;
        }
      }
    }
    return undefined;
  }
}

/**
 * Returns the marks of the cartons of an item: the mark of the pack above the item, otherwise the marks of the packs
 * below it, with undefined for a pack without a mark. If none of these packs has a mark, returns the mark of the pallet
 * that contains only this item. Empty if this mark is also missing.
 */
function cartonsOf(marks: Marks, item: HlNode, ownPallet: Value | undefined): (Value | undefined)[] {
  const above = nearest(item, 'P');
  const own = above && marks.of(above);
  if (own !== undefined) return [own];
  const below = item.children.filter(({ level }) => level === 'P').map((pack) => marks.of(pack));
  if (below.some((mark) => mark !== undefined)) return below;
  return ownPallet === undefined ? [] : [ownPallet];
}

/**
 * Distributes the units of an item over its cartons, the same number to each. If this is not possible, adds NO_CARTON
 * or QUANTITY, and returns only the first carton.
 */
function split(
  { meaning }: Mapping,
  cartons: readonly (Value | undefined)[],
  quantity: number | undefined,
  { lin, sn1 }: { lin: Segment; sn1: Segment },
): { carton: Value | undefined; units: number | undefined }[] {
  const [first] = cartons;
  if (cartons.length < 2 || quantity === undefined) return [{ carton: first, units: quantity }];
  if (quantity % cartons.length !== 0) {
    const words = `${quantity} pieces are not the same number in each of ${cartons.length} packs`;
    meaning.add('NO_CARTON', { segment: lin }, words);
    return [{ carton: first, units: quantity }];
  }
  const units = quantity / cartons.length;
  if (units > QUANTITY_MAX) {
    meaning.add('QUANTITY', { segment: sn1, element: 2 }, `${units} pieces are in each pack; a line has 1 to 99,999`);
    return [{ carton: first, units: undefined }];
  }
  const unmarked = cartons.filter((carton) => carton === undefined).length;
  const lacks = unmarked === 0 ? '' : `; ${unmarked} of them ${unmarked === 1 ? 'has' : 'have'} no mark`;
  const words = `${cartons.length} packs below the item: ${units} pieces each are taken${lacks}`;
  meaning.note('NO_CARTON', { segment: lin }, words);
  return cartons.map((carton) => ({ carton, units }));
}

function cartonByDefault({ meaning, profile }: Mapping, number: Value, lin: Segment): string {
  if (profile.noPack === 'REFUSE') meaning.add('NO_CARTON', { segment: lin }, 'The item is in no carton');
  return number.value;
}

/**
 * Finds the purchase order of an item: PRF01 or REF PO of the item, otherwise of its order, otherwise of the shipment.
 */
class Orders {
  readonly #shipment: readonly Segment[];
  /** Purchase orders by the parent of the items. They are cached, because many items have the same parent. */
  readonly #found = new Map<HlNode | undefined, Value | undefined>();

  constructor(shipment: readonly Segment[]) {
    this.#shipment = shipment;
  }

  of({ segments, parent }: HlNode): Value | undefined {
    const own = orderIn(segments);
    if (own !== undefined) return own;
    if (!this.#found.has(parent)) this.#found.set(parent, this.#above(parent));
    return this.#found.get(parent);
  }

  #above(parent: HlNode | undefined): Value | undefined {
    const loops = parent === undefined ? [] : [nearest(parent, 'O'), nearest(parent, 'S')];
    for (const loop of loops) {
      const order = loop && orderIn(loop.segments);
      if (order !== undefined) return order;
    }
    return orderIn(this.#shipment);
  }
}

function orderIn(segments: readonly Segment[]): Value | undefined {
  const prf = firstOf({ segments }, 'PRF');
  return valueAt(prf, 1) ?? referenceOf(segments, 'PO');
}

/** Sets the items of the lines, their orders and their costs. Adds NO_COST for an item without a cost. */
async function identify(
  { meaning, source, clientId, profile }: Mapping,
  lines: AsnLine[],
  {
    sellerId,
    catalogId,
    locationCode,
  }: { sellerId: string; catalogId: string | undefined; locationCode: string | undefined },
): Promise<void> {
  const ids = lines.map(({ item: segment }) => ({ segment, first: 2 }));
  const items = await itemsOf(source, meaning, { clientId, profile, catalogId }, ids);
  const ofStore = (order: string) => (locationCode === undefined ? order : orderOfStore(order, locationCode));
  const orders = [...new Set(lines.flatMap(({ order }) => order?.value ?? []))];
  const costs = await orderCosts(source, clientId, sellerId, [...orders, ...orders.map(ofStore)]);
  const { itemCost } = profile.defaults;
  const costByDefault = itemCost === undefined ? undefined : decimalText(itemCost);
  const pace = new Pace();
  for (const [at, line] of lines.entries()) {
    if (pace.isDue) await pace.rest();
    // A supplier knows only the number of the order, but with SDQ the order has a PO for each store.
    if (line.order !== undefined && !costs.has(line.order.value) && costs.has(ofStore(line.order.value)))
      line.order = { ...line.order, value: ofStore(line.order.value) };
    const item = items[at];
    if (item === undefined) continue;
    line.clientItemId = item;
    const agreed =
      line.order && catalogId !== undefined ? costs.of(line.order.value, itemIdOf(catalogId, item.value)) : undefined;
    const cost = agreed ?? costByDefault;
    if (cost !== undefined) line.itemCost = cost;
    else if (catalogId !== undefined) {
      const what =
        line.order === undefined ? 'The line has no order' : `Order ${line.order.value} has no cost of the item`;
      meaning.add('NO_COST', { segment: line.item }, `${what}, and no cost is agreed`);
    }
  }
}

/** Returns the purchase order that all lines share, if its number has at most 15 characters. */
function sharedOrder(lines: readonly AsnLine[]): string | undefined {
  const orders = new Set(lines.map(({ order }) => order?.value));
  const [only] = orders;
  return orders.size === 1 && only !== undefined && Array.from(only).length <= 15 ? only : undefined;
}

function attributesOf({ order, pallet }: AsnLine) {
  const attributes = [
    ...(order === undefined ? [] : [{ name: 'PONumber', value: order.value }]),
    ...(pallet === undefined ? [] : [{ name: 'PalletId', value: pallet.value }]),
  ];
  return attributes.length === 0 ? {} : { detailExtendedAttributes: { extendedAttributes: attributes } };
}
