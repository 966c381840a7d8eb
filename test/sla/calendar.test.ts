import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  addOpenMinutes,
  boundsOfDay,
  makeCalendar,
  type OpeningSpan,
  onOpenDay,
  sameTimeOn,
} from '../../src/sla/calendar.ts';

const MINUTE_MS = 60_000;
const DAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;
type Day = (typeof DAYS)[number];

const span = (dayOfWeek: Day, opens: string, closes: string): OpeningSpan => ({ dayOfWeek, opens, closes });
const daily = (opens: string, closes: string, days: readonly Day[] = DAYS) =>
  days.map((day) => span(day, opens, closes));
const utc = (text: string) => Date.parse(`${text}Z`);
const shown = (instant: number) => new Date(instant).toISOString().slice(0, 16);

describe('open minutes', () => {
  const workdays = daily('09:00', '18:00', DAYS.slice(1, 6));
  const lisbon = (holidays: string[] = []) => makeCalendar('Europe/Lisbon', workdays, holidays);

  test.each([
    ['inside a span', lisbon(), '2026-03-02T10:00', 45, '2026-03-02T10:45'],
    ['to the very end of a span', lisbon(), '2026-03-02T17:15', 45, '2026-03-02T18:00'],
    ['over the end of a day', lisbon(), '2026-03-02T17:30', 45, '2026-03-03T09:15'],
    ['from before opening', lisbon(), '2026-03-02T03:00', 45, '2026-03-02T09:45'],
    ['over a weekend', lisbon(), '2026-03-06T17:30', 45, '2026-03-09T09:15'],
    ['over a weekend and a holiday', lisbon(['2026-03-09']), '2026-03-06T17:30', 45, '2026-03-10T09:15'],
    ['over the weekend on which summer time begins', lisbon(), '2026-03-27T17:30', 45, '2026-03-30T08:15'],
    ['over the weekend on which summer time ends', lisbon(), '2026-10-23T16:30', 45, '2026-10-26T09:15'],
  ])('are counted %s', (_name, calendar, from, minutes, at) => {
    expect(shown(addOpenMinutes(calendar, utc(from), minutes))).toBe(at);
  });

  it('are all minutes where there are no opening hours', () => {
    const always = makeCalendar('America/New_York', [], []);
    expect(addOpenMinutes(always, 12_345, 90)).toBe(12_345 + 90 * MINUTE_MS);
  });

  it('do not count on a holiday of a node without opening hours', () => {
    const calendar = makeCalendar('America/New_York', [], ['2026-07-04']);
    expect(shown(addOpenMinutes(calendar, utc('2026-07-04T03:30'), 60))).toBe('2026-07-05T04:30');
  });

  it('go over several spans of a day', () => {
    const calendar = makeCalendar('UTC', [span('MONDAY', '15:00', '19:00'), span('MONDAY', '09:00', '12:30')], []);
    expect(shown(addOpenMinutes(calendar, utc('2026-03-02T12:00'), 45))).toBe('2026-03-02T15:15');
  });

  it('do not come in an hour that summer time leaves out', () => {
    const calendar = makeCalendar('America/New_York', daily('02:00', '03:00', ['SUNDAY']), []);
    expect(shown(addOpenMinutes(calendar, utc('2026-03-08T00:00'), 30))).toBe('2026-03-15T06:30');
  });

  it('come twice in the hour that summer time repeats', () => {
    const calendar = makeCalendar('America/New_York', daily('01:00', '02:00', ['SUNDAY']), []);
    expect(shown(addOpenMinutes(calendar, utc('2026-11-01T00:00'), 90))).toBe('2026-11-01T06:30');
  });

  it('are looked for through ten years at most', () => {
    const calendar = makeCalendar('UTC', [span('MONDAY', '09:00', '09:01')], []);
    expect(addOpenMinutes(calendar, 0, 525_600)).toBe(3_660 * 1_440 * MINUTE_MS);
  });
});

