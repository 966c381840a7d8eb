/** Reads an 850 or 860 as POs (docs/edi-partners.md#purchase-orders-850-860). */
import { Big } from 'big.js';
import { decimalText, numeric } from '../../platform/decimal.ts';
import { Pace } from '../../platform/pace.ts';
import type { Segment } from '../../platform/x12/tokens.ts';
import { dateOf } from '../../platform/x12/values.ts';
import { isBefore } from '../../platform/x12/write.ts';
import { LINES_MAX } from '../../receiving/schema.ts';
import { QUANTITY_MAX } from '../../shared/limits.ts';
import { type Draft, fits, type Intent, intentOf, type Mapping, orderOfStore } from './draft.ts';
import { dayOfArrival, type Location, locationOf, locationOfStore, shipperName } from './header.ts';
import { catalogOf, itemsOf } from './items.ts';
import { type Place, type Value, valueAt } from './places.ts';
import { costOf, DIVIDED_MAX, piecesOf, quantityOf } from './quantity.ts';

/** Segments and elements of the fields in an order (850) and in a change (860). */
const FORMS = {
  '850': {
    header: 'BEG',
    date: 5,
    line: 'PO1',
    fields: { quantity: 2, unit: 3, price: 4, basis: 5, ids: 6 },
    intents: { '00': 'ANNOUNCE', '05': 'REPLACE', '01': 'VOID' },
    hint: undefined,
  },
  '860': {
    header: 'BCH',
    date: 6,
    line: 'POC',
    fields: { quantity: 3, unit: 5, price: 6, basis: 7, ids: 8 },
    intents: { '05': 'REPLACE', '01': 'VOID' },
    hint: 'send the whole order with 05',
  },
} as const satisfies Record<string, { intents: Readonly<Record<string, Intent>>; [name: string]: unknown }>;

/**
 * Returns the drafts of the POs: one, or one for each store of the SDQ segments. Returns no draft if the set has an
 * error that prevents them; the findings have the reason.
 */
export async function purchaseOrders(mapping: Mapping): Promise<Draft[]> {
  const { meaning, profile } = mapping;
  const { set, group } = meaning.file;
  const form = FORMS[set.setId as keyof typeof FORMS];
  const head = set.segments.find(({ id }) => id === form.header)!;
  const intent = intentOf(mapping, valueAt(head, 1)!, form.intents, form.hint);
  const number = valueAt(head, 3)!;
  const loops = loopsOf(set.segments, form.line);
  const sdqs = loops.flatMap(({ segments }) => segments.filter(({ id }) => id === 'SDQ'));
  if (intent === undefined || (sdqs.length === 0 && !fits(meaning, number, 'order'))) return [];
  const base = { type: 'PO' as const, intent, needsOld: set.setId === '860', order: number.value };
  // A void needs only the number: `bookSet` finds the POs of the order, so lines and stores are not read.
  if (intent === 'VOID') return [{ ...base, sellerId: profile.sellerId, number: number.value, numberPlace: number }];
  if (loops.length > LINES_MAX) {
    meaning.add(
      'TOO_MANY_LINES',
      { segment: head },
      `The set has ${loops.length} lines, but at most 20,000 are allowed`,
    );
    return [];
  }
  const header = set.segments.slice(0, (loops[0]?.line.position ?? set.segments.length + 1) - 1);
  const ordered = valueAt(head, form.date);
  const orderDay = ordered && dateOf(ordered.value, isBefore(group.version, '004010'));
  const shared: Shared = { mapping, head, header, number, form, orderDay, ordered };
  const kept = loops.filter(({ line }) => !(set.setId === '860' && line.elements[2] === 'DI'));
  if (sdqs.length > 0) return await perStore(shared, kept, base);
  const location = locationOf(meaning, profile, header, { segment: head });
  const lines = await linesOf(shared, kept);
  const message = await messageOf(shared, location, number, lines);
  const sellerId = location?.sellerId ?? profile.sellerId;
  return [{ ...base, sellerId, number: number.value, numberPlace: number, message }];
}

/** Returns the stores of an SDQ with their units. */
function storesOf(sdq: Segment): { code: Value; units: Value }[] {
  const stores: { code: Value; units: Value }[] = [];
  for (let at = 3; at < Math.min(sdq.elements.length, 23); at += 2) {
    const [code, units] = [valueAt(sdq, at), valueAt(sdq, at + 1)];
    if (code !== undefined && units !== undefined) stores.push({ code, units });
  }
  return stores;
}

interface Loop {
  line: Segment;
  /** The segments after the line, up to the next line. */
  segments: Segment[];
}

