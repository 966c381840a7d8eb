/** Checks the scans that an open ticket receives: finds new scans and every error (docs/states.md#pick-tickets). */
import { readJson } from '../../platform/json-column.ts';
import { type FieldError, fieldError } from '../../platform/message/field-errors.ts';
import type { PickTicketItemRow, PickTicketScanRow } from '../../platform/storage/tables.ts';
import { formatDateTime } from '../../platform/time.ts';
import type { Settings } from '../../shared/client-settings.ts';
import { deviceTime, showClock } from '../../shared/device-time.ts';
import { codeForm } from '../../shared/gs1.ts';
import { clientItemIdOf } from '../../shared/item-id.ts';
import { reasonError } from '../../shared/reasons.ts';
import type { Snapshot } from '../orders.ts';
import type { ActionOf, Effects, SentScan, Subject } from './action.ts';
import { componentsOf } from './merge-lines.ts';
import { type Progress, progressOf } from './scans.ts';
import { say } from './sentences.ts';

type SaveProgress = ActionOf<'saveProgress'>;

/** Plans the new scans and their event. Without a new scan nothing changes. */
export function scanned(subject: Subject, action: SaveProgress, now: number): Effects {
  const { fresh, errors } = readScans(subject, action, now);
  errors.push(...overErrors(subject.items, progressOf([...subject.scans, ...fresh]), action.scans));
  if (errors.length > 0) return { refused: { why: 'wrongScans', errors } };
  if (fresh.length === 0) return {};
  return {
    columns: { user_id: action.userId },
    scans: fresh,
    event: {
      type: 'pickTicket.progressSaved',
      data: {
        userId: action.userId,
        scans: fresh.map(({ scan_id: scanId, id, picked, canceled, reason, undoes }) => ({
          scanId,
          id,
          ...clockOf(action.scans.find((scan) => scan.scanId === scanId)?.at, now),
          ...(undoes === null ? { pickedQuantity: picked, canceledQuantity: canceled } : { undoes }),
          ...(reason !== null && { cancellationReasonCode: reason }),
        })),
      },
    },
  };
}

/** Returns the time of a scan, if the device sent one, for the event. */
function clockOf(sent: string | undefined, now: number) {
  if (sent === undefined) return {};
  const time = deviceTime(sent, now);
  return { at: formatDateTime(time.at), ...showClock(time) };
}

/**
 * Returns the new scans as rows, and the errors of each scan. A stored scan with the same content is neither new nor an
 * error.
 */
function readScans(
  { ticket, items, scans: before, settings }: Subject,
  { userId, scans }: SaveProgress,
  now: number,
): { fresh: PickTicketScanRow[]; errors: FieldError[] } {
  const byId = new Map(before.map((scan) => [scan.scan_id, scan]));
  const undoneBy = new Map(before.flatMap((scan) => (scan.undoes === null ? [] : [[scan.undoes, scan.scan_id]])));
  const fresh: PickTicketScanRow[] = [];
  const errors: FieldError[] = [];
  // The undo of an undo would change nothing, because an undone scan never counts again.
  const undoErrors = (scanId: string, undoes: string, place: string): FieldError[] => {
    const undo = (byId.get(undoes)?.undoes ?? null) !== null ? undoes : undoneBy.has(scanId) ? scanId : undefined;
    if (undo === undefined) return [];
    const message = say('scan {undo} undoes another scan, so it cannot be undone; send a new scan for the unit', {
      undo,
    });
    return [fieldError(`${place}/undoes`, 'undo', message)];
  };
  for (const [index, scan] of scans.entries()) {
    const place = `/scans/${index}`;
    const own = [...scanErrors(scan, place)];
    // The client may have removed the reason of a stored scan since. Its content decides whether it is a retry.
    if (!byId.has(scan.scanId)) own.push(...reasonErrors(scan, place, settings));
    const soFar = () => [...before, ...fresh];
    const named = byId.get(scan.scanId) ?? (scan.undoes === undefined ? undefined : byId.get(scan.undoes));
    const item = findItem(items, scan, named, soFar);
    if (item === undefined) own.push(componentError(items, scan, place) ?? noItemError(scan, place));
    const other = scan.undoes === undefined ? undefined : undoneBy.get(scan.undoes);
    if (other !== undefined && other !== scan.scanId) {
      own.push(
        fieldError(
          `${place}/undoes`,
          'undone',
          say('scan {undoes} is already undone by scan {other}; leave this scan out', { undoes: scan.undoes, other }),
        ),
      );
    }
    if (scan.undoes !== undefined && !byId.has(scan.scanId)) own.push(...undoErrors(scan.scanId, scan.undoes, place));
    if (item === undefined || own.length > 0) {
      errors.push(...own);
      continue;
    }
    const position = before.length + fresh.length + 1;
    const row: PickTicketScanRow = {
      client_id: ticket.client_id,
      pick_ticket_id: ticket.pick_ticket_id,
      position,
      ...contentOf(scan, item),
      user_id: userId,
      at: now,
    };
    const known = byId.get(scan.scanId);
    if (known === undefined) {
      byId.set(scan.scanId, row);
      if (row.undoes !== null) undoneBy.set(row.undoes, row.scan_id);
      fresh.push(row);
    } else if (!isSame(known, row)) {
      const message = say('scanId {scanId} was saved with other content; give a new scan a new id', {
        scanId: JSON.stringify(scan.scanId),
      });
      errors.push(fieldError(`${place}/scanId`, 'differs', message));
    }
  }
  return { fresh, errors };
}

