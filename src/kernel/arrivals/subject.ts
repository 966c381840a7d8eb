/** Reads a shipment and the other rows that the plan of an action needs. */
import type { Ctx } from '../../platform/ctx.ts';
import { allows } from '../../platform/http/auth.ts';
import type {
  ClientRow,
  InboundEntryRow,
  InboundReceiptRow,
  InboundShipmentRow,
} from '../../platform/storage/tables.ts';
import type { Settings } from '../../shared/client-settings.ts';
import type { Action, ActionOf, CartonWork, Elsewhere, ReceivedBy, Subject, Taken } from './action.ts';
import { findAnnounced } from './announced.ts';
import { findAllCartonWork, findAnnouncers, findCartonWork, lastReceiptOf } from './cartons.ts';
import { loadShipment, lockShipment } from './locked.ts';
import { findBrought, findOpenAsns } from './orders.ts';
import { findEntries, findFact, findFacts, findStatement, matchedOf } from './records.ts';
import type { Shipment, ShipmentKeys } from './shipment.ts';

/** Reads the subject of an action on a shipment whose row the caller has locked. */
export async function readSubject(
  ctx: Ctx,
  client: Pick<ClientRow, 'catalog_ids'>,
  row: InboundShipmentRow,
  action: Action,
  settings: Settings,
): Promise<Subject> {
  const before = await storedBefore(ctx, row, action);
  const shipment = await loadShipment(ctx, client, row);
  if (before !== undefined) return { shipment, before };
  switch (action.type) {
    case 'receive':
    case 'correct':
      return { shipment, ...(await aboutReceipt(ctx, shipment, action)) };
    case 'approve':
      return { shipment, ...(settings.receiving.fourEyes && { taken: await findTaken(ctx, row) }) };
    case 'match':
      return {
        shipment,
        ...(await aboutReasons(ctx, shipment)),
        cartons: await findAllCartonWork(ctx.db, row),
        targetCartons: await findAllCartonWork(ctx.db, action.target.row),
      };
    case 'close': {
      const brought = row.type === 'PO' && { brought: await findBrought(ctx, shipment) };
      return { shipment, ...brought, ...(await aboutReasons(ctx, shipment)) };
    }
    case 'reopen':
      return { shipment, cartons: await findAllCartonWork(ctx.db, row) };
    case 'arrive':
    case 'blind':
    case 'void':
      return { shipment };
  }
}

/** Returns the rows that have the reasons of a shipment's units. */
async function aboutReasons({ db }: Ctx, { row, states }: Shipment): Promise<Partial<Subject>> {
  if (states.size === 0) return {};
  return { entries: await findEntries(db, row), corrected: correctedOf(await findFacts(db, row)) };
}

/** Maps the position of each correction to the position of the receipt or match that it corrects. */
function correctedOf(facts: readonly InboundReceiptRow[]): Map<number, number> {
  const booked = facts.filter(({ kind }) => kind !== 'APPROVAL');
  const positions = new Map(booked.map((one) => [one.receipt_id, one.position]));
  return new Map(
    booked.flatMap(({ corrects, position }) => {
      const of = corrects === null ? undefined : positions.get(corrects);
      return of === undefined ? [] : [[position, of] as const];
    }),
  );
}

/** Returns the row that an earlier action with the same id has written. */
async function storedBefore({ db }: Ctx, row: InboundShipmentRow, action: Action): Promise<Subject['before']> {
  switch (action.type) {
    case 'receive':
    case 'correct':
      return findFact(db, row, 'RECEIPT', action.id);
    case 'approve':
      return findFact(db, row, 'APPROVAL', action.id);
    case 'close':
      return findStatement(db, row, action.id);
    case 'blind':
      return lockShipment(db, row);
    case 'match':
    case 'reopen':
    case 'arrive':
    case 'void':
      return undefined;
  }
}

type Receipt = ActionOf<'receive' | 'correct'>;

