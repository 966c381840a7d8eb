/** Ending the sessions of people, for whatever reason. */
import type { Writer } from '../platform/storage/db.ts';

/** Signs a user out everywhere, and ends the tickets of queued work; with `exceptHash` but for that session, and the tickets stay. Returns how many sessions that were. */
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

/** Removes the passkeys of somebody who is no more: whoever is made under the same name later has none of them. */
export async function removePasskeys(tx: Writer, clientId: string, userId: string): Promise<void> {
  await tx.deleteFrom('passkeys').where('client_id', '=', clientId).where('user_id', '=', userId).execute();
}
