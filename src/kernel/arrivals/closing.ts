/**
 * The plan of a close: open units become short, and the statement lists the arrived units and the reasons for
 * differences.
 */
import { badRequest, Refusal } from '../../platform/http/errors.ts';
import { FIELD_ERRORS_MAX, type FieldError, fieldError } from '../../platform/message/field-errors.ts';
import { sequence } from '../../platform/message/sentence.ts';
import type { InboundEntryRow } from '../../platform/storage/tables.ts';
import { formatDateTime } from '../../platform/time.ts';
import type { Settings } from '../../shared/client-settings.ts';
import { type ActionOf, type Plan, rejected, type Statement, type Subject, withColumns } from './action.ts';
import { closed } from './events.ts';
import { reasonedUnits } from './reasons.ts';
import { rejectionOf } from './rejections.ts';
import { say } from './sentences.ts';
import { allKeys, type Key, keyId, keyState, type Shipment, showKey, sumsOfKey } from './shipment.ts';
import { stateAfter } from './states.ts';
import { added, NO_SUMS, type Sums, sumsOf, toleranceOf } from './sums.ts';

type Close = ActionOf<'close'>;

export function planClose(subject: Subject, action: Close, settings: Settings, now: number): Plan {
  const { shipment } = subject;
  const booked = reasonsOf(subject);
  const unknown = unknownPlaces(shipment, action.reasons);
  const rejection = lacksReasons(subject, settings, booked, action.reasons, unknown) ?? hasHeld(shipment);
  if (rejection !== undefined) return rejected(rejection);
  const { row } = shipment;
  const after = withColumns(shipment, {
    status: stateAfter(row.status, 'close'),
    open_units: 0,
    cartons_done: row.cartons,
    statements: row.statements + 1,
  });
  const doc = statementOf({ ...subject, shipment: after }, action, booked, now);
  return {
    outcome: 'done',
    changes: [{ shipment: after, write: 'update', statement: { hash: action.hash, doc } }],
    events: [closed(after.row, doc)],
  };
}

/**
 * The reasons in the entries of a key, without the reasons of corrected units. `damaged` is the number of damaged units
 * that have a reason.
 */
interface BookedReasons {
  reasons: Set<string>;
  damaged: number;
}

function reasonsOf(subject: Subject): Map<string, BookedReasons> {
  const reasoned = reasonedUnits(subject);
  const booked = new Map<string, BookedReasons>();
  for (const [id, own] of Map.groupBy(subject.entries ?? [], (entry) => keyId(entry.carton_id, entry.item_id))) {
    const units = reasoned.get(id)!;
    // A correction that removes good units keeps its reason here, because this reason explains the missing units.
    const isLeft = ({ reason, good }: InboundEntryRow) => good < 0 || units.has(reason!);
    booked.set(id, {
      reasons: new Set(own.filter(isLeft).flatMap(({ reason }) => reason ?? [])),
      damaged: [...units.values()].reduce((sum, { damaged }) => sum + damaged, 0),
    });
  }
  return booked;
}

/** Returns the reasons of the close that apply to a key. */
function reasonsFor({ cartonId, itemId }: Key, reasons: Close['reasons']): string[] {
  return reasons
    .filter((one) => (one.cartonId ?? cartonId) === cartonId && (one.itemId ?? itemId) === itemId)
    .map(({ reason }) => reason);
}

/**
 * Returns an error for each reason whose carton or item is not in the shipment. Such a reason is in no line of the
 * statement, so without the error, the reason for a misspelled item would be lost.
 */
function unknownPlaces(shipment: Shipment, reasons: Close['reasons']): FieldError[] {
  const [cartons, items, keys] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { cartonId, itemId, id } of allKeys(shipment)) {
    cartons.add(cartonId);
    items.add(itemId);
    keys.add(id);
  }
  return reasons.flatMap(({ cartonId, itemId }, index) => {
    if (cartonId !== undefined && !cartons.has(cartonId)) {
      const message = say('the shipment has no carton {cartonId}; send one of its cartons', {
        cartonId: JSON.stringify(cartonId),
      });
      return [fieldError(`/reasons/${index}/cartonId`, 'exists', message)];
    }
    if (itemId === undefined || (cartonId === undefined ? items.has(itemId) : keys.has(keyId(cartonId, itemId))))
      return [];
    const message =
      cartonId === undefined
        ? say('the shipment has no item {itemId}; send one of its items', { itemId: JSON.stringify(itemId) })
        : say('carton {cartonId} has no item {itemId}; send one of its items', {
            cartonId: JSON.stringify(cartonId),
            itemId: JSON.stringify(itemId),
          });
    return [fieldError(`/reasons/${index}/itemId`, 'exists', message)];
  });
}

/** Returns how many of the `short` units of a key arrived with the ASNs of the purchase order. */
function broughtOf(brought: Subject['brought'], { itemId }: Key, short: number): number {
  return Math.min(short, brought?.get(itemId) ?? 0);
}

