/**
 * Counts attempts to sign in, in the database and before the check of the secret. The limit therefore also applies to
 * simultaneous attempts in several processes. Attempts for an unknown user count too, so that a caller does not learn
 * which users exist.
 */
import { sql } from 'kysely';
import { Refusal } from '../platform/http/errors.ts';
import type { Writer } from '../platform/storage/db.ts';
import type { SignInAttemptRow } from '../platform/storage/tables.ts';
import { MINUTE_MS } from '../platform/time.ts';

/** Failures until a lock, by kind of secret. */
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
 * `wait` is 0 if the secret can be checked; otherwise, seconds until the lock ends. `isLast`: the sign-in is locked if
 * this attempt fails.
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
  const { locked_until } = await tx
    .selectFrom('sign_in_attempts')
    .select('locked_until')
    .where('client_id', '=', clientId)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow();
  return { wait: Math.max(1, Math.ceil((locked_until! - now) / 1000)) };
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

/** 401 with the same text for every reason, so that a caller does not learn the reason. */
export function signInFailed(): Refusal {
  return new Refusal(
    401,
    'SECURITY',
    'SIGN_IN_FAILED',
    'The user, password or PIN is wrong, or the user has no access here.',
  );
}

/** 429 while a lock lasts. */
export function lockedFor(wait: number): Refusal {
  return new Refusal(
    429,
    'SECURITY',
    'TOO_MANY_REQUESTS',
    `Too many sign-ins of this user have failed; try again in ${wait} s.`,
    { headers: { 'retry-after': String(wait) } },
  );
}
