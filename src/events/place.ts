/**
 * Gives events their positions after the commit (docs/decisions/127), so that no reader skips an event that is
 * committed late. A process gives positions before it reads events; the scheduler gives them too. The process locks
 * the row of `event_heads`, so only one process at a time gives positions to a client's events.
 */
import { sql } from 'kysely';
import type { Reader, Store, Writer } from '../platform/storage/db.ts';
import type { Dialect } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';

/**
 * Maximum number of events that get positions in one transaction. A transaction of this size delays other writers by
 * some milliseconds.
 */
const BATCH = 500;

const BATCHES_OF_A_WRITE = 20;

const selectUnplaced = statement((db, { clientId }: { clientId: string }) =>
  db.selectFrom('events').select('event_id').where('client_id', '=', clientId).where('position', 'is', null).limit(1),
);

/**
 * Gives a position to every committed event of a client; returns the count. The function stops after the batch that
 * reaches `most`. Positions of a client rise from 1 without a gap. Events of a resource get positions in the order of
 * its changes.
 */
export async function placeEvents(store: Store, clientId: string, most = Number.POSITIVE_INFINITY): Promise<number> {
  const waiting = await store.read((db) => selectUnplaced(db, { clientId }), { single: true });
  if (waiting.length === 0) return 0;
  for (let placed = 0; ; ) {
    const batch = await store.write((tx) => placeBatch(tx, store.dialect, clientId));
    placed += batch;
    // Stops after the first batch that is not full; events committed meanwhile get their positions later. If the loop
    // continued, a writer that never pauses would cause a batch for each single event.
    if (batch < BATCH || placed >= most) return placed;
  }
}

/** The last position of the client; 0 if no event has a position yet. */
export async function headOf(db: Reader, clientId: string): Promise<number> {
  return (await endsOf(db, clientId)).head;
}

interface Ends {
  /** The last position of the feed; 0 if no event has a position yet. */
  head: number;
  /** The last position whose event is no longer kept; 0 if all events are kept. */
  gone: number;
}

const NO_EVENTS: Ends = { head: 0, gone: 0 };

function selectEnds(db: Reader, clientId: string) {
  return db.selectFrom('event_heads').select(['position as head', 'gone']).where('client_id', '=', clientId);
}

/** Returns the ends of a client's feed. */
export async function endsOf(db: Reader, clientId: string): Promise<Ends> {
  return (await selectEnds(db, clientId).executeTakeFirst()) ?? NO_EVENTS;
}

/**
 * Returns the same as `endsOf`, and locks the row until the commit. Until then, the retention deletes no event of the
 * client; after that, it sees the deliveries that this write has queued.
 */
export async function lockEnds(tx: Writer, dialect: Dialect, clientId: string): Promise<Ends> {
  return (await selectEnds(tx, clientId).modifyEnd(dialect.forUpdate).executeTakeFirst()) ?? NO_EVENTS;
}

/**
 * Gives positions to the events that were committed before this write, in a limited number of batches, and returns the
 * last position. Events that do not fit into the batches, and the events of this write, get later positions.
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

/** Locks the positions of this client until the commit. */
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

/**
 * The subqueries read the rows as they were before the update: on both engines, a statement does not see its own
 * changes.
 */
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
