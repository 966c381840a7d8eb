/**
 * The units of arrived goods add up after any actions in any order (docs/receiving.md). These tests use no database and
 * no clock.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action, CartonWork, Plan, Subject } from '../../src/kernel/arrivals/action.ts';
import { expectedCarton, isDone } from '../../src/kernel/arrivals/carton-states.ts';
import { planArrival } from '../../src/kernel/arrivals/plan.ts';
import {
  allKeys,
  announcedOf,
  keyState,
  type Shipment,
  sumsOfCarton,
  sumsOfKey,
} from '../../src/kernel/arrivals/shipment.ts';
import { added, arrived, KINDS, NO_SUMS, type Sums } from '../../src/kernel/arrivals/sums.ts';
import type {
  InboundEntryRow,
  InboundReceiptRow,
  InboundShipmentRow,
  InboundStatementRow,
} from '../../src/platform/storage/tables.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/shared/client-settings.ts';

const NOON = Date.UTC(2026, 2, 2, 12);
const HOUR = 3_600_000;
const CARTONS = ['C-0', 'C-1', 'C-2'];
const ITEMS = ['21-CUP', '21-MUG'];

/** A shipment with its stored rows. */
interface Stored {
  shipment: Shipment;
  cartons: Map<string, CartonWork>;
  entries: InboundEntryRow[];
  receipts: InboundReceiptRow[];
  statements: InboundStatementRow[];
}

/** An announcement, and goods without papers that later prove to belong to it. No shipment announces carton C-2. */
interface World {
  asn: Stored;
  blind: Stored;
  /** Units by place, summed from the moves of stock. */
  places: Record<string, number>;
}

const ROW = {
  client_id: 'TOWN',
  seller_id: 'TOWNS',
  node_id: 'DC',
  store_id: 'TOWN',
  message_id: 'm',
  completed_at: null,
};
const UNITS = { received_units: 0, receipts: 0, statements: 0, cartons_done: 0, revision: 1, arrived_at: null };

function newShipment(type: 'ASN' | 'BLIND', lines: readonly (readonly [string, string, number])[]): Stored {
  const announced = announcedOf(
    lines.map(([cartonId, itemId, quantity], index) => {
      const own = { cartonId, itemId, quantity, clientItemId: itemId.slice(3), lineNumber: String(index + 1) };
      return { ...own, trailerNumber: undefined, purchaseOrder: undefined, itemCost: '1' };
    }),
  );
  const total = lines.reduce((sum, [, , quantity]) => sum + quantity, 0);
  const totals = { total_units: total, open_units: total, cartons: announced.cartons.size };
  const row = { ...ROW, ...UNITS, ...totals, type, number: type, status: 'EXPECTED', matched_to: null };
  const shipment = {
    row: row as InboundShipmentRow,
    announced,
    states: new Map(),
    others: new Map(),
    catalogIds: ['21'],
  };
  return { shipment, cartons: new Map(), entries: [], receipts: [], statements: [] };
}

const place = fc.constantFrom('SHELF' as const, 'STAGE' as const);
const count = (most: number) => fc.integer({ min: 0, max: most });
const kinds = fc.record({ good: count(4), damaged: count(1), refused: count(1), held: count(1) });
const signed = fc.record({
  good: fc.integer({ min: -4, max: 2 }),
  damaged: fc.integer({ min: -1, max: 1 }),
  refused: fc.integer({ min: -1, max: 1 }),
  held: fc.integer({ min: -1, max: 1 }),
});
const key = { cartonId: fc.constantFrom(undefined, ...CARTONS), itemId: fc.constantFrom(...ITEMS) };
const lineOf = <T>(units: fc.Arbitrary<T>) =>
  fc.array(fc.record({ ...key, units, to: place }), { minLength: 1, maxLength: 3 });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('receive' as const), lines: lineOf(kinds), late: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('scan' as const),
      cartonId: fc.constantFrom(...CARTONS),
      as: fc.constantFrom('GOOD' as const, 'DAMAGED' as const, 'REFUSED' as const, 'HELD' as const),
      late: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('correct' as const), lines: lineOf(signed), late: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('back' as const),
      which: fc.nat(),
      share: fc.constantFrom(0.3, 0.6, 1),
      late: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('approve' as const), lines: lineOf(kinds) }) },
  fc.record({ do: fc.constant('match' as const) }),
  fc.record({ do: fc.constant('close' as const) }),
  fc.record({ do: fc.constantFrom('reopen' as const, 'arrive' as const) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('again' as const), which: fc.nat(), isSame: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
const life = fc.record({
  announced: fc.array(count(5), { minLength: 4, maxLength: 4 }),
  over: fc.constantFrom({ percent: 0, units: 0 }, { percent: 0, units: 2 }, { percent: 50, units: 1 }),
  fourEyes: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }),
});
type Life = typeof life extends fc.Arbitrary<infer L> ? L : never;

