/** Rows of interchanges and their sets, and their form in responses. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { readJson } from '../../platform/json-column.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import type { Reader, Writer } from '../../platform/storage/db.ts';
import type { EdiInterchangeRow, EdiSetRow } from '../../platform/storage/tables.ts';
import { formatDateTime } from '../../platform/time.ts';
import type { Finding, FindingsTotal } from '../../platform/x12/findings.ts';
import type { Envelope, Outcome, Resource } from './schema.ts';

/**
 * Returns the SHA-256 of the bytes of an interchange, from ISA to IEA. For a file with the ids of another partner, the
 * sender `from` is part of the hash: the service can still take the same bytes from the right partner, and the sender
 * does not see the acknowledgments of that partner.
 */
export function hashOf(content: string, from?: string): string {
  const sender = from === undefined ? '' : `${from}\n`;
  return createHash('sha256')
    .update(Buffer.from(sender + content, 'latin1'))
    .digest('hex');
}

/** A row of an interchange without its content, which can have 8 MiB. */
export type InterchangeHead = Omit<EdiInterchangeRow, 'content'>;

/** The columns of an `InterchangeHead`. */
export const HEAD = [
  'client_id',
  'interchange_id',
  'direction',
  'partner_id',
  'control_number',
  'usage',
  'content_hash',
  'bytes',
  'status',
  'doc',
  'answers',
  'source',
  'statement',
  'group_number',
  'created_at',
  'taken_at',
  'due_at',
  'acknowledged_at',
] as const satisfies readonly (keyof InterchangeHead)[];

export function findByHash(db: Reader, clientId: string, hash: string): Promise<InterchangeHead | undefined> {
  return (
    db
      .selectFrom('edi_interchanges')
      .select(HEAD)
      .where('client_id', '=', clientId)
      .where('content_hash', '=', hash)
      // The literal is the condition of the index `edi_interchanges_by_content`.
      .where(sql<boolean>`direction = 'IN'`)
      .executeTakeFirst()
  );
}

export function findInterchange(db: Reader, clientId: string, id: string): Promise<InterchangeHead | undefined> {
  return db
    .selectFrom('edi_interchanges')
    .select(HEAD)
    .where('client_id', '=', clientId)
    .where('interchange_id', '=', id)
    .executeTakeFirst();
}

/** Returns the bytes of an interchange, one character for each byte. */
export async function contentOf(
  db: Reader,
  { client_id, interchange_id }: Pick<EdiInterchangeRow, 'client_id' | 'interchange_id'>,
): Promise<string> {
  const { content } = await db
    .selectFrom('edi_interchanges')
    .select('content')
    .where('client_id', '=', client_id)
    .where('interchange_id', '=', interchange_id)
    .executeTakeFirstOrThrow();
  return content;
}

/** Inserts an interchange. Returns false if the same bytes were stored before. */
export async function insertInterchange(db: Writer, row: EdiInterchangeRow): Promise<boolean> {
  const made = await db
    .insertInto('edi_interchanges')
    .values(row)
    .onConflict((on) => on.doNothing())
    .executeTakeFirstOrThrow();
  return made.numInsertedOrUpdatedRows === 1n;
}

export async function updateInterchange(
  db: Writer,
  { client_id, interchange_id }: Pick<EdiInterchangeRow, 'client_id' | 'interchange_id'>,
  values: Partial<EdiInterchangeRow>,
): Promise<void> {
  await db
    .updateTable('edi_interchanges')
    .set(values)
    .where('client_id', '=', client_id)
    .where('interchange_id', '=', interchange_id)
    .execute();
}

export interface StoredSet {
  position: number;
  group: string;
  set: string;
  setId: string;
  purpose?: string;
  number?: string;
  outcome: Outcome | null;
  findings: readonly Finding[];
  findingsTotal: FindingsTotal;
  resources: readonly Resource[];
}