/**
 * Returns the units of a key that need a reason. Goods without papers need a reason only for damage, because a match
 * compares their quantities later. Units of a PO that its ASNs brought are not missing.
 */
function needOf(
  { shipment, brought }: Subject,
  key: Key,
  { receiving }: Settings,
  booked: BookedReasons | undefined,
): Partial<Record<'short' | 'over' | 'damaged', number>> {
  const { short: open, over, damaged } = sumsOf(key.announced, keyState(shipment, key), 'CLOSED');
  const short = open - broughtOf(brought, key, open);
  const isJudged = shipment.row.type !== 'BLIND';
  return {
    ...(isJudged && short > toleranceOf(key.announced, receiving.short) && { short }),
    ...(isJudged && over > toleranceOf(key.announced, receiving.over) && { over }),
    ...(damaged > (booked?.damaged ?? 0) && { damaged }),
  };
}

/**
 * Returns the 400 REASON_NEEDED if keys lack a reason. It lists these keys and the errors in `unknown`. If no key lacks
 * a reason, returns the 400 with the errors in `unknown`, or undefined if there are none.
 */
function lacksReasons(
  subject: Subject,
  settings: Settings,
  booked: ReadonlyMap<string, BookedReasons>,
  reasons: Close['reasons'],
  unknown: readonly FieldError[],
): Refusal | undefined {
  const needed = [...allKeys(subject.shipment)].flatMap((key) => {
    const need = needOf(subject, key, settings, booked.get(key.id));
    return Object.keys(need).length === 0 || reasonsFor(key, reasons).length > 0 ? [] : [{ ...showKey(key), ...need }];
  });
  if (needed.length === 0) return unknown.length === 0 ? undefined : badRequest(unknown);
  const lacking = needed.slice(0, FIELD_ERRORS_MAX).map(({ cartonId, itemId, short, over, damaged }) => {
    const units = [
      ...(short ? [say('{short} {short|unit|units} too few', { short })] : []),
      ...(over ? [say('{over} {over|unit|units} too many', { over })] : []),
      ...(damaged ? [say('{damaged} damaged {damaged|unit|units}', { damaged })] : []),
    ];
    const where = cartonId === undefined ? '' : say(' of carton {cartonId}', { cartonId: JSON.stringify(cartonId) });
    const message = say('item {itemId}{where} has {units}; add a reason to `reasons`', {
      itemId,
      where,
      units: sequence(units, ', '),
    });
    return fieldError('/reasons', 'REASON_NEEDED', message);
  });
  const { message } = lacking[0]!;
  const errors = [...unknown, ...lacking].slice(0, FIELD_ERRORS_MAX);
  const total = unknown.length + needed.length;
  const words =
    needed.length === 1
      ? say('One line needs a reason: {message}.', { message })
      : say('{count} lines need a reason, for example: {message}.', { count: needed.length, message });
  return new Refusal(400, 'VALIDATION', 'REASON_NEEDED', words, { errors, total, extra: { needed } });
}

/** Returns the 409 APPROVAL_NEEDED with every key that has held units; undefined if there is no such key. */
function hasHeld(shipment: Shipment): Refusal | undefined {
  const held = [...allKeys(shipment)].flatMap((key) => {
    const units = keyState(shipment, key).held;
    return units === 0 ? [] : [{ ...showKey(key), held: units }];
  });
  if (held.length === 0) return undefined;
  const units = held.reduce((sum, one) => sum + one.held, 0);
  const description = say(
    '{units} {units|unit is|units are} held and not decided, for example of item {itemId}; approve them as `good`, `damaged` or `refused`, then close.',
    { units, itemId: held[0]!.itemId },
  );
  return rejectionOf({ code: 'APPROVAL_NEEDED', description, extra: { held } });
}

/** Returns the statement of a closed shipment: the units of each key, and the reasons for differences. */
function statementOf(
  { shipment, brought }: Subject,
  { id, userId, reasons }: Close,
  booked: ReadonlyMap<string, BookedReasons>,
  now: number,
): Statement {
  let totals: Sums = NO_SUMS;
  const lines = [...allKeys(shipment)].map((key) => {
    const sums = sumsOfKey(shipment, key);
    totals = added(totals, sums);
    const { open: _open, ...shown } = sums;
    // Units that arrived as announced need no reason.
    const isPlain = sums.good === key.announced && sums.over === 0 && sums.damaged === 0;
    const own = isPlain ? [] : [...(booked.get(key.id)?.reasons ?? []), ...reasonsFor(key, reasons)];
    const broughtByAsns = broughtOf(brought, key, sums.short);
    return { ...showKey(key), ...shown, reasons: [...new Set(own)], ...(broughtByAsns > 0 && { broughtByAsns }) };
  });
  return { version: shipment.row.statements, closeId: id, userId, closedAt: formatDateTime(now), lines, totals };
}
