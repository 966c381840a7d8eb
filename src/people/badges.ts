/** Badges: cards with a bar code that replaces the login when a device is unlocked. */
import { recordAccess } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import { readJson } from '../platform/json-column.ts';
import { sha256 } from '../platform/secrets.ts';
import type { UserRow } from '../platform/storage/tables.ts';
import { makeCode } from './pins.ts';

/** Gives a user a new badge, which voids the old badge. Only the hash of the badge is stored. */
export async function makeBadge(ctx: Ctx, user: Pick<UserRow, 'client_id' | 'user_id' | 'node_ids'>): Promise<string> {
  const { client_id: clientId, user_id: userId } = user;
  const badge = makeCode(ctx.randomBytes);
  await ctx.db
    .updateTable('users')
    .set({ badge_hash: sha256(badge) })
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .execute();
  const nodeIds = readJson(user.node_ids);
  await recordAccess(ctx, clientId, 'user.badgeGiven', { userId, nodeIds });
  return badge;
}
