/** Saving what has been picked so far, scan by scan. */

import { record } from '../events/record.ts';
import { componentsOf } from '../kernel/merge-lines.ts';
import type { Snapshot } from '../kernel/orders.ts';
import { findSettings } from '../kernel/settings.ts';
import { findTicketItems } from '../kernel/tickets.ts';
import type { Ctx } from '../platform/ctx.ts';
import { badRequest } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { FIELD_ERRORS_MAX, type FieldError, fieldError } from '../platform/message/field-errors.ts';
import type { PickTicketItemRow, PickTicketRow, PickTicketScanRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import { reasonError } from '../shared/reasons.ts';
import { stateOfTicket, ticketActions } from './lifecycle.ts';
import { findScans, insertScans, type Progress, progressOf } from './progress-store.ts';
import { PickProgress, PickProgressReply, type Scan } from './ticket-schema.ts';
import { heldByOther, takeTicket, touchTicket } from './work.ts';

export const savePickProgress = writeOperation({
  id: 'savePickProgress',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}/scans',
  auth: 'operatorOrApiKey',
  group: 'fulfillment',
  permission: 'fulfillment.write',
  offline: true,
  repeat: 'same',
  summary: 'Save what has been picked so far',
  description:
    'Adds scans to an open ticket; nothing saved is ever changed. A scan says how many units of an item were found (1 where it says nothing) or are missing, by the item’s number or by a scanned code; `undoes` takes an earlier scan back, also one that arrives later. A scanId that is there already with the same content is counted as repeated and changes nothing, so a scanner may send again what it is not sure of. Never more units than the ticket has. Only the ticket’s user saves; the first scan makes a NEW ticket IN_PROGRESS, and each keeps its lease. A bundle is scanned as itself, once all of its components are there; the code of a component is refused with the bundle’s name. The CONFIRM decides what was picked in the end.',
  body: PickProgress,
  errors: 'problem',
  replies: { 200: { description: 'Saved; the ticket as far as it is', schema: PickProgressReply } },
  refusals: {
    404: 'The store and node have no such pick ticket.',
    409: 'The ticket is closed or another user’s, or the first request with this Idempotency-Key is still running.',
  },
  async handle(ctx, { params, body, clientId }) {
    const ticket = await takeTicket(ctx, { clientId, ...params }, 'saveProgress');
    if (ticket.user_id !== '' && ticket.user_id !== body.userId) throw heldByOther(ticket);
    const settings = await findSettings(ctx.db, clientId);
    const items = await findTicketItems(ctx.db, clientId, ticket.pick_ticket_id);
    const before = await findScans(ctx.db, clientId, ticket.pick_ticket_id);
    const { fresh, repeated, errors } = readScans(ctx, ticket, body, items, before, settings);
    const progress = progressOf([...before, ...fresh]);
    errors.push(...overErrors(items, progress, body.scans));
    if (errors.length > 0) throw badRequest(errors.slice(0, FIELD_ERRORS_MAX), errors.length);
    const saved = fresh.length === 0 ? ticket : await save(ctx, settings, ticket, fresh, body.userId);
    return reply(200, {
      pickTicketId: saved.pick_ticket_id,
      status: saved.status,
      saved: fresh.length,
      repeated,
      leaseUntil: formatDateTime(saved.lease_at ?? ctx.now),
      pickTicketItems: items.map((item) => ({
        id: item.id,
        itemId: item.item_id,
        quantity: item.quantity,
        pickedQuantity: progress.get(item.id)?.picked ?? 0,
        canceledQuantity: progress.get(item.id)?.canceled ?? 0,
      })),
      allowedActions: ticketActions(stateOfTicket(saved)),
    });
  },
});

