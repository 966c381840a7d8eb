/** Books a set as its ASN or POs. The code that checks messages of the interface also checks the set. */
import { type Expression, sql } from 'kysely';
import { lockShipment } from '../../kernel/arrivals/locked.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { type InboundError, Refusal } from '../../platform/http/errors.ts';
import { readJson } from '../../platform/json-column.ts';
import { compile } from '../../platform/message/validate.ts';
import type { Reader } from '../../platform/storage/db.ts';
import type { ClientRow, InboundShipmentRow } from '../../platform/storage/tables.ts';
import type { FindingCode } from '../../platform/x12/findings.ts';
import { announce, type Message, messageIn } from '../../receiving/announce.ts';
import { type Reading, readMessage } from '../../receiving/reading.ts';
import { checkAgreement } from '../../receiving/rules.ts';
import { inboundMessage, receivingSchemas } from '../../receiving/schema.ts';
import { cameByEdi, findShipment } from '../../receiving/store.ts';
import { voidShipment } from '../../receiving/void.ts';
import type { Draft, Mapping } from './draft.ts';
import { type Meaning, type Place, type Places, placeAt } from './places.ts';
import { purchaseOrders } from './purchase-order.ts';
import type { Resource } from './schema.ts';
import { shipNotice } from './ship-notice.ts';

/** A set that is ready to be booked. */
export interface PreparedSet {
  meaning: Meaning;
  drafts: readonly PreparedDraft[];
}

interface PreparedDraft extends Draft {
  reading?: Reading;
  /** The message to store; undefined if the set already has errors, because such a set is only checked. */
  stored?: Message | undefined;
}

let validator: ReturnType<typeof compile> | undefined;

/** Maps a set to its messages and checks their form. */
export async function prepareSet(mapping: Mapping): Promise<PreparedSet> {
  const { meaning } = mapping;
  const isNotice = meaning.file.set.setId === '856';
  const notice = isNotice ? await shipNotice(mapping) : undefined;
  const drafts = isNotice ? (notice === undefined ? [] : [notice]) : await purchaseOrders(mapping);
  validator ??= compile(inboundMessage, receivingSchemas);
  const prepared: PreparedDraft[] = [];
  for (const draft of drafts) {
    if (draft.message === undefined) {
      prepared.push(draft);
      continue;
    }
    const reading = await readMessage(draft.message.value, validator);
    await checkAgreement(reading);
    const stored = meaning.isClean && !reading.errors.overflows ? await messageIn(reading) : undefined;
    prepared.push({ ...draft, reading, stored });
  }
  return { meaning, drafts: prepared };
}

/** A booked set: its findings, and the ASNs and POs that it announced, replaced or voided. */
export interface Booked {
  meaning: Meaning;
  resources: Resource[];
}

/**
 * The source of a booked set: its interchange, the partner, the time at which the interchange was received, and the
 * position of the set.
 */
interface Source {
  interchangeId: string;
  partnerId: string;
  createdAt: number;
  position: number;
}

/**
 * Books the ASN or the POs of a set in the transaction of `ctx`. If the returned findings (`meaning`) include an error,
 * the caller rolls the bookings back.
 */
export async function bookSet(
  ctx: Ctx,
  client: Pick<ClientRow, 'client_id' | 'catalog_ids'>,
  prepared: PreparedSet,
  source: Source,
): Promise<Booked> {
  const meaning = prepared.meaning.copy();
  const resources: Resource[] = [];
  const drafts = await completed(ctx, client.client_id, prepared.drafts, source.partnerId);
  let superseded: Promise<boolean> | undefined;
  const isSuperseded = () => (superseded ??= hasLaterSet(ctx.db, client.client_id, { meaning, drafts }, source));
  const other = await otherPos(ctx.db, client.client_id, drafts, source);
  if (other !== undefined && !(await isSuperseded())) {
    const { order, numberPlace } = drafts[0]!;
    const words = `The order ${order} was announced before, with other POs (${namesOf(other.pos)})`;
    if (other.isRepeated) {
      meaning.add('NUMBER_TAKEN', numberPlace, words, {
        cure: 'Send all stores in one set with purpose 05, if agreed, or use another number.',
      });
    } else meaning.note('NUMBER_TAKEN', numberPlace, `${words}, which remain`);
  }
  const voided = new Map<string, InboundShipmentRow>();
  for (const draft of drafts) {
    if (await bookDraft(ctx, client, meaning, draft, { source, isSuperseded, voided })) {
      resources.push({ type: draft.type, number: draft.number, sellerId: draft.sellerId });
    }
  }
  return { meaning, resources };
}

