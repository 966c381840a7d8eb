/** Reads the acknowledgments that a partner sends for our interchanges: 997 and TA1, and the number in an 824. */
import { record } from '../../events/record.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { readJson } from '../../platform/json-column.ts';
import { readFunctionalAcknowledgment, readInterchangeAcknowledgment } from '../../platform/x12/acknowledge.ts';
import { type Finding, finding } from '../../platform/x12/findings.ts';
import { type Interchange, placeOf, type Segment } from '../../platform/x12/tokens.ts';
import { FUNCTIONAL_IDS } from '../../platform/x12/write.ts';
import { HEAD, type InterchangeHead, updateInterchange } from './interchange-store.ts';
import { aboutOut } from './outbound.ts';
import type { SetInFile } from './places.ts';

/**
 * Reads a 997 and sets the status of the interchange whose group it acknowledges. Returns ACK_UNKNOWN if there is no
 * such group.
 */
export async function readAcknowledgment(
  ctx: Ctx,
  partner: { clientId: string; partnerId: string },
  { interchange, group, set }: SetInFile,
): Promise<Finding[]> {
  const said = readFunctionalAcknowledgment(set);
  if (said === undefined) return [];
  const row = await ctx.db
    .selectFrom('edi_interchanges')
    .select(HEAD)
    .where('client_id', '=', partner.clientId)
    .where('partner_id', '=', partner.partnerId)
    .where('usage', '=', usageOf(interchange))
    .where('group_number', '=', said.groupNumber.replace(/^0+(?=.)/, ''))
    .orderBy('created_at', 'desc')
    .orderBy('interchange_id', 'desc')
    .limit(1)
    .modifyEnd(ctx.dialect.forUpdate)
    .executeTakeFirst();
  const isSame = row !== undefined && FUNCTIONAL_IDS[setIdOf(row)] === said.functionalId;
  if (row !== undefined && isSame) {
    await settle(ctx, row, said.status);
    return [];
  }
  const ak1 = set.segments.find(({ id }) => id === 'AK1')!;
  const message = `No group ${said.functionalId} ${said.groupNumber} was sent to this partner`;
  const where = { group: group.number, set: set.number, ...placeOf(interchange, ak1, 2) };
  return [finding('ACK_UNKNOWN', { ...where, level: 'NOTE', message })];
}

/**
 * Reads a TA1. Only a rejection changes the status of the interchange. Returns ACK_UNKNOWN if there is no such
 * interchange.
 */
export async function readTa1(
  ctx: Ctx,
  partner: { clientId: string; partnerId: string },
  interchange: Interchange,
  segment: Segment,
): Promise<Finding[]> {
  const said = readInterchangeAcknowledgment(segment);
  const row = await ctx.db
    .selectFrom('edi_interchanges')
    .select(HEAD)
    .where('client_id', '=', partner.clientId)
    .where('partner_id', '=', partner.partnerId)
    .where('direction', '=', 'OUT')
    .where('usage', '=', usageOf(interchange))
    .where('control_number', '=', said.controlNumber.padStart(9, '0'))
    .orderBy('created_at', 'desc')
    .limit(1)
    .modifyEnd(ctx.dialect.forUpdate)
    .executeTakeFirst();
  if (row !== undefined) {
    if (said.status === 'REFUSED') await settle(ctx, row, 'REFUSED');
    return [];
  }
  const message = `No interchange ${said.controlNumber} was sent to this partner`;
  return [finding('ACK_UNKNOWN', { ...placeOf(interchange, segment, 1), level: 'NOTE', message })];
}

/**
 * Sets the status of an outbound interchange after an acknowledgment. The first acknowledgment decides; later
 * acknowledgments change nothing.
 */
async function settle(ctx: Ctx, row: InterchangeHead, outcome: 'ACKNOWLEDGED' | 'REFUSED'): Promise<void> {
  if (!['WAITING', 'TAKEN', 'OVERDUE'].includes(row.status)) return;
  // An acknowledged interchange has reached the partner, so it counts as taken.
  await updateInterchange(ctx.db, row, {
    status: outcome,
    acknowledged_at: ctx.now,
    ...(row.taken_at === null && { taken_at: ctx.now }),
  });
  await record(ctx, {
    clientId: row.client_id,
    type: 'edi.acknowledged',
    resource: 'ediInterchange',
    resourceId: row.interchange_id,
    data: { ...aboutOut(row), outcome },
  });
}

/**
 * Returns the usage of the interchanges that an interchange can acknowledge. A test file must not acknowledge
 * production interchanges, also if the profile of usage P applies to it.
 */
function usageOf({ usage }: Interchange): 'P' | 'T' {
  return usage === 'P' ? 'P' : 'T';
}

function setIdOf(row: InterchangeHead): keyof typeof FUNCTIONAL_IDS {
  return readJson(row.doc).setId as keyof typeof FUNCTIONAL_IDS;
}

/** Returns the number of the document that an 824 of the partner rejects; `?` if the 824 has none. */
export function adviceOf({ set }: SetInFile): string {
  const number = set.segments.find(({ id }) => id === 'OTI')?.elements[3] ?? '';
  return number === '' ? '?' : number.slice(0, 128);
}
