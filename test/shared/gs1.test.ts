import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CodeRead, checkDigit, readCode } from '../../src/shared/gs1.ts';

/** An independent parser of the same codes, for comparison. */
const { parseBarcode } = createRequire(import.meta.url)('gs1-barcode-parser-mod') as {
  parseBarcode: (code: string) => { parsedCodeItems: { ai: string; data: unknown; raw: string; isoDate: string }[] };
};

const YEAR = new Date().getUTCFullYear();
const GS = '\x1d';
const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
const numbered = (length: number) => digits(length - 1).map((body) => body + checkDigit(body));
/** A lot number of GS1 characters that need no escape, neither in the form with parentheses nor in a link. */
const lot = fc.stringMatching(/^[A-Za-z0-9\-_.]{1,20}$/);
const date = fc
  .record({
    year: fc.integer({ min: YEAR - 30, max: YEAR + 30 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 0, max: 28 }),
  })
  .map(({ year, month, day }) => [year % 100, month, day].map((part) => String(part).padStart(2, '0')).join(''));

const element = fc.oneof(
  numbered(18).map((data) => ({ ai: '00', data })),
  numbered(14).map((data) => ({ ai: '01', data })),
  numbered(14).map((data) => ({ ai: '02', data })),
  lot.map((data) => ({ ai: '10', data })),
  date.map((data) => ({ ai: '17', data })),
  lot.map((data) => ({ ai: '21', data })),
  fc.integer({ min: 0, max: 99_999_999 }).map((count) => ({ ai: '30', data: String(count) })),
  fc.integer({ min: 0, max: 99_999_999 }).map((count) => ({ ai: '37', data: String(count) })),
  fc.tuple(fc.integer({ min: 0, max: 5 }), digits(6)).map(([decimals, data]) => ({ ai: `310${decimals}`, data })),
);
const elements = fc.uniqueArray(element, { minLength: 1, maxLength: 6, selector: ({ ai }) => ai.slice(0, 3) });
const isVariable = (ai: string) => ['10', '21', '30', '37'].includes(ai);
type Part = { ai: string; data: string };
const withSeparators = (parts: Part[]) =>
  parts.map(({ ai, data }, at) => `${ai}${data}${isVariable(ai) && at < parts.length - 1 ? GS : ''}`).join('');

/** Returns the result of the other parser with Backroom's field names. */
function oracle(code: string): CodeRead[] {
  return parseBarcode(code).parsedCodeItems.map(({ ai, data, raw, isoDate }): CodeRead => {
    if (ai === '00') return { kind: 'SSCC', value: raw };
    if (ai === '01') return { kind: 'GTIN', value: raw };
    if (ai === '02') return { kind: 'CONTENT', value: raw };
    if (ai === '10') return { kind: 'LOT', value: raw };
    if (ai === '21') return { kind: 'SERIAL', value: raw };
    if (ai === '17') return { kind: 'EXPIRY', value: isoDate };
    if (ai === '30' || ai === '37') return { kind: 'COUNT', value: String(Number(raw)) };
    return { kind: 'NET_WEIGHT', value: String(data) };
  });
}
/** Compares weights as numbers, because the other parser drops trailing zeros. */
const plain = (reads: CodeRead[]) =>
  reads
    .filter(({ kind }) => kind !== 'TEXT')
    .map(({ kind, value }) => ({ kind, value: kind === 'NET_WEIGHT' ? String(Number(value)) : value }));
const readsOf = (code: string) => readCode(code, YEAR).reads.map(({ kind, value }) => `${kind} ${value}`);
const warningsOf = (code: string) => readCode(code, YEAR).warnings.map(({ code: warning }) => warning);