async function save(
  ctx: Ctx,
  settings: Settings,
  ticket: PickTicketRow,
  scans: readonly PickTicketScanRow[],
  userId: string,
): Promise<PickTicketRow> {
  await insertScans(ctx, scans);
  const saved = await touchTicket(ctx, settings, ticket, { user_id: userId });
  await record(ctx, {
    clientId: ticket.client_id,
    type: 'pickTicket.progressSaved',
    resource: 'pickTicket',
    resourceId: ticket.pick_ticket_id,
    revision: saved.revision,
    data: {
      userId,
      scans: scans.map(({ scan_id: scanId, id, picked, canceled, reason, undoes }) => ({
        scanId,
        id,
        ...(undoes === null ? { pickedQuantity: picked, canceledQuantity: canceled } : { undoes }),
        ...(reason !== null && { cancellationReasonCode: reason }),
      })),
    },
  });
  return saved;
}

/** The scans that are new, as rows; how many are there already; and every error. */
function readScans(
  ctx: Pick<Ctx, 'now'>,
  ticket: PickTicketRow,
  { userId, scans }: PickProgress,
  items: readonly PickTicketItemRow[],
  before: readonly PickTicketScanRow[],
  settings: Settings,
): { fresh: PickTicketScanRow[]; repeated: number; errors: FieldError[] } {
  const byId = new Map(before.map((scan) => [scan.scan_id, scan]));
  const undoneBy = new Map(before.flatMap((scan) => (scan.undoes === null ? [] : [[scan.undoes, scan.scan_id]])));
  const fresh: PickTicketScanRow[] = [];
  const errors: FieldError[] = [];
  let repeated = 0;
  for (const [index, scan] of scans.entries()) {
    const place = `/scans/${index}`;
    const complaints = [...scanErrors(scan, place, settings)];
    const item = scan.undoes === undefined ? findItem(items, scan) : undone(items, byId.get(scan.undoes), scan);
    if (item === undefined) complaints.push(componentError(items, scan, place) ?? noItemError(scan, place));
    const other = scan.undoes === undefined ? undefined : undoneBy.get(scan.undoes);
    if (other !== undefined && other !== scan.scanId) {
      complaints.push(
        fieldError(`${place}/undoes`, 'undone', `scan ${scan.undoes} is taken back already, by ${other}`),
      );
    }
    if (item === undefined || complaints.length > 0) {
      errors.push(...complaints);
      continue;
    }
    const row = rowOf(ctx, ticket, scan, item, userId, before.length + fresh.length + 1);
    const known = byId.get(scan.scanId);
    if (known === undefined) {
      byId.set(scan.scanId, row);
      if (row.undoes !== null) undoneBy.set(row.undoes, row.scan_id);
      fresh.push(row);
    } else if (isSame(known, row)) repeated += 1;
    else {
      const message = `scanId ${JSON.stringify(scan.scanId)} was saved with other content; give a new scan a new id`;
      errors.push(fieldError(`${place}/scanId`, 'differs', message));
    }
  }
  return { fresh, repeated, errors: errors };
}

function* scanErrors(scan: Scan, place: string, settings: Settings): Generator<FieldError> {
  const { id, code, pickedQuantity: picked, canceledQuantity: canceled, undoes } = scan;
  const named = [id, code].filter((one) => one !== undefined).length;
  if (undoes === undefined ? named !== 1 : named > 1) {
    yield fieldError(place, 'item', 'send either id or code to say which item it is');
  }
  if (undoes !== undefined) {
    if (picked !== undefined || canceled !== undefined || scan.cancellationReasonCode !== undefined) {
      yield fieldError(`${place}/undoes`, 'undo', 'a scan that takes another back has no quantities of its own');
    }
    if (undoes === scan.scanId) yield fieldError(`${place}/undoes`, 'undo', 'a scan cannot take itself back');
    return;
  }
  if ((picked ?? (canceled === undefined ? 1 : 0)) + (canceled ?? 0) === 0) {
    yield fieldError(place, 'nothing', 'the scan says nothing: send a pickedQuantity or canceledQuantity above 0');
  }
  const found = reasonError(scan.cancellationReasonCode, canceled ?? 0, 'cancellationReasonCode', 'the scan', settings);
  if (found !== undefined) yield fieldError(`${place}/cancellationReasonCode`, found.rule, found.message, found.limit);
}

