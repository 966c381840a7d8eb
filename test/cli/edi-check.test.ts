import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { add } from '../../src/service/cli/edi.ts';
import { Lines } from '../../src/service/cli/edi-lines.ts';
import { testProgram } from '../../town/test-program.ts';
import { ACKNOWLEDGMENT, CHANGE, fileOf, isaWith, noticeWith, ORDER, SHIP_NOTICE, segmentsOf } from '../x12/support.ts';
import { ioOf, perform } from './in-process.ts';
import { backroom, folder } from './support.ts';

/** The time of the acknowledgments: noon of the day on which the files are dated. */
const NOW = Date.parse('2026-11-24T12:00:00Z');

let files = 0;

/** Writes a file and returns its path. */
function kept(content: string | Uint8Array): string {
  files += 1;
  const file = join(folder, `file-${files}`);
  writeFileSync(file, content);
  return file;
}

/** Runs `edi check` on the content of a file. */
async function check(content: string | Uint8Array, ...options: string[]) {
  return perform(add, {}, ['edi', 'check', kept(content), ...options], { now: () => NOW });
}

const json = async (content: string, ...options: string[]) => {
  const { code, out } = await check(content, '--json', ...options);
  expect(out.endsWith('}\n') && !out.trimEnd().includes('\n')).toBe(true);
  return { code, ...JSON.parse(out) };
};

const BROKEN = fileOf({ sets: [{ body: noticeWith({ DTM: 'DTM*017*20261131', REF: 'XYZ*1' }) }] });

