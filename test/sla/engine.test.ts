import { describe, expect, it, test } from 'vitest';
import { positionIn } from '../../src/kernel/position.ts';
import { stepsOf } from '../../src/kernel/states.ts';
import { DEFAULT_SETTINGS, FULFILLMENT_TYPES, type Settings } from '../../src/shared/client-settings.ts';
import { makeCalendar } from '../../src/sla/calendar.ts';
import { definitionOf, type NodeSettings, slaOf } from '../../src/sla/engine.ts';

const MINUTE_MS = 60_000;
const always = makeCalendar('UTC', [], []);
const utc = (text: string) => Date.parse(`${text}Z`);
const shown = (instant: number | null) => instant !== null && new Date(instant).toISOString().slice(0, 16);
const at = (own: Partial<Settings> = {}, calendar = always): NodeSettings => ({
  ...DEFAULT_SETTINGS,
  ...own,
  calendar,
});

/** Open from nine to six on Monday to Friday, in Lisbon. */
const shop = makeCalendar(
  'Europe/Lisbon',
  (['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'] as const).map((dayOfWeek) => ({
    dayOfWeek,
    opens: '09:00',
    closes: '18:00',
  })),
  ['2026-04-03'],
);

describe('definitions', () => {
  test.each([
    ['STORE_PICK_UP', ['START_PICK', 'COMPLETE_PICK', 'CUSTOMER_PICKUP', 'REVERSE_PICK']],
    ['SHIP_TO_HOME', ['START_PICK', 'COMPLETE_PICK', 'PACK', 'REVERSE_PICK']],
    ['SHIP_TO_STORE', ['CHECK_IN', 'CUSTOMER_PICKUP', 'REVERSE_PICK']],
    ['ASSOCIATE_DELIVERY', ['START_PICK', 'COMPLETE_PICK', 'PACK', 'DELIVERY', 'REVERSE_PICK']],
  ] as const)('of %s are those of its steps', (type, steps) => {
    expect(stepsOf(type)).toEqual(steps);
  });

  it('are the default minutes if a client sets none, and a step approaches after three quarters of them', () => {
    for (const type of FULFILLMENT_TYPES) {
      expect(definitionOf(DEFAULT_SETTINGS, type, 'PACK')).toEqual({
        approachingMinutes: 90,
        expiredMinutes: 120,
        counts: 'OPEN',
      });
      expect(definitionOf(DEFAULT_SETTINGS, type, 'CUSTOMER_PICKUP').counts).toBe('ELAPSED');
    }
  });

  it('of a type and step override the minutes of the step, field by field', () => {
    const settings = at({
      slaMinutes: { ...DEFAULT_SETTINGS.slaMinutes, PACK: 100 },
      slaDefinitions: { SHIP_TO_HOME: { PACK: { approachingMinutes: 10 }, START_PICK: { expiredMinutes: 40 } } },
    });
    expect(definitionOf(settings, 'SHIP_TO_HOME', 'PACK')).toMatchObject({
      approachingMinutes: 10,
      expiredMinutes: 100,
    });
    expect(definitionOf(settings, 'SHIP_TO_HOME', 'START_PICK')).toMatchObject({ approachingMinutes: 30 });
    expect(definitionOf(settings, 'ASSOCIATE_DELIVERY', 'PACK')).toMatchObject({ approachingMinutes: 75 });
  });
});

describe('the instants of a step', () => {
  it('count open minutes: over Good Friday and the weekend', () => {
    const { approachingAt, expiredAt } = slaOf(at({}, shop), 'SHIP_TO_HOME', 'PACK', utc('2026-04-02T16:00'));
    expect([shown(approachingAt), shown(expiredAt)]).toEqual(['2026-04-06T08:30', '2026-04-06T09:00']);
  });

  it('count every minute where the definition says so', () => {
    const settings = at({ slaDefinitions: { SHIP_TO_HOME: { PACK: { counts: 'ELAPSED' } } } }, shop);
    expect(shown(slaOf(settings, 'SHIP_TO_HOME', 'PACK', utc('2026-04-02T16:00')).expiredAt)).toBe('2026-04-02T18:00');
  });

  it('give a customer whole days, of which the last is one on which the node opens', () => {
    const settings = at({}, shop);
    const sla = (since: string) => slaOf(settings, 'STORE_PICK_UP', 'CUSTOMER_PICKUP', utc(since));
    expect(shown(sla('2026-03-23T10:00').expiredAt)).toBe('2026-03-30T10:00');
    // Seven days later is Good Friday. On the next open day, Monday, the node closes at 17:00 UTC.
    expect(shown(sla('2026-03-27T10:00').expiredAt)).toBe('2026-04-06T17:00');
    expect(shown(sla('2026-03-27T10:00').approachingAt)).toBe('2026-04-01T16:00');
  });

  it('come in their order for every step of every type', () => {
    for (const calendar of [always, shop]) {
      for (const type of FULFILLMENT_TYPES) {
        for (const step of stepsOf(type)) {
          const { approachingAt, expiredAt } = slaOf(at({}, calendar), type, step, utc('2026-03-27T17:30'));
          expect(approachingAt).toBeLessThan(expiredAt);
        }
      }
    }
  });
});

describe('the position of an order', () => {
  const order = { fulfillment_type: 'STORE_PICK_UP', in_store: 0, queue_id: null, queued_at: 0 };
  const [now, later] = [utc('2026-03-02T12:00'), utc('2026-03-02T12:20')];

  it('gives the scheduler the time at which its step approaches', () => {
    const standing = positionIn(at(), order, 1100, now);
    expect([standing.sla_at, standing.due_at]).toEqual([now + 45 * MINUTE_MS, now + 33 * MINUTE_MS]);
  });

  it('keeps the times of its step after a change of the definitions', () => {
    const waiting = { ...order, ...positionIn(at(), order, 1400, now), due_at: null };
    const own = { slaMinutes: { ...DEFAULT_SETTINGS.slaMinutes, CUSTOMER_PICKUP: 5 } };
    expect(positionIn(at(own), waiting, 1400, later)).toMatchObject({
      queued_at: now,
      sla_at: now + 10_080 * MINUTE_MS,
      due_at: null,
    });
  });

  it('is after a RESET as it was before the ticket', () => {
    const before = positionIn(at({}, shop), order, 1100, now);
    const held = { ...order, ...positionIn(at({}, shop), { ...order, ...before }, 1150, later) };
    expect(positionIn(at({}, shop), held, 1100, later)).toEqual(before);
  });

  it('has a time for bringing goods back, and none when it has ended but for blanking', () => {
    const waiting = { ...order, ...positionIn(at(), order, 1400, now) };
    expect(positionIn(at(), waiting, 8000, later)).toMatchObject({
      sla_type: 'REVERSE_PICK',
      sla_at: later + 240 * MINUTE_MS,
    });
    const done = positionIn(at(), waiting, 3800, later);
    expect(done).toMatchObject({
      sla_type: null,
      sla_at: null,
      ended_at: later,
      due_at: later + 180 * 1_440 * MINUTE_MS,
    });
    const again = { ...order, ...done };
    expect(positionIn(at(), again, 3800, later + 1)).toMatchObject({ ended_at: later, due_at: done.due_at });
    expect(positionIn(at(), { ...again, blanked_at: 1, due_at: null }, 3800, later + 1).due_at).toBe(null);
  });
});
