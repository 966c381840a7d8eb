import { describe, expect, it } from 'vitest';
import { functionalAcknowledgments, interchangeAcknowledgment } from '../../src/platform/x12/acknowledge.ts';
import { judge, reject } from '../../src/platform/x12/check.ts';
import { codesOf, type FindingCode, Findings, finding, joined } from '../../src/platform/x12/findings.ts';
import { dateOf, hasCheckDigit, isDay, isTime, textOf } from '../../src/platform/x12/values.ts';
import { dayOf, isBefore, type WriteFormat, writeInterchange } from '../../src/platform/x12/write.ts';
import { FORMAT, fileOf, isaWith, judgeFile, noticeWith, read } from './support.ts';

describe('a value', () => {
  it.each([
    ['20261124', '2026-11-24'],
    ['20240229', '2024-02-29'],
    ['00010101', '0001-01-01'],
    ['00000101', undefined],
    ['20230229', undefined],
    ['20261301', undefined],
    ['120261124', undefined],
    ['202611241', undefined],
    ['261124', undefined],
    ['', undefined],
  ])('%j is the day %j', (value, day) => {
    expect(dateOf(value, false)).toBe(day);
    expect(isDay(value, false)).toBe(day !== undefined);
  });

  it.each([
    ['700101', '1970-01-01'],
    ['991231', '1999-12-31'],
    ['691231', '2069-12-31'],
    ['000229', '2000-02-29'],
    ['1700101', undefined],
  ])('%j of six digits is the day %j', (value, day) => {
    expect(dateOf(value, true)).toBe(day);
  });

  it.each([
    ['0930', true],
    ['2359', true],
    ['235959', true],
    ['2359591', true],
    ['23595912', true],
    ['235959123', false],
    ['2400', false],
    ['0960', false],
    ['00930', false],
    ['093', false],
  ])('%j is a time: %j', (value, expected) => {
    expect(isTime(value)).toBe(expected);
  });

  it.each([
    ['036000291452', true],
    ['036000291453', false],
    ['4006381333931', true],
    ['000123456789012343', true],
    ['x036000291452', false],
    ['036000291452x', false],
    ['0', false],
    ['', false],
  ])('%j ends with its check digit: %j', (value, expected) => {
    expect(hasCheckDigit(value)).toBe(expected);
  });

  it('of bytes is UTF-8 if they are, else Latin-1', () => {
    expect([textOf('abc'), textOf('\xc3\xbc'), textOf('\xfc'), textOf('\xef\xbb\xbfa')]).toEqual([
      'abc',
      'ü',
      'ü',
      '\ufeffa',
    ]);
  });
});

const HEAD = {
  sender: { qualifier: '1', id: 'US' },
  receiver: { qualifier: 'Z', id: 'THEM' },
  controlNumber: 7,
  usage: 'T',
  at: new Date('2026-11-24T23:59:59Z'),
} as const;

/** Writes one segment with the values; returns its line. */
function lineOf(values: readonly string[], format: WriteFormat = FORMAT): string {
  const group = {
    functionalId: 'SH',
    sender: 'US',
    receiver: 'THEM',
    number: 7,
    sets: [{ setId: '856', segments: [values] }],
  };
  return writeInterchange({ ...HEAD, groups: [group] }, format).split('~\n')[3]!;
}