it('edi check of an open standard input ends at the first SIGTERM', async () => {
  const { main, env } = testProgram();
  const child = spawn(process.execPath, [main, 'edi', 'check', '-'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  // A pipe does not hold as many bytes, so the command waits for more when the write has ended.
  await new Promise((resolve) => child.stdin.write(Buffer.alloc(1_000_000), resolve));
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
});

describe('exit codes', () => {
  it.each([
    ['no error', fileOf(), 0],
    ['only notes', fileOf({ sets: [{ body: noticeWith({ REF: 'XYZ*1' }) }] }), 0],
    ['an error in a set', BROKEN, 1],
    ['an error in the envelope', fileOf({ iea: undefined }), 1],
    ['an error in a group', fileOf({ ge: 'GE*7*905' }), 1],
    ['an unknown set', fileOf({ sets: [{ id: '810' }], functionalId: 'PO' }), 1],
    ['a second interchange with an error', fileOf() + fileOf({ iea: undefined }), 1],
    ['no X12', '{"asnNumber": "1"}', 2],
    ['an empty file', '', 2],
  ])('%s', async (_, content, code) => {
    expect((await check(content)).code).toBe(code);
    expect((await check(content, '--json')).code).toBe(code);
  });

  it('a missing file is 2, and so is a profile that is none', async () => {
    const missing = await perform(add, {}, ['edi', 'check', join(folder, 'missing.x12')]);
    expect(missing).toMatchObject({ code: 2, out: '' });
    expect(missing.err).toContain('missing.x12');
    for (const profile of ['[]', 'no JSON', '{"strict": {"checkDigits": "YES"}}', '{"write": {"element": "A"}}']) {
      const { code, err } = await check(fileOf(), '--partner', kept(profile));
      expect(code, profile).toBe(2);
      expect(err).toContain('cannot read');
    }
  });
});

describe('the report', () => {
  it('shows delimiters, structure, findings with a caret, the 997, and what to do next', async () => {
    const { out } = await check(BROKEN);
    const lines = out.split('\n').slice(1);
    expect(lines.slice(0, 11)).toEqual([
      '',
      'Delimiters   element *   component >   segment ~',
      'Interchange  000000905  from ZZ GREENVALLEY to 12 4085551234, production, 261124 0930: REJECTED',
      'Group        905  SH, version 004010VICS',
      '  Set 0001   856 ship notice SHIP1001, purpose 00, 17 segments: REJECTED_SYNTAX',
      '    shipment 1   TD3 TL TRAILER7',
      '      order 2   PRF PO-7001',
      '        carton 3   MAN GM 000123456789012343',
      '          item 4   LIN 1 UP 012345678905 SK A-1   SN1 5 EA',
      '',
      'Findings',
    ]);
    expect(out).toContain(
      [
        `  ERROR DATE  line 9, column 9 (set 0001, segment 7, DTM02, offset ${BROKEN.indexOf('20261131')})`,
        '    DTM*017*20261131',
        '            ^^^^^^^^',
        '    DTM02 "20261131" is not a date (CCYYMMDD).',
        '    Fix: Send a valid date as CCYYMMDD.',
      ].join('\n'),
    );
    expect(out).toContain(
      [
        `  NOTE UNKNOWN_SEGMENT  line 8, column 1 (set 0001, segment 6, XYZ, offset ${BROKEN.indexOf('XYZ*1')})`,
        '    XYZ*1',
        '    ^^^',
      ].join('\n'),
    );
    expect(out).toContain('\n  AK3*DTM*7**8~\n  AK4*2*373*8*20261131~\n');
    expect(out).toContain('\n1 error, 1 note.\nNext: correct the errors');
  });

  it('of a file without findings says what was not looked at', async () => {
    const { out } = await check(fileOf());
    expect(out).not.toContain('Findings');
    expect(out).toContain('\nNo errors.\nNext: send the file. Only the receiver knows its items, stores and orders');
    expect(out).toContain('*261124*1200*U*00401*000000001*0*P*>~');
  });

  it('shows the lines of an order', async () => {
    const { out } = await check(fileOf({ sets: [{ id: '850', body: ORDER }] }));
    expect(out).toContain('850 purchase order PO-7001, purpose 00, 8 segments: ACCEPTED\n    PO1 1 5 EA 3.5 SK A-1\n');
  });

  it('judges the sets of an interchange whose envelope is rejected, and shows the TA1', async () => {
    const { out } = await check(fileOf({ iea: 'IEA*1*000000906', sets: [{ body: noticeWith({ DTM: 'DTM*017*1' }) }] }));
    expect(out).toContain('ERROR NUMBER_DIFFERS');
    expect(out).toContain('ERROR DATE');
    expect(out).toContain('TA1*000000905*261124*0930*R*001~');
    expect(out).not.toContain('AK9');
  });

  it('shows control characters escaped, and letters as letters, with the caret in its place', async () => {
    const body = noticeWith({ N1: 'N1*ST*Grüne\tStraße*92*004' });
    const { out } = await check(Buffer.from(fileOf({ sets: [{ body }] }), 'utf8'));
    expect(out).toContain('AK4*2*93*6*Gr?ne\\tStra?e~');
    expect(out).toContain('    N1*ST*Grüne\\tStraße*92*004\n          ^^^^^^^^^^^^^\n');
  });

  it('never passes control characters of a file to the terminal', async () => {
    const sequence = '\u001b]0;x\u0007\u009b2J';
    for (const place of ['0001', '905', '004010VICS', 'SHIP1001', 'HL*1*', '*S~', 'REF', 'SH*', 'GREENVALLEY']) {
      const broken = fileOf().replace(place, (text) => `${text.slice(0, 1)}${sequence}${text.slice(1)}`);
      const { out, err } = await check(Buffer.from(broken, 'latin1'));
      expect(`${out}${err}`, place).toMatch(/^[\n\P{Cc}]*$/u);
    }
  });

  it('shows a part of a long segment around the wrong bytes', async () => {
    const body = noticeWith({ LIN: `LIN*1${'*SK*ITEM-NUMBER-A'.repeat(12)}*UP*012345678901` });
    const { out } = await check(fileOf({ sets: [{ body }] }));
    const [, line = '', caret = ''] = /\n {4}(\.\.\..*)\n( +\^+)\n/.exec(out) ?? [];
    expect(caret.trim()).toBe('^'.repeat(12));
    expect(`    ${line}`.slice(caret.indexOf('^'))).toMatch(/^012345678901/);
  });

  it('shows at most 40 lines of structure and 40 findings', async () => {
    const items = Array.from({ length: 60 }, (_, at) => [`HL*${at + 2}*1*I`, `LIN**SK*A-${at}`, 'SN1**x*EA']);
    const { out } = await check(fileOf({ sets: [{ body: [SHIP_NOTICE[0]!, 'HL*1**S', ...items.flat()] }] }));
    expect(out).toContain('    ... and 21 more\n');
    expect(out).toContain('  ... and 20 more; --json prints them.\n');
    expect(out.match(/ERROR CHARACTER/g)).toHaveLength(40);
  });

  it('has colors only on a terminal that shows them', async () => {
    const run = async (env: Record<string, string>, isTerminal: boolean) => {
      const { io, said } = ioOf(env);
      io.out.isTTY = isTerminal;
      const { check: checkFile } = await import('../../src/service/cli/edi-check.ts');
      // The command fails, because the file has errors.
      await expect(checkFile(io, kept(BROKEN), {})).rejects.toThrow();
      expect(said.out).toContain('ERROR');
      return said.out;
    };
    expect(await run({}, true)).toContain('\u001b[31m');
    for (const [env, isTerminal] of [
      [{}, false],
      [{ NO_COLOR: '1' }, true],
      [{ TERM: 'dumb' }, true],
    ] as const) {
      expect(await run(env, isTerminal)).not.toContain('\u001b');
    }
  });

  it('says where a file without sets lacks them', async () => {
    const [isa, ...others] = segmentsOf();
    const { code, out } = await check([isa, 'IEA*0*000000905'].map((one) => `${one}~\n`).join(''));
    expect(code).toBe(0);
    expect(out).toContain('The file has no transaction set, so it announces nothing.');
    expect(others).not.toEqual([]);
  });
});

describe('a file of another kind', () => {
  it.each([
    ['compressed', gzipSync(fileOf()), 'gunzip FILE'],
    ['cut in its ISA', 'ISA*00*', 'Begin the file with an ISA segment'],
    ['empty', '', 'The file is empty'],
  ])('%s: says what it is, what to do, and exits with 2', async (_, content, hint) => {
    const { code, err, out } = await check(content);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(' is not X12. ');
    expect(err).toMatch(/\nFix: .+\n$/);
    expect(err).toContain(hint);
    expect(err).toMatch(/^[\n\P{Cc}]*$/u);
    const machine = await check(content, '--json');
    expect(err).toContain(JSON.parse(machine.out).finding.cure);
  });

  it('a folder, a missing file and a file that is too large are named', async () => {
    const run = (file: string) => perform(add, {}, ['edi', 'check', file]);
    expect(await run(folder)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('it is a folder') });
    expect(await run(join(folder, 'none.x12'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('no such file'),
    });
    expect(await run('/dev/null')).toMatchObject({ code: 2, err: expect.stringContaining('The file is empty') });
    const endless = await run('/dev/zero');
    expect(endless).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('Files of up to 32 MiB are checked'),
    });
  });

  it('a file that the service does not take by default is checked with a hint', async () => {
    const { code, out } = await check(`${fileOf()}${' '.repeat(8 * 1024 * 1024)}`);
    expect(code).toBe(0);
    expect(out).toContain('The file has more than 8 MiB, the default limit of the service.');
  });
});

