import type { Ctx } from '../../platform/ctx.ts';
import { conflict } from '../../platform/http/errors.ts';
import { reply, writeOperation } from '../../platform/http/operation.ts';
import { readJson } from '../../platform/json-column.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import { dateTime, object, Type, text } from '../../platform/schema.ts';
import { HOUR_MS, parseDateTime } from '../../platform/time.ts';
import { reportedTimeErrors } from '../../shared/reported-time.ts';
import { findInterchange, HEAD, type InterchangeHead, idsOfAnswers, showInterchange } from './interchange-store.ts';
import { lockPartner, profileOf } from './partner-store.ts';
import { missing } from './read.ts';
import { type Envelope, ediInterchange } from './schema.ts';
import { say } from './sentences.ts';

/** Records that an interchange was delivered to the partner (docs/edi-partners.md#what-goes-out). */
export const takeEdi = writeOperation({
  id: 'takeEdi',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/edi/interchanges/{interchangeId}/taken',
  summary: 'Record that an interchange was fetched',
  description:
    'Records that a waiting interchange for the partner was fetched and stored. An 824 or 861 is then due to be acknowledged within `ackHours` of the profile. A second request changes nothing.',
  access: { auth: 'operatorOrApiKey', group: 'inbound', permission: 'orders.intake', wholeClient: true },
  message: {
    body: object({
      takenAt: Type.Optional(
        dateTime({
          description: 'Time at which the interchange was fetched, at most a day in the future; default: now',
        }),
      ),
      name: Type.Optional(
        text(1, 255, { description: 'Name under which the interchange was stored, such as a file name' }),
      ),
    }),
    replies: { 200: { description: 'The interchange.', schema: ediInterchange } },
    refusals: {
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client or interchange.',
      409: 'The interchange was received from the partner.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    rules(ctx, { body: { takenAt } }, errors) {
      errors.addAll(reportedTimeErrors('/takenAt', takenAt, ctx.now));
    },
    async handle(ctx, { params: { interchangeId }, clientId, body: { takenAt, name } }) {
      const row = await findInterchange(ctx.db, clientId, interchangeId);
      if (row === undefined) throw missing(clientId, interchangeId);
      if (row.direction === 'IN')
        throw conflict(
          say(
            'Interchange {interchangeId} is from the partner; only interchanges with direction OUT can be recorded as fetched.',
            {
              interchangeId,
            },
          ),
        );
      const at = takenAt === undefined ? ctx.now : parseDateTime(takenAt);
      await takeOut(ctx, row, { at, ...(name !== undefined && { name }) });
      return reply(200, await showInterchange(ctx, (await findInterchange(ctx.db, clientId, interchangeId))!));
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/edi/interchanges/{edi.answer}/taken',
    body: { name: 'GREENVALLEY_997_000000001.x12' },
  },
});

/** Sets that the partner must acknowledge. */
const ACKNOWLEDGED_SETS = ['824', '861'];

/** Marks a WAITING interchange as TAKEN. An interchange with another status does not change. */
async function takeOut(ctx: Ctx, row: InterchangeHead, { at, name }: { at: number; name?: string }): Promise<void> {
  if (row.status !== 'WAITING') return;
  const envelope = readJson<Envelope>(row.doc);
  const partner = isAcknowledged(row) ? await lockPartner(ctx, row.client_id, row.partner_id!) : undefined;
  // The acknowledgment of the partner can be stored after `row` was read. The status then remains.
  await ctx.db
    .updateTable('edi_interchanges')
    .set({
      status: 'TAKEN',
      taken_at: at,
      ...(partner && { due_at: at + profileOf(partner).answer.ackHours * HOUR_MS }),
      ...(name !== undefined && { doc: stringifyJson({ ...envelope, takenName: name }) }),
    })
    .where('client_id', '=', row.client_id)
    .where('interchange_id', '=', row.interchange_id)
    .where('status', '=', 'WAITING')
    .execute();
}

/**
 * Marks the WAITING acknowledgments of a received interchange as TAKEN, with few statements: a file can have thousands
 * of 824s, and the transaction has 10 s.
 */
export async function takeAnswers(ctx: Ctx, received: InterchangeHead): Promise<void> {
  const ids = idsOfAnswers(received);
  if (ids.length === 0) return;
  const waiting = await ctx.db
    .selectFrom('edi_interchanges')
    .select(HEAD)
    .where('client_id', '=', received.client_id)
    .where('interchange_id', 'in', ctx.dialect.listOf(ids, 'text'))
    .where('status', '=', 'WAITING')
    .execute();
  const due = waiting.filter(isAcknowledged);
  const partner = due.length > 0 ? await lockPartner(ctx, received.client_id, due[0]!.partner_id!) : undefined;
  for (const isDue of [true, false]) {
    const taken = waiting.filter((row) => isAcknowledged(row) === isDue).map(({ interchange_id }) => interchange_id);
    if (taken.length === 0) continue;
    await ctx.db
      .updateTable('edi_interchanges')
      .set({
        status: 'TAKEN',
        taken_at: ctx.now,
        ...(isDue && partner && { due_at: ctx.now + profileOf(partner).answer.ackHours * HOUR_MS }),
      })
      .where('client_id', '=', received.client_id)
      .where('interchange_id', 'in', ctx.dialect.listOf(taken, 'text'))
      .where('status', '=', 'WAITING')
      .execute();
  }
}

/** Whether the partner must acknowledge the interchange. */
function isAcknowledged({ doc }: InterchangeHead): boolean {
  return ACKNOWLEDGED_SETS.includes(readJson<Envelope>(doc).setId ?? '');
}
