/**
 * The units of a pick ticket add up after any actions in any order (docs/states.md). These tests use no database and no
 * clock.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Subject as OrderSubject, plan } from '../../src/kernel/plan.ts';
import { positionIn } from '../../src/kernel/position.ts';
import { ENTRY_STATE, isAllowed, State } from '../../src/kernel/states.ts';
import type { Action, Plan, SentScan, Subject } from '../../src/kernel/tickets/action.ts';
import { planNewTicket } from '../../src/kernel/tickets/generate.ts';
import { type MergedItem, mergeLines } from '../../src/kernel/tickets/merge-lines.ts';
import { newTicket, partOfTicket } from '../../src/kernel/tickets/new-ticket.ts';
import { planTicket } from '../../src/kernel/tickets/plan.ts';
import { progressOf } from '../../src/kernel/tickets/scans.ts';
import { claimantOf, type Share, splitOf } from '../../src/kernel/tickets/split.ts';
import { PICK_TICKET_TRANSITIONS, stateOfTicket, TICKET_ACTIONS } from '../../src/kernel/tickets/states.ts';
import { leftUnits, NOTHING_REQUESTED, openUnits } from '../../src/kernel/units.ts';
import type {
  FulfillmentOrderRow,
  OrderLineRow,
  PickTicketItemRow,
  PickTicketLineRow,
  PickTicketRow,
} from '../../src/platform/storage/tables.ts';
import { DEFAULT_SETTINGS } from '../../src/shared/client-settings.ts';
import { makeCalendar } from '../../src/sla/calendar.ts';
import type { NodeSettings } from '../../src/sla/engine.ts';

const SETTINGS: NodeSettings = { ...DEFAULT_SETTINGS, calendar: makeCalendar('UTC', [], []) };
const NOON = Date.UTC(2026, 2, 2, 12);
const MINUTE = 60_000;
const REASON = DEFAULT_SETTINGS.cancelReasons[0]!.code;
const SKUS = ['MUG', 'SOAP', 'TEE'];

/** A ticket with its orders. */
type World = Omit<Subject, 'orders'> & { orders: readonly OrderSubject[] };

const sum = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((total, one) => total + of(one), 0);

/** Returns an order that waits for pick. `quantities` are the units of each item; 0 leaves the item out. */
function orderOf(index: number, type: 'STORE_PICK_UP' | 'SHIP_TO_HOME', quantities: readonly number[]): OrderSubject {
  const id = `ORDER-${index}`;
  const entering = { fulfillment_type: type, in_store: 0, queue_id: null, queued_at: 0 };
  const order = {
    client_id: 'TOWN',
    store_id: 'STORE',
    node_id: 'NODE',
    fulfillment_order_id: id,
    currency: 'USD',
    revision: 1,
    hold_location: null,
    pick_ticket_id: null,
    blanked_at: null,
    order_date: NOON - index,
    ...entering,
    ...positionIn(SETTINGS, entering, ENTRY_STATE[type], NOON - index * MINUTE),
  } as FulfillmentOrderRow;
  const lines = quantities.map(
    (ordered, at) =>
      ({
        client_id: 'TOWN',
        fulfillment_order_id: id,
        line_index: at,
        web_line_id: String(at),
        item_id: SKUS[at]!,
        ordered,
        unit_price: '2.99',
        snapshot: JSON.stringify({ itemDetails: { itemId: SKUS[at], upcs: [] } }),
        instructions: null,
        picked: 0,
        declined: 0,
        decline_reason: null,
        canceled: 0,
        canceling: 0,
        handed_over: 0,
        refused: 0,
        returned: 0,
        missing: 0,
      }) as OrderLineRow,
  );
  return { order, lines: lines.filter((line) => line.ordered > 0), boxes: [], requested: NOTHING_REQUESTED };
}