interface Shared {
  mapping: Mapping;
  head: Segment;
  header: readonly Segment[];
  number: Value;
  form: (typeof FORMS)[keyof typeof FORMS];
  orderDay: string | undefined;
  ordered: Value | undefined;
}

interface PoLine {
  line: Segment;
  quantity: number | undefined;
  itemCost: string | undefined;
  places: Record<string, Place>;
  /** The unit of measure of the line. */
  unit: string;
  /** Number of pieces in one unit of measure. */
  pieces: number | undefined;
  segments: readonly Segment[];
}

function loopsOf(segments: readonly Segment[], id: string): Loop[] {
  const loops: Loop[] = [];
  for (const segment of segments) {
    if (segment.id === id) loops.push({ line: segment, segments: [] });
    else if (segment.id === 'CTT' || segment.id === 'SE') break;
    else loops.at(-1)?.segments.push(segment);
  }
  return loops;
}

async function linesOf({ mapping, form }: Shared, loops: readonly Loop[]): Promise<PoLine[]> {
  const pace = new Pace();
  const { meaning, profile } = mapping;
  const { quantity, unit, price, basis } = form.fields;
  const lines: PoLine[] = [];
  for (const { line, segments } of loops) {
    await pace.rest();
    const po4 = segments.find(({ id }) => id === 'PO4');
    const sentUnit = valueAt(line, unit);
    const component = meaning.file.interchange.delimiters.component;
    // The unit of a POC is a composite whose first component is the code.
    const code = sentUnit && { ...sentUnit, value: sentUnit.value.split(component, 1)[0]! };
    const packs = [valueAt(po4, 1), valueAt(po4, 14)];
    const pieces = piecesOf(meaning, profile, code, { segment: line }, packs);
    const most = segments.some(({ id }) => id === 'SDQ') ? DIVIDED_MAX : QUANTITY_MAX;
    const units =
      pieces === undefined ? undefined : quantityOf(meaning, valueAt(line, quantity), pieces, { segment: line }, most);
    const sentPrice = valueAt(line, price);
    const { itemCost } = profile.defaults;
    const cost =
      sentPrice === undefined
        ? itemCost === undefined
          ? undefined
          : decimalText(itemCost)
        : pieces === undefined
          ? undefined
          : costOf(meaning, sentPrice, pieces, valueAt(line, basis));
    if (sentPrice === undefined && itemCost === undefined) {
      meaning.add('NO_COST', { segment: line, element: price }, 'The line has no price, and no cost is agreed');
    }
    const places = {
      line: { segment: line },
      shippedQuantity: { segment: line, element: quantity },
      itemCost: { segment: line, element: price },
      lineNumber: { segment: line, element: 1 },
    };
    lines.push({ line, segments, quantity: units, itemCost: cost, places, unit: code?.value ?? '', pieces });
  }
  return lines;
}

async function messageOf(shared: Shared, location: Location | undefined, number: Value, lines: readonly PoLine[]) {
  const { mapping, head, header, ordered, orderDay, form } = shared;
  const { meaning, profile, source, clientId } = mapping;
  const later = { exact: ['002'], later: ['010'], element: ordered };
  const day = dayOfArrival(meaning, profile, header, later, { segment: head });
  const shipper = shipperName(meaning, profile, header, mapping.partnerId);
  const { trailerNumber } = profile.defaults;
  if (trailerNumber === undefined) {
    meaning.add('NO_TRAILER', { segment: head }, 'No trailer is agreed for orders', {
      cure: 'Ask the receiver to agree on a trailer for orders.',
    });
  }
  const catalogId = await catalogOf(mapping, location);
  const ids = lines.map(({ line: segment }) => ({ segment, first: form.fields.ids }));
  const items = await itemsOf(source, meaning, { clientId, profile, catalogId }, ids);
  const value = {
    poData: [
      {
        header: {
          shipmentNumber: number.value,
          receivingType: 'P',
          receivingWarehouseId: location?.receivingWarehouseId,
          shipmentReceiptDate: day?.day,
          ...(orderDay !== undefined && { orderDate: orderDay }),
          shipperName: shipper.value,
          storeCode: location?.storeCode,
        },
        details: {
          detail: lines.map(({ line, quantity, itemCost }, at) => ({
            clientItemId: items[at]?.value,
            itemCost: itemCost === undefined ? undefined : numeric(itemCost),
            ...(valueAt(line, 1) !== undefined && { lineNumber: valueAt(line, 1)!.value }),
            receivingWarehouseId: location?.receivingWarehouseId,
            shippedQuantity: quantity,
            trailerNumber,
          })),
        },
      },
    ],
  };
  const places = {
    header: {
      shipmentNumber: number,
      ...(location?.place && { storeCode: location.place, receivingWarehouseId: location.place }),
      ...(day && { shipmentReceiptDate: day }),
      ...(shipper.place && { shipperName: shipper.place }),
    },
    line: (at: number) => {
      const own = lines[at];
      return own && { ...own.places, ...(items[at] && { clientItemId: items[at] }) };
    },
  };
  return { value, places };
}

