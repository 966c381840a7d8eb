/**
 * The stock of the nodes once more: levels that moves change, never below zero, with what the ledger was behind counted in. What
 * orders do to it follows from their units, before and after a command.
 */
import { type Line, type Node, type Order, open } from './things.ts';

/** Nodes that keep stock. The third one only tells what it received. */
export const KEPT: readonly Node[] = [1, 2];

export const PLACES = ['SHELF', 'STAGE', 'DAMAGED', 'HELD', 'MISSING'] as const;
export type Place = (typeof PLACES)[number];
const isPlace = (spot: string): spot is Place => (PLACES as readonly string[]).includes(spot);

export interface Level {
  SHELF: number;
  STAGE: number;
  DAMAGED: number;
  HELD: number;
  MISSING: number;
  /** Staged units of no order. */
  loose: number;
  /** Units that goods brought to each place since ever; corrections of the ledger are no goods. */
  flowed: Record<Place, number>;
  isOpened: boolean;
  /** More was taken than there was, and nobody has counted since. */
  isWanted: boolean;
  /** Whether something was ever moved, and whether a level is kept at all. */
  isMoved: boolean;
  isKept: boolean;
}

/** A line of a count: what was counted in a place, and what had come there by then. */
export interface Counted {
  sku: number;
  place: Place;
  counted: number;
  flowed: number;
  isWaiting: boolean;
}

type Units = Pick<Line, 'picked' | 'handed' | 'refused' | 'returned' | 'missing'>;

export class Ledger {
  readonly #levels = new Map<string, Level>();
  /** Sums of the transactions of the first node, by type and item. */
  readonly transactions = new Map<string, number>();
  readonly counts: Counted[][] = [];
  /** By item: what had come to the places of the first node when its revision was read. */
  readonly remembered = new Map<number, Record<Place, number>>();
  readonly #seen = new Map<string, Units>();

  of(node: Node, sku: number): Level {
    const name = `${node}/${sku}`;
    const none: Level = {
      SHELF: 0,
      STAGE: 0,
      DAMAGED: 0,
      HELD: 0,
      MISSING: 0,
      loose: 0,
      flowed: { SHELF: 0, STAGE: 0, DAMAGED: 0, HELD: 0, MISSING: 0 },
      isOpened: false,
      isWanted: false,
      isMoved: false,
      isKept: false,
    };
    const level = this.#levels.get(name) ?? none;
    this.#levels.set(name, level);
    return level;
  }

  /** Moves units; negative ones go back. `type`: the transaction that it is. */
  move(
    node: Node,
    sku: number,
    from: string,
    to: string,
    units: number,
    { type, ofOrder = false, isCorrection = false }: { type?: number; ofOrder?: boolean; isCorrection?: boolean } = {},
  ): void {
    if (units === 0) return;
    if (units < 0) {
      this.move(node, sku, to, from, -units, { ...(type !== undefined && { type }), ofOrder, isCorrection });
      return;
    }
    if (type !== undefined && node === 1) {
      const name = `${type} ${sku}`;
      this.transactions.set(
        name,
        (this.transactions.get(name) ?? 0) + (isPlace(to) && !isPlace(from) ? units : -units),
      );
    }
    if (!KEPT.includes(node)) return;
    const level = this.of(node, sku);
    Object.assign(level, { isMoved: true, isKept: true });
    if (isPlace(from)) {
      const gap = Math.max(0, units - level[from]);
      level[from] += gap - units;
      if (gap > 0) level.isWanted = true;
      if (from === 'STAGE') level.loose += gap - (ofOrder ? 0 : units);
    }
    if (isPlace(to)) {
      level[to] += units;
      if (to === 'STAGE' && !ofOrder) level.loose += units;
    }
    if (isCorrection) return;
    if (isPlace(to)) level.flowed[to] += units;
    if (isPlace(from)) level.flowed[from] -= units;
  }

  /** What a line says of its place: its difference from what was there when it was counted. */
  difference({ sku, place, counted, flowed }: Counted): number {
    const level = this.of(1, sku);
    return counted - (level[place] - (level.flowed[place] - flowed));
  }

  /** Posts lines of a count together; the first count of an item opens its ledger. */
  post(lines: readonly Counted[]): void {
    const posted = lines.map((line) => ({ line, difference: this.difference(line), level: this.of(1, line.sku) }));
    const opened = new Set(posted.filter(({ level }) => !level.isOpened).map(({ level }) => level));
    for (const { level } of posted) Object.assign(level, { isWanted: false, isOpened: true, isKept: true });
    for (const { line, difference, level } of posted) {
      // A count that says less than was picked since leaves the ledger behind again.
      this.move(1, line.sku, opened.has(level) ? 'OPENING' : 'COUNT', line.place, difference, {
        ...(!opened.has(level) && { type: 71 }),
        isCorrection: true,
      });
      line.isWaiting = false;
    }
  }

  /** Posts what became of the units of orders since it was called last. */
  follow(orders: Iterable<Order>): void {
    for (const { id, type, node, lines } of orders) {
      for (const line of lines) {
        const name = `${id}/${line.web}`;
        const before = this.#seen.get(name) ?? { picked: 0, handed: 0, refused: 0, returned: 0, missing: 0 };
        const { picked, handed, refused, returned, missing } = line;
        const move = (from: string, to: string, units: number) =>
          this.move(node, line.sku, from, to, units, { ofOrder: true });
        const more = picked - before.picked;
        // Its units are reserved.
        if (type !== 'SHIP_TO_STORE' && KEPT.includes(node)) this.of(node, line.sku).isKept = true;
        // What is declined of a packed order goes back to the shelf.
        move(type === 'SHIP_TO_STORE' && more > 0 ? 'CARRIER' : 'SHELF', 'STAGE', more);
        move('STAGE', 'CUSTOMER', handed - before.handed);
        move('STAGE', 'HELD', refused - before.refused);
        move('STAGE', 'SHELF', returned - before.returned);
        move('STAGE', 'MISSING', missing - before.missing);
        this.#seen.set(name, { picked, handed, refused, returned, missing });
      }
    }
  }

  /** Units that orders are still to pick. Those of goods that come by carrier are not on the shelf. */
  reserved(node: Node, sku: number, orders: Iterable<Order>): number {
    let units = 0;
    for (const order of orders) {
      if (order.node !== node || order.type === 'SHIP_TO_STORE') continue;
      for (const line of order.lines) if (line.sku === sku) units += open(line);
    }
    return units;
  }

  /** Units in the places, and those that are reserved, by item; only items of which there is something. */
  shown(node: Node, orders: readonly Order[]): [sku: number, ...units: number[]][] {
    if (!KEPT.includes(node)) return [];
    return [0, 1, 2].flatMap((sku): [number, ...number[]][] => {
      const level = this.of(node, sku);
      const units = [...PLACES.map((place) => level[place]), this.reserved(node, sku, orders)];
      return units.some((one) => one !== 0) ? [[sku, ...units]] : [];
    });
  }
}
