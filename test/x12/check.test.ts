/** Checks of sets against their tables, and the AK3 and AK4 that report the errors. */
import { describe, expect, it } from 'vitest';
import { functionalAcknowledgments } from '../../src/platform/x12/acknowledge.ts';
import type { CheckOptions } from '../../src/platform/x12/check.ts';
import { CODES, Findings, finding, shown } from '../../src/platform/x12/findings.ts';
import { areas, segmentRule } from '../../src/platform/x12/tables.ts';
import { FUNCTIONAL_IDS } from '../../src/platform/x12/write.ts';
import {
  ACKNOWLEDGMENT,
  ADVICE,
  brief,
  CHANGE,
  fileOf,
  findingsOf,
  judgeFile,
  noticeWith,
  ORDER,
  RECEIVING_ADVICE,
  type SetInput,
  SHIP_NOTICE,
} from './support.ts';

/** Returns the segments from AK3 to AK5 in the 997 of a file with one set. */
async function acknowledgmentOf(file: string, options?: CheckOptions): Promise<string[]> {
  const [set] = functionalAcknowledgments(await judgeFile(file, options), '004010');
  // The writer leaves out blanks at the end.
  return set!.segments.slice(2, -1).map((segment) => segment.join('*').replace(/[ *]+$/, ''));
}

describe('a DTM before version 004010', () => {
  it('has its century in DTM05, with the number of this element in the 997', async () => {
    const file = (DTM: string) =>
      fileOf({
        version: '003040',
        sets: [{ id: '856', body: noticeWith({ BSN: 'BSN*00*SHIP1001*261124*0930', DTM }) }],
      });
    const options = { versions: ['003040'] };
    expect(findingsOf(await judgeFile(file('DTM*017*261130***20'), options))).toEqual([]);
    expect(await acknowledgmentOf(file('DTM*017*261130***XX'), options)).toContain('AK4*5*624*6*XX');
  });
});

describe('sets without findings', () => {
  it.each([
    ['856', SHIP_NOTICE],
    ['850', ORDER],
    ['860', CHANGE],
    ['997', ACKNOWLEDGMENT],
    ['824', ADVICE],
    ['861', RECEIVING_ADVICE],
  ])('%s', async (id, body) => {
    expect(findingsOf(await judgeFile(fileOf({ sets: [{ id, body }] })))).toEqual([]);
  });

  it('an 856 that puts the carton below the item (BSN05 0002)', async () => {
    const body = noticeWith({
      BSN: 'BSN*00*SHIP1001*20261124*0930*0002',
      9: 'HL*3*2*I',
      10: 'LIN*1*SK*A-1~SN1**5*EA',
      11: 'HL*4*3*P',
      LIN: 'MAN*GM*000123456789012343',
      SN1: undefined,
    });
    expect(findingsOf(await judgeFile(fileOf({ sets: [{ body }] })))).toEqual([]);
  });

  it('a 997 of version 005010, with the reference of ST03', async () => {
    const body = ['AK1*AG*12*005010', 'AK2*824*0001*X1', 'AK5*A', 'AK9*A*1*1*1'];
    expect(findingsOf(await judgeFile(fileOf({ version: '005010', sets: [{ id: '997', body }] })))).toEqual([]);
  });
});

type Case = [
  name: string,
  input: SetInput | string[],
  findings: string[],
  acknowledgment: string[],
  options?: CheckOptions & { version?: string },
];

async function expectCase([, input, findings, acknowledgment, options = {}]: Case): Promise<void> {
  const set = Array.isArray(input) ? { body: input } : input;
  const { version, ...checked } = options;
  const file = fileOf({ sets: [set], ...(version !== undefined && { version }) });
  const judged = await judgeFile(file, checked);
  const found = findingsOf(judged);
  expect(brief(found)).toEqual(findings);
  expect(await acknowledgmentOf(file, checked)).toEqual(acknowledgment);
  for (const one of found) {
    expect(one).toMatchObject({ group: '905', set: set.number ?? '0001' });
    // The bytes of the finding are at its offset in the file.
    if (one.raw !== '') expect(shown(file.slice(one.offset))).toContain(one.raw.slice(0, 3));
  }
}

