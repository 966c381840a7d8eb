import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDateTime, isDateTime, isIsoDate, parseDateTime, plainForm } from '../src/platform/time.ts';

describe('a date-time', () => {
  it('is read with Z or with a numeric offset as the same instant', () => {
    const instant = Date.UTC(2026, 0, 31, 8, 30, 0);
    for (const text of [
      '2026-01-31T08:30:00Z',
      '2026-01-31T08:30:00+00:00',
      '2026-01-31T10:30:00+02:00',
      '2026-01-31T03:00:00-05:30',
      '2026-01-31T08:30:00.000999999Z',
    ]) {
      expect(parseDateTime(text), text).toBe(instant);
    }
    expect(parseDateTime('2026-01-31T08:30:00.12Z')).toBe(instant + 120);
  });

  it('may leave out seconds and the minutes of its offset, and be written with t, z, a comma or no colon in its offset', () => {
    const instant = Date.UTC(2026, 0, 31, 8, 30, 0);
    for (const [text, whole] of [
      ['2026-01-31T08:30Z', '2026-01-31T08:30:00Z'],
      ['2026-01-31t08:30:00z', '2026-01-31T08:30:00Z'],
      ['2026-01-31T09:30+01', '2026-01-31T09:30:00+01:00'],
      ['2026-01-31T03:00:00-0530', '2026-01-31T03:00:00-05:30'],
      ['2026-01-31T08:30:00,000Z', '2026-01-31T08:30:00.000Z'],
      ['2026-01-31T10:30:00.0000000+02:00', '2026-01-31T10:30:00.0000000+02:00'],
    ] as const) {
      expect(parseDateTime(text), text).toBe(instant);
      expect(plainForm(text), text).toBe(whole);
      expect(parseDateTime(whole), whole).toBe(instant);
    }
  });

  it('is kept in one form that is a form of itself, whatever way it was written', () => {
    const two = (most: number) => fc.integer({ min: 0, max: most }).map((n) => String(n).padStart(2, '0'));
    const seconds = fc.oneof(
      fc.constant(''),
      fc.tuple(two(59), fc.constantFrom('', '.5', ',25', '.123456789')).map(([second, part]) => `:${second}${part}`),
    );
    const offset = fc.oneof(
      fc.constantFrom('Z', 'z'),
      fc
        .tuple(fc.constantFrom('+', '-'), two(13), fc.constantFrom('', '00', ':30', '45'))
        .map(([sign, hour, rest]) => sign + hour + rest),
    );
    fc.assert(
      fc.property(fc.constantFrom('T', 't'), two(23), two(59), seconds, offset, (t, hour, minute, rest, zone) => {
        const text = `2026-05-04${t}${hour}:${minute}${rest}${zone}`;
        const form = plainForm(text);
        expect(form).toMatch(/^2026-05-04T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
        expect(plainForm(form)).toBe(form);
        expect(parseDateTime(form)).toBe(parseDateTime(text));
      }),
    );
  });

  it('is rejected without offset, with a day or an hour that does not exist, and outside 1970 to 9999', () => {
    for (const text of [
      '2026-01-31T08:30:00',
      '2026-01-31',
      '2026-01-31 08:30:00Z',
      '2026-01-31T08Z',
      '2026-01-31T083000Z',
      '20260131T083000Z',
      '2026-01-31T08:30.5Z',
      '2026-01-31T08:30:00.Z',
      '2026-01-31T08:30:00+1',
      '2026-01-31T08:30:00+1:00',
      '2026-01-31T08:30:00+01:',
      '2026-01-31T08:30:00+24',
      '2026-01-31T08:30:00+0060',
      '2026-02-30T00:00:00Z',
      '2025-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-01-00T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T00:60:00Z',
      '2026-01-01T00:00:60Z',
      '2026-01-01T00:00:00+24:00',
      '1969-12-31T23:59:59Z',
      '1970-01-01T00:00:00+01:00',
      '9999-12-31T23:59:59-01:00',
      '10000-01-01T00:00:00Z',
      '',
    ]) {
      expect(isDateTime(text), text).toBe(false);
      expect(() => parseDateTime(text), text).toThrow(RangeError);
    }
  });

  it('is read at both ends of its range and on a leap day', () => {
    expect(parseDateTime('1970-01-01T00:00:00Z')).toBe(0);
    expect(isDateTime('9999-12-31T23:59:59.999Z')).toBe(true);
    expect(isDateTime('2024-02-29T00:00:00Z')).toBe(true);
  });

  it('is written in UTC with +00:00 and without fraction', () => {
    expect(formatDateTime(Date.UTC(2026, 0, 31, 8, 30, 0) + 999)).toBe('2026-01-31T08:30:00+00:00');
    for (const ms of [-1, Number.NaN, Date.UTC(10000, 0, 1)]) expect(() => formatDateTime(ms)).toThrow(RangeError);
  });

  it('reads back as written, in any offset', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100_000, max: 253_402_200_000 }),
        fc.integer({ min: -839, max: 839 }),
        (second, offset) => {
          expect(parseDateTime(formatDateTime(second * 1000))).toBe(second * 1000);
          const local = formatDateTime((second + offset * 60) * 1000).slice(0, 19);
          const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((n) =>
            String(n).padStart(2, '0'),
          );
          expect(parseDateTime(`${local}${offset < 0 ? '-' : '+'}${hours}:${minutes}`)).toBe(second * 1000);
        },
      ),
    );
  });
});

describe('an ISO date', () => {
  it('is a plain existing day or a date-time with an offset', () => {
    for (const text of ['2026-01-31', '2024-02-29', '1970-01-01', '9999-12-31', '2026-01-31T08:30:00Z']) {
      expect(isIsoDate(text), text).toBe(true);
    }
    for (const text of ['2026-02-30', '2025-02-29', '1969-12-31', '2026-1-31', '2026-01-31T08:30:00', '20260131', '']) {
      expect(isIsoDate(text), text).toBe(false);
    }
  });
});