/**
 * Completes the drafts of an ASN or order that is replaced or voided. An order with SDQ has one PO for each store. POs
 * of stores that the new set leaves out are voided.
 */
async function completed(
  { db }: Ctx,
  clientId: string,
  drafts: readonly PreparedDraft[],
  partnerId: string,
): Promise<readonly PreparedDraft[]> {
  const [first] = drafts;
  if (first === undefined || first.intent === 'ANNOUNCE') return drafts;
  if (first.order === undefined) return await completedAsn(db, clientId, first, partnerId);
  const made = new Map((await announcedFor(db, clientId, first.order, partnerId)).map((one) => [keyOf(one), one]));
  const { type, numberPlace, needsOld } = first;
  const voids = (resources: Iterable<Resource | Draft>): PreparedDraft[] =>
    Array.from(resources, ({ number, sellerId }) => ({
      type,
      number,
      sellerId,
      numberPlace,
      intent: 'VOID',
      needsOld,
    }));
  if (first.intent === 'VOID') return made.size === 0 ? [first] : voids(made.values());
  const isKnown = made.size > 0;
  for (const draft of drafts) made.delete(keyOf(draft));
  return [...voids(made.values()), ...drafts.map((draft) => ({ ...draft, needsOld: needsOld && !isKnown }))];
}

function keyOf({ number, sellerId }: Resource | Draft): string {
  return JSON.stringify([number, sellerId]);
}

/**
 * Returns the POs of a newly announced order that earlier interchanges have announced for the same sellers and this set
 * does not have; undefined if there are none, or if this set announces nothing new. `isRepeated`: this set repeats the
 * order, because it has a known PO, or only one of both has SDQ. The goods would be expected twice. Otherwise the sets
 * can be parts of one order, each with its own stores.
 */
async function otherPos(
  db: Reader,
  clientId: string,
  drafts: readonly PreparedDraft[],
  { interchangeId, partnerId }: Source,
): Promise<{ pos: Resource[]; isRepeated: boolean } | undefined> {
  const [first] = drafts;
  if (first?.intent !== 'ANNOUNCE' || first.order === undefined) return undefined;
  const { order } = first;
  const made = await announcedFor(db, clientId, order, partnerId);
  const known = new Set(made.map(keyOf));
  const added = drafts.filter((draft) => !known.has(keyOf(draft)));
  const own = new Set(drafts.map(keyOf));
  const isWhole = first.number === order;
  const pos = made.filter(
    (one) =>
      // One file can split an order with SDQ into several sets, each with its own stores.
      (one.interchangeId !== interchangeId || (one.number === order) !== isWhole) &&
      !own.has(keyOf(one)) &&
      added.some(({ sellerId }) => sellerId === one.sellerId),
  );
  if (pos.length === 0) return undefined;
  return { pos, isRepeated: added.length < drafts.length || pos.some(({ number }) => (number === order) !== isWhole) };
}

/** Names at most three POs. */
function namesOf(pos: readonly Resource[]): string {
  const names = pos.slice(0, 3).map(({ number }) => number);
  return [...names, ...(pos.length > 3 ? [`${pos.length - 3} more`] : [])].join(', ');
}

/** The shipments that a partner has announced and can still replace and void. */
const announcedBy = (db: Reader, clientId: string, partnerId: string) =>
  db
    .selectFrom('edi_shipments as e')
    .innerJoin('inbound_shipments as s', (on) =>
      on
        .onRef('s.client_id', '=', 'e.client_id')
        .onRef('s.seller_id', '=', 'e.seller_id')
        .onRef('s.type', '=', 'e.type')
        .onRef('s.number', '=', 'e.number')
        .onRef('s.message_id', '=', 'e.message_id'),
    )
    .where('e.client_id', '=', clientId)
    .where('e.partner_id', '=', partnerId);

