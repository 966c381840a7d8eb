/** Errors of envelopes, and the TA1, or AK9 and AK5, that report them. */
import { describe, expect, it } from 'vitest';
import { functionalAcknowledgments, interchangeAcknowledgment } from '../../src/platform/x12/acknowledge.ts';
import { type CheckOptions, reject, STRICT, type Strict } from '../../src/platform/x12/check.ts';
import { finding } from '../../src/platform/x12/findings.ts';
import { type WrittenSet, writeInterchange } from '../../src/platform/x12/write.ts';
import { brief, type FileInput, FORMAT, fileOf, findingsOf, isaWith, judgeFile, segmentsOf } from './support.ts';

/** Returns TA104 and TA105 of a file; requests the TA1 even without errors. */
async function ta1Of(file: string, options?: CheckOptions) {
  return interchangeAcknowledgment(await judgeFile(file, options), 'ALWAYS')
    ?.slice(4)
    .join(' ');
}

/** Returns AK5 and AK9 of a file. */
async function acksOf(file: string, options?: CheckOptions, version = '004010') {
  const sets = functionalAcknowledgments(await judgeFile(file, options), version);
  const lines = sets.flatMap(({ segments }) => segments.map((segment) => segment.join('*')));
  return lines.filter((line) => /^AK[59]/.test(line));
}

