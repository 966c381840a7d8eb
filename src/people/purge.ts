/** Deletes the rows of ended sign-ins: sessions, tickets of an outbox, counted attempts (docs/decisions/211). */
import { sql } from 'kysely';
import { lastEndAt } from '../platform/http/sessions.ts';
import type { Reader, Writer } from '../platform/storage/db.ts';
import { HOUR_MS } from '../platform/time.ts';

/**
 * Rows of ended sessions and expired outbox tickets are kept for a day, counts of attempts for a week after the last
 * attempt.
 */
const ENDED_MS = 24 * HOUR_MS;
const ATTEMPTS_MS = 7 * 24 * HOUR_MS;
/**
 * Maximum number of rows that one statement selects for deletion. The number is small, because other writers wait for
 * the transaction.
 */
const BATCH = 1_000;

/**
 * Selects the sessions that began while a clock was ahead by an hour or more. The service rejects them now, but would
 * accept them when the time reaches the time of that clock. If the difference is smaller, the sessions remain, because
 * the clock of this machine may be wrong.
 */
const sessionsAhead = (db: Reader, now: number) =>
  db
    .selectFrom('sessions')
    .select(['client_id', 'token_hash'])
    .where('ends_at', '>', lastEndAt(now + HOUR_MS))
    .orderBy('ends_at')
    .limit(BATCH);

/** Returns the time at which the next row must be deleted; undefined if there are no rows. Runs one statement. */
export async function nextSignInPurge(db: Reader, now: number): Promise<number | undefined> {
  const oldest = await db
    .selectFrom('sessions')
    .select((eb) => [eb.fn.min<number | null>('ends_at').as('at'), eb.lit(ENDED_MS).as('kept')])
    .unionAll(
      db
        .selectFrom('outbox_tickets')
        .select((eb) => [eb.fn.min<number | null>('expires_at').as('at'), eb.lit(ENDED_MS).as('kept')]),
    )
    .unionAll(
      db
        .selectFrom('sign_in_attempts')
        .select((eb) => [eb.fn.min<number | null>('updated_at').as('at'), eb.lit(ATTEMPTS_MS).as('kept')]),
    )
    .unionAll(
      db
        .selectFrom(sessionsAhead(db, now).limit(1).as('ahead'))
        .select((eb) => [sql<number | null>`cast(${now} as bigint)`.as('at'), eb.lit(0).as('kept')]),
    )
    .execute();
  const due = oldest.flatMap(({ at, kept }) => (at === null ? [] : [at + kept]));
  return due.length === 0 ? undefined : Math.min(...due);
}

/** Deletes a batch of each table, the oldest first; returns whether it deleted any rows. */
export async function purgeSignIns(tx: Writer, now: number): Promise<boolean> {
  const ended = await tx
    .selectFrom('sessions')
    .select(['client_id', 'token_hash'])
    .where('ends_at', '<=', now - ENDED_MS)
    .orderBy('ends_at')
    .limit(BATCH)
    .execute();
  const sessions = [...ended, ...(await sessionsAhead(tx, now).execute())];
  for (const { client_id, token_hash } of sessions) {
    await tx.deleteFrom('sessions').where('client_id', '=', client_id).where('token_hash', '=', token_hash).execute();
  }
  const tickets = await tx
    .selectFrom('outbox_tickets')
    .select(['client_id', 'ticket_hash'])
    .where('expires_at', '<=', now - ENDED_MS)
    .orderBy('expires_at')
    .limit(BATCH)
    .execute();
  for (const { client_id, ticket_hash } of tickets) {
    await tx
      .deleteFrom('outbox_tickets')
      .where('client_id', '=', client_id)
      .where('ticket_hash', '=', ticket_hash)
      .execute();
  }
  const attempts = await tx
    .selectFrom('sign_in_attempts')
    .select(['client_id', 'kind', 'subject', 'updated_at'])
    .where('updated_at', '<=', now - ATTEMPTS_MS)
    .orderBy('updated_at')
    .limit(BATCH)
    .execute();
  for (const { client_id, kind, subject, updated_at } of attempts) {
    await tx
      .deleteFrom('sign_in_attempts')
      .where('client_id', '=', client_id)
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      // The condition keeps a row whose count has changed since the row was selected.
      .where('updated_at', '=', updated_at)
      .execute();
  }
  return sessions.length + tickets.length + attempts.length > 0;
}