/** Inserts a set. Returns false if another process has stored it. */
export async function insertSet(
  db: Writer,
  { client_id, interchange_id }: Pick<EdiInterchangeRow, 'client_id' | 'interchange_id'>,
  set: StoredSet,
): Promise<boolean> {
  const made = await db
    .insertInto('edi_sets')
    .values({
      client_id,
      interchange_id,
      position: set.position,
      group_number: set.group,
      set_number: set.set,
      set_id: set.setId,
      purpose: set.purpose ?? null,
      number: set.number ?? null,
      outcome: set.outcome,
      findings: stringifyJson([...set.findings]),
      findings_total: String(set.findingsTotal),
      resources: stringifyJson([...set.resources]),
    })
    .onConflict((on) => on.doNothing())
    .executeTakeFirstOrThrow();
  return made.numInsertedOrUpdatedRows === 1n;
}

export function findSets(db: Reader, clientId: string, id: string): Promise<EdiSetRow[]> {
  return db
    .selectFrom('edi_sets')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('interchange_id', '=', id)
    .orderBy('position')
    .execute();
}

/** Returns an interchange in its form for lists, without the content of its sets. */
export function toSummary(row: InterchangeHead) {
  const { sender, receiver, takenName, receipt } = readJson<Envelope>(row.doc);
  return {
    interchangeId: row.interchange_id,
    direction: row.direction,
    status: row.status,
    ...(row.partner_id !== null && { partnerId: row.partner_id }),
    usage: row.usage,
    controlNumber: row.control_number,
    sender,
    receiver,
    bytes: row.bytes,
    createdAt: formatDateTime(row.created_at),
    ...(row.taken_at !== null && { takenAt: formatDateTime(row.taken_at) }),
    ...(takenName !== undefined && { takenName }),
    ...(row.due_at !== null && row.direction === 'OUT' && { dueAt: formatDateTime(row.due_at) }),
    ...(row.acknowledged_at !== null && { acknowledgedAt: formatDateTime(row.acknowledged_at) }),
    ...(row.source !== null && { sourceId: row.source }),
    ...(receipt !== undefined && { receipt }),
  };
}

function toSet(row: EdiSetRow) {
  return {
    position: row.position,
    group: row.group_number,
    set: row.set_number,
    setId: row.set_id,
    ...(row.purpose !== null && { purpose: row.purpose }),
    ...(row.number !== null && { number: row.number }),
    ...(row.outcome !== null && { outcome: row.outcome }),
    findings: readJson<Finding[]>(row.findings),
    findingsTotal: totalOf(row),
    resources: readJson<Resource[]>(row.resources),
  };
}

/** The stored number of findings. */
export function totalOf({ findings_total }: Pick<EdiSetRow, 'findings_total'>): FindingsTotal {
  return findings_total === '100+' ? findings_total : Number(findings_total);
}

/** Returns the acknowledgments of an interchange, in their order. Each acknowledgment is an interchange, too. */
async function answersOf(db: Reader, row: InterchangeHead): Promise<EdiInterchangeRow[]> {
  const ids = row.answers === null ? [] : readJson<string[]>(row.answers);
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('edi_interchanges')
    .selectAll()
    .where('client_id', '=', row.client_id)
    .where('interchange_id', 'in', ids)
    .execute();
  return ids.flatMap((id) => rows.find((one) => one.interchange_id === id) ?? []);
}

/** Returns an interchange with its sets, findings and acknowledgments. */
export async function showInterchange(db: Reader, row: InterchangeHead) {
  const { findings, findingsTotal } = readJson<Envelope>(row.doc);
  const sets = await findSets(db, row.client_id, row.interchange_id);
  const answers = await answersOf(db, row);
  return {
    ...toSummary(row),
    sets: sets.map(toSet),
    findings,
    findingsTotal,
    answers: answers.map((answer) => ({
      interchangeId: answer.interchange_id,
      setId: readJson<Envelope>(answer.doc).setId ?? '',
      controlNumber: answer.control_number,
      status: answer.status,
      content: answer.content,
    })),
  };
}
export type ShownInterchange = Awaited<ReturnType<typeof showInterchange>>;
