/**
 * The lease of an opened ticket. Work on the ticket renews the lease. After `pickTicketIdleMinutes` (client setting)
 * without work, the ticket returns to its queue as if it had been reset. A ticket that was never opened has no lease,
 * because it may be in use on paper.
 */
import { advanceTicket } from '../kernel/tickets/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { PickTicketRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';

/**
 * Resets a locked ticket if its lease is over. Returns whether the ticket was reset. A ticket with newer work does not
 * change.
 */
export async function lapseTicket(ctx: Ctx, settings: Settings, ticket: PickTicketRow): Promise<boolean> {
  const { plan } = await advanceTicket(ctx, { ticket, settings }, { type: 'lapse' });
  return plan.columns !== undefined;
}
