/**
 * Sends an 861 for each statement of a closed shipment. Each partner has a position in the event feed. Statements are
 * therefore found only after the commit of the close, and sent once (docs/decisions/127).
 */
import { sql } from 'kysely';
import { headOf, placeEvents } from '../../events/place.ts';
import type { Ctx } from '../../platform/ctx.ts';
import type { Due } from '../../platform/due.ts';
import type { DueKind } from '../../platform/due-kind.ts';
import { readJson } from '../../platform/json-column.ts';
import { parseJson } from '../../platform/message/json.ts';
import type { EdiPartnerRow, InboundShipmentRow } from '../../platform/storage/tables.ts';
import { DAY_MS } from '../../platform/time.ts';
import { calendarOf, dayAt } from '../../sla/calendar.ts';
import { saveNumbers, writeOut } from './outbound.ts';
import { lockPartner, profileOf } from './partner-store.ts';
import { receivingAdvice } from './receiving-advice.ts';

/** Maximum number of feed positions that one step reads. */
const WINDOW = 1_000;
/**
 * Maximum number of steps for a partner in one run of this work. Each step is a transaction that writes at most one
 * 861.
 */
const STEPS_MAX = 50;

/** Writes an 861 for each statement that a partner has not received yet. */
export const ediStatements: DueKind = {
  name: 'edi statements',
  // Crosses tenants: there are few partners, and each lookup uses the index of a client's positions (docs/decisions/190).
  // A partner is due after 1,000 events or a day even without a new close, so that its position moves and old events can
  // be deleted. So the query looks for the newest close only in the last 1,000 events, once per client.
  due: (db, now, limit) =>
    sql<Due>`
      with closes as materialized (
        select h.client_id,
          (select e.position from events e where e.client_id = h.client_id and e.type = 'inbound.closed'
            and e.position > case when h.position - p.slowest > ${sql.lit(WINDOW)}
              then h.position - ${sql.lit(WINDOW)} else p.slowest end
            order by e.position desc limit 1) as newest,
          exists (select 1 from events e where e.client_id = h.client_id and e.position is null
            and e.type = 'inbound.closed') as is_waiting
        from (select client_id, min(feed_position) as slowest from edi_partners group by client_id) p
        join event_heads h on h.client_id = p.client_id
      )
      select ${now} as at, p.client_id as "clientId", p.partner_id as id
      from edi_partners p join event_heads h on h.client_id = p.client_id join closes c on c.client_id = p.client_id
      where h.position - p.feed_position >= ${sql.lit(WINDOW)}
        or c.newest > p.feed_position
        or c.is_waiting
        or (select e.at from events e where e.client_id = p.client_id and e.position = p.feed_position + 1) <= ${now - DAY_MS}
      order by p.client_id, p.partner_id limit ${limit}`
      .execute(db)
      .then(({ rows }) => rows.map((row) => ({ ...row, at: now }))),
  run: async ({ store, write }, { clientId, id }) => {
    await placeEvents(store, clientId);
    let steps = 0;
    while (steps < STEPS_MAX && (await write((ctx) => sendStatements(ctx, clientId, id)))) steps += 1;
    return steps > 0;
  },
};

/**
 * Runs one step: reads at most WINDOW events, and sends the first statement in them that the partner needs. Without
 * such a statement, the partner's position moves past these events. Returns whether the position moved.
 */
async function sendStatements(ctx: Ctx, clientId: string, partnerId: string): Promise<boolean> {
  const partner = await lockPartner(ctx, clientId, partnerId);
  if (partner === undefined) return false;
  const last = Math.min(await headOf(ctx.db, clientId), partner.feed_position + WINDOW);
  if (last <= partner.feed_position) return false;
  const closes = await ctx.db
    .selectFrom('events')
    .select(['position', 'resource_id', 'data'])
    .where('client_id', '=', clientId)
    .where('position', '>', partner.feed_position)
    .where('position', '<=', last)
    .where('type', '=', 'inbound.closed')
    .orderBy('position')
    .execute();
  for (const { position, resource_id, data } of closes) {
    const { sellerId = '', version } = parseJson(data) as { sellerId?: string; version: number };
    const sent = await sendStatement(ctx, partner, { id: resource_id, sellerId, version });
    if (sent === undefined) continue;
    await saveNumbers(ctx, sent);
    await movePlace(ctx, partner, position!);
    return true;
  }
  await movePlace(ctx, partner, last);
  return true;
}

async function movePlace({ db }: Ctx, { client_id, partner_id }: EdiPartnerRow, position: number): Promise<void> {
  await db
    .updateTable('edi_partners')
    .set({ feed_position: position })
    .where('client_id', '=', client_id)
    .where('partner_id', '=', partner_id)
    .execute();
}

