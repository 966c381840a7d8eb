/**
 * Takes an interchange in several commits: the first commit stores it, each further commit books one set, and the last
 * commit stores the acknowledgments and the final status (several commits if there are many acknowledgments). Each step can be retried, so an interrupted interchange
 * continues with its next set (docs/decisions/335).
 */
import { sql } from 'kysely';
import { record } from '../../events/record.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { Refusal } from '../../platform/http/errors.ts';
import { readJson } from '../../platform/json-column.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import type { Reader } from '../../platform/storage/db.ts';
import type { Dialect } from '../../platform/storage/dialect.ts';
import type { EdiInterchangeRow, EdiPartnerRow, EdiSetRow } from '../../platform/storage/tables.ts';
import { DAY_MS, SECOND_MS } from '../../platform/time.ts';
import { type JudgedGroup, type JudgedInterchange, type JudgedSet, judge, reject } from '../../platform/x12/check.ts';
import { withoutZeros } from '../../platform/x12/envelope.ts';
import { type Finding, type FindingsTotal, finding, joined } from '../../platform/x12/findings.ts';
import { subjectOf } from '../../platform/x12/subject.ts';
import { type Interchange, placeOf, readBody } from '../../platform/x12/tokens.ts';
import { adviceOf, readAcknowledgment } from './acknowledged.ts';
import { bookSet, type PreparedSet, prepareSet } from './book.ts';
import { finish } from './finish.ts';
import {
  contentOf,
  findByHash,
  findSets,
  HEAD,
  hashOf,
  type InterchangeHead,
  insertInterchange,
  insertSet,
  type StoredSet,
  totalOf,
  updateInterchange,
} from './interchange-store.ts';
import type { Profile } from './partner-schema.ts';
import { findPartner, hasIdsOf, lockPartner, partnerOf, profileOf } from './partner-store.ts';
import { Meaning } from './places.ts';
import type { Envelope, Resource } from './schema.ts';
import { say } from './sentences.ts';

/** The events of an operation that takes an interchange. */
export const EVENTS_OF_TAKING = [
  'edi.received',
  'edi.rejected',
  'edi.quarantined',
  'edi.acknowledged',
  'edi.ready',
  'inbound.transmitted',
  'inbound.voided',
];

/** Database access of the steps: in a transaction for each step, or in one transaction for all. */
export interface Desk {
  dialect: Dialect;
  read: <T>(work: (db: Reader) => Promise<T>) => Promise<T>;
  write: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>;
  /** Keys (client and hash) of the interchanges that this process is taking now. */
  running: Set<string>;
  /**
   * The present time. Taking a large file can last longer than the time limit of a request, so the start time of the
   * request is not exact enough.
   */
  present: () => number;
}

/** Time without a step after which the scheduler continues an interchange. */
const IDLE_MS = 60 * SECOND_MS;
/** Time without a step after which a request with the same bytes continues the interchange. */
const QUIET_MS = 5 * SECOND_MS;

export interface Taken {
  interchangeId: string;
  isNew: boolean;
}

/** Maximum stored length of the identifiers of a set. In a file they can be longer. */
export const NAME_MAX = 60;

/**
 * Takes one interchange. An interchange with the same bytes is taken only once. `from` is the partner who has sent the
 * file, if the caller knows it (docs/decisions/338).
 * @throws Refusal 409 IN_PROGRESS while another request takes the same bytes.
 */
export async function takeInterchange(
  desk: Desk,
  clientId: string,
  interchange: Interchange,
  from?: string,
): Promise<Taken> {
  const origin = await desk.read((db) => originOf(db, clientId, interchange, from));
  const { hash } = origin;
  const known = await desk.read((db) => findByHash(db, clientId, hash));
  if (known !== undefined && known.status !== 'TAKING') return { interchangeId: known.interchange_id, isNew: false };
  const key = `${clientId} ${hash}`;
  if (desk.running.has(key)) throw inProgress();
  desk.running.add(key);
  try {
    if (known === undefined) return await takeNew(desk, clientId, interchange, origin);
    if (desk.present() < known.due_at! - IDLE_MS + QUIET_MS) throw inProgress();
    if (!(await goOn(desk, known, interchange))) throw inProgress();
    return { interchangeId: known.interchange_id, isNew: false };
  } finally {
    desk.running.delete(key);
  }
}

