/**
 * Tests the state tables and the pure functions that compute the sums of receipts: no random sequence of actions loses
 * a unit.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cartonState, shownCartonState } from '../../src/kernel/arrivals/carton-states.ts';
import { announcedOf, keyId } from '../../src/kernel/arrivals/shipment.ts';
import {
  INBOUND_ACTIONS,
  INBOUND_TRANSITIONS,
  inboundBlock,
  SHIPMENT_STATES,
  type ShipmentState,
} from '../../src/kernel/arrivals/states.ts';
import {
  added,
  approved,
  arrived,
  type Booked,
  belowZero,
  booked,
  holdUnits,
  type KeyState,
  NO_SUMS,
  NOTHING,
  type Sums,
  sumsOf,
  toleranceOf,
  UNTOUCHED,
  unitsToHold,
} from '../../src/kernel/arrivals/sums.ts';

const TOLERANCES = [
  { percent: 0, units: 0 },
  { percent: 10, units: 0 },
  { percent: 0, units: 3 },
  { percent: 5, units: 1 },
] as const;

const units = fc.record({ good: fc.nat(15), damaged: fc.nat(3), refused: fc.nat(3), held: fc.nat(3) });
const signed = fc.record({
  good: fc.integer({ min: -15, max: 15 }),
  damaged: fc.integer({ min: -3, max: 3 }),
  refused: fc.integer({ min: -3, max: 3 }),
  held: fc.integer({ min: -3, max: 3 }),
});
const KEYS = 3;
const key = fc.nat(KEYS - 1);
const action = fc.oneof(
  fc.record({ do: fc.constant('receive' as const), key, units, stage: fc.boolean() }),
  fc.record({ do: fc.constant('correct' as const), key, units: signed, stage: fc.boolean() }),
  fc.record({ do: fc.constant('approve' as const), key, good: fc.nat(5), damaged: fc.nat(2), refused: fc.nat(2) }),
  fc.record({ do: fc.constant('match' as const), key, to: key }),
  fc.record({ do: fc.constantFrom('close' as const, 'reopen' as const) }),
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

interface World {
  state: ShipmentState;
  announced: readonly number[];
  keys: KeyState[];
  tolerance: (typeof TOLERANCES)[number];
}

/** Executes one action on the model if the state allows the action. */
function act(world: World, one: Action): void {
  const isAllowed = (name: keyof (typeof INBOUND_TRANSITIONS)['EXPECTED']) =>
    inboundBlock(world.state, name) === undefined;
  const go = (name: keyof (typeof INBOUND_TRANSITIONS)['EXPECTED']) => {
    world.state = INBOUND_TRANSITIONS[world.state][name] as ShipmentState;
  };
  const judge = (index: number) => {
    const before = world.keys[index]!;
    world.keys[index] = holdUnits(before, unitsToHold(world.announced[index]!, before, world.tolerance));
  };
  if (!isAllowed(one.do)) return;
  switch (one.do) {
    case 'receive':
    case 'correct': {
      const before = world.keys[one.key]!;
      if (belowZero(before, one.units).length > 0) return;
      world.keys[one.key] = booked(before, one.units, one.stage ? one.units.good : 0);
      judge(one.key);
      break;
    }
    case 'approve': {
      const { good, damaged, refused } = one;
      if (good + damaged + refused > world.keys[one.key]!.held) return;
      world.keys[one.key] = approved(
        world.keys[one.key]!,
        { good, damaged, refused },
        {
          announced: world.announced[one.key]!,
          tolerance: world.tolerance,
        },
      );
      break;
    }
    case 'match': {
      if (one.key === one.to) return;
      const { staged, decided: _decided, ...moved } = world.keys[one.key]!;
      world.keys[one.key] = UNTOUCHED;
      world.keys[one.to] = booked(world.keys[one.to]!, moved, staged);
      judge(one.to);
      break;
    }
    default:
      break;
  }
  go(one.do);
}

function expectSums({ announced, over, good, damaged, refused, held, short, open }: Sums): void {
  expect(announced + over).toBe(good + damaged + refused + held + short + open);
}