describe('the interchange', () => {
  const cases: [name: string, input: FileInput | string, findings: string[], ta1: string][] = [
    ['nothing is wrong', {}, [], 'A 000'],
    ['IEA is missing', { iea: undefined }, ['ERROR CUT IEA'], 'R 023'],
    ['GE and IEA are missing', { ge: undefined, iea: undefined }, ['ERROR CUT IEA'], 'R 023'],
    ['IEA02 differs', { iea: 'IEA*1*000000906' }, ['ERROR NUMBER_DIFFERS IEA02'], 'R 001'],
    ['IEA01 differs', { iea: 'IEA*2*000000905' }, ['ERROR COUNT_DIFFERS IEA01'], 'R 021'],
    ['IEA01 is no number', { iea: 'IEA*x*000000905' }, ['ERROR COUNT_DIFFERS IEA01'], 'R 021'],
    ['ISA06 is too short', { isa: isaWith({ 6: 'GREENVALLEY' }) }, ['NOTE ISA_WIDTH ISA06'], 'E 022'],
    ['ISA13 has a letter', { isa: isaWith({ 13: '00000090A' }) }, ['ERROR CHARACTER ISA13'], 'R 018'],
    ['ISA13 is blank', { isa: isaWith({ 13: ' '.repeat(9) }), iea: 'IEA*1' }, ['ERROR MISSING_ELEMENT ISA13'], 'R 018'],
    ['ISA09 is not a date', { isa: isaWith({ 9: '261331' }) }, ['NOTE DATE ISA09'], 'E 014'],
    ['ISA10 is not a time', { isa: isaWith({ 10: '2460' }) }, ['NOTE TIME ISA10'], 'E 015'],
    ['ISA12 is not a version', { isa: isaWith({ 12: '4.010' }) }, ['NOTE CHARACTER ISA12'], 'E 017'],
    ['ISA14 is no 0 or 1', { isa: isaWith({ 14: 'Y' }) }, ['NOTE CODE ISA14'], 'E 019'],
    ['ISA15 is no P or T', { isa: isaWith({ 15: 'X' }) }, ['NOTE CODE ISA15'], 'E 020'],
    ['ISA16 is a letter', { isa: isaWith({ 16: 'A' }) }, ['ERROR DELIMITER ISA16'], 'R 027'],
    ['ISA16 is the terminator', { isa: isaWith({ 16: '~' }) }, ['ERROR DELIMITER ISA16'], 'R 027'],
    [
      'ISA16 is the element separator',
      { isa: isaWith({ 16: '*' }) },
      ['ERROR DELIMITER ISA16', 'NOTE ISA_WIDTH ISA16'],
      'R 027',
    ],
    ['ISA11 is no separator in a later version', { isa: isaWith({ 12: '00501' }) }, ['NOTE DELIMITER ISA11'], 'E 022'],
    ['ISA11 is also the terminator', { isa: isaWith({ 11: '>', 12: '00501' }) }, ['NOTE DELIMITER ISA11'], 'E 022'],
    [
      'the GS segment is missing',
      fileOf().replace(/GS\*.*\n/, ''),
      ['ERROR UNEXPECTED_SEGMENT ST', 'ERROR COUNT_DIFFERS IEA01'],
      'R 022',
    ],
    ['IEA has more elements', { iea: 'IEA*1*000000905*7' }, ['NOTE TOO_MANY IEA03'], 'E 022'],
    ['IEA has a control character', { iea: 'IEA*1*000000905*\x01' }, ['NOTE TOO_MANY IEA03'], 'E 022'],
    ['bytes follow IEA', `${fileOf()}END`, ['NOTE TRAILING_BYTES'], 'E 022'],
  ];

  it.each(cases)('%s', async (_, input, findings, ta1) => {
    const file = typeof input === 'string' ? input : fileOf(input);
    const judged = await judgeFile(file);
    expect(brief(judged.findings)).toEqual(findings);
    expect(judged.rejected).toBe(ta1.startsWith('R'));
    expect(await ta1Of(file)).toBe(ta1);
    for (const found of judged.findings) expect(found.offset).toBeLessThanOrEqual(file.length);
  });

  it('that is rejected has no sets and no 997; on request its sets are judged all the same', async () => {
    const file = fileOf({ iea: 'IEA*1*000000906' });
    expect((await judgeFile(file)).groups).toEqual([]);
    expect(await acksOf(file)).toEqual([]);
    const all = await judgeFile(file, { judgesAll: true });
    expect(all.groups[0]!.sets.map(({ outcome }) => outcome)).toEqual(['ACCEPTED']);
    expect(functionalAcknowledgments(all, '004010')).toEqual([]);
  });

  it('the TA1 has number, date and time of the interchange', async () => {
    const judged = await judgeFile(fileOf());
    expect(interchangeAcknowledgment(judged, 'ALWAYS')).toEqual(['TA1', '000000905', '261124', '0930', 'A', '000']);
  });

  it.each([
    ['ON_ERROR', '0', false],
    ['ON_ERROR', '1', true],
    ['ALWAYS', '0', true],
    ['NEVER', '1', false],
  ] as const)('with %s and ISA14 %s, an accepted interchange gets a TA1: %s', async (policy, asked, isSent) => {
    const judged = await judgeFile(fileOf({ isa: isaWith({ 14: asked }) }));
    expect(interchangeAcknowledgment(judged, policy) !== undefined).toBe(isSent);
  });

  it('that is rejected gets a TA1 unless there is never one', async () => {
    const judged = await judgeFile(fileOf({ iea: undefined }));
    expect(interchangeAcknowledgment(judged, 'ON_ERROR')?.[4]).toBe('R');
    expect(interchangeAcknowledgment(judged, 'NEVER')).toBeUndefined();
  });

  it('with only a TA1 never gets one', async () => {
    const isa = segmentsOf({ isa: isaWith({ 14: '1' }) })[0]!;
    const judged = await judgeFile(`${isa}~TA1*000000044*261124*0930*A*000~IEA*0*000000905~`);
    expect(interchangeAcknowledgment(judged, 'ALWAYS')).toBeUndefined();
  });

  it('with a repeated control number is rejected by the caller: TA1 R 025', async () => {
    const judged = await judgeFile(fileOf({ ge: 'GE*7*905' }));
    const repeated = finding('NUMBER_REPEATED', {
      segment: 'ISA',
      element: 13,
      offset: 90,
      raw: '000000905',
      message: 'known',
    });
    const rejected = reject(judged, repeated);
    expect(interchangeAcknowledgment(rejected, 'ON_ERROR')?.slice(4)).toEqual(['R', '025']);
    expect(rejected).toMatchObject({ rejected: true, groups: [], findings: [repeated], findingsTotal: 1 });
  });

  it.each([
    ['isaWidths', { isa: isaWith({ 6: 'GREENVALLEY' }) }, 'ERROR', 'R 022'],
    ['segmentCount', { iea: 'IEA*2*000000905' }, 'NOTE', 'E 021'],
    ['controlNumbers', { iea: 'IEA*1*000000906' }, 'NOTE', 'E 001'],
  ] as const)('strict.%s sets the level', async (name, input, level, ta1) => {
    expect(await ta1Of(fileOf(input), { strict: { [name]: level } })).toBe(ta1);
  });

  it('control numbers of interchanges and groups are the same with other leading zeros', async () => {
    expect(findingsOf(await judgeFile(fileOf({ iea: 'IEA*1*905', ge: 'GE*01*000905' })))).toEqual([]);
  });
});