function inProgress(): Refusal {
  const words = say('Another request is processing the same interchange; send the request again in a second.');
  return new Refusal(409, 'STATE', 'IN_PROGRESS', words, { headers: { 'retry-after': '1' } });
}

/** Returns the parts of a profile that the check of the syntax needs. */
export function agreed({ strict, take, versions }: Profile) {
  return { strict, take, versions };
}

/** The origin of an interchange. */
interface Origin {
  /** The partner who has sent the file, if the caller knows it. */
  from: string | undefined;
  /** The partner with the ids of the interchange. */
  named: EdiPartnerRow | undefined;
  /** The partner whose profile takes the interchange; without it, the interchange is quarantined. */
  partner: EdiPartnerRow | undefined;
  /** The hash under which the interchange is stored. */
  hash: string;
}

/** Decides the partner and the hash together: an interchange with a partner always has the hash of its bytes alone. */
async function originOf(db: Reader, clientId: string, interchange: Interchange, from?: string): Promise<Origin> {
  const named = await partnerOf(db, clientId, interchange);
  const isOwn = from === undefined || (named !== undefined && (await hasIdsOf(db, named, from)));
  const hash = hashOf(interchange.content, isOwn ? undefined : from);
  return { from, named, partner: isOwn ? named : undefined, hash };
}

async function takeNew(desk: Desk, clientId: string, interchange: Interchange, origin: Origin): Promise<Taken> {
  const { from, named, partner, hash } = origin;
  const judged = partner && (await judge(interchange, agreed(profileOf(partner))));
  const opened = await desk.write(async (ctx) => {
    const row = newRow(ctx, clientId, interchange, hash, desk.present());
    if (partner === undefined || judged === undefined)
      return await quarantine(ctx, row, interchange, { from, named: named?.partner_id });
    return await open(ctx, row, partner, judged, async (values) => insertInterchange(ctx.db, { ...row, ...values }));
  });
  // `opened` is undefined if the profile has changed, or another request has stored the same bytes.
  if (opened === undefined) {
    const known = await desk.read((db) => findByHash(db, clientId, hash));
    if (known === undefined) {
      const renewed = await desk.read((db) => originOf(db, clientId, interchange, from));
      return await takeNew(desk, clientId, interchange, renewed);
    }
    if (known.status === 'TAKING') throw inProgress();
    return { interchangeId: known.interchange_id, isNew: false };
  }
  if (opened.status === 'TAKING' && !(await carryOn(desk, opened, partner!, judged!))) throw inProgress();
  return { interchangeId: opened.interchange_id, isNew: true };
}

function newRow(
  ctx: Ctx,
  clientId: string,
  interchange: Interchange,
  hash: string,
  present: number,
): EdiInterchangeRow {
  const { content, controlNumber, usage } = interchange;
  return {
    client_id: clientId,
    interchange_id: ctx.newId(),
    direction: 'IN',
    partner_id: null,
    control_number: controlNumber,
    usage,
    content_hash: hash,
    content,
    bytes: content.length,
    status: 'TAKING',
    doc: stringifyJson(envelopeOf(interchange, [], 0)),
    answers: null,
    source: null,
    statement: null,
    group_number: null,
    created_at: ctx.now,
    taken_at: null,
    due_at: present + IDLE_MS,
    acknowledged_at: null,
  };
}

function envelopeOf({ sender, receiver }: Interchange, findings: Finding[], findingsTotal: FindingsTotal): Envelope {
  return { sender, receiver, findings, findingsTotal };
}

async function quarantine(
  ctx: Ctx,
  row: EdiInterchangeRow,
  interchange: Interchange,
  { from, named }: { from: string | undefined; named: string | undefined },
): Promise<EdiInterchangeRow | undefined> {
  const { sender, receiver, usage, header } = interchange;
  const who = `${sender.qualifier} ${sender.id} to ${receiver.qualifier} ${receiver.id}, usage ${usage}`;
  const found =
    from !== undefined && named !== undefined
      ? foreign(interchange, from, named)
      : finding('NO_PARTNER', {
          ...placeOf(interchange, header, 6),
          message: `There is no partner for files from ${who}`,
          cure: 'Create the partner with these ids, then reprocess the interchange.',
        });
  const stored = {
    ...row,
    status: 'QUARANTINED' as const,
    due_at: null,
    doc: stringifyJson({ ...envelopeOf(interchange, [found], 1), ...(from !== undefined && { from }) }),
  };
  if (!(await insertInterchange(ctx.db, stored))) return undefined;
  await tellUnread(ctx, stored, 'edi.quarantined');
  return stored;
}

