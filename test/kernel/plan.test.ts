/**
 * The units and the money of an order add up after any actions in any order (docs/states.md). These tests use no
 * database and no clock.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Box } from '../../src/kernel/boxes.ts';
import { amountsOf } from '../../src/kernel/money.ts';
import { type Action, type CorrectedUnits, plan, type Returning, type Subject } from '../../src/kernel/plan.ts';
import { positionIn, stateOf } from '../../src/kernel/position.ts';
import {
  cancelWayOf,
  END_STATES,
  ENTRY_STATE,
  isAllowed,
  ORDER_ACTIONS,
  QUEUES,
  State,
} from '../../src/kernel/states.ts';
import { leftUnits, NOTHING_REQUESTED, onHandUnits, openUnits } from '../../src/kernel/units.ts';
import { big } from '../../src/platform/decimal.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../../src/platform/storage/tables.ts';
import { DEFAULT_SETTINGS, FULFILLMENT_TYPES, type FulfillmentType } from '../../src/shared/client-settings.ts';
import { makeCalendar } from '../../src/sla/calendar.ts';
import type { NodeSettings } from '../../src/sla/engine.ts';

const SETTINGS: NodeSettings = { ...DEFAULT_SETTINGS, calendar: makeCalendar('UTC', [], []) };
const NOON = Date.UTC(2026, 2, 2, 12);
const BY = { modifyAssociateId: 'ana' };

interface World extends Subject {
  /** Units that a reverse ticket still has to bring back. */
  returning: Returning[];
  /** Charged units by line. */
  charged: number[];
  /** The results of the CONFIRM that a correction can still change; undefined if no correction is possible. */
  confirmed?: readonly Omit<CorrectedUnits, 'before'>[] | undefined;
}

function newOrder(type: FulfillmentType, quantities: readonly number[]): World {
  const entering = { fulfillment_type: type, in_store: 0, queue_id: null, queued_at: 0 };
  const order = {
    client_id: 'TOWN',
    fulfillment_order_id: 'ORDER',
    currency: 'USD',
    carrier: 'UPS',
    service: 'GROUND',
    revision: 1,
    hold_location: null,
    pick_ticket_id: null,
    checkin_hold_location: null,
    ...entering,
    ...positionIn(SETTINGS, entering, ENTRY_STATE[type], NOON),
  } as FulfillmentOrderRow;
  const lines = quantities.map(
    (ordered, index) =>
      ({
        client_id: 'TOWN',
        fulfillment_order_id: 'ORDER',
        line_index: index,
        web_line_id: String(index),
        item_id: `SKU-${index}`,
        ordered,
        unit_price: '2.99',
        charges: '1.01',
        tax: '0.53',
        picked: 0,
        declined: 0,
        decline_reason: null,
        canceled: 0,
        canceling: 0,
        cancel_reason: null,
        handed_over: 0,
        refused: 0,
        refuse_reason: null,
        returned: 0,
        missing: 0,
      }) as OrderLineRow,
  );
  return { order, lines, boxes: [], requested: NOTHING_REQUESTED, returning: [], charged: quantities.map(() => 0) };
}

/** Returns the part of `units` that `share` selects. */
const part = (units: number, share: number) => Math.min(units, Math.floor(share * (units + 1)));

