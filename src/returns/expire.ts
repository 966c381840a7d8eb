/** Scheduled work for returns: requests without goods expire, and returns whose personal data is due are anonymized. */
import { sql } from 'kysely';
import { forgetReturn } from '../kernel/returns/forget.ts';
import { findReturn, lockReturn } from '../kernel/returns/subject.ts';
import { writeReturn } from '../kernel/returns/write.ts';
import { byTime } from '../platform/by-time.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { Due } from '../platform/due.ts';
import type { DueKind } from '../platform/due-kind.ts';

/** The condition of the index `returns_expiring`. */
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
  ...byTime('returns', { at: 'expires_at', id: 'return_id' }, isRequested),
  run: (parts, due) => parts.write((ctx) => expireReturn(ctx, due)),
};

/**
 * Customer returns whose personal data must be removed: returns without an order, and returns that got a note after the
 * customer of their order was anonymized.
 */
export const blindReturns: DueKind = {
  name: 'blind returns',
  ...byTime('returns', { at: 'blank_at', id: 'return_id' }),
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
