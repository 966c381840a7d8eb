/** Shipments on their way to the first node and goods without papers, once more: keys, cartons and what is held. */
import type { Ledger } from './ledger.ts';
import type { Settings } from './settings.ts';
import { beyond, isOff } from './tolerance.ts';

export const KINDS = ['good', 'damaged', 'refused', 'held'] as const;
type Kind = (typeof KINDS)[number];
export type Units = Record<Kind, number>;

/** How long a carton is kept for who counts it, in minutes. */
const HOLD = 120;

export interface Key extends Units {
  /** '' is no carton. */
  carton: string;
  sku: number;
  announced: number;
  /** Good units on STAGE. */
  staged: number;
  /** Held units that were decided. */
  decided: number;
  /** Whether a receipt said why units are damaged. */
  isReasoned: boolean;
  /** Who received units of it, and of those who received held ones. */
  takers: Set<string>;
  holders: Set<string>;
}

interface Carton {
  whole: string | null;
  /** Who counts it, and until when it is kept for him. */
  holder: string | null;
  heldUntil: number;
}

const FREE = { holder: null, heldUntil: 0 };

/** A line of an announcement. */
export interface Announced {
  carton: string;
  sku: number;
  units: number;
  /** The purchase order that it delivers. */
  po?: string | undefined;
}

export type Type = 'ASN' | 'PO' | 'BLIND';

export const arrived = ({ good, damaged, refused, held }: Units) => good + damaged + refused + held;

export class Arrival {
  state: 'EXPECTED' | 'RECEIVING' | 'CLOSED' = 'EXPECTED';
  readonly number: string;
  readonly type: Type;
  readonly content: string;
  readonly lines: readonly Announced[];
  readonly keys: Key[] = [];
  /** Cartons that were announced, and what is known of all. */
  readonly announced: readonly string[];
  readonly cartons = new Map<string, Carton>();
  /** How many receipts it has. */
  receipts = 0;
  matchedTo: string | null = null;
  readonly #touched = new Set<string>();
  readonly #ledger: Ledger;

  constructor(ledger: Ledger, number: string, content: string, lines: readonly Announced[]) {
    this.#ledger = ledger;
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
    const carton = this.cartons.get(id) ?? { whole: null, ...FREE };
    this.cartons.set(id, carton);
    return carton;
  }

  ofCarton(id: string): Key[] {
    return this.keys.filter((key) => key.carton === id);
  }

  /** Why a carton may not be scanned whole now. */
  isTaken(id: string, now: number): boolean {
    const { whole, holder, heldUntil } = this.carton(id);
    if (whole !== null) return true;
    const keys = this.ofCarton(id);
    if (keys.every((key) => arrived(key) === 0)) return false;
    const isDone = this.announced.includes(id) && keys.every((key) => arrived(key) >= key.announced);
    return isDone || (holder !== null && heldUntil > now);
  }

  /** Books units of a key that somebody received; negative ones go back, from where they were put. */
  add(key: Key, units: Units, to: 'SHELF' | 'STAGE', by: string): void {
    const back = Math.max(0, -units.good);
    const fromStage = to === 'STAGE' ? Math.min(back, key.staged) : Math.max(0, back - (key.good - key.staged));
    const staged = units.good > 0 && to === 'STAGE' ? units.good : -fromStage;
    const from = (place: string, of: number) => this.#ledger.move(1, key.sku, 'SUPPLIER', place, of, { type: 31 });
    for (const kind of KINDS) key[kind] += units[kind];
    if (KINDS.some((kind) => units[kind] > 0)) key.takers.add(by);
    if (units.held > 0) key.holders.add(by);
    key.staged += staged;
    from('SHELF', units.good - staged);
    from('STAGE', staged);
    from('DAMAGED', units.damaged);
    from('HELD', units.held);
  }

  /** Good units beyond what was announced and may differ are held, those on the shelf first; nothing is judged of goods without papers. */
  hold(keys: Iterable<Key>, { over }: Settings, by: string): void {
    for (const key of keys) {
      const units = this.type === 'BLIND' ? 0 : Math.min(key.good, beyond(key, over));
      if (units > 0) key.holders.add(by);
      const fromStage = Math.max(0, units - (key.good - key.staged));
      key.good -= units;
      key.held += units;
      key.staged -= fromStage;
      this.#ledger.move(1, key.sku, 'STAGE', 'HELD', fromStage);
      this.#ledger.move(1, key.sku, 'SHELF', 'HELD', units - fromStage);
    }
  }

