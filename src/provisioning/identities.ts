/**
 * Links of users to accounts at identity providers, by provider and subject
 * (docs/how-to/sign-in-with-oidc.md#3-link-existing-users).
 */
import type { Ctx } from '../platform/ctx.ts';
import { conflict } from '../platform/http/errors.ts';
import type { FieldError } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { Reader } from '../platform/storage/db.ts';
import { say } from './sentences.ts';
import type { UserPut } from './user.ts';

export type Identity = NonNullable<UserPut['identities']>[number];

/**
 * Returns the identities of the listed users, by user id. Without `userIds`, returns the identities of all users of the
 * client.
 */
export async function identitiesOf(
  db: Reader,
  clientId: string,
  userIds?: readonly string[],
): Promise<Map<string, Identity[]>> {
  const found = new Map<string, Identity[]>();
  if (userIds?.length === 0) return found;
  const rows = await db
    .selectFrom('user_identities')
    .select(['user_id', 'provider_id', 'subject'])
    .where('client_id', '=', clientId)
    .$if(userIds !== undefined, (some) => some.where('user_id', 'in', userIds!))
    .orderBy('provider_id')
    .orderBy('subject')
    .execute();
  for (const { user_id: userId, provider_id: providerId, subject } of rows) {
    found.set(userId, [...(found.get(userId) ?? []), { providerId, subject }]);
  }
  return found;
}

/** Errors of identities: unknown providers, and repeated pairs of provider and subject. */
export async function identityErrors(
  db: Reader,
  clientId: string,
  sent: ValidPart<UserPut>['identities'],
): Promise<FieldError[]> {
  if (sent === undefined || sent.length === 0) return [];
  const rows = await db
    .selectFrom('identity_providers')
    .select('provider_id')
    .where('client_id', '=', clientId)
    .execute();
  const known = new Set(rows.map((row) => row.provider_id));
  const keys = sent.map((one) => JSON.stringify([one?.providerId, one?.subject]));
  return sent.flatMap((one, index) => {
    if (one?.providerId === undefined) return [];
    const at = `/identities/${index}`;
    const { providerId } = one;
    if (!known.has(providerId)) {
      const message = say('the client has no identity provider {providerId}; create it first or leave it out', {
        providerId: JSON.stringify(providerId),
      });
      return [{ pointer: `${at}/providerId`, rule: 'unknown-id', message }];
    }
    if (one.subject === undefined || keys.indexOf(keys[index]!) === index) return [];
    return [{ pointer: at, rule: 'uniqueItems', message: say('the identity is in the list twice; send it once') }];
  });
}

/**
 * Replaces the identities of a user, and ends the sessions that began with a removed identity. Returns whether anything
 * changed.
 * @throws Refusal 409 if another user has one of the identities.
 */
export async function saveIdentities(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  clientId: string,
  userId: string,
  before: readonly Identity[],
  wanted: readonly Identity[],
): Promise<boolean> {
  const isIn = (list: readonly Identity[], { providerId, subject }: Identity) =>
    list.some((one) => one.providerId === providerId && one.subject === subject);
  const gone = before.filter((one) => !isIn(wanted, one));
  const added = wanted.filter((one) => !isIn(before, one));
  for (const { providerId, subject } of gone) {
    await db
      .deleteFrom('user_identities')
      .where('client_id', '=', clientId)
      .where('provider_id', '=', providerId)
      .where('subject', '=', subject)
      .where('user_id', '=', userId)
      .execute();
    await db
      .deleteFrom('sessions')
      .where('client_id', '=', clientId)
      .where('user_id', '=', userId)
      .where('provider_id', '=', providerId)
      .where('provider_subject', '=', subject)
      .execute();
  }
  for (const { providerId, subject } of added) {
    const made = await db
      .insertInto('user_identities')
      .values({ client_id: clientId, provider_id: providerId, subject, user_id: userId, created_at: now })
      .onConflict((on) => on.doNothing())
      .executeTakeFirstOrThrow();
    if (made.numInsertedOrUpdatedRows !== 1n) {
      throw conflict(
        say(
          'The account {subject} of identity provider {providerId} is linked to another user; remove it from that user first.',
          { subject: JSON.stringify(subject), providerId: JSON.stringify(providerId) },
        ),
      );
    }
  }
  return gone.length + added.length > 0;
}