function itemsOf(ticket: PickTicketRow, items: readonly MergedItem[]): PickTicketItemRow[] {
  return items.map((item) => ({
    client_id: ticket.client_id,
    pick_ticket_id: ticket.pick_ticket_id,
    id: item.id,
    item_id: item.itemId,
    unit_price: item.unitPrice,
    retail_price: null,
    pick_location: null,
    quantity: item.quantity,
    picked: null,
    canceled: null,
    reason: null,
    snapshot: item.snapshot,
  }));
}

function partsOf(ticket: PickTicketRow, items: readonly MergedItem[]): PickTicketLineRow[] {
  const parts = items.flatMap((item) =>
    item.lines.map((line) => ({
      client_id: ticket.client_id,
      pick_ticket_id: ticket.pick_ticket_id,
      fulfillment_order_id: line.fulfillmentOrderId,
      line_index: line.lineIndex,
      id: item.id,
      quantity: line.quantity,
      picked: null,
      canceled: null,
    })),
  );
  return parts.sort((a, b) =>
    a.fulfillment_order_id === b.fulfillment_order_id
      ? a.line_index - b.line_index
      : a.fulfillment_order_id < b.fulfillment_order_id
        ? -1
        : 1,
  );
}

/** Applies the steps of a ticket's plan to its orders. */
function told(orders: readonly OrderSubject[], { steps }: Pick<Plan, 'steps'>, now: number): OrderSubject[] {
  return orders.map((subject) => {
    const id = subject.order.fulfillment_order_id;
    const step = steps.find(({ order }) => order.fulfillment_order_id === id);
    if (step === undefined) return subject;
    const planned = plan(subject, step.action, SETTINGS, now);
    const declined = sum(planned.lines, (line) => line.declined);
    const requested = subject.order.fulfillment_type === 'SHIP_TO_HOME' ? declined : 0;
    return {
      ...subject,
      order: planned.order,
      lines: planned.lines,
      requested: { ...NOTHING_REQUESTED, resourceable: requested },
    };
  });
}

type Orders = readonly { units: readonly number[] }[];

function generated(type: 'STORE_PICK_UP' | 'SHIP_TO_HOME', wanted: Orders): World {
  const orders = wanted.map(({ units }, index) => orderOf(index, type, units));
  const toPick = {
    settings: SETTINGS,
    orders: orders.map(({ order }) => order),
    lines: orders.flatMap(({ lines }) => lines),
    feed: new Map(),
    pickTicketId: '100001',
    holdLocation: 'A1',
  };
  const planned = planNewTicket(toPick, { queueId: 'Q', userId: 'ana', modifyAssociateId: 'ana' }, NOON);
  const { ticket, items } = planned;
  return {
    ticket,
    settings: SETTINGS,
    items: itemsOf(ticket, items),
    parts: partsOf(ticket, items),
    scans: [],
    orders: told(orders, planned, NOON),
  };
}

/** Returns the world after a plan was written. */
function after(world: World, planned: Plan, now: number): World {
  const results = new Map(planned.results.map((result) => [result.id, result]));
  const parts = new Map(planned.parts.map((part) => [`${part.line_index}/${part.fulfillment_order_id}`, part]));
  return {
    ...world,
    ticket: planned.ticket,
    items: world.items.map((item) => ({ ...item, ...results.get(item.id) })),
    parts: world.parts.map((part) => ({ ...part, ...parts.get(`${part.line_index}/${part.fulfillment_order_id}`) })),
    scans: [...world.scans, ...planned.scans],
    orders: told(world.orders, planned, now),
  };
}

/** Returns the part of `units` that `share` selects. */
const part = (units: number, share: number) => Math.min(units, Math.floor(share * (units + 1)));

interface Wish {
  kind: Action['type'] | 'cancel';
  shares: readonly number[];
  /** The user who acts. */
  user: 'ana' | 'ben';
}

