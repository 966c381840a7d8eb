/**
 * Encrypted values that a browser stores and sends back: the state of a sign-in at a provider, the challenge of a
 * passkey. The installation's key encrypts the values, so the browser can neither read nor change them. They expire
 * after ten minutes and work once (docs/decisions/221).
 */

import type { Ctx } from '../platform/ctx.ts';
import { type Json, readJson } from '../platform/json-column.ts';
import type { Sealer } from '../platform/secrets.ts';
import { MINUTE_MS } from '../platform/time.ts';

/** Time limit for a sign-in at a provider, and for the use of a passkey. */
export const ROUND_TRIP_MS = 10 * MINUTE_MS;

/** Distinguishes a round trip from other values that the same key encrypts. */
const MARK = 'backroom round trip ';

interface RoundTrip<K extends string, T> {
  kind: K;
  tripId: string;
  clientId: string;
  expiresAt: number;
  content: T;
}

/** Encrypts a new round trip of a client; the client '' is the operator. */
export function sealRoundTrip<K extends string, T>(
  { sealer, randomBytes }: { sealer: Sealer; randomBytes: Ctx['randomBytes'] },
  kind: K,
  clientId: string,
  now: number,
  content: T,
): string {
  const tripId = randomBytes(16).toString('base64url');
  const trip: RoundTrip<K, T> = { kind, tripId, clientId, expiresAt: now + ROUND_TRIP_MS, content };
  return sealer.seal(MARK + JSON.stringify(trip), randomBytes(12));
}

/** Decrypts a round trip that the browser sent back; undefined if it has expired or is not of this kind. */
export function openRoundTrip<K extends string, T>(
  sealer: Sealer,
  kind: K,
  sealed: string | undefined,
  now: number,
): RoundTrip<K, T> | undefined {
  const plain = sealed === undefined ? undefined : opened(sealer, sealed);
  if (plain?.startsWith(MARK) !== true) return undefined;
  const trip = readJson(plain.slice(MARK.length) as Json<RoundTrip<K, T>>);
  return trip.kind === kind && now < trip.expiresAt ? trip : undefined;
}

function opened(sealer: Sealer, sealed: string): string | undefined {
  try {
    return sealer.open(sealed);
  } catch {
    return undefined;
  }
}

/** Marks a round trip as used. Returns true only for the first request with it. */
export async function spend(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  { clientId, tripId, expiresAt }: Pick<RoundTrip<string, unknown>, 'clientId' | 'tripId' | 'expiresAt'>,
): Promise<boolean> {
  await db.deleteFrom('spent_round_trips').where('client_id', '=', clientId).where('expires_at', '<=', now).execute();
  const done = await db
    .insertInto('spent_round_trips')
    .values({ client_id: clientId, trip_id: tripId, expires_at: expiresAt })
    .onConflict((on) => on.doNothing())
    .executeTakeFirstOrThrow();
  return done.numInsertedOrUpdatedRows === 1n;
}
