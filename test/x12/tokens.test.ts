import { describe, expect, it } from 'vitest';
import { rawOf, readBody } from '../../src/platform/x12/tokens.ts';
import { brief, fileOf, findingsOf, ISA, isaWith, judgeFile, read, SHIP_NOTICE, segmentsOf } from './support.ts';

/** Returns the elements of all segments of the first set, which represent the meaning of a file. */
async function meaningOf(file: string | Uint8Array) {
  const [interchange] = await read(file);
  return interchange!.groups[0]!.sets[0]!.segments.map(({ elements }) => elements);
}

const plain = await meaningOf(fileOf());

describe('delimiters', () => {
  it('come from the ISA: byte 4, ISA16, and the byte behind it', async () => {
    const [interchange] = await read(fileOf());
    expect(interchange!.delimiters).toEqual({ element: '*', component: '>', segment: '~' });
  });

  it('have a repetition separator in ISA11 from version 00402 on', async () => {
    const [later] = await read(fileOf({ isa: isaWith({ 11: '^', 12: '00501' }) }));
    expect(later!.delimiters.repetition).toBe('^');
    const [earlier] = await read(fileOf({ isa: isaWith({ 11: '^', 12: '00401' }) }));
    expect(earlier!.delimiters.repetition).toBeUndefined();
  });

  it.each([
    [
      'swapped element and segment delimiters',
      (text: string) => text.replace(/[*~]/g, (one) => (one === '*' ? '~' : '*')),
    ],
    ['a pipe as element separator', (text: string) => text.replaceAll('*', '|')],
    ['CR as terminator', (text: string) => text.replaceAll('~\n', '\r')],
    ['CR LF as terminator', (text: string) => text.replaceAll('~\n', '\r\n')],
    ['LF as terminator', (text: string) => text.replaceAll('~\n', '\n')],
    ['CR LF behind each terminator', (text: string) => text.replaceAll('\n', '\r\n')],
    ['no line breaks', (text: string) => text.replaceAll('\n', '')],
    ['a control character as terminator', (text: string) => text.replaceAll('~\n', '\x1c')],
    ['indented segments', (text: string) => text.replaceAll('\n', '\n \t  ')],
    ['blank lines', (text: string) => text.replaceAll('\n', '\n\r\n\n')],
    ['blank lines before the ISA', (text: string) => `\r\n  \n${text}`],
    ['no terminator behind IEA', (text: string) => text.slice(0, -2)],
  ])('%s: the file means the same and has no finding', async (_, change) => {
    const file = change(fileOf());
    expect(await meaningOf(file)).toEqual(plain);
    expect(findingsOf(await judgeFile(file))).toEqual([]);
  });

  it('may have several bytes: a terminator of three bytes in UTF-8', async () => {
    const file = Buffer.from(fileOf().replaceAll('~', '…'), 'utf8');
    expect(await meaningOf(file)).toEqual(plain);
    const [interchange] = await read(file);
    expect(interchange!.delimiters.segment).toBe('…');
    expect(findingsOf(await judgeFile(file))).toEqual([]);
  });

  it('may be a byte of Latin-1', async () => {
    const [interchange] = await read(fileOf().replaceAll('~', '\xa7'));
    expect(interchange!.delimiters.segment).toBe('§');
  });

  it('follow the sixteenth separator, also where an element has a wrong width', async () => {
    const file = fileOf({ isa: isaWith({ 6: 'GREENVALLEY', 8: '4085551234' }) });
    expect(await meaningOf(file)).toEqual(plain);
    expect(brief(findingsOf(await judgeFile(file)))).toEqual(['NOTE ISA_WIDTH ISA06', 'NOTE ISA_WIDTH ISA08']);
  });

  it('are found without ISA16, which leaves a note', async () => {
    const file = fileOf({ isa: isaWith({ 16: '' }) });
    expect(await meaningOf(file)).toEqual(plain);
    expect(brief(findingsOf(await judgeFile(file)))).toEqual(['NOTE ISA_WIDTH ISA16']);
  });
});

