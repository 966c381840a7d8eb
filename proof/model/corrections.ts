/**
 * Commands that correct receipts at the first node: lines that remove or add units, and receipts of whole cartons that
 * are undone.
 */
import fc from 'fast-check';
import { type Arrival, ofKinds } from './arrivals.ts';
import { type Command, often, type Rule, seldom } from './command.ts';
import { arrived, type Key, KINDS, type Kind, type Named, type Units } from './goods.ts';
import type { Model } from './model.ts';
import type { Line, Receipt } from './receipts.ts';
import { receiptRule, type Staged, spotOf, staged } from './receiving.ts';
import { arrivalOf, isOpen, meant, named, near } from './shipments.ts';

const signed = fc.constantFrom(-2, -1, -1, 0, 0, 0, 1, 2);
const delta = fc.record({ good: signed, damaged: signed, refused: signed, held: signed });

interface Told {
  /** Index among the known keys. With `isOther`, the line may name an item that is not in the carton. */
  at: number;
  isOther: boolean;
  units: Units;
  isStaged: Staged;
  isReasoned: boolean;
}

interface Correct extends Named {
  told: Told[];
  isUnannounced: boolean;
  near?: boolean;
  /** The lines of the request. */
  lines: Line[];
}

const correction = ({ lines, isUnannounced }: { lines: Line[]; isUnannounced?: boolean }): Receipt => ({
  lines,
  isCorrection: true,
  isUnannounced: isUnannounced === true,
  by: 'bob',
});

const isCorrectable = (one: Arrival) => isOpen(one) && one.told.length > 0;

/** Returns the command with its shipment; undefined if no shipment with a receipt fits. */
function corrected<C extends Named & { near?: boolean }>(model: Model, command: C): [C, Arrival] | undefined {
  const found = meant(model, command, isCorrectable);
  const arrival = found && arrivalOf(model, found);
  return found === undefined || arrival === undefined || arrival.told.length === 0 ? undefined : [found, arrival];
}

/** Limits the lines, so that they do not remove more units than their key has. */
function bounded(arrival: Arrival, lines: readonly Line[]): Line[] {
  const left = new Map<string, Units>();
  const nameOf = ({ carton, sku }: Line) => `${carton}/${sku}`;
  const keep = (line: Line, units: (kind: Kind, before: Units) => number) => {
    const key = arrival.find(line.carton, line.sku);
    const before = left.get(nameOf(line)) ?? ofKinds((kind) => key?.[kind] ?? 0);
    const kept = ofKinds((kind) => units(kind, before));
    left.set(
      nameOf(line),
      ofKinds((kind) => before[kind] + kept[kind]),
    );
    return kept;
  };
  for (const line of lines) keep(line, (kind) => Math.max(0, line.units[kind]));
  return lines.map((line) => {
    const back = keep(line, (kind, before) => -Math.min(Math.max(0, -line.units[kind]), before[kind]));
    return { ...line, units: ofKinds((kind) => Math.max(0, line.units[kind]) + back[kind]) };
  });
}

/** Removes and adds units of one key or several keys. A key can have several lines. */
const correctReceipt = receiptRule<Correct>(
  {
    weight: 5,
    members: fc.record({
      ...named,
      ...near,
      told: fc.array(fc.record({ at: fc.nat(3), isOther: seldom, units: delta, ...staged, isReasoned: fc.boolean() }), {
        minLength: 1,
        maxLength: 3,
        size: 'max',
      }),
      isUnannounced: seldom,
      lines: fc.constant<Line[]>([]),
    }),
    fit(model, command) {
      const [found, arrival] = corrected(model, command) ?? [];
      if (found === undefined || arrival === undefined) return undefined;
      const told = found.told.flatMap(({ at, isOther, units, isReasoned }): Line[] => {
        const key = arrival.keys[at % arrival.keys.length];
        if (key === undefined) return [];
        return [{ carton: key.carton, sku: isOther ? (key.sku + 1) % 3 : key.sku, units, isReasoned }];
      });
      const lines = (found.near === true ? bounded(arrival, told) : told)
        .map((line, index): Line => ({ ...line, ...spotOf(found.told[index]!.isStaged, line.units.good !== 0) }))
        .filter(({ units }) => KINDS.some((kind) => units[kind] !== 0));
      return lines.length === 0 ? undefined : { ...found, told: [], lines };
    },
  },
  correction,
);

interface TakeBack extends Named {
  carton: number;
  /** True if the good units of a key are sent in a separate line. */
  isSplit: boolean;
  /** True if the last line is left out, so that its units remain booked. */
  isShort: boolean;
  near?: boolean;
  lines: Line[];
}

/**
 * Undoes the receipts of a whole carton. The carton is expected again, and can be scanned or counted as before the
 * receipts.
 */
const takeBack = receiptRule<TakeBack>(
  {
    weight: 4,
    members: fc.record({
      ...named,
      carton: fc.nat(2),
      isSplit: fc.boolean(),
      isShort: seldom,
      near: often,
      lines: fc.constant<Line[]>([]),
    }),
    fit(model, command) {
      const [found, arrival] = corrected(model, command) ?? [];
      if (found === undefined || arrival === undefined) return undefined;
      const cartons = [...new Set(arrival.keys.filter((key) => arrived(key) > 0).map(({ carton }) => carton))];
      const id = cartons[found.carton % Math.max(1, cartons.length)];
      const keys = id === undefined ? [] : arrival.ofCarton(id).filter((key) => arrived(key) > 0);
      const lines = keys.flatMap((key) => backOf(key, found.isSplit));
      const short = found.isShort ? lines.slice(0, -1) : lines;
      return short.length === 0 ? undefined : { ...found, lines: short };
    },
  },
  correction,
);

/** Returns lines that reduce every sum of a key to 0. */
function backOf(key: Key, isSplit: boolean): Line[] {
  const good = ofKinds((kind) => (kind === 'good' ? -key.good : 0));
  const others = ofKinds((kind) => (kind === 'good' ? 0 : -key[kind]));
  const all = isSplit ? [good, others] : [ofKinds((kind) => -key[kind])];
  return all
    .filter((units) => KINDS.some((kind) => units[kind] < 0))
    .map((units) => ({ carton: key.carton, sku: key.sku, units }));
}

export const corrections: Record<string, Rule<Command>> = { correctReceipt, takeBack };
