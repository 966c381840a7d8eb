/**
 * Positions of events (docs/decisions/127): given after the commit, so that no reader ever passes an event that was
 * committed late. Whoever wants to read gives them; the row of `event_heads` is locked meanwhile, so there is one sequencer
 * for each client however many processes there are.
 */
import { sql } from 'kysely';
import type { Reader, Store, Writer } from '../platform/storage/db.ts';
import type { Dialect } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';

/** Events placed in one transaction: some milliseconds of a writer that others wait for. */
const BATCH = 500;

const BATCHES_OF_A_WRITE = 20;

const selectUnplaced = statement((db, { clientId }: { clientId: string }) =>
  db.selectFrom('events').select('event_id').where('client_id', '=', clientId).where('position', 'is', null).limit(1),
);

/**
 * Gives a position to every event of a client that is committed now, at most `most` of them and the rest of a batch; returns how
 * many. Positions of a client rise from 1 without a gap, and the events of a resource have them in the order of its changes.
 */
export async function placeEvents(store: Store, clientId: string, most = Number.POSITIVE_INFINITY): Promise<number> {
  const waiting = await store.read((db) => selectUnplaced(db, { clientId }), { single: true });
  if (waiting.length === 0) return 0;
  for (let placed = 0; ; ) {
    const batch = await store.write((tx) => placeBatch(tx, store.dialect, clientId));
    placed += batch;
    // What has been written meanwhile waits: else whoever writes without a pause would have each of his events placed alone.
    if (batch < BATCH || placed >= most) return placed;
  }
}

/** The last position given to an event of the client; 0 when none was. */
export async function headOf(db: Reader, clientId: string): Promise<number> {
  const head = await db
    .selectFrom('event_heads')
    .select('position')
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return head?.position ?? 0;
}

/** How far the feed of the client goes: its last position, and the last one that is no longer kept (0: all are). */
export async function endsOf(db: Reader, clientId: string): Promise<{ head: number; gone: number }> {
  const row = await db
    .selectFrom('event_heads')
    .select(['position as head', 'gone'])
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row ?? { head: 0, gone: 0 };
}

/**
 * Gives positions inside of a write, as far as a few batches go, and answers the last one: what this write does is behind it.
 * Where more waits, events of before are behind it too.
 */
export async function placeFirst(tx: Writer, dialect: Dialect, clientId: string): Promise<number> {
  for (let batches = 0; batches < BATCHES_OF_A_WRITE; batches += 1) {
    if ((await placeBatch(tx, dialect, clientId)) < BATCH) break;
  }
  return headOf(tx, clientId);
}

async function placeBatch(tx: Writer, dialect: Dialect, clientId: string): Promise<number> {
  const head = await lockHead(tx, dialect, clientId);
  const place = await placing(dialect, clientId, head).execute(tx);
  const placed = Number(place.numAffectedRows ?? 0n);
  if (placed === 0) return 0;
  await tx
    .updateTable('event_heads')
    .set({ position: head + placed })
    .where('client_id', '=', clientId)
    .execute();
  return placed;
}

/** From here to the commit nobody else gives positions of this client. */
async function lockHead(tx: Writer, dialect: Dialect, clientId: string): Promise<number> {
  for (;;) {
    const head = await tx
      .selectFrom('event_heads')
      .select('position')
      .where('client_id', '=', clientId)
      .modifyEnd(dialect.forUpdate)
      .executeTakeFirst();
    if (head !== undefined) return head.position;
    await tx
      .insertInto('event_heads')
      .values({ client_id: clientId, position: 0, gone: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** What is read, it reads before it changes anything: of a statement's own changes neither engine sees one. */
function placing(dialect: Dialect, clientId: string, head: number) {
  return sql`
    update events set position = ${head} + placed.step, sequence = placed.sequence
    from (
      select unplaced.event_id, unplaced.step, unplaced.turn + coalesce((
        select max(before.sequence) from events as before
        where before.client_id = ${clientId} and before.resource_type = unplaced.resource_type
          and before.resource_id = unplaced.resource_id and before.sequence is not null
      ), (
        select gone.sequence from event_sequences as gone
        where gone.client_id = ${clientId} and gone.resource_type = unplaced.resource_type
          and gone.resource_id = unplaced.resource_id
      ), 0) as sequence
      from (
        select oldest.event_id, oldest.resource_type, oldest.resource_id,
          row_number() over (order by oldest.written, oldest.next) as step,
          row_number() over (
            partition by oldest.resource_type, oldest.resource_id order by oldest.written, oldest.next
          ) as turn
        from (
          select event_id, resource_type, resource_id, written, ${dialect.writtenNext} as next
          from events where client_id = ${clientId} and position is null
          order by written, ${dialect.writtenNext} limit ${sql.lit(BATCH)}
        ) as oldest
      ) as unplaced
    ) as placed
    where events.client_id = ${clientId} and events.event_id = placed.event_id`;
}
