/** Ends the sessions and locks of users, and removes the passkeys of deleted users. */
import type { Writer } from '../platform/storage/db.ts';

/**
 * Ends all sessions of a user and the tickets of queued work; returns the number of ended sessions. With `exceptHash`,
 * the session with this token hash and all tickets remain.
 */
export async function endSessions(tx: Writer, clientId: string, userId: string, exceptHash?: string): Promise<number> {
  if (exceptHash === undefined) {
    await tx.deleteFrom('outbox_tickets').where('client_id', '=', clientId).where('user_id', '=', userId).execute();
  }
  const all = tx.deleteFrom('sessions').where('client_id', '=', clientId).where('user_id', '=', userId);
  const { numDeletedRows } = await (exceptHash === undefined
    ? all
    : all.where('token_hash', '<>', exceptHash)
  ).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/**
 * Ends the sessions of a user that began with a one-time PIN and in which the user has not chosen a PIN. Also removes
 * their tickets of queued work. The session with the token hash `exceptHash` remains.
 */
export async function endUnchosen(tx: Writer, clientId: string, userId: string, exceptHash = ''): Promise<void> {
  const ended = await tx
    .deleteFrom('sessions')
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .where('must_change_pin', '=', 1)
    .where('token_hash', '<>', exceptHash)
    .returning('session_id')
    .execute();
  for (const { session_id } of ended) {
    await tx
      .deleteFrom('outbox_tickets')
      .where('client_id', '=', clientId)
      .where('user_id', '=', userId)
      .where('session_id', '=', session_id)
      .execute();
  }
}

/** Ends the locks of a user's password on all addresses. Call it after the password was replaced. */
export async function forgetWrongPasswords(tx: Writer, clientId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('sign_in_attempts')
    .where('client_id', '=', clientId)
    .where('kind', '=', 'PASSWORD')
    // The subject of such a row is the user id and an address. The last condition keeps the count of all failures.
    .where('subject', '>=', `${userId}\n`)
    .where('subject', '<', `${userId}\v`)
    .where('subject', '<>', `${userId}\nfailures`)
    .execute();
}

/**
 * Removes the sessions, the passkeys and the locks of a deleted user, so that a later user with the same login does not
 * have them.
 */
export async function removeSignIns(tx: Writer, clientId: string, userId: string): Promise<void> {
  await endSessions(tx, clientId, userId);
  await forgetWrongPasswords(tx, clientId, userId);
  await tx.deleteFrom('passkeys').where('client_id', '=', clientId).where('user_id', '=', userId).execute();
}
