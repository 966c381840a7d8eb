/** The plan of a receipt or of its correction: the rules of cartons and lines, and the booking. */
import type { Effect } from '../../events/record.ts';
import { badRequest } from '../../platform/http/errors.ts';
import { fieldError } from '../../platform/message/field-errors.ts';
import { MINUTE_MS } from '../../platform/time.ts';
import type { Settings } from '../../shared/client-settings.ts';
import {
  type ActionOf,
  type CartonWork,
  type CountedLine,
  type Elsewhere,
  type Plan,
  rejected,
  type Subject,
  type WholeScan,
} from './action.ts';
import { add, bookedChange, type Draft, draftKey, draftOf, hold } from './booking.ts';
import { cartonRepeated, completed, received } from './events.ts';
import {
  ambiguousCarton,
  belowZeroOf,
  heldBy,
  type InboundBlock,
  receivedBefore,
  rejectionOfAll,
  type TooFew,
  unannouncedCarton,
} from './rejections.ts';
import { say } from './sentences.ts';
import { type Key, keyId, keyOf, keyState, type Shipment, sumsOfCarton } from './shipment.ts';
import { arrived, type Booked, belowZero, plus, wholeUnits } from './sums.ts';

type Receipt = ActionOf<'receive' | 'correct'>;

const ANNOUNCED_HERE: Elsewhere = { announcers: [], content: [] };

/**
 * Plans a receipt or a correction. If a carton is scanned again, the rejection records an event, because two cartons
 * can have the same number.
 */
export function planReceipt(subject: Subject, receipt: Receipt, settings: Settings, now: number): Plan {
  const { shipment } = subject;
  const { row } = shipment;
  const isCorrection = receipt.type === 'correct';
  if (isCorrection && subject.isCorrectable !== true) {
    const message = say('{type} {number} has no receipt {corrects}; send the id of one of its receipts', {
      type: row.type,
      number: JSON.stringify(row.number),
      corrects: JSON.stringify(receipt.corrects),
    });
    return rejected(badRequest([fieldError('/corrects', 'exists', message)]));
  }
  const blocks = blocksOf(subject, receipt, now);
  if (blocks.length > 0) return rejected(rejectionOfAll(blocks), repeatsOf(shipment, receipt, blocks));
  const lacking = isCorrection ? belowZeroOf(lackingOf(shipment, receipt.lines)) : undefined;
  if (lacking !== undefined) return rejected(lacking);

  const draft = draftOf(shipment);
  const cartons = new Map(subject.cartons);
  for (const scan of receipt.cartons) {
    addWhole(draft, scan, contentOf(subject, scan.cartonId), receipt.place);
    cartons.set(scan.cartonId, takenWhole(cartons.get(scan.cartonId)!, scan, receipt, now));
  }
  const entries = receipt.lines.map(({ cartonId = '', itemId, units, reason, to = receipt.place, location }) => ({
    key: draftKey(draft, cartonId, itemId),
    units,
    reason,
    place: to,
    location,
  }));
  add(draft, entries);
  if (!isCorrection) {
    const until = now + settings.pickTicketIdleMinutes * MINUTE_MS;
    for (const { cartonId } of receipt.lines) {
      if (cartonId !== undefined) cartons.set(cartonId, countedBy(cartons.get(cartonId)!, receipt.userId, now, until));
    }
  }
  // Goods without papers are compared with an announcement only at the match, so no units are held here.
  if (row.type !== 'BLIND') hold(draft, settings.receiving.over);
  const fact = {
    kind: 'RECEIPT' as const,
    id: receipt.id,
    userId: receipt.userId,
    at: receipt.at,
    corrects: isCorrection ? receipt.corrects : undefined,
    hash: receipt.hash,
    doc: docOf(receipt),
  };
  const cause = isCorrection ? 'CORRECTION' : 'RECEIPT';
  const change = bookedChange(draft, { action: receipt.type, cause, fact, cartons: [...cartons.values()] }, now);
  const event = received(change.shipment.row, change.booking);
  return {
    outcome: 'done',
    changes: [change],
    events: change.isCompleted ? [event, completed(change.shipment.row)] : [event],
  };
}

