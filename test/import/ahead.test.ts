import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { isWorthThread } from '../../src/service/import/prefetch.ts';
import { inputFile, item, openShop, type Shop } from './support/shop.ts';

const shops: Shop[] = [];
async function shop(): Promise<Shop> {
  const one = await openShop();
  shops.push(one);
  return one;
}
afterEach(async () => {
  for (const one of shops.splice(0)) await one.backroom.close();
});

const ROWS = 3000;
const pad = 'The label says what it is made of, where, and how to keep it dry. '.repeat(4).slice(0, 255);
const attributes = Array.from({ length: 6 }, (_, index) => ({ name: `note ${index}`, value: pad }));

/**
 * Returns row `n` of the file. The file has rows for every stage of rejection: unreadable, invalid, and in conflict
 * with stored data.
 */
function line(n: number): string {
  const whole = (more: object) => JSON.stringify(item(`K${n}`, { customDynamicAttributes: attributes, ...more }));
  const bundle = (other: number) => whole({ bundle: true, bundleItems: [{ itemId: `A-K${other}` }] });
  if (n === 10) return bundle(11);
  if (n === 11) return bundle(10);
  if (n % 100 === 1) return `{"itemId": "A-K${n}", "itemId": 1}`;
  if (n % 100 === 2) return whole({ colour: 'red', salesClass: 'stok' });
  if (n % 100 === 3) return `${whole({}).slice(0, -1)}, "unitCost": {"currency": "GBP", "value": 1234567890123456.10}}`;
  if (n % 100 === 4)
    return `${whole({}).slice(0, -1)}, "unitCost": {"currency": "GBP", "value": 1234567890123456.105}}`;
  return whole({});
}

const content = Array.from({ length: ROWS }, (_, n) => `${line(n)}\n`).join('');

async function outcome({ backroom, run }: Shop, file: string) {
  const { rejectFile, file: _, ...counts } = await run({ kind: 'items', file });
  const rows = await backroom.store.read((db) =>
    db.selectFrom('items').select(['item_id', 'revision', 'doc']).orderBy('item_id').execute(),
  );
  return { counts, rows, rejects: readFileSync(rejectFile!, 'utf8').split('\n') };
}

describe('a large file of items', () => {
  it('has the same outcome as a small one, though another thread reads and checks it', async () => {
    const [large, small] = [inputFile('items.ndjson', content), inputFile('items.ndjson.gz', content)];
    expect(isWorthThread(statSync(large))).toBe(availableParallelism() > 1);
    expect(isWorthThread(statSync(small))).toBe(false);
    const byThread = await outcome(await shop(), large);
    expect(byThread).toEqual(await outcome(await shop(), small));
    expect(byThread.counts).toMatchObject({
      rowsRead: ROWS,
      rowsRefused: { UNREADABLE: 30, UNKNOWN: 30, FRACTION_DIGITS: 30, BUNDLE: 1 },
    });
    const refused = byThread.rejects.filter((text) => text !== '').map((text) => JSON.parse(text) as object);
    expect(refused).toHaveLength(91);
    expect(refused).toContainEqual(expect.objectContaining({ itemId: 'A-K11', bundleItems: [{ itemId: 'A-K10' }] }));
    expect(byThread.rejects.filter((text) => text.includes('"value":1234567890123456.105'))).toHaveLength(30);
  });

  it('can be stopped and goes on behind its last batch', async () => {
    const { run } = await shop();
    const file = inputFile('items.ndjson', content);
    const read: number[] = [];
    for (let finished = false; !finished; ) {
      const stop = new AbortController();
      const onProgress = () => stop.abort();
      const one = await run({ kind: 'items', file, batchRows: 1000, signal: stop.signal, onProgress });
      read.push(one.rowsRead);
      ({ finished } = one);
    }
    expect(read).toEqual([1000, 2000, 3000]);
  });

  it('that cannot be read to its end ends the import with a sentence', async () => {
    // Text that hardly compresses, so that the compressed file is large too.
    const noise = (n: number) => createHash('sha256').update(String(n)).digest('base64');
    const rows = Array.from({ length: 90_000 }, (_, n) => `{"gii":"${noise(n)}${noise(-n)}"}\n`);
    const packed = gzipSync(rows.join(''), { level: 1 });
    const file = inputFile('items.ndjson', '');
    writeFileSync(file, packed.subarray(0, -1000));
    expect(isWorthThread(statSync(file))).toBe(availableParallelism() > 1);
    await expect((await shop()).run({ kind: 'items', file, batchRows: 20_000 })).rejects.toThrow(
      /cannot be unpacked to its end/,
    );
  });
});