/** Returns an action of a kind with the units that `shares` selects. */
function actionOf({ ticket, items, scans }: World, { kind, shares, user }: Wish, at: number): Action {
  const share = (index: number) => shares[index % shares.length]!;
  const by = { userId: user, modifyAssociateId: user };
  const resultOf = ({ id, quantity }: PickTicketItemRow) => {
    const picked = part(quantity, share(id));
    const canceled = quantity - picked;
    return { id, picked, canceled, reason: canceled === 0 ? null : REASON };
  };
  switch (kind) {
    case 'open':
      return { type: kind, userId: user };
    case 'takeOver':
      return { type: kind, fromUserId: ticket.user_id, ...by };
    case 'saveProgress': {
      const done = progressOf(scans);
      const sent = items.flatMap(({ id, quantity }): SentScan[] => {
        const { picked = 0, canceled = 0 } = done.get(id) ?? {};
        const more = part(quantity - picked - canceled, share(id));
        const short = part(quantity - picked - canceled - more, share(id + 1));
        if (more + short === 0) return [];
        const reason = short > 0 ? { cancellationReasonCode: REASON } : {};
        return [{ scanId: `s${at}-${id}`, id, pickedQuantity: more, canceledQuantity: short, ...reason }];
      });
      const last = scans.findLast((scan) => scan.undoes === null && !scans.some((one) => one.undoes === scan.scan_id));
      const undo = last !== undefined && share(0) > 0.7 ? [{ scanId: `u${at}`, undoes: last.scan_id }] : [];
      return { type: kind, userId: ticket.user_id, scans: undo.length > 0 ? undo : sent };
    }
    case 'correct': {
      const some = items.filter(({ id }) => share(id) < 0.8).map(resultOf);
      const results = some.length > 0 ? some : items.map(resultOf);
      return { type: kind, correctionId: `c${at}`, userId: user, reason: 'keyed', holdLocation: undefined, results };
    }
    case 'RESET':
      return { type: kind, ...by };
    case 'lapse':
      return { type: kind };
    default:
      return { type: 'CONFIRM', holdLocation: 'B2', results: items.map(resultOf), ...by };
  }
}

/** Cancels units of one order for its customer during the pick. */
function canceled(world: World, { shares }: Wish, now: number): World {
  const at = Math.floor(shares[0]! * 0.999 * world.orders.length);
  const orders = world.orders.map((subject, index) => {
    if (index !== at || subject.order.status !== State.PICKING) return subject;
    const units = new Map(subject.lines.map((line) => [line.line_index, part(leftUnits(line), shares[1]!)]));
    for (const [line, quantity] of units) if (quantity === 0) units.delete(line);
    if (units.size === 0) return subject;
    const planned = plan(subject, { type: 'cancel', units, reasonCode: REASON, isWhole: false }, SETTINGS, now);
    return { ...subject, order: planned.order, lines: planned.lines };
  });
  return { ...world, orders };
}

const step: fc.Arbitrary<Wish> = fc.record({
  kind: fc.constantFrom(...TICKET_ACTIONS, 'saveProgress' as const, 'cancel' as const),
  shares: fc.array(fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })), {
    minLength: 4,
    maxLength: 4,
  }),
  user: fc.constantFrom('ana', 'ben'),
});
const quantities = fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }).filter((units) => units.some((one) => one > 0));
const life = fc.record({
  type: fc.constantFrom('STORE_PICK_UP' as const, 'SHIP_TO_HOME' as const),
  wanted: fc.array(fc.record({ units: quantities }), { minLength: 1, maxLength: 4 }),
  steps: fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }),
});

interface Turn {
  before: World;
  action: Action;
  planned: Plan;
  world: World;
  now: number;
}

/** Runs the steps; `check` gets every plan, including the rejections. */
function live(
  { type, wanted, steps }: { type: 'STORE_PICK_UP' | 'SHIP_TO_HOME'; wanted: Orders; steps: Wish[] },
  check: (turn: Turn) => void,
) {
  let world = generated(type, wanted);
  for (const [at, wish] of steps.entries()) {
    const now = NOON + at * 20 * MINUTE;
    if (wish.kind === 'cancel') {
      world = canceled(world, wish, now);
      continue;
    }
    const action = actionOf(world, wish, at);
    const planned = planTicket(world, action, now);
    const next = after(world, planned, now);
    check({ before: world, action, planned, world: next, now });
    world = next;
  }
}

