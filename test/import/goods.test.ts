/** Imports of shipments and of opening stock from files. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { examine } from '../../src/service/cli/doctor.ts';
import { exportLines } from '../../src/service/import/export.ts';
import { testProgram } from '../../town/test-program.ts';
import { inputFile, item, node, openShop, type Shop } from './support/shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
  await open(shop);
});
afterEach(() => shop.backroom.close());

async function open({ backroom, run }: Shop): Promise<void> {
  const operator = '/operator/v1/clients/SHOP/nodes';
  await backroom.operator('PUT', `${operator}/N1`, { ...node('N1'), receivingWarehouseId: 'WH1', stock: 'KEPT' });
  await backroom.operator('PUT', `${operator}/N2`, { ...node('N2'), receivingWarehouseId: 'WH2', stock: 'KEPT' });
  await backroom.operator('PUT', `${operator}/N3`, node('N3'));
  const items = ['P', 'Q', 'R'].map((code) => JSON.stringify(item(code)));
  await run({ kind: 'items', file: inputFile('items.ndjson', items.join('\n')) });
}

/** Imports a file by many runs: the test stops each run after one batch, and the next run continues. */
async function inPieces(options: Parameters<Shop['run']>[0]) {
  for (;;) {
    const stop = new AbortController();
    const one = await shop.run({ batchRows: 1, ...options, signal: stop.signal, onProgress: () => stop.abort() });
    if (one.finished) return one;
  }
}

const rejects = (file: string | undefined) => readFileSync(file!, 'utf8').trim().split('\n');

const COLUMNS =
  'asnNumber,shipmentNumber,receivingWarehouseId,shipmentReceiptDate,shipperName,storeCode,cartonId,clientItemId,itemCost,lineNumber,shippedQuantity,trailerNumber,detailExtendedAttributes.PONumber';
const asn = (number: string, carton: string, code: string, quantity: number | string, more: object = {}) => {
  const { warehouse = 'WH1', order = '', shipper = 'Vendor' } = more as Record<string, string>;
  return `${number},,${warehouse},2026-03-02,${shipper},W,${carton},${code},1.50,7,${quantity},T1,${order}`;
};
const po = (number: string, code: string, quantity: number) =>
  `,${number},WH1,2026-03-02,Vendor,W,,${code},1.50,,${quantity},T1,`;

async function shipments(): Promise<string[]> {
  const rows = await shop.backroom.store.read((db) =>
    db.selectFrom('inbound_shipments').selectAll().orderBy('type').orderBy('number').execute(),
  );
  return rows.map(
    (row) => `${row.type} ${row.number} ${row.node_id} ${row.total_lines} ${row.total_units} ${row.cartons}`,
  );
}

async function events(type: string): Promise<number> {
  const rows = await shop.backroom.store.read((db) =>
    db.selectFrom('events').select('event_id').where('type', '=', type).execute(),
  );
  return rows.length;
}