describe('segments', () => {
  const cases: Case[] = [
    [
      'unknown: a note, with an AK3',
      noticeWith({ REF: 'XYZ*1' }),
      ['NOTE UNKNOWN_SEGMENT 6 XYZ'],
      ['AK3*XYZ*6**1', 'AK5*E'],
    ],
    [
      'unknown, strictly: an error',
      noticeWith({ REF: 'XYZ*1' }),
      ['ERROR UNKNOWN_SEGMENT 6 XYZ'],
      ['AK3*XYZ*6**1', 'AK5*R*5'],
      { strict: { unknownSegments: 'ERROR' } },
    ],
    ['without a name', noticeWith({ REF: '' }), ['NOTE UNKNOWN_SEGMENT 6'], ['AK3*??*6**1', 'AK5*E']],
    ['in lower case', noticeWith({ REF: 'ref*BM*BOL77' }), ['NOTE UNKNOWN_SEGMENT 6 ref'], ['AK3*ref*6**1', 'AK5*E']],
    [
      'of the detail in the header',
      noticeWith({ BSN: 'BSN*00*SHIP1001*20261124*0930~MAN*GM*000123456789012343' }),
      ['ERROR UNEXPECTED_SEGMENT 3 MAN'],
      ['AK3*MAN*3**2', 'AK5*R*5'],
    ],
    [
      'of the header in the detail',
      noticeWith({ REF: 'BSN*00*SHIP1001*20261124*0930' }),
      ['ERROR UNEXPECTED_SEGMENT 6 BSN'],
      ['AK3*BSN*6**2', 'AK5*R*5'],
    ],
    [
      'N1 before the first HL: read, with a note',
      noticeWith({ BSN: 'BSN*00*SHIP1001*20261124*0930~N1*SF*Green Valley' }),
      ['NOTE UNEXPECTED_SEGMENT 3 N1'],
      ['AK5*E'],
    ],
    [
      'behind CTT',
      noticeWith({ CTT: 'CTT*4*5~REF*BM*BOL78' }),
      ['ERROR UNEXPECTED_SEGMENT 17 REF'],
      ['AK3*REF*17**2', 'AK5*R*5'],
    ],
    [
      'mandatory, missing: BSN',
      noticeWith({ BSN: undefined }),
      ['ERROR MISSING_SEGMENT 2 BSN'],
      ['AK3*BSN*2**3', 'AK5*R*5'],
    ],
    [
      'mandatory, missing: every HL',
      SHIP_NOTICE.slice(0, 1),
      ['ERROR MISSING_SEGMENT 3 HL'],
      ['AK3*HL*3**3', 'AK5*R*5'],
    ],
    [
      'an item without LIN',
      noticeWith({ LIN: undefined, CTT: undefined }),
      ['ERROR MISSING_SEGMENT 14 LIN'],
      ['AK3*LIN*14**3', 'AK5*R*5'],
    ],
    [
      'an item without SN1',
      noticeWith({ SN1: undefined, CTT: undefined }),
      ['ERROR MISSING_SEGMENT 15 SN1'],
      ['AK3*SN1*15**3', 'AK5*R*5'],
    ],
    [
      'an item without both',
      noticeWith({ LIN: undefined, SN1: undefined, CTT: undefined }),
      ['ERROR MISSING_SEGMENT 14 LIN', 'ERROR MISSING_SEGMENT 14 SN1'],
      ['AK3*LIN*14**3', 'AK3*SN1*14**3', 'AK5*R*5'],
    ],
    [
      'too many: LIN of one item',
      noticeWith({ LIN: 'LIN*1*SK*A-1~LIN*2*SK*A-2' }),
      ['ERROR TOO_MANY 15 LIN'],
      ['AK3*LIN*15**5', 'AK5*R*5'],
    ],
    [
      'too many: BSN',
      noticeWith({ BSN: 'BSN*00*S1*20261124*0930~BSN*00*S2*20261124*0930' }),
      ['ERROR TOO_MANY 3 BSN'],
      ['AK3*BSN*3**5', 'AK5*R*5'],
    ],
    ['too many: CTT', noticeWith({ CTT: 'CTT*4*5~CTT*4*5' }), ['ERROR TOO_MANY 17 CTT'], ['AK3*CTT*17**5', 'AK5*R*5']],
    [
      'an order without BEG and PO1',
      { id: '850', body: ['DTM*002*20261126'] },
      ['ERROR MISSING_SEGMENT 2 BEG', 'ERROR MISSING_SEGMENT 3 PO1'],
      ['AK3*BEG*2**3', 'AK3*PO1*3**3', 'AK5*R*5'],
    ],
    [
      'a change without POC: it may cancel the order',
      { id: '860', body: ['BCH*01*SA*PO-7001***20261121'] },
      [],
      ['AK5*A'],
    ],
  ];

  it.each(cases)('%s', async (...one) => expectCase(one));
});