/**
 * Completes the draft of an ASN that is replaced or voided. A void can have no location, and a replacement can name a
 * location of another seller. So if the partner announced the number only for other sellers, their ASNs are voided.
 */
async function completedAsn(
  db: Reader,
  clientId: string,
  draft: PreparedDraft,
  partnerId: string,
): Promise<readonly PreparedDraft[]> {
  const { sellers = [], type, number, numberPlace, sellerId } = draft;
  if (sellers.length < 2) return [draft];
  const made = await announcedBy(db, clientId, partnerId)
    .select('e.seller_id')
    .where('e.seller_id', 'in', sellers)
    .where('e.type', '=', type)
    .where('e.number', '=', number)
    .orderBy('e.seller_id')
    .execute();
  if (made.length === 0 || made.some(({ seller_id }) => seller_id === sellerId)) return [draft];
  const voids = made.map(({ seller_id }) => {
    return { type, number, sellerId: seller_id, numberPlace, intent: 'VOID' as const, needsOld: false };
  });
  return draft.intent === 'VOID' ? voids : [...voids, draft];
}

/**
 * Returns the POs that the sets of an order announced, and that the partner can still replace and void. Reads the
 * existing POs first: an order of many stores can have many earlier sets.
 */
async function announcedFor(
  db: Reader,
  clientId: string,
  order: string,
  partnerId: string,
): Promise<(Resource & { interchangeId: string })[]> {
  const sets = setsOf(db, clientId, order, partnerId);
  const rows = await announcedBy(db, clientId, partnerId)
    .select(['e.interchange_id', 'e.seller_id', 'e.number'])
    .where('e.type', '=', 'PO')
    .where('e.number', '>=', order)
    .where('e.number', '<', `${order}.`)
    .where('e.interchange_id', 'in', sets.select('interchange_id'))
    .execute();
  if (rows.length === 0) return [];
  const keyOf = (...names: string[]) => JSON.stringify(names);
  const existing = new Set(rows.map((row) => keyOf(row.interchange_id, row.seller_id, row.number)));
  const made = await sets
    .select(['interchange_id', 'resources'])
    .where('interchange_id', 'in', [...new Set(rows.map((row) => row.interchange_id))])
    .orderBy('interchange_id')
    .orderBy('position')
    .execute();
  return made.flatMap(({ interchange_id, resources }) =>
    readJson<Resource[]>(resources)
      .filter(({ sellerId, number }) => existing.has(keyOf(interchange_id, sellerId, number)))
      .map((resource) => ({ ...resource, interchangeId: interchange_id })),
  );
}

/**
 * Selects the accepted sets of an order. Version 0.5.0 stored a set of one store under the number of its PO. The file
 * of such a set has the number of the order as an element, but not the number of the PO.
 */
function setsOf(db: Reader, clientId: string, order: string, partnerId: string) {
  const hasElement = (number: Expression<string>) => sql<boolean>`exists (
    select 1 from edi_interchanges i
    where i.client_id = edi_sets.client_id and i.interchange_id = edi_sets.interchange_id and i.partner_id = ${partnerId}
      and i.content like '%' || substr(i.content, 4, 1) || ${number} || substr(i.content, 4, 1) || '%')`;
  return (
    db
      .selectFrom('edi_sets')
      .where('client_id', '=', clientId)
      .where('set_id', 'in', ['850', '860'])
      .where('outcome', '=', 'ACCEPTED')
      // One range of the index has both kinds of numbers, because '.' follows '-'.
      .where('number', '>=', order)
      .where('number', '<', `${order}.`)
      .where((is) =>
        is.or([
          is('number', '=', order),
          is.and([
            is('number', '>', `${order}-`),
            hasElement(sql`cast(${order} as text)`),
            is.not(hasElement(is.ref('edi_sets.number').$notNull())),
          ]),
        ]),
      )
  );
}

/**
 * Announces, replaces or voids one shipment. Returns whether the shipment now has the state that the draft intends.
 * `voided` has the shipments that earlier drafts of the set void, by number: a replacement can name another seller than
 * the old shipment, which a separate draft then voids.
 */