function* scanErrors(scan: SentScan, place: string): Generator<FieldError> {
  const { id, code, pickedQuantity: picked, canceledQuantity: canceled, undoes } = scan;
  const named = [id, code].filter((one) => one !== undefined).length;
  if (undoes === undefined ? named !== 1 : named > 1) {
    yield fieldError(place, 'item', say('the scan must name its item by either id or code; send one of them'));
  }
  if (undoes !== undefined) {
    if (picked !== undefined || canceled !== undefined || scan.cancellationReasonCode !== undefined) {
      yield fieldError(
        `${place}/undoes`,
        'undo',
        say('a scan that undoes another scan must have no quantities and no reason; remove them'),
      );
    }
    if (undoes === scan.scanId)
      yield fieldError(
        `${place}/undoes`,
        'undo',
        say('a scan cannot undo itself; send the scanId of an earlier scan in `undoes`'),
      );
    return;
  }
  if ((picked ?? (canceled === undefined ? 1 : 0)) + (canceled ?? 0) === 0) {
    yield fieldError(place, 'nothing', say('the scan has no units: send a pickedQuantity or canceledQuantity above 0'));
  }
}

function reasonErrors(scan: SentScan, place: string, settings: Settings): FieldError[] {
  const { cancellationReasonCode: code, canceledQuantity = 0, undoes } = scan;
  if (undoes !== undefined) return [];
  const found = reasonError(code, canceledQuantity, 'cancellationReasonCode', say('the scan'), settings);
  if (found === undefined) return [];
  return [fieldError(`${place}/cancellationReasonCode`, found.rule, found.message, found.limit)];
}

/**
 * Returns the item of a scan. If there is a `stored` scan (the same scan, or the scan that this scan undoes), the item
 * of the stored scan applies. Two items can have the same code, at two prices: a new scan then counts for the first of
 * them with enough open units, or for the first item if none has enough.
 */
function findItem(
  items: readonly PickTicketItemRow[],
  scan: SentScan,
  stored: PickTicketScanRow | undefined,
  soFar: () => readonly PickTicketScanRow[],
): PickTicketItemRow | undefined {
  const isUndo = scan.undoes !== undefined;
  const found = itemsNamed(items, scan);
  if (stored !== undefined) {
    const own = (isUndo ? items : found).find((item) => item.id === stored.id);
    if (own !== undefined) return own;
  }
  if (found.length < 2) return found[0];
  const { picked, canceled } = contentOf(scan, found[0]!);
  const progress = progressOf(soFar());
  const hasRoom = (item: PickTicketItemRow) => {
    const done = progress.get(item.id) ?? { picked: 0, canceled: 0 };
    return done.picked + done.canceled + picked + canceled <= item.quantity;
  };
  return found.find(hasRoom) ?? found[0];
}

/**
 * Returns the items that a scan names. A code is a bar code or itemId; only if no item or component has it, it is the
 * number of an item at the client, so a number of digits never counts for the bar code of another item.
 */
