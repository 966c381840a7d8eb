import { record } from '../events/record.ts';
import { findItemIds } from '../items/find.ts';
import { usedOtherwise } from '../kernel/commands.ts';
import { arrived, type Booked, belowZero, KINDS } from '../kernel/inbound.ts';
import { belowZeroRefusal } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { findWanted } from '../kernel/wanted.ts';
import type { Ctx, ReadCtx } from '../platform/ctx.ts';
import { badRequest, Refusal } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { type FieldError, type FieldErrors, fieldError } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { ClientRow, InboundShipmentRow, NodeRow } from '../platform/storage/tables.ts';
import { formatDateTime, MINUTE_MS, parseDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import { findAnnounced, type Key, keyId } from './announced.ts';
import { Booking, type CartonWork, type Entry, findCartonWork, saveBooking, wholeUnits } from './booking.ts';
import { ambiguousCarton, blockOfCarton, contentOf, findAnnouncers } from './elsewhere.ts';
import { recordReceipt } from './inbound-events.ts';
import { type InboundBlock, refusalOfAll, requireOpen } from './inbound-refusals.ts';
import { findOpenAsns } from './orders.ts';
import { inboundType, OfSeller } from './path.ts';
import { ENTRIES_MAX, ReceiptMessage, receiptReply, WANTED_MAX } from './receipt-schema.ts';
import { contentHash, findEntriesOf, findFact, lastReceiptOf, showReceipt } from './receipts-store.ts';
import { itemIdOf } from './rules.ts';
import { INBOUND_TYPES } from './schema.ts';
import {
  findReceivedItems,
  keyOf,
  keyState,
  type Loaded,
  loadShipment,
  lockOfNode,
  type Named,
  showSums,
  sumsOfCarton,
} from './shipment.ts';
import { readHeaderDoc, resourceIdOf } from './store.ts';

/** Receives, or corrects what was received: the one write of arrived goods. */
export const receiveInbound = writeOperation({
  id: 'receiveInbound',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/{type}/{number}/receipts',
  auth: 'operatorOrApiKey',
  group: 'receiving',
  permission: 'receive',
  offline: true,
  repeat: 'same',
  summary: 'Receive goods, or correct a receipt',
  description: `Books what arrived: cartons scanned whole (\`as\` books what is open of them) and counted units, at most 1,000 together.
Quantities are what this receipt brings, no running totals, so receipts may come in any order; the same \`receiptId\` with the same
content is a repeat (200), with other content it is rejected. Goods that stand there are never rejected for their number: good units
beyond what was announced and the client's tolerance are booked as held until somebody approves them. What was not announced at all
needs \`unannounced\`. A whole scan and counts of one carton exclude each other. Nothing is ever edited: \`corrects\` names a receipt,
and its lines may be negative; no sum falls below zero. The reply names open orders that want the items (\`wanted\`).`,
  query: OfSeller,
  body: ReceiptMessage,
  replies: {
    200: { description: 'This receipt was booked before.', schema: receiptReply },
    201: { description: 'The receipt, the sums of the shipment and its state.', schema: receiptReply },
  },
  refusals: {
    404: 'The node has no such shipment.',
    409: 'CARTON_ALREADY_RECEIVED, CARTON_HELD_BY, CARTON_AMBIGUOUS, CARTON_ELSEWHERE, UNANNOUNCED (`refusals` lists all of them), NOT_OPEN, AMBIGUOUS_NUMBER, or CONFLICT: the id was used with other content.',
  },
  errors: 'problem',
  async rules(ctx, { params, clientId, client, node, query, body }, errors) {
    formErrors(body, errors);
    const type = INBOUND_TYPES.find((one) => one === params.type);
    const named =
      type &&
      withRepeats(ctx, { clientId, node, type, number: params.number, sellerId: query.sellerId }, body.receiptId);
    const row = named && (await lockOfNode(ctx, named).catch(whereRefused));
    if (row === undefined) return undefined;
    return { row, itemIds: await resolveItems(ctx, client, row, body, errors) };
  },
  async handle(ctx, { params, clientId, client, node, query, body, found }) {
    const type = inboundType(params.type);
    const named = withRepeats(
      ctx,
      { clientId, node, type, number: params.number, sellerId: query.sellerId },
      body.receiptId,
    );
    // Where the rules found none, this says why.
    const { row, itemIds } = found ?? { row: await lockOfNode(ctx, named), itemIds: [] };
    const { at: _at, ...content } = body;
    const hash = contentHash(content);
    const before = await findFact(ctx.db, row, 'RECEIPT', body.receiptId);
    const loaded = await loadShipment(ctx, client, row);
    if (before !== undefined) {
      if (before.content_hash !== hash) throw usedOtherwise('receiptId', body.receiptId);
      const receipt = showReceipt(loaded, before, await findEntriesOf(ctx.db, before));
      return reply(200, { receipt, sums: showSums(loaded), state: row.status });
    }
    requireOpen(row, body.corrects === undefined ? 'receive' : 'correct');
    await requireCorrected(ctx, row, body.corrects);
    const settings = await findSettings(ctx.db, clientId);
    const receiving = new Receiving(ctx, node, settings, loaded, body, itemIds);
    const repeated = await receiving.book();
    if (repeated !== undefined) return repeated;
    const { booking, cartons } = receiving;
    const saved = await saveBooking(
      ctx,
      booking,
      {
        kind: 'RECEIPT',
        id: body.receiptId,
        userId: body.userId,
        at: body.at === undefined ? ctx.now : parseDateTime(body.at),
        corrects: body.corrects,
        hash,
        doc: { cartons: body.cartons, unannounced: body.unannounced === true ? true : undefined },
      },
      cartons,
    );
    await recordReceipt(ctx, saved, body, booking);
    const receipt = showReceipt(loaded, saved.fact, saved.entries);
    const items = receipt.lines.filter(({ good }) => good > 0).map(({ itemId }) => itemId);
    const wanted = await findWanted(
      ctx,
      { clientId, nodeId: node.node_id, storeIds: ctx.actor.storeIds },
      items,
      WANTED_MAX,
    );
    return reply(201, { receipt: { ...receipt, wanted }, sums: showSums(loaded), state: saved.row.status });
  },
});

/** Without a receiptId that can be read there is nothing to repeat. */
function withRepeats({ db }: Ctx, named: Named, receiptId: string | undefined): Named {
  if (receiptId === undefined) return named;
  return { ...named, isBooked: async (keys) => (await findFact(db, keys, 'RECEIPT', receiptId)) !== undefined };
}

function whereRefused(error: unknown): undefined {
  if (error instanceof Refusal) return undefined;
  throw error;
}

type Message = ValidPart<ReceiptMessage>;

/** What a schema cannot say of a receipt. */
function formErrors({ cartons, lines, corrects, unannounced: _ }: Message, errors: FieldErrors): void {
  const count = (cartons?.length ?? 0) + (lines?.length ?? 0);
  if (count === 0 && !errors.isBad('/lines') && !errors.isBad('/cartons')) {
    errors.add('', 'nothing', 'the receipt says nothing: send cartons or lines');
  }
  if (count > ENTRIES_MAX) {
    errors.add('', 'maxItems', `the receipt has ${count} cartons and lines; send at most ${ENTRIES_MAX}`, ENTRIES_MAX);
  }
  const whole = new Map<string, number>();
  for (const [index, carton] of (cartons ?? []).entries()) {
    const place = `/cartons/${index}`;
    const id = carton?.cartonId;
    if (corrects !== undefined) {
      errors.add(place, 'correction', 'a correction has lines only: take the carton back with negative lines');
    }
    if (carton?.to !== undefined && carton.as !== undefined && carton.as !== 'GOOD') {
      errors.add(`${place}/to`, 'place', 'to is for good units only; leave it out');
    }
    if (id === undefined) continue;
    const first = whole.get(id);
    if (first === undefined) whole.set(id, index);
    else
      errors.add(
        `${place}/cartonId`,
        'uniqueItems',
        `carton ${JSON.stringify(id)} stands at /cartons/${first} too; send it once`,
      );
  }
  for (const [index, line] of (lines ?? []).entries()) {
    if (line !== undefined)
      lineErrors(line, `/lines/${index}`, { isCorrection: corrects !== undefined, whole }, errors);
  }
}

function lineErrors(
  line: NonNullable<NonNullable<Message['lines']>[number]>,
  place: string,
  { isCorrection, whole }: { isCorrection: boolean; whole: ReadonlyMap<string, number> },
  errors: FieldErrors,
): void {
  const hasItem = line.itemId !== undefined || errors.isBad(`${place}/itemId`);
  const hasClientItem = line.clientItemId !== undefined || errors.isBad(`${place}/clientItemId`);
  if (!hasItem && !hasClientItem)
    errors.add(`${place}/itemId`, 'required', 'say which item it is: send itemId or clientItemId');
  if (KINDS.every((kind) => (line[kind] ?? 0) === 0 && !errors.isBad(`${place}/${kind}`))) {
    errors.add(place, 'nothing', 'the line says nothing: send good, damaged, refused or held other than 0');
  }
  for (const kind of KINDS) {
    if (isCorrection || (line[kind] ?? 0) >= 0) continue;
    const message = `${kind} is ${line[kind]}; send 0 or more, or name the receipt that this corrects in corrects`;
    errors.add(`${place}/${kind}`, 'minimum', message, 0);
  }
  if (line.to !== undefined && (line.good ?? 0) === 0 && !errors.isBad(`${place}/good`)) {
    errors.add(`${place}/to`, 'place', 'to is for good units only, and the line has none; leave it out');
  }
  const scanned = line.cartonId === undefined ? undefined : whole.get(line.cartonId);
  if (scanned !== undefined) {
    const message = `carton ${JSON.stringify(line.cartonId)} is scanned whole at /cartons/${scanned}; either scan it whole or count it`;
    errors.add(`${place}/cartonId`, 'carton', message);
  }
}

/** The item of each line; errors where there is none, or where it cannot be received in this way. */
async function resolveItems(
  ctx: ReadCtx,
  client: ClientRow,
  row: InboundShipmentRow,
  { cartons, lines = [] }: Message,
  errors: FieldErrors,
): Promise<string[]> {
  const { keys } = await findAnnounced(ctx, row);
  const announced = new Set([...keys.values()].map(({ itemId }) => itemId));
  const catalogs =
    row.type === 'BLIND' ? (JSON.parse(client.catalog_ids) as string[]) : [readHeaderDoc(row.doc).catalogId];
  const candidates = lines.map((line) => {
    if (line?.itemId !== undefined) return [line.itemId];
    return line?.clientItemId === undefined ? [] : catalogs.map((catalogId) => itemIdOf(catalogId, line.clientItemId!));
  });
  const asked = [...new Set(candidates.flat())].filter((id) => !announced.has(id));
  const known = await findItemIds(ctx, row.client_id, asked);
  // What was received once stays known, also when its item has gone since.
  const isWhole = asked.every((id) => known.has(id));
  const received = isWhole ? [] : await findReceivedItems(ctx.db, row);
  const exists = new Set([...announced, ...known, ...received]);
  if (row.type === 'PO') {
    for (const index of (cartons ?? []).keys()) poErrors(`/cartons/${index}`, errors);
    for (const [index, line] of lines.entries())
      if (line?.cartonId !== undefined) poErrors(`/lines/${index}/cartonId`, errors);
  }
  return lines.map((line, index) => {
    const place = `/lines/${index}`;
    const found = candidates[index]!.filter((id) => exists.has(id));
    const [itemId = ''] = found;
    if (line === undefined || candidates[index]!.length === 0) return itemId;
    if (line.itemId === undefined) {
      const name = JSON.stringify(line.clientItemId);
      if (found.length === 0)
        errors.add(
          `${place}/clientItemId`,
          'item',
          `there is no item ${name}; put it into the catalog first, or correct clientItemId`,
        );
      if (found.length > 1)
        errors.add(
          `${place}/clientItemId`,
          'item',
          `${name} is an item of ${found.length} catalogs; send itemId, one of ${found.join(', ')}`,
        );
      return itemId;
    }
    if (found.length === 0)
      errors.add(
        `${place}/itemId`,
        'item',
        `there is no item ${JSON.stringify(line.itemId)}; put it into the catalog first, or correct itemId`,
      );
    if (line.clientItemId !== undefined && !line.itemId.endsWith(`-${line.clientItemId}`)) {
      errors.add(
        `${place}/clientItemId`,
        'item',
        `clientItemId ${JSON.stringify(line.clientItemId)} is not that of itemId ${JSON.stringify(line.itemId)}; send one of both`,
      );
    }
    return itemId;
  });
}

function poErrors(place: string, errors: FieldErrors): void {
  errors.add(place, 'carton', 'a PO has no cartons: send lines without cartonId');
}

/** @throws Refusal 400 where a correction names no receipt or match of the shipment. */
async function requireCorrected({ db }: Ctx, row: InboundShipmentRow, corrects: string | undefined): Promise<void> {
  if (corrects === undefined) return;
  for (const kind of ['RECEIPT', 'MATCH'] as const) {
    if ((await findFact(db, row, kind, corrects)) !== undefined) return;
  }
  const message = `${row.type} ${JSON.stringify(row.number)} has no receipt ${JSON.stringify(corrects)}; name one of its receipts`;
  throw badRequest([fieldError('/corrects', 'exists', message)]);
}

/** One receipt on its way into the sums. */
class Receiving {
  readonly booking: Booking;
  cartons: Map<string, CartonWork> = new Map();
  readonly #ctx: Ctx;
  readonly #settings: Settings;
  readonly #loaded: Loaded;
  readonly #body: ReceiptMessage;
  readonly #itemIds: readonly string[];
  readonly #place: 'SHELF' | 'STAGE';
  readonly #blocks: InboundBlock[] = [];

  constructor(
    ctx: Ctx,
    node: NodeRow,
    settings: Settings,
    loaded: Loaded,
    body: ReceiptMessage,
    itemIds: readonly string[],
  ) {
    this.booking = new Booking(loaded, body.corrects === undefined ? 'RECEIPT' : 'CORRECTION');
    this.#ctx = ctx;
    this.#settings = settings;
    this.#loaded = loaded;
    this.#body = body;
    this.#itemIds = itemIds;
    this.#place = node.receive_to;
  }

  /** Books everything, or answers why not; what it answers may have recorded that a carton came twice. */
  async book(): Promise<Refusal | undefined> {
    const { cartons = [], lines = [] } = this.#body;
    const ids = [...cartons, ...lines].flatMap(({ cartonId }) => cartonId ?? []);
    this.cartons = await findCartonWork(this.#ctx, this.#loaded.row, [...new Set(ids)]);
    const unknown = [...this.cartons.keys()].filter((id) => !this.#loaded.announced.cartons.has(id));
    const announcers = await findAnnouncers(this.#ctx, this.#loaded.row, unknown);
    await this.#refuseDirect();
    const whole: { keys: readonly Key[]; index: number }[] = [];
    for (const [index, { cartonId }] of cartons.entries()) {
      whole.push({ index, keys: await this.#wholeKeys(cartonId, announcers.get(cartonId) ?? []) });
    }
    const units = lines.map(
      (line): Booked => ({
        good: line.good ?? 0,
        damaged: line.damaged ?? 0,
        refused: line.refused ?? 0,
        held: line.held ?? 0,
      }),
    );
    for (const [index, { cartonId }] of lines.entries()) {
      await this.#checkLine(cartonId, this.#itemIds[index]!, announcers.get(cartonId ?? '') ?? []);
    }
    if (this.#blocks.length > 0) return await this.#refuse();
    this.#refuseBelowZero(units);
    for (const { keys, index } of whole) this.#bookWhole(cartons[index]!, keys);
    const entries = lines.map(({ cartonId = '', reason, to = this.#place, location }, index): Entry => {
      const key = keyOf(this.#loaded, cartonId, this.#itemIds[index]!);
      return { key, units: units[index]!, reason, place: to, location };
    });
    this.booking.add(...entries);
    for (const { cartonId } of lines) if (cartonId !== undefined) this.#countedBy(cartonId);
    // Nothing is judged before it is known what was announced.
    if (this.#loaded.row.type !== 'BLIND') this.booking.hold(this.#settings.receiving.over);
    return undefined;
  }

  /** Goods of a PO that its ASNs announce are received with these. */
  async #refuseDirect(): Promise<void> {
    const { row } = this.#loaded;
    if (row.type !== 'PO' || this.#body.unannounced === true || this.#body.corrects !== undefined) return;
    const asns = await findOpenAsns(this.#ctx.db, row);
    if (asns.length === 0) return;
    const listed = asns.map((number) => JSON.stringify(number)).join(', ');
    this.#blocks.push({
      code: 'UNANNOUNCED',
      description: `ASN ${listed} announces goods of PO ${JSON.stringify(row.number)}: receive them there, or send unannounced.`,
      extra: { asns },
    });
  }

  /** The keys that a whole scan books; none where it is refused. */
  async #wholeKeys(cartonId: string, announcers: readonly InboundShipmentRow[]): Promise<readonly Key[]> {
    const work = this.cartons.get(cartonId)!;
    const taken = await this.#takenBlock(work);
    if (taken !== undefined) {
      this.#blocks.push(taken);
      return [];
    }
    const keys = this.#loaded.announced.cartons.get(cartonId);
    if (keys !== undefined) return keys;
    const { row } = this.#loaded;
    if (announcers.length > 1) this.#blocks.push(ambiguousCarton(this.#ctx, cartonId, announcers));
    else if (this.#body.unannounced !== true && !(row.type === 'BLIND' && announcers.length === 0)) {
      this.#blocks.push(blockOfCarton(this.#ctx, row, cartonId, announcers));
    } else if (announcers.length === 1) return await contentOf(this.#ctx, announcers[0]!, cartonId);
    return [];
  }

  /** Why a carton may not be scanned whole: it was before, it was counted to its end, or somebody counts it. */
  async #takenBlock(work: CartonWork): Promise<InboundBlock | undefined> {
    const { carton_id: cartonId, whole_as: wholeAs, receipt_id: receiptId, user_id: userId, since } = work;
    if (wholeAs !== null) return receivedBefore(cartonId, { receiptId: receiptId!, userId: userId!, since: since! });
    const counted = arrived(sumsOfCarton(this.#loaded, cartonId)) > 0;
    if (!counted) return undefined;
    if (work.state === 'RECEIVED') {
      const last = (await lastReceiptOf(this.#ctx.db, this.#loaded.row, cartonId))!;
      return receivedBefore(cartonId, { receiptId: last.receipt_id, userId: last.user_id, since: last.at });
    }
    if (userId === null || work.holder_until === null || work.holder_until <= this.#ctx.now) return undefined;
    return {
      code: 'CARTON_HELD_BY',
      description: `${userId} counts carton ${JSON.stringify(cartonId)} since ${formatDateTime(since!)}; count its pieces, or wait.`,
      extra: { cartonId, userId, since: formatDateTime(since!) },
    };
  }

  async #checkLine(
    cartonId: string | undefined,
    itemId: string,
    announcers: readonly InboundShipmentRow[],
  ): Promise<void> {
    const { announced, row } = this.#loaded;
    const isCorrection = this.#body.corrects !== undefined;
    const work = cartonId === undefined ? undefined : this.cartons.get(cartonId);
    if (work !== undefined && work.whole_as !== null && !isCorrection) {
      const { receipt_id: receiptId, user_id: userId, since } = work;
      this.#blocks.push(receivedBefore(work.carton_id, { receiptId: receiptId!, userId: userId!, since: since! }));
      return;
    }
    const id = keyId(cartonId ?? '', itemId);
    if (announced.keys.has(id) || this.#body.unannounced === true || row.type === 'BLIND') return;
    // What was taken in once may be corrected.
    if (isCorrection && this.#loaded.others.has(id)) return;
    if (cartonId !== undefined && !announced.cartons.has(cartonId)) {
      this.#blocks.push(blockOfCarton(this.#ctx, row, cartonId, announcers));
      return;
    }
    const where =
      cartonId === undefined ? `${row.type} ${JSON.stringify(row.number)}` : `carton ${JSON.stringify(cartonId)}`;
    const hint =
      cartonId === undefined && row.type === 'ASN'
        ? 'name its carton, or take it with unannounced'
        : 'take it with unannounced if it stays';
    this.#blocks.push({
      code: 'UNANNOUNCED',
      description: `Item ${JSON.stringify(itemId)} is not announced in ${where}; ${hint}.`,
      extra: { ...(cartonId !== undefined && { cartonId }), itemId },
    });
  }

  /** Answers all refusals. That a carton came twice is recorded, so it is committed: the same number may be on two cartons. */
  async #refuse(): Promise<Refusal> {
    const { row } = this.#loaded;
    const { cartons = [], userId, receiptId } = this.#body;
    for (const { code, extra } of this.#blocks) {
      if (code !== 'CARTON_ALREADY_RECEIVED' || !cartons.some(({ cartonId }) => cartonId === extra['cartonId']))
        continue;
      await record(this.#ctx, {
        clientId: row.client_id,
        type: 'inbound.cartonRepeated',
        resource: 'inbound',
        resourceId: resourceIdOf(row),
        revision: row.revision,
        data: {
          sellerId: row.seller_id,
          nodeId: row.node_id,
          cartonId: String(extra['cartonId']),
          userId,
          receiptId,
          received: {
            receiptId: String(extra['receiptId']),
            userId: String(extra['userId']),
            since: String(extra['since']),
          },
        },
      });
    }
    return refusalOfAll(this.#blocks);
  }

  /** @throws Refusal 400 BELOW_ZERO with every sum that a correction would bring below zero. */
  #refuseBelowZero(units: readonly Booked[]): void {
    const { lines = [], corrects } = this.#body;
    if (corrects === undefined) return;
    const byKey = new Map<string, { key: Key; index: number; delta: Booked }>();
    for (const [index, { cartonId = '' }] of lines.entries()) {
      const key = keyOf(this.#loaded, cartonId, this.#itemIds[index]!);
      const delta = byKey.get(key.id)?.delta;
      byKey.set(key.id, { key, index, delta: delta === undefined ? units[index]! : plus(delta, units[index]!) });
    }
    const errors: FieldError[] = [];
    for (const { key, index, delta } of byKey.values()) {
      const state = keyState(this.#loaded, key);
      for (const kind of belowZero(state, delta)) {
        const message = `${kind} of item ${key.itemId} is ${state[kind]}, and ${delta[kind]} brings it below zero; take back at most ${state[kind]}`;
        errors.push(fieldError(`/lines/${index}/${kind}`, 'BELOW_ZERO', message, -state[kind]));
      }
    }
    if (errors.length > 0) throw belowZeroRefusal(errors);
  }

  #bookWhole(
    { cartonId, as, reason, to = this.#place, location }: NonNullable<ReceiptMessage['cartons']>[number],
    keys: readonly Key[],
  ): void {
    for (const { itemId, announced } of keys) {
      const key = keyOf(this.#loaded, cartonId, itemId);
      const open = Math.max(0, announced - arrived(keyState(this.#loaded, key)));
      if (open > 0) this.booking.add({ key, units: wholeUnits(as, open), reason, place: to, location });
    }
    const { receiptId, userId } = this.#body;
    this.cartons.set(cartonId, {
      ...this.cartons.get(cartonId)!,
      whole_as: as,
      receipt_id: receiptId,
      user_id: userId,
      since: this.#ctx.now,
      holder_until: null,
    });
  }

  /** The first who counts a carton holds it, and each count of his keeps it for as long as an idle ticket is kept. */
  #countedBy(cartonId: string): void {
    const work = this.cartons.get(cartonId)!;
    if (work.whole_as !== null || this.#body.corrects !== undefined) return;
    const { now } = this.#ctx;
    const { userId } = this.#body;
    const isFree = work.user_id === null || work.holder_until === null || work.holder_until <= now;
    if (!isFree && work.user_id !== userId) return;
    const until = now + this.#settings.pickTicketIdleMinutes * MINUTE_MS;
    const since = isFree ? now : work.since;
    this.cartons.set(cartonId, { ...work, user_id: userId, since, holder_until: until });
  }
}

function plus(a: Booked, b: Booked): Booked {
  return {
    good: a.good + b.good,
    damaged: a.damaged + b.damaged,
    refused: a.refused + b.refused,
    held: a.held + b.held,
  };
}

function receivedBefore(cartonId: string, by: { receiptId: string; userId: string; since: number }): InboundBlock {
  const since = formatDateTime(by.since);
  return {
    code: 'CARTON_ALREADY_RECEIVED',
    description: `Carton ${JSON.stringify(cartonId)} was received by ${by.userId} at ${since} (receipt ${JSON.stringify(by.receiptId)}); correct that receipt if it is wrong.`,
    extra: { cartonId, receiptId: by.receiptId, userId: by.userId, since },
  };
}
