/**
 * Properties: the reader reads the values that the writer wrote; broken files never crash the reader, and each finding
 * has a place in the file.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { functionalAcknowledgments, interchangeAcknowledgment } from '../../src/platform/x12/acknowledge.ts';
import { judge } from '../../src/platform/x12/check.ts';
import { type Interchange, rawOf, readBody, type Segment } from '../../src/platform/x12/tokens.ts';
import { dayOf, type WriteFormat, type WrittenInterchange, writeInterchange } from '../../src/platform/x12/write.ts';
import {
  ACKNOWLEDGMENT,
  ADVICE,
  CHANGE,
  FORMAT,
  fileOf,
  findingsOf,
  isaWith,
  judgeFile,
  ORDER,
  RECEIVING_ADVICE,
  read,
} from './support.ts';

/** Four different delimiters without letters, digits, blanks and line breaks. */
const delimiters = fc.uniqueArray(fc.constantFrom(...Array.from('!"#$%&()*+,-./:;<=>?@[]^_`{|}~\x1c\x1d\x1e\x1f')), {
  minLength: 4,
  maxLength: 4,
});
const text = fc.string({ unit: fc.constantFrom(...Array.from('ABCxyz0123456789 .-*~>^|:')), maxLength: 12 });
const segment = fc
  .tuple(fc.constantFrom('REF', 'N1', 'XYZ', 'K9'), fc.array(text, { minLength: 1, maxLength: 6 }))
  .map(([id, values]) => [id, ...values]);

const at = new Date('2026-11-24T09:30:00Z');
const ends = { sender: { qualifier: '12', id: '4085551234' }, receiver: { qualifier: 'ZZ', id: 'GREENVALLEY' } };

function interchangeOf(segments: readonly string[][], number: number): WrittenInterchange {
  const sets = [
    { setId: '856', segments },
    { setId: '850', segments: segments.slice(0, 1) },
  ];
  const group = { functionalId: 'SH', sender: 'US', receiver: 'THEM', number, sets };
  return { ...ends, controlNumber: number, usage: 'T', at, groups: [group] };
}

/** Returns a value as the file has it: blanks replace delimiters, and trailing blanks are removed. */
function asWritten(value: string, { element, component, repetition, segment: end }: WriteFormat): string {
  const kept = Array.from(value, (one) => ([element, component, repetition, end].includes(one) ? ' ' : one)).join('');
  return kept.replace(/ +$/, '');
}

