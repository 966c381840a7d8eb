/**
 * Numbers of a client's sequences for those who write at the same time. On PostgreSQL the row of a sequence would be held
 * from the number to the commit, so writers take from blocks: rows of `counters` beside it, each held by one writer at a
 * time, none waited for (docs/decisions/092).
 */
import { sql } from 'kysely';
import type { Ctx } from './ctx.ts';
import type { Writer } from './storage/db.ts';
import { change } from './storage/statement.ts';

/** Numbers of a block. */
const BLOCK = 100;

/**
 * The next `count` numbers of a client's sequence, ascending; the first ever is `first`. On SQLite, which has one writer, they
 * follow each other. On PostgreSQL they are those that no other transaction holds: unique and without holes but those of
 * voided work, in the order of the writes as long as these come one after another.
 */
export async function nextNumbers(
  ctx: Pick<Ctx, 'db' | 'dialect'>,
  clientId: string,
  name: string,
  first: number,
  count: number,
): Promise<number[]> {
  if (ctx.dialect.engine === 'sqlite') return range(await nextNumber(ctx.db, clientId, name, first, count), count);
  const taken = await takeFromBlock(ctx.db, clientId, name, count);
  if (taken.length === count) return taken;
  return [...taken, ...(await openBlock(ctx.db, clientId, name, first, count - taken.length))];
}

/**
 * Up to `count` numbers of the lowest block that nobody else holds. A block is a row `<name>/<its last number>`; its value is the
 * last number taken.
 */
async function takeFromBlock(tx: Writer, clientId: string, name: string, count: number): Promise<number[]> {
  const { rows } = await sql<{ before: number; after: number }>`
    with block as materialized (
      select name, value, cast(split_part(name, '/', 2) as bigint) as last from counters
      where client_id = ${clientId} and ${blocksOf(name)} and value < cast(split_part(name, '/', 2) as bigint)
      order by value limit 1 for update skip locked
    )
    update counters set value = least(counters.value + ${count}, block.last) from block
    where counters.client_id = ${clientId} and counters.name = block.name
    returning block.value as before, counters.value as after`.execute(tx);
  return rows.flatMap(({ before, after }) => range(before + 1, after - before));
}

/** `count` numbers and a new block behind them; blocks that are used up go. Here writers wait for each other, seldom. */
async function openBlock(tx: Writer, clientId: string, name: string, first: number, count: number): Promise<number[]> {
  const start = await nextNumber(tx, clientId, name, first, count + BLOCK);
  const last = start + count + BLOCK - 1;
  await sql`
    delete from counters
    where client_id = ${clientId} and ${blocksOf(name)} and value = cast(split_part(name, '/', 2) as bigint)`.execute(
    tx,
  );
  await tx
    .insertInto('counters')
    .values({ client_id: clientId, name: `${name}/${last}`, value: last - BLOCK })
    .execute();
  return range(start, count);
}

/** `0` is the character behind `/`. */
function blocksOf(name: string) {
  return sql`name > ${`${name}/`} and name < ${`${name}0`}`;
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/** The next number of a client's sequence: tickets, slips, orders. Numbers start at `first` and have no holes but those of voided work. */
export async function nextNumber(
  tx: Writer,
  clientId: string,
  name: string,
  first: number,
  count = 1,
): Promise<number> {
  const { rows } = await raiseCounter(tx, { clientId, name, value: first + count - 1, count });
  return rows[0]!.value - count + 1;
}

const raiseCounter = change(
  (db, { clientId, name, value, count }: { clientId: string; name: string; value: number; count: number }) =>
    db
      .insertInto('counters')
      .values({ client_id: clientId, name, value })
      .onConflict((conflict) =>
        conflict.columns(['client_id', 'name']).doUpdateSet((eb) => ({ value: eb('counters.value', '+', count) })),
      )
      .returning('value'),
);
