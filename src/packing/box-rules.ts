/**
 * Checks a package message against the lines and the recorded packages of the order (docs/interface.md#packages). The
 * check is a pure function: it collects every error and returns the changed packages.
 */

import { type Box, type BoxItem, MEASURES, type MeasureName, unitsByLine } from '../kernel/boxes.ts';
import { decimalText, type Numeric, numeric } from '../platform/decimal.ts';
import { findUnit, type Measure, type UnitKind } from '../platform/measures.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import { didYouMean } from '../platform/message/nearest.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import { listed, quote } from '../platform/message/words.ts';
import type { Settings } from '../shared/client-settings.ts';
import { PACKAGES_MAX } from '../shared/limits.ts';
import type { PackageChange, PackageUpdate } from './package-schema.ts';
import { say } from './sentences.ts';

/** A line of the order, with the data that packing needs. */
interface PackLine {
  lineIndex: number;
  webLineId: string;
  itemId: string;
  /** Units for the customer that are still in the store. */
  wanted: number;
  /** Whether the item must have its own package. */
  shipsAlone: boolean;
}

export interface PackedOrder {
  omsOrderId: string;
  lines: readonly PackLine[];
  /** The recorded packages, voided ones included. */
  boxes: readonly Box[];
  /** Whether the state of the order allows changes of packages. Otherwise only a retry of the same message succeeds. */
  isOpen: boolean;
}

/** The change of one package. */
export interface BoxChange {
  action: PackageChange['action'];
  /** The package after the change. `index` is undefined for a new package. */
  box: Omit<Box, 'index'> & { index: number | undefined };
}

type Message = ValidPart<PackageUpdate['packDetails']>;
type Sent = ValidPart<PackageChange>;
type Units = Pick<Settings, 'weightUnits' | 'sizeUnits'>;

const ORDER = '/packDetails';
const PACKAGES = `${ORDER}/packages`;
const SHOWN_IDS = 20;
const named = (ids: readonly string[]) => listed(ids.map(quote), SHOWN_IDS);

/** Checks a message and returns its changes in order. A package that already has the sent content does not change. */
export function assess(message: Message, order: PackedOrder, units: Units, errors: FieldErrors): BoxChange[] {
  if (message.omsOrderId !== undefined && message.omsOrderId !== order.omsOrderId) {
    const message = say(
      "'omsOrderId' does not match this order; send the value from the pack details, or leave it out",
    );
    errors.add(`${ORDER}/omsOrderId`, 'mismatch', message);
  }
  const known = new Map(order.boxes.map((box) => [box.boxId, box]));
  const seen = new Set<string>();
  const changes: BoxChange[] = [];
  const uncertain = new Set<string>();
  for (const [index, sent] of (message.packages ?? []).entries()) {
    const at = `${PACKAGES}/${index}`;
    if (sent === undefined) continue;
    const { boxId } = sent;
    if (boxId !== undefined && seen.has(boxId)) {
      errors.add(
        `${at}/boxId`,
        'duplicate',
        say('box {boxId} is in the message twice; send it once', { boxId: quote(boxId) }),
      );
      continue;
    }
    if (boxId !== undefined) seen.add(boxId);
    const before = errors.count;
    const found = boxId === undefined ? undefined : known.get(boxId);
    const change = parse(sent, found, order, units, at, errors);
    if (errors.count > before || change === undefined) {
      if (boxId !== undefined) uncertain.add(boxId);
    } else if (!isAsRecorded(change, found)) {
      changes.push(change);
      if (order.isOpen) checkAlone(change, order, `${at}/packageItems`, errors);
    }
  }
  if (order.isOpen) checkSums(message, order, changes, uncertain, errors);
  return changes;
}

/**
 * Reads one package of the message. Returns undefined if its action or boxId is unreadable, or if MODIFY or VOID names
 * a package that is not recorded.
 */
function parse(
  sent: Sent,
  found: Box | undefined,
  order: PackedOrder,
  units: Units,
  at: string,
  errors: FieldErrors,
): BoxChange | undefined {
  const { action, boxId } = sent;
  const recorded = found !== undefined && found.items.length > 0 ? found : undefined;
  const parts = action === 'VOID' ? undefined : readParts(sent, recorded, order, units, at, errors);
  if (action === 'CREATE') requireAll(sent, at, errors);
  if (action === undefined || boxId === undefined) return undefined;
  if (sent.packageId !== undefined && recorded !== undefined && sent.packageId !== recorded.packageId) {
    errors.add(
      `${at}/packageId`,
      'mismatch',
      say("'packageId' does not match box {boxId}; leave it out", { boxId: quote(boxId) }),
    );
  }
  if (action === 'VOID' && found !== undefined) return { action, box: { ...found, trackingNumber: null, items: [] } };
  if (action !== 'CREATE' && recorded === undefined && order.isOpen) {
    const ids = named(order.boxes.filter((box) => box.items.length > 0).map((box) => box.boxId));
    const message =
      ids === ''
        ? say('no package is recorded yet; send the action CREATE')
        : say('the packages of the order are in the boxes {ids}', { ids });
    errors.add(
      `${at}/boxId`,
      'unknown',
      say('the order has no package in box {boxId}; {message}', { boxId: quote(boxId), message }),
    );
    return undefined;
  }
  const base = action === 'MODIFY' ? recorded : undefined;
  const box = {
    index: found?.index,
    packageId: recorded?.packageId ?? '',
    boxId,
    // The number may have followed after the CREATE whose retry this is.
    trackingNumber: sent.trackingNumber || (recorded?.trackingNumber ?? null),
    measures: { ...base?.measures, ...parts?.measures } as Box['measures'],
    items: parts?.items ?? base?.items ?? [],
  };
  if (action === 'CREATE' && recorded !== undefined && order.isOpen && isWhole(box) && !isSameBox(box, recorded)) {
    const message = say('send the action MODIFY to change the box, or use another boxId');
    errors.add(
      `${at}/boxId`,
      'duplicate',
      say('box {boxId} is already recorded with other content; {message}', { boxId: quote(boxId), message }),
    );
  }
  return { action, box };
}