describe('wrapped files', () => {
  const wrapped = (width: number, end: string) =>
    fileOf()
      .replaceAll('\n', '')
      .replace(new RegExp(`.{${width}}`, 'g'), (line) => line + end);

  it.each([
    [80, '\n'],
    [80, '\r\n'],
    [100, '\n'],
  ])('lines of %i characters are joined', async (width, end) => {
    const file = wrapped(width, end);
    expect(await meaningOf(file)).toEqual(plain);
    expect(findingsOf(await judgeFile(file))).toEqual([]);
  });

  it('a finding shows the place in the file as it is', async () => {
    const file = wrapped(80, '\n').replace('20261126', '20261199');
    const [found] = findingsOf(await judgeFile(file));
    expect(found).toMatchObject({ code: 'DATE', segment: 'DTM', element: 2 });
    expect(file.slice(found!.offset).replaceAll('\n', '')).toMatch(/^20261199/);
  });

  it('a line break before byte 80 wraps nothing: it is data and an error', async () => {
    const isa = isaWith({ 6: 'GREEN\nVALLEY'.padEnd(15) });
    const found = findingsOf(await judgeFile(fileOf({ isa })));
    expect(brief(found)).toContain('ERROR CHARACTER ISA06');
  });

  it('a line break inside an element is data and an error, if the file is not wrapped', async () => {
    const body = SHIP_NOTICE.map((segment) => segment.replace('Main Street', 'Main\nStreet'));
    const found = findingsOf(await judgeFile(fileOf({ sets: [{ body }] })));
    expect(brief(found)).toEqual(['ERROR CHARACTER 8 N102']);
    expect(found[0]!.raw).toBe('Main\\nStreet');
  });
});

describe('characters', () => {
  const named = (name: string, encoding: BufferEncoding) =>
    Buffer.from(fileOf().replace('Main Street', name), encoding);
  const nameIn = async (file: Uint8Array) => (await meaningOf(file)).find(([id]) => id === 'N1')![2];

  it('a byte order mark at the begin is skipped', async () => {
    const file = Buffer.from(`\ufeff${fileOf()}`, 'utf8');
    expect(await meaningOf(file)).toEqual(plain);
    const [interchange] = await read(file);
    expect(interchange!.start).toBe(3);
  });

  it('are UTF-8 if the whole set is valid UTF-8', async () => {
    expect(await nameIn(named('Grüne Straße', 'utf8'))).toBe('Grüne Straße');
  });

  it('are Latin-1 otherwise', async () => {
    expect(await nameIn(named('Grüne Straße', 'latin1'))).toBe('Grüne Straße');
  });

  it('are Latin-1 in the whole set if one element is no UTF-8', async () => {
    const file = Buffer.concat([
      Buffer.from(fileOf().replace('Main Street', 'Grüne').split('*92*004')[0]!, 'utf8'),
      Buffer.from('*92*004~\nN2*Stra\xdfe~\n', 'latin1'),
      Buffer.from('SE*4*0001~\nGE*1*905~\nIEA*1*000000905~\n'),
    ]);
    expect(await nameIn(file)).toBe('GrÃ¼ne');
  });

  it('trailing blanks are no part of a value', async () => {
    expect(await nameIn(named('Main Street   ', 'latin1'))).toBe('Main Street');
  });
});

