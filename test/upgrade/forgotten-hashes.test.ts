import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { FORGOTTEN_REASON } from '../../src/kernel/returns/draft.ts';
import type { Reader } from '../../src/platform/storage/db.ts';
import { readMigrations } from '../../src/platform/storage/migrate.ts';
import { openFlow } from '../orders/flow.ts';

const { text } = readMigrations().find(({ number }) => number === 42)!;
const page = readFileSync('docs/how-to/upgrade.md', 'utf8');
const updatesOf = (statements: string) =>
  statements
    .replace(/--.*$/gm, '')
    .split(';')
    .filter((statement) => statement.trim().startsWith('update'));

it.each([
  ['migration 42 replaces', updatesOf(text), 2],
  ['the statements of the page about upgrades replace', updatesOf(/^```sql\n(.*?)^```/ms.exec(page)![1]!), 3],
])('%s the hashes of orders that were anonymized before, and keep those of others', async (_what, updates, count) => {
  expect(updates).toHaveLength(count);
  const town = await openFlow();
  const forgotten = await town.orderIn('SHIP_TO_HOME', 3700);
  const kept = await town.orderIn('SHIP_TO_HOME', 3700);
  const row = (id: string) => ({
    client_id: 'TOWN',
    fulfillment_order_id: id,
    content_hash: `hash of ${id}`,
    pack_slip_id: `slip of ${id}`,
    modify_associate_id: 'ana',
    created_at: 1,
  });
  const lateReturn = async (db: Reader, id: string, blankedAt: number | null, orderId: string) => {
    await sql`insert into returns (client_id, store_id, return_id, number, kind, status, revision, override_reason,
      blanked_at, exchanges, created_at, created_by) values ('TOWN', 'TOWN_US', ${id}, ${id}, 'IN_STORE', 'CLOSED', 1,
      'Was ill', ${blankedAt}, '[]', 1, 'user:lea')`.execute(db);
    await sql`insert into return_lines (client_id, return_id, position, fulfillment_order_id, line_index, item_id,
      requested) values ('TOWN', ${id}, 1, ${orderId}, 0, '21-LAMP-BRS', 1)`.execute(db);
  };
  await town.store.write(async (db) => {
    await db
      .insertInto('pack_slips')
      .values([row(forgotten), row(kept)])
      .execute();
    await db
      .updateTable('fulfillment_orders')
      .set({ blanked_at: 1, due_at: null })
      .where('fulfillment_order_id', '=', forgotten)
      .execute();
    await lateReturn(db, 'before', 1, forgotten);
    await lateReturn(db, 'after', null, forgotten);
    await lateReturn(db, 'kept', null, kept);
    for (const update of updates) await sql.raw(update).execute(db);
  });
  const hashes = await town.store.read((db) =>
    db.selectFrom('pack_slips').select('content_hash').where('fulfillment_order_id', 'in', [forgotten, kept]).execute(),
  );
  const all = hashes.map((one) => one.content_hash);
  expect(all).toContain(`slip of ${forgotten}`);
  expect(all).toContain(`hash of ${kept}`);
  expect(all).not.toContain(`hash of ${forgotten}`);
  // The third statement lets the service remove the reasons of late returns.
  await town.server.runDue();
  const withReason = await town.store.read((db) =>
    db.selectFrom('returns').select('return_id').where('override_reason', '<>', FORGOTTEN_REASON).execute(),
  );
  expect(withReason.map((one) => one.return_id).toSorted()).toEqual(
    count === 3 ? ['kept'] : ['after', 'before', 'kept'],
  );
  await town.close();
});

it('the page about upgrades names these statements for an upgrade of either kind', () => {
  const kinds = /^## Rolling or stop$(.*?)^## /ms.exec(page)![1];
  expect(kinds).toContain('](#forgotten-customers-of-050)');
});
