import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
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
    for (const update of updates) await sql.raw(update).execute(db);
  });
  const hashes = await town.store.read((db) =>
    db.selectFrom('pack_slips').select('content_hash').where('fulfillment_order_id', 'in', [forgotten, kept]).execute(),
  );
  const all = hashes.map((one) => one.content_hash);
  expect(all).toContain(`slip of ${forgotten}`);
  expect(all).toContain(`hash of ${kept}`);
  expect(all).not.toContain(`hash of ${forgotten}`);
  await town.close();
});