describe('bodies', () => {
  const second = (number: string) => fileOf({ isa: isaWith({ 13: number }) });

  it('may have several interchanges', async () => {
    const list = await read(`${second('000000001')}\r\n${second('000000002')}`);
    expect(list.map(({ controlNumber }) => controlNumber)).toEqual(['000000001', '000000002']);
    expect(list[1]!.content.startsWith('ISA')).toBe(true);
    expect(list[1]!.start).toBe(second('000000001').length + 2);
  });

  it('with different delimiters', async () => {
    const list = await read(second('000000001') + second('000000002').replaceAll('*', '|').replaceAll('~', '!'));
    expect(list.map(({ delimiters }) => delimiters.element)).toEqual(['*', '|']);
  });

  it.each([
    ['behind a segment', /HL\*3.*/s],
    ['inside a segment', /eet\*92.*/s],
    ['before IEA', /IEA.*/s],
  ])('an interchange that is cut %s by the next ISA does not touch the next one', async (_, rest) => {
    const list = await read(second('000000001').replace(rest, '') + second('000000002'));
    expect(list).toHaveLength(2);
    expect(list[0]!.trailer).toBeUndefined();
    expect(list[1]!.groups[0]!.sets[0]!.segments.map(({ elements }) => elements)).toEqual(plain);
  });

  it('other bytes behind IEA are one note, and the next interchange is read', async () => {
    const list = await read(`${second('000000001')}\x1a garbage\n${second('000000002')}`);
    expect(list.map(({ trailing }) => trailing)).toEqual(['\x1a garbage\n', '']);
    const found = findingsOf(await judgeFile(`${fileOf()}\x1a`));
    expect(brief(found)).toEqual(['NOTE TRAILING_BYTES']);
    expect(found[0]).toMatchObject({ offset: fileOf().length - 1, raw: '\\x1a' });
  });

  it.each([
    ['', 0, '', /empty/],
    [' \r\n', 0, '', /empty/],
    ['{"a": 1}', 0, '{"a": 1}', /does not begin with an ISA/],
    ['\n\nGS*SH*A*B~', 2, 'GS*SH*A*B~', /does not begin with an ISA/],
    [`x${fileOf()}`, 0, `x${fileOf()}`.slice(0, 40), /does not begin with an ISA/],
    ['ISA*00*', 0, 'ISA*00*', /16 elements/],
    [fileOf({ isa: ISA.slice(1) }), 0, fileOf({ isa: ISA.slice(1) }).slice(0, 40), /has 15 elements instead of 16/],
    [fileOf({ isa: [...ISA.slice(0, 15), '1', '>'] }), 0, fileOf().slice(0, 40), /has 17 elements instead of 16/],
    [fileOf().replace('*>~\n', '*>'), 0, fileOf().slice(0, 40), /ISA16 is not followed by a segment terminator/],
    ['ISA 00 ', 0, 'ISA 00 ', /ISA is followed by " " instead of an element separator/],
    ['ISA', 0, 'ISA', /ISA is followed by nothing instead of an element separator/],
  ])('%j has no envelope', async (file, offset, raw, message) => {
    const body = await readBody(Buffer.from(file, 'latin1'));
    if (!('noEnvelope' in body)) throw new Error('an envelope was found');
    expect(body.noEnvelope).toMatchObject({ level: 'ERROR', code: 'NO_ENVELOPE', offset });
    expect(body.noEnvelope.raw).toBe(raw.replaceAll('\n', '\\n'));
    expect(body.noEnvelope.message).toMatch(message);
  });

  it('a TA1 before the groups is an acknowledgment of the interchange', async () => {
    const file = `${segmentsOf().slice(0, 1).join('')}~TA1*000000044*261124*0930*A*000~IEA*0*000000905~`;
    const [interchange] = await read(file);
    expect(interchange!.acknowledgments.map(({ elements }) => elements[1])).toEqual(['000000044']);
    expect(findingsOf(await judgeFile(file))).toEqual([]);
  });
});

it('every element has the offset of its bytes', async () => {
  const file = `\n${fileOf()}`;
  const [interchange] = await read(file);
  for (const segment of interchange!.groups[0]!.sets[0]!.segments) {
    for (const [at, value] of segment.elements.entries()) {
      expect(rawOf(interchange!, segment, at)).toBe(value);
      expect(interchange!.content.slice(segment.offsets[at]).startsWith(value)).toBe(true);
    }
  }
  expect(file.slice(interchange!.start)).toBe(interchange!.content + (file.endsWith('\n') ? '\n' : ''));
});