describe('elements', () => {
  const cases: Case[] = [
    [
      'missing',
      noticeWith({ BSN: 'BSN*00**20261124*0930' }),
      ['ERROR MISSING_ELEMENT 2 BSN02'],
      ['AK3*BSN*2**8', 'AK4*2*396*1', 'AK5*R*5'],
    ],
    [
      'missing at the end',
      noticeWith({ SN1: 'SN1**5', CTT: undefined }),
      ['ERROR MISSING_ELEMENT 15 SN103'],
      ['AK3*SN1*15**8', 'AK4*3*355*1', 'AK5*R*5'],
    ],
    [
      'only blanks',
      noticeWith({ BSN: 'BSN*00*   *20261124*0930' }),
      ['ERROR MISSING_ELEMENT 2 BSN02'],
      ['AK3*BSN*2**8', 'AK4*2*396*1', 'AK5*R*5'],
    ],
    [
      'two of one segment: one AK3',
      noticeWith({ BSN: 'BSN*00**2026*0930' }),
      ['ERROR MISSING_ELEMENT 2 BSN02', 'ERROR DATE 2 BSN03'],
      ['AK3*BSN*2**8', 'AK4*2*396*1', 'AK4*3*373*8*2026', 'AK5*R*5'],
    ],
    [
      'too short',
      noticeWith({ BSN: 'BSN*00*S*20261124*0930' }),
      ['ERROR TOO_SHORT 2 BSN02'],
      ['AK3*BSN*2**8', 'AK4*2*396*4*S', 'AK5*R*5'],
    ],
    ['as short as allowed', noticeWith({ BSN: 'BSN*00*S1*20261124*0930' }), [], ['AK5*A']],
    ['as long as allowed', noticeWith({ BSN: `BSN*00*${'S'.repeat(30)}*20261124*0930` }), [], ['AK5*A']],
    [
      'too long',
      noticeWith({ BSN: `BSN*00*${'S'.repeat(31)}*20261124*0930` }),
      ['ERROR TOO_LONG 2 BSN02'],
      ['AK3*BSN*2**8', `AK4*2*396*5*${'S'.repeat(31)}`, 'AK5*R*5'],
    ],
    [
      'longer from version 005010 on',
      noticeWith({ REF: `REF*BM*${'B'.repeat(50)}` }),
      [],
      ['AK5*A'],
      { version: '005010' },
    ],
    [
      'too long before version 005010',
      noticeWith({ REF: `REF*BM*${'B'.repeat(31)}` }),
      ['ERROR TOO_LONG 6 REF02'],
      ['AK3*REF*6**8', `AK4*2*127*5*${'B'.repeat(31)}`, 'AK5*R*5'],
    ],
    ['a trailer of 26 characters passes here', noticeWith({ TD3: `TD3*TL**${'T'.repeat(26)}` }), [], ['AK5*A']],
    [
      'a quantity with a letter',
      noticeWith({ SN1: 'SN1**5x*EA', CTT: undefined }),
      ['ERROR CHARACTER 15 SN102'],
      ['AK3*SN1*15**8', 'AK4*2*382*6*5x', 'AK5*R*5'],
    ],
    [
      'a quantity with a comma',
      noticeWith({ SN1: 'SN1**5,5*EA', CTT: undefined }),
      ['ERROR CHARACTER 15 SN102'],
      ['AK3*SN1*15**8', 'AK4*2*382*6*5,5', 'AK5*R*5'],
    ],
    [
      'a decimal: sign and point do not count',
      noticeWith({ SN1: 'SN1**-12345678.90*EA', CTT: undefined }),
      [],
      ['AK5*A'],
    ],
    [
      'a decimal of too many digits',
      noticeWith({ SN1: 'SN1**12345678.901*EA', CTT: undefined }),
      ['ERROR TOO_LONG 15 SN102'],
      ['AK3*SN1*15**8', 'AK4*2*382*5*12345678.901', 'AK5*R*5'],
    ],
    [
      'a decimal that begins or ends with its point',
      noticeWith({ SN1: 'SN1**5.*EA**.5', CTT: undefined }),
      [],
      ['AK5*A'],
    ],
    [
      'a count that is no whole number',
      noticeWith({ CTT: 'CTT*4.0' }),
      ['ERROR CHARACTER 16 CTT01'],
      ['AK3*CTT*16**8', 'AK4*1*354*6*4.0', 'AK5*R*5'],
    ],
    [
      'a control character',
      noticeWith({ N1: 'N1*ST*Main\tStreet' }),
      ['ERROR CHARACTER 8 N102'],
      ['AK3*N1*8**8', 'AK4*2*93*6*Main\\tStreet', 'AK5*R*5'],
    ],
    [
      'a control character where no rule is',
      noticeWith({ REF: 'FOB*PP*********a\x01' }).map((one) => one.replace(/^FOB.*/, 'SAC*A\x01')),
      ['ERROR CHARACTER 6 SAC01'],
      ['AK3*SAC*6**8', 'AK4*1**6*A\\x01', 'AK5*R*5'],
    ],
    [
      'a code that is none',
      noticeWith({ 1: 'HL*1**S*2' }),
      ['ERROR CODE 3 HL04'],
      ['AK3*HL*3**8', 'AK4*4*736*7*2', 'AK5*R*5'],
    ],
    [
      'no date',
      noticeWith({ DTM: 'DTM*017*20261131' }),
      ['ERROR DATE 7 DTM02'],
      ['AK3*DTM*7**8', 'AK4*2*373*8*20261131', 'AK5*R*5'],
    ],
    ['the day of a leap year', noticeWith({ DTM: 'DTM*017*20280229' }), [], ['AK5*A']],
    ['six digits before version 004010', noticeWith({ DTM: 'DTM*017*961126' }), [], ['AK5*A'], { version: '003060' }],
    [
      'eight digits before version 004010',
      noticeWith({ DTM: 'DTM*017*19961126' }),
      [],
      ['AK5*A'],
      { version: '003060' },
    ],
    [
      'six digits from version 004010 on',
      noticeWith({ DTM: 'DTM*017*261126' }),
      ['ERROR DATE 7 DTM02'],
      ['AK3*DTM*7**8', 'AK4*2*373*8*261126', 'AK5*R*5'],
    ],
    [
      'no time',
      noticeWith({ BSN: 'BSN*00*SHIP1001*20261124*2460' }),
      ['ERROR TIME 2 BSN04'],
      ['AK3*BSN*2**8', 'AK4*4*337*9*2460', 'AK5*R*5'],
    ],
    ['a time with seconds and decimals', noticeWith({ BSN: 'BSN*00*SHIP1001*20261124*09305999' }), [], ['AK5*A']],
    [
      'more than the segment has',
      noticeWith({ 1: 'HL*1**S*1*5' }),
      ['ERROR TOO_MANY 3 HL05'],
      ['AK3*HL*3**8', 'AK4*5**3*5', 'AK5*R*5'],
    ],
    ['empty ones at the end', noticeWith({ 1: 'HL*1**S*1***' }), [], ['AK5*A']],
    [
      'a qualifier without its value',
      noticeWith({ LIN: 'LIN*1*SK*A-1*UP' }),
      ['NOTE MISSING_ELEMENT 14 LIN05'],
      ['AK5*E'],
    ],
    [
      'a value without its qualifier',
      noticeWith({ LIN: 'LIN*1*SK*A-1**012345678905' }),
      ['NOTE MISSING_ELEMENT 14 LIN04'],
      ['AK5*E'],
    ],
    [
      'a short number of the set: a note',
      { number: '1' },
      ['NOTE TOO_SHORT 1 ST02', 'NOTE TOO_SHORT 17 SE02'],
      ['AK5*E'],
    ],
    [
      'a long number of the set',
      { number: '1234567890' },
      ['ERROR TOO_LONG 1 ST02', 'ERROR TOO_LONG 17 SE02'],
      ['AK3*ST*1**8', 'AK4*2*329*5*1234567890', 'AK3*SE*17**8', 'AK4*2*329*5*1234567890', 'AK5*R*5'],
    ],
    [
      'no number of segments',
      { count: '' },
      ['ERROR MISSING_ELEMENT 17 SE01'],
      ['AK3*SE*17**8', 'AK4*1*96*1', 'AK5*R*5'],
    ],
  ];

  it.each(cases)('%s', async (...one) => expectCase(one));
});

