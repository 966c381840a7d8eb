import { X12Interchange, X12Parser } from 'node-x12';
import { describe, expect, it } from 'vitest';
import {
  functionalAcknowledgments,
  readFunctionalAcknowledgment,
  readInterchangeAcknowledgment,
} from '../../src/platform/x12/acknowledge.ts';
import { type WrittenSet, writeInterchange } from '../../src/platform/x12/write.ts';
import { FORMAT, fileOf, findingsOf, judgeFile, noticeWith, read } from './support.ts';

/** A file with two sets, of which the second has errors. */
const MIXED = fileOf({
  sets: [
    {},
    { number: '0002', body: noticeWith({ REF: 'XYZ*1', DTM: 'DTM*017*20261131', SN1: 'SN1**5x*EA' }), count: '99' },
  ],
});

/** Returns the 997 of a file as the sent bytes. */
async function written(file: string, version = '004010'): Promise<string> {
  const sets: WrittenSet[] = functionalAcknowledgments(await judgeFile(file), version);
  const [ours, theirs] = [
    { qualifier: '12', id: '4085551234' },
    { qualifier: 'ZZ', id: 'GREENVALLEY' },
  ];
  const group = { functionalId: 'FA', sender: ours.id, receiver: theirs.id, number: 1, sets };
  return writeInterchange(
    {
      sender: ours,
      receiver: theirs,
      controlNumber: 1,
      usage: 'P',
      at: new Date('2026-11-24T09:31:00Z'),
      groups: [group],
    },
    { ...FORMAT, version },
  );
}

/** Returns the first set of a file. */
const firstSet = async (file: string) => (await read(file))[0]!.groups[0]!.sets[0]!;

describe('the 997 that is sent', () => {
  it('tells each finding by segment and element, and counts the sets', async () => {
    expect((await written(MIXED)).split('~\n')).toEqual([
      'ISA*00*          *00*          *12*4085551234     *ZZ*GREENVALLEY    *261124*0931*U*00401*000000001*0*P*>',
      'GS*FA*4085551234*GREENVALLEY*20261124*0931*1*X*004010',
      'ST*997*0001',
      'AK1*SH*905',
      'AK2*856*0001',
      'AK5*A',
      'AK2*856*0002',
      'AK3*XYZ*6**1',
      'AK3*DTM*7**8',
      'AK4*2*373*8*20261131',
      'AK3*SN1*15**8',
      'AK4*2*382*6*5x',
      'AK5*R*4*5',
      'AK9*P*2*2*1',
      'SE*13*0001',
      'GE*1*1',
      'IEA*1*000000001',
      '',
    ]);
  });

  it('from version 005010 on repeats GS08 and ST03', async () => {
    const file = fileOf({ version: '005010' }).replace('ST*856*0001', 'ST*856*0001*GUIDE1');
    const lines = (await written(file, '005010')).split('~\n');
    expect(lines).toEqual(expect.arrayContaining(['AK1*SH*905*005010', 'AK2*856*0001*GUIDE1']));
    expect((await written(file)).split('~\n')).toEqual(expect.arrayContaining(['AK1*SH*905', 'AK2*856*0001']));
  });

  it('is one for each group, and AK902 is GE01 where it is a number', async () => {
    const judged = await judgeFile(fileOf({ ge: 'GE*3*905' }));
    expect(functionalAcknowledgments(judged, '004010').map(({ setId }) => setId)).toEqual(['997']);
    expect(functionalAcknowledgments(judged, '004010')[0]!.segments.at(-1)).toEqual(['AK9', 'R', '3', '1', '0', '5']);
  });

  it('has at most five codes in AK5 and AK9, each once', async () => {
    const set = { count: '99', trailer: '0009', body: noticeWith({ SN1: 'SN1**x*y' }) };
    const lines = (await written(fileOf({ sets: [{}, { ...set, number: '0001' }], functionalId: 'PO' }))).split('~\n');
    expect(lines.findLast((line) => line.startsWith('AK5'))).toBe('AK5*R*6*23*4*3*5');
  });

  it.each([fileOf(), MIXED, fileOf({ ge: undefined }), fileOf({ sets: [{ isCut: true }] })])(
    'our reader reads without a finding',
    async (file) => {
      for (const version of ['004010', '005010']) {
        expect(findingsOf(await judgeFile(await written(file, version)))).toEqual([]);
      }
    },
  );

  it('the library node-x12 reads, with the same segments', async () => {
    const text = await written(MIXED);
    const parsed = new X12Parser(true).parse(text);
    if (!(parsed instanceof X12Interchange)) throw new Error('the file has one interchange');
    const [group] = parsed.functionalGroups;
    const [transaction] = group!.transactions;
    const own = await firstSet(text);
    expect(transaction!.segments.map(({ tag, elements }) => [tag, ...elements.map(({ value }) => value)])).toEqual(
      own.segments.slice(1, -1).map(({ elements }) => elements),
    );
    // Known difference: the library drops the leading zeros of ISA13.
    expect(parsed.header.elements.map(({ value }) => value.trim()).slice(12, 15)).toEqual(['1', '0', 'P']);
  });
});

