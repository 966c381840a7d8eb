/**
 * The model of the nodes' stock. Moves change the levels, which never fall below zero: if a move takes more units than
 * a level has, the model first adds the missing units. It computes the moves of an order from the difference between
 * the units of its lines before and after a command.
 */
import { type Line, type Node, type Order, open } from './things.ts';

/** Nodes that keep stock. The third node only reports its receipts. */
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
  /** Staged units that belong to no order. */
  loose: number;
  /** Sum of all units moved to each place, minus the units moved from it, without corrections of the ledger. */
  flowed: Record<Place, number>;
  isOpened: boolean;
  /**
   * True if a move took more units than the level had, or if a count was rejected; false again after the next count.
   */
  isWanted: boolean;
  /** Time of the last posted count. */
  countedAt?: number;
  /** Whether the node has a level of the item. */
  isKept: boolean;
}

/**
 * The value of `flowed` of an item at the time when a command read the revision of the item, and the number of this
 * command.
 */
export interface Remembered {
  flowed: Record<Place, number>;
  read: number;
}

/**
 * A line of a count: the counted units of a place, and the value of `flowed` for the place at the time of the count.
 */
export interface Counted {
  sku: number;
  place: Place;
  counted: number;
  flowed: number;
  /**
   * The command that read the revision of the line, and the time of the count. A posted line is newer if both are
   * later.
   */
  read: number;
  at: number;
  state: 'WAITING' | 'POSTED' | 'REJECTED';
}

interface MoveOptions {
  type?: number;
  ofOrder?: boolean;
  isCorrection?: boolean;
  isReceipt?: boolean;
}

type Units = Pick<Line, 'picked' | 'handed' | 'refused' | 'returned' | 'missing'>;

export class Ledger {
  readonly #levels = new Map<string, Level>();
  /** Sums of the transactions of the first node, by type and item. */
  readonly transactions = new Map<string, number>();
  readonly counts: Counted[][] = [];
  /** For each item, the value of `flowed` at the first node when the command `remember` read the revision. */
  readonly remembered = new Map<number, Remembered>();
  /** Number of commands that read revisions. */
  reads = 0;
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
      isKept: false,
    };
    const level = this.#levels.get(name) ?? none;
    this.#levels.set(name, level);
    return level;
  }

  /**
   * Returns whether any node has a level of the item. The stock of such an item can be read even if the item was
   * deleted.
   */
  isKnown(sku: number): boolean {
    return KEPT.some((node) => this.of(node, sku).isKept);
  }

  /**
   * Moves units; negative units move in the other direction. `type` is the type of the stock transaction. A move of a
   * receipt (`isReceipt`) takes only loose units from the stage. It takes the other units from the shelf, because they
   * have been put away.
   */
  move(
    node: Node,
    sku: number,
    from: string,
    to: string,
    units: number,
    { type, ofOrder = false, isCorrection = false, isReceipt = false }: MoveOptions = {},
  ): void {
    if (units === 0) return;
    if (units < 0) {
      this.move(node, sku, to, from, -units, { ...(type !== undefined && { type }), ofOrder, isCorrection, isReceipt });
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
    level.isKept = true;
    if (isPlace(from)) {
      const isLoose = isReceipt && from === 'STAGE';
      if (isLoose)
        this.move(node, sku, 'SHELF', from, Math.min(level.SHELF, Math.max(0, units - Math.max(0, level.loose))));
      const gap = Math.max(0, units - (isLoose ? Math.max(0, level.loose) : level[from]));
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

  /** Returns the difference between the counted units of a line and the units in its place at the time of the count. */
  difference({ sku, place, counted, flowed }: Counted): number {
    const level = this.of(1, sku);
    return counted - (level[place] - (level.flowed[place] - flowed));
  }

  /** Posts the lines of a count together. The first count of an item opens its ledger. */
  post(lines: readonly Counted[], now: number): void {
    const posted = lines.map((line) => ({ line, difference: this.difference(line), level: this.of(1, line.sku) }));
    const opened = new Set(posted.filter(({ level }) => !level.isOpened).map(({ level }) => level));
    for (const { level } of posted) {
      Object.assign(level, { isWanted: false, isOpened: true, isKept: true, countedAt: now });
    }
    for (const { line, difference, level } of posted) {
      // If fewer units were counted than have been picked since, the move marks the level as lacking units (`isWanted`)
      // again.
      this.move(1, line.sku, opened.has(level) ? 'OPENING' : 'COUNT', line.place, difference, {
        ...(!opened.has(level) && { type: 71 }),
        isCorrection: true,
      });
      line.state = 'POSTED';
    }
  }

  /** Rejects the waiting lines of a count. Their items must be counted again, except items that were counted since. */
  reject(count: readonly Counted[]): void {
    for (const line of count.filter(({ state }) => state === 'WAITING')) {
      const level = this.of(1, line.sku);
      if (level.countedAt === undefined || level.countedAt <= line.at) level.isWanted = true;
      line.state = 'REJECTED';
    }
  }

  /** Posts the moves of the orders' units since the last call. */
  follow(orders: Iterable<Order>): void {
    for (const { id, type, node, lines } of orders) {
      for (const line of lines) {
        const name = `${id}/${line.web}`;
        const before = this.#seen.get(name) ?? { picked: 0, handed: 0, refused: 0, returned: 0, missing: 0 };
        const { picked, handed, refused, returned, missing } = line;
        const move = (from: string, to: string, units: number) =>
          this.move(node, line.sku, from, to, units, { ofOrder: true });
        const more = picked - before.picked;
        // The order reserves units of the item, so the node has a level of it.
        if (type !== 'SHIP_TO_STORE' && KEPT.includes(node)) this.of(node, line.sku).isKept = true;
        // Declined units of a packed order move back to the shelf.
        move(type === 'SHIP_TO_STORE' && more > 0 ? 'CARRIER' : 'SHELF', 'STAGE', more);
        move('STAGE', 'CUSTOMER', handed - before.handed);
        move('STAGE', 'HELD', refused - before.refused);
        move('STAGE', 'SHELF', returned - before.returned);
        move('STAGE', 'MISSING', missing - before.missing);
        this.#seen.set(name, { picked, handed, refused, returned, missing });
      }
    }
  }

  /**
   * Returns the units that orders must still pick. Goods that arrive by carrier are not counted, because they are not
   * on the shelf.
   */
  reserved(node: Node, sku: number, orders: Iterable<Order>): number {
    let units = 0;
    for (const order of orders) {
      if (order.node !== node || order.type === 'SHIP_TO_STORE') continue;
      for (const line of order.lines) if (line.sku === sku) units += open(line);
    }
    return units;
  }

  /** Returns the units in each place and the reserved units, for each item that has any units. */
  shown(node: Node, orders: readonly Order[]): [sku: number, ...units: number[]][] {
    if (!KEPT.includes(node)) return [];
    return [0, 1, 2].flatMap((sku): [number, ...number[]][] => {
      const level = this.of(node, sku);
      const units = [...PLACES.map((place) => level[place]), this.reserved(node, sku, orders)];
      return units.some((one) => one !== 0) ? [[sku, ...units]] : [];
    });
  }
}
