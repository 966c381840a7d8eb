import { readFileSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { placeEvents } from '../../src/events/place.ts';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import { tableNames } from '../../src/platform/storage/sums.ts';
import { countRows } from '../../src/service/backup/content.ts';
import { allOf } from '../../src/service/cli/partitions.ts';
import { QUEUE, Requests, WHERE } from '../../town/order-requests.ts';
import { randomOf } from '../../town/random.ts';
import { confirmBody, GENERATE, generateBody, pathOf, ticketIn, UPDATE } from '../../town/tickets.ts';
import { UNIQUE_ACROSS_TENANTS } from '../storage/cross-tenant.ts';
import { makeDatabase } from '../support/postgres.ts';
import { ENGINE } from '../support/store.ts';
import { openTown } from '../support/town.ts';

const NODE_PATH = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
const INTAKE = '/operator/v1/stores/TOWN_US/fulfillmentOrders';
const page = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```sql\n([\s\S]*?)^```/gm)].map((match) => match[1]!);
const partitions = blocks.find((block) => block.includes('partition by range'))!;

describe('docs/scale.md', () => {
  it('has the statements that the program prints in December 2026', () => {
    const said = allOf(Date.UTC(2026, 11, 15), { isSharded: false }).map((text) => `${text};\n`);
    expect(partitions).toBe(said.join(''));
  });
});

describe('docs/scale.md, one order', () => {
  it('has as many rows as intake and picking write', async () => {
    const town = await openTown({ upTo: 'catalog' });
    try {
      const node = (await town.operator('GET', NODE_PATH)).body as object;
      await town.operator('PUT', NODE_PATH, { ...node, stock: 'KEPT' });
      const requests = new Requests({}, 'rows', randomOf(1), town.clock.now);
      const intake = async () => {
        const ids: string[] = [];
        for (let n = 0; n < 10; n += 1) {
          const order = requests.order();
          expect((await town.client.post(INTAKE, order)).status).toBe(201);
          ids.push(String(order['fulfillmentOrderId']));
        }
        return ids;
      };
      const at = pathOf(WHERE);
      const pick = async (ids: readonly string[]) => {
        const made = await town.client.post(at + GENERATE, generateBody(WHERE, QUEUE, ids, 'capacity'));
        const confirmed = await town.client.put(at + UPDATE, confirmBody(WHERE, ticketIn(made.body), 'capacity'));
        expect(confirmed.status, confirmed.text).toBe(204);
      };
      // The first orders also create the rows that all orders share.
      await pick(await intake());
      const before = await rowsOf(town.store);
      const ids = await intake();
      const taken = await rowsOf(town.store);
      await pick(ids);
      const done = await rowsOf(town.store);
      const said = /^\| rows \| ([\d.]+) \([^|]*\) \| ([\d.]+) \([^|]*\) \| ([\d.]+) \|$/m.exec(page)!;
      const each = [taken - before, done - taken, done - before].map((rows) => rows / 10);
      // The tolerance covers rows that many orders share.
      for (const [index, rows] of each.entries()) expect(Math.abs(Number(said[index + 1]) - rows)).toBeLessThan(0.2);
    } finally {
      await town.close();
    }
  });

  it('is the base of the numbers for a day of 5 million orders', () => {
    const cells = (name: string) =>
      [...page.matchAll(new RegExp(`^\\| ${name}[^|]*\\|(.*)\\|$`, 'gm'))].map((line) =>
        line[1]!.split('|').map((cell) => Number.parseFloat(cell.replaceAll(',', ''))),
      );
    const [[, , rows]] = cells('rows') as [number[]];
    const [, perSecond] = cells('rows') as [number[], number[]];
    const [ofOne, ofDay] = cells('write-ahead log') as [number[], number[]];
    const [[, , bytes]] = cells('bytes in tables and indexes') as [number[]];
    const [[stored]] = cells('tables and indexes') as [number[]];
    const day = 5_000_000;
    const about = (value: number, digits = 2) => Number(value.toPrecision(digits));
    expect(perSecond).toEqual([day / 86_400, day / 36_000, day / 12_000].map((orders) => about(orders * rows!, 3)));
    expect(ofDay[0]).toBe(Math.round((ofOne[2]! * day) / 1e9));
    expect(ofDay.slice(1)).toEqual([36_000, 12_000].map((seconds) => about((ofOne[2]! * day) / seconds / 1e6)));
    expect(stored).toBe(Math.round((bytes! * day) / 1e9));
  });
});

describe('docs/scale.md, unique indexes', () => {
  it('has the number and the names of those that do not begin with client_id', () => {
    const names = Object.keys(UNIQUE_ACROSS_TENANTS);
    const count = ['no', 'one', 'two', 'three', 'four', 'five', 'six'][names.length]!;
    expect(page).toContain(
      `${count[0]!.toUpperCase()}${count.slice(1)} unique indexes do not begin with \`client_id\``,
    );
    expect(page).toContain(`Every primary key and every unique index except ${count} begins with \`client_id\``);
    for (const name of names) expect(page).toContain(`\`${name}\``);
  });
});

/**
 * Counts the rows of all tables except blocks of numbers: only PostgreSQL has blocks, and hundreds of orders share a
 * block.
 */
async function rowsOf(store: Store): Promise<number> {
  const names = tableNames().filter((name) => name !== 'counters');
  return Object.values(await countRows(store, names)).reduce((sum, rows) => sum + rows, 0);
}

const postgresOnly = ENGINE === 'postgres' ? describe : describe.skip;

postgresOnly('docs/scale.md, partitions of events by month', () => {
  it('are created by these statements, and events before and after the bound get their positions', async () => {
    const url = await makeDatabase('schema');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const store = await openStore(url);
    try {
      const write = (eventId: string, written: number) =>
        client.query(
          `insert into events (client_id, event_id, at, type, resource_type, resource_id, revision, actor, request_id, data, written)
           values ('A', $1, 1, 'item.changed', 'item', 'x', 1, 'a', 'r', '{}', $2)`,
          [eventId, written],
        );
      await write('01a2ce8b-0000-7000-8000-000000000000', 1);
      // Each statement runs without a transaction, as in psql, because some statements are not allowed in a
      // transaction.
      for (const text of partitions.split(/;\n/).filter((one) => one !== '')) await client.query(text);
      // The command uses the existing indexes and builds no index in its transaction.
      const { rows: indexes } = await client.query(
        `select indexrelid::regclass::text as name from pg_index where indrelid = 'events_before_2027_01'::regclass order by 1`,
      );
      const own = ['items', 'pkey', 'position', 'sequence', 'unplaced'];
      expect(indexes).toEqual(own.map((end) => ({ name: `events_before_2027_01_${end}` })));
      await write('01a2d000-0000-7000-8000-000000000000', 2);
      await write('01b00000-0000-7000-8000-000000000000', 3);
      expect(await placeEvents(store, 'A')).toBe(3);
      const { rows } = await client.query(
        'select position::int, sequence::int, tableoid::regclass::text as part from events order by position',
      );
      expect(rows).toEqual([
        { position: 1, sequence: 1, part: 'events_before_2027_01' },
        { position: 2, sequence: 2, part: 'events_2027_01' },
        { position: 3, sequence: 3, part: 'events_later' },
      ]);
    } finally {
      await client.end();
      await store.close();
    }
  });
});