/** Returns the action of a step, and its shipment. A step with `late` acts on the goods without papers. */
function actionOf(
  world: World,
  one: Exclude<Step, { do: 'again' }>,
  id: string,
): [keyof World & ('asn' | 'blind'), Action] {
  const by = { id, hash: id, userId: 'ann' };
  const receipt = { ...by, at: NOON, place: 'SHELF' as const, cartons: [], lines: [], isUnannounced: true };
  const on = 'late' in one && one.late ? 'blind' : 'asn';
  const corrects = world[on].receipts[0]?.receipt_id ?? 'none';
  switch (one.do) {
    case 'receive':
      return [on, { type: 'receive', ...receipt, lines: one.lines }];
    case 'scan':
      return [on, { type: 'receive', ...receipt, cartons: [{ cartonId: one.cartonId, as: one.as }] }];
    case 'correct':
      return [on, { type: 'correct', ...receipt, corrects, lines: one.lines }];
    case 'back':
      return [on, { type: 'correct', ...receipt, corrects, lines: takenBack(world[on].shipment, one) }];
    case 'approve':
      return ['asn', { type: 'approve', ...by, userId: 'lee', place: 'SHELF', lines: one.lines }];
    case 'match':
      return ['blind', { type: 'match', target: world.asn.shipment, userId: 'ann' }];
    case 'close':
      return ['asn', { type: 'close', ...by, reasons: [{ reason: 'SEEN' }] }];
    case 'reopen':
      return ['asn', { type: 'reopen', userId: 'lee', reason: 'MORE' }];
    case 'arrive':
      return ['asn', { type: 'arrive', userId: 'ann', at: NOON }];
  }
}

/** Returns a list with a line that removes a share of the received units of a key; empty without received units. */
function takenBack(shipment: Shipment, { which, share }: { which: number; share: number }) {
  const keys = [...allKeys(shipment)].filter((own) => arrived(keyState(shipment, own)) > 0);
  const own = keys[which % Math.max(1, keys.length)];
  if (own === undefined) return [];
  const { good, damaged, refused, held } = keyState(shipment, own);
  const part = (units: number) => -Math.ceil(units * share);
  const units = { good: part(good), damaged: part(damaged), refused: part(refused), held: part(held) };
  return [{ cartonId: own.cartonId || undefined, itemId: own.itemId, units }];
}

/** Returns the subject of an action, as the service reads it. */
function subjectOf(world: World, on: 'asn' | 'blind', action: Action): Subject {
  const { shipment, cartons, entries, receipts, statements } = world[on];
  const kept = new Map(CARTONS.map((id) => [id, cartons.get(id) ?? expectedCarton(id)]));
  const own = receipts.filter(({ kind }) => kind === (action.type === 'approve' ? 'APPROVAL' : 'RECEIPT'));
  const last = (id: string) => entries.findLast((entry) => entry.carton_id === id)?.position;
  return {
    shipment,
    before:
      'hash' in action
        ? action.type === 'close'
          ? statements.find(({ close_id }) => close_id === action.id)
          : own.find(({ receipt_id }) => receipt_id === action.id)
        : undefined,
    cartons: 'cartons' in action ? new Map([...kept].filter(([id]) => touches(action, id))) : kept,
    targetCartons: world.asn.cartons,
    lastReceipts: new Map(
      CARTONS.flatMap((id) => {
        const receipt = receipts.find(({ position }) => position === last(id));
        return receipt === undefined ? [] : [[id, { receiptId: receipt.receipt_id, userId: 'ann', since: NOON }]];
      }),
    ),
    isCorrectable: receipts.some(({ kind, receipt_id }) => {
      return kind !== 'APPROVAL' && action.type === 'correct' && receipt_id === action.corrects;
    }),
    entries,
    taken: [],
  };
}

const touches = ({ cartons, lines }: Extract<Action, { cartons: unknown }>, id: string) =>
  [...cartons, ...lines].some(({ cartonId }) => cartonId === id);