describe('open minutes counted minute by minute', () => {
  /**
   * Clock changes in several zones, including changes at midnight, changes of 30 minutes and a skipped day. Kathmandu
   * has no change.
   */
  const CHANGES: [zone: string, at: string][] = [
    ['Europe/Lisbon', '2026-03-29T01:00'],
    ['Europe/Lisbon', '2026-10-25T01:00'],
    ['America/New_York', '2026-03-08T07:00'],
    ['America/New_York', '2026-11-01T06:00'],
    ['Australia/Lord_Howe', '2026-04-04T15:00'],
    ['Australia/Lord_Howe', '2026-10-03T15:30'],
    ['America/Santiago', '2026-04-05T03:00'],
    ['America/Santiago', '2026-09-06T04:00'],
    ['Asia/Kathmandu', '2026-05-01T00:00'],
    ['Pacific/Apia', '2011-12-30T10:00'],
  ];
  const FORMATS = new Map<string, Intl.DateTimeFormat>();

  function wallClock(zone: string, instant: number): { date: string; day: Day; minute: number } {
    let format = FORMATS.get(zone);
    if (format === undefined) {
      const digits = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
      format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, hourCycle: 'h23', ...digits });
      FORMATS.set(zone, format);
    }
    const [date, clock] = format.format(instant).split(' ') as [string, string];
    const day = DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]!;
    return { date, day, minute: minuteOf(clock) };
  }

  const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
  const clockOf = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

  function isOpen(zone: string, hours: readonly OpeningSpan[], holidays: readonly string[], instant: number): boolean {
    const { date, day, minute } = wallClock(zone, instant);
    if (holidays.includes(date)) return false;
    const spans = hours.filter((one) => one.dayOfWeek === day);
    return hours.length === 0 || spans.some((one) => minuteOf(one.opens) <= minute && minute < minuteOf(one.closes));
  }

  /**
   * Generates opening spans of one day that do not overlap: random cuts divide the day, and every second part is open.
   */
  const spansOfDay = (day: Day) =>
    fc
      .uniqueArray(fc.integer({ min: 0, max: 1_440 }), { maxLength: 6 })
      .map((cuts) => cuts.sort((a, b) => a - b))
      .map((cuts) =>
        cuts.flatMap((opens, index) => {
          const closes = cuts[index + 1];
          return index % 2 === 0 && closes !== undefined ? [span(day, clockOf(opens), clockOf(closes))] : [];
        }),
      );
  const hours = fc.tuple(...DAYS.map(spansOfDay)).map((week) => week.flat());
  const WINDOW = 4 * 1_440;

  it('come to the same on both changes of the clocks, in gaps and in overlaps', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CHANGES),
        fc.oneof(fc.constant([]), hours),
        fc.integer({ min: -1_600, max: 200 }),
        fc.integer({ min: 1, max: 1_200 }),
        fc.subarray([-1, 0, 1]),
        ([zone, at], week, before, minutes, closed) => {
          const from = utc(at) + before * MINUTE_MS;
          const holidays = closed.map((day) => wallClock(zone, utc(at) + day * 1_440 * MINUTE_MS).date);
          let counted = 0;
          let reached: number | undefined;
          for (let minute = 0; minute < WINDOW && reached === undefined; minute++) {
            if (isOpen(zone, week, holidays, from + minute * MINUTE_MS)) counted++;
            if (counted === minutes) reached = from + (minute + 1) * MINUTE_MS;
          }
          const found = addOpenMinutes(makeCalendar(zone, week, holidays), from, minutes);
          if (reached === undefined) expect(found).toBeGreaterThan(from + WINDOW * MINUTE_MS);
          else expect(shown(found)).toBe(shown(reached));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('add up: first some and then the rest is the same as all at once', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CHANGES),
        hours.filter((week) => week.length > 0),
        fc.integer({ min: 1, max: 3_000 }),
        fc.integer({ min: 1, max: 3_000 }),
        ([zone, at], week, first, rest) => {
          const calendar = makeCalendar(zone, week, []);
          const from = utc(at) - 86_400_000;
          const atOnce = addOpenMinutes(calendar, from, first + rest);
          // If a node opens for a minute a week, the search reaches its limit. The second call begins a new search, so such a
          // case is left out.
          fc.pre(atOnce - from < 3_660 * 1_440 * MINUTE_MS);
          expect(addOpenMinutes(calendar, addOpenMinutes(calendar, from, first), rest)).toBe(atOnce);
        },
      ),
    );
  });

  it('is a later day that the node opens when an instant falls on a day without opening', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CHANGES),
        hours.filter((week) => week.length > 0),
        fc.integer({ min: -3_000, max: 3_000 }),
        ([zone, at], week, minutes) => {
          const calendar = makeCalendar(zone, week, []);
          const instant = utc(at) + minutes * MINUTE_MS;
          const rolled = onOpenDay(calendar, instant);
          const { day } = wallClock(zone, instant);
          if (week.some((one) => one.dayOfWeek === day)) {
            expect(rolled).toBe(instant);
            return;
          }
          expect(rolled).toBeGreaterThan(instant);
          // The previous minute is the last open minute of its day.
          const last = wallClock(zone, rolled - MINUTE_MS);
          expect(isOpen(zone, week, [], rolled - MINUTE_MS)).toBe(true);
          for (let later = rolled; wallClock(zone, later).date === last.date; later += MINUTE_MS) {
            expect(isOpen(zone, week, [], later)).toBe(false);
          }
          for (let earlier = instant; wallClock(zone, earlier).date !== last.date; earlier += MINUTE_MS) {
            expect(isOpen(zone, week, [], earlier)).toBe(false);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('an open day', () => {
  const shop = makeCalendar('Europe/Lisbon', daily('09:00', '18:00', DAYS.slice(1, 6)), ['2026-03-30']);

  it('keeps an instant at whatever time of it', () => {
    expect(shown(onOpenDay(shop, utc('2026-03-27T23:30')))).toBe('2026-03-27T23:30');
  });

  it('is looked for from a Saturday over a holiday to the end of the next day', () => {
    expect(shown(onOpenDay(shop, utc('2026-03-28T10:00')))).toBe('2026-03-31T17:00');
  });

  it('begins and ends by the clock on the wall', () => {
    const { from, to } = boundsOfDay(shop, '2026-03-29');
    expect([shown(from), shown(to)]).toEqual(['2026-03-29T00:00', '2026-03-29T23:00']);
  });
});

describe('the same time of day', () => {
  const berlin = makeCalendar('Europe/Berlin', [], []);
  it.each([
    ['2026-03-30T13:00:00Z', '2026-03-29', '2026-03-29T13:00:00Z'],
    ['2026-03-29T13:00:00Z', '2026-03-28', '2026-03-28T14:00:00Z'],
    ['2026-10-26T14:00:00Z', '2026-10-25', '2026-10-25T14:00:00Z'],
    ['2026-10-28T14:00:00Z', '2026-10-21', '2026-10-21T13:00:00Z'],
    ['2026-03-30T22:00:00Z', '2026-03-29', '2026-03-28T23:00:00Z'],
    ['2026-03-31T21:59:59.999Z', '2026-03-29', '2026-03-29T21:59:59.999Z'],
    // 02:30 in spring, when the clocks skip it, and 02:30 in autumn, when it occurs twice.
    ['2026-03-30T00:30:00Z', '2026-03-29', '2026-03-29T01:00:00Z'],
    ['2026-10-26T01:30:00Z', '2026-10-25', '2026-10-25T00:30:00Z'],
  ])('of %s on %s is at %s', (instant, date, same) => {
    expect(new Date(sameTimeOn(berlin, date, Date.parse(instant))).toISOString()).toBe(new Date(same).toISOString());
  });
});
