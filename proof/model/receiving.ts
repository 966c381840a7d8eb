/**
 * Commands that receive goods at the first node: whole cartons, counted units, several of both, and goods of purchase
 * orders.
 */
import fc from 'fast-check';
import { type Command, often, type Rule, rule, seldom } from './command.ts';
import type { Named, Spot, Units } from './goods.ts';
import type { Model } from './model.ts';
import { expectReceipt, type Line, type Receipt, type ReceiptShown, sendReceipt, shownReceipt } from './receipts.ts';
import { arrivalOf, asns, isOpen, meant, near, SHARED, stateAndSums } from './shipments.ts';

const sku = { sku: fc.nat(2) };
/** The user who sends the receipt. */
export const by = { by: fc.constantFrom('ann', 'ann', 'bob') };
/**
 * Index of a carton in a shipment. Index 2 is not announced; index 3 may be announced by several shipments. With
 * `isOther`, the carton belongs to the other shipment.
 */
const cartons = { carton: fc.constantFrom(0, 0, 1, 1, 2, 3), isOther: seldom };

interface OfCarton {
  carton: number;
  isOther: boolean;
}

const cartonOf = (asn: number, { carton, isOther }: OfCarton) =>
  carton === 3 ? SHARED : `A${isOther ? 1 - asn : asn}C${carton}`;
/** The place of good units in a line: true for STAGE, false for no place, or the named place. */
export type Staged = boolean | Spot;
export const staged = { isStaged: fc.constantFrom<Staged>(false, false, false, false, true, 'SHELF') };
export const spotOf = (isStaged: Staged, hasGood: boolean): { to?: Spot } =>
  isStaged === false || !hasGood ? {} : { to: isStaged === true ? 'STAGE' : isStaged };

/** Returns a command that sends a receipt. */
export function receiptRule<C extends Named>(
  rest: Pick<Rule<C, ReceiptShown>, 'weight' | 'members' | 'fit'>,
  receiptOf: (command: C) => Receipt,
  namedOf: (command: C) => Named = (command) => command,
): Rule<Command> {
  return rule<C, ReceiptShown>({
    ...rest,
    send: (world, command) => sendReceipt(world, namedOf(command), receiptOf(command)),
    expect: (model, command) => expectReceipt(model, namedOf(command), receiptOf(command)),
    shows: shownReceipt,
  });
}

interface ScanCarton extends OfCarton, Named {
  as: string;
  isUnannounced: boolean;
  near?: boolean;
  by?: string;
}

const as = { as: fc.constantFrom('GOOD', 'GOOD', 'GOOD', 'DAMAGED', 'REFUSED', 'HELD') };

const scanCarton = receiptRule<ScanCarton>(
  {
    weight: 5,
    members: fc.record({ ...asns, ...cartons, ...near, ...by, ...as, isUnannounced: seldom }),
    fit: (model, command) => meant(model, command, isOpen),
  },
  ({ asn, as, isUnannounced, by = 'ann', ...one }) => ({
    cartons: [{ carton: cartonOf(asn, one), as }],
    isUnannounced,
    by,
  }),
);

interface Counted {
  sku: number;
  units: Units;
  isStaged: Staged;
}

interface CountPieces extends OfCarton, Named, Counted {
  isUnannounced: boolean;
  /** True to replace `sku` by an item of the carton, if the carton has items. */
  fits: boolean;
  near?: boolean;
  by?: string;
}

export const amount = fc.record({
  good: fc.constantFrom(0, 1, 1, 2, 3),
  damaged: fc.constantFrom(0, 0, 1),
  refused: fc.constantFrom(0, 0, 1),
  held: fc.constantFrom(0, 0, 0, 1),
});

const lineOf = (carton: string, { sku, units, isStaged }: Counted): Line => ({
  carton,
  sku,
  units,
  isReasoned: true,
  ...spotOf(isStaged, units.good > 0),
});

const countPieces = receiptRule<CountPieces>(
  {
    weight: 5,
    members: fc.record({
      ...asns,
      ...cartons,
      ...sku,
      ...near,
      ...by,
      units: amount,
      ...staged,
      isUnannounced: seldom,
      fits: often,
    }),
    fit(model, command) {
      const found = meant(model, command, isOpen);
      if (found === undefined) return undefined;
      const own = arrivalOf(model, found)?.ofCarton(cartonOf(found.asn, found))[0];
      return found.fits && own !== undefined ? { ...found, sku: own.sku } : found;
    },
  },
  ({ asn, isUnannounced, by = 'ann', ...one }) => ({ lines: [lineOf(cartonOf(asn, one), one)], isUnannounced, by }),
);

interface ReceiveSeveral extends Named {
  cartons: (OfCarton & { as: string; isStaged: Staged })[];
  /** A `carton` of null means no carton. */
  lines: (Counted & { isOther: boolean; carton: number | null; fits: boolean })[];
  isUnannounced: boolean;
  near?: boolean;
  by?: string;
}

/**
 * Receives cartons and lines in one receipt, which the service accepts or rejects as a whole. Some receipts name a
 * carton or a key more than once.
 */
