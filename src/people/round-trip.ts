/**
 * What leaves the service for a browser and must come back unread and unchanged: a sign-in at a provider, a passkey's challenge.
 * It is sealed with the installation's key, good for minutes, and counts once (docs/decisions/221).
 */
import type { Ctx } from '../platform/ctx.ts';
import type { Sealer } from '../platform/secrets.ts';
import { MINUTE_MS } from '../platform/time.ts';

/** How long somebody may take at a provider, or before a passkey is touched. */
export const ROUND_TRIP_MS = 10 * MINUTE_MS;

/** Parts a round trip from whatever else the key has sealed. */
const MARK = 'backroom round trip ';

interface RoundTrip<K extends string, T> {
  kind: K;
  tripId: string;
  clientId: string;
  expiresAt: number;
  content: T;
}

/** Seals a new round trip of a client ('' where it is of none). */
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

/** The round trip that came back; undefined for what is not one of this kind, or too old. */
export function openRoundTrip<K extends string, T>(
  sealer: Sealer,
  kind: K,
  sealed: string | undefined,
  now: number,
): RoundTrip<K, T> | undefined {
  const plain = sealed === undefined ? undefined : opened(sealer, sealed);
  if (plain?.startsWith(MARK) !== true) return undefined;
  const trip = JSON.parse(plain.slice(MARK.length)) as RoundTrip<K, T>;
  return trip.kind === kind && now < trip.expiresAt ? trip : undefined;
}

function opened(sealer: Sealer, sealed: string): string | undefined {
  try {
    return sealer.open(sealed);
  } catch {
    return undefined;
  }
}

/** Uses a round trip up: of several requests that bring it the insert lets one have it. Returns whether this is the one. */
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