async function bookDraft(
  ctx: Ctx,
  client: Pick<ClientRow, 'client_id' | 'catalog_ids'>,
  meaning: Meaning,
  draft: PreparedDraft,
  {
    source,
    isSuperseded,
    voided,
  }: { source: Source; isSuperseded: () => Promise<boolean>; voided: Map<string, InboundShipmentRow> },
): Promise<boolean> {
  const { type, number, sellerId, intent, numberPlace, stored } = draft;
  const name = `${type} ${number}`;
  const found = await findShipment(ctx.db, { clientId: client.client_id, sellerId, type, number });
  const holder = found && (await lockShipment(ctx.db, found));
  const isKnown = holder !== undefined && (intent === 'ANNOUNCE' || !(await isOf(ctx.db, holder, source.partnerId)));
  // Partners of one seller number their shipments independently, so a partner replaces and voids only its own
  // shipments.
  const old = isKnown ? undefined : holder;
  if (intent === 'VOID' && old !== undefined) voided.set(number, old);
  if (intent !== 'ANNOUNCE') {
    if (old === undefined && (intent === 'VOID' || draft.needsOld)) {
      meaning.add(type === 'PO' ? 'ORDER_NOT_FOUND' : 'PURPOSE', numberPlace, `There is no ${name} of this sender`);
      return false;
    }
    if (old !== undefined && stored !== undefined && stored.content.hash === old.content_hash) {
      meaning.note('NUMBER_KNOWN', numberPlace, `${name} is known with the same content`);
      return true;
    }
  }
  if ((intent !== 'ANNOUNCE' || holder === undefined) && (await isSuperseded())) {
    meaning.add('SUPERSEDED', numberPlace, `A later set of this sender for ${name} was accepted`);
    return false;
  }
  if (intent !== 'ANNOUNCE') {
    if (old !== undefined && old.status !== 'EXPECTED') {
      meaning.add('BEGUN', numberPlace, `${name} cannot be replaced or voided: goods were received against it`);
      return false;
    }
    // If the new message cannot be stored, the old shipment remains.
    if (old !== undefined && (intent === 'VOID' || stored !== undefined))
      await voidShipment(ctx, client, { ...old, type });
    if (intent === 'VOID') return true;
    if (holder === undefined && !voided.has(number))
      meaning.note('PURPOSE', numberPlace, `There was no ${name} to replace; it is announced`);
  }
  const row = await announceDraft(ctx, client.client_id, meaning, draft, {
    isKnown,
    replaced: old ?? (intent === 'ANNOUNCE' ? undefined : voided.get(number)),
  });
  if (row !== undefined && !isKnown) await linkShipment(ctx, row, type, source);
  return row !== undefined;
}

/**
 * Whether the service has accepted a later set of the partner for the same number. Later means further on in the same
 * interchange, or in a later interchange. A set that is processed late must not undo the later set. ASNs of two sellers
 * can have the same number, so a later 856 counts only if it has announced or voided an ASN of these sellers.
 */
async function hasLaterSet(
  db: Reader,
  clientId: string,
  { meaning, drafts }: Pick<PreparedSet, 'meaning' | 'drafts'>,
  { interchangeId, partnerId, createdAt, position }: Source,
): Promise<boolean> {
  const isAsn = meaning.file.set.setId === '856';
  const sellers = new Set(drafts.map(({ sellerId }) => sellerId));
  const later = await db
    .selectFrom('edi_sets as s')
    .innerJoin('edi_interchanges as i', (on) =>
      on.onRef('i.client_id', '=', 's.client_id').onRef('i.interchange_id', '=', 's.interchange_id'),
    )
    .select('s.resources')
    .where('s.client_id', '=', clientId)
    .where('s.set_id', 'in', isAsn ? ['856'] : ['850', '860'])
    .where('s.number', '=', drafts[0]!.order ?? drafts[0]!.number)
    .where('s.outcome', '=', 'ACCEPTED')
    .where('i.direction', '=', 'IN')
    .where('i.usage', '=', 'P')
    .where('i.partner_id', '=', partnerId)
    .where((is) =>
      is.or([
        is('i.created_at', '>', createdAt),
        // Ids rise with the time of their creation.
        is.and([is('i.created_at', '=', createdAt), is('i.interchange_id', '>', interchangeId)]),
        is.and([is('i.interchange_id', '=', interchangeId), is('s.position', '>', position)]),
      ]),
    )
    .execute();
  return later.some(
    ({ resources }) => !isAsn || readJson<Resource[]>(resources).some(({ sellerId }) => sellers.has(sellerId)),
  );
}