const receiveSeveral = receiptRule<ReceiveSeveral>(
  {
    weight: 6,
    members: fc.record({
      ...asns,
      ...near,
      ...by,
      of: fc.constantFrom('ASN' as const, 'ASN' as const, 'ASN' as const, 'BLIND' as const, 'PO' as const),
      cartons: fc.array(fc.record({ ...cartons, ...as, ...staged }), { maxLength: 2 }),
      lines: fc.array(
        fc.record({
          ...sku,
          carton: fc.constantFrom(null, 0, 0, 1, 1, 2, 3),
          isOther: seldom,
          units: amount,
          ...staged,
          fits: often,
        }),
        { maxLength: 3, size: 'max' },
      ),
      isUnannounced: fc.boolean(),
    }),
    fit(model, command) {
      const found = meant(model, command, isOpen);
      return found === undefined || command.near !== true ? found : fitting(model, found);
    },
  },
  ({ asn, isUnannounced, by = 'ann', ...several }) => ({
    cartons: several.cartons.map((one) => ({
      carton: cartonOf(asn, one),
      as: one.as,
      ...spotOf(one.isStaged, one.as === 'GOOD'),
    })),
    lines: several.lines.map((line) =>
      lineOf(line.carton === null ? '' : cartonOf(asn, { ...line, carton: line.carton }), line),
    ),
    isUnannounced,
    by,
  }),
);

/**
 * Returns the command without invalid parts: empty lines, duplicate cartons, cartons that cannot be scanned, lines of
 * scanned cartons, and cartons of a purchase order. Lines with `fits` get an announced item of their carton. Lines of a
 * purchase order remain without a carton. Returns undefined if no carton and no line remains.
 */
function fitting(model: Model, command: ReceiveSeveral): ReceiveSeveral | undefined {
  const { asn, of = 'ASN' } = command;
  const arrival = arrivalOf(model, command);
  const names = command.cartons.map((one) => cartonOf(asn, one));
  const isFree = (id: string) => arrival?.takenBy(id, model.now) === undefined;
  const cartons = command.cartons.filter((_, index) => names.indexOf(names[index]!) === index && isFree(names[index]!));
  const taken = cartons.map((one) => cartonOf(asn, one));
  const lines = command.lines
    .filter(({ units }) => units.good + units.damaged + units.refused + units.held > 0)
    .map((line) => (of === 'PO' ? { ...line, carton: null } : line))
    .map((line) => {
      const carton = line.carton === null ? '' : cartonOf(asn, { ...line, carton: line.carton });
      const own = arrival?.ofCarton(carton) ?? [];
      return line.fits && own.length > 0 ? { ...line, sku: own[line.sku % own.length]!.sku } : line;
    })
    .filter((line) => line.carton === null || !taken.includes(cartonOf(asn, { ...line, carton: line.carton })));
  const fit = { ...command, cartons: of === 'PO' ? [] : cartons, lines };
  return fit.cartons.length + lines.length === 0 ? undefined : fit;
}

interface ReceivePo extends Named, Counted {
  isUnannounced: boolean;
  /** True if the receipt has a carton, although a purchase order has no cartons. */
  hasCarton: boolean;
  fits: boolean;
  near?: boolean;
  by?: string;
}

/**
 * Receives goods of a purchase order without an ASN. If an ASN of the order is open, the receipt must mark the goods as
 * unannounced.
 */
const receivePo = receiptRule<ReceivePo>(
  {
    weight: 5,
    members: fc.record({
      asn: fc.nat(1),
      ...sku,
      ...near,
      ...by,
      units: amount,
      ...staged,
      isUnannounced: fc.boolean(),
      hasCarton: fc.constantFrom(false, false, false, false, false, false, false, true),
      fits: often,
    }),
    fit(model, command) {
      const found = meant(model, { ...command, of: 'PO' as const }, isOpen);
      const keys = found && arrivalOf(model, found)?.keys;
      if (found === undefined || !found.fits || keys === undefined) return found;
      return { ...found, sku: keys[found.sku % keys.length]!.sku };
    },
  },
  ({ hasCarton, isUnannounced, by = 'ann', ...line }) => ({
    lines: [lineOf(hasCarton ? 'A0C0' : '', line)],
    isUnannounced,
    by,
  }),
  (command) => ({ ...command, of: 'PO' }),
);

/** Sends the last receipt again, as another device would. */
const repeatReceipt = rule<object, ReceiptShown>({
  weight: 1,
  members: fc.constant({}),
  fit: ({ lastReceipt }, command) => (lastReceipt === undefined ? undefined : command),
  send: (world) => world.call('POST', world.lastReceipt!.path, world.lastReceipt!.body),
  expect(model) {
    // Another seller may have used the number of the shipment in the meantime, but the id of the receipt is still
    // known.
    const { name, brought } = model.lastReceipt!;
    const arrival = model.arrivals.get(name)!;
    return { status: 200, shows: [...stateAndSums(arrival), brought] };
  },
  shows: shownReceipt,
});

export const receiving: Record<string, Rule<Command>> = {
  scanCarton,
  countPieces,
  receiveSeveral,
  receivePo,
  repeatReceipt,
};
