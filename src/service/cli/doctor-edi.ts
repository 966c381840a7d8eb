/** Rules of EDI: partners, interchanges, their sets, and the ASNs, POs and statements that belong to them. */
import { sql } from 'kysely';
import { readJson } from '../../platform/json-column.ts';
import { parseJson } from '../../platform/message/json.ts';
import type { Reader } from '../../platform/storage/db.ts';
import { literals } from '../../platform/storage/literals.ts';
import type { EdiInterchangeRow, EdiPartnerRow, EdiSetRow, EdiShipmentRow } from '../../platform/storage/tables.ts';
import type { Finding } from '../../platform/x12/findings.ts';
import { subjectOf } from '../../platform/x12/subject.ts';
import { readBody, type TransactionSet } from '../../platform/x12/tokens.ts';
import { hashOf } from '../edi/interchange-store.ts';
import { type Envelope, type Resource, STATUSES_OUT } from '../edi/schema.ts';
import { NAME_MAX } from '../edi/take.ts';
import { inParts, type Look, namesOf, type Rule } from './doctor-data.ts';

const ENDED_IN = sql`'ACCEPTED', 'PARTLY', 'REJECTED', 'TESTED', 'DUPLICATE'`;
/**
 * Control numbers from this number on are not compared with the partner's row, because numbering continues with 1 after
 * the largest number.
 */
const WRAPPED = sql.lit(999_000_000);
const REJECTED_SET = sql`('REJECTED_SYNTAX', 'REJECTED_RULES')`;

const WITHOUT_SETS = ['QUARANTINED', 'REJECTED', 'DUPLICATE'];

/** Finds interchanges whose columns and sets do not match their stored content. */
const contents: Look = ({ db }) =>
  inParts<EdiInterchangeRow>(
    (after, limit) => sql`select * from edi_interchanges where ${after} ${limit}`,
    ['client_id', 'interchange_id'],
    db,
    async (rows) => {
      const found: string[] = [];
      for (const row of rows) {
        if (!(await isAsRead(db, row))) found.push(`interchange ${row.interchange_id}`);
      }
      return found;
    },
  );

/** Whether the columns and sets of an interchange match its stored bytes. */
async function isAsRead(db: Reader, row: EdiInterchangeRow): Promise<boolean> {
  const bytes = Buffer.from(row.content, 'latin1');
  const { from } = row.partner_id === null ? readJson<Envelope>(row.doc) : {};
  const hashes = [hashOf(row.content), ...(from === undefined ? [] : [hashOf(row.content, from)])];
  if (!hashes.includes(row.content_hash) || bytes.length !== row.bytes) return false;
  const body = await readBody(bytes);
  const interchange = 'interchanges' in body ? body.interchanges[0] : undefined;
  if (interchange?.controlNumber !== row.control_number || interchange.usage !== row.usage) return false;
  if (row.answers !== null && !Array.isArray(readJson(row.answers))) return false;
  const { rows } = await sql<EdiSetRow>`select * from edi_sets where client_id = ${row.client_id}
    and interchange_id = ${row.interchange_id} order by position`.execute(db);
  const sets = interchange.groups.flatMap(({ number, sets }) => sets.map((set) => ({ set, group: number })));
  // During processing, some sets are not stored yet. A quarantined, rejected or duplicate interchange can be stored
  // without its sets.
  const isPart = row.status === 'TAKING' || (rows.length === 0 && WITHOUT_SETS.includes(row.status));
  if (!isPart && rows.length !== sets.length) return false;
  const setId = sets[0]?.set.setId ?? 'TA1';
  if (row.direction === 'OUT' && !(isOutAsRead(row, setId, sets[0]?.group) && (await hasDeadline(db, row, setId))))
    return false;
  return rows.every((one) => {
    const read = sets.find(({ set }) => set.position === one.position);
    return read !== undefined && isSetAsRead(one, read.set, read.group);
  });
}

function isOutAsRead(row: EdiInterchangeRow, setId: string, group: string | undefined): boolean {
  const { source, statement, group_number } = row;
  const isAdvice = setId === '861';
  if ((group ?? null) !== group_number || (source === null) !== isAdvice || (statement === null) === isAdvice)
    return false;
  return statement === null || plain(row.content).includes(plain((parseJson(statement) as string[])[1]!));
}