/** Returns the data of a receipt that its entries do not have. */
function docOf({ cartons, isUnannounced, deviceAt }: Receipt) {
  return {
    ...(cartons.length > 0 && { cartons }),
    ...(isUnannounced && { unannounced: true as const }),
    ...(deviceAt !== undefined && { deviceAt }),
  };
}

/** Returns all reasons to reject a receipt, in the order of its cartons and lines. */
function blocksOf(subject: Subject, receipt: Receipt, now: number): InboundBlock[] {
  return [
    ...directBlocks(subject, receipt),
    ...receipt.cartons.flatMap((scan) => scanBlock(subject, receipt, scan, now) ?? []),
    ...receipt.lines.flatMap((line) => lineBlock(subject, receipt, line) ?? []),
  ];
}

/**
 * Blocks a receipt for a purchase order with open ASNs, because its goods must be received with these ASNs. A
 * correction, and a receipt with `unannounced`, are not blocked.
 */
function directBlocks({ shipment: { row }, openAsns: asns = [] }: Subject, receipt: Receipt): InboundBlock[] {
  if (receipt.isUnannounced || receipt.type === 'correct' || asns.length === 0) return [];
  const listed = asns.map((number) => JSON.stringify(number)).join(', ');
  return [
    {
      code: 'UNANNOUNCED',
      description: say(
        'ASN {listed} announces goods of PO {number}; receive them with the ASN, or send unannounced: true to receive them with the PO.',
        {
          listed,
          number: JSON.stringify(row.number),
        },
      ),
      extra: { asns },
    },
  ];
}

/** Returns the reason why a carton cannot be received whole; undefined if it can. */
function scanBlock(subject: Subject, receipt: Receipt, { cartonId }: WholeScan, now: number): InboundBlock | undefined {
  const { shipment } = subject;
  const taken = takenBlock(subject, subject.cartons!.get(cartonId)!, now);
  if (taken !== undefined || shipment.announced.cartons.has(cartonId)) return taken;
  const { announcers } = elsewhere(subject, cartonId);
  if (announcers.length > 1) return ambiguousCarton(cartonId, announcers);
  const isFree = receipt.isUnannounced || (shipment.row.type === 'BLIND' && announcers.length === 0);
  return isFree ? undefined : unannouncedCarton(shipment.row, cartonId, announcers);
}

/** Blocks a carton that was scanned whole or counted completely, or that a user is counting. */
function takenBlock({ shipment, lastReceipts }: Subject, work: CartonWork, now: number): InboundBlock | undefined {
  const { carton_id: cartonId, user_id: userId, since, holder_until: until } = work;
  if (work.whole_as !== null) return receivedBefore(cartonId, scanOf(work));
  if (arrived(sumsOfCarton(shipment, cartonId)) === 0) return undefined;
  if (work.state === 'RECEIVED') return receivedBefore(cartonId, lastReceipts!.get(cartonId)!);
  return userId === null || until === null || until <= now ? undefined : heldBy(cartonId, userId, since!);
}

/** Returns the reason why a line cannot be received; undefined if it can. */
function lineBlock(subject: Subject, receipt: Receipt, { cartonId, itemId }: CountedLine): InboundBlock | undefined {
  const { announced, row, others } = subject.shipment;
  const isCorrection = receipt.type === 'correct';
  const work = cartonId === undefined ? undefined : subject.cartons!.get(cartonId);
  if (work !== undefined && work.whole_as !== null && !isCorrection) {
    return receivedBefore(work.carton_id, scanOf(work));
  }
  const id = keyId(cartonId ?? '', itemId);
  if (announced.keys.has(id) || receipt.isUnannounced || row.type === 'BLIND') return undefined;
  // A correction can change units that an earlier receipt accepted.
  if (isCorrection && others.has(id)) return undefined;
  if (cartonId !== undefined && !announced.cartons.has(cartonId)) {
    return unannouncedCarton(row, cartonId, elsewhere(subject, cartonId).announcers);
  }
  const where =
    cartonId === undefined
      ? `${row.type} ${JSON.stringify(row.number)}`
      : say('carton {cartonId}', { cartonId: JSON.stringify(cartonId) });
  const hint =
    cartonId === undefined && row.type === 'ASN'
      ? say('send the cartonId of its carton, or send unannounced: true to accept it')
      : say('send unannounced: true to accept it at this node');
  return {
    code: 'UNANNOUNCED',
    description: say('Item {itemId} is not announced in {where}; {hint}.', {
      itemId: JSON.stringify(itemId),
      where,
      hint,
    }),
    extra: { ...(cartonId !== undefined && { cartonId }), itemId },
  };
}

