/**
 * The books are sums of the acknowledged writes. They contain only facts that need no rule of the service. Every unit
 * comes from one place and goes to another. An order has its acknowledged units, a refund has its acknowledged amount,
 * and the feed has each event once.
 */

/** Acknowledged units of an item at a node. */
interface ItemBook {
  came: number;
  went: number;
}

interface OrderBook {
  ordered: number;
  picked: number;
  /** Units that were canceled or not found. */
  left: number;
  handed: number;
  /** Units that the customer returned. */
  back: number;
}

/** The level of an item in a response. The sum of all places is compared. */
export interface Level {
  itemId: string;
  shelf: number;
  staged: number;
  damaged: number;
  held: number;
  missing: number;
}

export interface ShownOrder {
  lines: {
    webLineId: string;
    itemId: string;
    orderedQuantity: number;
    pickedQuantity: number;
    handedOverQuantity: number;
    cameBackQuantity: number;
    declinedQuantity: number;
    canceledQuantity: number;
    leftQuantity: number;
  }[];
}

export interface ShownRefund {
  refundId: string;
  amount: number;
}

const cents = (amount: number) => Math.round(amount * 100);

export interface FeedEvent {
  position: number;
  eventId: string;
  type: string;
  resourceId: string;
}

export class Books {
  /** Acknowledged units by node and item. */
  readonly #items = new Map<string, ItemBook>();
  readonly orders = new Map<string, OrderBook>();
  /** Number of acknowledged facts by type of event. The feed must have one event for each. */
  readonly told = new Map<string, number>();
  /** Acknowledged refunds in cents, by id. */
  readonly refunds = new Map<string, number>();

  came(node: string, itemId: string, units: number): void {
    this.#item(node, itemId).came += units;
  }

  went(node: string, itemId: string, units: number): void {
    this.#item(node, itemId).went += units;
  }

  tell(type: string): void {
    this.told.set(type, (this.told.get(type) ?? 0) + 1);
  }

  #item(node: string, itemId: string): ItemBook {
    const name = `${node} ${itemId}`;
    const known = this.#items.get(name) ?? { came: 0, went: 0 };
    this.#items.set(name, known);
    return known;
  }

  /** Returns the differences between the levels of a node and the sums. */
  levels(node: string, shown: readonly Level[]): string[] {
    const byItem = new Map(shown.map((level) => [`${node} ${level.itemId}`, level]));
    const own = [...this.#items].filter(([name]) => name.startsWith(`${node} `));
    return own.flatMap(([itemId, { came, went }]) => {
      const level = byItem.get(itemId);
      const is = level === undefined ? 0 : level.shelf + level.staged + level.damaged + level.held + level.missing;
      return is === came - went ? [] : [`${itemId}: ${is} units are shown, ${came} came and ${went} went`];
    });
  }

  order(id: string, found: ShownOrder | undefined): string[] {
    if (found === undefined) return [`order ${id} was acknowledged and is not there`];
    const { lines } = found;
    const book = this.orders.get(id)!;
    const sum = (of: (line: ShownOrder['lines'][number]) => number) => lines.reduce((all, line) => all + of(line), 0);
    const shown: Record<keyof OrderBook, number> = {
      ordered: sum(({ orderedQuantity }) => orderedQuantity),
      picked: sum(({ pickedQuantity }) => pickedQuantity),
      left: sum(({ declinedQuantity, canceledQuantity }) => declinedQuantity + canceledQuantity),
      handed: sum(({ handedOverQuantity }) => handedOverQuantity),
      back: sum(({ cameBackQuantity }) => cameBackQuantity),
    };
    return (Object.keys(shown) as (keyof OrderBook)[])
      .filter((what) => shown[what] !== book[what])
      .map((what) => `order ${id}: ${shown[what]} units ${what} are shown, ${book[what]} were acknowledged`);
  }

  /** Records the refunds of an acknowledged return. */
  owes(refunds: readonly ShownRefund[]): void {
    for (const { refundId, amount } of refunds) {
      if (this.refunds.has(refundId)) continue;
      this.refunds.set(refundId, cents(amount));
      this.tell('refund.due');
    }
  }

  /**
   * Returns the refunds that are missing, were never acknowledged, or have an amount that differs from the acknowledged
   * amount.
   */
  money(shown: readonly ShownRefund[]): string[] {
    const is = new Map(shown.map(({ refundId, amount }) => [refundId, cents(amount)]));
    const all = new Set([...is.keys(), ...this.refunds.keys()]);
    return [...all].flatMap((id) => {
      const [now, told] = [is.get(id), this.refunds.get(id)];
      return now === told ? [] : [`refund ${id} is ${now} cents, ${told} were acknowledged`];
    });
  }

  /**
   * Returns the errors of the feed: the first gap in its positions, an event that appears twice, and types with more or
   * fewer events than acknowledged.
   */
  feed(events: readonly FeedEvent[], from: number): string[] {
    const faults: string[] = [];
    for (const [index, { position }] of events.entries()) {
      if (position !== from + index + 1) {
        faults.push(`the feed goes from ${from + index} to ${position}`);
        break;
      }
    }
    if (new Set(events.map(({ eventId }) => eventId)).size !== events.length)
      faults.push('the feed has an event twice');
    for (const [type, must] of this.told) {
      const is = events.filter((event) => event.type === type).length;
      if (is !== must) faults.push(`the feed has ${type} ${is} times, ${must} were acknowledged`);
    }
    return faults;
  }
}
