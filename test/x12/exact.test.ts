/** Values that are almost correct: each causes one finding and no other. */
import { describe, expect, it } from 'vitest';
import { functionalAcknowledgments, interchangeAcknowledgment } from '../../src/platform/x12/acknowledge.ts';
import type { CheckOptions } from '../../src/platform/x12/check.ts';
import { shown } from '../../src/platform/x12/findings.ts';
import { brief, fileOf, findingsOf, isaWith, judgeFile, noticeWith } from './support.ts';

const found = async (file: string | Uint8Array, options?: CheckOptions) =>
  brief(findingsOf(await judgeFile(file, options)));
const foundIn = (changed: Readonly<Record<string, string>>) => found(fileOf({ sets: [{ body: noticeWith(changed) }] }));

describe('totals', () => {
  it.each(['2x', 'x2'])('that are no number (CTT01 %s) are not compared', async (count) => {
    expect(await foundIn({ CTT: `CTT*${count}*5` })).toEqual(['ERROR CHARACTER 16 CTT01']);
  });

  it('are not compared where one of the quantities is no number', async () => {
    const body = noticeWith({ SN1: 'SN1**5*EA~HL*5*3*I~LIN*2*SK*A-1~SN1**five*EA', CTT: 'CTT*5*99' });
    expect(await found(fileOf({ sets: [{ body }] }))).toEqual(['ERROR CHARACTER 18 SN102']);
  });

  it.each(['17x', 'x17'])('of segments that are no number (SE01 %s) have one finding', async (count) => {
    expect(await found(fileOf({ sets: [{ count }] }))).toEqual(['ERROR CHARACTER 17 SE01']);
  });
});

describe('check digits', () => {
  it.each(['12345678905x', 'x12345678905'])('of a UPC with a letter (%s) are not computed', async (upc) => {
    const judged = await judgeFile(fileOf({ sets: [{ body: noticeWith({ LIN: `LIN*1*UP*${upc}` }) }] }));
    expect(findingsOf(judged)).toMatchObject([
      { code: 'CHECK_DIGIT', level: 'NOTE', message: `"${upc}" is not a valid UPC of 12 digits` },
    ]);
  });

  it('are only looked for in LIN, PO1, POC and MAN', async () => {
    expect(await foundIn({ REF: 'REF*GM*12' })).toEqual([]);
  });
});

describe('lengths', () => {
  it('count characters, not bytes or halves of them', async () => {
    const body = noticeWith({ N1: `N1*ST*${'😀'.repeat(60)}*92*004` });
    expect(await found(Buffer.from(fileOf({ sets: [{ body }] })))).toEqual([]);
    const longer = noticeWith({ N1: `N1*ST*${'😀'.repeat(61)}*92*004` });
    expect(await found(Buffer.from(fileOf({ sets: [{ body: longer }] })))).toEqual(['ERROR TOO_LONG 8 N102']);
  });
});

describe('the bytes of a finding', () => {
  it('show letters beyond ASCII, and control characters by their code', () => {
    expect(shown('Gr\u00fcn\u00a0\u0085\u0001\t')).toBe('Gr\u00fcn\u00a0\\x85\\x01\\t');
  });
});

describe('an ISA', () => {
  it.each(['P', 'T', 'I'])('may have the usage %s', async (usage) => {
    expect(await found(fileOf({ isa: isaWith({ 15: usage }) }))).toEqual([]);
  });

  it('may have control characters as delimiters', async () => {
    const isa = isaWith({ 11: '\x1d', 12: '00501', 16: '\x1f' });
    expect(await found(fileOf({ isa, version: '005010' }))).toEqual([]);
  });

  it('with a version of six digits has no version, so ISA11 is not judged by it', async () => {
    expect(await found(fileOf({ isa: isaWith({ 12: '005010' }) }))).toEqual([
      'NOTE ISA_WIDTH ISA12',
      'NOTE CHARACTER ISA12',
    ]);
  });
});

describe('a version that is not agreed', () => {
  it.each([
    [`004010${'X'.repeat(34)}`, `004010${'X'.repeat(34)}`],
    [`004010${'X'.repeat(35)}`, `004010${'X'.repeat(34)}…`],
  ])('is shown up to 40 characters, with those that are (%#)', async (version, shown) => {
    const judged = await judgeFile(fileOf({ version }), { versions: ['003060', '005010'] });
    expect(judged.findings.map(({ message }) => message)).toEqual([`Version "${shown}" is not agreed: 003060, 005010`]);
  });
});

describe('the 997', () => {
  const acknowledgmentOf = async (file: string, version: string) => {
    const [set] = functionalAcknowledgments(await judgeFile(file), version);
    return set!.segments.map((segment) => segment.join('*').replace(/\*+$/, ''));
  };

  it('accepts a group without sets', async () => {
    expect(await acknowledgmentOf(fileOf({ sets: [] }), '004010')).toEqual(['AK1*SH*905', 'AK9*A*0*0*0']);
  });

  it('of version 005010 has at most 12 characters of GS08', async () => {
    const [ak1] = await acknowledgmentOf(fileOf({ version: '005010ABCDEFGHIJ' }), '005010');
    expect(ak1).toBe('AK1*SH*905*005010ABCDEF');
  });
});

describe('the TA1', () => {
  it('is sent for groups that come with a TA1 of the partner', async () => {
    const gs = 'GS*SH*GREENVALLEY*4085551234*20261124*0930*905*X*004010';
    const file = fileOf({ isa: isaWith({ 14: '1' }), gs: `TA1*000000044*261124*0930*A*000~\n${gs}` });
    expect(interchangeAcknowledgment(await judgeFile(file), 'ON_ERROR')).toEqual([
      'TA1',
      '000000905',
      '261124',
      '0930',
      'A',
      '000',
    ]);
  });
});