/** Expects a plan that writes nothing and emits no event. */
function expectNothing(planned: Plan, { ticket }: World, at: string): void {
  const { columns, results, parts, scans, steps, freedItems, event } = planned;
  expect({ columns, results, parts, scans, steps, freedItems, event }, at).toEqual({
    columns: undefined,
    results: [],
    parts: [],
    scans: [],
    steps: [],
    freedItems: [],
    event: undefined,
  });
  expect(planned.ticket, at).toBe(ticket);
}

/** Returns the share of each order in the units of the open ticket. */
function shares({ orders, parts, scans }: World): Share[] {
  const claimants = orders.map(({ order, lines }) =>
    claimantOf(
      order,
      parts
        .filter((one) => one.fulfillment_order_id === order.fulfillment_order_id)
        .map((one) => ({
          lineIndex: one.line_index,
          itemNumber: one.id,
          quantity: one.quantity,
          canceling: lines.find((line) => line.line_index === one.line_index)!.canceling,
        })),
    ),
  );
  return splitOf(claimants, progressOf(scans));
}

describe('the plan of a pick ticket', () => {
  it('makes a ticket that has every open unit of its orders once', () => {
    fc.assert(
      fc.property(life, ({ type, wanted }) => {
        const { ticket, items, parts, orders } = generated(type, wanted);
        expect(ticket.total_quantity).toBe(sum(items, (item) => item.quantity));
        for (const { order, lines } of orders) {
          expect([order.status, order.pick_ticket_id]).toEqual([State.PICKING, ticket.pick_ticket_id]);
          for (const line of lines) {
            const own = parts.filter(
              (one) => one.fulfillment_order_id === order.fulfillment_order_id && one.line_index === line.line_index,
            );
            expect(own.map((one) => one.quantity)).toEqual([openUnits(line)]);
          }
        }
        for (const item of items) {
          expect(item.quantity).toBe(
            sum(
              parts.filter(({ id }) => id === item.id),
              (one) => one.quantity,
            ),
          );
        }
      }),
    );
  });

  it('loses no unit and makes none: of each item and line quantity = picked + canceled + open', () => {
    fc.assert(
      fc.property(life, (one) => {
        live(one, ({ action, world }) => {
          const at = `${action.type} of ticket ${world.ticket.revision}`;
          const state = stateOfTicket(world.ticket);
          const done = progressOf(world.scans);
          for (const item of world.items) {
            const own = world.parts.filter(({ id }) => id === item.id);
            expect(
              sum(own, ({ quantity }) => quantity),
              at,
            ).toBe(item.quantity);
            if (state !== 'CONFIRMED') {
              const { picked, canceled } = done.get(item.id) ?? { picked: 0, canceled: 0 };
              const open = item.quantity - picked - canceled;
              expect(Math.min(picked, canceled, open), at).toBeGreaterThanOrEqual(0);
              expect([item.picked, item.canceled], at).toEqual([null, null]);
              continue;
            }
            expect(item.picked! + item.canceled!, at).toBe(item.quantity);
            expect(item.reason === null, at).toBe(item.canceled === 0);
            expect(
              sum(own, ({ picked }) => picked!),
              at,
            ).toBe(item.picked);
            for (const line of own) expect(line.picked! + line.canceled!, at).toBe(line.quantity);
          }
        });
      }),
      { numRuns: 200 },
    );
  });

  it('tells its orders the units that it says itself, and puts each where it was after a RESET', () => {
    fc.assert(
      fc.property(life, (one) => {
        live(one, ({ action, world }) => {
          const state = stateOfTicket(world.ticket);
          for (const { order, lines } of world.orders) {
            for (const line of lines) {
              const at = `${action.type} in ${state}, line ${line.line_index}`;
              const own = world.parts.find(
                (two) => two.fulfillment_order_id === order.fulfillment_order_id && two.line_index === line.line_index,
              )!;
              expect(line.ordered, at).toBe(openUnits(line) + line.picked + line.declined + line.canceled);
              expect(line.picked, at).toBe(own.picked ?? 0);
              if (state === 'CONFIRMED') expect(line.declined + line.canceled, at).toBe(own.canceled);
              else expect(line.declined, at).toBe(0);
            }
            const isOnTicket = state === 'NEW' || state === 'IN_PROGRESS';
            expect(order.status === State.PICKING, `${action.type} in ${state}`).toBe(isOnTicket);
            if (state === 'RESET') expect(order.pick_ticket_id).toBe(null);
          }
          if (state === 'CONFIRMED') {
            const short = sum(world.orders, ({ lines }) => sum(lines, (line) => line.declined));
            const { picked_units: picked, picked_lines: found, short_units: missing } = world.ticket;
            expect([picked, missing]).toEqual([sum(world.items, (item) => item.picked!), short]);
            expect(found).toBe(world.items.filter((item) => item.picked! > 0).length);
          }
        });
      }),
      { numRuns: 200 },
    );
  });

  it('follows the table of states: an action is rejected, changes nothing, or leads where the table says', () => {
    fc.assert(
      fc.property(life, (one) => {
        live(one, ({ before, action, planned, world }) => {
          const state = stateOfTicket(before.ticket);
          const outcome = PICK_TICKET_TRANSITIONS[state][action.type];
          const at = `${action.type} in ${state}`;
          if (planned.columns === undefined) {
            expectNothing(planned, before, at);
            return;
          }
          expect(planned.refused, at).toBeUndefined();
          expect(outcome, at).not.toBe('refused');
          expect(outcome, at).not.toBe('repeats');
          expect(stateOfTicket(world.ticket), at).toBe(outcome === 'stays' ? state : outcome);
          expect(planned.ticket.revision, at).toBe(before.ticket.revision + 1);
          expect(planned.event, at).toBeDefined();
          expect(world.ticket.lease_at !== null && world.ticket.status !== 'IN_PROGRESS', at).toBe(false);
        });
      }),
    );
  });

  it('changes a confirmed ticket by a correction only, and of it only orders that nothing followed for', () => {
    let corrections = 0;
    fc.assert(
      fc.property(life, (one) => {
        live(one, ({ before, action, planned, world }) => {
          if (stateOfTicket(before.ticket) !== 'CONFIRMED') return;
          if (action.type !== 'correct') {
            expectNothing(planned, before, action.type);
            return;
          }
          corrections += 1;
          const allowed = { hold_location: 0, picked_lines: 0, picked_units: 0, short_units: 0, revision: 0 };
          expect(Object.keys(planned.columns ?? {}).filter((name) => !(name in allowed))).toEqual([]);
          const named = new Set(action.results.map(({ id }) => id));
          for (const [index, item] of world.items.entries()) {
            if (!named.has(item.id)) expect(item).toEqual(before.items[index]);
          }
          for (const { order } of planned.steps) expect(isAllowed(order, 'correct')).toBe(true);
          const returning = before.orders.filter(({ lines }) => lines.some((line) => line.canceling > 0));
          for (const { order } of returning) {
            expect(planned.steps.some((two) => two.order === order)).toBe(false);
          }
        });
      }),
      { numRuns: 200 },
    );
    expect(corrections).toBeGreaterThan(40);
  });

  it('adds nothing when the same action comes again', () => {
    fc.assert(
      fc.property(life, (one) => {
        live(one, ({ action, planned, world, now }) => {
          if (planned.refused !== undefined) return;
          const again = planTicket(world, action, now);
          expect(again.refused, action.type).toBeUndefined();
          expectNothing(again, world, action.type);
        });
      }),
      { numRuns: 200 },
    );
  });

  it('loses nothing at a take-over: only user and lease change, and every order keeps its share', () => {
    let takeOvers = 0;
    fc.assert(
      fc.property(life, (one) => {
        live(one, ({ before, action, planned, world }) => {
          if (action.type !== 'takeOver' || planned.columns === undefined) return;
          takeOvers += 1;
          expect(Object.keys(planned.columns).sort()).toEqual(['lease_at', 'revision', 'user_id']);
          expect(world.ticket.user_id).toBe(action.userId);
          expect({ ...world, ticket: before.ticket }).toEqual(before);
          expect(shares(world)).toEqual(shares(before));
        });
      }),
    );
    expect(takeOvers).toBeGreaterThan(2);
  });

  it('splits an open ticket without losing a unit: shares have the units of their item, found and not found', () => {
    fc.assert(
      fc.property(life, (one) => {
        live(one, ({ world }) => {
          if (world.ticket.status === 'CLOSED') return;
          const all = shares(world);
          const done = progressOf(world.scans);
          for (const item of world.items) {
            const own = all.filter((share) => share.itemNumber === item.id);
            const { picked, canceled } = done.get(item.id) ?? { picked: 0, canceled: 0 };
            const units = [own, own, own].map((list, which) =>
              sum(list, (share) => [share.quantity, share.picked, share.canceled][which]!),
            );
            expect(units).toEqual([item.quantity, picked, canceled]);
          }
        });
      }),
    );
  });
});