describe('a file that was cut', () => {
  const segments = segmentsOf();
  it.each(segments.slice(1).map((segment, at) => [at + 1, segment]))(
    'behind %i segments, before %s, is an error with its place',
    async (count) => {
      const content = segments
        .slice(0, count)
        .map((one) => `${one}~\n`)
        .join('');
      const { code, out } = await check(content);
      expect(code).toBe(1);
      expect(out).toContain('ERROR CUT');
      expect(out).toMatch(/ends(?: inside (?:set|group) .*,)? without its IEA segment\./);
      expect(out).toContain('*R*023~');
    },
  );
});

describe('--json', () => {
  it('is one line with delimiters, sets, findings with line and column, and what would be sent back', async () => {
    const { code, delimiters, interchanges } = await json(BROKEN);
    expect(code).toBe(1);
    expect(delimiters).toEqual({ element: '*', component: '>', segment: '~' });
    expect(interchanges).toEqual([
      {
        direction: 'IN',
        status: 'REJECTED',
        usage: 'P',
        controlNumber: '000000905',
        sender: { qualifier: 'ZZ', id: 'GREENVALLEY' },
        receiver: { qualifier: '12', id: '4085551234' },
        bytes: BROKEN.length - 1,
        sets: [
          expect.objectContaining({
            position: 1,
            group: '905',
            set: '0001',
            setId: '856',
            purpose: '00',
            number: 'SHIP1001',
            outcome: 'REJECTED_SYNTAX',
            findingsTotal: 2,
            resources: [],
          }),
        ],
        findings: [],
        findingsTotal: 0,
        answers: [
          {
            setId: '997',
            controlNumber: '000000001',
            status: 'WAITING',
            content: expect.stringContaining('AK9*R*1*1*0~'),
          },
        ],
      },
    ]);
    expect(interchanges[0].sets[0].findings[1]).toEqual({
      level: 'ERROR',
      code: 'DATE',
      group: '905',
      set: '0001',
      position: 7,
      segment: 'DTM',
      element: 2,
      offset: BROKEN.indexOf('20261131'),
      raw: '20261131',
      message: 'DTM02 "20261131" is not a date (CCYYMMDD)',
      cure: 'Send a valid date as CCYYMMDD.',
      line: 9,
      column: 9,
    });
  });

  it.each([
    ['ACCEPTED', fileOf()],
    ['PARTLY', fileOf({ sets: [{}, { number: '0002', count: '9' }] })],
    ['REJECTED', fileOf().replace('ST*856', 'st*856')],
    ['REJECTED', fileOf({ sets: [{ count: '9' }] })],
    ['REJECTED', fileOf({ iea: undefined })],
    ['TESTED', fileOf({ isa: isaWith({ 15: 'T' }) })],
    ['TESTED', fileOf({ isa: isaWith({ 15: 'T' }), sets: [{ count: '9' }] })],
    ['ACCEPTED', fileOf({ sets: [{ id: '997', body: ['AK1*AG*1', 'AK9*R*1*1*0'] }] })],
  ])('the status is %s', async (status, content) => {
    expect((await json(content)).interchanges[0].status).toBe(status);
  });

  it('an interchange whose envelope is rejected has no sets', async () => {
    const { interchanges } = await json(fileOf({ iea: 'IEA*2*000000905' }));
    expect(interchanges[0]).toMatchObject({ status: 'REJECTED', sets: [], findingsTotal: 1 });
    expect(interchanges[0].answers.map(({ setId }: { setId: string }) => setId)).toEqual(['TA1']);
  });

  it('lines and columns are those of the file, also of its second interchange', async () => {
    const { interchanges } = await json(`${fileOf()}\n${BROKEN}`);
    const lines = fileOf().split('\n').length;
    expect(interchanges[1].sets[0].findings[1]).toMatchObject({ code: 'DATE', line: lines + 9, column: 9 });
  });

  it('of a file that is not X12 has the finding', async () => {
    const { code, out } = await check('\n{"a": 1}', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(out)).toEqual({
      finding: expect.objectContaining({ code: 'NO_ENVELOPE', offset: 1, line: 2, column: 1 }),
    });
  });
});