describe('totals', () => {
  const cases: Case[] = [
    ['CTT01 differs: a note without AK3', noticeWith({ CTT: 'CTT*5' }), ['NOTE HASH_TOTAL 16 CTT01'], ['AK5*E']],
    [
      'CTT01 differs, strictly: still a note',
      noticeWith({ CTT: 'CTT*5' }),
      ['NOTE HASH_TOTAL 16 CTT01'],
      ['AK5*E'],
      { strict: { hashTotal: 'ERROR' } },
    ],
    ['CTT02 differs', noticeWith({ CTT: 'CTT*4*6' }), ['NOTE HASH_TOTAL 16 CTT02'], ['AK5*E']],
    [
      'CTT02 differs, strictly',
      noticeWith({ CTT: 'CTT*4*6' }),
      ['ERROR HASH_TOTAL 16 CTT02'],
      ['AK3*CTT*16**8', 'AK4*2*347*7*6', 'AK5*R*5'],
      { strict: { hashTotal: 'ERROR' } },
    ],
    ['CTT02 with needless zeros', noticeWith({ CTT: 'CTT*04*5.00' }), [], ['AK5*A']],
    ['CTT02 of decimals', noticeWith({ SN1: 'SN1**0.1*EA~SLN*1**I~PO4*1', CTT: 'CTT*4*0.10' }), [], ['AK5*A']],
    ['no CTT', noticeWith({ CTT: undefined }), [], ['AK5*A']],
    [
      'of an order: PO1 and PO102',
      { id: '850', body: [...ORDER.slice(0, -1), 'CTT*3*8'] },
      ['NOTE HASH_TOTAL 7 CTT01', 'NOTE HASH_TOTAL 7 CTT02'],
      ['AK5*E'],
    ],
    [
      'of a change: POC and POC03',
      { id: '860', body: [...CHANGE.slice(0, -1), 'CTT*2*5'] },
      ['NOTE HASH_TOTAL 4 CTT01', 'NOTE HASH_TOTAL 4 CTT02'],
      ['AK5*E'],
    ],
    [
      'of a receiving advice: RCD',
      { id: '861', body: [...RECEIVING_ADVICE.slice(0, -1), 'CTT*2'] },
      ['NOTE HASH_TOTAL 7 CTT01'],
      ['AK5*E'],
    ],
  ];

  it.each(cases)('%s', async (...one) => expectCase(one));
});