const elsewhere = (subject: Subject, cartonId: string) => subject.elsewhere?.get(cartonId) ?? ANNOUNCED_HERE;

const scanOf = ({ receipt_id, user_id, since }: CartonWork) => ({
  receiptId: receipt_id!,
  userId: user_id!,
  since: since!,
});

/** Returns an event for each carton that was scanned again. */
function repeatsOf({ row }: Shipment, receipt: Receipt, blocks: readonly InboundBlock[]): Effect[] {
  const scanned = new Set(receipt.cartons.map(({ cartonId }) => cartonId));
  return blocks
    .filter(({ code, extra }) => code === 'CARTON_ALREADY_RECEIVED' && scanned.has(String(extra['cartonId'])))
    .map(({ extra }) => cartonRepeated(row, receipt, extra));
}

/** Returns the sums that a correction would bring below zero, each with the last line that names its key. */
function lackingOf(shipment: Shipment, lines: readonly CountedLine[]): TooFew[] {
  const byKey = new Map<string, { key: Key; index: number; delta: Booked }>();
  for (const [index, { cartonId = '', itemId, units }] of lines.entries()) {
    const key = keyOf(shipment, cartonId, itemId);
    const before = byKey.get(key.id)?.delta;
    byKey.set(key.id, { key, index, delta: before === undefined ? units : plus(before, units) });
  }
  return [...byKey.values()].flatMap(({ key, index, delta }) => {
    const state = keyState(shipment, key);
    return belowZero(state, delta).map((kind) => ({
      pointer: `/lines/${index}/${kind}`,
      message: say(
        'item {itemId} has only {state} {kind} {state|unit|units}, so {delta} is not possible; take back at most {state}',
        {
          kind,
          itemId: key.itemId,
          state: state[kind],
          delta: delta[kind],
        },
      ),
      limit: -state[kind],
    }));
  });
}

/** Returns the keys of a carton that is scanned as a whole. The scan books their open units. */
function contentOf(subject: Subject, cartonId: string): readonly Key[] {
  return subject.shipment.announced.cartons.get(cartonId) ?? elsewhere(subject, cartonId).content;
}

function addWhole(draft: Draft, scan: WholeScan, keys: readonly Key[], place: 'SHELF' | 'STAGE'): void {
  const { cartonId, as, reason, to = place, location } = scan;
  for (const { itemId, announced } of keys) {
    const key = draftKey(draft, cartonId, itemId);
    const open = Math.max(0, announced - arrived(keyState(draft, key)));
    if (open > 0) add(draft, [{ key, units: wholeUnits(as, open), reason, place: to, location }]);
  }
}

function takenWhole(work: CartonWork, { as }: WholeScan, { id, userId }: Receipt, now: number): CartonWork {
  return { ...work, whole_as: as, receipt_id: id, user_id: userId, since: now, holder_until: null };
}

/**
 * A user who counts a free carton becomes its holder until `until`, the end of the idle time of tickets. Each further
 * count by the holder restarts that time.
 */
function countedBy(work: CartonWork, userId: string, now: number, until: number): CartonWork {
  if (work.whole_as !== null) return work;
  const isFree = work.user_id === null || work.holder_until === null || work.holder_until <= now;
  if (!isFree && work.user_id !== userId) return work;
  return { ...work, user_id: userId, since: isFree ? now : work.since, holder_until: until };
}