const PROFILE = {
  usage: 'P',
  sellerId: 'GREEN',
  ours: { qualifier: '12', id: '4085551234' },
  theirs: { qualifier: 'ZZ', id: 'GREENVALLEY', group: 'GREEN' },
};
const withProfile = (content: string, changed: object = {}) =>
  json(content, '--partner', kept(JSON.stringify({ ...PROFILE, ...changed })));

describe('the meaning of a set', () => {
  const notice = (changes: Record<string, string>) => fileOf({ sets: [{ body: noticeWith(changes) }] });
  const order = (...lines: string[]) => fileOf({ sets: [{ id: '850', body: [...ORDER.slice(0, 3), ...lines] }] });
  const change = fileOf({ sets: [{ id: '860', body: [CHANGE[0]!.replace('05', '04'), ...CHANGE.slice(1)] }] });

  it.each([
    ['a negative quantity', notice({ SN1: 'SN1**-5*EA' }), 'QUANTITY', 'SN1', 2],
    ['half a piece', notice({ SN1: 'SN1**3.5*EA' }), 'FRACTION', 'SN1', 2],
    ['another purpose', notice({ BSN: 'BSN*04*SHIP1001*20261124*0930*0001' }), 'PURPOSE', 'BSN', 1],
    ['an order without quantity', order('PO1*1**EA*3.5**SK*A-1'), 'QUANTITY', 'PO1', undefined],
    ['stores that get less', order('PO1*1*5*EA*3.5**SK*A-1', 'SDQ*EA*92*004*3'), 'QUANTITY', 'PO1', 2],
    ['a change in part', change, 'PURPOSE', 'BCH', 1],
  ])('%s is found without a profile, at its element', async (_, file, code, segment, element) => {
    const { code: exit, interchanges } = await json(file);
    expect(exit).toBe(1);
    const [set] = interchanges[0].sets;
    expect(set.outcome).toBe('REJECTED_RULES');
    const found = set.findings.find((one: { level: string }) => one.level === 'ERROR');
    expect(found).toMatchObject({ code, segment, line: expect.any(Number) });
    expect(found.element).toBe(element);
    expect(file.slice(found.offset).startsWith(found.raw)).toBe(true);
    expect(interchanges[0].status).toBe('REJECTED');
    expect(interchanges[0].answers.map(({ setId }: { setId: string }) => setId)).toEqual(['997', '824']);
    expect(interchanges[0].answers[0].content).toContain('AK9*');
    expect(interchanges[0].answers[0].content).not.toContain('AK5*R');
  });

  it.each([
    ['a unit', notice({ SN1: 'SN1**5*KI' }), 'UNIT', { units: { ZZ: 2 } }, { units: { KI: 2 } }],
    ['a location', notice({}), 'NO_LOCATION', { locations: [] }, { locations: [{ code: '004' }] }],
    ['a product id', notice({}), 'NO_ITEM_ID', { items: [{ qualifier: 'VN', is: 'BAR_CODE' }] }, {}],
    [
      'a long number',
      notice({ BSN: `BSN*00*${'1'.repeat(16)}*20261124*0930` }),
      'NUMBER_LENGTH',
      { number: 'BSN02' },
      {},
    ],
    ['a carton', notice({ MAN: 'MAN*ZZ*1' }), 'NO_CARTON', { noPack: 'REFUSE' }, { noPack: 'ONE_CARTON' }],
    ['a day', notice({ DTM: 'DTM*999*20261126' }), 'NO_DATE', { dates: ['017'] }, { dates: ['999'] }],
    [
      'a trailer',
      order('PO1*1*5*EA*3.5**SK*A-1'),
      'NO_TRAILER',
      { defaults: {} },
      { defaults: { trailerNumber: 'T' } },
    ],
    [
      'a price',
      order('PO1*1*5*EA***SK*A-1'),
      'NO_COST',
      { defaults: {} },
      { defaults: { itemCost: 1, trailerNumber: 'T' } },
    ],
    [
      'a long id of an item',
      notice({ LIN: 'LIN*1*SK*ITEM-OF-16-CHARS' }),
      'INVALID_VALUE',
      { items: [{ qualifier: 'SK', is: 'CLIENT_ITEM_ID' }] },
      {},
    ],
  ])('%s is judged by its field of the profile, and not without it', async (_, file, code, changed, fitting) => {
    const place = { entity: 'ST', qualifier: '92', storeCode: '988', receivingWarehouseId: 'DC001' };
    const codes = ({ interchanges }: { interchanges: { sets: { findings: { code: string }[] }[] }[] }) =>
      interchanges[0]!.sets[0]!.findings.map((one) => one.code);
    expect(codes(await withProfile(file, changed))).toContain(code);
    const fits = 'locations' in fitting ? { locations: [{ ...place, ...fitting.locations[0] }] } : fitting;
    expect(codes(await withProfile(file, fits))).not.toContain(code);
    expect(codes(await json(file))).not.toContain(code);
  });

  it('is in the report with its place, its fix and the 824 that the sender gets', async () => {
    const { code, out } = await check(notice({ SN1: 'SN1**-5*EA' }));
    expect(code).toBe(1);
    expect(out).toContain('856 ship notice SHIP1001, purpose 00, 17 segments: REJECTED_RULES\n');
    expect(out).toContain(
      '    SN1**-5*EA\n         ^^\n    -5 is less than 1 piece; a line has 1 to 99,999.\n    Fix: ',
    );
    expect(out).toContain('\n824: acknowledgment to the sender about the content of a set\n');
    expect(out).toContain(
      '\n  BGN*11*000000002*20261124*1200**SHIP1001~\n  OTI*TR*SI*SHIP1001*****905*0001*856~\n  TED*P*',
    );
  });

  it('is told by no 824 where none is agreed', async () => {
    const { interchanges } = await withProfile(notice({ SN1: 'SN1**-5*EA' }), { answer: { advice: false } });
    expect(interchanges[0].answers.map(({ setId }: { setId: string }) => setId)).toEqual(['997']);
  });

  it('is judged for each set by itself', async () => {
    const sets = [{ body: noticeWith({ SN1: 'SN1**0*EA' }) }, { number: '0002' }];
    const { interchanges } = await json(fileOf({ sets }));
    expect(interchanges[0].sets.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'REJECTED_RULES',
      'ACCEPTED',
    ]);
    expect(interchanges[0].status).toBe('PARTLY');
  });
});