async function aboutReceipt(ctx: Ctx, { row, announced }: Shipment, receipt: Receipt): Promise<Partial<Subject>> {
  const ids = new Set([...receipt.cartons, ...receipt.lines].flatMap(({ cartonId }) => cartonId ?? []));
  const cartons = await findCartonWork(ctx, row, [...ids]);
  const unknown = [...ids].filter((id) => !announced.cartons.has(id));
  const isDirect = row.type === 'PO' && receipt.type === 'receive' && !receipt.isUnannounced;
  return {
    cartons,
    elsewhere: await findElsewhere(ctx, row, unknown, receipt),
    lastReceipts: await findLastReceipts(ctx, row, cartons, receipt),
    ...(isDirect && { openAsns: await findOpenAsns(ctx, row) }),
    ...(receipt.type === 'correct' && { isCorrectable: await isBooked(ctx, row, receipt.corrects) }),
  };
}

async function isBooked({ db }: Ctx, row: ShipmentKeys, id: string): Promise<boolean> {
  return [await findFact(db, row, 'RECEIPT', id), await findFact(db, row, 'MATCH', id)].some(Boolean);
}

/**
 * Returns the other shipments that announce the cartons `cartonIds`. If a carton is scanned whole as unannounced and
 * exactly one shipment announces it, its content is read from that announcement.
 */
async function findElsewhere(
  ctx: Ctx,
  row: InboundShipmentRow,
  cartonIds: readonly string[],
  receipt: Receipt,
): Promise<Map<string, Elsewhere>> {
  const scanned = new Set(receipt.cartons.map(({ cartonId }) => cartonId));
  const found = new Map<string, Elsewhere>();
  for (const [id, rows] of await findAnnouncers(ctx, row, cartonIds)) {
    const isTaken = receipt.isUnannounced && scanned.has(id) && rows.length === 1;
    const announcers = rows.map(({ node_id: nodeId, type, number, seller_id: sellerId }) => {
      return { nodeId, type, number, sellerId, isSeen: allows(ctx.actor.nodeIds, nodeId) };
    });
    const content = isTaken ? ((await findAnnounced(ctx, rows[0]!)).cartons.get(id) ?? []) : [];
    found.set(id, { announcers, content });
  }
  return found;
}

/** Returns the last receipt of each scanned carton that was counted completely, by carton id. */
async function findLastReceipts(
  { db }: Ctx,
  row: ShipmentKeys,
  cartons: ReadonlyMap<string, CartonWork>,
  receipt: Receipt,
): Promise<Map<string, ReceivedBy>> {
  const found = new Map<string, ReceivedBy>();
  for (const { cartonId } of receipt.cartons) {
    const work = cartons.get(cartonId)!;
    if (work.state === 'RECEIVED' && work.whole_as === null) {
      found.set(cartonId, await lastReceiptOf(db, row, cartonId));
    }
  }
  return found;
}

/**
 * Returns the receipts and matches, the first one first. Each match also has the records of the shipment from which it
 * moved goods.
 */
async function findTaken(ctx: Ctx, row: InboundShipmentRow): Promise<NonNullable<Subject['taken']>> {
  const taken: (Taken & { moved: readonly Taken[] })[] = [];
  for (const one of await factsWithEntries(ctx, row)) {
    if (one.row.kind === 'APPROVAL') continue;
    const moved = one.row.kind === 'MATCH' ? await factsWithEntries(ctx, matchedOf(one.row, row)) : [];
    taken.push({ ...one, moved });
  }
  return taken;
}

async function factsWithEntries(
  { db }: Ctx,
  keys: ShipmentKeys,
): Promise<{ row: InboundReceiptRow; entries: readonly InboundEntryRow[] }[]> {
  const entries = Map.groupBy(await findEntries(db, keys), ({ position }) => position);
  return (await findFacts(db, keys)).map((row) => ({ row, entries: entries.get(row.position) ?? [] }));
}
