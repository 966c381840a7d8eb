/** Changes that users make for themselves: password, PIN, language. */
import { recordAccess } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { SALT_BYTES } from '../platform/hashing.ts';
import { sessionEnded } from '../platform/http/caller-cache.ts';
import { badValue, conflict, denied, Refusal } from '../platform/http/errors.ts';
import { type PrepareParts, reply, writeOperation } from '../platform/http/operation.ts';
import { isFresh, makeToken, OUTBOX_MS } from '../platform/http/sessions.ts';
import { sha256 } from '../platform/secrets.ts';
import type { Reader } from '../platform/storage/db.ts';
import { passwordErrors } from '../shared/passwords.ts';
import { endSessions, endUnchosen } from '../shared/sessions.ts';
import { forgetAttempts, lockedFor } from './attempts.ts';
import { pinErrors } from './pins.ts';
import { PasswordChange, PinChange, Preferences } from './schema.ts';
import { say } from './sentences.ts';
import { siteOf } from './session.ts';
import { judge, recordWrong, usePassword } from './sign-in.ts';

/** Changes the caller's password. */
export const changePassword = writeOperation({
  id: 'changePassword',
  since: '0.3.0',
  method: 'PUT',
  path: '/session/password',
  summary: 'Change your password',
  description:
    'Changes your password and ends your other sessions; this session gets a new token. A wrong `old` gets 403 and counts as a failed sign-in. After too many failures the response is 429.',
  access: { auth: 'session', permission: 'any' },
  message: {
    keyless: true,
    body: PasswordChange,
    replies: { 204: { description: 'The password is changed.' } },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    rules(_ctx, { body: { new: wanted } }, errors) {
      if (wanted !== undefined) errors.addAll(passwordErrors('/new', wanted));
    },
    async prepare({ body: { old, new: wanted } }, randomBytes, parts) {
      const { actor, hashing } = parts;
      if (passwordErrors('/new', wanted).length > 0) return undefined;
      const clientId = actor.clientId ?? '';
      const { userId } = actor.session!;
      const share = { kind: 'client', key: clientId } as const;
      const from = { origin: `user ${clientId} ${userId}`, share };
      const judged = await judge({ clientId, userId, password: old }, from, randomBytes, parts);
      const isRight = 'who' in judged && judged.who !== undefined;
      return {
        judged,
        hash: isRight ? await hashing.hash(share, wanted, randomBytes(SALT_BYTES)) : undefined,
      };
    },
    async handle(ctx, { prepared }) {
      const { judged, hash } = prepared!;
      if (judged.wait > 0) throw lockedFor(judged.wait);
      const clientId = ctx.actor.clientId ?? '';
      const { userId, tokenHash } = ctx.actor.session!;
      const isUsed =
        hash !== undefined &&
        'judgedHash' in judged &&
        (await usePassword(ctx, { clientId, userId }, judged.judgedHash, hash));
      if (!isUsed) {
        await recordWrong(ctx, judged, { clientId, userId });
        return new Refusal(403, 'SECURITY', 'WRONG_PASSWORD', say('`old` is not your password; nothing was changed.'));
      }
      await endSessions(ctx.db, clientId, userId, tokenHash);
      await recordAccess(ctx, clientId, 'user.passwordChanged', { userId });
      return reply(204, undefined, { 'set-cookie': await renewToken(ctx, {}) });
    },
  },
  example: { path: '/session/password', body: { old: 'tide-and-sand-7', new: 'rain-on-the-quay-9' } },
});

/** Sets the caller's PIN. */
export const changePin = writeOperation({
  id: 'changePin',
  since: '0.3.0',
  method: 'PUT',
  path: '/session/pin',
  summary: 'Choose your PIN',
  description:
    'Sets the PIN that unlocks enrolled devices: 4 to 8 digits without a sequence or repetition, and not your present or one-time PIN. The session must have begun with a password, an identity provider or a passkey in the last 15 minutes (403 `SIGN_IN_AGAIN`), or with a one-time PIN, which then becomes invalid. The session gets a new token. Your other sessions in which a one-time PIN was not replaced end.',
  access: { auth: 'session', permission: 'any', withOneTimePin: true },
  message: {
    keyless: true,
    body: PinChange,
    replies: { 204: { description: 'The PIN is set.' } },
    refusals: { 409: 'Your PIN was changed at the same time, for example by a lead.' },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    rules(_ctx, { body: { pin } }, errors) {
      if (pin !== undefined) errors.addAll(pinErrors('/pin', pin));
    },
    prepare: async ({ body: { pin } }, randomBytes, parts) => {
      if (pinErrors('/pin', pin).length > 0) return undefined;
      // The session is checked before the new PIN is compared with the present PIN. Otherwise a person could try PINs in a
      // session that another user left open. A session that passes the check gains nothing from tries, because each
      // wrong try becomes the new PIN.
      const { clientId, userId } = mayChangePin(parts);
      return { clientId, userId, ...(await newPinHash(clientId, userId, pin, randomBytes, parts)) };
    },
    async handle(ctx, { prepared }) {
      const { clientId, userId, present, hash } = prepared!;
      const changed = await ctx.db
        .updateTable('users')
        .set({ pin_hash: hash, pin_once_until: null })
        .where('client_id', '=', clientId)
        .where('user_id', '=', userId)
        .where('pin_hash', present === null ? 'is' : '=', present)
        .returning('user_id')
        .executeTakeFirst();
      // `changed` is undefined if the PIN was changed after the comparison above. The new PIN could then equal a one-time PIN
      // that a lead has just given and knows.
      if (changed === undefined)
        throw conflict(say('Your PIN was changed at the same time; nothing was changed now. Choose your PIN again.'));
      await forgetAttempts(ctx.db, { clientId, kind: 'PIN', subject: userId });
      const { tokenHash, mustChangePin } = ctx.actor.session!;
      await endUnchosen(ctx.db, clientId, userId, tokenHash);
      if (mustChangePin) await startTicket(ctx, clientId);
      await recordAccess(ctx, clientId, 'user.pinChanged', { userId });
      return reply(204, undefined, { 'set-cookie': await renewToken(ctx, { must_change_pin: 0 }) });
    },
  },
  example: { path: '/session/pin', body: { pin: '2580' } },
});

