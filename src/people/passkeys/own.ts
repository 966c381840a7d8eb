import { recordAccess } from '../../events/record.ts';
import { notFound } from '../../platform/http/errors.ts';
import { readOperation, reply, writeOperation } from '../../platform/http/operation.ts';
import { quote } from '../../platform/message/words.ts';
import { formatDateTime } from '../../platform/time.ts';
import { passkeysOf } from './register.ts';
import { PASSKEYS_MAX, PasskeyList } from './schema.ts';
import { ownerOf } from './site.ts';

/** Lists the passkeys of the person of the session. */
export const listPasskeys = readOperation({
  id: 'listPasskeys',
  method: 'GET',
  path: '/session/passkeys',
  auth: 'session',
  permission: 'any',
  summary: 'List your passkeys',
  description: 'Answers the passkeys with which you sign in, oldest first.',
  replies: { 200: { description: 'Your passkeys.', schema: PasskeyList } },
  errors: 'problem',
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
});

/** Removes a passkey of the person of the session. */
export const deletePasskey = writeOperation({
  id: 'deletePasskey',
  method: 'DELETE',
  path: '/session/passkeys/{passkeyId}',
  auth: 'session',
  permission: 'any',
  repeat: 'rejected',
  summary: 'Remove a passkey of yours',
  description:
    'Removes one of your passkeys: it signs nobody in any more. Sessions that it began go on. You have signed in with password, identity provider or passkey in the last 15 minutes.',
  replies: { 204: { description: 'The passkey is removed.' } },
  refusals: { 404: 'You have no such passkey.' },
  errors: 'problem',
  async handle(ctx, { params: { passkeyId } }) {
    const { userId } = ownerOf(ctx);
    const clientId = ctx.actor.clientId ?? '';
    const gone = await ctx.db
      .deleteFrom('passkeys')
      .where('client_id', '=', clientId)
      .where('passkey_id', '=', passkeyId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (gone.numDeletedRows !== 1n) throw notFound(`You have no passkey ${quote(passkeyId)}.`);
    await recordAccess(ctx, clientId, 'user.passkeyRemoved', { userId, passkeyId });
    return reply(204);
  },
});
