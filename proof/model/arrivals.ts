/**
 * The model of shipments to the first node and of goods without papers: their cartons, their keys (an item in a carton)
 * and their held units.
 */
import { arrived, type Key, KINDS, type Kind, type Numbered, type Spot, type Type, type Units } from './goods.ts';
import type { Ledger } from './ledger.ts';
import { type Reasoned, Reasons } from './reasons.ts';
import type { Settings } from './terms.ts';
import { beyond, excess, isOff, undecided } from './tolerance.ts';

/** Minutes for which a carton is reserved for the user who counts it. */
const HOLD = 120;

interface Carton {
  whole: string | null;
  /** User of the last receipt that has units of the carton. */
  lastBy: string | null;
  /** User who is counting the carton, and the time until which the carton is reserved for this user. */
  holder: string | null;
  heldUntil: number;
}

const FREE = { holder: null, heldUntil: 0 };

/** A line of an announced shipment. */
export interface Announced {
  carton: string;
  sku: number;
  units: number;
  /** The purchase order that the line delivers. */
  po?: string | undefined;
}

/** The units that a receipt books for a key. Negative units correct an earlier receipt. */
export interface Entry {
  key: Key;
  units: Units;
  to: Spot;
  /** Whether the receipt gives a reason. */
  isReasoned: boolean;
  /** The units with a reason, if these are not all units of an entry with a reason. */
  reasoned?: Reasoned;
}

export class Arrival {
  state: 'EXPECTED' | 'RECEIVING' | 'CLOSED' = 'EXPECTED';
  readonly seller: number | null;
  readonly number: string;
  readonly type: Type;
  readonly content: string;
  readonly lines: readonly Announced[];
  readonly keys: Key[] = [];
  /** The ids of the announced cartons, and the state of each carton. */
  readonly announced: readonly string[];
  readonly cartons = new Map<string, Carton>();
  /** The booked units of each receipt and each match, by key and place. */
  readonly told: (readonly [name: string, ...units: number[]])[][] = [];
  matchedTo: string | null = null;
  readonly #touched = new Set<string>();
  readonly #ledger: Ledger;

  constructor(ledger: Ledger, { seller, number }: Numbered, content: string, lines: readonly Announced[]) {
    this.#ledger = ledger;
    this.seller = seller;
    this.number = number;
    this.type = number.slice(0, number.indexOf('-')) as Type;
    this.content = content;
    this.lines = lines;
    for (const { carton, sku, units } of lines) this.key(carton, sku).announced += units;
    this.announced = [...new Set(lines.map(({ carton }) => carton))].filter((id) => id !== '');
  }

  find(carton: string, sku: number): Key | undefined {
    return this.keys.find((key) => key.carton === carton && key.sku === sku);
  }

  key(carton: string, sku: number): Key {
    const known = this.find(carton, sku);
    if (known !== undefined) return known;
    const made = newKey(carton, sku);
    this.keys.push(made);
    return made;
  }

  isAnnounced(carton: string, sku: number): boolean {
    return (this.find(carton, sku)?.announced ?? 0) > 0;
  }

  carton(id: string): Carton {
    const carton = this.cartons.get(id) ?? { whole: null, lastBy: null, ...FREE };
    this.cartons.set(id, carton);
    return carton;
  }

  ofCarton(id: string): Key[] {
    return this.keys.filter((key) => key.carton === id);
  }

  /**
   * Returns the error for a scan of the whole carton at this time; undefined if the scan is allowed. The error names
   * the user who received the carton or is counting it.
   */
  takenBy(id: string, now: number): [code: string, by: string | null] | undefined {
    const { whole, lastBy, holder, heldUntil } = this.carton(id);
    const keys = this.ofCarton(id);
    const isUntouched = keys.every((key) => arrived(key) === 0);
    const isDone = this.announced.includes(id) && keys.every((key) => arrived(key) >= key.announced);
    if (whole !== null || (!isUntouched && isDone))
      return ['CARTON_ALREADY_RECEIVED', whole === null ? lastBy : holder];
    return !isUntouched && holder !== null && heldUntil > now ? ['CARTON_HELD_BY', holder] : undefined;
  }