async function announceDraft(
  ctx: Ctx,
  clientId: string,
  meaning: Meaning,
  { type, number, sellerId, numberPlace, reading, stored, message }: PreparedDraft,
  { isKnown, replaced }: { isKnown: boolean; replaced: InboundShipmentRow | undefined },
): Promise<InboundShipmentRow | undefined> {
  if (reading === undefined || message === undefined) return undefined;
  // The transaction can be retried. Errors of one attempt must not be added to the reading.
  const fresh = { ...reading, errors: reading.errors.copy() };
  try {
    const row = await announce(ctx, { clientId, sellerId }, fresh, stored, replaced);
    if (isKnown) meaning.note('NUMBER_KNOWN', numberPlace, `${type} ${number} is known with the same content`);
    return row;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    addErrors(meaning, message.places, numberPlace, fresh.errors.all());
    return undefined;
  }
}

/** Adds the errors of a message as findings, each at the segment of its field. */
function addErrors(meaning: Meaning, places: Places, otherwise: Place, errors: readonly InboundError[]): void {
  for (const one of errors) {
    // The mapping has added a finding for a missing field already.
    if (one.rule === 'required') continue;
    meaning.add(codeOf(one), placeAt(places, one.pointer, otherwise), wordsOf(one), { pointer: one.pointer });
  }
}

/** Returns the findings of the rules that need no database. Items, stores, orders and earlier sets are not checked. */
export function judgeForm({ meaning, drafts }: PreparedSet): Meaning {
  const judged = meaning.copy();
  for (const { message, reading, numberPlace } of drafts) {
    if (message !== undefined && reading !== undefined)
      addErrors(judged, message.places, numberPlace, reading.errors.all());
  }
  return judged;
}

/** Whether the partner announced the shipment, and no other message has replaced it since. */
async function isOf(db: Reader, shipment: InboundShipmentRow, partnerId: string): Promise<boolean> {
  return (await cameByEdi(db, shipment)).edi?.partnerId === partnerId;
}

/** Records which interchange and partner a shipment is from. */
async function linkShipment(
  { db }: Pick<Ctx, 'db'>,
  { client_id, seller_id, number, message_id }: InboundShipmentRow,
  type: Draft['type'],
  { interchangeId, partnerId }: Pick<Source, 'interchangeId' | 'partnerId'>,
): Promise<void> {
  const link = { message_id, interchange_id: interchangeId, partner_id: partnerId };
  await db
    .insertInto('edi_shipments')
    .values({ client_id, seller_id, type, number, ...link })
    .onConflict((on) => on.columns(['client_id', 'seller_id', 'type', 'number']).doUpdateSet(link))
    .execute();
}

const CODES: Readonly<Record<string, FindingCode>> = {
  STORE_NOT_FOUND: 'STORE_NOT_FOUND',
  WAREHOUSE_NOT_FOUND: 'WAREHOUSE_NOT_FOUND',
  ITEM_NOT_FOUND: 'ITEM_NOT_FOUND',
  NUMBER_ALREADY_USED: 'NUMBER_TAKEN',
  CARTON_ALREADY_ANNOUNCED: 'CARTON_ALREADY_ANNOUNCED',
};

function codeOf({ code = '' }: InboundError): FindingCode {
  return CODES[code] ?? 'INVALID_VALUE';
}

/** Returns the message of an error without the hints for senders of JSON. */
function wordsOf({ message, code }: InboundError): string {
  const words = String(message)
    .replace(/ \[[^\]]*\]$/, '')
    .replace(/^Line \d+: /, '');
  // The hint names operations that a partner cannot call.
  return code === 'NUMBER_ALREADY_USED' ? words.replace(/; send it under another number, .*$/, '') : words;
}
