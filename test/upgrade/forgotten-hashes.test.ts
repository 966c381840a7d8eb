import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { readMigrations } from '../../src/platform/storage/migrate.ts';
import { openFlow } from '../orders/flow.ts';

it('migration 42 replaces the hashes of orders that were anonymized before, and keeps those of others', async () => {
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
  const { text } = readMigrations().find(({ number }) => number === 42)!;
  const updates = text
    .replace(/--.*$/gm, '')
    .split(';')
    .filter((statement) => statement.trim().startsWith('update'));
  expect(updates).toHaveLength(2);
  await town.store.write(async (db) => {
    await db
      .insertInto('pack_slips')
      .values([row(forgotten), row(kept)])
      .execute();
    await db
      .updateTable('fulfillment_orders')
      .set({ blanked_at: 1 })
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
