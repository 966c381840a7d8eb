/** The plan of an approval: held units become `good`, `damaged` or `refused`. */
import type { Settings } from '../../shared/client-settings.ts';
import { type ActionOf, type DecidedLine, type Plan, rejected, type Subject, type Taken } from './action.ts';
import { bookedChange, decide, draftKey, draftOf } from './booking.ts';
import { decided } from './events.ts';
import { belowZeroOf, rejectionOf, type TooFew } from './rejections.ts';
import { say } from './sentences.ts';
import { keyId, keyOf, keyState, type Shipment, showKey } from './shipment.ts';
import { KINDS } from './sums.ts';

export function planApproval(subject: Subject, action: ActionOf<'approve'>, settings: Settings, now: number): Plan {
  const { shipment } = subject;
  const lacking = belowZeroOf(lackingOf(shipment, action.lines));
  if (lacking !== undefined) return rejected(lacking);
  const own = settings.receiving.fourEyes ? ownKeys(subject, action) : [];
  if (own.length > 0) {
    const description = say('{userId} received held units of item {itemId}; another user must approve them.', {
      userId: action.userId,
      itemId: own[0]!.itemId,
    });
    return rejected(rejectionOf({ code: 'APPROVAL_NEEDED', description, extra: { lines: own.map(showKey) } }));
  }
  const draft = draftOf(shipment);
  for (const { cartonId = '', itemId, units, to = action.place, location } of action.lines) {
    const entry = { key: draftKey(draft, cartonId, itemId), units, place: to, location };
    decide(draft, entry, settings.receiving.over);
  }
  const { id, userId, hash } = action;
  const fact = { kind: 'APPROVAL' as const, id, userId, at: now, hash, doc: {} };
  const change = bookedChange(draft, { action: 'approve', cause: 'APPROVAL', fact, cartons: [] }, now);
  return { outcome: 'done', changes: [change], events: [decided(change.shipment.row, change.booking)] };
}

/** Returns the keys for which the request decides more units than are held, each with the last line that names it. */
function lackingOf(shipment: Shipment, lines: readonly DecidedLine[]): TooFew[] {
  const wanted = new Map<string, TooFew & { units: number }>();
  for (const [index, { cartonId = '', itemId, units: line }] of lines.entries()) {
    const key = keyOf(shipment, cartonId, itemId);
    const { held } = keyState(shipment, key);
    const units = (wanted.get(key.id)?.units ?? 0) + line.good + line.damaged + line.refused;
    const message = say(
      'the request approves {units} {units|unit|units} of item {itemId}, but only {held} {held|is|are} held; approve at most {held}',
      { units, itemId, held },
    );
    wanted.set(key.id, { pointer: `/lines/${index}`, message, limit: held, units });
  }
  return [...wanted.values()].filter(({ units, limit }) => units > limit);
}

/**
 * Returns the keys with held units that the approving user received or matched, among the keys that the request
 * decides. If a receipt holds units of earlier receipts, the users of the earlier receipts count, too. After a match,
 * the items that the user received without papers before the match also count.
 */
function ownKeys({ shipment, taken = [] }: Subject, { userId, lines }: ActionOf<'approve'>) {
  const [received, before] = [new Set<string>(), new Set<string>()];
  for (const { row, entries, moved } of taken) {
    const items = itemsReceivedBy(moved, userId);
    const own = entries.map(({ carton_id: cartonId, item_id: itemId, good, held }) => {
      return { id: keyId(cartonId, itemId), good, held, isOwn: row.user_id === userId || items.has(itemId) };
    });
    // An entry with negative good units holds units of earlier records.
    for (const { id, good, held, isOwn } of own) {
      if (held > 0 && (isOwn || (good < 0 && before.has(id)))) received.add(id);
    }
    for (const { id, good, isOwn } of own) if (good > 0 && isOwn) before.add(id);
  }
  return lines
    .map(({ cartonId = '', itemId }) => keyOf(shipment, cartonId, itemId))
    .filter(({ id }) => received.has(id));
}

function itemsReceivedBy(receipts: readonly Taken[], userId: string): Set<string> {
  const own = receipts.filter(({ row }) => row.kind === 'RECEIPT' && row.user_id === userId);
  const entries = own.flatMap((one) => one.entries).filter((entry) => KINDS.some((kind) => entry[kind] > 0));
  return new Set(entries.map((entry) => entry.item_id));
}
