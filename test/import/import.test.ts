import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadMapping } from '../../src/service/import/mapping.ts';
import { rejectPath } from '../../src/service/import/rejects.ts';
import { describePostgresOnly, untilBlocked } from '../support/store.ts';
import { ITEM_COLUMNS, inputFile, item, itemRow, node, openShop, order, type Shop } from './support/shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.backroom.close());

async function docs(): Promise<Record<string, unknown>[]> {
  const rows = await shop.backroom.store.read((db) =>
    db.selectFrom('items').select('doc').where('client_id', '=', 'SHOP').orderBy('item_id').execute(),
  );
  return rows.map((row) => JSON.parse(row.doc) as Record<string, unknown>);
}

async function itemIds(): Promise<unknown[]> {
  return (await docs()).map((doc) => doc.itemId);
}

const ORDER_LINES = join(import.meta.dirname, 'support/lines.ts');
const seven = Array.from({ length: 7 }, (_, index) => `K${index + 1}`);

/** Adds the store WEB_B with the catalog B. */
async function addStore(): Promise<void> {
  const { operator } = shop.backroom;
  await operator('PUT', '/operator/v1/clients/SHOP', { name: 'Shop', catalogIds: ['A', 'B'] });
  const store = { name: 'Web B', catalogId: 'B', sellerId: 'SHOP', storeCode: 'B', currency: 'GBP' };
  const { status, text } = await operator('PUT', '/operator/v1/clients/SHOP/stores/WEB_B', store);
  expect(status, text).toBe(201);
}