describe('check digits', () => {
  it.each([
    ['UP', '012345678905', true],
    ['UP', '012345678906', false],
    ['UP', '12345678905', false],
    ['UP', '01234567890A', false],
    ['EN', '4012345678901', true],
    ['EN', '4012345678902', false],
    ['UK', '04012345678901', true],
    ['UK', '04012345678909', false],
    ['SK', '012345678906', true],
  ])('LIN %s %s is right: %s', async (qualifier, value, isRight) => {
    const body = noticeWith({ LIN: `LIN*1*SK*A-1*${qualifier}*${value}` });
    const found = findingsOf(await judgeFile(fileOf({ sets: [{ body }] })));
    expect(brief(found)).toEqual(isRight ? [] : ['NOTE CHECK_DIGIT 14 LIN05']);
  });

  it.each([
    ['GM*000123456789012343', true],
    ['GM*00000123456789012343', true],
    ['GM*000123456789012344', false],
    ['GM*12345', false],
    ['CP*12345', true],
    ['CP*12345**GM*000123456789012344', false],
  ])('MAN*%s is right: %s', async (value, isRight) => {
    const found = findingsOf(await judgeFile(fileOf({ sets: [{ body: noticeWith({ MAN: `MAN*${value}` }) }] })));
    expect(found.map(({ code }) => code)).toEqual(isRight ? [] : ['CHECK_DIGIT']);
  });

  it('of orders and changes are judged, too', async () => {
    const order = fileOf({ sets: [{ id: '850', body: ['BEG*00*SA*P1**20261120', 'PO1*1*1*EA*1**UP*012345678906'] }] });
    const change = fileOf({
      sets: [{ id: '860', body: ['BCH*05*SA*P1***20261120', 'POC*1*CA*1*1*EA*1**UP*012345678906'] }],
    });
    expect(brief(findingsOf(await judgeFile(order)))).toEqual(['NOTE CHECK_DIGIT 3 PO107']);
    expect(brief(findingsOf(await judgeFile(change)))).toEqual(['NOTE CHECK_DIGIT 3 POC09']);
  });

  it('are an error where agreed: AK304 8 with AK403 7', async () => {
    const file = fileOf({ sets: [{ body: noticeWith({ LIN: 'LIN*1*UP*012345678906' }) }] });
    const acknowledgment = await acknowledgmentOf(file, { strict: { checkDigits: 'ERROR' } });
    expect(acknowledgment).toEqual(['AK3*LIN*14**8', 'AK4*3*234*7*012345678906', 'AK5*R*5']);
  });
});