describe('import of shipments', () => {
  const content = [
    COLUMNS,
    asn('A1', 'C1', 'P', 4, { order: 'PO1' }),
    asn('A1', 'C1', 'Q', 2),
    asn('A1', 'C2', 'P', 6),
    po('PO1', 'P', 10),
    po('PO1', 'R', 1),
    asn('A2', 'C3', 'R', 5, { warehouse: 'WH2' }),
    '',
  ].join('\n');

  it('announces the ASNs and POs of CSV with a row for each line, once each', async () => {
    const file = inputFile('asn.csv', content);
    const summary = await shop.run({ kind: 'inbound', file });
    expect(summary).toMatchObject({ rowsRead: 6, rowsImported: 6, rowsRefused: {} });
    const expected = ['ASN A1 N1 3 12 2', 'ASN A2 N2 1 5 1', 'PO PO1 N1 2 11 0'];
    expect(await shipments()).toEqual(expected);
    expect(await events('inbound.transmitted')).toBe(3);
    const { body } = await shop.backroom.operator('GET', '/operator/v1/clients/SHOP/nodes/N1/inbound/ASN/A1');
    expect(body).toMatchObject({ state: 'EXPECTED', cartons: [{ cartonId: 'C1' }, { cartonId: 'C2' }] });
    const order = await shop.backroom.operator('GET', '/operator/v1/clients/SHOP/nodes/N1/inbound/PO/PO1');
    expect(order.body).toMatchObject({ orders: [{ itemId: 'A-P', ordered: 10, announced: 4 }, { itemId: 'A-R' }] });
    expect(await shop.run({ kind: 'inbound', file, again: true })).toMatchObject({ rowsImported: 6, rowsRefused: {} });
    expect(await shipments()).toEqual(expected);
    expect(await events('inbound.transmitted')).toBe(3);
  });

  it('goes on behind the shipment at which it was stopped', async () => {
    const one = await inPieces({ kind: 'inbound', file: inputFile('asn.csv', content) });
    expect(one).toMatchObject({ rowsRead: 6, rowsImported: 6, resumed: true });
    expect(await shipments()).toEqual(['ASN A1 N1 3 12 2', 'ASN A2 N2 1 5 1', 'PO PO1 N1 2 11 0']);
    expect(await events('inbound.transmitted')).toBe(3);
  });

  it('takes a shipment as a whole or not at all, and says of every row why', async () => {
    const rows = [
      asn('A1', 'C1', 'P', 4),
      asn('A1', 'C1', 'NONE', 0, { warehouse: 'WH9' }),
      asn('A2', 'C2', 'P', 1),
      asn('A2', 'C3', 'P', 1, { shipper: 'Another' }),
      asn('A3', 'C4', 'P', 1),
      'A3,too,few',
      asn('A3', 'C4', 'Q', 1),
      asn('A4', 'C5', 'P', 1, { warehouse: 'WH9' }),
      asn('A5', 'C6', 'P', 1),
      asn('A6', 'C7', 'P', 1),
      asn('A5', 'C8', 'P', 1),
      asn('A9', 'C10', 'P', 1),
      'A7,too,few',
      asn('A7', 'C9', 'P', 1),
      asn('A8', 'C9', 'NONE', 1),
    ];
    const one = await inPieces({ kind: 'inbound', file: inputFile('asn.csv', [COLUMNS, ...rows, ''].join('\n')) });
    expect(await shipments()).toEqual(['ASN A5 N1 1 1 1', 'ASN A6 N1 1 1 1']);
    expect(one.rowsRefused).toEqual({
      SHIPMENT: 6,
      HEADER_MISMATCH: 2,
      COLUMN_COUNT: 2,
      UNKNOWN_WAREHOUSE: 1,
      UNKNOWN_ITEM: 1,
      CONFLICT: 1,
    });
    const [, ...lines] = rejects(one.rejectFile);
    expect(lines).toHaveLength(13);
    expect(lines[0]).toContain('another row of it is rejected (row 2)');
    for (const code of ['HEADER_MISMATCH', 'MINIMUM', "'shippedQuantity'"]) expect(lines[1]).toContain(code);
    expect(lines[1]).not.toContain('/lines');
    expect(lines[8]).toContain('CONFLICT');
    const mended = [COLUMNS, ...lines.map((line) => line.split(',').slice(0, 13).join(','))].join('\n');
    const fixed = mended
      .replace('A1,,WH9', 'A1,,WH1')
      .replace(',NONE,1.50,7,0,', ',Q,1.50,7,2,')
      .replace('Another', 'Vendor')
      .replaceAll('NONE', 'Q')
      .replace('A4,,WH9', 'A4,,WH2')
      .split('\n')
      .filter((line) => !line.includes('too,few') && !line.startsWith('A5'));
    const again = await shop.run({ kind: 'inbound', file: inputFile('fixed.csv', `${fixed.join('\n')}\n`) });
    expect(again.rowsRefused).toEqual({});
    expect(await shipments()).toHaveLength(9);
  });

  it('rejects a shipment as a whole if a mapping rejects one of its rows', async () => {
    const mapping = {
      kind: 'inbound' as const,
      group: (row: unknown) => (row as Record<string, string>).ASN!,
      refuse: (row: unknown) =>
        Number((row as Record<string, string>).QTY) > 0 ? [] : [{ code: 'QTY', message: 'no number' }],
      build: (rows: readonly unknown[]) => {
        const lines = rows as Record<string, string>[];
        const header = {
          asnNumber: lines[0]!.ASN,
          receivingType: 'A',
          receivingWarehouseId: 'WH1',
          shipmentReceiptDate: '2026-03-02',
          shipperName: 'Vendor',
          storeCode: 'W',
        };
        const detail = lines.map(({ ASN, SKU, QTY }) => ({
          asnNumber: ASN,
          cartonId: 'C1',
          clientItemId: SKU,
          itemCost: 1.5,
          receivingWarehouseId: 'WH1',
          shippedQuantity: Number(QTY),
          trailerNumber: 'T1',
        }));
        return { asnData: [{ header, details: { detail } }] };
      },
    };
    const run = (content: string) =>
      shop.run({ kind: 'inbound', file: inputFile('asn.csv', content), mapping: { mapping, hash: 'asn' } });
    const first = await run('ASN,SKU,QTY\nA1,P,3\nA1,Q,1O\nA1,R,2\nA2,P,4\n');
    expect(first).toMatchObject({ rowsRead: 4, rowsImported: 1, rowsRefused: { QTY: 1, SHIPMENT: 2 } });
    expect(await shipments()).toEqual(['ASN A2 N1 1 4 1']);
    const fixed = readFileSync(first.rejectFile!, 'utf8').replace('1O', '10');
    expect(await run(fixed)).toMatchObject({ rowsRead: 3, rowsImported: 3, rowsRefused: {} });
    expect(await shipments()).toEqual(['ASN A1 N1 3 15 1', 'ASN A2 N1 1 4 1']);
  });

  it('takes messages as they are transmitted from NDJSON, with the seller beside them', async () => {
    const message = (number: string, more: object = {}) => ({
      asnData: [
        {
          header: {
            asnNumber: number,
            receivingType: 'A',
            receivingWarehouseId: 'WH1',
            shipmentReceiptDate: '2026-03-02',
            shipperName: 'Vendor',
            storeCode: 'W',
          },
          details: {
            detail: [
              {
                asnNumber: number,
                cartonId: 'C1',
                clientItemId: 'P',
                itemCost: 1.5,
                receivingWarehouseId: 'WH1',
                shippedQuantity: 3,
                trailerNumber: 'T1',
                ...more,
              },
            ],
          },
        },
      ],
    });
    const rows = [
      message('A1'),
      { sellerId: 'SHOP', ...message('A2') },
      { sellerId: 'NOBODY', ...message('A3') },
      { ReceivingDetail: { ASNData: message('A4').asnData } },
      message('A5', { shippedQuantity: 0, clientItemId: 'NONE', colour: 'red' }),
      { asnData: [], poData: [] },
      17,
    ].map((row) => JSON.stringify(row));
    const file = inputFile('asn.ndjson', `${rows.join('\n')}\n{"asnData":\n`);
    const one = await shop.run({ kind: 'inbound', file });
    expect(await shipments()).toEqual(['ASN A1 N1 1 3 1', 'ASN A2 N1 1 3 1', 'ASN A4 N1 1 3 1']);
    expect(one).toMatchObject({ rowsRead: 8, rowsImported: 3 });
    const lines = rejects(one.rejectFile).map((line) => JSON.parse(line) as { reject_reasons: string[] });
    expect(lines.map((line) => line.reject_reasons.map((reason) => reason.split(':')[0]))).toEqual([
      ['UNKNOWN_SELLER'],
      expect.arrayContaining(['MINIMUM', 'UNKNOWN', 'UNKNOWN_ITEM']),
      expect.anything(),
      expect.anything(),
      ['UNREADABLE'],
    ]);
    const again = await openShop();
    try {
      await open(again);
      const text: string[] = [];
      for await (const line of exportLines(shop.backroom.store, 'inbound', 'SHOP')) text.push(`${line}\n`);
      const moved = await again.run({ kind: 'inbound', file: inputFile('again.ndjson', text.join('')) });
      expect(moved).toMatchObject({ rowsRead: 3, rowsImported: 3 });
      const copy: string[] = [];
      for await (const line of exportLines(again.backroom.store, 'inbound', 'SHOP')) copy.push(`${line}\n`);
      expect(copy).toEqual(text);
    } finally {
      await again.backroom.close();
    }
  });

  it('takes attributes whose names are numbers or have dots, and no column twice', async () => {
    const names = ['1', 'PO.Number', 'PONumber'].map((name) => `detailExtendedAttributes.${name}`);
    const columns = COLUMNS.replace('detailExtendedAttributes.PONumber', names.join(','));
    const file = inputFile('asn.csv', `${columns}\n${asn('A1', 'C1', 'P', 4, { order: 'x,y,PO1' })}\n`);
    expect(await shop.run({ kind: 'inbound', file })).toMatchObject({ rowsImported: 1, rowsRefused: {} });
    const text: string[] = [];
    for await (const line of exportLines(shop.backroom.store, 'inbound', 'SHOP')) text.push(line);
    expect(JSON.parse(text[0]!)).toMatchObject({
      asnData: [
        {
          details: {
            detail: [
              {
                detailExtendedAttributes: {
                  extendedAttributes: [
                    { name: '1', value: 'x' },
                    { name: 'PO.Number', value: 'y' },
                    { name: 'PONumber', value: 'PO1' },
                  ],
                },
              },
            ],
          },
        },
      ],
    });
    const twice = inputFile('asn.csv', `${COLUMNS},ClientItemID\n${asn('A2', 'C2', 'P', 4)},Q\n`);
    await expect(shop.run({ kind: 'inbound', file: twice })).rejects.toThrow(
      'The columns clientItemId and ClientItemID are the same field; remove one of them.',
    );
  });

  it('rejects a carton whose number a spreadsheet has shortened', async () => {
    const rows = [asn('A1', '1.23E+17', 'P', 3), asn('A2', '000123456789012343', 'P', 3)];
    const file = inputFile('asn.csv', [COLUMNS, ...rows].join('\n'));
    const done = await shop.run({ kind: 'inbound', file });
    expect(rejects(done.rejectFile)[1]).toContain(
      'a spreadsheet has shortened the number to 1.23E+17; format the column as text',
    );
    expect(await shipments()).toEqual(['ASN A2 N1 1 3 1']);
  });

  it('exports shipments that change during the export as they were sent, and none that was deleted', async () => {
    const rows = ['A1', 'A2', 'A3'].map((number) => asn(number, `C-${number}`, 'P', 3));
    await shop.run({ kind: 'inbound', file: inputFile('asn.csv', [COLUMNS, ...rows].join('\n')) });
    const exporting = exportLines(shop.backroom.store, 'inbound', 'SHOP');
    await exporting.next();
    const path = '/operator/v1/clients/SHOP/inbound/ASN';
    const { message } = (await shop.backroom.operator('GET', `${path}/A2`)).body;
    const [sent] = message.asnData;
    sent.header.shipmentReceiptDate = '2026-03-05';
    sent.details.detail[0].shippedQuantity = 8;
    const put = await shop.backroom.operator('PUT', `${path}/A2`, message);
    expect(put.status, put.text).toBe(200);
    expect((await shop.backroom.operator('DELETE', `${path}/A3`)).status).toBe(204);
    const rest: string[] = [];
    for await (const line of exporting) rest.push(line);
    const { message: now } = (await shop.backroom.operator('GET', `${path}/A2`)).body;
    expect(rest.map((line) => JSON.parse(line))).toEqual([{ sellerId: 'SHOP', ...now }]);
  });
});