describe('import of items', () => {
  it('takes CSV with a column per field, and keeps the digits of numbers', async () => {
    const file = inputFile('items.csv', `${ITEM_COLUMNS}\n${itemRow('K1', 'Kite', '1234567890123456.10')}\n`);
    expect(await shop.run({ kind: 'items', file })).toMatchObject({ rowsRead: 1, rowsImported: 1, rowsRefused: {} });
    const rows = await shop.backroom.store.read((db) => db.selectFrom('items').select('doc').execute());
    expect(rows[0]!.doc).toContain('1234567890123456.1');
    expect(await docs()).toMatchObject([{ itemId: 'A-K1', description: 'Kite', styleId: '', sfsEligible: true }]);
  });

  it('rejects a bad row with all of its errors, in a file of the same columns that can be fixed and imported', async () => {
    const bad = itemRow('K2', 'x'.repeat(121), '-1.234').replace('MERCH', 'NONSENSE');
    const file = inputFile('items.csv', `${ITEM_COLUMNS}\n${itemRow('K1')}\n${bad}\n${itemRow('K3')}\n`);
    const summary = await shop.run({ kind: 'items', file });
    expect(summary).toMatchObject({ rowsRead: 3, rowsImported: 2 });
    expect(Object.values(summary.rowsRefused)).toEqual([1]);
    expect(await itemIds()).toEqual(['A-K1', 'A-K3']);
    const rejects = readFileSync(summary.rejectFile!, 'utf8');
    const [header, row, end] = rejects.split('\n');
    expect(header).toBe(`${ITEM_COLUMNS},reject_reasons`);
    expect(row!.startsWith(bad)).toBe(true);
    for (const word of ['description', 'type', 'unitCost', '(row 2)']) expect(row).toContain(word);
    expect(row!.split(' | ').length).toBeGreaterThanOrEqual(3);
    expect(end).toBe('');
    const mended = inputFile('mended.csv', rejects.replace(bad, itemRow('K2')));
    expect(await shop.run({ kind: 'items', file: mended })).toMatchObject({ rowsImported: 1, rowsRefused: {} });
    expect(await itemIds()).toEqual(['A-K1', 'A-K2', 'A-K3']);
  });

  it('says that a JSON list was cut off, also if it ends after a comma', async () => {
    const file = inputFile('items.json', `[${JSON.stringify(item('K1'))},${JSON.stringify(item('K2'))},`);
    const summary = await shop.run({ kind: 'items', file });
    expect(summary).toMatchObject({ rowsRead: 3, rowsImported: 2, rowsRefused: { UNREADABLE: 1 } });
    expect(JSON.parse(readFileSync(summary.rejectFile!, 'utf8'))).toEqual({
      reject_text: '',
      reject_reasons: [expect.stringMatching(/^UNREADABLE: The list is not closed.*\(row 3\)$/)],
    });
  });

  it('keeps the rejects of standard input in the working folder, not beside the device', () => {
    const run = { kind: 'items', clientId: 'ACME', storeId: '', importId: '0123456789' };
    for (const [input, path] of [
      ['/dev/stdin', 'stdin.items.ACME.01234567.rejects.csv'],
      ['/dev/fd/3', '3.items.ACME.01234567.rejects.csv'],
      ['/proc/self/fd/0', '0.items.ACME.01234567.rejects.csv'],
      ['/dev/shm/items.csv', '/dev/shm/items.csv.items.ACME.01234567.rejects.csv'],
    ])
      expect(rejectPath(input!, run, { format: 'csv' })).toBe(path);
  });

  it('rejects rows of JSON with the row itself and its errors', async () => {
    const content = `${JSON.stringify(item('K1'))}\n{"itemId":\n${JSON.stringify(item('K2', { colour: 'red' }))}\n17\n`;
    const summary = await shop.run({ kind: 'items', file: inputFile('items.ndjson', content) });
    expect(summary).toMatchObject({
      rowsRead: 4,
      rowsImported: 1,
      rowsRefused: { UNREADABLE: 1, UNKNOWN: 1, TYPE: 1 },
    });
    const rejects = readFileSync(summary.rejectFile!, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(rejects[0]).toEqual({
      reject_text: '{"itemId":',
      reject_reasons: [expect.stringMatching(/^UNREADABLE: .*\(row 2\)$/)],
    });
    expect(rejects[1]).toEqual({
      ...item('K2'),
      colour: 'red',
      reject_reasons: [expect.stringContaining('did you mean')],
    });
    expect(rejects[2]).toMatchObject({ reject_text: '17' });
  });

  it('of one file with a mapping for a second store is another run, because the mapping uses the store', async () => {
    await addStore();
    const mapping = {
      mapping: {
        kind: 'items' as const,
        build: (rows: readonly unknown[], { catalogId }: { catalogId: string }) => {
          const { code } = rows[0] as { code: string };
          return { ...item(code), catalogId, itemId: `${catalogId}-${code}` };
        },
      },
      hash: 'a mapping',
    };
    const file = inputFile('items.csv', 'code\nK1\n');
    await shop.run({ kind: 'items', file, mapping, storeId: 'WEB' });
    expect(await shop.run({ kind: 'items', file, mapping, storeId: 'WEB_B' })).toMatchObject({ resumed: false });
    expect(await itemIds()).toEqual(['A-K1', 'B-K1']);
  });

  it('rejects a text that a spreadsheet has shortened also with a mapping, if the mapping uses the cell', async () => {
    const build = (rows: readonly unknown[]) => {
      const { code, upc } = rows[0] as { code: string; upc: string };
      return { ...item(code), upcs: [{ upcType: 'UPC', upc }] };
    };
    const file = inputFile('items.csv', 'code,upc,stock\nK1,4.00E+11,1\nK2,036000291452,4E+11\n');
    const summary = await shop.run({
      kind: 'items',
      file,
      mapping: { mapping: { kind: 'items', build }, hash: 'upc' },
    });
    expect(readFileSync(summary.rejectFile!, 'utf8').split('\n')[1]).toContain(
      'a spreadsheet has shortened the number to 4.00E+11',
    );
    expect(await itemIds()).toEqual(['A-K2']);
  });

  it.each(['items.csv', 'items.ndjson'])(
    'takes the corrected reject file of a mapping that passes rows on: %s',
    async (name) => {
      const mapping = { mapping: { kind: 'items', build: ([row]: readonly object[]) => row }, hash: 'row' } as never;
      const columns = 'clientId,catalogId,clientItemId,itemId,description,salesClass,styleId,taxCode,type';
      const row = item('K1', { type: 'NONSENSE' });
      const csv = `${columns}\nSHOP,A,K1,A-K1,Item K1,stock,,,NONSENSE\n`;
      const file = inputFile(name, name === 'items.csv' ? csv : JSON.stringify(row));
      const { rejectFile } = await shop.run({ kind: 'items', file, mapping });
      const fixed = inputFile(name, readFileSync(rejectFile!, 'utf8').replace('NONSENSE', 'MERCH'));
      expect(await shop.run({ kind: 'items', file: fixed, mapping })).toMatchObject({
        rowsImported: 1,
        rowsRefused: {},
      });
    },
  );

  it('rejects the rows of a file with a byte order mark into a file with one, also if it was interrupted', async () => {
    const rows = ['K1', 'K2', 'K3'].map((code) => itemRow(code, 'Müsli').replace('MERCH', 'NONSENSE'));
    const file = inputFile('items.csv', `\ufeff${ITEM_COLUMNS}\n${rows.join('\n')}\n`);
    const stop = new AbortController();
    await shop.run({ kind: 'items', file, batchRows: 1, signal: stop.signal, onProgress: () => stop.abort() });
    const { rejectFile } = await shop.run({ kind: 'items', file });
    const rejects = readFileSync(rejectFile!, 'utf8');
    expect(rejects.split('\n')[0]).toBe(`\ufeff${ITEM_COLUMNS},reject_reasons`);
    expect(rejects.match(/\ufeff/g)).toHaveLength(1);
    const fixed = inputFile('items.csv', rejects.replaceAll('NONSENSE', 'MERCH'));
    expect(await shop.run({ kind: 'items', file: fixed })).toMatchObject({ rowsImported: 3, rowsRefused: {} });
  });

  it('rejects items of a catalog that is removed while it runs', async () => {
    const client = { name: 'Shop', catalogIds: ['A', 'B'] };
    await shop.backroom.operator('PUT', '/operator/v1/clients/SHOP', client);
    const codes = [...seven.map((code) => `A-${code}`), 'B-K1'];
    const rows = codes.map((itemId) => item(itemId.slice(2), { catalogId: itemId[0], itemId }));
    const file = inputFile('items.json', JSON.stringify(rows));
    let removed: Promise<unknown> | undefined;
    const onProgress = () => {
      removed ??= shop.backroom.store.write((tx) =>
        tx
          .updateTable('clients')
          .set({ catalog_ids: '["A"]' as never })
          .execute(),
      );
    };
    const summary = await shop.run({ kind: 'items', file, batchRows: 1, onProgress });
    await removed;
    expect(summary).toMatchObject({ rowsImported: 7, rowsRefused: { CATALOG: 1 } });
    expect(await itemIds()).toEqual(codes.slice(0, -1));
  });

  it('leaves the reject file away where every row goes in', async () => {
    const summary = await shop.run({ kind: 'items', file: inputFile('items.json', JSON.stringify([item('K1')])) });
    expect(summary.rejectFile).toBeUndefined();
  });
});

describe('words of imported items', () => {
  const search = async (query: string) => {
    const { body } = await shop.backroom.operator('GET', `/operator/v1/clients/SHOP/items?${query}`);
    return (body as { items: { itemId: string }[] }).items.map(({ itemId }) => itemId);
  };
  const terms = () =>
    shop.backroom.store.read((db) => db.selectFrom('item_terms').select(['term', 'item_id']).orderBy('term').execute());
  const forms = async () => {
    const rows = await shop.backroom.store.read((db) => db.selectFrom('items').select('term_form').execute());
    return rows.map((row) => row.term_form);
  };
  const upcs = [{ upcType: 'EAN', upc: '4000000000774' }];
  const lines = [item('K1', { description: 'Red kite', upcs }), item('K2', { description: 'Blue kite' })];

  it('are found before they are written, and the scheduler writes them', async () => {
    const file = inputFile('items.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'));
    await shop.run({ kind: 'items', file });
    expect(await terms()).toEqual([{ term: 'c4000000000774', item_id: 'A-K1' }]);
    const all = async () => [await search('q=kite'), await search('q=ki%20red'), await search('code=4000000000774')];
    expect(await all()).toEqual([['A-K1', 'A-K2'], ['A-K1'], ['A-K1']]);
    await shop.backroom.server.runDue();
    expect((await terms()).map(({ term }) => term)).toEqual(['c4000000000774', 'wblue', 'wkite', 'wkite', 'wred']);
    expect(await forms()).toEqual([1, 1]);
    expect(await all()).toEqual([['A-K1', 'A-K2'], ['A-K1'], ['A-K1']]);
  });

  it('are those of the item as it is when they are written', async () => {
    await shop.run({ kind: 'items', file: inputFile('items.ndjson', JSON.stringify(lines[0])) });
    await shop.run({
      kind: 'items',
      file: inputFile('items.ndjson', JSON.stringify({ ...lines[0], description: 'Green kite' })),
    });
    expect([await search('q=red'), await search('q=green')]).toEqual([[], ['A-K1']]);
    await shop.backroom.server.runDue();
    expect([await search('q=red'), await search('q=green')]).toEqual([[], ['A-K1']]);
    expect((await terms()).map(({ term }) => term)).toEqual(['c4000000000774', 'wgreen', 'wkite']);
    await shop.run({
      kind: 'items',
      file: inputFile('items.ndjson', JSON.stringify({ ...lines[0], description: 'Grey kite' })),
    });
    expect((await terms()).map(({ term }) => term)).toEqual(['c4000000000774', 'wgrey', 'wkite']);
  });
});