function itemsNamed(items: readonly PickTicketItemRow[], { id, code }: SentScan): PickTicketItemRow[] {
  if (id !== undefined) return items.filter((item) => item.id === id);
  if (code === undefined) return [];
  const found = items.filter((item) => isCodeOf(readJson(item.snapshot).itemDetails, code));
  if (found.length > 0 || findComponent(items, code) !== undefined) return found;
  return items.filter((item) => clientItemIdOf(item.item_id) === code);
}

/** Returns the component of a bundle on the ticket that has a code, with the bundle. */
function findComponent(items: readonly PickTicketItemRow[], code: string) {
  for (const item of items) {
    const found = componentsOf(item)?.find(({ itemDetails }) => isCodeOf(itemDetails, code));
    if (found !== undefined) return { item, details: found.itemDetails };
  }
  return undefined;
}

/** Returns an error if a code names a component of a bundle on the ticket instead of an item. */
function componentError(
  items: readonly PickTicketItemRow[],
  { id, code }: SentScan,
  place: string,
): FieldError | undefined {
  if (id !== undefined || code === undefined) return undefined;
  const found = findComponent(items, code);
  if (found === undefined) return undefined;
  const { itemId, itemDesc } = found.details;
  const message = say(
    '{code} is component {itemId} ({itemDesc}) of item {id}, the bundle {itemId2}; pick all components, then scan the bundle or send id {id}',
    { code: JSON.stringify(code), itemId, itemDesc, itemId2: found.item.item_id, id: found.item.id },
  );
  return fieldError(`${place}/code`, 'component', message);
}

/** Returns whether a code is the item's id or one of its bar codes, in any length of GTIN. */
function isCodeOf({ itemId, upcs }: Snapshot['itemDetails'], code: string): boolean {
  const form = codeForm(code);
  return itemId === code || upcs.some((upc) => codeForm(upc.value) === form);
}

function noItemError({ id, code, undoes }: SentScan, place: string): FieldError {
  if (undoes !== undefined && id === undefined && code === undefined) {
    const message = say(
      'there is no scan {undoes} on the ticket; if you send that scan later, add the id or code of its item to this scan',
      { undoes: JSON.stringify(undoes) },
    );
    return fieldError(`${place}/undoes`, 'exists', message);
  }
  const [field, value] = id === undefined ? ['code', code] : ['id', id];
  const message = say('{value} is not an item of this ticket; put the unit back and scan the next unit', {
    value: JSON.stringify(value),
  });
  return fieldError(`${place}/${field}`, 'exists', message);
}

/** Returns the content of a scan. A scan without quantities counts one found unit, unless it undoes another scan. */
function contentOf(scan: SentScan, item: PickTicketItemRow) {
  const canceled = scan.canceledQuantity ?? 0;
  const implied = scan.undoes === undefined && scan.canceledQuantity === undefined ? 1 : 0;
  return {
    scan_id: scan.scanId,
    id: item.id,
    picked: scan.pickedQuantity ?? implied,
    canceled,
    reason: canceled === 0 ? null : scan.cancellationReasonCode!,
    undoes: scan.undoes ?? null,
  };
}

function isSame(a: PickTicketScanRow, b: PickTicketScanRow): boolean {
  return (['id', 'picked', 'canceled', 'reason', 'undoes'] as const).every((name) => a[name] === b[name]);
}

/** Returns the errors of items with more scanned units than the ticket has. */
function overErrors(
  items: readonly PickTicketItemRow[],
  progress: ReadonlyMap<number, Progress>,
  scans: readonly SentScan[],
): FieldError[] {
  return items.flatMap((item) => {
    const { picked, canceled } = progress.get(item.id) ?? { picked: 0, canceled: 0 };
    if (picked + canceled <= item.quantity) return [];
    const index = scans.findLastIndex((scan) => itemsNamed(items, scan).includes(item));
    const message = say(
      'item {id} ({itemId}) has {quantity} {quantity|unit|units} to pick, but with this scan {n} would be picked or canceled; put the extra units back',
      {
        id: item.id,
        itemId: item.item_id,
        quantity: item.quantity,
        n: picked + canceled,
      },
    );
    return [fieldError(index < 0 ? '/scans' : `/scans/${index}`, 'over-pick', message, item.quantity)];
  });
}