/**
 * Replaces all characters except ASCII letters and digits by `?`. A file can have delimiters and characters beyond
 * ASCII in another form.
 */
function plain(text: string): string {
  return text.replace(/[^0-9A-Za-z]/gu, '?');
}

/**
 * Whether an interchange has the deadline that it needs. Only an 824 or 861 with status TAKEN needs one, and only until
 * the profile of its partner is deleted.
 */
async function hasDeadline(db: Reader, row: EdiInterchangeRow, setId: string): Promise<boolean> {
  if (row.status !== 'TAKEN' || row.due_at !== null || !['824', '861'].includes(setId)) return true;
  const { rows } = await sql`select 1 from edi_partners where client_id = ${row.client_id}
    and partner_id = ${row.partner_id} and created_at <= ${row.created_at}`.execute(db);
  return rows.length === 0;
}

function isSetAsRead(row: EdiSetRow, set: TransactionSet, group: string): boolean {
  const findings = readJson<Finding[]>(row.findings);
  const total =
    row.findings_total === '100+' ? findings.length === 100 : Number(row.findings_total) === findings.length;
  const { purpose } = row.outcome === null ? {} : subjectOf(set);
  return (
    total &&
    row.set_id === set.setId.slice(0, NAME_MAX) &&
    row.set_number === set.number.slice(0, NAME_MAX) &&
    row.group_number === group.slice(0, NAME_MAX) &&
    row.purpose === (purpose?.slice(0, NAME_MAX) ?? null) &&
    row.number !== ''
  );
}

/** Finds partners whose columns do not match their profile. */
const profiles: Look = ({ db }) =>
  inParts<EdiPartnerRow>(
    (after, limit) => sql`select * from edi_partners where ${after} ${limit}`,
    ['client_id', 'partner_id'],
    db,
    (rows) =>
      rows.flatMap((row) => {
        const { sellerId, usage, ours, theirs } = readJson(row.doc);
        const stored = [row.seller_id, row.usage, row.our_qualifier, row.our_id, row.their_qualifier, row.their_id];
        const agreed = [sellerId, usage, ours.qualifier, ours.id, theirs.qualifier, theirs.id];
        return stored.every((value, at) => value === agreed[at]) ? [] : [`partner ${row.partner_id}`];
      }),
  );

type Link = EdiShipmentRow & { sender: string | null };

/**
 * Finds ASNs and POs with a wrong link to an interchange: no accepted set of the interchange announced them, or the
 * interchange is from another partner.
 */
const links: Look = ({ db }) =>
  inParts<Link>(
    (after, limit) => sql`
      select client_id, seller_id, type, number, interchange_id, partner_id, (
        select i.partner_id from edi_interchanges i
        where i.client_id = edi_shipments.client_id and i.interchange_id = edi_shipments.interchange_id
      ) as sender from edi_shipments where ${after} ${limit}`,
    ['client_id', 'seller_id', 'type', 'number'],
    db,
    async (rows) => {
      const found: string[] = [];
      for (const { client_id, interchange_id, sender, partner_id, type, number, seller_id } of rows) {
        const { rows: sets } = await sql<Pick<EdiSetRow, 'resources'>>`select resources from edi_sets
          where client_id = ${client_id} and interchange_id = ${interchange_id} and outcome = 'ACCEPTED'`.execute(db);
        const isMade = sets.some(({ resources }) =>
          readJson<Resource[]>(resources).some(
            (one) => one.type === type && one.number === number && one.sellerId === seller_id,
          ),
        );
        if (!isMade || sender !== partner_id) found.push(`${type} ${number}`);
      }
      return found;
    },
  );