describe('the writer', () => {
  it('writes any segments with any four delimiters so that the reader reads the same', async () => {
    const input = fc.tuple(
      delimiters,
      fc.array(segment, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 999_999_999 }),
      fc.boolean(),
      fc.constantFrom('004010', '005010VICS'),
    );
    await fc.assert(
      fc.asyncProperty(input, async ([[element, component, repetition, end], segments, number, newline, version]) => {
        const format: WriteFormat = {
          element: element!,
          component: component!,
          repetition: repetition!,
          segment: end!,
          newline,
          version,
        };
        const [interchange, ...others] = await read(writeInterchange(interchangeOf(segments, number), format));
        expect(others).toEqual([]);
        expect(interchange!.controlNumber).toBe(String(number).padStart(9, '0'));
        expect([interchange!.sender, interchange!.receiver]).toEqual([ends.sender, ends.receiver]);
        const [set, second] = interchange!.groups[0]!.sets;
        const expected = segments.map((values) => values.map((value) => asWritten(value, format)));
        const trimmed = expected.map((values) => values.slice(0, values.findLastIndex((value) => value !== '') + 1));
        expect(set!.segments.slice(1, -1).map(({ elements }) => elements)).toEqual(trimmed);
        expect([set!.number, second!.number]).toEqual(['0001', '0002']);
        const { findings, groups } = await judge(interchange!);
        // The interchange must have no findings. Its sets are invented, so they can have findings.
        expect(findings).toEqual([]);
        expect(
          groups[0]!.sets
            .flatMap((one) => one.findings)
            .some(({ code }) => ['CUT', 'NUMBER_DIFFERS', 'COUNT_DIFFERS'].includes(code)),
        ).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it('writes ASCII: other characters become ?, control characters blanks', () => {
    const content = writeInterchange(interchangeOf([['N1', 'SF', 'Grüne\tStraße 5 €']], 1), FORMAT);
    expect(content).toContain('N1*SF*Gr?ne Stra?e 5 ?~');
    expect(content).toMatch(/^[\n -~]*$/);
  });

  it('writes dates of six digits before version 004010, and U in ISA11 before 00402', () => {
    const old = writeInterchange(interchangeOf([], 7), { ...FORMAT, version: '003060' });
    expect(old).toContain('GS*SH*US*THEM*261124*0930*7*X*003060~');
    expect(old).toContain('*261124*0930*U*00306*000000007*0*T*>~');
    const later = writeInterchange(interchangeOf([], 7), { ...FORMAT, version: '005010' });
    expect(later).toContain('*261124*0930*^*00501*000000007*0*T*>~');
    expect(later).toContain('GS*SH*US*THEM*20261124*0930*7*X*005010~');
  });

  it('writes days in UTC', () => {
    expect(dayOf(new Date('2026-11-24T23:59:59-05:00'))).toBe('20261125');
  });

  it('writes a TA1 alone as an interchange without groups', async () => {
    const acknowledgments = [['TA1', '000000905', '261124', '0930', 'A', '000']];
    const content = writeInterchange(
      { ...ends, controlNumber: 3, usage: 'P', at, acknowledgments },
      { ...FORMAT, newline: false },
    );
    expect(content.endsWith('TA1*000000905*261124*0930*A*000~IEA*0*000000003~')).toBe(true);
    expect(findingsOf(await judgeFile(content))).toEqual([]);
  });
});

const SAMPLES: readonly string[] = [
  fileOf(),
  ...(
    [
      ['850', ORDER],
      ['860', CHANGE],
      ['861', RECEIVING_ADVICE],
      ['824', ADVICE],
      ['997', ACKNOWLEDGMENT],
    ] as const
  ).map(([id, body]) => fileOf({ sets: [{ id, body }] })),
  fileOf({ isa: isaWith({ 11: '^', 12: '00501' }), version: '005010' }),
];

/**
 * Returns the ids of the segments in order, and the control number. Files with the same result have the same structure;
 * the values of their other elements can differ.
 */
function shapeOf({ header, trailer, groups }: Interchange): string {
  const one = (segment: Segment | undefined) => segment?.id ?? '-';
  const sets = groups.map((group) => [
    one(group.header),
    ...group.sets.flatMap((set) => set.segments.map(one)),
    one(group.trailer),
  ]);
  return [one(header), header.elements[13], ...sets.flat(), one(trailer)].join(' ');
}

/**
 * Reads and judges broken bytes. Checks the place of each finding, and that acknowledgments can be written. Returns the
 * findings.
 */
async function survive(bytes: Uint8Array) {
  const body = await readBody(bytes);
  if ('noEnvelope' in body) {
    expect(body.noEnvelope.offset).toBeLessThanOrEqual(bytes.length);
    return { findings: [body.noEnvelope], shapes: [] };
  }
  const findings = [];
  for (const interchange of body.interchanges) {
    const judged = await judge(interchange, { judgesAll: true });
    for (const found of findingsOf(judged)) {
      expect(found.offset).toBeGreaterThanOrEqual(0);
      expect(found.offset).toBeLessThanOrEqual(bytes.length - interchange.start);
      findings.push(found);
    }
    const segments = interchange.groups.flatMap(({ sets }) => sets.flatMap((set) => set.segments));
    for (const one of segments) expect(rawOf(interchange, one).startsWith(one.id)).toBe(true);
    functionalAcknowledgments(judged, '005010');
    interchangeAcknowledgment(judged, 'ALWAYS');
  }
  return { findings, shapes: body.interchanges.map(shapeOf) };
}

describe('a broken file', () => {
  it.each(SAMPLES)('that is cut at any byte has a finding (sample %#)', async (sample) => {
    // A file without the terminator of its IEA is still complete.
    const whole = sample.trimEnd().length - 1;
    for (let end = 0; end < whole; end += 1) {
      const { findings } = await survive(Buffer.from(sample.slice(0, end), 'latin1'));
      expect(
        findings.some(({ level }) => level === 'ERROR'),
        sample.slice(0, end),
      ).toBe(true);
    }
  });

  it.each(SAMPLES)(
    'with any byte replaced by eight others has a finding, or the same segments (sample %#)',
    async (sample) => {
      const shape = shapeOf((await read(sample))[0]!);
      for (let place = 0; place < sample.length; place += 1) {
        for (const other of '*~>A0 \n\x80') {
          const broken = `${sample.slice(0, place)}${other}${sample.slice(place + 1)}`;
          const { findings, shapes } = await survive(Buffer.from(broken, 'latin1'));
          if (findings.length === 0) expect(shapes, `byte ${place} as ${JSON.stringify(other)}`).toEqual([shape]);
        }
      }
    },
    60_000,
  );

  it('of any bytes never crashes the reader', async () => {
    const piece = fc.oneof(
      fc.constantFrom(...SAMPLES, 'ISA*', '~', '*', '\n', 'SE*1*1~', 'GS*', 'ST*856*1~', 'IEA*0*1~'),
      fc.string({ unit: 'binary', maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        await survive(Buffer.from(pieces.join(''), 'utf8'));
      }),
      { numRuns: 300 },
    );
  });
});