/** Returns an action of this type with the units that `shares` selects; undefined if no unit is available for it. */
function actionOf(world: World, type: Action['type'], shares: readonly number[]): Action | undefined {
  const share = (index: number) => shares[index % shares.length]!;
  const { lines, order } = world;
  switch (type) {
    case 'hold':
      return { type, itemId: 'SKU-0', until: NOON + 86_400_000 };
    case 'release':
      return { type };
    case 'generate':
      return { type, pickTicketId: '100001', userId: 'ana', ...BY };
    case 'reset':
      return { type, pickTicketId: '100001', userId: 'ana', ...BY };
    case 'confirm': {
      const results = lines.map((line) => {
        const quantity = openUnits(line);
        const picked = part(quantity, share(line.line_index));
        const wanted = quantity - line.canceling;
        const returning = Math.max(0, picked - wanted);
        const declined = Math.max(0, wanted - picked);
        const canceled = quantity - picked;
        const reason = declined > 0 ? 'NotFound' : null;
        return {
          lineIndex: line.line_index,
          picked,
          canceled,
          declined,
          returning,
          withdrawn: canceled - declined,
          reason,
        };
      });
      return { type, userId: 'ana', holdLocation: 'A1', results, ...BY };
    }
    case 'saveCheckIn':
      return { type, holdLocation: 'A1', counted: [], ...BY };
    case 'confirmCheckIn': {
      const arrived = lines.map((line) => {
        const checkedIn = part(line.ordered - line.canceled, share(line.line_index));
        const canceled = line.ordered - checkedIn;
        const canceledFor = [{ reason: 'NotFound', units: canceled }];
        return { lineIndex: line.line_index, checkedIn, canceled, canceledFor };
      });
      return { type, holdLocation: 'A1', arrived, ...BY };
    }
    case 'pack':
      return { type, created: 1, modified: 0, voided: 0, ...BY };
    case 'decline': {
      const declined = lines
        .map((line) => ({
          lineIndex: line.line_index,
          quantity: part(leftUnits(line), share(line.line_index)),
          reason: 'Broken',
        }))
        .filter(({ quantity }) => quantity > 0);
      return declined.length === 0 ? undefined : { type, declined, ...BY };
    }
    case 'cancel': {
      const units = new Map(lines.map((line) => [line.line_index, part(leftUnits(line), share(line.line_index))]));
      for (const [index, quantity] of units) if (quantity === 0) units.delete(index);
      const isWhole = share(0) > 0.5 && world.requested.resourceable > 0;
      return units.size === 0 && !isWhole ? undefined : { type, units, reasonCode: 'CancelMXCustomer', isWhole };
    }
    case 'expire':
      return lines.every((line) => leftUnits(line) === 0) ? undefined : { type };
    case 'handOver':
    case 'deliver': {
      const handed = lines
        .map((line) => {
          const all = part(leftUnits(line), share(line.line_index));
          const went = part(all, share(line.line_index + 1));
          return {
            lineIndex: line.line_index,
            handed: went,
            refused: all - went,
            reason: all > went ? 'Refused' : null,
          };
        })
        .filter((one) => one.handed + one.refused > 0);
      const how = { collectedBy: 'CUSTOMER' as const, verificationMethod: null, handOverId: 'H' };
      return handed.length === 0 ? undefined : { type, lines: handed, ...how, ...BY };
    }
    case 'bringBack': {
      const [first] = world.returning;
      if (first === undefined) return undefined;
      const returned = part(first.quantity, share(0));
      const lineIndex = first.line.line_index;
      const missing = first.quantity - returned;
      return { type, pickTicketId: '100002', userId: 'ana', returned: [{ lineIndex, returned, missing }], ...BY };
    }
    case 'change':
      return { type, changeId: 'C', userId: 'ana', fields: ['note'] };
    case 'move':
      return order.hold_location === null ? undefined : { type, moveId: 'M', userId: 'ana', holdLocation: 'B2' };
    case 'declineAll':
      return { type, userId: 'ana', reason: 'NotFound' };
    case 'correct': {
      if (world.confirmed === undefined) return undefined;
      const results = world.confirmed
        .map(({ lineIndex, picked, declined, withdrawn }) => {
          const now = part(picked + declined + withdrawn, share(lineIndex));
          const more = Math.max(0, now - picked);
          const found = Math.min(more, declined);
          const returning = Math.min(more - found, withdrawn);
          const fewer = Math.max(0, picked - now);
          const result = {
            lineIndex,
            picked: picked + found + returning - fewer,
            declined: declined - found + fewer,
            withdrawn: withdrawn - returning,
            returning,
            before: { picked, declined, withdrawn },
          };
          return { ...result, reason: result.declined > 0 ? 'NotFound' : null };
        })
        .filter(({ picked, before }) => picked !== before.picked);
      const by = { pickTicketId: '100001', correctionId: 'K', userId: 'ana', holdLocation: 'A1' };
      return results.length === 0 ? undefined : { type, ...by, results };
    }
    case 'resource': {
      const units = world.requested.resourceable;
      if (units === 0 || order.status !== State.RETURNED_FOR_RESOURCING) return undefined;
      return { type, requestId: 'R', outcome: share(0) > 0.5 ? 'RESOURCE' : 'CANCEL', units };
    }
  }
}