describe('--partner', () => {
  it('counts an acknowledgment that is not taken as a rejected set', async () => {
    const file = fileOf({ sets: [{ id: '997', body: ACKNOWLEDGMENT }] });
    expect((await withProfile(file, { take: ['856'] })).interchanges[0].status).toBe('REJECTED');
    expect((await withProfile(file)).interchanges[0].status).toBe('ACCEPTED');
  });

  it('takes only the sets and versions that are agreed', async () => {
    const { interchanges } = await withProfile(fileOf(), { take: ['850'] });
    expect(interchanges[0].sets[0]).toMatchObject({ outcome: 'IGNORED', findings: [{ code: 'UNKNOWN_SET' }] });
    const other = await withProfile(fileOf(), { versions: ['005010'] });
    expect(other.interchanges[0].findings).toMatchObject([{ code: 'VERSION', line: 2 }]);
  });

  it('sets the levels of findings', async () => {
    const file = fileOf({ sets: [{ count: '9' }] });
    expect((await withProfile(file, { strict: { segmentCount: 'NOTE' } })).code).toBe(0);
    expect((await withProfile(file)).code).toBe(1);
  });

  it('writes the acknowledgments as agreed, with the group ids of the profile', async () => {
    const write = { element: '|', segment: '!', component: ':', repetition: '^', newline: false, version: '005010' };
    const { interchanges } = await withProfile(fileOf(), { write });
    expect(interchanges[0].answers[0].content).toContain(
      '!GS|FA|4085551234|GREEN|20261124|1200|1|X|005010!ST|997|0001!',
    );
  });

  it('sends the TA1 and 997 that are agreed', async () => {
    const { interchanges } = await withProfile(fileOf(), { answer: { ack: 'NONE', ta1: 'ALWAYS' } });
    expect(interchanges[0].answers.map(({ setId }: { setId: string }) => setId)).toEqual(['TA1']);
  });

  it.each([
    ['another sender', isaWith({ 6: 'BLUEVALLEY'.padEnd(15) }), {}, 6],
    ['another receiver', isaWith({ 7: 'ZZ' }), {}, 8],
    ['a profile for tests', isaWith({}), { usage: 'T' }, 15],
  ])('%s: the file would be put aside', async (_, isa, changed, element) => {
    const { code, interchanges } = await withProfile(fileOf({ isa }), changed);
    expect(code).toBe(1);
    expect(interchanges[0]).toMatchObject({
      status: 'QUARANTINED',
      sets: [],
      answers: [],
      findings: [{ code: 'NO_PARTNER', segment: 'ISA', element }],
    });
  });

  it('a test file is judged by a profile for production, too', async () => {
    expect((await withProfile(fileOf({ isa: isaWith({ 15: 'T' }) }))).interchanges[0].status).toBe('TESTED');
  });
});

