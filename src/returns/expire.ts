/** Scheduled work for returns: requests without goods expire, and returns whose personal data is due are anonymized. */
import { sql } from 'kysely';
import { forgetReturn } from '../kernel/returns/forget.ts';
import { findReturn, lockReturn } from '../kernel/returns/subject.ts';
import { writeReturn } from '../kernel/returns/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { Due } from '../platform/due.ts';
import type { DueKind } from '../platform/due-kind.ts';

/**
 * The condition of the index `returns_expiring`. It is a literal: with a bound value, SQLite would read all returns
 * each time that it searches for due returns.
 */
const isRequested = sql<boolean>`status = 'REQUESTED'`;

/** Expires a request; returns false if it was received, canceled or expired in the meantime. */
async function expireReturn(ctx: Ctx, { clientId, id: returnId }: Due): Promise<boolean> {
  const found = await findReturn(ctx.db, { clientId, returnId });
  const locked = found && (await lockReturn(ctx, found));
  if (locked?.row.status !== 'REQUESTED' || (locked.row.expires_at ?? Infinity) > ctx.now) return false;
  await writeReturn(ctx, locked, { type: 'expire' });
  return true;
}

/** Requests without goods whose `expiresAt` has passed. */
export const expiredReturns: DueKind = {
  name: 'returns',
  due: (db, now, limit) =>
    db
      .selectFrom('returns')
      .select(['expires_at as at', 'client_id as clientId', 'return_id as id'])
      .where(isRequested)
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(limit)
      .$narrowType<{ at: number }>()
      .execute(),
  next: (db, after) =>
    db
      .selectFrom('returns')
      .select(['expires_at as at', 'client_id as clientId', 'return_id as id'])
      .where(isRequested)
      .where('expires_at', '>', after)
      .orderBy('expires_at')
      .limit(1)
      .$narrowType<{ at: number }>()
      .executeTakeFirst(),
  run: (parts, due) => parts.write((ctx) => expireReturn(ctx, due)),
};

/**
 * Customer returns whose personal data must be removed: returns without an order, and returns that got a note after the
 * customer of their order was anonymized.
 */
export const blindReturns: DueKind = {
  name: 'blind returns',
  due: (db, now, limit) =>
    db
      .selectFrom('returns')
      .select(['blank_at as at', 'client_id as clientId', 'return_id as id'])
      .where('blank_at', '<=', now)
      .orderBy('blank_at')
      .limit(limit)
      .$narrowType<{ at: number }>()
      .execute(),
  next: (db, after) =>
    db
      .selectFrom('returns')
      .select(['blank_at as at', 'client_id as clientId', 'return_id as id'])
      .where('blank_at', '>', after)
      .orderBy('blank_at')
      .limit(1)
      .$narrowType<{ at: number }>()
      .executeTakeFirst(),
  run: (parts, { clientId, id: returnId }) =>
    parts.write(async (ctx) => {
      const found = await findReturn(ctx.db, { clientId, returnId });
      const locked = found && (await lockReturn(ctx, found));
      if (locked === undefined || (locked.row.blank_at ?? Infinity) > ctx.now) return false;
      await forgetReturn(ctx, locked.row);
      ctx.onCommit(parts.anonymized);
      return true;
    }),
};