const PARTS: readonly Omit<Rule, 'check'>[] = [
  {
    fine: 'the status of each interchange fits its direction, its times and its sets',
    broken: sql`select 'interchange ' || i.interchange_id as what
      from edi_interchanges i
      left join (
        select client_id, interchange_id, count(*) as sets,
          sum(case when outcome = 'ACCEPTED' then 1 else 0 end) as accepted,
          sum(case when outcome in ${REJECTED_SET} then 1 else 0 end) as rejected,
          sum(case when outcome is null then 1 else 0 end) as written
        from edi_sets group by 1, 2
      ) s on s.client_id = i.client_id and s.interchange_id = i.interchange_id
      where (i.direction = 'OUT') <> (i.status in (${literals(...STATUSES_OUT)}))
        or (i.direction = 'OUT' and (coalesce(s.sets, 0) <> coalesce(s.written, 0)
          or (i.status = 'WAITING') <> (i.taken_at is null)
          or (i.status in ('TAKEN', 'WAITING', 'OVERDUE') and i.acknowledged_at is not null)
          or (i.status = 'OVERDUE' and i.due_at is null)
          or i.partner_id is null or (i.status in ('ACKNOWLEDGED', 'REFUSED') and i.acknowledged_at is null)
          or (i.group_number is null) <> (coalesce(s.sets, 0) = 0)))
        or (i.direction = 'IN' and (coalesce(s.written, 0) > 0 or i.taken_at is not null or i.acknowledged_at is not null
          or i.group_number is not null or i.source is not null
          or (i.status = 'TAKING') <> (i.due_at is not null)
          or (i.status in (${ENDED_IN})) <> (i.answers is not null)
          or (i.status = 'QUARANTINED' and (coalesce(s.sets, 0) > 0 or i.partner_id is not null))
          or (i.status = 'DUPLICATE' and coalesce(s.sets, 0) > 0)
          or (i.status = 'ACCEPTED' and coalesce(s.rejected, 0) > 0)
          or (i.status = 'PARTLY' and (coalesce(s.accepted, 0) = 0
            or (s.accepted = s.sets and i.doc not like '%"lostGroups":%')))
          or (i.status = 'REJECTED' and coalesce(s.accepted, 0) > 0)))
        limit 3`,
  },
  {
    fine: 'interchanges have the bytes, numbers and sets of their content',
    broken: contents,
  },
  {
    fine: 'ASNs and POs that came by EDI belong to an accepted set of their partner',
    broken: links,
  },
  {
    fine: 'EDI partners have the ids of their profiles',
    broken: profiles,
  },
  {
    fine: 'each response belongs to an interchange of the same partner, and that interchange lists it',
    broken: sql`select 'interchange ' || o.interchange_id as what from edi_interchanges o
      join edi_interchanges i on i.client_id = o.client_id and i.interchange_id = o.source
      where o.direction = 'OUT' and (i.direction <> 'IN' or coalesce(i.partner_id, '') <> coalesce(o.partner_id, '')
        or i.answers not like '%' || o.interchange_id || '%') limit 3`,
  },
  {
    fine: 'no interchange of a partner has a later control number than the row of the partner, so no number is used again',
    // Numbering continues with 1 after the largest number.
    broken: sql`select 'partner ' || p.partner_id as what
      from edi_partners p
      join (
        select client_id, partner_id, max(cast(control_number as integer)) as interchange,
          max(cast(group_number as integer)) as number
        from edi_interchanges where direction = 'OUT' group by 1, 2
      ) o on o.client_id = p.client_id and o.partner_id = p.partner_id
      where (o.interchange > p.out_interchange and o.interchange < ${WRAPPED}) or (o.number > p.out_group and o.number < ${WRAPPED})
      union all
      select 'partner ' || p.partner_id from edi_partners p
      where p.feed_position > (select coalesce(max(h.position), 0) from event_heads h where h.client_id = p.client_id)
        or p.out_interchange < p.out_group or p.revision < 1
      limit 3`,
  },
];

/** All EDI rules as one check. An error names the part of the rule that is broken. */
export const INTERCHANGES: Rule = {
  check: 'interchanges',
  fine: 'interchanges, their sets and their partners fit together',
  async broken(looking) {
    for (const { fine, broken } of PARTS) {
      const names = await namesOf(broken, looking);
      if (names.length > 0) return names.map((what) => `${what} (must be: ${fine})`);
    }
    return [];
  },
};