it('lines end with LF, CR LF or CR, and columns count characters', () => {
  const bytes = Buffer.from('a\nü*b\r\nc\rd', 'utf8');
  const lines = new Lines(bytes);
  expect(lines.count).toBe(4);
  expect(['a', '*', 'b', 'c', 'd'].map((one) => lines.placeOf(bytes.indexOf(one)))).toEqual([
    { line: 1, column: 1 },
    { line: 2, column: 2 },
    { line: 2, column: 3 },
    { line: 3, column: 1 },
    { line: 4, column: 1 },
  ]);
  expect(new Lines(Buffer.from('a\n')).count).toBe(1);
});

it('the program has the command, which needs neither settings nor a database', async () => {
  const file = kept(
    segmentsOf()
      .map((segment) => `${segment}~`)
      .join(''),
  );
  const { code, out } = await backroom({}, ['edi', 'check', file]);
  expect(code).toBe(0);
  expect(out).toContain('Set 0001   856 ship notice SHIP1001');
  expect((await backroom({}, ['edi', 'check', join(folder, 'none.x12')])).code).toBe(2);
  expect(await backroom({}, ['edi', 'check', '-'], fileOf())).toMatchObject({
    code: 0,
    out: expect.stringContaining('standard input: 1 interchange'),
  });
});