interface Closed {
  /** The resource id of the event: type, seller and number of the shipment. */
  id: string;
  sellerId: string;
  version: number;
}

/**
 * Writes the 861 of a statement and returns the partner with its new numbers. Returns undefined if the partner does not
 * get this statement.
 */
async function sendStatement(
  ctx: Ctx,
  partner: EdiPartnerRow,
  { id, sellerId, version }: Closed,
): Promise<EdiPartnerRow | undefined> {
  const profile = profileOf(partner);
  const type = id.slice(0, id.indexOf('/'));
  if ((type !== 'ASN' && type !== 'PO') || profile.answer.receipt === 'NONE') return undefined;
  const number = id.slice(type.length + sellerId.length + 2);
  const keys = { client_id: partner.client_id, seller_id: sellerId, type, number } as const;
  if (!(await isFor(ctx, partner, profile.answer.receipt, keys))) return undefined;
  const row = await ctx.db
    .selectFrom('inbound_statements as t')
    .innerJoin('inbound_shipments as s', (join) =>
      join
        .onRef('s.client_id', '=', 't.client_id')
        .onRef('s.seller_id', '=', 't.seller_id')
        .onRef('s.type', '=', 't.type')
        .onRef('s.number', '=', 't.number'),
    )
    .innerJoin('nodes as n', (join) =>
      join.onRef('n.client_id', '=', 's.client_id').onRef('n.node_id', '=', 's.node_id'),
    )
    .select(['t.doc', 's.message_id', 's.created_at', 'n.time_zone', 'n.opening_hours', 'n.holidays'])
    .where('t.client_id', '=', keys.client_id)
    .where('t.seller_id', '=', sellerId)
    .where('t.type', '=', type)
    .where('t.number', '=', number)
    .where('t.version', '=', version)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  // If a shipment was deleted (SHIPMENT_DAYS), a later shipment can have its number and begins with version 1. The id
  // of the message distinguishes the two.
  const statement = JSON.stringify([type, number, sellerId, version, row.message_id]);
  const before = { statement: JSON.stringify([type, number, sellerId, version]), since: row.created_at };
  if (await isSent(ctx, partner, statement, before)) return undefined;
  const written = await writeOut(ctx, partner, {
    setId: '861',
    usage: partner.usage,
    number,
    statement,
    receipt: { type, number, sellerId, version },
    make: () => {
      const doc = readJson(row.doc);
      const closedOn = dayAt(calendarOf(row), Date.parse(doc.closedAt));
      return { sets: [receivingAdvice({ type, number, closedOn, statement: doc }, profile)] };
    },
  });
  return written.partner;
}

/**
 * Whether the partner gets the statements of a shipment. With `OWN`, it gets those of the shipments that it announced;
 * with `ALL`, also those of all shipments of its seller. A location of the profile can name another seller, so the
 * partner can also announce shipments of other sellers.
 */
async function isFor(
  { db }: Ctx,
  { client_id, partner_id, seller_id }: EdiPartnerRow,
  receipt: 'OWN' | 'ALL',
  keys: Pick<InboundShipmentRow, 'seller_id' | 'number'> & { type: 'ASN' | 'PO' },
): Promise<boolean> {
  if (receipt === 'ALL' && keys.seller_id === seller_id) return true;
  const own = await db
    .selectFrom('edi_shipments as e')
    .innerJoin('inbound_shipments as s', (join) =>
      join
        .onRef('s.client_id', '=', 'e.client_id')
        .onRef('s.seller_id', '=', 'e.seller_id')
        .onRef('s.type', '=', 'e.type')
        .onRef('s.number', '=', 'e.number')
        .onRef('s.message_id', '=', 'e.message_id'),
    )
    .select('e.partner_id')
    .where('e.client_id', '=', client_id)
    .where('s.client_id', '=', client_id)
    .where('e.seller_id', '=', keys.seller_id)
    .where('e.type', '=', keys.type)
    .where('e.number', '=', keys.number)
    .executeTakeFirst();
  return own?.partner_id === partner_id;
}

/**
 * Whether the partner has the 861 of a statement. Version 0.5.0 stored the statement without the id of the message
 * (`before`). Such an 861 is for this shipment if it was written after the statement.
 */
async function isSent(
  { db }: Ctx,
  { client_id, partner_id }: EdiPartnerRow,
  statement: string,
  before: { statement: string; since: number },
): Promise<boolean> {
  const known = await db
    .selectFrom('edi_interchanges')
    .select('interchange_id')
    .where('client_id', '=', client_id)
    .where('partner_id', '=', partner_id)
    .where('statement', 'in', [statement, before.statement])
    .where((is) => is.or([is('statement', '=', statement), is('created_at', '>=', before.since)]))
    .executeTakeFirst();
  return known !== undefined;
}
