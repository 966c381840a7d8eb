import { usedOtherwise } from '../kernel/commands.ts';
import { added, NO_SUMS, type Sums, sumsOf, toleranceOf } from '../kernel/inbound.ts';
import { findSettings } from '../kernel/settings.ts';
import type { Ctx } from '../platform/ctx.ts';
import { Refusal } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { FIELD_ERRORS_MAX, fieldError } from '../platform/message/field-errors.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import type { Key } from './announced.ts';
import { updateShipment } from './booking.ts';
import { recordClosed } from './inbound-events.ts';
import { refusalOf, requireOpen } from './inbound-refusals.ts';
import { inboundType, OfSeller } from './path.ts';
import { CloseMessage, type InboundStatement, inboundStatement } from './receipt-schema.ts';
import { contentHash, findEntries, findStatement, insertStatement } from './receipts-store.ts';
import {
  allKeys,
  keyOf,
  keyState,
  keysOfShipment,
  type Loaded,
  loadShipment,
  lockOfNode,
  type ShipmentKeys,
  showKey,
} from './shipment.ts';

/** Closes a shipment: what is open is short, and a statement says what came. */
export const closeInbound = writeOperation({
  id: 'closeInbound',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/{type}/{number}/close',
  auth: 'operatorOrApiKey',
  group: 'receiving',
  permission: 'receipts.close',
  repeat: 'same',
  summary: 'Close a shipment and state what came',
  description: `Ends the receiving: what is open becomes short, cartons of which nothing came are MISSING, and the response is the statement
of every key. Shorts and overs beyond the client's tolerance and damaged units need a reason, of their receipts or here; one with a carton
alone is for the carton, one with neither carton nor item for all. Held units must be approved first. The same \`closeId\` again is a
repeat. A close after \`reopen\` makes the next version of the statement; older ones stay readable.`,
  query: OfSeller,
  body: CloseMessage,
  replies: { 200: { description: 'The statement', schema: inboundStatement } },
  refusals: {
    400: 'REASON_NEEDED: a short, an over or damaged units have no reason; `needed` lists all of them.',
    404: 'The node has no such shipment.',
    409: 'APPROVAL_NEEDED: units are held; NOT_OPEN: it is closed already; AMBIGUOUS_NUMBER; or CONFLICT: the id was used with other content.',
  },
  errors: 'problem',
  async handle(ctx, { params, clientId, client, node, query, body }) {
    const named = { clientId, node, type: inboundType(params.type), number: params.number, sellerId: query.sellerId };
    const isBooked = async (keys: ShipmentKeys) => (await findStatement(ctx.db, keys, body.closeId)) !== undefined;
    const row = await lockOfNode(ctx, { ...named, isBooked });
    const hash = contentHash(body);
    const before = await findStatement(ctx.db, row, body.closeId);
    if (before !== undefined) {
      if (before.content_hash !== hash) throw usedOtherwise('closeId', body.closeId);
      return reply(200, JSON.parse(before.doc));
    }
    requireOpen(row, 'close');
    const loaded = await loadShipment(ctx, client, row);
    const settings = await findSettings(ctx.db, clientId);
    const told = await reasonsOf(ctx, loaded);
    const reasons = body.reasons ?? [];
    refuseWithoutReason(loaded, settings, told, reasons);
    refuseHeld(loaded);
    const closed = {
      ...row,
      status: 'CLOSED' as const,
      revision: row.revision + 1,
      open_units: 0,
      cartons_done: row.cartons,
      statements: row.statements + 1,
    };
    loaded.row = closed;
    const statement = statementOf(ctx, loaded, body, told);
    await insertStatement(ctx, [
      {
        ...keysOfShipment(row),
        version: closed.statements,
        close_id: body.closeId,
        user_id: body.userId,
        closed_at: ctx.now,
        content_hash: hash,
        doc: JSON.stringify(statement),
      },
    ]);
    await updateShipment(ctx, closed);
    await recordClosed(ctx, closed, statement);
    return reply(200, statement);
  },
});

type Reasons = NonNullable<CloseMessage['reasons']>;

/** Reasons of what was booked of a key: all of them, and of the damaged units. */
interface Told {
  reasons: Set<string>;
  hasDamaged: boolean;
}