describe('the group', () => {
  const twoGroups = (second: string) => {
    const [isa, ...group] = segmentsOf().slice(0, -1);
    const repeated = group.map((one) =>
      one.replace(/^(GS.*)\*905\*/, `$1*${second}*`).replace(/^GE\*1\*905/, `GE*1*${second}`),
    );
    return [isa, ...group, ...repeated, 'IEA*2*000000905'].map((one) => `${one}~`).join('');
  };
  const gs = (at: number, value: string) =>
    segmentsOf()[1]!
      .split('*')
      .map((one, index) => (index === at ? value : one))
      .join('*');

  const cases: [name: string, input: FileInput | string, findings: string[], ak9: string][] = [
    ['nothing is wrong', {}, [], 'A*1*1*1'],
    ['GE is missing', { ge: undefined }, ['ERROR CUT GE'], 'R*1*1*0*3'],
    ['GE02 differs', { ge: 'GE*1*906' }, ['ERROR NUMBER_DIFFERS GE02'], 'R*1*1*0*4'],
    ['GE01 differs', { ge: 'GE*2*905' }, ['ERROR COUNT_DIFFERS GE01'], 'R*2*1*0*5'],
    ['GE01 is no number', { ge: 'GE*x*905' }, ['ERROR COUNT_DIFFERS GE01'], 'R*1*1*0*5'],
    ['GS06 is no number', { gs: gs(6, 'A1'), ge: 'GE*1*A1' }, ['ERROR CHARACTER GS06'], 'R*1*1*0*6'],
    ['GS06 is missing', { gs: gs(6, ''), ge: 'GE*1' }, ['ERROR MISSING_ELEMENT GS06'], 'R*1*1*0*6'],
    ['GS06 is repeated', twoGroups('905'), ['ERROR NUMBER_REPEATED GS06'], 'R*1*1*0*6'],
    ['GS06 is repeated with zeros', twoGroups('00905'), ['ERROR NUMBER_REPEATED GS06'], 'R*1*1*0*6'],
    ['GS01 is not read', { functionalId: 'IN' }, ['ERROR WRONG_GROUP GS01'], 'R*1*1*0*1'],
    [
      'GS04 and GS05 are no date and time',
      { gs: gs(4, '20261301').replace('0930', '9930') },
      ['NOTE DATE GS04', 'NOTE TIME GS05'],
      'A*1*1*1',
    ],
    ['GS08 is blank', { version: '' }, ['ERROR VERSION GS08'], 'R*1*1*0*2'],
    ['GE has more elements', { ge: 'GE*1*905*7' }, ['NOTE TOO_MANY GE03'], 'A*1*1*1'],
    ['GS has more elements', { gs: `${gs(2, 'A')}*7` }, ['NOTE TOO_MANY GS09'], 'A*1*1*1'],
    ['GS has a control character', { gs: gs(2, 'A\x01B') }, ['NOTE CHARACTER GS02'], 'A*1*1*1'],
    [
      'a segment is between the sets',
      fileOf().replace('GE*', 'REF*BM*1~\nREF*BM*2~\nGE*'),
      ['ERROR UNEXPECTED_SEGMENT REF'],
      'R*1*1*0*5',
    ],
  ];

  it.each(cases)('%s', async (_, input, findings, ak9) => {
    const file = typeof input === 'string' ? input : fileOf(input);
    const judged = await judgeFile(file);
    expect(judged.rejected).toBe(false);
    expect(brief(judged.findings)).toEqual(findings);
    expect(judged.findings.every(({ group }) => group !== undefined)).toBe(true);
    expect((await acksOf(file)).at(-1)).toBe(`AK9*${ak9}`);
  });

  it('that is rejected rejects each of its sets, and no other group', async () => {
    const judged = await judgeFile(twoGroups('905'));
    expect(judged.groups.map(({ rejected }) => rejected)).toEqual([false, true]);
    expect(judged.groups.map(({ sets }) => sets[0]!.outcome)).toEqual(['ACCEPTED', 'REJECTED_SYNTAX']);
    expect(await acksOf(twoGroups('905'))).toEqual(['AK5*A', 'AK9*A*1*1*1', 'AK5*R', 'AK9*R*1*1*0*6']);
  });

  it('a repeated number is code 19 in a 997 of version 005010 and later', async () => {
    expect((await acksOf(twoGroups('905'), {}, '005010')).at(-1)).toBe('AK9*R*1*1*0*19');
  });

  it.each([
    [['004010'], '004010VICS', true],
    [['004010'], '004010', true],
    [['004010', '005010'], '005010', true],
    [['004010'], '005010', false],
    [['004010VICS'], '004010', false],
    [['004010'], '', false],
  ])('with versions %j, version %j is taken: %s', async (versions, version, isTaken) => {
    const file = fileOf({ version });
    expect((await acksOf(file, { versions })).at(-1)).toBe(isTaken ? 'AK9*A*1*1*1' : 'AK9*R*1*1*0*2');
  });

  it('GS02 and GS03 are not compared with the interchange', async () => {
    expect(findingsOf(await judgeFile(fileOf({ gs: gs(2, 'ANOTHER') })))).toEqual([]);
  });

  it.each(['FA', 'AG'])('of acknowledgments (%s) is never acknowledged, whatever is in it', async (functionalId) => {
    const judged = await judgeFile(fileOf({ functionalId }));
    expect(functionalAcknowledgments(judged, '004010')).toEqual([]);
  });

  it('RC is read by a check of everything, and is not taken from a partner', async () => {
    const input = { sets: [{ id: '861', body: ['BRA*S1*20261127*00*2', 'RCD*1*5*EA', 'LIN**SK*A-1', 'CTT*1'] }] };
    expect(findingsOf(await judgeFile(fileOf(input)))).toEqual([]);
    const taken = await judgeFile(fileOf(input), { take: ['856'] });
    expect(brief(findingsOf(taken))).toEqual(['ERROR WRONG_GROUP GS01', 'ERROR UNKNOWN_SET 1 ST01']);
  });

  it.each([
    ['segmentCount', { ge: 'GE*2*905' }],
    ['controlNumbers', { ge: 'GE*1*906' }],
  ] as const)('strict.%s NOTE accepts the group', async (name, input) => {
    expect((await acksOf(fileOf(input), { strict: { [name]: 'NOTE' } })).at(-1)).toMatch(/^AK9\*A\*\d\*1\*1$/);
  });
});