describe('a run that was stopped', () => {
  const rows = (codes: readonly string[]) => codes.map((code) => itemRow(code, code === 'K4' ? 'x'.repeat(121) : code));
  const content = `${ITEM_COLUMNS}\n${rows(seven).join('\n')}\n`;

  it.each(['items.csv', 'items.csv.gz'])(
    'goes on behind its last batch and counts every row once: %s',
    async (name) => {
      const file = inputFile(name, content);
      let _calls = 0;
      const stopped: number[] = [];
      for (let finished = false; !finished; _calls++) {
        const stop = new AbortController();
        const one = await shop.run({
          kind: 'items',
          file,
          batchRows: 2,
          signal: stop.signal,
          onProgress: () => stop.abort(),
        });
        stopped.push(one.rowsRead);
        ({ finished } = one);
      }
      expect(stopped).toEqual([2, 4, 6, 7]);
      const summary = await shop.run({ kind: 'items', file });
      expect(summary).toMatchObject({ rowsRead: 7, rowsImported: 6, rowsRefused: { MAX_LENGTH: 1 }, resumed: true });
      expect(readFileSync(summary.rejectFile!, 'utf8').split('\n')).toHaveLength(3);
      const events = await shop.backroom.store.read((db) =>
        db
          .selectFrom('events')
          .select('resource_id')
          .where('type', '=', 'item.created')
          .orderBy('resource_id')
          .execute(),
      );
      expect(events.map((event) => event.resource_id)).toEqual(['A-K1', 'A-K2', 'A-K3', 'A-K5', 'A-K6', 'A-K7']);
    },
  );

  /** Imports the first four rows of a file. */
  const begin = (file: string) => {
    const stop = new AbortController();
    return shop.run({ kind: 'items', file, batchRows: 4, signal: stop.signal, onProgress: () => stop.abort() });
  };

  it('does nothing when it is finished, and begins again with --again or when the file has changed', async () => {
    const file = inputFile('items.csv', content);
    await shop.run({ kind: 'items', file });
    await shop.backroom.store.write((tx) => tx.deleteFrom('items').where('client_id', '=', 'SHOP').execute());
    await shop.run({ kind: 'items', file });
    expect(await docs()).toEqual([]);
    expect(await shop.run({ kind: 'items', file, again: true })).toMatchObject({ rowsRead: 7, resumed: false });
    expect(await docs()).toHaveLength(6);
  });

  it('does not name the reject file when it is finished and the file does not exist, as after an upgrade', async () => {
    const file = inputFile('items.csv', content);
    const { rejectFile } = await shop.run({ kind: 'items', file });
    expect(await shop.run({ kind: 'items', file })).toMatchObject({ rejectFile });
    rmSync(rejectFile!);
    expect(await shop.run({ kind: 'items', file })).toMatchObject({ rowsImported: 6, rejectFile: undefined });
  });

  it('says so when its reject file is gone or was corrected', async () => {
    const file = inputFile('items.csv', content);
    const { rejectFile } = await begin(file);
    const rejects = readFileSync(rejectFile!, 'utf8');
    for (const edited of [rejects.slice(0, 300), rejects.replace('MERCH', 'MERCHANDISE')]) {
      writeFileSync(rejectFile!, edited);
      await expect(shop.run({ kind: 'items', file })).rejects.toThrow(/was changed, so the import cannot resume/);
      expect(readFileSync(rejectFile!, 'utf8')).toBe(edited);
    }
    rmSync(rejectFile!);
    await expect(shop.run({ kind: 'items', file })).rejects.toThrow(/is missing, so the import cannot resume/);
  });

  it('keeps its rejects and those of another file with its name apart', async () => {
    const file = inputFile('items.csv', content);
    await begin(file);
    writeFileSync(file, content.replaceAll('K4', 'L4'));
    const other = await shop.run({ kind: 'items', file });
    const kept = readFileSync(other.rejectFile!, 'utf8');
    expect(kept).toContain('A-L4');
    writeFileSync(file, content);
    const whole = await shop.run({ kind: 'items', file });
    expect(readFileSync(whole.rejectFile!, 'utf8')).toContain('A-K4');
    expect(readFileSync(other.rejectFile!, 'utf8')).toBe(kept);
  });
});

