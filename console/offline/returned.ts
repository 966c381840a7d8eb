/**
 * An announced return on this device: the last state from the service, with unsent receipts applied. Numbers of units
 * are kept by line, as in the service.
 */
import type { components } from '../../contract/client.d.ts';

type Schemas = components['schemas'];

/** A return in the form of the service. */
export type Returned = Schemas['Return'];
export type ReturnedLine = Returned['lines'][number];
export type ReturnedReceipt = Returned['receipts'][number];
type Disposition = ReturnedReceipt['lines'][number]['disposition'];

/** Units of a line in one condition; negative if the receipt undoes another receipt. */
export interface Came {
  /** Line of the return. Units without an expected line have only their item. */
  position?: number;
  /** True if the service chooses among the lines of the item. `position` is the line to show until its response. */
  isOfItem?: boolean;
  itemId: string;
  quantity: number;
  condition?: string;
  /** Place of the units, by this device's copy of the conditions. */
  disposition: Disposition;
}

/** The field of `totals` with the units of each place. */
const COUNTERS = {
  SHELF: 'sellable',
  DAMAGED: 'damaged',
  HELD: 'held',
  GIVEN_BACK: 'givenBack',
} as const satisfies Record<Disposition, keyof Returned['totals']>;

/** Names of the fields with units in the totals of a return. */
const ALL = ['requested', 'sellable', 'damaged', 'held', 'givenBack', 'missing', 'over', 'open'] as const;

/** Returns the units of a line that the node keeps or gave back to the customer. */
export function countedOf({ sellable, damaged, held, givenBack }: Returned['totals']): number {
  return sellable + damaged + held + givenBack;
}

/** The states in which a return waits for goods. */
export const OPEN_RETURNS: readonly Returned['state'][] = ['REQUESTED', 'RECEIVING'];

export function isOpen({ state }: Pick<Returned, 'state'>): boolean {
  return OPEN_RETURNS.includes(state);
}

/** Returns whether a return ended before its goods arrived. */
export function isEnded({ state }: Pick<Returned, 'state'>): boolean {
  return state === 'CANCELED' || state === 'EXPIRED';
}

/** Returns an ended return with its missing units open: as in the service, a receipt opens such a return again. */
export function revived(returned: Returned): Returned {
  if (!isEnded(returned)) return returned;
  const open = <L extends Returned['totals']>(sums: L): L => ({ ...sums, open: sums.open + sums.missing, missing: 0 });
  return { ...returned, lines: returned.lines.map(open), totals: open(returned.totals) };
}

/** Adds units to a return. Units beyond the open ones count as `over`. An undo removes units from `over` first. */
export function withUnits(returned: Returned, units: readonly Came[]): Returned {
  let { lines } = revived(returned);
  for (const came of units) {
    lines = lines.some(({ position }) => position === came.position)
      ? lines.map((line) => (line.position === came.position ? withCame(line, came) : line))
      : [...lines, withCame(newLine(lines, came), came)];
  }
  const totals = Object.fromEntries(
    ALL.map((name) => [name, lines.reduce((sum, line) => sum + line[name], 0)]),
  ) as Returned['totals'];
  const isBegun = returned.state === 'RECEIVING' || units.every(({ quantity }) => quantity < 0);
  return { ...returned, lines, totals, ...(!isBegun && { state: 'RECEIVING' as const }) };
}

function withCame(line: ReturnedLine, { quantity, disposition }: Came): ReturnedLine {
  const counter = COUNTERS[disposition];
  const over = quantity > 0 ? Math.max(0, quantity - line.open) : -Math.min(line.over, -quantity);
  return {
    ...line,
    [counter]: line[counter] + quantity,
    over: line.over + over,
    open: line.open - (quantity - over),
  };
}

function newLine(lines: readonly ReturnedLine[], { itemId }: Came): ReturnedLine {
  const position = Math.max(0, ...lines.map((line) => line.position)) + 1;
  const none = { requested: 0, sellable: 0, damaged: 0, held: 0, givenBack: 0, missing: 0, over: 0, open: 0 };
  return { position, itemId, ...none };
}

/** Returns the units that undo these units. */
export function takenBack(units: readonly Came[]): Came[] {
  return units.map((came) => ({ ...came, quantity: -came.quantity }));
}

/**
 * Limits the held units of the receipts to the units that are still held. Decisions take units from the earliest
 * receipts first, so the latest receipts keep their units.
 */
function withinHeld({ lines }: Returned, entries: readonly ReceivedEntry[]): ReceivedEntry[] {
  const held = new Map(lines.map((line) => [line.position, line.held]));
  const shown = entries.toReversed().map((entry) => {
    if (entry.disposition !== 'HELD') return entry;
    const left = held.get(entry.position) ?? 0;
    const quantity = Math.min(entry.quantity, left);
    held.set(entry.position, left - quantity);
    return { ...entry, quantity };
  });
  return shown.reverse();
}

type ReceivedEntry = ReturnedReceipt['lines'][number];

/**
 * Returns the units that a return has at a node, by line, place and condition. Each unit of an announced return can be
 * a separate receipt; a correction names only the line and the place.
 */
export function placedIn(returned: Returned, nodeId: string | undefined): ReceivedEntry[] {
  const { receipts } = returned;
  const here = receipts.filter((one) => one.nodeId === nodeId && one.corrects === undefined);
  const booked = here.flatMap(({ receiptId, lines }) => {
    const corrections = receipts.filter(({ corrects }) => corrects === receiptId).flatMap((one) => one.lines);
    const undone = new Map<string, number>();
    const keyOf = ({ position, disposition }: ReceivedEntry) => `${position} ${disposition}`;
    for (const one of corrections) undone.set(keyOf(one), (undone.get(keyOf(one)) ?? 0) - one.quantity);
    return lines.map((line) => {
      const less = Math.min(line.quantity, undone.get(keyOf(line)) ?? 0);
      undone.set(keyOf(line), (undone.get(keyOf(line)) ?? 0) - less);
      return { ...line, quantity: line.quantity - less };
    });
  });
  const sums = new Map<string, ReceivedEntry>();
  for (const line of withinHeld(returned, booked)) {
    const key = JSON.stringify([line.position, line.disposition, line.condition]);
    if (line.quantity > 0) sums.set(key, { ...line, quantity: line.quantity + (sums.get(key)?.quantity ?? 0) });
  }
  return [...sums.values()];
}

/** Returns the units that a receipt of the service booked. */
export function bookedIn({ lines }: ReturnedReceipt): Came[] {
  return lines.map(({ position, itemId, quantity, condition, disposition }) => ({
    position,
    itemId,
    quantity,
    disposition,
    ...(condition !== undefined && { condition }),
  }));
}

/** Returns the units of a receipt's line that can be undone: no correction has undone them yet. */
export function leftOf({ state, receipts }: Returned, receipt: ReturnedReceipt, index: number): number {
  if (state === 'CLOSED') return 0;
  const { position, disposition, quantity } = receipt.lines[index]!;
  const corrected = receipts
    .filter(({ corrects }) => corrects === receipt.receiptId)
    .flatMap(({ lines }) => lines)
    .filter((line) => line.position === position && line.disposition === disposition)
    .reduce((sum, line) => sum - line.quantity, 0);
  return Math.max(0, quantity - corrected);
}