describe('the set', () => {
  const second = { number: '0002' };
  const cases: [name: string, input: FileInput, options: CheckOptions, findings: string[], acks: string[]][] = [
    [
      'SE is missing',
      { sets: [{ isCut: true }, second] },
      {},
      ['ERROR CUT 17 SE'],
      ['AK5*R*2', 'AK5*A', 'AK9*P*2*2*1'],
    ],
    [
      'SE02 differs',
      { sets: [{ trailer: '0009' }, second] },
      {},
      ['ERROR NUMBER_DIFFERS 17 SE02'],
      ['AK5*R*3', 'AK5*A', 'AK9*P*2*2*1'],
    ],
    [
      'SE02 has other zeros',
      { sets: [{ trailer: '00001' }] },
      {},
      ['NOTE NUMBER_DIFFERS 17 SE02'],
      ['AK5*E*3', 'AK9*E*1*1*1'],
    ],
    [
      'SE01 differs',
      { sets: [{ count: '99' }, second] },
      {},
      ['ERROR COUNT_DIFFERS 17 SE01'],
      ['AK5*R*4', 'AK5*A', 'AK9*P*2*2*1'],
    ],
    [
      'ST02 is repeated',
      { sets: [{}, {}] },
      {},
      ['ERROR NUMBER_REPEATED 1 ST02'],
      ['AK5*A', 'AK5*R*23', 'AK9*P*2*2*1'],
    ],
    [
      'the set is unknown',
      { sets: [{ id: '810' }], functionalId: 'PO' },
      {},
      ['ERROR UNKNOWN_SET 1 ST01'],
      ['AK5*R*1', 'AK9*R*1*1*0'],
    ],
    ['the set is not taken', {}, { take: ['850'] }, ['ERROR UNKNOWN_SET 1 ST01'], ['AK5*R*1', 'AK9*R*1*1*0']],
    [
      'the set is in the wrong group',
      { functionalId: 'PO' },
      {},
      ['ERROR WRONG_GROUP 1 ST01'],
      ['AK5*R*6', 'AK9*R*1*1*0'],
    ],
    [
      'SE01 differs, leniently',
      { sets: [{ count: '99' }] },
      { strict: { segmentCount: 'NOTE' } },
      ['NOTE COUNT_DIFFERS 17 SE01'],
      ['AK5*E*4', 'AK9*E*1*1*1'],
    ],
    [
      'ST02 is repeated, leniently',
      { sets: [{}, {}] },
      { strict: { controlNumbers: 'NOTE' } },
      ['NOTE NUMBER_REPEATED 1 ST02'],
      ['AK5*A', 'AK5*E*23', 'AK9*E*2*2*2'],
    ],
    [
      'SE02 differs, leniently',
      { sets: [{ trailer: '0009' }] },
      { strict: { controlNumbers: 'NOTE' } },
      ['NOTE NUMBER_DIFFERS 17 SE02'],
      ['AK5*E*3', 'AK9*E*1*1*1'],
    ],
  ];

  it.each(cases)('%s', async (_, input, options, findings, acks) => {
    const judged = await judgeFile(fileOf(input), options);
    expect(brief(findingsOf(judged))).toEqual(findings);
    expect(await acksOf(fileOf(input), options)).toEqual(acks);
    const found = findingsOf(judged)[0]!;
    expect(found).toMatchObject({ group: '905', set: expect.any(String) });
  });

  it('positions count over the whole interchange', async () => {
    const judged = await judgeFile(fileOf({ sets: [{}, second, { number: '0003' }] }));
    expect(judged.groups[0]!.sets.map(({ set }) => set.position)).toEqual([1, 2, 3]);
  });

  it.each([
    ['997', ['AK1*AG*12', 'AK9*A*1*1*1']],
    ['824', ['BGN*11*000000044*20261124', 'OTI*TR*SI*SHIP1001']],
  ])('%s is read and ignored', async (id, body) => {
    const judged = await judgeFile(fileOf({ sets: [{ id, body }] }));
    expect(findingsOf(judged)).toEqual([]);
    expect(judged.groups[0]!.sets[0]!.outcome).toBe('IGNORED');
  });

  it('several sets of different kinds in one group are judged by themselves', async () => {
    const order = { id: '850', number: '0002', body: ['BEG*00*SA*PO-7001**20261120', 'PO1*1*5*EA*3**SK*A-1'] };
    const acks = await acksOf(fileOf({ sets: [{}, order] }));
    expect(acks).toEqual(['AK5*A', 'AK5*R*6', 'AK9*P*2*2*1']);
  });
});