/** The finding of a file that partner `from` has sent with the ids of partner `named`. */
export function foreign(interchange: Interchange, from: string, named: string): Finding {
  return finding('NO_PARTNER', {
    ...placeOf(interchange, interchange.header, 6),
    message: `The file was sent for partner ${from}, but has the ids of partner ${named}`,
    cure: `Ask partner ${from} about the file. If the file is from partner ${named}, send it again for that partner.`,
  });
}

/** The finding of a quarantined file whose bytes the service has meanwhile taken as interchange `other`. */
export function takenAs(interchange: Interchange, other: string): Finding {
  return finding('NUMBER_REPEATED', {
    ...placeOf(interchange, interchange.header, 13),
    message: `The service has the same bytes already, as interchange ${other}`,
    cure: 'Use that interchange.',
  });
}

/** Rejects a quarantined interchange. Nothing of it is booked, and no partner gets an acknowledgment. */
export async function rejectUnread(ctx: Ctx, row: InterchangeHead, found: Finding): Promise<void> {
  const { findings: _old, ...envelope } = readJson<Envelope>(row.doc);
  const doc = stringifyJson({ ...envelope, findings: [found], findingsTotal: 1 });
  const rejected = await ctx.db
    .updateTable('edi_interchanges')
    .set({ status: 'REJECTED', doc, answers: stringifyJson([]) })
    .where('client_id', '=', row.client_id)
    .where('interchange_id', '=', row.interchange_id)
    .where('status', '=', 'QUARANTINED')
    .returning(HEAD)
    .executeTakeFirst();
  if (rejected !== undefined) await tellUnread(ctx, rejected, 'edi.rejected');
}

/** Records the event of an interchange without a partner, of which no set was read. */
async function tellUnread(ctx: Ctx, row: InterchangeHead, type: 'edi.quarantined' | 'edi.rejected'): Promise<void> {
  await record(ctx, {
    clientId: row.client_id,
    type,
    resource: 'ediInterchange',
    resourceId: row.interchange_id,
    data: {
      controlNumber: row.control_number,
      usage: row.usage,
      status: row.status,
      sets: { accepted: 0, rejected: 0, ignored: 0 },
      answers: 0,
    },
  });
}

/**
 * Checks the envelope while the partner is locked, and stores the interchange with status TAKING, or with its final
 * status if the envelope is rejected. Returns undefined if the profile has changed since it was read, or if `store`
 * returns false because the same bytes are stored already.
 */
export async function open(
  ctx: Ctx,
  row: InterchangeHead,
  partner: EdiPartnerRow,
  judged: JudgedInterchange,
  store: (values: Partial<InterchangeHead>) => Promise<boolean>,
): Promise<InterchangeHead | undefined> {
  const locked = await lockPartner(ctx, row.client_id, partner.partner_id);
  if (locked?.revision !== partner.revision) return undefined;
  const { interchange } = judged;
  const { numberDays } = profileOf(locked);
  // An interchange with booked sets keeps its control number, although a later interchange can have the same number
  // after `numberDays`.
  const hasNumber = (readJson<Envelope>(row.doc).acceptedBefore ?? 0) > 0;
  const isHeld =
    !judged.rejected &&
    !hasNumber &&
    row.usage === 'P' &&
    (await isNumberHeld(ctx, row, partner.partner_id, numberDays));
  const final = isHeld ? reject(judged, repeated(interchange)) : judged;
  const values = {
    partner_id: partner.partner_id,
    status: 'TAKING' as const,
    doc: stringifyJson({
      ...readJson<Envelope>(row.doc),
      findings: final.findings,
      findingsTotal: final.findingsTotal,
    }),
  };
  if (!(await store(values))) return undefined;
  const opened = { ...row, ...values };
  if (!final.rejected) return opened;
  return await finish(ctx, opened, final, isHeld ? 'DUPLICATE' : 'REJECTED');
}

function repeated(interchange: Interchange): Finding {
  const { header, controlNumber } = interchange;
  const message = `The control number ${controlNumber} was used before, with other content`;
  return finding('NUMBER_REPEATED', { ...placeOf(interchange, header, 13), message });
}

/**
 * Whether another production interchange of the partner from the last `days` days has the control number. Rejected
 * interchanges do not count.
 */
