/** The plan of a match: goods without papers move to the shipment that was announced late. */

import { stringifyJson } from '../../platform/message/json.ts';
import type { Settings } from '../../shared/client-settings.ts';
import { contentHash } from '../commands.ts';
import { type ActionOf, type CartonWork, type Entry, type Plan, rejected, type Subject } from './action.ts';
import { add, bookedChange, type Draft, draftKey, draftOf, hold } from './booking.ts';
import { expectedCarton } from './carton-states.ts';
import { completed, matchedFrom, matchedTo } from './events.ts';
import { reasonedUnits } from './reasons.ts';
import { blockedAction } from './rejections.ts';
import { allKeys, type Key, keyState, nameOf, type Shipment } from './shipment.ts';
import { arrived, type Booked, isSomething, negated, plus } from './sums.ts';

/** Whether an earlier match moved the goods to `target`. */
function isMatchedTo({ row }: Shipment, target: Shipment): boolean {
  return row.matched_to === JSON.stringify(nameOf(target.row));
}

export function planMatch(
  subject: Subject,
  { target, userId }: ActionOf<'match'>,
  settings: Settings,
  now: number,
): Plan {
  const { shipment: blind } = subject;
  if (isMatchedTo(blind, target)) return { outcome: 'repeat' };
  const blocked = blockedAction(blind.row, 'match') ?? blockedAction(target.row, 'match');
  if (blocked !== undefined) return rejected(blocked);
  const [leaving, coming] = [draftOf(blind), draftOf(target)];
  moveAll(leaving, coming, reasonedUnits(subject));
  hold(coming, settings.receiving.over);
  const [from, to] = [nameOf(blind.row), nameOf(target.row)];
  const fact = { kind: 'MATCH' as const, userId, at: now, hash: contentHash(to) };
  const how = { action: 'match' as const, cause: 'MATCH' };
  const came = bookedChange(
    coming,
    {
      ...how,
      fact: { ...fact, id: idOf(from), doc: { matched: from } },
      cartons: touchedOf(coming, subject.targetCartons),
    },
    now,
  );
  const left = bookedChange(
    leaving,
    { ...how, fact: { ...fact, id: idOf(to), doc: { matched: to } }, cartons: touchedOf(leaving, subject.cartons) },
    now,
  );
  const { row } = left.shipment;
  const closed = { ...row, status: 'CLOSED' as const, cartons_done: row.cartons, matched_to: stringifyJson(to) };
  const closing = { ...left, shipment: { ...left.shipment, row: closed } };
  if (came.booking.entries.length === 0) {
    // The announcement got no goods: it remains as it is, so that its supplier can still correct or void it.
    return { outcome: 'done', changes: [closing], events: [matchedTo(closed, target.row, came.booking)] };
  }
  return {
    outcome: 'done',
    // The goods are added to the target before they are removed from the source, so no place falls below zero in
    // between.
    changes: [came, closing],
    events: [
      matchedTo(closed, came.shipment.row, came.booking),
      matchedFrom(came.shipment.row, closed, came.booking),
      ...(came.isCompleted ? [completed(came.shipment.row)] : []),
    ],
  };
}

function idOf({ type, number, sellerId }: ReturnType<typeof nameOf>): string {
  return sellerId === '' ? `${type}/${number}` : `${type}/${sellerId}/${number}`;
}

/** Returns the cartons of the keys that a draft has touched. */
function touchedOf({ touched }: Draft, cartons: ReadonlyMap<string, CartonWork> = new Map()): CartonWork[] {
  const ids = new Set([...touched.values()].flatMap(({ cartonId }) => cartonId || []));
  return [...ids].map((id) => cartons.get(id) ?? expectedCarton(id));
}

/** Moves all goods of one shipment to the other shipment; each unit keeps its place and its reason. */
function moveAll(leaving: Draft, coming: Draft, reasoned: ReadonlyMap<string, ReadonlyMap<string, Booked>>): void {
  // Move goods in cartons first. Goods without a carton then fill the open units that remain of their item.
  const keys = [...allKeys(leaving)].sort((a, b) => Number(a.cartonId === '') - Number(b.cartonId === ''));
  for (const key of keys) {
    for (const [place, units] of byPlace(leaving, key)) {
      const entries = (of: Key, parts: ReturnType<typeof byReason>) =>
        parts.map((part) => ({ key: of, place, ...part }));
      const leave = byReason(units, new Map(reasoned.get(key.id)));
      const left = new Map(reasoned.get(key.id));
      for (const [target, share] of shares(coming, key, units)) add(coming, entries(target, byReason(share, left)));
      add(
        leaving,
        entries(key, leave).map((entry) => ({ ...entry, units: negated(entry.units) })),
      );
    }
  }
}

/**
 * Splits units by their reasons, and subtracts the parts from `left`, the remaining units of each reason. The part
 * without a reason comes first and has all good units.
 */
function byReason(units: Booked, left: Map<string, Booked>): { units: Booked; reason?: string }[] {
  const parts: { units: Booked; reason?: string }[] = [];
  let rest = units;
  for (const [reason, most] of left) {
    const part = {
      good: 0,
      damaged: Math.min(most.damaged, rest.damaged),
      refused: Math.min(most.refused, rest.refused),
      held: Math.min(most.held, rest.held),
    };
    left.set(reason, minus(most, part));
    rest = minus(rest, part);
    parts.push({ units: part, reason });
  }
  return [{ units: rest }, ...parts].filter((part) => isSomething(part.units));
}

const minus = (a: Booked, b: Booked) => plus(a, negated(b));

/** Returns the units of a key by place: the staged good units at STAGE, all other units at SHELF. */
function byPlace(draft: Draft, key: Key): [Entry['place'], Booked][] {
  const { staged, decided: _decided, ...units } = keyState(draft, key);
  const parts: [Entry['place'], Booked][] = [
    ['STAGE', { good: staged, damaged: 0, refused: 0, held: 0 }],
    ['SHELF', { ...units, good: units.good - staged }],
  ];
  return parts.filter(([, part]) => isSomething(part));
}

/**
 * Returns the keys of the target that get the units. In a PO, the key of the item gets them. In an ASN, units of a
 * carton get the key of that carton. Units without a carton fill the open keys of their item; the units that remain get
 * an unannounced key.
 */
function shares(to: Draft, key: Key, units: Booked): [Key, Booked][] {
  if (to.row.type === 'PO') return [[draftKey(to, '', key.itemId), units]];
  if (key.cartonId !== '') return [[draftKey(to, key.cartonId, key.itemId), units]];
  const found: [Key, Booked][] = [];
  let left = units;
  for (const one of to.announced.keys.values()) {
    if (one.itemId !== key.itemId) continue;
    const open = Math.max(0, one.announced - arrived(keyState(to, one)));
    const [part, rest] = split(left, open);
    if (isSomething(part)) found.push([one, part]);
    left = rest;
  }
  return isSomething(left) ? [...found, [draftKey(to, '', key.itemId), left]] : found;
}

/** Splits units into the first `most` units and the other units. */
function split(units: Booked, most: number): [Booked, Booked] {
  let left = most;
  const take = (quantity: number) => {
    const part = Math.min(left, quantity);
    left -= part;
    return part;
  };
  const part = {
    good: take(units.good),
    damaged: take(units.damaged),
    refused: take(units.refused),
    held: take(units.held),
  };
  return [part, minus(units, part)];
}
