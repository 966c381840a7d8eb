import { recordAccess } from '../../events/record.ts';
import { notFound } from '../../platform/http/errors.ts';
import { readOperation, reply, writeOperation } from '../../platform/http/operation.ts';
import { quote } from '../../platform/message/words.ts';
import { formatDateTime } from '../../platform/time.ts';
import { say } from '../sentences.ts';
import { passkeysOf } from './register.ts';
import { PASSKEYS_MAX, PasskeyList } from './schema.ts';
import { ownerOf } from './site.ts';

/** Lists the passkeys of the caller. */
export const listPasskeys = readOperation({
  id: 'listPasskeys',
  since: '0.3.0',
  method: 'GET',
  path: '/session/passkeys',
  summary: 'List your passkeys',
  description: 'Lists your passkeys, oldest first.',
  access: { auth: 'session', permission: 'any' },
  message: { replies: { 200: { description: 'Your passkeys.', schema: PasskeyList } }, errors: 'problem' },
  run: {
    async handle({ db, actor }) {
      const rows = await passkeysOf(db, actor.clientId ?? '', actor.session!.userId);
      const passkeys = rows.slice(0, PASSKEYS_MAX).map((row) => ({
        passkeyId: row.passkey_id,
        name: row.name,
        createdAt: formatDateTime(row.created_at),
        ...(row.used_at !== null && { usedAt: formatDateTime(row.used_at) }),
      }));
      return reply(200, { passkeys });
    },
  },
  example: { after: ['signIn'], path: '/session/passkeys' },
});

/** Removes a passkey of the caller. */
export const deletePasskey = writeOperation({
  id: 'deletePasskey',
  since: '0.3.0',
  method: 'DELETE',
  path: '/session/passkeys/{passkeyId}',
  summary: 'Remove one of your passkeys',
  description:
    'Removes one of your passkeys: it can no longer be used to sign in. Sessions that began with it continue. You must have signed in with a password, identity provider or passkey within the last 15 minutes.',
  access: { auth: 'session', permission: 'any' },
  message: {
    replies: { 204: { description: 'The passkey is removed.' } },
    refusals: { 404: 'You have no such passkey.' },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    async handle(ctx, { params: { passkeyId } }) {
      const { userId } = ownerOf(ctx);
      const clientId = ctx.actor.clientId ?? '';
      const gone = await ctx.db
        .deleteFrom('passkeys')
        .where('client_id', '=', clientId)
        .where('passkey_id', '=', passkeyId)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (gone.numDeletedRows !== 1n)
        throw notFound(say('You have no passkey {passkeyId}.', { passkeyId: quote(passkeyId) }));
      await recordAccess(ctx, clientId, 'user.passkeyRemoved', { userId, passkeyId });
      return reply(204);
    },
  },
  example: { path: '/session/passkeys/019ca8c1-7000-7000-8000-000000000003', needs: 'authenticator' },
});