it('a finding that a partner may be spared has the level of the other kind, and no other finding changes', async () => {
  for (const name of Object.keys(STRICT) as (keyof Strict)[]) {
    const strict: Partial<Strict> = { [name]: STRICT[name] === 'ERROR' ? 'NOTE' : 'ERROR' };
    expect(findingsOf(await judgeFile(fileOf(), { strict })), name).toEqual([]);
  }
});

describe('messages', () => {
  const whole = fileOf();
  it.each([
    [
      whole.slice(0, whole.indexOf('HL*3')),
      'Interchange 000000905 ends inside set 856 0001, behind its segment 10, without its IEA segment',
    ],
    [whole.slice(0, whole.indexOf('GE*')), 'Interchange 000000905 ends inside group 905, without its IEA segment'],
    [whole.slice(0, whole.indexOf('IEA*')), 'Interchange 000000905 ends without its IEA segment'],
    [whole.slice(0, whole.indexOf('GS*')), 'Interchange 000000905 ends without its IEA segment'],
    [
      whole.replace('GE*', 'A*1~\nB*2~\nC*3~\nGE*'),
      'Segment "A" and 2 more segments have no place outside of a set; is a header (ST) missing or wrong?',
    ],
    [
      whole.replace('GS*', 'A*1~\nB*2~\nGS*'),
      'Segment "A" and 1 more segment have no place outside of a group; is a header (GS) missing or wrong?',
    ],
    [
      whole.replace('GS*', 'A*1~\nGS*'),
      'Segment "A" has no place outside of a group; is a header (GS) missing or wrong?',
    ],
    [whole.replace('*905*X', '**X'), 'GS06 is blank; it is a control number of 1 to 9 digits'],
    [whole.replace('*905*X', '*9x*X'), 'GS06 "9x" is not a control number of 1 to 9 digits'],
    [whole.replace('004010VICS', '4010'), 'GS08 "4010" is not a version, such as 004010'],
    [whole.replace('GE*1*905', 'GE*1*906'), 'GS06 is "905", GE02 is "906"'],
    [whole.replace('IEA*1*', 'IEA*3*'), 'IEA01 counts "3" groups, the interchange has 1'],
    [whole.replace('GREENVALLEY    ', 'GREENVALLEY'), 'ISA06 has 11 bytes instead of 15'],
    [`${whole}123`, '3 more bytes follow the IEA segment; they are not read'],
  ])('say what is where (%#)', async (file, message) => {
    const [found] = findingsOf(await judgeFile(file));
    expect(found?.message).toBe(message);
  });
});

