/**
 * Counts sign-in attempts in the database, before the secret is checked. The limit therefore also applies to
 * simultaneous attempts in several processes. Attempts for an unknown user count too, so that a caller does not learn
 * which users exist.
 */
import { sql } from 'kysely';
import { recordAccess } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { Refusal } from '../platform/http/errors.ts';
import { AHEAD_MS } from '../platform/http/sessions.ts';
import type { Sealer } from '../platform/secrets.ts';
import type { Writer } from '../platform/storage/db.ts';
import type { SignInAttemptRow } from '../platform/storage/tables.ts';
import { HOUR_MS, MINUTE_MS } from '../platform/time.ts';
import { say } from './sentences.ts';

/** Number of failures after which a sign-in is locked, by kind of secret. */
const MOST: Readonly<Record<SignInAttemptRow['kind'], number>> = { PIN: 5, PASSWORD: 10 };
/** Duration of the first lock. Each further lock without a success in between lasts twice as long, up to 16 hours. */
const LOCK_MS = 15 * MINUTE_MS;
const DOUBLINGS = 6;

/** Key of a count: attempts with the same key are counted together. */
export interface Subject {
  clientId: string;
  kind: SignInAttemptRow['kind'];
  subject: string;
}

/**
 * `wait` is 0 if the secret can be checked; otherwise it is the time in seconds until the lock ends. `isLast`: the
 * sign-in is locked if this attempt fails.
 */
export type Counted = { wait: 0; isLast: boolean } | { wait: number };

/** Counts an attempt in one statement. Attempts during a lock do not count. */
export async function countAttempt(tx: Writer, { clientId, kind, subject }: Subject, now: number): Promise<Counted> {
  const attempts = sql.ref<number>('sign_in_attempts.attempts');
  const locks = sql.ref<number>('sign_in_attempts.locks');
  const isLast = sql<boolean>`${attempts} + 1 >= ${sql.lit(MOST[kind])}`;
  const row = await tx
    .insertInto('sign_in_attempts')
    .values({ client_id: clientId, kind, subject, attempts: 1, locks: 0, locked_until: null, updated_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'kind', 'subject'])
        .doUpdateSet({
          attempts: sql<number>`case when ${isLast} then 0 else ${attempts} + 1 end`,
          locks: sql<number>`case when ${isLast} then ${locks} + 1 else ${locks} end`,
          locked_until: sql<
            number | null
          >`case when ${isLast} then cast(${now} as bigint) + ${sql.lit(LOCK_MS)} * (1 << cast(case when ${locks} > ${sql.lit(DOUBLINGS)} then ${sql.lit(DOUBLINGS)} else ${locks} end as integer)) else null end`,
          updated_at: now,
        })
        .where((eb) =>
          eb.or([eb('sign_in_attempts.locked_until', 'is', null), eb('sign_in_attempts.locked_until', '<=', now)]),
        ),
    )
    .returning('locked_until')
    .executeTakeFirst();
  if (row !== undefined) return { wait: 0, isLast: row.locked_until !== null };
  const { locked_until, updated_at } = await tx
    .selectFrom('sign_in_attempts')
    .select(['locked_until', 'updated_at'])
    .where('client_id', '=', clientId)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow();
  let end = locked_until!;
  if (updated_at > now + AHEAD_MS) {
    // The lock began while a clock was ahead, and would last until the real time has caught up. It now lasts as long as a
    // lock that begins now. It does not end, because the clock of this process can be behind.
    end = now + end - updated_at;
    await tx
      .updateTable('sign_in_attempts')
      .set({ locked_until: end, updated_at: now })
      .where('client_id', '=', clientId)
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .execute();
  }
  return { wait: Math.max(1, Math.ceil((end - now) / 1000)) };
}

/** Number of hexadecimal digits of a fingerprint that select the row of an unknown user: 65,536 rows for each kind. */
const ROW_DIGITS = 4;

/**
 * Returns the key under which attempts for a login count. Logins without a user share a fixed number of rows, so that
 * callers without a credential cannot fill the table. The installation's key selects the row. Otherwise a caller could
 * choose logins that share a row, and their common lock would show which of them have no user.
 */