describe('findings', () => {
  it('are all there up to 100 of a set', async () => {
    const body = noticeWith({ REF: Array.from({ length: 100 }, () => 'DTM*017*1').join('~') });
    const [set] = (await judgeFile(fileOf({ sets: [{ body }] }))).groups[0]!.sets;
    expect(set!.findings).toHaveLength(100);
    expect(set!.findingsTotal).toBe(100);
  });

  it('of more than 100, errors come before notes, and the total says so', async () => {
    const unknown = Array.from({ length: 100 }, () => 'XYZ').join('~');
    const body = noticeWith({ REF: unknown, SN1: 'SN1**x*EA' });
    const [set] = (await judgeFile(fileOf({ sets: [{ body }] }))).groups[0]!.sets;
    expect(set).toMatchObject({ findingsTotal: '100+', outcome: 'REJECTED_SYNTAX' });
    expect(set!.findings).toHaveLength(100);
    expect(set!.findings.filter(({ level }) => level === 'ERROR')).toHaveLength(1);
    expect(set!.findings.map(({ offset }) => offset)).toEqual(
      set!.findings.map(({ offset }) => offset).sort((a, b) => a - b),
    );
  });

  it('show at most 80 characters, control characters escaped', () => {
    expect(shown(`a\tb\r\n\x00\x7f${'x'.repeat(100)}`)).toBe(`a\\tb\\r\\n\\x00\\x7f${'x'.repeat(64)}`);
    const one = finding('DATE', { offset: 0, raw: 'y'.repeat(200), message: 'm' });
    expect(one.raw).toHaveLength(80);
    expect(shown(`${'z'.repeat(79)}\n`)).toBe('z'.repeat(79));
  });

  it('have level ERROR and the fix of their code unless given', () => {
    const where = { offset: 1, raw: '', message: 'm' };
    expect(finding('DATE', where)).toEqual({
      level: 'ERROR',
      code: 'DATE',
      offset: 1,
      raw: '',
      message: 'm',
      cure: CODES.DATE.cure,
    });
    expect(finding('DATE', { ...where, level: 'NOTE', cure: 'c', component: 2 })).toMatchObject({
      level: 'NOTE',
      cure: 'c',
      component: 2,
    });
  });

  it('have a short fix in ASCII', () => {
    for (const [code, { cure }] of Object.entries(CODES)) {
      expect(cure.length, code).toBeLessThanOrEqual(80);
      expect(cure, code).toMatch(/^[ -~]+\.$/);
    }
  });

  it('are counted from 0', () => {
    expect(new Findings().total).toBe(0);
  });
});

describe('the tables', () => {
  const ids = Object.keys(FUNCTIONAL_IDS);

  it('name segments of two or three characters, and each set begins with ST', () => {
    for (const id of ids) {
      const all = areas(id).flatMap(({ segments }) => [...segments.keys()]);
      expect(all[0]).toBe('ST');
      expect(all).toContain('SE');
      for (const segment of all) expect(segment).toMatch(/^[A-Z][A-Z0-9]{1,2}$/);
    }
  });

  it('have elements whose least length is not above the most', () => {
    const known = ids.flatMap((id) => areas(id).flatMap(({ segments }) => [...segments.keys()]));
    for (const segment of new Set(known)) {
      for (const { type, min, max, maxFrom5010, reference } of segmentRule(segment)?.elements ?? []) {
        expect(['AN', 'ID', 'N', 'R', 'DT', 'TM', 'C'], `${segment} ${reference}`).toContain(type);
        expect(min).toBeLessThanOrEqual(max);
        expect(max).toBeLessThanOrEqual(maxFrom5010);
      }
    }
    expect(segmentRule('constructor')).toBeUndefined();
    expect(areas('toString')).toEqual([]);
  });
});