describe('the plan of a reverse pick ticket', () => {
  const reverse = fc.record({ units: quantities, steps: fc.array(step, { minLength: 1, maxLength: 12 }) });

  it('brings every unit back as returned or missing, once, and a RESET leaves it for the next user', () => {
    fc.assert(
      fc.property(reverse, ({ units, steps }) => {
        const { order, lines } = orderOf(0, 'STORE_PICK_UP', units);
        const held = lines.map((line) => ({ ...line, picked: line.ordered, canceling: line.ordered }));
        const position = positionIn(SETTINGS, order, State.GOODS_TO_RETURN, NOON);
        const merged = mergeLines(
          held.map((line) => partOfTicket(line, line.canceling)),
          new Map(),
        );
        const ticket = newTicket(order, merged, {
          pick_ticket_id: '100002',
          pick_ticket_type: 'REVERSE_PICK_TICKET',
          queue_id: 'R',
          user_id: '',
          hold_location: 'A1',
          pick_ticket_date: NOON,
          pick_sla_date: NOON,
          total_fulfillment_orders: 1,
          fulfillment_order_id: order.fulfillment_order_id,
        });
        let world: World = {
          ticket,
          settings: SETTINGS,
          items: itemsOf(ticket, merged),
          parts: partsOf(ticket, merged),
          scans: [],
          orders: [{ order: { ...order, ...position }, lines: held, boxes: [], requested: NOTHING_REQUESTED }],
        };
        for (const [at, wish] of steps.entries()) {
          if (wish.kind === 'cancel') continue;
          const now = NOON + at * 20 * MINUTE;
          const action = actionOf(world, wish, at);
          const planned = planTicket(world, action, now);
          const before = world;
          world = after(world, planned, now);
          const [brought] = world.orders;
          const state = stateOfTicket(world.ticket);
          const where = `${action.type} in ${stateOfTicket(before.ticket)}`;
          expect(state, where).not.toBe('RESET');
          if (planned.columns === undefined) expectNothing(planned, before, where);
          if (planned.event?.type === 'pickTicket.givenBack') {
            expect([state, world.ticket.user_id, world.ticket.lease_at], where).toEqual(['NEW', '', null]);
            expect(planned.steps, where).toEqual([]);
          }
          for (const line of brought!.lines) {
            const isBack = state === 'CONFIRMED';
            expect(line.returned + line.missing, where).toBe(isBack ? line.ordered : 0);
            expect(line.canceling, where).toBe(isBack ? 0 : line.ordered);
          }
        }
      }),
    );
  });
});