/** Returns a package with a share of the units that each line still has to pack. */
function packedBox({ lines, boxes }: World, shares: readonly number[]): Box[] {
  const packed = (index: number) =>
    boxes.flatMap(({ items }) => items).reduce((sum, item) => sum + (item.lineIndex === index ? item.quantity : 0), 0);
  const items = lines
    .map((line) => ({
      lineIndex: line.line_index,
      quantity: part(leftUnits(line) - packed(line.line_index), shares[line.line_index % shares.length]!),
      instructions: null,
      customAttributes: null,
    }))
    .filter(({ quantity }) => quantity > 0);
  const box = {
    index: boxes.length,
    packageId: `P${boxes.length}`,
    boxId: `B${boxes.length}`,
    trackingNumber: '1Z',
    items,
  };
  return [...boxes, { ...box, measures: {} as Box['measures'] }];
}

const partOf = fc.array(fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })), {
  minLength: 3,
  maxLength: 3,
});
const step = fc.record({
  type: fc.constantFrom(
    ...ORDER_ACTIONS.filter((action) => action !== 'packSlip' && action !== 'hold' && action !== 'release'),
  ),
  shares: partOf,
});
const anySteps = fc.array(step, { minLength: 1, maxLength: 40, size: 'max' });
/** The usual beginning. Random steps alone rarely pack an order. */
const usualSteps = fc
  .tuple(
    ...(['generate', 'confirm', 'pack'] as const).map((type) => fc.record({ type: fc.constant(type), shares: partOf })),
  )
  .chain((first) => anySteps.map((others) => [...first, ...others]));
const life = fc.record({
  type: fc.constantFrom(...FULFILLMENT_TYPES),
  quantities: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 }),
  steps: fc.oneof(anySteps, usualSteps),
});

/** Runs the steps that the state allows; `check` gets each action with the world before and after it. */
function live(
  {
    type,
    quantities,
    steps,
  }: { type: FulfillmentType; quantities: number[]; steps: { type: Action['type'] | 'packSlip'; shares: number[] }[] },
  check: (before: World, after: World, action: Action) => void,
): World {
  let world = newOrder(type, quantities);
  for (const [at, { type: kind, shares }] of steps.entries()) {
    if (kind === 'packSlip' || !isAllowed(world.order, kind)) continue;
    const action = actionOf(world, kind, shares);
    if (action === undefined) continue;
    const before = kind === 'pack' ? { ...world, boxes: packedBox(world, shares) } : world;
    const planned = plan(before, action, SETTINGS, NOON + at * 60_000);
    const declined = planned.declines.reduce((sum, { quantity }) => sum + quantity, 0);
    const requested = type === 'SHIP_TO_HOME' ? world.requested.resourceable + declined : 0;
    const anew = planned.requestAnew?.reduce((sum, { quantity }) => sum + quantity, 0);
    const answered = action.type === 'resource' ? action : undefined;
    const next: World = {
      order: planned.order,
      lines: planned.lines,
      boxes: before.boxes.map((box) => planned.changedBoxes.find(({ index }) => index === box.index) ?? box),
      requested: {
        resourceable: answered !== undefined || planned.closeRequests !== undefined ? 0 : (anew ?? requested),
        resourced: world.requested.resourced + (answered?.outcome === 'RESOURCE' ? answered.units : 0),
      },
      returning: [...(kind === 'bringBack' ? world.returning.slice(1) : world.returning), ...planned.returns],
      charged: world.charged.map((units, index) => units + (planned.money[index]?.units ?? 0)),
      confirmed: confirmedAfter(world, action),
    };
    check(before, next, action);
    world = next;
  }
  return world;
}

/**
 * Returns the results that a correction can still change after an action; undefined if no correction is possible. A
 * change or a move keeps the earlier results.
 */
function confirmedAfter({ confirmed }: World, action: Action): World['confirmed'] {
  if (action.type === 'change' || action.type === 'move') return confirmed;
  const results = action.type === 'confirm' ? action.results : action.type === 'correct' ? action.results : undefined;
  if (results === undefined || results.some(({ returning }) => returning > 0)) return undefined;
  const now = new Map(results.map((result) => [result.lineIndex, result]));
  return action.type === 'confirm' ? results : confirmed!.map((one) => now.get(one.lineIndex) ?? one);
}

