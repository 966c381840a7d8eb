import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, readRecord } from '../../src/platform/csv.ts';
import { inspectFile } from '../../src/service/import/bytes.ts';
import { cutCsvRecords } from '../../src/service/import/csv.ts';
import { cutJsonElements, cutLines, type Piece } from '../../src/service/import/record-splitter.ts';
import { openRows, ROW_BYTES_MAX, type SourceRow } from '../../src/service/import/rows.ts';
import { inputFile } from './support/shop.ts';

async function read(path: string, position = 0, firstNumber = 1): Promise<SourceRow[]> {
  const rows: SourceRow[] = [];
  for await (const batch of openRows(await inspectFile(path)).read(position, firstNumber).batches) rows.push(...batch);
  return rows;
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function gather<T>(batches: AsyncGenerator<T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

const values = (rows: readonly SourceRow[]) => rows.map((row) => row.value);
const codes = (rows: readonly SourceRow[]) => rows.map((row) => row.error?.code);

describe('what a file holds is told by its content', () => {
  const rows = [{ a: '1' }, { a: '2' }];
  it.each([
    ['a CSV', 'x.csv', 'a\n1\n2\n'],
    ['a CSV without a last line end', 'x.csv', 'a\n1\n2'],
    ['a CSV with a byte order mark and CR LF', 'x.csv', '\uFEFFa\r\n1\r\n2\r\n'],
    ['NDJSON', 'x.ndjson', '{"a":"1"}\n{"a":"2"}\n'],
    ['NDJSON under another name', 'x.json', '{"a":"1"}\n\n{"a":"2"}\n'],
    ['a JSON list', 'x.json', '[{"a":"1"},\n {"a":"2"}]\n'],
    ['a JSON list with a byte order mark', 'x.txt', '\uFEFF [ {"a":"1"} , {"a":"2"} ]'],
  ])('%s', async (_what, name, content) => {
    expect(values(await read(inputFile(name, content)))).toEqual(rows);
    expect(values(await read(inputFile(`${name}.gz`, content)))).toEqual(rows);
  });

  it('a single JSON object over several lines is one row', async () => {
    expect(values(await read(inputFile('x.json', '{\n  "a": "1"\n}\n')))).toEqual([{ a: '1' }]);
  });

  it('gzip is told by its first bytes, whatever its name', async () => {
    const path = inputFile('x.csv', gzipSync('a\n1\n2\n'));
    expect(values(await read(path))).toEqual(rows);
  });

  it('a CSV whose header is longer than 64 KiB is rejected', async () => {
    const columns = Array.from({ length: 9000 }, (_, index) => `column${index}`);
    const path = inputFile('x.csv', `${columns.join(',')}\n${columns.join(',')}\n`);
    await expect(read(path)).rejects.toThrow(/The header of .* is longer than 64 KiB/);
  });

  it('a truncated gzip file ends with a message, and a CSV without a header is rejected', async () => {
    const whole = gzipSync(`a\n${'1\n'.repeat(100_000)}`);
    const cut = inputFile('x.csv', whole.subarray(0, whole.length - 20));
    await expect(read(cut)).rejects.toThrow(/cannot be unpacked to its end/);
    for (const encoding of ['utf16le', 'latin1'] as const) {
      const text = inputFile('x.csv', Buffer.from('a,é\n1,2\n', encoding));
      await expect(read(text), encoding).rejects.toThrow(/not UTF-8; save the file as UTF-8/);
    }
    await expect(read(inputFile('x.csv', ''))).rejects.toThrow(/has no header/);
    await expect(read(inputFile('x.csv', 'a,b,a\n'))).rejects.toThrow(/column a .* twice/);
  });

  it('a separator is a comma, a semicolon or a tab', async () => {
    for (const sign of [',', ';', '\t']) {
      expect(values(await read(inputFile('x.csv', `a${sign}b\n1${sign}2\n`)))).toEqual([{ a: '1', b: '2' }]);
    }
  });
});

describe('a row that cannot be read costs itself alone', () => {
  it('in CSV: broken and unclosed quotes, columns too many or too few, bytes that are no UTF-8, NUL, a row too long', async () => {
    const long = 'x'.repeat(ROW_BYTES_MAX + 1);
    const content = Buffer.concat([
      Buffer.from('a,b\n1,"2"x\n3,"4\n5,6\n7\n8,9,10\n'),
      Buffer.from([0x31, 0x2c, 0xff, 0x0a]),
      Buffer.from(`1,\0\n${long},1\n11,12\n`),
    ]);
    const rows = await read(inputFile('x.csv', content));
    expect(codes(rows)).toEqual([
      'UNREADABLE',
      'UNREADABLE',
      undefined,
      'COLUMN_COUNT',
      'COLUMN_COUNT',
      'UNREADABLE',
      'UNREADABLE',
      'TOO_LONG',
      undefined,
    ]);
    expect(rows.map((row) => row.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(rows[2]!.value).toEqual({ a: '5', b: '6' });
    expect(rows[8]!.value).toEqual({ a: '11', b: '12' });
    expect(rows[7]!.bytes.length).toBeLessThan(5000);
  });

  it('in NDJSON and in a JSON list', async () => {
    const lines = '{"a":1}\n{"a":\n[1\n{"a":1,"a":2}\n{"a":"\\ud800"}\n{"a":2}\n';
    const ndjson = await read(inputFile('x.ndjson', lines));
    expect(codes(ndjson)).toEqual([undefined, 'UNREADABLE', 'UNREADABLE', 'UNREADABLE', 'UNREADABLE', undefined]);
    const list = await read(inputFile('x.json', '[{"a":1}, {"a":oops}, {"a":"],["}, {"b":[1,{"c":2}]}, 7]'));
    expect(codes(list)).toEqual([undefined, 'UNREADABLE', undefined, undefined, undefined]);
    expect(values(list).slice(2)).toEqual([{ a: '],[' }, { b: [1, { c: 2 }] }, 7]);
  });

  it('a JSON list that does not end loses its last, cut off element only', async () => {
    const rows = await read(inputFile('x.json', '[{"a":1}, {"a":2}, {"a":'));
    expect(codes(rows)).toEqual([undefined, undefined, 'UNREADABLE']);
  });

  it('a JSON list that is cut off at any byte has an error, also if the reading continues later', async () => {
    const whole = ' [ {"a":"]"} , {"a":[2]} ] ';
    const closed = whole.lastIndexOf(']');
    for (let size = whole.indexOf('[') + 1; size <= whole.length; size++) {
      const path = inputFile('x.json', whole.slice(0, size));
      const rows = await read(path);
      expect(codes(rows).filter(Boolean), whole.slice(0, size)).toEqual(size > closed ? [] : ['UNREADABLE']);
      for (const [index, row] of rows.entries()) {
        if (row.error === undefined) expect(await read(path, row.end, index + 2)).toEqual(rows.slice(index + 1));
      }
    }
  });

  it('a JSON list without an element between two commas, or with text after it, has an error', async () => {
    expect(codes(await read(inputFile('x.json', '[1,,2]')))).toEqual([undefined, 'UNREADABLE', undefined]);
    expect(codes(await read(inputFile('x.json', '[,1]')))).toEqual(['UNREADABLE', undefined]);
    expect(codes(await read(inputFile('x.json', '[1],2,[3')))).toEqual([undefined, 'UNREADABLE']);
    expect(codes(await read(inputFile('x.json', '[1,]')))).toEqual([undefined]);
    expect(codes(await read(inputFile('x.json', '[]\n')))).toEqual([]);
  });
});

describe('CSV fields', () => {
  it('may be quoted, hold separators, quotes and line ends; a quote inside of an unquoted field is itself', async () => {
    const rows = await read(inputFile('x.csv', 'a,b\n"1,""2""","3\n4"\n5" PIPE,\n"",6\n'));
    expect(values(rows)).toEqual([
      { a: '1,"2"', b: '3\n4' },
      { a: '5" PIPE', b: '' },
      { a: '', b: '6' },
    ]);
  });

  it('are read back as they were written, however the bytes arrive', async () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', 'é', '€') });
    const record = fc.array(field, { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 8 }), fc.integer({ min: 1, max: 9 }), async (records, size) => {
        const bytes = Buffer.from(records.map((fields) => csvLine(fields, ',')).join(''));
        const lines = cutLines(inChunks(bytes, size), 0, 1000);
        const cut = await gather(cutCsvRecords(lines, ',', 1000));
        expect(cut.map((one) => one.fields)).toEqual(records);
      }),
    );
  });

  it('tell an open quote from a broken one', () => {
    expect(readRecord('a,"b', 0, ',')).toBe('open');
    expect(readRecord('a,"b"c', 0, ',')).toBe('broken');
    expect(readRecord('a,"b",', 0, ',')).toEqual({ fields: ['a', 'b', ''], end: 6 });
  });
});

describe('a reading goes on behind any row', () => {
  const csv = 'a,b\n1,2\n\n"3\n4",5\nbroken\n6,"7"\n8,"9\n10,11\n';
  const ndjson = '{"a":1}\n\n{"a":\n{"a":2}\n{"a":3}';
  const list = '[ {"a":1},\n{"a":oops} , {"a":[2,3]},4 ]\n';
  it.each([
    ['CSV', 'x.csv', csv],
    ['CSV in gzip', 'x.csv.gz', csv],
    ['NDJSON', 'x.ndjson', ndjson],
    ['a JSON list', 'x.json', list],
    ['a JSON list in gzip', 'x.json.gz', list],
  ])('%s', async (_what, name, content) => {
    const path = inputFile(name, content);
    const rows = await read(path);
    for (const [index, row] of rows.entries()) {
      expect(await read(path, row.end, row.number + 1)).toEqual(rows.slice(index + 1));
    }
  });

  it('elements of a list are cut the same whatever the size of the chunks', async () => {
    const bytes = Buffer.from('[{"a":"x\\"]"},[1,[2]], "y,]" ,null,{}]');
    const whole: Piece[] = await gather(cutJsonElements(inChunks(bytes, 1000), 0, 1000));
    expect(whole.map((piece) => piece.bytes.toString())).toEqual(['{"a":"x\\"]"}', '[1,[2]]', '"y,]"', 'null', '{}']);
    for (let size = 1; size < 8; size++) {
      expect(await gather(cutJsonElements(inChunks(bytes, size), 0, 1000))).toEqual(whole);
    }
  });
});