describe('the sums', () => {
  it('every unit of announced + over is in exactly one other sum, for each key and all together, after any actions', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(20), { minLength: KEYS, maxLength: KEYS }),
        fc.constantFrom(...TOLERANCES),
        fc.array(action, { maxLength: 30 }),
        (announced, tolerance, actions) => {
          const world: World = { state: 'EXPECTED', announced, keys: Array<KeyState>(KEYS).fill(UNTOUCHED), tolerance };
          for (const one of actions) {
            const came = world.keys.reduce((sum, state) => sum + arrived(state), 0);
            act(world, one);
            let total = NO_SUMS;
            for (const [index, state] of world.keys.entries()) {
              const sums = sumsOf(announced[index]!, state, world.state);
              expectSums(sums);
              expect(Math.min(...Object.values(state), ...Object.values(sums))).toBeGreaterThanOrEqual(0);
              expect(state.staged).toBeLessThanOrEqual(state.good);
              expect(sums.open * sums.over + sums.short * sums.over + sums.open * sums.short).toBe(0);
              total = added(total, sums);
            }
            expectSums(total);
            const after = world.keys.reduce((sum, state) => sum + arrived(state), 0);
            if (one.do !== 'receive' && one.do !== 'correct') expect(after).toBe(came);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('of receipts are the same for any sequence', () => {
    const receipts = fc.array(units, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.nat(40),
        fc.constantFrom(...TOLERANCES),
        receipts,
        fc.integer(),
        (announced, tolerance, all, seed) => {
          const book = (some: readonly Booked[]) =>
            some.reduce<KeyState>((state, one) => {
              const next = booked(state, one);
              return holdUnits(next, unitsToHold(announced, next, tolerance));
            }, UNTOUCHED);
          const shuffled = all
            .map((one, index) => ({ one, at: (index * 7_919 + seed) % 11 }))
            .sort((a, b) => a.at - b.at);
          expect(book(shuffled.map(({ one }) => one))).toEqual(book(all));
        },
      ),
    );
  });

  it('hold exactly the units beyond announced and tolerance that are neither held nor decided', () => {
    expect(TOLERANCES.map((tolerance) => toleranceOf(19, tolerance))).toEqual([0, 1, 3, 1]);
    const came = (good: number, held = 0) => ({ ...UNTOUCHED, good, held });
    expect(unitsToHold(10, came(12), TOLERANCES[0])).toBe(2);
    expect(unitsToHold(10, came(12), TOLERANCES[2])).toBe(0);
    expect(unitsToHold(10, came(10, 2), TOLERANCES[0])).toBe(0);
    expect(unitsToHold(10, { ...UNTOUCHED, good: 8, damaged: 4 }, TOLERANCES[0])).toBe(2);
    expect(unitsToHold(0, came(2), TOLERANCES[2])).toBe(2);
    const limits = { announced: 10, tolerance: TOLERANCES[0] };
    expect(unitsToHold(10, approved(came(10, 2), { good: 2, damaged: 0, refused: 0 }, limits), TOLERANCES[0])).toBe(0);
  });
});

describe('the states', () => {
  it('of shipments are defined for every action', () => {
    const cells = SHIPMENT_STATES.map((state) => INBOUND_ACTIONS.map((one) => INBOUND_TRANSITIONS[state][one]));
    expect(cells).toEqual([
      ['EXPECTED', 'RECEIVING', 'RECEIVING', 'refused', 'RECEIVING', 'CLOSED', 'refused', 'removed'],
      ['RECEIVING', 'RECEIVING', 'RECEIVING', 'RECEIVING', 'RECEIVING', 'CLOSED', 'refused', 'refused'],
      ['refused', 'refused', 'refused', 'refused', 'refused', 'refused', 'RECEIVING', 'refused'],
    ]);
  });

  it('of cartons follow from their sums and from a scan of the whole carton', () => {
    const open = sumsOf(5, NOTHING, 'RECEIVING');
    const part = sumsOf(5, { ...NOTHING, good: 3 }, 'RECEIVING');
    const full = sumsOf(5, { ...NOTHING, good: 4, refused: 1 }, 'RECEIVING');
    expect([open, part, full].map((sums) => cartonState(true, sums, null))).toEqual([
      'EXPECTED',
      'COUNTING',
      'RECEIVED',
    ]);
    expect((['GOOD', 'HELD', 'DAMAGED', 'REFUSED'] as const).map((as) => cartonState(true, full, as))).toEqual([
      'RECEIVED',
      'RECEIVED',
      'DAMAGED',
      'REFUSED',
    ]);
    expect(cartonState(false, full, null)).toBe('UNEXPECTED');
    expect((['EXPECTED', 'COUNTING', 'DAMAGED'] as const).map((one) => shownCartonState(one, 'CLOSED'))).toEqual([
      'MISSING',
      'RECEIVED',
      'DAMAGED',
    ]);
  });
});

describe('the line number of a key', () => {
  it('is that of its lines if all have the same one', () => {
    const lineNumberOf = (...lineNumbers: (string | undefined)[]) => {
      const lines = lineNumbers.map((lineNumber) => {
        const line = { cartonId: '', itemId: '21-MUG', clientItemId: 'MUG', quantity: 5, itemCost: '' };
        return { ...line, lineNumber, trailerNumber: undefined, purchaseOrder: undefined };
      });
      return announcedOf(lines).keys.get(keyId('', '21-MUG'))!.lineNumber;
    };
    expect(lineNumberOf('10')).toBe('10');
    expect(lineNumberOf('10', '10')).toBe('10');
    expect(lineNumberOf('10', '20')).toBeUndefined();
    expect(lineNumberOf('10', undefined)).toBeUndefined();
    expect(lineNumberOf(undefined, '10', undefined)).toBeUndefined();
  });
});