it('a wrong value of each element of the ISA has its own TA105', async () => {
  const codes: Record<number, string> = {};
  for (const element of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15]) {
    const value = isaWith({})[element - 1]!;
    const file = fileOf({ isa: isaWith({ [element]: `\x01${value.slice(1)}` }), iea: 'IEA*1*000000905' });
    codes[element] = (await ta1Of(file))!;
  }
  expect(Object.values(codes).map((text) => text.replace('R ', ''))).toEqual(
    '010 011 012 013 005 006 007 008 014 015 017 018 019 020'.split(' '),
  );
});

it('acknowledgments of numbers that are blank can be read: mandatory elements are filled', async () => {
  const blank = fileOf({
    sets: [{ number: '' }, { id: '', number: '0002' }],
    gs: 'GS**A1*B1*20261124*0930**X*004010',
    ge: 'GE*2',
  });
  const [{ segments }] = functionalAcknowledgments(await judgeFile(blank), '004010') as [WrittenSet];
  expect(
    segments.map(([id, ...rest]) => [id, ...rest.slice(0, 2)].join('*')).filter((line) => /^AK[12]/.test(line)),
  ).toEqual(['AK1*??*0', 'AK2*856*0000', 'AK2*???*0002']);
  const answer = writeInterchange(
    {
      sender: { qualifier: '12', id: '4085551234' },
      receiver: { qualifier: 'ZZ', id: 'GREENVALLEY' },
      controlNumber: 1,
      usage: 'P',
      at: new Date('2026-11-24T12:00:00Z'),
      groups: [
        {
          functionalId: 'FA',
          sender: '4085551234',
          receiver: 'GREENVALLEY',
          number: 1,
          sets: [{ setId: '997', segments }],
        },
      ],
    },
    FORMAT,
  );
  expect(findingsOf(await judgeFile(answer))).toEqual([]);
  const noNumber = await judgeFile(fileOf({ isa: isaWith({ 13: ' '.repeat(9) }), iea: 'IEA*1' }));
  expect(interchangeAcknowledgment(noNumber, 'ON_ERROR')?.[1]).toBe('000000000');
});

it('says that the terminator of the ISA occurs nowhere else', async () => {
  const [isa, ...others] = segmentsOf();
  const found = findingsOf(await judgeFile(`${isa}~\n${others.join('\n')}\n`));
  const errors = found.filter(({ level }) => level === 'ERROR').map(({ code, cure }) => [code, cure]);
  expect(errors).toEqual([['CUT', 'End each segment with ~, as after the ISA; the file has it nowhere else.']]);
  const whole = findingsOf(await judgeFile(`${isa}~\n${others.join('\n')}\n`, { judgesAll: true }));
  expect(whole.filter(({ code }) => code === 'TOO_MANY')).toHaveLength(1);
  const cut = findingsOf(await judgeFile(fileOf({ iea: undefined })));
  expect(cut[0]?.cure).toBe('Send the whole file again, up to its trailer (SE, GE and IEA).');
});