describe('the 997 that comes', () => {
  it('is read as what it says about group, sets, segments and elements', async () => {
    expect(readFunctionalAcknowledgment(await firstSet(await written(MIXED)))).toEqual({
      functionalId: 'SH',
      groupNumber: '905',
      status: 'REFUSED',
      code: 'P',
      sets: [
        { setId: '856', number: '0001', code: 'A', segments: [] },
        {
          setId: '856',
          number: '0002',
          code: 'R',
          segments: [
            { segment: 'XYZ', position: 6, code: '1', elements: [] },
            { segment: 'DTM', position: 7, code: '8', elements: [{ element: 2, code: '8', value: '20261131' }] },
            { segment: 'SN1', position: 15, code: '8', elements: [{ element: 2, code: '6', value: '5x' }] },
          ],
        },
      ],
    });
  });

  it.each([
    ['A', 'ACKNOWLEDGED'],
    ['E', 'ACKNOWLEDGED'],
    ['P', 'REFUSED'],
    ['R', 'REFUSED'],
    ['M', 'REFUSED'],
    ['', 'REFUSED'],
  ])('with AK901 %j is %s', async (code, status) => {
    const set = await firstSet(fileOf({ sets: [{ id: '997', body: ['AK1*AG*12', `AK9*${code}*1*1*1`] }] }));
    expect(readFunctionalAcknowledgment(set)).toMatchObject({ status, code, groupNumber: '12', sets: [] });
  });

  it('without AK1 or AK9 says nothing', async () => {
    for (const body of [['AK1*AG*12'], ['AK9*A*1*1*1'], []]) {
      expect(readFunctionalAcknowledgment(await firstSet(fileOf({ sets: [{ id: '997', body }] })))).toBeUndefined();
    }
  });

  it('with AK3, AK4 and AK5 that belong to no set is read all the same', async () => {
    const body = [
      'AK1*AG*12',
      'AK3*BGN*2**8',
      'AK4*1>2**1',
      'AK5*A',
      'AK2*824*0001',
      'AK4*1**1',
      'AK3*BGN*2**8',
      'AK4*3>1**7',
      'AK9*A*1*1*1',
    ];
    const set = await firstSet(fileOf({ sets: [{ id: '997', body }] }));
    expect(readFunctionalAcknowledgment(set)?.sets).toEqual([
      {
        setId: '824',
        number: '0001',
        code: '',
        segments: [{ segment: 'BGN', position: 2, code: '8', elements: [{ element: 3, code: '7' }] }],
      },
    ]);
  });
});

it.each([
  ['A', 'ACKNOWLEDGED'],
  ['E', 'ACKNOWLEDGED'],
  ['R', 'REFUSED'],
])('a TA1 with TA104 %s is %s', async (code, status) => {
  const isa = fileOf().split('\n', 1)[0]!;
  const [interchange] = await read(`${isa}TA1*000000044*261124*0930*${code}*025~IEA*0*000000905~`);
  const [ta1] = interchange!.acknowledgments;
  expect(readInterchangeAcknowledgment(ta1!)).toEqual({ controlNumber: '000000044', status, code, note: '025' });
});