/** Returns the world with everything that a plan writes. */
function written(world: World, plan: Extract<Plan, { outcome: 'done' }>): World {
  const next = { ...world, places: { ...world.places } };
  for (const { shipment, booking, statement } of plan.changes) {
    const on = shipment.row.type === 'ASN' ? 'asn' : 'blind';
    const stored = { ...next[on], shipment, cartons: new Map(next[on].cartons) };
    if (booking !== undefined) {
      const position = shipment.row.receipts;
      const { kind, id: receipt_id, hash: content_hash, userId: user_id } = booking.fact;
      stored.receipts = [
        ...stored.receipts,
        { kind, receipt_id, content_hash, user_id, position } as InboundReceiptRow,
      ];
      const rows = booking.entries.map(({ key: { cartonId, itemId }, units, reason = null, place }) => {
        return { carton_id: cartonId, item_id: itemId, ...units, reason, place, position } as InboundEntryRow;
      });
      stored.entries = [...stored.entries, ...rows];
      for (const work of booking.cartons) stored.cartons.set(work.carton_id, work);
      for (const { from, to, quantity } of booking.moves) {
        next.places[from] = (next.places[from] ?? 0) - quantity;
        next.places[to] = (next.places[to] ?? 0) + quantity;
      }
    }
    if (statement !== undefined) {
      const row = { close_id: statement.doc.closeId, content_hash: statement.hash, doc: JSON.stringify(statement.doc) };
      stored.statements = [...stored.statements, row as InboundStatementRow];
    }
    next[on] = stored;
  }
  return next;
}

/** Runs the steps; `check` gets every plan with the world before and after it. */
function live({ announced, over, fourEyes, steps }: Life, check: (seen: Seen) => void): World {
  const [one = 0, two = 0, three = 0, four = 0] = announced;
  const lines = [
    ['C-0', '21-CUP', one],
    ['C-0', '21-MUG', two],
    ['C-1', '21-CUP', three],
    ['C-1', '21-CUP', four],
  ] as const;
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    receiving: { ...DEFAULT_SETTINGS.receiving, over, fourEyes },
  };
  let world: World = {
    asn: newShipment(
      'ASN',
      lines.filter(([, , quantity]) => quantity > 0),
    ),
    blind: newShipment('BLIND', []),
    places: {},
  };
  const sent: (readonly ['asn' | 'blind', Action])[] = [];
  for (const [at, wanted] of steps.entries()) {
    const again = wanted.do === 'again' ? sent[wanted.which % Math.max(1, sent.length)] : undefined;
    if (wanted.do === 'again' && again === undefined) continue;
    const [on, action] = again ?? actionOf(world, wanted as Exclude<Step, { do: 'again' }>, `r${at}`);
    const isOther = wanted.do === 'again' && !wanted.isSame && 'hash' in action;
    const asked = isOther ? { ...action, hash: 'other' } : action;
    const plan = planArrival(subjectOf(world, on, asked), asked, settings, NOON + at * HOUR);
    const after = plan.outcome === 'done' ? written(world, plan) : world;
    check({ before: world, after, action: asked, plan, isAgain: again !== undefined, isOther });
    if (plan.outcome === 'done' && 'hash' in action) sent.push([on, action]);
    world = after;
  }
  return world;
}

interface Seen {
  before: World;
  after: World;
  action: Action;
  plan: Plan;
  isAgain: boolean;
  isOther: boolean;
}

function expectBalance(sums: Sums, at: string): void {
  const { announced, over, good, damaged, refused, held, short, open } = sums;
  expect(announced + over, at).toBe(good + damaged + refused + held + short + open);
  expect(Math.min(...Object.values(sums)), at).toBeGreaterThanOrEqual(0);
}

const both = ({ asn, blind }: World) => [asn, blind];
const RUNS = { numRuns: 300 };

