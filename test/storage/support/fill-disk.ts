/**
 * A process with a limit on the size of its files. It writes until a write fails, then reports the behavior of the
 * store.
 */
import { sql } from 'kysely';
import { openStore } from '../../../src/platform/storage/db.ts';

const store = await openStore(process.argv[2] ?? '');
const name = (error: unknown) => (error instanceof Error ? error.constructor.name : String(error));
await store.write((tx) => sql`create table filler (n integer primary key, text text not null) strict`.execute(tx));

let acknowledged = 0;
let refusal = '';
while (refusal === '' && acknowledged < 10_000) {
  const row = sql`insert into filler (text) values (${'x'.repeat(20_000)})`;
  await store
    .write((tx) => row.execute(tx))
    .then(
      () => acknowledged++,
      (error: unknown) => {
        refusal = name(error);
      },
    );
}
const next = await store
  .write((tx) => sql`insert into filler (text) values ('small')`.execute(tx))
  .then(() => 'written', name);
const ping = await store.ping().then(() => 'fine', name);
const { rows } = await store.read((db) => sql<{ n: number }>`select count(*) as n from filler`.execute(db));
process.send?.({ acknowledged, refusal, next, ping, readable: rows[0]?.n });
process.disconnect();