export function subjectOf(
  { clientId, kind, subject }: Subject,
  isKnown: boolean,
  sealer: Pick<Sealer, 'fingerprint'>,
): Subject {
  if (isKnown) return { clientId, kind, subject };
  const row = sealer.fingerprint(clientId, `attempt\n${kind}\n${subject}`).slice(0, ROW_DIGITS);
  return { clientId: '', kind, subject: `\n${row}` };
}

/** A user whose sign-in has failed. */
export interface FailedSignIn {
  clientId: string;
  userId: string;
  kind: SignInAttemptRow['kind'];
  /**
   * Nodes of the user, or the node of the device; empty: all nodes. The access log shows the event to managers who have
   * all of these nodes.
   */
  nodeIds: readonly string[];
  deviceId?: string;
}

/**
 * Records in the access log that sign-ins of a user have failed: at most one event an hour, with the number of failures
 * since the previous event. The number has its own row in the table of attempts.
 */
export async function recordFailure(ctx: Ctx, { clientId, userId, kind, ...where }: FailedSignIn): Promise<void> {
  const { attempts: failures, locks: isSilent } = await countFailure(ctx, {
    clientId,
    kind,
    subject: `${userId}\nfailures`,
  });
  if (isSilent === 0) await recordAccess(ctx, clientId, 'user.signInFailed', { userId, kind, failures, ...where });
}

/**
 * Counts a failure of a login without a user in a shared row. Without this write, the response to an unknown login
 * would be faster by a commit, so that a caller would learn which users exist.
 */
export async function recordUnknown(ctx: Ctx, clientId: string, kind: Subject['kind'], login: string): Promise<void> {
  const shared = subjectOf({ clientId, kind, subject: login }, false, ctx.sealer);
  await countFailure(ctx, { ...shared, subject: `${shared.subject}\nfailures` });
}

/**
 * Counts a failure. In the result, `locks` is 0 for the first failure of an hour, and `attempts` is the number of
 * failures since the previous such failure.
 */
async function countFailure(
  ctx: Ctx,
  { clientId, kind, subject }: Subject,
): Promise<Pick<SignInAttemptRow, 'attempts' | 'locks'>> {
  const attempts = sql.ref<number>('sign_in_attempts.attempts');
  // A later end of the hour was set while a clock was ahead.
  const isDue = sql<boolean>`(sign_in_attempts.locked_until <= ${ctx.now} or sign_in_attempts.locked_until > ${ctx.now + HOUR_MS + AHEAD_MS})`;
  return await ctx.db
    .insertInto('sign_in_attempts')
    .values({
      client_id: clientId,
      kind,
      subject,
      attempts: 1,
      locks: 0,
      locked_until: ctx.now + HOUR_MS,
      updated_at: ctx.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['client_id', 'kind', 'subject']).doUpdateSet({
        // After a failure with `locks` 0, the count starts again. Failures within the hour get `locks` 1 and are only
        // counted.
        attempts: sql<number>`case when sign_in_attempts.locks = 1 then ${attempts} + 1 else 1 end`,
        locks: sql<number>`case when ${isDue} then 0 else 1 end`,
        locked_until: sql<number>`case when ${isDue} then cast(${ctx.now + HOUR_MS} as bigint) else sign_in_attempts.locked_until end`,
        updated_at: ctx.now,
      }),
    )
    .returning(['attempts', 'locks'])
    .executeTakeFirstOrThrow();
}

/** Resets the count, the lock and its doubling after a success. */
export async function forgetAttempts(tx: Writer, { clientId, kind, subject }: Subject): Promise<void> {
  await tx
    .deleteFrom('sign_in_attempts')
    .where('client_id', '=', clientId)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .execute();
}

/**
 * Returns the 401 of a failed sign-in. Its text is the same for every reason, so that a caller does not learn the
 * reason.
 */
export function signInFailed(): Refusal {
  return new Refusal(
    401,
    'SECURITY',
    'SIGN_IN_FAILED',
    say('The user, password or PIN is wrong, or the user has no access here.'),
  );
}

/** Returns the 429 of a locked sign-in; the lock ends in `wait` seconds. */
export function lockedFor(wait: number): Refusal {
  return new Refusal(
    429,
    'SECURITY',
    'TOO_MANY_REQUESTS',
    say('Too many sign-ins of this user have failed; try again in {wait} s.', { wait }),
    { headers: { 'retry-after': String(wait) } },
  );
}