/** A store of an SDQ, with the units of each line. */
interface Store {
  code: Value;
  qualifier: string;
  lines: PoLine[];
}

/**
 * Maximum number of lines of all POs of an order with SDQ. The service books these POs in one commit, for which it has
 * 10 s.
 */
const STORE_LINES_MAX = 100_000;

/** Returns one draft for each store of the SDQ segments. */
async function perStore(
  shared: Shared,
  loops: readonly Loop[],
  base: Pick<Draft, 'type' | 'intent' | 'needsOld' | 'order'>,
): Promise<Draft[]> {
  const { mapping, number } = shared;
  const { meaning, profile } = mapping;
  let count = 0;
  const pace = new Pace();
  for (const { segments } of loops) {
    if (pace.isDue) await pace.rest();
    for (const segment of segments) if (segment.id === 'SDQ') count += storesOf(segment).length;
  }
  if (count > STORE_LINES_MAX) {
    const words = `The POs of all stores have ${count} lines together, but at most 100,000 are allowed`;
    meaning.add('TOO_MANY_LINES', { segment: shared.head }, words, {
      cure: 'Divide the order into several orders.',
    });
    return [];
  }
  const stores = new Map<string, Store>();
  for (const line of await linesOf(shared, loops)) spread(shared, line, stores);
  const drafts: Draft[] = [];
  for (const { code, qualifier, lines } of stores.values()) {
    const own = { ...number, value: orderOfStore(number.value, code.value) };
    const location = locationOfStore(meaning, profile, qualifier, code);
    if (!fits(meaning, { ...code, value: own.value }, `order of store ${code.value}`)) continue;
    const draft = { ...base, sellerId: location?.sellerId ?? profile.sellerId, number: own.value, numberPlace: number };
    drafts.push({ ...draft, message: await messageOf(shared, location, own, lines) });
  }
  if (loops.length === 0) {
    meaning.add('QUANTITY', { segment: shared.head }, 'No line of the order is left; void the order with purpose 01');
  }
  return drafts;
}

/**
 * Adds the units of a line to its stores. Adds QUANTITY if the sum over the stores differs from the quantity of the
 * line. Both are compared in pieces, because the unit of an SDQ (SDQ01) can differ from the unit of the line.
 */
function spread({ mapping, form }: Shared, line: PoLine, stores: Map<string, Store>): void {
  const { meaning } = mapping;
  const sdqs = line.segments.filter(({ id }) => id === 'SDQ');
  const place = line.places['shippedQuantity']!;
  if (sdqs.length === 0) {
    meaning.add('QUANTITY', place, 'The line has no SDQ, but others of the order have one');
    return;
  }
  let sum = new Big(0);
  for (const sdq of sdqs) {
    const pieces = piecesOfStores(mapping, line, sdq);
    if (line.pieces === undefined || pieces === undefined) return;
    for (const { code, units } of storesOf(sdq)) {
      sum = sum.plus(new Big(units.value).times(pieces));
      const quantity = quantityOf(meaning, units, pieces, units);
      const qualifier = sdq.elements[2] ?? '';
      const key = `${qualifier}\n${code.value}`;
      const store = stores.get(key) ?? { code, qualifier, lines: [] };
      store.lines.push({ ...line, quantity, places: { ...line.places, shippedQuantity: units } });
      stores.set(key, store);
    }
  }
  const sent = valueAt(line.line, form.fields.quantity);
  if (sent !== undefined && !sum.eq(new Big(sent.value).times(line.pieces!))) {
    const [stored, own] = [sum, new Big(sent.value).times(line.pieces!)].map((pieces) => pieces.toFixed());
    meaning.add('QUANTITY', sent, `The stores of SDQ get ${stored} pieces, the line has ${own}`);
  }
}

/**
 * Returns the number of pieces in one unit of an SDQ. An SDQ without a unit, or with the unit of its line, has the
 * number of the line. If the number is unknown, adds UNIT and returns undefined.
 */
function piecesOfStores({ meaning, profile }: Mapping, { line, segments, unit, pieces }: PoLine, sdq: Segment) {
  const own = valueAt(sdq, 1);
  if (own === undefined || own.value === unit) return pieces;
  const po4 = segments.find(({ id }) => id === 'PO4');
  return piecesOf(meaning, profile, own, { segment: line }, [valueAt(po4, 1), valueAt(po4, 14)]);
}
