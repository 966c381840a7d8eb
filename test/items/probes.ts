/** The type of the rows in `rows.ts`, and the values that test each kind of field. */
import { Decimal } from '../../src/platform/decimal.ts';

export interface MemberRow {
  section: 'Item' | 'Item sub-types';
  /** The name of the field in the interface. */
  member: string;
  says: string;
  /** Path of the field in the whole item. */
  path: string;
  /** Values that the service accepts and returns unchanged. */
  good: readonly unknown[];
  /** Values that the service rejects at this place, each with the rule it violates. */
  bad: readonly (readonly [value: unknown, rule: string])[];
  required: boolean;
  /** Fields to leave out of the whole item, because they contradict the value. */
  without?: readonly string[];
  /**
   * Place and value in the response if they differ from the sent place and value. `as` returns undefined if the
   * response leaves the field out.
   */
  answered?: { path: string; as: (sent: unknown) => unknown };
}

type Values = Pick<MemberRow, 'good' | 'bad'>;

export const text = (min: number, max: number): Values => ({
  good: ['x'.repeat(max), 'é'.repeat(max), 'x'.repeat(min)],
  bad: [
    ['x'.repeat(max + 1), 'maxLength'],
    ...(min > 0 ? ([['', 'minLength']] as const) : []),
    [5, 'type'],
    [['x'], 'type'],
  ],
});

export const free = (required: boolean): Values => ({
  good: ['x', 'Any text, kept as it is '],
  bad: [...(required ? ([['', 'minLength']] as const) : []), [5, 'type']],
});

export const digits = (integer: number, fraction: number): Values => ({
  good: [
    0,
    fraction === 0
      ? new Decimal('9'.repeat(Math.max(integer, 16)).slice(0, integer))
      : new Decimal(`${'9'.repeat(integer)}.${'9'.repeat(fraction)}`),
  ],
  bad: [
    [new Decimal(`1${'0'.repeat(integer)}`), 'integerDigits'],
    [new Decimal(`0.${'0'.repeat(fraction)}1`), 'fractionDigits'],
    [-1, 'minimum'],
    ['5', 'type'],
    [true, 'type'],
  ],
});

/** A "Numeric" of the interface without a number of digits is a whole number. */
export const numeric: Values = {
  good: [0, 7, 999_999_999_999_999],
  bad: [
    ['7', 'type'],
    [1.5, 'fractionDigits'],
  ],
};

export const yesNo: Values = {
  good: [true, false],
  bad: [
    ['true', 'type'],
    [1, 'type'],
  ],
};

export const date: Values = {
  good: ['2026-04-01', '2026-04-01T08:30:00Z', '2026-04-01T08:30:00-05:00'],
  bad: [
    ['2026-02-30', 'format'],
    ['tomorrow', 'format'],
    ['2026-04-01T08:30:00', 'format'],
    [20260401, 'type'],
  ],
};

export const only = (good: readonly unknown[], bad: MemberRow['bad']): Values => ({ good, bad });

export const item = (member: string, says: string, values: Values, more: Partial<MemberRow> = {}): MemberRow => ({
  section: 'Item',
  member,
  says,
  path: member,
  required: says.includes('required'),
  ...values,
  ...more,
});

export const sub = (
  member: string,
  path: string,
  says: string,
  values: Values,
  more: Partial<MemberRow> = {},
): MemberRow => ({
  section: 'Item sub-types',
  member,
  says,
  path,
  required: says.includes('required'),
  ...values,
  ...more,
});

export const object = only(
  [],
  [
    ['x', 'type'],
    [[], 'type'],
  ],
);
export const list = only(
  [[]],
  [
    [{}, 'type'],
    ['x', 'type'],
    [['x'], 'none'],
  ],
);
export const notStored = { path: '', as: () => undefined };
