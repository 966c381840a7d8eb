/** The last commit of an interchange: its acknowledgments, its final status and its event. */
import { record } from '../../events/record.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { readJson } from '../../platform/json-column.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import type { EdiPartnerRow, EdiSetRow } from '../../platform/storage/tables.ts';
import {
  functionalAcknowledgments,
  interchangeAcknowledgment,
  rejectedWithoutSets,
} from '../../platform/x12/acknowledge.ts';
import type { JudgedInterchange } from '../../platform/x12/check.ts';
import { type Finding, joined } from '../../platform/x12/findings.ts';
import { readTa1 } from './acknowledged.ts';
import { applicationAdvice } from './advice.ts';
import { findSets, type InterchangeHead, updateInterchange } from './interchange-store.ts';
import { type Outgoing, saveNumbers, writeOut } from './outbound.ts';
import { lockPartner, profileOf } from './partner-store.ts';
import type { Envelope } from './schema.ts';

type Final = 'ACCEPTED' | 'PARTLY' | 'REJECTED' | 'TESTED' | 'DUPLICATE';

/**
 * Maximum number of 824s in one commit. A file can have thousands of rejected sets, and a commit with all their 824s
 * could take longer than the 10 s of a commit, at each try.
 */
const ADVICES_TOGETHER = 200;

/**
 * Finishes a locked interchange whose sets are stored. `rejected` is the status of a rejected envelope. If the status of
 * the result is still TAKING, call the function again in the next commit: 824s are left to write.
 */
export async function finish(
  ctx: Ctx,
  row: InterchangeHead,
  judged: JudgedInterchange,
  rejected?: 'REJECTED' | 'DUPLICATE',
): Promise<InterchangeHead> {
  const sets = await findSets(ctx.db, row.client_id, row.interchange_id);
  const lostGroups = rejectedWithoutSets(judged).length;
  const status = rejected ?? statusOf(row, sets, lostGroups);
  const partner = (await lockPartner(ctx, row.client_id, row.partner_id!))!;
  const isAgain = row.answers !== null;
  const { lostGroups: _before, answered: earlier, ...envelope } = readJson<Envelope>(row.doc);
  const answered = isAgain ? undefined : await writeAnswers(ctx, row, partner, judged, { sets, earlier });
  if (answered?.after !== undefined) {
    const doc = stringifyJson({ ...envelope, answered });
    await updateInterchange(ctx.db, row, { doc });
    return { ...row, doc };
  }
  const answers = answered?.ids ?? readJson<string[]>(row.answers!);
  const found: Finding[] = [];
  if (rejected === undefined && row.partner_id !== null) {
    for (const segment of judged.interchange.acknowledgments) {
      const ids = { clientId: row.client_id, partnerId: row.partner_id };
      found.push(...(await readTa1(ctx, ids, judged.interchange, segment)));
    }
  }
  const joinedFindings = joined(envelope, { findings: found, findingsTotal: found.length });
  const values = {
    status,
    due_at: null,
    answers: stringifyJson(answers),
    doc: stringifyJson({ ...envelope, ...joinedFindings, ...(lostGroups > 0 && { lostGroups }) }),
  };
  await updateInterchange(ctx.db, row, values);
  const done = { ...row, ...values };
  await tell(ctx, done, sets, answers.length, isAgain);
  return done;
}

/** The columns of a set that decide the result of its interchange. */
export type JudgedSet = Pick<EdiSetRow, 'set_id' | 'outcome' | 'findings'>;

/** Whether a set counts for the status. Acknowledgments that are agreed with the partner do not count. */
function counts({ set_id, outcome, findings }: JudgedSet): boolean {
  const isAcknowledgment = set_id === '997' || set_id === '824';
  const isNotTaken = readJson<Finding[]>(findings).some(({ code }) => code === 'UNKNOWN_SET');
  return outcome !== 'IGNORED' || !isAcknowledgment || isNotTaken;
}

function statusOf({ usage }: InterchangeHead, sets: readonly EdiSetRow[], lostGroups: number): Final {
  return usage === 'P' ? resultOf(sets, lostGroups) : 'TESTED';
}

