import { readFileSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { placeEvents } from '../../src/events/place.ts';
import { openStore } from '../../src/platform/storage/db.ts';
import { allOf } from '../../src/service/cli/partitions.ts';
import { makeDatabase } from '../support/postgres.ts';
import { ENGINE } from '../support/store.ts';

const page = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```sql\n([\s\S]*?)^```/gm)].map((match) => match[1]!);
const partitions = blocks.find((block) => block.includes('partition by range'))!;

describe('docs/scale.md', () => {
  it('has the statements that the program prints in December 2026', () => {
    const said = allOf(Date.UTC(2026, 11, 15), { isSharded: false }).map((text) => `${text};\n`);
    expect(partitions).toBe(said.join(''));
  });
});

const postgresOnly = ENGINE === 'postgres' ? describe : describe.skip;

postgresOnly('docs/scale.md, partitions of events by month', () => {
  it('are made by these statements, and events before and behind the bound get their positions', async () => {
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
      // By themselves, as psql runs them: some may not be in a transaction.
      for (const text of partitions.split(/;\n/).filter((one) => one !== '')) await client.query(text);
      // Those of before are used: none was built in the transaction.
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