it('says that a segment lacks its terminator where the next line is read as part of it', async () => {
  const found = findingsOf(await judgeFile(fileOf().replace('TRAILER7~\n', 'TRAILER7\n')));
  expect(found.find(({ code }) => code === 'CHARACTER')).toMatchObject({
    segment: 'TD3',
    element: 3,
    cure: 'End the segment with ~: the next segment begins on the following line.',
  });
});

describe('what to send instead', () => {
  const whole = fileOf();

  it('of more elements than a segment has is the segment up to its last one', async () => {
    const more = await found(whole.replace('CTT*4*5', 'CTT*4*5******9').replace('GE*1*905', 'GE*1*905*9'));
    expect(more.map(({ code, segment, cure }) => [code, segment, cure])).toEqual([
      ['TOO_MANY', 'CTT', 'End the segment with CTT07; leave out the elements after it.'],
      ['TOO_MANY', 'GE', 'End the segment with GE02; leave out the elements after it.'],
    ]);
  });
  const found = async (file: string, options: CheckOptions = {}) =>
    findingsOf(await judgeFile(file, { ...options, judgesAll: true }));

  it('of a body with another element separator is the separator of the ISA', async () => {
    const [isa, ...others] = segmentsOf();
    const [stray] = await found(
      [isa, ...others.map((one) => one.replaceAll('*', ','))].map((one) => `${one}~`).join(''),
    );
    expect([stray?.code, stray?.cure]).toEqual([
      'UNEXPECTED_SEGMENT',
      'Write the elements of every segment with the separator of the ISA: *',
    ]);
    const [small] = await found(whole.replace('GS*', 'gs*'));
    expect([small?.code, small?.cure]).toEqual(['UNEXPECTED_SEGMENT', 'Write the id in capital letters: GS']);
    const [known] = await found(whole.replace('GS*', 'A1*1~\nGS*'));
    expect(known?.cure).toBe('Move the segment to its place, or add the header that it belongs to.');
  });

  it('of another terminator is told only if lines follow and the terminator is a visible character', async () => {
    const [isa, ...others] = segmentsOf();
    const general = 'Send the whole file again, up to its trailer (SE, GE and IEA).';
    const cutOf = async (file: string) => (await found(file)).find(({ code }) => code === 'CUT')?.cure;
    expect(await cutOf(`${isa}~${others.join("'")}\n`)).toBe(general);
    expect(await cutOf(`${isa}\x1c${others.join('\n')}\n`)).toBe(general);
  });

  it('of a line that is no segment is what fits any character', async () => {
    const [line] = await found(whole.replace('Main Street', 'Main\nSTREETS'));
    expect([line?.code, line?.cure]).toEqual([
      'CHARACTER',
      'Send only allowed characters; in numbers digits and a decimal point.',
    ]);
  });

  it('of a set or version that is not taken names those that are', async () => {
    const messages = async (options: CheckOptions) => (await found(whole, options)).map(({ message }) => message);
    expect(await messages({ take: ['850'] })).toEqual(['Transaction set "856" is not accepted, only 850']);
    expect(await messages({ take: [] })).toEqual(['Transaction set "856" is not accepted']);
    const odd = whole.replace('004010VICS', 'X004010');
    expect(brief(await found(odd))).toEqual(['NOTE VERSION GS08']);
    expect(brief(await found(odd, { versions: ['X004010'] }))).toEqual([]);
  });

  it('is about the first element that is more, and about a control character in the last one', async () => {
    expect(brief(await found(fileOf({ iea: 'IEA*1*000000905**7*8' })))).toEqual(['NOTE TOO_MANY IEA04']);
    const versioned = await found(whole.replace('004010VICS', '004010V\x01'));
    expect(brief(versioned)).toEqual(['NOTE CHARACTER GS08']);
    const trailer = fileOf({ iea: 'IEA*1\x01*000000905' });
    expect(await ta1Of(trailer, { strict: { segmentCount: 'NOTE' } })).toBe('E 024');
  });
});