async function reasonsOf(ctx: Ctx, loaded: Loaded): Promise<Map<string, Told>> {
  const told = new Map<string, Told>();
  if (loaded.states.size === 0) return told;
  for (const entry of await findEntries(ctx.db, loaded.row)) {
    if (entry.reason === null) continue;
    const { id } = keyOf(loaded, entry.carton_id, entry.item_id);
    const own = told.get(id) ?? { reasons: new Set(), hasDamaged: false };
    own.reasons.add(entry.reason);
    own.hasDamaged ||= entry.damaged > 0;
    told.set(id, own);
  }
  return told;
}

/** Reasons of the close that are for a key. */
function reasonsFor({ cartonId, itemId }: Key, reasons: Reasons): string[] {
  return reasons
    .filter((one) => (one.cartonId ?? cartonId) === cartonId && (one.itemId ?? itemId) === itemId)
    .map(({ reason }) => reason);
}

/** What a key needs a reason for; goods without papers are judged once they are matched, but for damage. */
function needOf(
  loaded: Loaded,
  key: Key,
  { receiving }: Settings,
  told: Told | undefined,
): Partial<Record<'short' | 'over' | 'damaged', number>> {
  const { short, over, damaged } = sumsOf(key.announced, keyState(loaded, key), 'CLOSED');
  const isJudged = loaded.row.type !== 'BLIND';
  return {
    ...(isJudged && short > toleranceOf(key.announced, receiving.short) && { short }),
    ...(isJudged && over > toleranceOf(key.announced, receiving.over) && { over }),
    ...(damaged > 0 && told?.hasDamaged !== true && { damaged }),
  };
}

/** @throws Refusal 400 REASON_NEEDED with every key that needs one. */
function refuseWithoutReason(
  loaded: Loaded,
  settings: Settings,
  told: ReadonlyMap<string, Told>,
  reasons: Reasons,
): void {
  const needed: object[] = [];
  for (const key of allKeys(loaded)) {
    const need = needOf(loaded, key, settings, told.get(key.id));
    if (Object.keys(need).length === 0 || reasonsFor(key, reasons).length > 0) continue;
    needed.push({ ...showKey(key), ...need });
  }
  if (needed.length === 0) return;
  const errors = (needed as { cartonId?: string; itemId: string; short?: number; over?: number; damaged?: number }[])
    .slice(0, FIELD_ERRORS_MAX)
    .map(({ cartonId, itemId, short, over, damaged }) => {
      const what = [short && `${short} short`, over && `${over} over`, damaged && `${damaged} damaged`].filter(Boolean);
      const where = cartonId === undefined ? '' : ` of carton ${JSON.stringify(cartonId)}`;
      return fieldError(
        '/reasons',
        'REASON_NEEDED',
        `item ${itemId}${where} has ${what.join(', ')}; say why in reasons`,
      );
    });
  const words = `${needed.length === 1 ? 'One line needs' : `${needed.length} lines need`} a reason: ${errors[0]!.message}.`;
  throw new Refusal(400, 'VALIDATION', 'REASON_NEEDED', words, { errors, total: needed.length, extra: { needed } });
}

/** @throws Refusal 409 APPROVAL_NEEDED with every key that has held units. */
function refuseHeld(loaded: Loaded): void {
  const held = [...allKeys(loaded)].flatMap((key) => {
    const units = keyState(loaded, key).held;
    return units === 0 ? [] : [{ ...showKey(key), held: units }];
  });
  if (held.length === 0) return;
  const units = held.reduce((sum, one) => sum + one.held, 0);
  throw refusalOf({
    code: 'APPROVAL_NEEDED',
    description: `${units} units are held and not decided, for example of item ${held[0]!.itemId}; approve them as good, damaged or refused, then close.`,
    extra: { held },
  });
}

function statementOf(
  ctx: Ctx,
  loaded: Loaded,
  { closeId, userId, reasons = [] }: CloseMessage,
  told: ReadonlyMap<string, Told>,
): InboundStatement {
  let totals: Sums = NO_SUMS;
  const lines: InboundStatement['lines'] = [];
  for (const key of allKeys(loaded)) {
    const sums = sumsOf(key.announced, keyState(loaded, key), 'CLOSED');
    totals = added(totals, sums);
    const { open: _open, ...shown } = sums;
    // What came as it was announced needs no reason.
    const isPlain = sums.good === key.announced && sums.over === 0 && sums.damaged === 0;
    const own = isPlain ? [] : reasonsFor(key, reasons);
    lines.push({ ...showKey(key), ...shown, reasons: [...new Set([...(told.get(key.id)?.reasons ?? []), ...own])] });
  }
  return { version: loaded.row.statements, closeId, userId, closedAt: formatDateTime(ctx.now), lines, totals };
}