/** Makes the outbox ticket of a session valid, after its user has replaced the one-time PIN. */
async function startTicket({ db, now, actor }: Ctx, clientId: string): Promise<void> {
  const { userId, sessionId } = actor.session!;
  await db
    .updateTable('outbox_tickets')
    .set({ expires_at: now + OUTBOX_MS })
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .execute();
}

/** Returns the user of a session that permits a change of the PIN. @throws Refusal 403 */
function mayChangePin({ actor: { clientId, session }, now }: Pick<PrepareParts, 'actor' | 'now'>) {
  const { userId, fullAt, mustChangePin } = session!;
  if (clientId === undefined)
    throw denied(say('people of the operator have no PIN because they do not use shared devices'));
  if (!mustChangePin && !isFresh(fullAt, now)) {
    const what = say(
      'You can change your PIN only within 15 minutes after you sign in with your password, identity provider or passkey; sign in again.',
    );
    throw new Refusal(403, 'SECURITY', 'SIGN_IN_AGAIN', what);
  }
  return { clientId, userId };
}

/**
 * Hashes a new PIN; `present` is the hash that it replaces.
 * @throws Refusal 400 if it is the present PIN, which can be a one-time PIN that a lead knows
 */
async function newPinHash(
  clientId: string,
  userId: string,
  digits: string,
  randomBytes: Ctx['randomBytes'],
  { store, hashing, sealer }: PrepareParts,
): Promise<{ present: string | null; hash: string }> {
  const own = (db: Reader) => db.selectFrom('users').select('pin_hash').where('client_id', '=', clientId);
  const user = await store.read((db) => own(db).where('user_id', '=', userId).executeTakeFirst());
  const present = user?.pin_hash ?? null;
  const keys = sealer.userPinKeys(clientId, userId);
  // Both hashes use the same place, so the change waits in the queue only once.
  const place = hashing.enter({ kind: 'client', key: clientId });
  try {
    if (present !== null && (await hashing.check(place, digits, present, keys)).isRight) {
      throw badValue('/pin', 'same', say('this is your present PIN; choose other digits'));
    }
    return { present, hash: await hashing.hashIn(place, digits, randomBytes(SALT_BYTES), keys[0]) };
  } finally {
    place.leave();
  }
}

/** Sets the caller's language. */
export const changePreferences = writeOperation({
  id: 'changePreferences',
  since: '0.3.0',
  method: 'PUT',
  path: '/session/preferences',
  summary: 'Change your language',
  description: 'Sets your language of the console, on all devices; `null` selects the language of the browser.',
  access: { auth: 'session', permission: 'any' },
  message: { body: Preferences, replies: { 204: { description: 'The language is set.' } }, errors: 'problem' },
  run: {
    repeat: 'same',
    async handle({ db, actor }, { body }) {
      const clientId = actor.clientId ?? '';
      const table = clientId === '' ? db.updateTable('people') : db.updateTable('users');
      await (table as ReturnType<typeof db.updateTable<'users'>>)
        .set({ language: body.language ?? null })
        .where('client_id', '=', clientId)
        .where('user_id', '=', actor.session!.userId)
        .execute();
      return reply(204);
    },
  },
  example: { path: '/session/preferences', body: { language: 'de-CH' } },
});

/**
 * Gives the session a new token after a change of the password or the PIN, so the old token no longer works. Returns
 * the Set-Cookie of the new token.
 * @throws Refusal 401 if the session ended while the request waited for its hash.
 */
async function renewToken(ctx: Ctx, set: { must_change_pin?: number }): Promise<string> {
  const { clientId = '', session } = ctx.actor;
  const token = makeToken(clientId, ctx.randomBytes);
  const renewed = await ctx.db
    .updateTable('sessions')
    // Each process caches the time of the last use of a token. The new token is not in the cache yet, so its time is
    // written to the row here.
    .set({ token_hash: sha256(token), seen_at: ctx.now, ...set })
    .where('client_id', '=', clientId)
    .where('token_hash', '=', session!.tokenHash)
    .returning('session_id')
    .executeTakeFirst();
  if (renewed === undefined) throw sessionEnded();
  return siteOf(ctx).cookie('backroom', token);
}