describe('two processes that import one file', () => {
  const codes = Array.from({ length: 12 }, (_, index) => `K${index}`);
  const content = `${ITEM_COLUMNS}\n${codes.map((code) => itemRow(code, 'x'.repeat(121))).join('\n')}\n`;

  it.each([0, 1])('keep the rejects of the one that succeeds, if both begin after %i batches', async (before) => {
    const file = inputFile('items.csv', content);
    const run = (more: object = {}) => shop.run({ kind: 'items', file, batchRows: 2, ...more });
    const stop = new AbortController();
    if (before === 1) await run({ signal: stop.signal, onProgress: () => stop.abort() });
    const ends = await Promise.allSettled([run(), run()]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const whole = await run();
    expect(whole).toMatchObject({ finished: true, rowsRefused: { MAX_LENGTH: 12 } });
    const rejects = readFileSync(whole.rejectFile!, 'utf8').trim().split('\n');
    expect(rejects.map((row) => row.split(',')[2])).toEqual(['clientItemId', ...codes]);
  });
});

describe('import of orders', () => {
  const itemsFile = () => inputFile('items.ndjson', ['P', 'Q'].map((code) => JSON.stringify(item(code))).join('\n'));
  const lines = async () =>
    (
      await shop.backroom.store.read((db) =>
        db.selectFrom('order_lines').selectAll().orderBy('fulfillment_order_id').orderBy('line_index').execute(),
      )
    ).map((row) => `${row.fulfillment_order_id}/${row.web_line_id} ${row.item_id} ${row.ordered}`);

  it('makes one order of the rows of a group, and rejects only the bad row, at any stage of the import', async () => {
    await shop.run({ kind: 'items', file: itemsFile() });
    const content =
      'order,item,units\n1,P,2\n1,FEE,-1\n1,P,2\n2,NONE,1\n2,Q,100000\n2,Q,3\nx\n2,P,1\n3,NONE,1\n4,THROW,1\n';
    const file = inputFile('orders.csv', content);
    const mapping = await loadMapping(ORDER_LINES, 'orders');
    const summary = await shop.run({ kind: 'orders', storeId: 'WEB', file, mapping });
    expect(await lines()).toEqual(['1/1 A-P 2', '1/2 A-P 2', '2/1 A-Q 3', '2/2 A-P 1']);
    expect(summary).toMatchObject({
      rowsRead: 10,
      rowsImported: 4,
      rowsRefused: { TAKEN_BACK: 1, UNKNOWN_ITEM: 2, MAXIMUM: 1, COLUMN_COUNT: 1, MAPPING_FAILED: 1 },
    });
    const rejects = readFileSync(summary.rejectFile!, 'utf8').split('\n');
    expect(rejects[1]).toMatch(/^1,FEE,-1,TAKEN_BACK: units are negative \(row 2\) \| FEE: a fee \(row 2\)$/);
  });

  it('keeps the rejects of one file for two stores apart, also while a run is interrupted', async () => {
    await addStore();
    const rows = ['1', '2'].map((id) => `${JSON.stringify(order(id, []))}\n`);
    const file = inputFile('orders.ndjson', rows.join(''));
    const stop = new AbortController();
    const part = { kind: 'orders' as const, file, batchRows: 1 };
    await shop.run({ ...part, storeId: 'WEB', signal: stop.signal, onProgress: () => stop.abort() });
    const other = await shop.run({ ...part, storeId: 'WEB_B' });
    const whole = await shop.run({ ...part, storeId: 'WEB' });
    expect(whole).toMatchObject({
      resumed: true,
      rejectFile: expect.stringMatching(/\.orders\.SHOP\.WEB\.\w{8}\.rejects/),
    });
    expect(other.rejectFile).toMatch(/\.orders\.SHOP\.WEB_B\.\w{8}\.rejects\.ndjson$/);
    for (const { rejectFile } of [other, whole])
      expect(readFileSync(rejectFile!, 'utf8').match(/"fulfillmentOrderId":"\d"/g)).toHaveLength(2);
  });

  it('keeps the rejects of two files with one name apart in one folder', async () => {
    const files = ['1', '2'].map((id) => inputFile('orders.json', JSON.stringify(order(id, []))));
    const run = (file: string) =>
      shop.run({ kind: 'orders', storeId: 'WEB', file, rejectFolder: join(files[0]!, '..') });
    const [first, second] = [await run(files[0]!), await run(files[1]!)];
    expect(readFileSync(first.rejectFile!, 'utf8')).toContain('"fulfillmentOrderId":"1"');
    expect(readFileSync(second.rejectFile!, 'utf8')).toContain('"fulfillmentOrderId":"2"');
  });

  it('counts an identical order as imported, and rejects one with other content', async () => {
    await shop.run({ kind: 'items', file: itemsFile() });
    const line = { webLineId: '1', itemId: 'A-P', quantity: 1, unitPrice: 1.5 };
    const first = inputFile('orders.json', JSON.stringify([order('1', [line])]));
    const second = inputFile(
      'orders.json',
      JSON.stringify([order('1', [line]), order('1', [{ ...line, quantity: 2 }])]),
    );
    await shop.run({ kind: 'orders', storeId: 'WEB', file: first });
    const summary = await shop.run({ kind: 'orders', storeId: 'WEB', file: second });
    expect(summary).toMatchObject({ rowsRead: 2, rowsImported: 1, rowsRefused: { CONFLICT: 1 } });
  });

  it('needs a store of the client', async () => {
    const file = itemsFile();
    await expect(shop.run({ kind: 'orders', file })).rejects.toThrow(/--store/);
    await expect(shop.run({ kind: 'orders', storeId: 'NONE', file })).rejects.toThrow(/no store "NONE"/);
  });
});

describe('import that fills items', () => {
  it.each([1, 500])('rejects only the invalid row of an item, in batches of %i', async (batchRows) => {
    const rows = [
      item('P', { description: 'x'.repeat(121), gii: 'rejected' }),
      item('P', { description: 'Short' }),
      item('P', { description: 'Later', gii: 'added' }),
    ];
    const mapping = {
      mapping: { kind: 'items', existing: 'fill', build: ([row]: readonly object[]) => row },
      hash: 'fill',
    };
    const file = inputFile('items.json', JSON.stringify(rows));
    const summary = await shop.run({ kind: 'items', file, batchRows, mapping: mapping as never });
    expect(summary).toMatchObject({ rowsRead: 3, rowsImported: 2, rowsRefused: { MAX_LENGTH: 1 } });
    expect(await docs()).toMatchObject([{ description: 'Short', gii: 'added' }]);
  });

  it.each([1, 500])('fills fields that are stored blank, in batches of %i', async (batchRows) => {
    const rows = [item('P'), item('P', { styleId: 'S', taxCode: '76800' }), item('P', { styleId: 'T', taxCode: '' })];
    const partial = { ...item('Q', { gii: 'added' }), styleId: undefined };
    rows.push(item('Q'), partial as never);
    const mapping = {
      mapping: { kind: 'items', existing: 'fill', build: ([row]: readonly object[]) => row },
      hash: 'fill',
    };
    const file = inputFile('items.json', JSON.stringify(rows));
    const summary = await shop.run({ kind: 'items', file, batchRows, mapping: mapping as never });
    expect(summary).toMatchObject({ rowsImported: 5, rowsRefused: {} });
    expect(await docs()).toMatchObject([
      { styleId: 'S', taxCode: '76800' },
      { styleId: '', gii: 'added' },
    ]);
  });

  it('fills the other fields of an item that is stored as no bundle if a row says that it is one', async () => {
    const mapping = {
      mapping: { kind: 'items', existing: 'fill', build: ([row]: readonly object[]) => row },
      hash: 'fill',
    };
    const file = inputFile(
      'items.json',
      JSON.stringify([
        item('P'),
        item('Q'),
        item('P', { bundle: true, bundleItems: [{ itemId: 'A-Q' }], gii: 'added' }),
      ]),
    );
    const summary = await shop.run({ kind: 'items', file, mapping: mapping as never });
    expect(summary).toMatchObject({ rowsImported: 3, rowsRefused: {} });
    const [filled] = await docs();
    expect(filled).toMatchObject({ bundle: false, gii: 'added' });
    expect(filled).not.toHaveProperty('bundleItems');
  });

  it('keeps a value that left a list of the client', async () => {
    const run = (more: object) => {
      const mapping = {
        mapping: { kind: 'items', existing: 'fill', build: ([row]: readonly object[]) => row },
        hash: 'fill',
      };
      const file = inputFile('items.json', JSON.stringify([item('P', more)]));
      return shop.run({ kind: 'items', file, mapping: mapping as never });
    };
    await run({});
    const client = { name: 'Shop', catalogIds: ['A'], settings: { salesClasses: ['other'] } };
    expect((await shop.backroom.operator('PUT', '/operator/v1/clients/SHOP', client)).status).toBe(200);
    expect(await run({ gii: 'added' })).toMatchObject({ rowsImported: 1, rowsRefused: {} });
    expect(await docs()).toMatchObject([{ salesClass: 'stock', gii: 'added' }]);
  });
});

describePostgresOnly('import that fills items while another transaction creates one of them', () => {
  it('keeps the fields of the created item', async () => {
    const { store } = shop.backroom;
    const run = (mapping: object, items: object[]) => {
      const build = ([row]: readonly object[]) => row;
      const own = { mapping: { kind: 'items', build, ...mapping }, hash: JSON.stringify(mapping) } as const;
      return shop.run({ kind: 'items', file: inputFile('items.json', JSON.stringify(items)), mapping: own as never });
    };
    await run({}, [item('P')]);
    // The first import reads the items and then waits for the lock of P. Meanwhile the second import creates X, which
    // the first import has not seen.
    const { filling } = await store.write(async (tx) => {
      await tx.selectFrom('items').select('revision').where('item_id', '=', 'A-P').forUpdate().execute();
      const begun = run({ existing: 'fill' }, [item('P', { gii: 'p' }), item('X', { gii: 'x' })]);
      await untilBlocked(store);
      await run({}, [item('X', { description: 'From the catalog system' })]);
      return { filling: begun };
    });
    await filling;
    expect(await docs()).toMatchObject([{ gii: 'p' }, { description: 'From the catalog system', gii: 'x' }]);
  });
});

describePostgresOnly('import of orders while other transactions write', () => {
  it('rejects an order that another transaction has stored with other content since the check', async () => {
    const { store } = shop.backroom;
    await shop.run({ kind: 'items', file: inputFile('items.json', JSON.stringify([item('P')])) });
    const line = { webLineId: '1', itemId: 'A-P', quantity: 1, unitPrice: 1.5 };
    const run = (orders: object[]) =>
      shop.run({ kind: 'orders', storeId: 'WEB', file: inputFile('orders.json', JSON.stringify(orders)) });
    // The lock blocks the first import before its commit. The second import waits for the rows of the first.
    const [first, second] = await store
      .write(async (tx) => {
        await sql`lock table imports in exclusive mode`.execute(tx);
        const early = run([order('1', [line])]);
        await untilBlocked(store);
        const late = run([order('1', [{ ...line, quantity: 2 }]), order('2', [line])]);
        await untilBlocked(store, 2);
        return [early, late];
      })
      .then((runs) => Promise.all(runs));
    expect(first).toMatchObject({ rowsImported: 1 });
    expect(second).toMatchObject({ rowsImported: 1, rowsRefused: { CONFLICT: 1 } });
  });
});

describe('import of nodes and node items', () => {
  it('goes through the rules of their operations', async () => {
    const content = [node('N2'), { ...node('N3'), timeZone: 'Moon/Crater' }, { ...node('N4'), nodeId: undefined }];
    const summary = await shop.run({ kind: 'nodes', file: inputFile('nodes.json', JSON.stringify(content)) });
    expect(summary).toMatchObject({ rowsRead: 3, rowsImported: 1, rowsRefused: { TIME_ZONE: 1, REQUIRED: 1 } });
    await shop.run({ kind: 'items', file: inputFile('items.ndjson', JSON.stringify(item('P'))) });
    const csv =
      'nodeId,itemId,retailPrice,pickLocation,onHand\nN2,A-P,19.90,R7,3\nN2,A-X,1,,\nN9,A-P,1,,\nN2,A-P,cheap,,\n';
    const fed = await shop.run({ kind: 'node-items', file: inputFile('feed.csv', csv) });
    expect(fed).toMatchObject({
      rowsRead: 4,
      rowsImported: 1,
      rowsRefused: { NOT_FOUND: 1, UNKNOWN_NODE: 1, TYPE: 1 },
    });
    const answer = await shop.backroom.operator('GET', '/operator/v1/clients/SHOP/nodes/N2/items/A-P');
    expect(answer.body).toMatchObject({ retailPrice: 19.9, pickLocation: 'R7', onHand: 3 });
  });

  it('rejects the rows of another client, and stores nothing of them', async () => {
    const operator = (path: string) => shop.backroom.operator('GET', `/operator/v1/clients/SHOP${path}`);
    await shop.run({ kind: 'items', file: inputFile('items.ndjson', JSON.stringify(item('P'))) });
    const rows = {
      nodes: [
        { ...node('N1'), name: 'Other', clientId: 'ACME' },
        { ...node('N2'), clientId: 'SHOP' },
      ],
      'node-items': [
        { nodeId: 'N1', itemId: 'A-P', onHand: 7, clientId: 'ACME' },
        { nodeId: 'N2', itemId: 'A-P', onHand: 3, clientId: 'SHOP' },
      ],
      users: [
        { userId: 'kim', name: 'Kim', role: 'support', nodeIds: [], clientId: 'ACME' },
        { userId: 'ana', name: 'Ana', role: 'support', nodeIds: [], clientId: 'SHOP' },
      ],
    } as const;
    for (const kind of ['nodes', 'node-items', 'users'] as const) {
      const summary = await shop.run({ kind, file: inputFile('rows.json', JSON.stringify(rows[kind])) });
      expect(summary, kind).toMatchObject({ rowsRead: 2, rowsImported: 1, rowsRefused: { CLIENT: 1 } });
    }
    expect((await operator('/nodes/N1')).body).toMatchObject({ name: 'Node N1' });
    expect((await operator('/nodes/N1/items/A-P')).status).toBe(404);
    expect((await operator('/users')).body.users).toMatchObject([{ userId: 'ana' }]);
  });

  it('rejects a row with a column that is named like a part of each object, and changes no object', async () => {
    const csv = 'nodeId,itemId,constructor.prototype.zz\nN1,A-P,1\n';
    const summary = await shop.run({ kind: 'node-items', file: inputFile('feed.csv', csv) });
    expect(summary).toMatchObject({ rowsImported: 0, rowsRefused: { UNKNOWN: 1 } });
    expect({}).not.toHaveProperty('zz');
  });

  it('takes nodes as CSV, with lists by number', async () => {
    const columns =
      'nodeId,name,nodeType,timeZone,address.line1,address.city,address.mainDivisionCode,address.postalCode,address.countryCode,phone,fulfillmentTypes.0,fulfillmentTypes.1,holdLocations.0,openingHours.0.dayOfWeek,openingHours.0.opens,openingHours.0.closes';
    const row =
      'N5,Five,STORE,Europe/London,1 Road,London,LND,N1,GB,1,STORE_PICK_UP,SHIP_TO_HOME,BIN,MONDAY,09:00,17:30';
    const summary = await shop.run({ kind: 'nodes', file: inputFile('nodes.csv', `${columns}\n${row}\n`) });
    expect(summary.rowsRefused).toEqual({});
    const answer = await shop.backroom.operator('GET', '/operator/v1/clients/SHOP/nodes/N5');
    expect(answer.body).toMatchObject({
      fulfillmentTypes: ['STORE_PICK_UP', 'SHIP_TO_HOME'],
      openingHours: [{ opens: '09:00' }],
    });
  });
});

describe('an input that cannot be imported at all is rejected with a message', () => {
  it('an unknown client, a missing file, a module that is no mapping or is for another kind', async () => {
    await expect(shop.run({ kind: 'items', file: '/nowhere/items.csv' })).rejects.toThrow(
      'There is no file /nowhere/items.csv.',
    );
    await expect(loadMapping(ORDER_LINES, 'items')).rejects.toThrow(/is a mapping for orders, not for items/);
    await expect(loadMapping(join(import.meta.dirname, 'support/shop.ts'), 'items')).rejects.toThrow(
      /is not a mapping/,
    );
    await expect(loadMapping('/nowhere/mapping.ts', 'items')).rejects.toThrow(/There is no mapping/);
    expect(existsSync('/nowhere')).toBe(false);
  });

  it('a folder in which no reject file can be made, before any row is stored', async () => {
    const file = inputFile('items.csv', `${ITEM_COLUMNS}\n${itemRow('K1')}\n`);
    const run = (rejectFolder: string) => shop.run({ kind: 'items', file, rejectFolder });
    await expect(run('/nowhere')).rejects.toThrow('There is no folder /nowhere for the reject file');
    await expect(run(file)).rejects.toThrow(/There is no folder .*items\.csv for the reject file/);
    const denied = join(file, '..', 'denied');
    mkdirSync(denied, { mode: 0o500 });
    // The user root can write to each folder.
    if (process.getuid!() !== 0) await expect(run(denied)).rejects.toThrow(/cannot be written to .*--rejects/);
    expect(await itemIds()).toEqual([]);
  });
});
