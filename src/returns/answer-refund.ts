import { record } from '../events/record.ts';
import { refundEvent, showRefund } from '../kernel/returns/events.ts';
import type { Ctx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { notFound, Refusal } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import { quote } from '../platform/message/words.ts';
import type { RefundRow } from '../platform/storage/tables.ts';
import { UNPAID_REFUNDS } from '../shared/return-states.ts';
import { AnswerMessage, refund } from './schema.ts';
import { say } from './sentences.ts';

/** Reports the outcome of a refund. */
export const answerRefund = writeOperation({
  id: 'answerRefund',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/refunds/{refundId}/answer',
  summary: 'Report the outcome of a refund',
  description:
    'Reports whether the customer has the money (DONE) or does not have it yet (FAILED). The same outcome again changes nothing. FAILED can be reported again with another text, and can become DONE. DONE never changes: other content gets 409 REFUND_DONE. A canceled refund gets 409 NOT_OPEN. The body of these two errors has the status of the refund in `status`; the HTTP status is in the status line.',
  events: ['refund.answered'],
  access: { auth: 'operatorOrApiKey', group: 'intake', permission: 'orders.change', wholeClient: 'allNodes' },
  message: {
    body: AnswerMessage,
    replies: { 200: { description: 'The refund', schema: refund } },
    refusals: {
      404: 'There is no such client or refund.',
      409: 'REFUND_DONE: the refund is DONE and has other content; NOT_OPEN: the refund was canceled. `status` in the body of these two errors is the status of the refund, DONE or CANCELED.',
    },
    ownErrors: { 409: 'RefundProblem' },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    rules(_ctx, { body: { outcome, failure } }, errors) {
      if (outcome === 'DONE' && failure !== undefined) {
        errors.add('/failure', 'outcome', say('`failure` is only for the outcome FAILED; leave it out'));
      }
    },
    async handle(ctx, { clientId, params, body: { outcome, reference = null, failure = null } }) {
      const { refundId } = params;
      const before = await lockRefund(ctx, clientId, refundId);
      const answer = { status: outcome, reference, failure };
      const isSame = before.status === outcome && before.reference === reference && before.failure === failure;
      if (isSame) return reply(200, showRefund(before));
      if (before.status === 'DONE') {
        throw refused(
          'REFUND_DONE',
          before,
          say('the refund is DONE and cannot change; only the same content can be sent again'),
        );
      }
      if (before.status === 'CANCELED') {
        throw refused(
          'NOT_OPEN',
          before,
          say('the refund was canceled; if you have paid it, set the payment off against the next refund of the order'),
        );
      }
      const row = await ctx.db
        .updateTable('refunds')
        .set({ ...answer, answered_at: ctx.now })
        .where('client_id', '=', clientId)
        .where('refund_id', '=', refundId)
        .where('status', 'in', UNPAID_REFUNDS)
        .returningAll()
        .executeTakeFirstOrThrow();
      await record(ctx, refundEvent('refund.answered', row));
      return reply(200, showRefund(row));
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/refunds/{refunds.due}/answer',
    body: { outcome: 'DONE', reference: 'PSP-4711' },
  },
});

/** Locks a refund, so that a concurrent correction cannot cancel the refund during this request. @throws Refusal 404 */
async function lockRefund(ctx: Ctx, clientId: string, refundId: string): Promise<RefundRow> {
  const row = await ctx.db
    .selectFrom('refunds')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('refund_id', '=', refundId)
    .modifyEnd(ctx.dialect.forUpdate)
    .executeTakeFirst();
  if (row === undefined || !allows(ctx.actor.storeIds, row.store_id)) {
    throw notFound(
      say('There is no refund {refundId}; list the refunds with GET {path}', {
        refundId: quote(refundId),
        path: '/operator/v1/clients/{clientId}/refunds.',
      }),
    );
  }
  return row;
}

function refused(code: string, { refund_id: id, status }: RefundRow, why: Sentence): Refusal {
  return new Refusal(409, 'STATE', code, say('Refund {id} was not changed: {why}.', { id: quote(id), why }), {
    extra: { status },
  });
}
