/**
 * Sequences of a client. On PostgreSQL, a writer locks the row of a sequence until its commit. `nextNumbers` therefore
 * takes numbers from blocks, which are further rows of `counters`. Each writer locks a different block, so writers do
 * not wait for each other (docs/decisions/092). `nextNumber` uses no blocks: its numbers have no gaps.
 */
import { sql } from 'kysely';
import type { Ctx } from './ctx.ts';
import type { Writer } from './storage/db.ts';
import { change } from './storage/statement.ts';

/** Number of sequence numbers in a block. */
const BLOCK = 100;

/**
 * Returns the next `count` numbers of a client's sequence, ascending; the sequence begins with `first`. On SQLite,
 * which has one writer, they are consecutive. On PostgreSQL they are unique, but a later write can get a lower number
 * if writes have overlapped. Numbers of a rolled-back transaction are given to a later writer.
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
 * Takes up to `count` numbers of the lowest block that no other writer has locked. A block is a row with the name
 * `<sequence>/<last number of the block>`; its value is the last number taken.
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

/**
 * Returns `count` numbers, opens a new block after them and deletes used-up blocks. Concurrent writers wait for each
 * other here.
 */
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

/** In ASCII, `0` follows `/`, so this range has every block of the sequence. */
function blocksOf(name: string) {
  return sql`name > ${`${name}/`} and name < ${`${name}0`}`;
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/**
 * Returns the next number of a client's sequence, for example of tickets. With `count`, takes that many numbers and
 * returns the first of them. Numbers start at `first` and have no gaps, because a rollback also undoes the count.
 */
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