/**
 * Whether the package has every measure. A measure is missing if it has an error, or if MODIFY names an unrecorded
 * package.
 */
function isWhole({ measures }: Pick<Box, 'measures'>): boolean {
  return MEASURES.every((name) => Object.hasOwn(measures, name));
}

/**
 * Adds an error for each missing field of a CREATE. CREATE requires every measure and the items; a later message can
 * add the tracking number.
 */
function requireAll(sent: Sent, at: string, errors: FieldErrors): void {
  for (const member of [...MEASURES, 'packageItems'] as const) {
    if (sent[member] !== undefined || errors.isBad(`${at}/${member}`)) continue;
    errors.add(
      `${at}/${member}`,
      'required',
      say("'{field}' is missing; the action CREATE needs it", { field: member }),
    );
  }
}

interface Parts {
  measures: Partial<Record<MeasureName, Measure>>;
  items: BoxItem[] | undefined;
}

/**
 * Returns the unit of measure to store: in the spelling of the client's list, or as sent if it is a synonym of a unit
 * on the list. Undefined for other units.
 */
function namedAs(unit: string, known: readonly string[], kind: UnitKind): string | undefined {
  const listed = known.find((one) => one.toLowerCase() === unit.toLowerCase());
  if (listed !== undefined) return listed;
  const meant = findUnit(kind, unit);
  return meant !== undefined && known.some((one) => findUnit(kind, one)?.symbol === meant.symbol) ? unit : undefined;
}

/**
 * Returns the unit of a recorded measure if the message sends the same measure again. The list of the client may have
 * changed since.
 */
function recordedUnit({ unit, value }: ValidPart<Measure>, recorded: Measure | undefined): string | undefined {
  if (recorded === undefined || value === undefined || unit?.toLowerCase() !== recorded.unit.toLowerCase())
    return undefined;
  return decimalText(plain(value)) === decimalText(recorded.value) ? recorded.unit : undefined;
}

function readParts(
  sent: Sent,
  recorded: Box | undefined,
  order: PackedOrder,
  units: Units,
  at: string,
  errors: FieldErrors,
): Parts {
  const measures: Parts['measures'] = {};
  for (const name of MEASURES) {
    const { unit, value } = sent[name] ?? {};
    if (unit === undefined) continue;
    const before = recordedUnit({ unit, value }, recorded?.measures[name]);
    const isWeight = name === 'boxWeight' || name === 'packingMaterialWeight';
    const known = isWeight ? units.weightUnits : units.sizeUnits;
    const written = before ?? namedAs(unit, known, isWeight ? 'weight' : 'length');
    if (written === undefined) {
      errors.add(
        `${at}/${name}/unit`,
        'enum',
        say("'unit' of {name} must be one of {known}, or an alias of one of them{didYouMean}", {
          name,
          known: known.join(', '),
          didYouMean: didYouMean(unit, known),
        }),
        known,
      );
    } else if (value !== undefined) {
      measures[name] = { unit: written, value: plain(value) };
    }
  }
  const items = sent.packageItems && readItems(sent.packageItems, order, `${at}/packageItems`, errors);
  return { measures, items };
}

function plain(value: Numeric): Numeric {
  return numeric(decimalText(value));
}

