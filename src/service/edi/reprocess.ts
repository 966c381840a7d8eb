import { conflict, type Refusal } from '../../platform/http/errors.ts';
import { reply, writeOperation } from '../../platform/http/operation.ts';
import { readJson } from '../../platform/json-column.ts';
import { judge } from '../../platform/x12/check.ts';
import { deskOf } from './desk.ts';
import {
  findByHash,
  findInterchange,
  findSets,
  hashOf,
  type InterchangeHead,
  showInterchange,
  updateInterchange,
} from './interchange-store.ts';
import { findPartner, hasIdsOf, partnerOf, profileOf } from './partner-store.ts';
import { missing } from './read.ts';
import { type Envelope, ediInterchange } from './schema.ts';
import { say } from './sentences.ts';
import {
  agreed,
  carryOn,
  type Desk,
  EVENTS_OF_TAKING,
  foreign,
  interchangeOf,
  open,
  rejectUnread,
  reopen,
  takenAs,
} from './take.ts';

/**
 * Processes an interchange again. It must be in quarantine or rejected, or have sets that the rules rejected
 * (docs/edi-partners.md#reprocess).
 */
export const reprocessEdi = writeOperation({
  id: 'reprocessEdi',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/edi/interchanges/{interchangeId}/reprocess',
  summary: 'Process an interchange again',
  description:
    'Processes an interchange again with the current profile and catalog. It must be in quarantine or rejected, or have sets that the rules rejected. An event reports the outcome. The partner gets an acknowledgment only for an interchange that was in quarantine, because other interchanges already have one.',
  events: EVENTS_OF_TAKING,
  access: { auth: 'operatorOrApiKey', group: 'inbound', permission: 'orders.intake', wholeClient: true },
  message: {
    replies: { 200: { description: 'The interchange as it is now.', schema: ediInterchange } },
    refusals: {
      401: 'Credentials are missing, or the operator’s credentials are not valid.',
      404: 'There is no such client or interchange.',
      409: 'No part of the interchange can be processed again, the profile of its partner was deleted, or the interchange would now be rejected as a whole: its profile is stricter, or another interchange has used its control number.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    commitsBefore: true,
    prepare: async ({ params: { interchangeId }, clientId }, _randomBytes, parts) =>
      await again(deskOf(parts), clientId, interchangeId),
    // Even empty `rules` are necessary: without `rules`, `prepare` would run before a request with errors is rejected.
    rules() {},
    async handle({ db }, { params: { interchangeId }, clientId }) {
      return reply(200, await showInterchange(db, (await findInterchange(db, clientId, interchangeId))!));
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/edi/interchanges/{edi.rejected}/reprocess',
  },
});

/**
 * Processes the interchange again.
 * @throws Refusal 404 if it does not exist, 409 if no part of it can be processed again.
 */
async function again(desk: Desk, clientId: string, interchangeId: string): Promise<void> {
  const row = await desk.read((db) => findInterchange(db, clientId, interchangeId));
  if (row === undefined) throw missing(clientId, interchangeId);
  const sets = await desk.read((db) => findSets(db, clientId, interchangeId));
  const isWhole = row.status === 'QUARANTINED' || row.status === 'REJECTED';
  const hasRejected = sets.some(({ outcome }) => outcome === 'REJECTED_RULES');
  if (row.direction === 'OUT' || row.status === 'TAKING' || !(isWhole || hasRejected)) {
    throw conflict(
      say(
        'Interchange {interchangeId} is {status}, and none of its sets is REJECTED_RULES; only rejected content can be processed again.',
        {
          interchangeId,
          status: row.status,
        },
      ),
    );
  }
  const interchange = await interchangeOf(desk, row);
  const { partner_id: partnerId } = row;
  const partner = await desk.read((db) =>
    partnerId === null ? partnerOf(db, clientId, interchange) : findPartner(db, clientId, partnerId),
  );
  // The acknowledgments and shipments of the interchange belong to the deleted partner, so a new partner cannot take it
  // over.
  if (partner === undefined && partnerId !== null) {
    throw conflict(
      say(
        'Interchange {interchangeId} belongs to partner {partnerId}, whose profile was deleted. Create the profile under this id again, or ask the partner to send the rejected content again.',
        { interchangeId, partnerId },
      ),
    );
  }
  if (partner === undefined) return;
  const { from } = readJson<Envelope>(row.doc);
  if (partnerId === null && from !== undefined && !(await desk.read((db) => hasIdsOf(db, partner, from)))) {
    await desk.write((ctx) => rejectUnread(ctx, row, foreign(interchange, from, partner.partner_id)));
    return;
  }
  // The stored hash includes the partner for whom the interchange was sent. The new hash has only the bytes.
  const content_hash = hashOf(interchange.content);
  const same = await desk.read((db) => findByHash(db, clientId, content_hash));
  if (same !== undefined && same.interchange_id !== interchangeId) {
    if (row.status === 'QUARANTINED') {
      await desk.write((ctx) => rejectUnread(ctx, row, takenAs(interchange, same.interchange_id)));
      return;
    }
    throw conflict(
      say('The service has the same bytes already, as interchange {other}; use that interchange.', {
        other: same.interchange_id,
      }),
    );
  }
  const judged = await judge(interchange, agreed(profileOf(partner)));
  const key = `${clientId} ${row.content_hash}`;
  if (desk.running.has(key)) throw processing();
  desk.running.add(key);
  try {
    const opened = await desk.write(async (ctx) => {
      const taking = await reopen(ctx, row, { whole: isWhole, present: desk.present() });
      if (taking === undefined) throw processing();
      const locked = await open(ctx, taking, partner, judged, async (values) => {
        await updateInterchange(ctx.db, taking, { ...values, content_hash });
        return true;
      });
      // The error rolls the transaction back, so the interchange does not remain TAKING.
      if (locked === undefined)
        throw conflict(say('The profile of the partner was changed at the same time; try again.'));
      // The envelope is rejected now. The error rolls back the deletion of the rejected sets by `reopen`, and tells the
      // caller why they cannot be processed again.
      if (locked.status !== 'TAKING' && sets.length > 0) throw rejectedNow(locked);
      return locked;
    });
    if (opened.status === 'TAKING' && !(await carryOn(desk, opened, partner, judged))) throw processing();
  } finally {
    desk.running.delete(key);
  }
}

/** The error of an interchange whose sets were processed before, and whose envelope is rejected now. */
function rejectedNow({ interchange_id: interchangeId, control_number: number, status }: InterchangeHead): Refusal {
  if (status === 'DUPLICATE') {
    return conflict(
      say(
        'Another interchange has used the control number {number} meanwhile; ask the partner to send the rejected content of interchange {interchangeId} again under a new control number.',
        { number, interchangeId },
      ),
    );
  }
  return conflict(
    say(
      'The profile now rejects interchange {interchangeId} as a whole; change `strict` of the profile, or ask the partner to send the rejected content again.',
      { interchangeId },
    ),
  );
}

function processing(): Refusal {
  return conflict(say('Another request is processing the interchange; read the interchange again.'));
}