function findItem(items: readonly PickTicketItemRow[], { id, code }: Scan): PickTicketItemRow | undefined {
  if (id !== undefined) return items.find((item) => item.id === id);
  return items.find((item) => isCodeOf((JSON.parse(item.snapshot) as Snapshot).itemDetails, code ?? ''));
}

/** The item of a scan that is taken back. One that has not arrived yet is named by id or code. */
function undone(items: readonly PickTicketItemRow[], known: PickTicketScanRow | undefined, scan: Scan) {
  return known === undefined ? findItem(items, scan) : items.find((item) => item.id === known.id);
}

/** The error of a code that is no item of the ticket but one that a bundle on it is made of. */
function componentError(
  items: readonly PickTicketItemRow[],
  { id, code }: Scan,
  place: string,
): FieldError | undefined {
  if (id !== undefined || code === undefined) return undefined;
  for (const item of items) {
    const found = componentsOf(item)?.find(({ itemDetails }) => isCodeOf(itemDetails, code));
    if (found === undefined) continue;
    const { itemId, itemDesc } = found.itemDetails;
    const message = `${JSON.stringify(code)} is a component (${itemId}, ${itemDesc}) of bundle ${item.item_id}, item ${item.id} of this ticket; scan the bundle, or send its id, once all of its components are there`;
    return fieldError(`${place}/code`, 'component', message);
  }
  return undefined;
}

function isCodeOf({ itemId, upcs }: Snapshot['itemDetails'], code: string): boolean {
  return itemId === code || upcs.some((upc) => upc.value === code);
}

function noItemError({ id, code, undoes }: Scan, place: string): FieldError {
  if (undoes !== undefined && id === undefined && code === undefined) {
    const message = `there is no scan ${JSON.stringify(undoes)} on the ticket; if it is still to come, send its id or code too`;
    return fieldError(`${place}/undoes`, 'exists', message);
  }
  const [member, value] = id === undefined ? ['code', code] : ['id', id];
  const message = `${JSON.stringify(value)} is no item of this ticket; put the unit back and scan the next`;
  return fieldError(`${place}/${member}`, 'exists', message);
}

function rowOf(
  ctx: Pick<Ctx, 'now'>,
  ticket: PickTicketRow,
  scan: Scan,
  item: PickTicketItemRow,
  userId: string,
  position: number,
): PickTicketScanRow {
  const canceled = scan.canceledQuantity ?? 0;
  const implied = scan.undoes === undefined && scan.canceledQuantity === undefined ? 1 : 0;
  return {
    client_id: ticket.client_id,
    pick_ticket_id: ticket.pick_ticket_id,
    scan_id: scan.scanId,
    position,
    id: item.id,
    picked: scan.pickedQuantity ?? implied,
    canceled,
    reason: canceled === 0 ? null : scan.cancellationReasonCode!,
    undoes: scan.undoes ?? null,
    user_id: userId,
    at: ctx.now,
  };
}

function isSame(a: PickTicketScanRow, b: PickTicketScanRow): boolean {
  const content = ({ id, picked, canceled, reason, undoes }: PickTicketScanRow) => [
    id,
    picked,
    canceled,
    reason,
    undoes,
  ];
  return JSON.stringify(content(a)) === JSON.stringify(content(b));
}

function overErrors(
  items: readonly PickTicketItemRow[],
  progress: ReadonlyMap<number, Progress>,
  scans: readonly Scan[],
): FieldError[] {
  return items.flatMap((item) => {
    const { picked, canceled } = progress.get(item.id) ?? { picked: 0, canceled: 0 };
    if (picked + canceled <= item.quantity) return [];
    const index = scans.findLastIndex((scan) => findItem([item], scan) !== undefined);
    const message = `item ${item.id} (${item.item_id}) has ${item.quantity} units to pick, and this makes ${picked + canceled}; put the rest back`;
    return [fieldError(index < 0 ? '/scans' : `/scans/${index}`, 'over-pick', message, item.quantity)];
  });
}