  /** Books a receipt. Positive units are booked before negative units, so that no sum is below zero in between. */
  book(entries: readonly Entry[], settings: Settings, by: string, isCorrection = false): void {
    const before = new Map(entries.map(({ key }) => [key, placesOf(key)]));
    for (const isBack of [false, true]) for (const entry of entries) this.#move(entry, isBack);
    const told = this.#hold(entries, settings);
    for (const { key, units, isReasoned, reasoned = isReasoned ? units : NOTHING } of told) {
      if (KINDS.some((kind) => units[kind] > 0)) key.takers.add(by);
      if (units.held > 0) key.holders.add(by);
      if (units.held > 0 && units.good < 0) for (const taker of key.goodTakers) key.holders.add(taker);
      // A correction names the first receipt of the shipment.
      const record = isCorrection && units.damaged < 0 ? 0 : this.told.length;
      key.reasons.book(record, units.damaged, reasoned, key.held);
      if (key.carton !== '') this.carton(key.carton).lastBy = by;
    }
    for (const { key, units } of told) if (units.good > 0) key.goodTakers.add(by);
    this.told.push(changes(before));
  }

  /**
   * Moves the units of an entry. Negative good units are removed first from the place `to`, then from the other place.
   */
  #move({ key, units, to }: Entry, isBack: boolean): void {
    const from = (place: string, of: number) =>
      this.#ledger.move(1, key.sku, 'SUPPLIER', place, of, { type: 31, isReceipt: true });
    const moved = ofKinds((kind) => (isBack ? Math.min(0, units[kind]) : Math.max(0, units[kind])));
    const shelf = key.good - key.staged;
    const fromStage = to === 'STAGE' ? Math.min(-moved.good, key.staged) : Math.max(0, -moved.good - shelf);
    const staged = isBack ? -fromStage : to === 'STAGE' ? moved.good : 0;
    for (const kind of KINDS) key[kind] += moved[kind];
    key.staged += staged;
    from('SHELF', moved.good - staged);
    from('STAGE', staged);
    from('DAMAGED', moved.damaged);
    from('HELD', moved.held);
  }

  /**
   * Moves good units in excess of the announced units and the tolerance to HELD. Units of the entries move first,
   * beginning with the last entry, each from its place. Earlier units move after them, first from the shelf, then from
   * the stage. Goods without papers have no held units. Returns the entries with their held units.
   */
  #hold(entries: readonly Entry[], { over }: Settings): Entry[] {
    const told = entries.map((entry) => ({ ...entry, units: { ...entry.units } }));
    for (const key of new Set(this.type === 'BLIND' ? [] : entries.map((entry) => entry.key))) {
      // A correction that takes decided excess units back ends their decision.
      key.decided = Math.min(key.decided, excess(key, over));
      let left = Math.min(key.good, beyond(key, over));
      const hold = (spot: Spot, most: number): Units => {
        const part = Math.min(most, left, spot === 'STAGE' ? key.staged : key.good - key.staged);
        left -= part;
        key.good -= part;
        key.held += part;
        if (spot === 'STAGE') key.staged -= part;
        this.#ledger.move(1, key.sku, spot, 'HELD', part, { isReceipt: true });
        return { ...NOTHING, good: -part, held: part };
      };
      for (const entry of told.filter((one) => one.key === key && one.units.good > 0).reverse()) {
        const { units } = entry;
        const { good, held } = hold(entry.to, units.good);
        entry.units = { ...units, good: units.good + good, held: units.held + held };
      }
      for (const to of ['SHELF', 'STAGE'] as const) {
        const units = hold(to, left);
        if (units.held > 0) told.push({ key, units, to, isReasoned: false });
      }
    }
    return told;
  }

  /** Reserves a free carton for the user who counts it. Each further count by this user restarts the time. */
  countedBy(id: string, now: number, by: string): void {
    if (id === '') return;
    const { holder, heldUntil } = this.carton(id);
    const isOthers = holder !== null && heldUntil > now && holder !== by;
    if (!isOthers) Object.assign(this.carton(id), { holder: by, heldUntil: now + HOLD });
  }

  /**
   * Resets a carton to its first state (not scanned as a whole, not reserved) if it is empty or completely counted.
   * Also resets a carton that was scanned as a whole and has open units again.
   */
  settle(ids: Iterable<string>): void {
    for (const id of ids) {
      if (id === '') continue;
      this.#touched.add(id);
      const carton = this.carton(id);
      const keys = this.ofCarton(id);
      const isEmpty = keys.every((key) => arrived(key) === 0);
      const isDone = this.announced.includes(id) && keys.every((key) => arrived(key) >= key.announced);
      const isOpen = keys.some((key) => arrived(key) < key.announced);
      const isLeft = carton.whole === null ? isDone : isOpen;
      if (isEmpty || isLeft) Object.assign(carton, { whole: null, ...FREE });
    }
  }

  decide(key: Key, { good, damaged, refused }: Omit<Units, 'held'>, to: Spot, { over }: Settings): void {
    key.decided += Math.min(good + damaged + refused, undecided(key, over));
    key.reasons.decide(damaged);
    key.held -= good + damaged + refused;
    key.good += good;
    key.damaged += damaged;
    key.refused += refused;
    if (to === 'STAGE') key.staged += good;
    this.#ledger.move(1, key.sku, 'HELD', to, good);
    this.#ledger.move(1, key.sku, 'HELD', 'DAMAGED', damaged);
    this.#ledger.move(1, key.sku, 'HELD', 'SUPPLIER', refused, { type: 31 });
  }

  /**
   * Returns the keys for which a close needs a reason: they differ by more than the tolerance, or have damaged units
   * without a reason. Differences of goods without papers need no reason. `brought` returns the units of an item that
   * the ASNs of a purchase order brought.
   */
  lacksReason(settings: Settings, brought: (sku: number) => number): Key[] {
    const isJudged = this.type !== 'BLIND';
    return this.keys.filter(
      (key) => (isJudged && isOff(key, settings, brought(key.sku))) || key.damaged > key.reasons.damaged,
    );
  }

  /** Returns the units of each key: announced, then by `KINDS`, then over, short and open. */
  sums(): [name: string, ...units: number[]][] {
    return this.keys
      .map((key): [string, ...number[]] => {
        const missing = Math.max(0, key.announced - arrived(key));
        const isClosed = this.state === 'CLOSED';
        return [
          `${key.carton}/${key.sku}`,
          key.announced,
          ...KINDS.map((kind) => key[kind]),
          Math.max(0, arrived(key) - key.announced),
          isClosed ? missing : 0,
          isClosed ? 0 : missing,
        ];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Returns the announced, arrived and open units, and the numbers of all and of finished cartons. */
  totals(now: number): number[] {
    const all = this.sums().map(([, ...units]) => units);
    const sum = (of: (units: number[]) => number) => all.reduce((total, units) => total + of(units), 0);
    const cartons = this.cartonStates(now).map(([, state]) => state);
    const done = cartons.filter((state) => this.state === 'CLOSED' || (state !== 'EXPECTED' && state !== 'COUNTING'));
    return [
      sum(([announced]) => announced!),
      sum(([, good, damaged, refused, held]) => good! + damaged! + refused! + held!),
      sum((units) => units.at(-1)!),
      cartons.length,
      done.length,
    ];
  }

  /** Returns the currently allowed actions. */
  allowed(): string[] {
    const isOpen = this.state !== 'CLOSED';
    const hasHeld = this.keys.some((key) => key.held > 0);
    const may: Record<string, boolean> = {
      arrive: isOpen,
      receive: isOpen,
      correct: isOpen && this.told.length > 0,
      approve: this.state === 'RECEIVING' && hasHeld,
      match: isOpen && this.type === 'BLIND',
      close: isOpen && !hasHeld,
      reopen: !isOpen && this.matchedTo === null,
      void: this.state === 'EXPECTED' && this.type !== 'BLIND',
    };
    return Object.keys(may).filter((action) => may[action]);
  }

  /** Returns the state of each carton, with the user who is counting it now. */
  cartonStates(now: number): [id: string, state: string, holder: string | null][] {
    const ids = [...new Set([...this.announced, ...this.#touched])];
    return ids.sort().map((id) => {
      const { whole, holder, heldUntil } = this.carton(id);
      const isHeld = this.state === 'RECEIVING' && whole === null && heldUntil > now;
      return [id, this.#stateOf(id), isHeld ? holder : null];
    });
  }

  #stateOf(id: string): string {
    if (!this.announced.includes(id)) return 'UNEXPECTED';
    const keys = this.ofCarton(id);
    const isClosed = this.state === 'CLOSED';
    if (keys.every((key) => arrived(key) === 0)) return isClosed ? 'MISSING' : 'EXPECTED';
    const { whole } = this.carton(id);
    if (whole !== null) return whole === 'DAMAGED' || whole === 'REFUSED' ? whole : 'RECEIVED';
    return isClosed || keys.every((key) => arrived(key) >= key.announced) ? 'RECEIVED' : 'COUNTING';
  }

  hasUnits(): boolean {
    return this.keys.some((key) => arrived(key) > 0);
  }

  /**
   * Moves goods without papers to the shipment that announces them. If the match holds units of an item, every user who
   * received the item counts as a receiver of the held units.
   */
  matchInto(to: Arrival, settings: Settings, by: string): void {
    const leaving = this.keys
      .toSorted((a, b) => (a.carton === b.carton ? a.sku - b.sku : a.carton < b.carton ? -1 : 1))
      .sort((a, b) => Number(a.carton === '') - Number(b.carton === ''))
      .filter((key) => arrived(key) > 0);
    const [coming, back]: [Entry[], Entry[]] = [[], []];
    for (const key of leaving) {
      const left = { damaged: key.reasons.damaged, held: key.reasons.held };
      for (const [spot, units] of byPlace(key)) {
        for (const [target, part] of to.#shares(key, units, coming)) {
          const reasoned = { damaged: Math.min(part.damaged, left.damaged), held: Math.min(part.held, left.held) };
          left.damaged -= reasoned.damaged;
          left.held -= reasoned.held;
          coming.push({ key: target, units: part, to: spot, isReasoned: false, reasoned });
        }
        back.push({ key, units: ofKinds((kind) => -units[kind]), to: spot, isReasoned: false });
      }
    }
    const touched = new Map(coming.map(({ key }) => [key, { held: key.held, good: key.good }]));
    to.book(coming, settings, by);
    for (const [target, before] of touched) {
      const takers = this.keys.filter(({ sku }) => sku === target.sku).flatMap((key) => [...key.takers]);
      if (target.held > before.held) for (const taker of takers) target.holders.add(taker);
      if (target.good > before.good) for (const taker of takers) target.goodTakers.add(taker);
    }
    to.settle([...touched.keys()].map(({ carton }) => carton));
    this.book(back, settings, by);
    this.settle(leaving.map(({ carton }) => carton));
  }

  /**
   * Distributes units over the keys of the shipment. Units with a carton belong to the key of that carton. Other units
   * first fill the open units of their item; the remaining units have no carton.
   */
  #shares({ carton, sku }: Key, units: Units, coming: readonly Entry[]): [Key, Units][] {
    if (this.type === 'PO') return [[this.key('', sku), units]];
    if (carton !== '') return [[this.key(carton, sku), units]];
    const left = { ...units };
    const found: [Key, Units][] = [];
    for (const one of this.keys.filter((key) => key.sku === sku && key.announced > 0)) {
      const filled = coming.filter(({ key }) => key === one).reduce((all, entry) => all + arrived(entry.units), 0);
      let room = Math.max(0, one.announced - arrived(one) - filled);
      const part = ofKinds((kind) => {
        const taken = Math.min(room, left[kind]);
        room -= taken;
        left[kind] -= taken;
        return taken;
      });
      if (arrived(part) > 0) found.push([one, part]);
    }
    return arrived(left) > 0 ? [...found, [this.key('', sku), left]] : found;
  }
}

const NOTHING: Units = { good: 0, damaged: 0, refused: 0, held: 0 };

export function ofKinds(units: (kind: Kind) => number): Units {
  return { good: units('good'), damaged: units('damaged'), refused: units('refused'), held: units('held') };
}

/** Splits the units of a key into good units on STAGE and all other units. */
function byPlace(key: Key): [Spot, Units][] {
  const rest = { ...unitsOf(key), good: key.good - key.staged };
  const parts: [Spot, Units][] = [
    ['STAGE', { ...NOTHING, good: key.staged }],
    ['SHELF', rest],
  ];
  return parts.filter(([, units]) => arrived(units) > 0);
}

/** Returns the change of the units at each place, for each key whose units changed since `before`. */
function changes(before: ReadonlyMap<Key, number[]>): [name: string, ...units: number[]][] {
  return [...before]
    .map(([key, units]): [string, ...number[]] => [
      `${key.carton}/${key.sku}`,
      ...placesOf(key).map((one, index) => one - units[index]!),
    ])
    .filter(([, ...units]) => units.some((one) => one !== 0))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the units by place: good units on the shelf and on the stage, then damaged, `refused` and held units. */
function placesOf({ good, staged, damaged, refused, held }: Key): number[] {
  return [good - staged, staged, damaged, refused, held];
}

function unitsOf({ good, damaged, refused, held }: Key): Units {
  return { good, damaged, refused, held };
}

function newKey(carton: string, sku: number): Key {
  return {
    carton,
    sku,
    announced: 0,
    good: 0,
    damaged: 0,
    refused: 0,
    held: 0,
    staged: 0,
    decided: 0,
    reasons: new Reasons(),
    takers: new Set(),
    holders: new Set(),
    goodTakers: new Set(),
  };
}