describe('the plan of an action', () => {
  it('loses no unit and makes none: every count of every line adds up', () => {
    fc.assert(
      fc.property(life, (one) => {
        live(one, (before, after, action) => {
          for (const [index, line] of after.lines.entries()) {
            const at = `${action.type} of line ${index}: ${JSON.stringify(line)}`;
            expect(line.ordered, at).toBe(before.lines[index]!.ordered);
            expect(line.ordered, at).toBe(openUnits(line) + line.picked + line.declined + line.canceled);
            expect(line.picked, at).toBe(
              onHandUnits(line) + line.handed_over + line.refused + line.returned + line.missing,
            );
            const counts = [
              openUnits(line),
              onHandUnits(line),
              leftUnits(line),
              line.canceling,
              line.declined,
              line.canceled,
            ];
            expect(Math.min(...counts), at).toBeGreaterThanOrEqual(0);
            expect(line.canceling, at).toBeLessThanOrEqual(openUnits(line) + onHandUnits(line));
          }
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it('brings back every unit that was picked and canceled, each by one ticket', () => {
    fc.assert(
      fc.property(life, (one) => {
        live(one, (_before, { lines, returning, order }) => {
          for (const line of lines) {
            const waiting = returning
              .filter(({ line: { line_index: index } }) => index === line.line_index)
              .reduce((sum, { quantity }) => sum + quantity, 0);
            // During a pick and before the check-in, no ticket has to bring back the units that a cancellation marks.
            const isMarked = order.status === State.PICKING || order.status === State.WAITING_FOR_CHECK_IN;
            if (!isMarked) expect(waiting).toBe(line.canceling);
          }
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it('charges every unit that goes once, and none else: the parts are the whole to the cent', () => {
    fc.assert(
      fc.property(life, (one) => {
        let total = big('0');
        const world = live(one, (before, after) => {
          expect(after.charged).toEqual(after.lines.map((line) => line.handed_over));
          const parts = before.lines.map((line, index) => ({
            line,
            units: after.charged[index]! - before.charged[index]!,
            from: line.handed_over,
          }));
          const dues = { charges: '0', tax: '0', cash: null, credit: big('0') };
          total = total.plus(big(amountsOf(parts, dues, 'USD').total.grandTotal));
        });
        const dues = { charges: '0', tax: '0', cash: null, credit: big('0') };
        const whole = world.lines.map((line) => ({ line, units: line.handed_over, from: 0 }));
        expect(total.toFixed(2)).toBe(big(amountsOf(whole, dues, 'USD').total.grandTotal).toFixed(2));
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves no unit in a package that is not wanted', () => {
    let packages = 0;
    fc.assert(
      fc.property(life, (one) => {
        live(one, (_before, { lines, boxes, order }, action) => {
          if (order.status !== State.WAITING_FOR_PACK && order.status !== State.WAITING_FOR_DELIVERY) return;
          if (action.type === 'deliver') return;
          for (const line of lines) {
            const items = boxes.flatMap((box) => box.items).filter((item) => item.lineIndex === line.line_index);
            const packed = items.reduce((sum, { quantity }) => sum + quantity, 0);
            packages += items.length;
            expect(packed).toBeLessThanOrEqual(leftUnits(line) + line.handed_over + line.refused);
          }
        });
      }),
      { numRuns: 1_000 },
    );
    expect(packages).toBeGreaterThan(30);
  });

  it('takes a package apart of which more was canceled than is left to pack', () => {
    const steps = [
      { type: 'generate' as const, shares: [1] },
      { type: 'confirm' as const, shares: [1] },
      { type: 'pack' as const, shares: [0.5] },
      { type: 'cancel' as const, shares: [0.7] },
    ];
    const packed: number[] = [];
    const world = live({ type: 'SHIP_TO_HOME', quantities: [4], steps }, (_before, { boxes }) => {
      packed.push(boxes.flatMap(({ items }) => items).reduce((sum, { quantity }) => sum + quantity, 0));
    });
    expect(packed).toEqual([0, 0, 2, 0]);
    expect(world.lines.map(leftUnits)).toEqual([1]);
    expect(world.order.status).toBe(State.WAITING_FOR_PACK);
  });

  it('is on the queue of its state, and ends when no work is left', () => {
    fc.assert(
      fc.property(life, (one) => {
        live(one, (before, { order, lines }, action) => {
          const state = stateOf(order);
          expect(order.queue_id).toBe(QUEUES[one.type][state]);
          expect(order.ended_at !== null).toBe(END_STATES.includes(state));
          expect(order.revision).toBe(before.order.revision + 1);
          const left = lines.reduce((sum, line) => sum + leftUnits(line), 0);
          if (END_STATES.includes(state)) expect(left).toBe(0);
          if (action.type === 'cancel') expect(cancelWayOf(one.type, stateOf(before.order))).not.toBeNull();
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it('names every event after the order, each with the state that the order is in then', () => {
    fc.assert(
      fc.property(life, (one) => {
        live(one, (before, _after, action) => {
          const planned = plan(before, action, SETTINGS, NOON);
          expect(planned.events.length).toBeGreaterThan(0);
          for (const { type } of planned.events) expect(type).toMatch(/^order\.[a-z][A-Za-z]+$/);
          expect(planned.events.at(-1)!.data['status']).toBeDefined();
        });
      }),
      { numRuns: 300 },
    );
  });

  it('a corrected CONFIRM leaves the order where the right one would have, and nothing of the wrong one stays', () => {
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 });
    const quantities = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 });
    const picking = fc.constantFrom<FulfillmentType>('STORE_PICK_UP', 'SHIP_TO_HOME', 'ASSOCIATE_DELIVERY');
    const marks = fc.constantFrom<'none' | 'some'>('none', 'some');
    let corrections = 0;
    fc.assert(
      fc.property(
        picking,
        quantities,
        shares,
        shares,
        shares,
        marks,
        (type, ordered, wrong, right, canceled, marked) => {
          const before = [
            { type: 'generate' as const, shares: wrong },
            ...(marked === 'some' ? [{ type: 'cancel' as const, shares: canceled }] : []),
          ];
          const confirm = (how: number[]) => ({ type: 'confirm' as const, shares: how });
          const keyed = live({ type, quantities: ordered, steps: [...before, confirm(wrong)] }, () => {});
          // A ticket already has the goods to bring back, so no correction is possible.
          if (keyed.confirmed === undefined) return;
          corrections += 1;
          const wanted = live({ type, quantities: ordered, steps: [...before, confirm(right)] }, () => {});
          const results = wanted.lines.map((line, index) => {
            const { picked, declined, withdrawn } = keyed.confirmed![index]!;
            const returning = line.canceling;
            const target = { picked: line.picked, declined: line.declined };
            const rest = picked + declined + withdrawn - target.picked - target.declined;
            const reason = line.declined > 0 ? 'NotFound' : null;
            return {
              lineIndex: index,
              ...target,
              withdrawn: rest,
              returning,
              reason,
              before: { picked, declined, withdrawn },
            };
          });
          const isOther = ({ picked, before: was }: CorrectedUnits) => picked !== was.picked;
          const by = { pickTicketId: '100001', correctionId: 'K', userId: 'ana', holdLocation: 'A1' };
          const planned = plan(keyed, { type: 'correct', ...by, results: results.filter(isOther) }, SETTINGS, NOON);
          expect(planned.lines).toEqual(wanted.lines);
          expect(planned.order.status).toBe(wanted.order.status);
          expect(planned.order.queue_id).toBe(wanted.order.queue_id);
          expect(planned.order.sla_type).toBe(wanted.order.sla_type);
          expect(planned.order.hold_location).toBe(wanted.order.hold_location);
          expect(planned.order.ended_at === null).toBe(wanted.order.ended_at === null);
          const asked = planned.requestAnew?.reduce((sum, { quantity }) => sum + quantity, 0);
          expect(asked ?? keyed.requested.resourceable).toBe(wanted.requested.resourceable);
          expect(planned.money).toEqual([]);
        },
      ),
      { numRuns: 1_000 },
    );
    expect(corrections).toBeGreaterThan(500);
  });

  it('rejects an action that the state does not allow', () => {
    const world = newOrder('STORE_PICK_UP', [1]);
    expect(() => plan(world, { type: 'expire' }, SETTINGS, NOON)).toThrow('expire of an order in 1100');
  });
});