describe('the writer', () => {
  it('pads the ISA to its widths, and writes counts and numbers', () => {
    const group = {
      functionalId: 'FA',
      sender: 'A',
      receiver: 'B',
      number: 12,
      sets: [{ setId: '997', segments: [['AK1', 'SH', '1']] }],
    };
    expect(writeInterchange({ ...HEAD, groups: [group] }, FORMAT)).toBe(
      [
        'ISA*00*          *00*          *1 *US             *Z *THEM           *261124*2359*U*00401*000000007*0*T*>',
        'GS*FA*A*B*20261124*2359*12*X*004010',
        'ST*997*0001',
        'AK1*SH*1',
        'SE*3*0001',
        'GE*1*12',
        'IEA*1*000000007',
      ]
        .map((line) => `${line}~\n`)
        .join(''),
    );
  });

  it('writes dates of six digits before 004010, the repetition separator from 00402 on, and line feeds where agreed', () => {
    const group = { functionalId: 'FA', sender: 'A', receiver: 'B', number: 12, sets: [] };
    const [old, later] = ['003060', '004020'].map((version) =>
      writeInterchange({ ...HEAD, groups: [group] }, { ...FORMAT, version, newline: false }),
    );
    expect(old).toContain('*U*00306*000000007*0*T*>~GS*FA*A*B*261124*2359*12*X*003060~GE*0*12~IEA*1*000000007~');
    expect(later).toContain('*^*00402*000000007*0*T*>~GS*FA*A*B*20261124*2359*12*X*004020~');
    expect(`${old}${later}`).not.toContain('\n');
  });

  it('leaves out what is blank at the end, and keeps blanks inside', () => {
    expect(lineOf(['N1', 'SF', ' a b ', '', 'x ', '', ' '])).toBe('N1*SF* a b**x');
  });

  it('writes delimiters and control characters as blanks, and other characters as ?', () => {
    expect(lineOf(['N1', 'a*b>c^d~e', 'f\tg\x7fh\x1fi', '~', 'ü€😀~', ' !}'])).toBe('N1*a b c d e*f g h i**???* !}');
    const other = { ...FORMAT, element: '|', component: ':', repetition: '!' };
    expect(lineOf(['N1', 'a*b>c^d', 'e|f:g!h'], other)).toBe('N1|a*b>c^d|e f g h');
  });

  it('knows days and the order of versions', () => {
    expect(dayOf(new Date('2026-01-02T00:00:00Z'))).toBe('20260102');
    expect([isBefore('003060', '004010'), isBefore('004010VICS', '004010'), isBefore('004010', '004020')]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('a list of findings', () => {
  const note = (offset: number) => finding('HL_PARENT', { level: 'NOTE', offset, raw: 'x', message: 'm' });
  const error = (offset: number) => finding('DATE', { offset, raw: 'x', message: 'm' });

  it('keeps the first hundred, errors before notes, in the order of the file', () => {
    const all = new Findings();
    for (let at = 0; at < 80; at += 1) all.add(note(at));
    for (let at = 100; at < 160; at += 1) all.add(error(at));
    expect(all.total).toBe('100+');
    expect(all.list.map(({ offset }) => offset)).toEqual([
      ...Array.from({ length: 40 }, (_, at) => at),
      ...Array.from({ length: 60 }, (_, at) => 100 + at),
    ]);
  });

  it('has a copy of its own', () => {
    const first = new Findings();
    first.add(note(1));
    const copy = first.copy();
    copy.add(error(2));
    expect([first.total, copy.total, first.hasError, copy.hasError]).toEqual([1, 2, false, true]);
    expect(copy.list.map(({ offset }) => offset)).toEqual([1, 2]);
  });

  it('joined with another has both, and says where there were more', () => {
    const one = { findings: [note(3)], findingsTotal: 1 };
    const other = { findings: [error(1)], findingsTotal: 1 };
    expect(joined(one, other)).toEqual({ findings: [error(1), note(3)], findingsTotal: 2 });
    expect(joined({ ...one, findingsTotal: '100+' }, other).findingsTotal).toBe('100+');
    expect(joined(one, { ...other, findingsTotal: '100+' }).findingsTotal).toBe('100+');
  });

  it('has findings with only what is known of their place', () => {
    expect(finding('CUT', { offset: 5, raw: '', message: 'm' })).toStrictEqual({
      level: 'ERROR',
      code: 'CUT',
      offset: 5,
      raw: '',
      message: 'm',
      cure: 'Send the whole file again, up to its trailer (SE, GE and IEA).',
    });
    const whole = { group: '1', set: '2', position: 3, segment: 'DTM', element: 4, component: 5, pointer: '/a' };
    expect(
      finding('DATE', { ...whole, offset: 6, raw: 'a\tb\n\r\x01\x9f', message: 'm', cure: 'c', level: 'NOTE' }),
    ).toStrictEqual({
      level: 'NOTE',
      code: 'DATE',
      ...whole,
      offset: 6,
      raw: 'a\\tb\\n\\r\\x01\\x9f',
      message: 'm',
      cure: 'c',
    });
  });
});

describe('a finding about the meaning', () => {
  const ADVICE: Readonly<Record<string, readonly FindingCode[]>> = {
    Q: ['NO_ITEM_ID', 'ITEM_NOT_FOUND', 'AMBIGUOUS_ITEM'],
    P: ['UNIT', 'FRACTION', 'QUANTITY'],
    MA: ['STORE_NOT_FOUND', 'WAREHOUSE_NOT_FOUND', 'NO_LOCATION'],
    MB: ['ORDER_NOT_FOUND'],
    '006': ['NUMBER_TAKEN'],
    '007': ['NO_COST', 'NO_TRAILER', 'NO_DATE', 'NO_CARTON'],
    '008': ['NUMBER_LENGTH'],
    '024': ['PURPOSE', 'BEGUN', 'SUPERSEDED', 'TOO_MANY_LINES', 'CARTON_ALREADY_ANNOUNCED', 'INVALID_VALUE'],
  };

  it.each(Object.entries(ADVICE))('goes back as TED01 %s: %j', (code, findings) => {
    for (const one of findings) expect(codesOf(one)).toMatchObject({ advice: code });
  });
});

describe('an acknowledgment', () => {
  it('has the segments in their order, each with its elements, also where findings came in another', async () => {
    const body = noticeWith({ HL: undefined, BSN: 'BSN*00*A*2026*25', DTM: 'DTM*017*20261131', CTT: 'CTT*4*5' });
    const judged = await judgeFile(
      fileOf({ sets: [{ body: ['BSN*00*A*2026*25', 'DTM*017*20261131', 'HL*1*9*S', 'HL*1**S', ...body.slice(-4)] }] }),
    );
    const [set] = functionalAcknowledgments(judged, '004010');
    const places = set!.segments.filter(([id]) => id === 'AK3').map(([, , position]) => Number(position));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places.length).toBeGreaterThan(2);
  });

  it('of a group whose count is no number counts its sets', async () => {
    for (const [ge, count] of [
      ['GE*x1*905', '1'],
      ['GE*1x*905', '1'],
      ['GE*42*905', '42'],
    ] as const) {
      const [set] = functionalAcknowledgments(await judgeFile(fileOf({ ge })), '004010');
      expect(set!.segments.at(-1)![2]).toBe(count);
    }
  });

  it('of an envelope with errors and notes tells its first error', async () => {
    const file = fileOf({ isa: isaWith({ 9: '261324', 14: '1' }), iea: 'IEA*2*000000906' });
    expect(interchangeAcknowledgment(await judgeFile(file), 'ON_ERROR')).toEqual([
      'TA1',
      '000000905',
      '261324',
      '0930',
      'R',
      '021',
    ]);
    const noted = fileOf({ isa: isaWith({ 9: '261324', 14: '1' }) });
    expect(interchangeAcknowledgment(await judgeFile(noted), 'ON_ERROR')).toEqual([
      'TA1',
      '000000905',
      '261324',
      '0930',
      'E',
      '014',
    ]);
  });

  it('of a rejected interchange has the finding that rejected it, and those of the envelope', async () => {
    const [interchange] = await read(fileOf({ isa: isaWith({ 9: '261324' }), ge: 'GE*9*905' }));
    const judged = await judge(interchange!);
    const found = finding('NUMBER_REPEATED', { offset: 0, raw: '', message: 'm' });
    const rejected = reject(judged, found);
    expect(rejected).toMatchObject({ rejected: true, findingsTotal: 2, groups: [] });
    expect(rejected.findings.map(({ code }) => code)).toEqual(['NUMBER_REPEATED', 'DATE']);
    expect(interchangeAcknowledgment(rejected, 'ON_ERROR')?.slice(4)).toEqual(['R', '025']);
  });
});

describe('a file of lines that end elsewhere', () => {
  it('is read with its lines joined, by CR, LF or both', async () => {
    const plain = fileOf().replaceAll('\n', '');
    for (const end of ['\r\n', '\n', '\r']) {
      const wrapped = plain.replace(/(.{80})/g, `$1${end}`);
      const [interchange] = await read(wrapped);
      const { groups, findings } = await judge(interchange!);
      expect([findings, groups[0]!.sets[0]!.outcome]).toEqual([[], 'ACCEPTED']);
      for (const { elements, offsets } of interchange!.groups[0]!.sets[0]!.segments) {
        for (const [at, value] of elements.entries()) if (value !== '') expect(wrapped[offsets[at]!]).toBe(value[0]);
      }
    }
  });

  it('with two interchanges, the first without its end, is read as both', async () => {
    const whole = fileOf();
    for (const cut of [200, 400, whole.indexOf('GE*'), whole.indexOf('IEA') + 5]) {
      const body = await read(whole.slice(0, cut) + fileOf({ isa: isaWith({ 13: '000000906' }) }));
      expect(body.map(({ controlNumber }) => controlNumber)).toEqual(['000000905', '000000906']);
      expect(body[1]!.start).toBe(cut);
      expect(body.map(({ trailer }) => trailer !== undefined)).toEqual([false, true]);
    }
  });
});