function readItems(
  sent: NonNullable<Sent['packageItems']>,
  order: PackedOrder,
  at: string,
  errors: FieldErrors,
): BoxItem[] {
  const lines = new Map(order.lines.map((line) => [line.webLineId, line]));
  const seen = new Set<string>();
  const items: BoxItem[] = [];
  for (const [index, one] of sent.entries()) {
    const { webLineId } = one ?? {};
    if (one === undefined || webLineId === undefined) continue;
    const line = lines.get(webLineId);
    if (line === undefined) {
      const message = say('the order has no line {webLineId}; send one of its lines: {list}', {
        webLineId: quote(webLineId),
        list: named([...lines.keys()]),
      });
      errors.add(`${at}/${index}/webLineId`, 'unknown', message);
      continue;
    }
    if (seen.has(webLineId)) {
      const message = say('line {webLineId} is in this package twice; send it once with all its units', {
        webLineId: quote(webLineId),
      });
      errors.add(`${at}/${index}/webLineId`, 'duplicate', message);
      continue;
    }
    seen.add(webLineId);
    if (one.itemId !== undefined && one.itemId !== line.itemId) {
      const message = say("'itemId' does not match line {webLineId}; send {itemId}", {
        webLineId: quote(webLineId),
        itemId: quote(line.itemId),
      });
      errors.add(`${at}/${index}/itemId`, 'mismatch', message);
    }
    if (one.quantity === undefined) continue;
    items.push({
      lineIndex: line.lineIndex,
      quantity: one.quantity,
      instructions: (one.instructions as BoxItem['instructions'] | undefined) ?? null,
      customAttributes: (one.customAttributes as BoxItem['customAttributes'] | undefined) ?? null,
    });
  }
  return items.sort((a, b) => a.lineIndex - b.lineIndex);
}

/** Adds an error if an item that ships alone shares its package with another item. */
function checkAlone({ box }: BoxChange, order: PackedOrder, at: string, errors: FieldErrors): void {
  const lines = new Map(order.lines.map((line) => [line.lineIndex, line]));
  const inside = box.items.map((item) => lines.get(item.lineIndex)!);
  const alone = inside.find((line) => line.shipsAlone);
  if (alone === undefined || inside.every((line) => line.itemId === alone.itemId)) return;
  const others = named(inside.filter((line) => line.itemId !== alone.itemId).map((line) => line.webLineId));
  const message = say(
    'item {itemId} of line {webLineId} ships alone (shipAlone), but box {boxId} also holds the lines {others}; put them into another box',
    { itemId: quote(alone.itemId), webLineId: quote(alone.webLineId), boxId: quote(box.boxId), others },
  );
  errors.add(at, 'shipAlone', message);
}

/** Adds errors if the message would leave more units of a line in packages than wanted, or too many packages. */
function checkSums(
  message: Message,
  order: PackedOrder,
  changes: readonly BoxChange[],
  uncertain: ReadonlySet<string>,
  errors: FieldErrors,
): void {
  const changed = new Map(changes.map(({ box }) => [box.boxId, box]));
  const untouched = order.boxes.filter((box) => !changed.has(box.boxId) && !uncertain.has(box.boxId));
  const after = [...untouched, ...changed.values()].filter((box) => box.items.length > 0);
  if (after.length > PACKAGES_MAX) {
    const sentence = say(
      'the order would have {count} packages, but an order can have at most {packagesMax}; use fewer boxes',
      { count: after.length, packagesMax: PACKAGES_MAX },
    );
    errors.add(PACKAGES, 'maxPackages', sentence, PACKAGES_MAX);
  }
  const packed = unitsByLine(after);
  for (const line of order.lines) {
    const units = packed.get(line.lineIndex) ?? 0;
    if (units <= line.wanted) continue;
    const place = lastPlaceOf(message, line.webLineId);
    if (place === undefined) continue;
    const name = say('line {webLineId}', { webLineId: quote(line.webLineId) });
    const sentence = say(
      '{units} {units|unit|units} of {name} would be in packages, but only {wanted} {wanted|is|are} to be packed; lower the quantity',
      { units, name, wanted: line.wanted },
    );
    errors.add(place, 'over-pack', sentence, line.wanted);
  }
}

function lastPlaceOf(message: Message, webLineId: string): string | undefined {
  const places = (message.packages ?? []).flatMap((one, index) =>
    one?.action === 'VOID'
      ? []
      : (one?.packageItems ?? []).flatMap((item, at) =>
          item?.webLineId === webLineId ? [`${PACKAGES}/${index}/packageItems/${at}/quantity`] : [],
        ),
  );
  return places.at(-1);
}

function isAsRecorded({ action, box }: BoxChange, found: Box | undefined): boolean {
  if (found === undefined) return false;
  if (action === 'VOID') return found.items.length === 0;
  return found.items.length > 0 && isWhole(box) && isSameBox(box, found);
}

function isSameBox(a: Pick<Box, 'trackingNumber' | 'measures' | 'items'>, b: typeof a): boolean {
  return contentOf(a) === contentOf(b);
}

function contentOf({ trackingNumber, measures, items }: Pick<Box, 'trackingNumber' | 'measures' | 'items'>): string {
  const sizes = MEASURES.map((name) => [measures[name].unit, decimalText(measures[name].value)]);
  return JSON.stringify([trackingNumber, sizes, items.map((item) => [item.lineIndex, item.quantity, extrasOf(item)])]);
}

function extrasOf({ instructions, customAttributes }: BoxItem): unknown[] {
  return [
    (instructions ?? []).map(({ type, text }) => [type, text]),
    (customAttributes ?? []).map(({ key, value }) => [key, value]),
  ];
}
