/** Writes interchanges for a partner, with the next control numbers of its row (docs/edi-partners.md#what-goes-out). */
import { record } from '../../events/record.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { readJson } from '../../platform/json-column.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import type { EdiInterchangeRow, EdiPartnerRow } from '../../platform/storage/tables.ts';
import { FUNCTIONAL_IDS, type WrittenSegment, type WrittenSet, writeInterchange } from '../../platform/x12/write.ts';
import { hashOf, type InterchangeHead, insertInterchange, insertSet } from './interchange-store.ts';
import { profileOf } from './partner-store.ts';
import type { Envelope } from './schema.ts';

/** The largest control number. */
export const NUMBER_MAX = 999_999_999;

/**
 * An interchange to write: a TA1, or the sets of one group. `number` is the number of the ASN or PO that is its
 * subject.
 */
export interface Outgoing {
  setId: 'TA1' | '997' | '824' | '861';
  usage: 'P' | 'T';
  /** Makes the content; called with the control number of the interchange. */
  make: (controlNumber: string) => { acknowledgment: WrittenSegment } | { sets: readonly WrittenSet[] };
  number?: string;
  source?: string;
  statement?: string;
  receipt?: Envelope['receipt'];
}

/** Returns the next control number. The number after the largest number is 1. */
function next(number: number): number {
  return number >= NUMBER_MAX ? 1 : number + 1;
}

/**
 * Writes an interchange with the next control numbers of a locked partner. Returns the interchange, and the partner
 * with its new numbers, which `saveNumbers` stores.
 */
export async function writeOut(
  ctx: Ctx,
  partner: EdiPartnerRow,
  outgoing: Outgoing,
): Promise<{ row: EdiInterchangeRow; partner: EdiPartnerRow }> {
  const { setId, usage, make, number, source, statement, receipt } = outgoing;
  const { ours, theirs, write } = profileOf(partner);
  const controlNumber = next(partner.out_interchange);
  const made = make(padded(controlNumber));
  const groupNumber = 'sets' in made ? next(partner.out_group) : undefined;
  const sets = 'sets' in made ? made.sets : [];
  const content = writeInterchange(
    {
      sender: ours,
      receiver: theirs,
      controlNumber,
      usage,
      at: new Date(ctx.now),
      ...('acknowledgment' in made && { acknowledgments: [made.acknowledgment] }),
      ...(groupNumber !== undefined && {
        groups: [
          {
            functionalId: FUNCTIONAL_IDS[setId as keyof typeof FUNCTIONAL_IDS],
            sender: ours.group,
            receiver: theirs.group,
            number: groupNumber,
            sets,
          },
        ],
      }),
    },
    write,
  );
  const envelope: Envelope = {
    sender: { qualifier: ours.qualifier, id: ours.id },
    receiver: { qualifier: theirs.qualifier, id: theirs.id },
    findings: [],
    findingsTotal: 0,
    setId,
    ...(receipt !== undefined && { receipt }),
  };
  const row: EdiInterchangeRow = {
    client_id: partner.client_id,
    interchange_id: ctx.newId(),
    direction: 'OUT',
    partner_id: partner.partner_id,
    control_number: padded(controlNumber),
    usage,
    content_hash: hashOf(content),
    content,
    bytes: content.length,
    status: 'WAITING',
    doc: stringifyJson(envelope),
    answers: null,
    source: source ?? null,
    statement: statement ?? null,
    group_number: groupNumber === undefined ? null : String(groupNumber),
    created_at: ctx.now,
    taken_at: null,
    due_at: null,
    acknowledged_at: null,
  };
  await insertInterchange(ctx.db, row);
  for (const at of sets.keys()) {
    await insertSet(ctx.db, row, {
      position: at + 1,
      group: String(groupNumber),
      set: String(at + 1).padStart(4, '0'),
      setId,
      ...(number !== undefined && { number }),
      outcome: null,
      findings: [],
      findingsTotal: 0,
      resources: [],
    });
  }
  await record(ctx, {
    clientId: row.client_id,
    type: 'edi.ready',
    resource: 'ediInterchange',
    resourceId: row.interchange_id,
    data: aboutOut(row),
  });
  const numbers = { out_interchange: controlNumber, out_group: groupNumber ?? partner.out_group };
  return { row, partner: { ...partner, ...numbers } };
}

/** Stores the last control numbers of a partner. */
export async function saveNumbers({ db }: Pick<Ctx, 'db'>, partner: EdiPartnerRow): Promise<void> {
  const { client_id, partner_id, out_interchange, out_group } = partner;
  await db
    .updateTable('edi_partners')
    .set({ out_interchange, out_group })
    .where('client_id', '=', client_id)
    .where('partner_id', '=', partner_id)
    .execute();
}

function padded(number: number): string {
  return String(number).padStart(9, '0');
}

/** Returns the data for events of an outbound interchange. */
export function aboutOut(row: InterchangeHead) {
  const { setId = '' } = readJson(row.doc);
  return {
    partnerId: row.partner_id!,
    setId,
    controlNumber: row.control_number,
    ...(row.source !== null && { sourceId: row.source }),
  };
}