describe('elements of GS1', () => {
  it('with a symbology identifier and separators are read as by the other reader', () => {
    fc.assert(
      fc.property(elements, fc.constantFrom(']C1', ']d2', ']Q3', ']e0'), (parts, symbology) => {
        const text = withSeparators(parts);
        const reading = readCode(`${symbology}${GS}${text}`, YEAR);
        expect(plain(reading.reads)).toEqual(plain(oracle(`${symbology}${text}`)));
        expect(reading.warnings).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('in the parenthesised form are read as by the other reader', () => {
    fc.assert(
      fc.property(elements, (parts) => {
        const code = parts.map(({ ai, data }) => `(${ai})${data}`).join('');
        const reading = readCode(code, YEAR);
        expect(plain(reading.reads)).toEqual(plain(oracle(code)));
        expect(reading.warnings).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are read the same from separators, parentheses and a link', () => {
    fc.assert(
      fc.property(numbered(14), lot, date, (gtin, serial, expiry) => {
        const said = readsOf(`]d2${GS}01${gtin}17${expiry}21${serial}${GS}`).slice(0, -1).sort();
        expect(readsOf(`(01)${gtin}(17)${expiry}(21)${serial}`).slice(0, -1).sort()).toEqual(said);
        const link = `https://id.example.com/shop/01/${gtin}/21/${encodeURIComponent(serial)}?17=${expiry}&utm=x`;
        expect(readsOf(link).slice(0, -1).sort()).toEqual(said);
      }),
    );
  });

  it('are never misread when the scanner dropped the separators: they are read as they were, or left out', () => {
    fc.assert(
      fc.property(elements, (parts) => {
        const whole = plain(readCode(`]C1${withSeparators(parts)}${GS}`, YEAR).reads);
        const { reads, warnings } = readCode(`]C1${parts.map(({ ai, data }) => ai + data).join('')}`, YEAR);
        const read = plain(reads);
        // Without separators, the code has the same elements, at least up to the first ambiguous element.
        expect(read).toEqual(whole.slice(0, read.length));
        if (read.length < whole.length) expect(warnings.map(({ code }) => code)).toContain('AMBIGUOUS');
      }),
      { numRuns: 3_000 },
    );
  });

  it('keep the GTIN, and leave out a lot whose end is ambiguous', () => {
    const code = '010401234567890110ABC17261231';
    expect(readsOf(code)).toEqual(['GTIN 04012345678901', `TEXT ${code}`]);
    expect(warningsOf(code)).toEqual(['AMBIGUOUS']);
    expect(readsOf('010401234567890110ABC')).toEqual(['GTIN 04012345678901', 'LOT ABC', 'TEXT 010401234567890110ABC']);
  });

  it('without a kind are kept with their identifier', () => {
    expect(readsOf(`]C1420902101${GS}9400111899223197428490`).slice(0, -1)).toEqual([
      'OTHER 420902101',
      'OTHER 9400111899223197428490',
    ]);
    expect(readsOf(']C1010401234567890115261231').slice(0, -1)).toEqual(['GTIN 04012345678901', 'OTHER 15261231']);
  });

  it('that break the rules are named, and the others are read', () => {
    for (const code of [
      '(01)0401(10)A',
      '(17)261399(10)A',
      '(10)A(37)12X',
      `(10)A(21)${'1'.repeat(21)}`,
      '(10)A(3103)12',
      '(10)A(00)1',
    ]) {
      expect(warningsOf(code), code).toEqual(['MALFORMED']);
      expect(readsOf(code), code).toEqual(['LOT A', `TEXT ${code}`]);
    }
  });
});

describe('a date of two digits for the year', () => {
  it('is within 50 years of now, and day 00 is the last of its month', () => {
    const expiryOf = (data: string, year: number) => readCode(`(17)${data}`, year).reads[0]!.value;
    expect(expiryOf('260200', 2026)).toBe('2026-02-28');
    expect(expiryOf('280200', 2026)).toBe('2028-02-29');
    expect(expiryOf('760101', 2026)).toBe('2076-01-01');
    expect(expiryOf('770101', 2026)).toBe('1977-01-01');
    expect(expiryOf('010101', 2098)).toBe('2101-01-01');
  });
});

describe('a number without identifier', () => {
  it('is a GTIN of 14 digits, for each length of a GTIN', () => {
    fc.assert(
      fc.property(fc.constantFrom(8, 12, 13, 14).chain(numbered), (code) => {
        expect(readCode(code, YEAR).reads[0]).toEqual({ kind: 'GTIN', value: code.padStart(14, '0') });
        expect(readCode(code, YEAR).warnings).toEqual([]);
      }),
    );
  });

  it('is an SSCC with 18 digits, after 00, after ]C1 and after FNC1', () => {
    fc.assert(
      fc.property(numbered(18), (sscc) => {
        for (const code of [
          sscc,
          `00${sscc}`,
          `]C100${sscc}`,
          `${GS}00${sscc}`,
          `(00)${sscc}`,
          `https://a.example/00/${sscc}`,
        ]) {
          expect(readCode(code, YEAR).reads[0], code).toEqual({ kind: 'SSCC', value: sscc });
          expect(readCode(code, YEAR).warnings, code).toEqual([]);
        }
      }),
    );
  });

  it('is read with a warning when its check digit is wrong', () => {
    expect(readsOf('4006381333932')).toEqual(['GTIN 04006381333932', 'TEXT 4006381333932']);
    expect(readCode('4006381333932', YEAR).warnings).toEqual([
      { code: 'CHECK_DIGIT', description: 'The check digit of 04006381333932 is 2 instead of 1; scan the code again' },
    ]);
    expect(warningsOf('00340123450000000018')).toEqual(['CHECK_DIGIT']);
    expect(readsOf('(00)340123450000000018')[0]).toBe('SSCC 340123450000000018');
  });

  it('of eight digits is a UPC-E when only the UPC-E check digit is right', () => {
    expect(readsOf('04252614')[0]).toBe('GTIN 00042100005264');
    expect(warningsOf('04252614')).toEqual([]);
  });

  it('keeps its GTIN when the scanner adds a symbology identifier or an add-on', () => {
    for (const code of [']E04006381333931', ']E3400638133393152495', ']A04006381333931', '\x024006381333931\r\n']) {
      expect(readsOf(code)[0], JSON.stringify(code)).toBe('GTIN 04006381333931');
    }
  });
});

describe('any other text', () => {
  it('is kept as it is, without control characters', () => {
    expect(readCode('\x02 A-04-2\r\n', YEAR)).toEqual({
      code: 'A-04-2',
      reads: [{ kind: 'TEXT', value: 'A-04-2' }],
      warnings: [],
    });
    expect(readsOf('100000000501001')).toEqual(['TEXT 100000000501001']);
    expect(readsOf('https://shop.example.com/orders/01/confirm')).toEqual([
      'TEXT https://shop.example.com/orders/01/confirm',
    ]);
    expect(readCode('', YEAR)).toEqual({ code: '', reads: [], warnings: [] });
    expect(readCode(']C1', YEAR)).toEqual({ code: ']C1', reads: [], warnings: [] });
  });

  it('never makes the reader throw, and becomes the last element', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        ']C1',
        ']d2',
        GS,
        '(01)',
        '(17)',
        '(3103)',
        '00',
        '01',
        '10',
        '21',
        '30',
        '37',
        'http://',
        '/01/',
        '?17=',
        '%',
        '<GS>',
      ),
      digits(14),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const { code, reads } = readCode(pieces.join(''), YEAR);
        if (reads.length > 0) expect(code.replaceAll(new RegExp(`${GS}+`, 'g'), GS)).toContain(reads.at(-1)!.value);
        expect(reads.filter(({ kind }) => kind === 'TEXT').length).toBeLessThanOrEqual(1);
        for (const { kind, value } of reads) {
          if (kind === 'GTIN' || kind === 'CONTENT') expect(value).toMatch(/^\d{14}$/);
          if (kind === 'SSCC') expect(value).toMatch(/^\d{18}$/);
          if (kind === 'EXPIRY') expect(value).toMatch(/^\d{4}-\d\d-\d\d$/);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('is read in time proportional to its length, for any content', () => {
    const long = `01${'0'.repeat(14)}10${'211030'.repeat(20_000)}`;
    expect(readCode(long, YEAR).warnings.map(({ code }) => code)).toContain('AMBIGUOUS');
  });
});