describe('import of opening stock', () => {
  const content =
    'nodeId,itemId,place,quantity\nN1,A-P,,10\nN1,A-P,DAMAGED,2\nN2,A-P,SHELF,5\nN1,A-Q,STAGE,3\nN2,A-Q,,0\n';

  async function levels(): Promise<string[]> {
    const rows = await shop.backroom.store.read((db) =>
      db.selectFrom('stock_levels').selectAll().orderBy('node_id').orderBy('item_id').execute(),
    );
    return rows.map((row) => `${row.node_id} ${row.item_id} ${row.shelf} ${row.staged} ${row.damaged} ${row.loose}`);
  }

  async function moves(): Promise<string[]> {
    const rows = await shop.backroom.store.read((db) =>
      db.selectFrom('stock_moves').selectAll().orderBy('node_id').orderBy('item_id').orderBy('revision').execute(),
    );
    return rows.map((row) => `${row.node_id} ${row.item_id} ${row.from_spot} ${row.to_spot} ${row.quantity}`);
  }

  const opened = ['N1 A-P 10 0 2 0', 'N1 A-Q 0 3 0 3', 'N2 A-P 5 0 0 0', 'N2 A-Q 0 0 0 0'];

  it('posts the opening of each item place once, however often it runs and whatever moved since', async () => {
    const file = inputFile('stock.csv', content);
    expect(await inPieces({ kind: 'stock', file })).toMatchObject({ rowsRead: 5, rowsImported: 5, rowsRefused: {} });
    expect(await levels()).toEqual(opened);
    const posted = [
      'N1 A-P OPENING SHELF 10',
      'N1 A-P OPENING DAMAGED 2',
      'N1 A-Q OPENING STAGE 3',
      'N2 A-P OPENING SHELF 5',
    ];
    expect(await moves()).toEqual(posted);
    expect(await events('stock.changed')).toBe(4);
    const path = '/operator/v1/clients/SHOP/nodes/N1/stock';
    const body = { userId: 'u', lines: [{ itemId: 'A-P', from: 'SHELF', to: 'COUNT', quantity: 4, reason: 'lost' }] };
    expect((await shop.backroom.operator('POST', `${path}/moves`, { moveId: 'm1', ...body })).status).toBe(201);
    expect(await shop.run({ kind: 'stock', file, again: true })).toMatchObject({ rowsImported: 5, rowsRefused: {} });
    const twice = inputFile('twice.csv', `${content}N1,A-P,,10\nN1,A-P,,11\n`);
    expect(await shop.run({ kind: 'stock', file: twice })).toMatchObject({
      rowsImported: 6,
      rowsRefused: { CONFLICT: 1 },
    });
    expect((await levels())[0]).toBe('N1 A-P 6 0 2 0');
    expect(await moves()).toEqual([...posted.slice(0, 2), 'N1 A-P SHELF COUNT 4', ...posted.slice(2)]);
    const page = await shop.backroom.operator('GET', `${path}?itemId=A-P`);
    expect(page.body).toMatchObject({ stock: [{ shelf: 6, damaged: 2, revision: 3 }] });
    const config = loadConfig({ DATABASE_URL: shop.backroom.store.url, BACKROOM_SECRET: 'ab'.repeat(32) });
    const found = await examine(config, 0);
    expect(found.filter(({ check, ok }) => !ok && check.includes('stock'))).toEqual([]);
  });

  it('resumes where a killed process stopped', async () => {
    const rows = Array.from({ length: 6000 }, (_, n) => `N${1 + (n % 2)},A-P,${n < 2 ? 'SHELF' : 'ROOF'},${n}`);
    const file = inputFile('stock.csv', `nodeId,itemId,place,quantity\n${rows.join('\n')}\n`);
    const program = testProgram();
    const env = {
      PATH: process.env.PATH,
      ...program.env,
      DATABASE_URL: shop.backroom.store.url,
      LOG_LEVEL: 'silent',
      BACKROOM_SECRET: 'ab'.repeat(32),
    };
    const args = [program.main, 'import', 'stock', file, '--client', 'SHOP', '--batch-rows', '1'];
    const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
    const ended = new Promise((done) => child.on('close', done));
    const read = () =>
      shop.backroom.store.read((db) =>
        db.selectFrom('imports').select('rows_read').where('kind', '=', 'stock').executeTakeFirst(),
      );
    while (child.exitCode === null && ((await read())?.rows_read ?? 0) < 2) await sleep(5);
    child.kill('SIGKILL');
    await ended;
    expect((await read())!.rows_read).toBeLessThan(6000);
    const summary = await shop.run({ kind: 'stock', file });
    expect(summary).toMatchObject({ rowsRead: 6000, rowsImported: 2, rowsRefused: { ENUM: 5998 }, resumed: true });
    expect(rejects(summary.rejectFile)).toHaveLength(5999);
    expect(await levels()).toEqual(['N1 A-P 0 0 0 0', 'N2 A-P 1 0 0 0']);
  });

  it('says of every row all that is wrong with it, and takes the others', async () => {
    const counted = { countId: 'c1', userId: 'u', lines: [{ itemId: 'A-R', counted: 7, revision: 0 }] };
    expect((await shop.backroom.operator('POST', '/operator/v1/clients/SHOP/nodes/N1/counts', counted)).status).toBe(
      201,
    );
    const rows = [
      { nodeId: 'N1', itemId: 'A-P', quantity: 10 },
      { nodeId: 'N9', itemId: 'A-X', place: 'ROOF', quantity: -1, colour: 'red' },
      { nodeId: 'N3', itemId: 'A-P', quantity: 1 },
      { nodeId: 'N1', itemId: 'A-R', quantity: 7 },
      { nodeId: 'N1', itemId: 'A-P', quantity: 11 },
      { nodeId: 'N1', itemId: 'A-Q', quantity: 1.5 },
      { itemId: 'A-Q', quantity: 'many' },
      { nodeId: 'N2', itemId: 'A-Q', place: 'HELD', quantity: 4 },
    ].map((row) => JSON.stringify(row));
    const summary = await shop.run({ kind: 'stock', file: inputFile('stock.ndjson', `${rows.join('\n')}\n{"a\n`) });
    expect(summary).toMatchObject({ rowsRead: 9, rowsImported: 2 });
    const codes = rejects(summary.rejectFile)
      .map((line) => (JSON.parse(line) as { reject_reasons: string[] }).reject_reasons)
      .map((reasons) => reasons.map((reason) => reason.split(':')[0]!).toSorted());
    expect(codes).toEqual([
      ['ENUM', 'MINIMUM', 'UNKNOWN', 'UNKNOWN_ITEM', 'UNKNOWN_NODE'],
      ['NOT_KEPT'],
      ['COUNTED'],
      ['CONFLICT'],
      expect.any(Array),
      ['REQUIRED', 'TYPE'],
      ['UNREADABLE'],
    ]);
    expect(await levels()).toEqual(['N1 A-P 10 0 0 0', 'N1 A-R 7 0 0 0', 'N2 A-Q 0 0 0 0']);
  });

  it('sets what goods that came before the file is imported left there, and begins again where the node does', async () => {
    const path = '/operator/v1/clients/SHOP/nodes/N1';
    const found = { itemId: 'A-P', from: 'COUNT', to: 'SHELF', quantity: 12, reason: 'found' };
    await shop.backroom.operator('POST', `${path}/stock/moves`, { moveId: 'm1', userId: 'u', lines: [found] });
    const file = inputFile('stock.csv', content);
    await shop.run({ kind: 'stock', file });
    expect(await levels()).toEqual(opened);
    expect((await moves()).slice(0, 3)).toEqual([
      'N1 A-P COUNT SHELF 12',
      'N1 A-P SHELF OPENING 2',
      'N1 A-P OPENING DAMAGED 2',
    ]);
    for (const stock of ['NOT_KEPT', 'KEPT']) {
      await shop.backroom.operator('PUT', path, { ...node('N1'), receivingWarehouseId: 'WH1', stock });
    }
    expect((await levels()).slice(0, 2)).toEqual(['N1 A-P 0 0 0 0', 'N1 A-Q 0 0 0 0']);
    expect(await shop.run({ kind: 'stock', file, again: true })).toMatchObject({ rowsImported: 5, rowsRefused: {} });
    expect(await levels()).toEqual(opened);
  });

  it('is what an export of stock writes', async () => {
    await shop.run({ kind: 'stock', file: inputFile('stock.csv', content) });
    const text: string[] = [];
    for await (const line of exportLines(shop.backroom.store, 'stock', 'SHOP')) text.push(line);
    expect(text.map((line) => JSON.parse(line) as unknown)).toEqual([
      { nodeId: 'N1', itemId: 'A-P', place: 'SHELF', quantity: 10 },
      { nodeId: 'N1', itemId: 'A-P', place: 'DAMAGED', quantity: 2 },
      { nodeId: 'N1', itemId: 'A-Q', place: 'STAGE', quantity: 3 },
      { nodeId: 'N2', itemId: 'A-P', place: 'SHELF', quantity: 5 },
      { nodeId: 'N2', itemId: 'A-Q', place: 'SHELF', quantity: 0 },
    ]);
  });
});