  /** The first who counts a carton keeps it, each time a while longer. */
  countedBy(id: string, now: number, by: string): void {
    if (id === '') return;
    const { holder, heldUntil } = this.carton(id);
    const isOthers = holder !== null && heldUntil > now && holder !== by;
    if (!isOthers) Object.assign(this.carton(id), { holder: by, heldUntil: now + HOLD });
  }

  /** What a carton is after a booking: one of which nothing is left is as before, one that is counted to its end nobody's. */
  settle(ids: Iterable<string>): void {
    for (const id of ids) {
      if (id === '') continue;
      this.#touched.add(id);
      const carton = this.carton(id);
      const keys = this.ofCarton(id);
      const isEmpty = keys.every((key) => arrived(key) === 0);
      const isDone = this.announced.includes(id) && keys.every((key) => arrived(key) >= key.announced);
      if (isEmpty || (carton.whole === null && isDone)) Object.assign(carton, { whole: null, ...FREE });
    }
  }

  decide(key: Key, { good, damaged, refused }: Omit<Units, 'held'>): void {
    key.held -= good + damaged + refused;
    key.decided += good + damaged + refused;
    key.good += good;
    key.damaged += damaged;
    key.refused += refused;
    this.#ledger.move(1, key.sku, 'HELD', 'SHELF', good);
    this.#ledger.move(1, key.sku, 'HELD', 'DAMAGED', damaged);
    this.#ledger.move(1, key.sku, 'HELD', 'SUPPLIER', refused, { type: 31 });
  }

  /** Keys of which a close must say why. */
  lacksReason(settings: Settings): Key[] {
    const isJudged = this.type !== 'BLIND';
    return this.keys.filter((key) => (isJudged && isOff(key, settings)) || (key.damaged > 0 && !key.isReasoned));
  }

  /** Announced, good, damaged, refused, held, over, short and open of each key that is announced or was touched. */
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

  /** States of its cartons, and who counts them now. */
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

  /** Moves what goods without papers are to their announcement: what is held of them then was received by all who took them in. */
  matchInto(to: Arrival, settings: Settings, by: string): void {
    const leaving = this.keys
      .toSorted((a, b) => (a.carton === b.carton ? a.sku - b.sku : a.carton < b.carton ? -1 : 1))
      .sort((a, b) => Number(a.carton === '') - Number(b.carton === ''))
      .filter((key) => arrived(key) > 0);
    /** What was held of those that get something. */
    const touched = new Map<Key, number>();
    for (const key of leaving) {
      for (const [target, part] of to.#shares(key)) {
        if (!touched.has(target)) touched.set(target, target.held);
        to.add(target, part, 'SHELF', by);
      }
    }
    to.hold(touched.keys(), settings, by);
    for (const [target, before] of touched) {
      const takers = leaving.filter(({ sku }) => sku === target.sku).flatMap((key) => [...key.takers]);
      if (target.held > before) for (const taker of takers) target.holders.add(taker);
    }
    to.settle([...touched.keys()].map(({ carton }) => carton));
    for (const key of leaving) {
      this.add(key, { good: -key.good, damaged: -key.damaged, refused: -key.refused, held: -key.held }, 'SHELF', by);
    }
    this.settle(leaving.map(({ carton }) => carton));
  }

  /** Units with a carton are of this carton; others fill what is open of their item, the rest is of no carton. */
  #shares(key: Key): [Key, Units][] {
    if (this.type === 'PO') return [[this.key('', key.sku), { ...unitsOf(key) }]];
    if (key.carton !== '') return [[this.key(key.carton, key.sku), { ...unitsOf(key) }]];
    const left = unitsOf(key);
    const found: [Key, Units][] = [];
    for (const one of this.keys.filter(({ sku, announced }) => sku === key.sku && announced > 0)) {
      let room = Math.max(0, one.announced - arrived(one));
      const part = { good: 0, damaged: 0, refused: 0, held: 0 };
      for (const kind of KINDS) {
        part[kind] = Math.min(room, left[kind]);
        room -= part[kind];
        left[kind] -= part[kind];
      }
      if (arrived(part) > 0) found.push([one, part]);
    }
    return arrived(left) > 0 ? [...found, [this.key('', key.sku), left]] : found;
  }
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
    isReasoned: false,
    takers: new Set(),
    holders: new Set(),
  };
}
