import { usedOtherwise } from '../kernel/commands.ts';
import { KINDS } from '../kernel/inbound.ts';
import { belowZeroRefusal } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import type { Ctx } from '../platform/ctx.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { type FieldError, type FieldErrors, fieldError } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import { Booking, saveBooking } from './booking.ts';
import { recordApproved } from './inbound-events.ts';
import { refusalOf, requireOpen } from './inbound-refusals.ts';
import { inboundType, OfSeller } from './path.ts';
import { ApproveMessage, stateReply } from './receipt-schema.ts';
import { contentHash, findEntries, findFact, findFacts, matchedOf } from './receipts-store.ts';
import {
  keyOf,
  keyState,
  type Loaded,
  loadShipment,
  lockOfNode,
  type ShipmentKeys,
  showKey,
  showSums,
} from './shipment.ts';

/** Decides held units. */
export const approveInbound = writeOperation({
  id: 'approveInbound',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/{type}/{number}/approve',
  auth: 'operatorOrApiKey',
  group: 'stock',
  permission: 'receipts.approve',
  repeat: 'same',
  summary: 'Decide held units',
  description:
    'Turns held units into good, damaged or refused ones; never more than are held. Where the client has `receiving.fourEyes`, whoever received held units of a line does not decide them, nor does whoever took the item in without papers, where a match brought it. The same `approvalId` again is a repeat.',
  query: OfSeller,
  body: ApproveMessage,
  replies: { 200: { description: 'The sums and the state as they are now', schema: stateReply } },
  refusals: {
    400: 'BELOW_ZERO: more is decided than is held; `errors` lists every line.',
    404: 'The node has no such shipment.',
    409: 'APPROVAL_NEEDED: somebody else must decide; NOT_OPEN: it is closed; AMBIGUOUS_NUMBER; or CONFLICT: the id was used with other content.',
  },
  errors: 'problem',
  rules(_ctx, { body: { lines } }, errors) {
    lineErrors(lines ?? [], errors);
  },
  async handle(ctx, { params, clientId, client, node, query, body }) {
    const { approvalId, userId, lines } = body;
    const named = { clientId, node, type: inboundType(params.type), number: params.number, sellerId: query.sellerId };
    const isBooked = async (keys: ShipmentKeys) => (await findFact(ctx.db, keys, 'APPROVAL', approvalId)) !== undefined;
    const row = await lockOfNode(ctx, { ...named, isBooked });
    const hash = contentHash(body);
    const before = await findFact(ctx.db, row, 'APPROVAL', approvalId);
    const loaded = await loadShipment(ctx, client, row);
    if (before !== undefined) {
      if (before.content_hash !== hash) throw usedOtherwise('approvalId', approvalId);
      return reply(200, { sums: showSums(loaded), state: row.status });
    }
    requireOpen(row, 'approve');
    refuseMoreThanHeld(loaded, lines);
    if ((await findSettings(ctx.db, clientId)).receiving.fourEyes) await refuseOwn(ctx, loaded, body);
    const booking = new Booking(loaded, 'APPROVAL');
    for (const { cartonId = '', itemId, good = 0, damaged = 0, refused = 0, to = node.receive_to, location } of lines) {
      const key = keyOf(loaded, cartonId, itemId);
      booking.decide({ key, units: { good, damaged, refused }, place: to, location });
    }
    const fact = { kind: 'APPROVAL' as const, id: approvalId, userId, at: ctx.now, hash, doc: {} };
    const saved = await saveBooking(ctx, booking, fact, new Map());
    await recordApproved(ctx, saved.row, approvalId, userId, booking);
    return reply(200, { sums: showSums(loaded), state: saved.row.status });
  },
});

type Lines = ValidPart<ApproveMessage>['lines'];

function lineErrors(lines: NonNullable<Lines>, errors: FieldErrors): void {
  for (const [index, line] of lines.entries()) {
    if (line === undefined) continue;
    const place = `/lines/${index}`;
    const kinds = ['good', 'damaged', 'refused'] as const;
    if (kinds.every((kind) => line[kind] === undefined && !errors.isBad(`${place}/${kind}`))) {
      errors.add(place, 'nothing', 'the line says nothing: send good, damaged or refused');
    }
    if (line.to !== undefined && line.good === undefined && !errors.isBad(`${place}/good`)) {
      errors.add(`${place}/to`, 'place', 'to is for good units only, and the line has none; leave it out');
    }
  }
}

/** @throws Refusal 400 BELOW_ZERO with every key of which more is decided than is held. */
function refuseMoreThanHeld(loaded: Loaded, lines: ApproveMessage['lines']): void {
  const wanted = new Map<string, { index: number; units: number; held: number; itemId: string }>();
  for (const [index, { cartonId = '', itemId, good = 0, damaged = 0, refused = 0 }] of lines.entries()) {
    const key = keyOf(loaded, cartonId, itemId);
    const before = wanted.get(key.id)?.units ?? 0;
    const units = before + good + damaged + refused;
    wanted.set(key.id, { index, units, held: keyState(loaded, key).held, itemId });
  }
  const errors: FieldError[] = [...wanted.values()]
    .filter(({ units, held }) => units > held)
    .map(({ index, units, held, itemId }) =>
      fieldError(
        `/lines/${index}`,
        'BELOW_ZERO',
        `${units} units of item ${itemId} are decided, and ${held} are held; decide at most ${held}`,
        held,
      ),
    );
  if (errors.length > 0) throw belowZeroRefusal(errors);
}

/** @throws Refusal 409 APPROVAL_NEEDED where the user received held units that are decided. */
async function refuseOwn(ctx: Ctx, loaded: Loaded, { userId, lines }: ApproveMessage): Promise<void> {
  const held = Map.groupBy(
    (await findEntries(ctx.db, loaded.row)).filter((entry) => entry.held > 0),
    ({ position }) => position,
  );
  const received = new Set<string>();
  for (const fact of await findFacts(ctx.db, loaded.row)) {
    const entries = held.get(fact.position) ?? [];
    if (fact.kind === 'APPROVAL' || entries.length === 0) continue;
    // What a match brought was received before.
    const items = fact.kind === 'MATCH' ? await itemsReceivedBy(ctx, matchedOf(fact, loaded.row), userId) : undefined;
    for (const { carton_id: cartonId, item_id: itemId } of entries) {
      if (fact.user_id === userId || items?.has(itemId)) received.add(keyOf(loaded, cartonId, itemId).id);
    }
  }
  const keys = lines
    .map(({ cartonId = '', itemId }) => keyOf(loaded, cartonId, itemId))
    .filter(({ id }) => received.has(id));
  if (keys.length === 0) return;
  throw refusalOf({
    code: 'APPROVAL_NEEDED',
    description: `${userId} received held units of item ${keys[0]!.itemId}; somebody else must approve them.`,
    extra: { lines: keys.map(showKey) },
  });
}

/** Items of a shipment of which the user received units. */
async function itemsReceivedBy({ db }: Ctx, shipment: ShipmentKeys, userId: string): Promise<Set<string>> {
  const facts = await findFacts(db, shipment);
  const own = new Set(
    facts.filter((fact) => fact.kind === 'RECEIPT' && fact.user_id === userId).map(({ position }) => position),
  );
  const entries = own.size === 0 ? [] : await findEntries(db, shipment);
  return new Set(
    entries
      .filter((entry) => own.has(entry.position) && KINDS.some((kind) => entry[kind] > 0))
      .map((entry) => entry.item_id),
  );
}