/**
 * Returns the result of an interchange with an accepted envelope: of its sets, and of its rejected groups without sets.
 */
export function resultOf(sets: readonly JudgedSet[], lostGroups = 0): 'ACCEPTED' | 'PARTLY' | 'REJECTED' {
  const counted = sets.filter(counts);
  const accepted = counted.filter(({ outcome }) => outcome === 'ACCEPTED').length;
  if (accepted === counted.length && lostGroups === 0) return 'ACCEPTED';
  return accepted === 0 ? 'REJECTED' : 'PARTLY';
}

/**
 * Writes TA1, 997 and 824s, in this order, after those of `earlier` commits. Returns the ids of all of them. If 824s are
 * left to write, `after` is the position of the last set that has its 824.
 */
async function writeAnswers(
  ctx: Ctx,
  row: InterchangeHead,
  partner: EdiPartnerRow,
  judged: JudgedInterchange,
  { sets, earlier }: { sets: readonly EdiSetRow[]; earlier: Envelope['answered'] },
): Promise<{ ids: string[]; after?: number }> {
  const { answer, write } = profileOf(partner);
  const shared = { usage: row.usage === 'P' ? ('P' as const) : ('T' as const), source: row.interchange_id };
  const outgoing: Outgoing[] = [];
  if (earlier === undefined) {
    const ta1 = interchangeAcknowledgment(judged, answer.ta1);
    if (ta1 !== undefined) outgoing.push({ ...shared, setId: 'TA1', make: () => ({ acknowledgment: ta1 }) });
    const acknowledgments = answer.ack === 'NONE' ? [] : functionalAcknowledgments(judged, write.version);
    if (acknowledgments.length > 0) outgoing.push({ ...shared, setId: '997', make: () => ({ sets: acknowledgments }) });
  }
  const after = earlier?.after ?? 0;
  const refused = answer.advice
    ? sets.filter(({ outcome, position }) => outcome === 'REJECTED_RULES' && position > after)
    : [];
  const advised = refused.slice(0, ADVICES_TOGETHER);
  for (const set of advised) {
    const rejected = {
      setId: set.set_id,
      set: set.set_number,
      group: set.group_number,
      number: set.number ?? '',
      findings: readJson<Finding[]>(set.findings),
    };
    outgoing.push({
      ...shared,
      setId: '824',
      number: rejected.number,
      make: (reference) => ({
        sets: [applicationAdvice(rejected, { reference, at: new Date(ctx.now), version: write.version })],
      }),
    });
  }
  const ids = [...(earlier?.ids ?? [])];
  let counted = partner;
  for (const one of outgoing) {
    const written = await writeOut(ctx, counted, one);
    counted = written.partner;
    ids.push(written.row.interchange_id);
  }
  if (outgoing.length > 0) await saveNumbers(ctx, counted);
  return { ids, ...(refused.length > advised.length && { after: advised.at(-1)!.position }) };
}

async function tell(
  ctx: Ctx,
  row: InterchangeHead,
  sets: readonly EdiSetRow[],
  answers: number,
  isAgain: boolean,
): Promise<void> {
  const isRejected = row.status === 'REJECTED' || row.status === 'DUPLICATE';
  const number = (outcomes: readonly string[]) => sets.filter(({ outcome }) => outcomes.includes(outcome ?? '')).length;
  // If reprocessing accepts no further set, it has no effect that needs an event.
  if (isAgain && number(['ACCEPTED']) <= (readJson<Envelope>(row.doc).acceptedBefore ?? 0)) return;
  await record(ctx, {
    clientId: row.client_id,
    type: isRejected ? 'edi.rejected' : 'edi.received',
    resource: 'ediInterchange',
    resourceId: row.interchange_id,
    data: {
      ...(row.partner_id !== null && { partnerId: row.partner_id }),
      controlNumber: row.control_number,
      usage: row.usage,
      status: row.status,
      sets: {
        accepted: number(['ACCEPTED']),
        rejected: number(['REJECTED_SYNTAX', 'REJECTED_RULES']),
        ignored: number(['IGNORED']),
      },
      answers,
      ...(isAgain && { reprocessed: true as const }),
    },
  });
}
