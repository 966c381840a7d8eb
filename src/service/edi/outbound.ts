/** Writes interchanges for a partner, with the next control numbers of its row (docs/edi-partners.md#what-goes-out). */
import { record } from '../../events/record.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { readJson } from '../../platform/json-column.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import type { EdiInterchangeRow, EdiPartnerRow } from '../../platform/storage/tables.ts';
import { FUNCTIONAL_IDS, type WrittenSegment, type WrittenSet, writeInterchange } from '../../platform/x12/write.ts';
import { hashOf, insertInterchange, insertSet } from './interchange-store.ts';
import { profileOf } from './partner-store.ts';
import type { Envelope } from './schema.ts';

const NUMBER_MAX = 999_999_999;

/** What is written: a TA1, or sets of one group. `number` names the ASN or PO that it is about. */
export interface Outgoing {
  setId: 'TA1' | '997' | '824' | '861';
  usage: 'P' | 'T';
  /** The content, made with its control number. */
  make: (controlNumber: string) => { acknowledgment: WrittenSegment } | { sets: readonly WrittenSet[] };
  number?: string;
  source?: string;
  statement?: string;
  receipt?: Envelope['receipt'];
}

/** The next control number; after the last one comes 1. */
function next(number: number): number {
  return number >= NUMBER_MAX ? 1 : number + 1;
}

/**
 * Writes an interchange with the numbers that follow those of a locked partner. Returns it and the partner with its new numbers;
 * `saveNumbers` stores them.
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

/** Stores the control numbers that were used. */
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

/** Data of the events of an interchange that was written. */
export function aboutOut(row: EdiInterchangeRow) {
  const { setId = '' } = readJson(row.doc);
  return {
    partnerId: row.partner_id!,
    setId,
    controlNumber: row.control_number,
    ...(row.source !== null && { sourceId: row.source }),
  };
}