describe('the plan of an action on arrived goods', () => {
  it('keeps `announced + over = good + damaged + refused + held + short + open` for each key, carton and shipment', () => {
    fc.assert(
      fc.property(life, (one) => {
        live(one, ({ after, action }) => {
          for (const { shipment } of both(after)) {
            let total = NO_SUMS;
            for (const own of allKeys(shipment)) {
              const at = `${action.type} of ${own.id}: ${JSON.stringify(keyState(shipment, own))}`;
              expectBalance(sumsOfKey(shipment, own), at);
              expect(keyState(shipment, own).staged, at).toBeLessThanOrEqual(keyState(shipment, own).good);
              total = added(total, sumsOfKey(shipment, own));
            }
            for (const id of CARTONS) expectBalance(sumsOfCarton(shipment, id), `${action.type} of ${id}`);
            expect(shipment.row).toMatchObject({ received_units: arrived(total), open_units: total.open });
          }
        });
      }),
      RUNS,
    );
  });

  it('has the sums that its entries add up to, and moves them to the places that its entries say', () => {
    fc.assert(
      fc.property(life, (one) => {
        live(one, ({ after, action }) => {
          const places: Record<string, number> = { SHELF: 0, STAGE: 0, DAMAGED: 0, HELD: 0 };
          for (const { shipment, entries } of both(after)) {
            for (const own of allKeys(shipment)) {
              const of = entries.filter((row) => row.carton_id === own.cartonId && row.item_id === own.itemId);
              for (const kind of KINDS) {
                const units = of.reduce((sum, row) => sum + row[kind], 0);
                expect(keyState(shipment, own)[kind], `${action.type}: ${kind} of ${own.id}`).toBe(units);
              }
            }
            for (const row of entries) {
              places[row.place]! += row.good;
              places['DAMAGED']! += row.damaged;
              places['HELD']! += row.held;
            }
          }
          for (const [spot, units] of Object.entries(places)) {
            expect(after.places[spot] ?? 0, `${action.type}: ${spot}`).toBe(units);
          }
        });
      }),
      RUNS,
    );
  });

  it('books nothing twice: the same id again is a repeat, with other content it is rejected', () => {
    let repeats = 0;
    fc.assert(
      fc.property(life, (one) => {
        live(one, ({ before, after, action, plan, isAgain, isOther }) => {
          if (!isAgain || !('hash' in action)) return;
          repeats += 1;
          expect(plan.outcome, action.type).toBe(isOther ? 'rejected' : 'repeat');
          expect(after).toBe(before);
        });
      }),
      RUNS,
    );
    expect(repeats).toBeGreaterThan(40);
  });

  it('closes with the statement of its sums: nothing is open, and the next close makes the next version', () => {
    let closes = 0;
    fc.assert(
      fc.property(life, (one) => {
        live(one, ({ before, after, action, plan }) => {
          if (action.type !== 'close' || plan.outcome !== 'done') return;
          closes += 1;
          const [change] = plan.changes;
          const { doc } = change!.statement!;
          const { shipment } = after.asn;
          expect(shipment.row).toMatchObject({ status: 'CLOSED', open_units: 0, statements: doc.version });
          expect(doc.version).toBe(before.asn.statements.length + 1);
          const lines = [...allKeys(shipment)].map((own) => ({ itemId: own.itemId, sums: sumsOfKey(shipment, own) }));
          expect(doc.lines).toMatchObject(
            lines.map(({ itemId, sums: { open: _open, ...sums } }) => ({ itemId, ...sums })),
          );
          expect(doc.totals).toEqual(lines.reduce((sum, { sums }) => added(sum, sums), NO_SUMS));
          expect([doc.totals.open, doc.totals.held]).toEqual([0, 0]);
          expect(doc.totals.short).toBe(before.asn.shipment.row.open_units);
          const [event] = plan.events;
          expect(event).toMatchObject({ type: 'inbound.closed', data: { version: doc.version, totals: doc.totals } });
        });
      }),
      RUNS,
    );
    expect(closes).toBeGreaterThan(15);
  });

  it('counts the cartons that are done, of which nothing is open, and keeps a scan or holder only where there is one', () => {
    fc.assert(
      fc.property(life, (one) => {
        live(one, ({ after, action }) => {
          for (const { shipment, cartons } of both(after)) {
            const { row } = shipment;
            const done = [...cartons.values()].filter(({ state }) => isDone(state)).length;
            expect(row.cartons_done, action.type).toBe(row.status === 'CLOSED' ? row.cartons : done);
            for (const { carton_id: id, state, whole_as: wholeAs, user_id: userId } of cartons.values()) {
              const { open, ...sums } = sumsOfCarton(shipment, id);
              const at = `${action.type}: ${id} is ${state} with ${JSON.stringify({ ...sums, open })}`;
              if (row.status !== 'CLOSED') {
                if (state === 'COUNTING') expect(open, at).toBeGreaterThan(0);
                else if (state !== 'EXPECTED') expect(open, at).toBe(0);
              }
              if (state === 'EXPECTED' || arrived(sums) === 0) expect([wholeAs, userId], at).toEqual([null, null]);
            }
          }
        });
      }),
      RUNS,
    );
  });

  it('tells of each shipment at its revision: a revision has one event, or a second one where it is complete', () => {
    fc.assert(
      fc.property(life, (one) => {
        live(one, ({ plan }) => {
          if (plan.outcome !== 'done') return;
          const revisions = new Map(
            plan.changes.map(({ shipment: { row } }) => [`${row.type}/${row.seller_id}/${row.number}`, row.revision]),
          );
          for (const { resourceId, revision } of plan.events) expect(revision).toBe(revisions.get(resourceId));
          const others = plan.events.filter(({ type }) => type !== 'inbound.completed');
          expect(new Set(others.map(({ resourceId }) => resourceId)).size).toBe(others.length);
        });
      }),
      RUNS,
    );
  });
});
