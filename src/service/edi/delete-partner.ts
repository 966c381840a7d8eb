import { record } from '../../events/record.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { Refusal } from '../../platform/http/errors.ts';
import { reply, writeOperation } from '../../platform/http/operation.ts';
import { lockPartner } from './partner-store.ts';
import { ediPartners } from './read-partner.ts';
import { say } from './sentences.ts';

/** Deletes the profile of an EDI partner (docs/edi-partners.md#the-profile). */
export const deleteEdiPartner = writeOperation({
  id: 'deleteEdiPartner',
  since: '0.5.0',
  method: 'DELETE',
  path: '/operator/v1/clients/{clientId}/edi/partners/{partnerId}',
  summary: 'Delete an EDI partner',
  description:
    'Deletes the profile of a partner. Its interchanges remain. The service then waits for no acknowledgment of the partner, so OVERDUE interchanges get the status TAKEN again. If interchanges for the partner have the status WAITING, fetch them first. While an interchange from the partner has the status TAKING, the service rejects the request; send it again in a minute.',
  events: ['ediPartner.deleted'],
  access: { auth: 'operatorOrApiKey', group: 'inbound', permission: 'client', wholeClient: true },
  message: {
    replies: { 204: { description: 'The partner is deleted.' } },
    refusals: {
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client or partner.',
      409: 'Interchanges for the partner are WAITING (code WAITING); `waiting` is their number. Or the service is still processing an interchange from the partner (code IN_PROGRESS).',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    async handle(ctx, { params: { partnerId }, clientId }) {
      const row = await lockPartner(ctx, clientId, partnerId);
      if (row === undefined) throw ediPartners.missing(clientId, partnerId);
      const { waiting } = await ctx.db
        .selectFrom('edi_interchanges')
        .select((eb) => eb.fn.countAll<number>().as('waiting'))
        .where('client_id', '=', clientId)
        .where('partner_id', '=', partnerId)
        .where('direction', '=', 'OUT')
        .where('status', '=', 'WAITING')
        .executeTakeFirstOrThrow();
      if (waiting > 0) {
        const words = say(
          '{waiting} {waiting|interchange|interchanges} for partner {partnerId} {waiting|is|are} WAITING; fetch {waiting|it|them} first (takeEdi).',
          {
            waiting,
            partnerId,
          },
        );
        throw new Refusal(409, 'STATE', 'WAITING', words, { extra: { waiting } });
      }
      await rejectWhileTaking(ctx, clientId, partnerId);
      await endDeadlines(ctx, clientId, partnerId);
      await ctx.db
        .deleteFrom('edi_partners')
        .where('client_id', '=', clientId)
        .where('partner_id', '=', partnerId)
        .execute();
      const { revision } = row;
      await record(ctx, {
        clientId,
        type: 'ediPartner.deleted',
        resource: 'ediPartner',
        resourceId: partnerId,
        revision,
      });
      return reply(204);
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/edi/partners/OTHER',
    before: [
      {
        operationId: 'putEdiPartner',
        path: '/operator/v1/clients/TOWN/edi/partners/OTHER',
        body: {
          sellerId: 'TOWNS',
          usage: 'P',
          ours: { qualifier: '12', id: '4085551234' },
          theirs: { qualifier: 'ZZ', id: 'OTHER' },
        },
      },
    ],
  },
});

/**
 * Rejects the deletion while an interchange is TAKING: without the profile, the remaining sets of the interchange could
 * not be booked.
 */
async function rejectWhileTaking({ db }: Ctx, clientId: string, partnerId: string): Promise<void> {
  const taking = await db
    .selectFrom('edi_interchanges')
    .select('interchange_id')
    .where('client_id', '=', clientId)
    .where('partner_id', '=', partnerId)
    .where('direction', '=', 'IN')
    .where('status', '=', 'TAKING')
    .limit(1)
    .executeTakeFirst();
  if (taking === undefined) return;
  const words = say(
    'The service is still processing interchange {interchangeId} of partner {partnerId}. This takes at most a minute. Then delete the partner again.',
    { interchangeId: taking.interchange_id, partnerId },
  );
  throw new Refusal(409, 'STATE', 'IN_PROGRESS', words, { headers: { 'retry-after': '60' } });
}

/**
 * Without the profile, the service reads no acknowledgments of the partner, so it must not mark interchanges as
 * overdue.
 */
async function endDeadlines({ db }: Ctx, clientId: string, partnerId: string): Promise<void> {
  await db
    .updateTable('edi_interchanges')
    .set({ status: 'TAKEN', due_at: null })
    .where('client_id', '=', clientId)
    .where('partner_id', '=', partnerId)
    .where('direction', '=', 'OUT')
    .where('status', 'in', ['TAKEN', 'OVERDUE'])
    .where('due_at', 'is not', null)
    .execute();
}