async function isNumberHeld(
  { db, now }: Ctx,
  { client_id, interchange_id, control_number }: InterchangeHead,
  partnerId: string,
  days: number,
): Promise<boolean> {
  const plain = withoutZeros(control_number);
  const row = await db
    .selectFrom('edi_interchanges')
    .select('interchange_id')
    .where('client_id', '=', client_id)
    .where('partner_id', '=', partnerId)
    .where('direction', '=', 'IN')
    .where('usage', '=', 'P')
    .where('control_number', 'in', [control_number, plain, plain.padStart(9, '0')])
    .where('status', 'in', ['TAKING', 'ACCEPTED', 'PARTLY'])
    .where('created_at', '>', now - days * DAY_MS)
    .where('interchange_id', '<>', interchange_id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Continues an interrupted interchange. Returns false if another process has continued it meanwhile. */
export async function goOn(desk: Desk, row: InterchangeHead, given?: Interchange): Promise<boolean> {
  const { partner_id: partnerId } = row;
  if (partnerId === null) return await desk.write((ctx) => backToQuarantine(ctx, row));
  const interchange = given ?? (await interchangeOf(desk, row));
  // A profile is not deleted while an interchange of the partner is TAKING.
  const partner = (await desk.read((db) => findPartner(db, row.client_id, partnerId)))!;
  const judged = await judge(interchange, { ...agreed(profileOf(partner)), judgesAll: true });
  const taken = await desk.read((db) => findSets(db, row.client_id, row.interchange_id));
  return await carryOn(desk, row, partner, asAtFirst(judged, readJson<Envelope>(row.doc), taken));
}

/**
 * Returns a later judgment with the results of the first one, because the profile can have changed since: those of the
 * envelope and its groups, and those of the sets that are `taken`. The 997 must agree with what was booked.
 */
function asAtFirst(
  judged: JudgedInterchange,
  { findings, findingsTotal }: Pick<Envelope, 'findings' | 'findingsTotal'>,
  taken: readonly EdiSetRow[],
): JudgedInterchange {
  const rows = new Map(taken.map((row) => [row.position, row]));
  const groups = judged.groups.map((one, at): JudgedGroup => {
    const [from, to] = [one.group.header.begin, judged.groups[at + 1]?.group.header.begin ?? Infinity];
    const own = findings.filter(({ group, offset }) => group !== undefined && offset >= from && offset < to);
    // Of more than 100 findings, some were not stored.
    const group = typeof findingsTotal === 'string' ? one : { ...one, findings: own, rejected: own.some(isError) };
    return { ...group, sets: one.sets.map((set) => setAtFirst(set, rows.get(set.set.position), group.rejected)) };
  });
  return { ...judged, rejected: false, findings, findingsTotal, groups };
}

/** Returns the judgment of a set: that of its row if it was taken before, otherwise the later one. */
function setAtFirst(judged: JudgedSet, row: EdiSetRow | undefined, isGroupRejected: boolean): JudgedSet {
  if (row === undefined) {
    if (judged.outcome === 'IGNORED') return judged;
    return { ...judged, outcome: isGroupRejected || judged.findings.some(isError) ? 'REJECTED_SYNTAX' : 'ACCEPTED' };
  }
  // A set that only the rules reject is accepted in the 997.
  const outcome = row.outcome === 'REJECTED_RULES' ? 'ACCEPTED' : row.outcome!;
  if (outcome === 'ACCEPTED' && judged.outcome === 'ACCEPTED') return judged;
  return { ...judged, outcome, findings: readJson<Finding[]>(row.findings), findingsTotal: totalOf(row) };
}

function isError({ level }: Finding): boolean {
  return level === 'ERROR';
}

/**
 * Quarantines an interchange again that is TAKING without a partner. If an interchange was reprocessed while the
 * profile changed, version 0.5.0 left it in this state. Such an interchange has no sets, and users can reprocess it.
 */
async function backToQuarantine({ db }: Ctx, { client_id, interchange_id }: InterchangeHead): Promise<boolean> {
  const row = await db
    .updateTable('edi_interchanges')
    .set({ status: 'QUARANTINED', due_at: null })
    .where('client_id', '=', client_id)
    .where('interchange_id', '=', interchange_id)
    .where('status', '=', 'TAKING')
    .where('partner_id', 'is', null)
    .returning('interchange_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Parses the stored interchange again. */
export async function interchangeOf({ read }: Pick<Desk, 'read'>, row: InterchangeHead): Promise<Interchange> {
  const content = await read((db) => contentOf(db, row));
  const body = await readBody(Buffer.from(content, 'latin1'));
  if ('noEnvelope' in body) throw new Error(`interchange ${row.interchange_id} has no envelope`);
  return body.interchanges[0]!;
}

/**
 * Takes the sets that are not stored yet, then finishes the interchange. Returns false if another process has continued
 * the interchange meanwhile; the rest is then left to that process.
 */
export async function carryOn(
  desk: Desk,
  row: InterchangeHead,
  partner: EdiPartnerRow,
  judged: JudgedInterchange,
): Promise<boolean> {
  const { client_id: clientId, interchange_id: id } = row;
  const done = await desk.read((db) =>
    db
      .selectFrom('edi_sets')
      .select('position')
      .where('client_id', '=', clientId)
      .where('interchange_id', '=', id)
      .execute(),
  );
  const positions = new Set(done.map(({ position }) => position));
  for (const group of judged.groups) {
    for (const set of group.sets) {
      if (positions.has(set.set.position)) continue;
      const isStored = await takeSet(desk, row, partner, judged, group, set);
      if (!isStored) return false;
    }
  }
  for (;;) {
    const finished = await desk.write(async (ctx) => {
      const locked = await lockTaking(ctx, row, desk.present());
      return locked && (await finish(ctx, locked, judged));
    });
    if (finished === undefined) return false;
    if (finished.status !== 'TAKING') return true;
  }
}

/**
 * Locks an interchange with status TAKING, and moves the time at which the scheduler would continue it. Each update of
 * the row rewrites its bytes, and a file can have thousands of sets, so the time moves at most once a second.
 */
async function lockTaking(
  { db, dialect }: Ctx,
  { client_id, interchange_id }: InterchangeHead,
  now: number,
): Promise<InterchangeHead | undefined> {
  const row = await db
    .selectFrom('edi_interchanges')
    .select(HEAD)
    .where('client_id', '=', client_id)
    .where('interchange_id', '=', interchange_id)
    .where('status', '=', 'TAKING')
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
  const due_at = now + IDLE_MS;
  if (row === undefined || (row.due_at !== null && Math.abs(due_at - row.due_at) < SECOND_MS)) return row;
  await updateInterchange(db, row, { due_at });
  return { ...row, due_at };
}

/** Takes one set in its own commit. Returns false if another process has taken it. */
async function takeSet(
  desk: Desk,
  row: InterchangeHead,
  partner: EdiPartnerRow,
  { interchange }: JudgedInterchange,
  { group }: JudgedGroup,
  judged: JudgedSet,
): Promise<boolean> {
  const file = { interchange, group, set: judged.set, ...(judged.tree !== undefined && { tree: judged.tree }) };
  const { clientId, partnerId } = { clientId: row.client_id, partnerId: row.partner_id! };
  const prepared =
    judged.outcome === 'ACCEPTED'
      ? await desk.read((db) =>
          prepareSet({
            source: { db, dialect: desk.dialect },
            clientId,
            partnerId,
            profile: profileOf(partner),
            meaning: new Meaning(file),
          }),
        )
      : undefined;
  // An acknowledgment that the profile does not accept is only listed. If the profile accepts it later, reprocessing
  // reads it.
  const isTaken = judged.findings.every(({ code }) => code !== 'UNKNOWN_SET');
  return await desk.write(async (ctx) => {
    const locked = await lockTaking(ctx, row, desk.present());
    // If another process has booked the set, booking it again could void a shipment that a later set has announced.
    if (locked === undefined || (await hasSet(ctx.db, row, judged.set.position))) return false;
    const stored: StoredSet = { ...namesOf(judged, group.number), outcome: judged.outcome, resources: [] };
    if (prepared !== undefined) Object.assign(stored, await judgeMeaning(ctx, row, judged, prepared));
    else if (judged.set.setId === '997' && isTaken) {
      const found = await readAcknowledgment(ctx, { clientId, partnerId }, file);
      Object.assign(stored, joined(judged, { findings: found, findingsTotal: found.length }));
    } else if (judged.set.setId === '824' && isTaken) await tellAdvice(ctx, row, adviceOf(file));
    return await insertSet(ctx.db, row, stored);
  });
}

async function hasSet(db: Reader, { client_id, interchange_id }: InterchangeHead, position: number): Promise<boolean> {
  const row = await db
    .selectFrom('edi_sets')
    .select('position')
    .where('client_id', '=', client_id)
    .where('interchange_id', '=', interchange_id)
    .where('position', '=', position)
    .executeTakeFirst();
  return row !== undefined;
}

function namesOf({ set, findings, findingsTotal }: JudgedSet, group: string) {
  const { purpose, number } = subjectOf(set);
  return {
    position: set.position,
    group: group.slice(0, NAME_MAX),
    set: set.number.slice(0, NAME_MAX),
    setId: set.setId.slice(0, NAME_MAX),
    ...(purpose !== undefined && { purpose: purpose.slice(0, NAME_MAX) }),
    ...(number !== undefined && { number: number.slice(0, NAME_MAX) }),
    findings,
    findingsTotal,
  };
}

/** Books a set. Rolls it back if the rules reject it, or if the interchange is a test. */
async function judgeMeaning(ctx: Ctx, row: InterchangeHead, judged: JudgedSet, prepared: PreparedSet) {
  const client = await ctx.db
    .selectFrom('clients')
    .select(['client_id', 'catalog_ids'])
    .where('client_id', '=', row.client_id)
    .executeTakeFirstOrThrow();
  await sql`savepoint edi_set`.execute(ctx.db);
  const { meaning, resources } = await bookSet(ctx, client, prepared, {
    interchangeId: row.interchange_id,
    partnerId: row.partner_id!,
    createdAt: row.created_at,
    position: judged.set.position,
  });
  const { findings } = meaning;
  const isBooked = !findings.hasError && row.usage === 'P';
  if (!isBooked) await sql`rollback to savepoint edi_set`.execute(ctx.db);
  await sql`release savepoint edi_set`.execute(ctx.db);
  // An ASN has the number that the profile names. An order has the number of its set, also with SDQ.
  const [draft] = prepared.drafts;
  const number = draft?.type === 'ASN' ? draft.number.slice(0, NAME_MAX) : undefined;
  return {
    ...joined(judged, { findings: findings.list, findingsTotal: findings.total }),
    outcome: findings.hasError ? ('REJECTED_RULES' as const) : ('ACCEPTED' as const),
    resources: isBooked ? resources : ([] as Resource[]),
    ...(number !== undefined && { number }),
  };
}

/** Records an event for an 824 of the partner. The 824 changes no data, but users must see it. */
async function tellAdvice(ctx: Ctx, row: InterchangeHead, number: string): Promise<void> {
  await record(ctx, {
    clientId: row.client_id,
    type: 'edi.rejected',
    resource: 'ediInterchange',
    resourceId: row.interchange_id,
    data: {
      ...(row.partner_id !== null && { partnerId: row.partner_id }),
      controlNumber: row.control_number,
      usage: row.usage,
      status: row.status,
      sets: { accepted: 0, rejected: 0, ignored: 1 },
      answers: 0,
      adviceOf: number,
    },
  });
}

/**
 * Marks an interchange as TAKING again. Deletes its sets that the rules rejected, so that they are processed again. For
 * a `whole` interchange, also deletes its sets with rejected syntax and its sets that were not agreed. Returns
 * undefined if the status has changed.
 */
export async function reopen(
  ctx: Ctx,
  { client_id, interchange_id, status }: InterchangeHead,
  { whole, present }: { whole: boolean; present: number },
): Promise<InterchangeHead | undefined> {
  const row = await ctx.db
    .updateTable('edi_interchanges')
    .set({ status: 'TAKING', due_at: present + IDLE_MS })
    .where('client_id', '=', client_id)
    .where('interchange_id', '=', interchange_id)
    .where('status', '=', status)
    .returning(HEAD)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  // Acknowledgments that were read are IGNORED, too. Reading them again would record their events again.
  const isRejected = whole
    ? sql<boolean>`(outcome in ('REJECTED_SYNTAX', 'REJECTED_RULES')
        or (outcome = 'IGNORED' and findings like '%"code":"UNKNOWN_SET"%'))`
    : sql<boolean>`outcome = 'REJECTED_RULES'`;
  await ctx.db
    .deleteFrom('edi_sets')
    .where('client_id', '=', client_id)
    .where('interchange_id', '=', interchange_id)
    .where(isRejected)
    .execute();
  const sets = await findSets(ctx.db, client_id, interchange_id);
  const acceptedBefore = sets.filter(({ outcome }) => outcome === 'ACCEPTED').length;
  return { ...row, doc: stringifyJson({ ...readJson<Envelope>(row.doc), acceptedBefore }) };
}
