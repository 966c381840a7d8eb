/** Builds the displayed ticket or check-in: the last state from the service with the unsent commands applied. */
import type { CheckInPackage, Kept, OrderPlace, ScanUnits, TicketDetails } from './commands.ts';
import type { Conflict, SentScan, Snapshot } from './database.ts';

export type TicketSnapshot = Snapshot & { kind: 'ticket' };
export type CheckInSnapshot = Snapshot & { kind: 'checkIn' };

type TicketItem = TicketDetails['pickTicketItems'][number];

/** An item of a ticket with its results, sent or not. */
export interface ItemView {
  id: number;
  item: TicketItem;
  quantity: number;
  picked: number;
  canceled: number;
  /** The last reason for missing units. */
  reason?: string;
  /** Units without a result. */
  left: number;
}

export interface TicketView {
  ticket: TicketDetails;
  /** Time of the last response of the service. */
  at: number;
  items: ItemView[];
  /** All scans that are not undone, the latest last. An undo removes the latest. */
  scans: SentScan[];
  /** Number of commands that the service does not have yet. */
  waiting: number;
  /** The ticket is confirmed on this device: `WAITING` until the service has the CONFIRM. */
  confirmed?: 'WAITING' | 'SENT';
  /** Place of the goods in the unsent CONFIRM. */
  holdLocation?: string;
  /** Places of single orders, instead of `holdLocation`. */
  orderHoldLocations?: readonly OrderPlace[];
  conflict?: Conflict;
}

/** Returns a ticket with all waiting commands applied. */
export function ticketView(snapshot: TicketSnapshot, lane: readonly Kept[], conflict?: Conflict): TicketView {
  const { ticket, sent, at, closedAt } = snapshot;
  const { scans, sums } = scansOf(lane, sent);
  const items = ticket.pickTicketItems.map((item): ItemView => {
    const sum: Sum = sums.get(item.id) ?? { picked: 0, canceled: 0 };
    const picked = item.pickedQuantity + sum.picked;
    const canceled = item.canceledQuantity + sum.canceled;
    const reason = sum.reason ?? item.cancellationReasonCode;
    const left = item.quantity - picked - canceled;
    return {
      id: item.id,
      item,
      quantity: item.quantity,
      picked,
      canceled,
      ...(canceled > 0 && reason !== undefined && { reason }),
      left,
    };
  });
  const confirm = lane.find(({ command }) => command.kind === 'confirm')?.command;
  const isConfirming = confirm !== undefined;
  const places = confirm?.kind === 'confirm' ? confirm.orderHoldLocations : snapshot.orderHoldLocations;
  return {
    ticket,
    at,
    items,
    scans,
    waiting: lane.length,
    ...((isConfirming || closedAt !== undefined) && { confirmed: isConfirming ? 'WAITING' : 'SENT' }),
    ...(confirm?.kind === 'confirm' && { holdLocation: confirm.holdLocation }),
    ...(places !== undefined && { orderHoldLocations: places }),
    ...(conflict !== undefined && { conflict }),
  };
}

interface Sum {
  picked: number;
  canceled: number;
  reason?: string | undefined;
}

function scansOf(lane: readonly Kept[], sent: readonly SentScan[]): { scans: SentScan[]; sums: Map<number, Sum> } {
  const undone = new Set(lane.flatMap(({ command }) => (command.kind === 'undo' ? [command.undoes] : [])));
  const scans = sent.filter(({ scanId }) => !undone.has(scanId));
  const sums = new Map<number, Sum>();
  const add = ({ item, picked, canceled }: ScanUnits, sign: 1 | -1, reason?: string) => {
    const sum: Sum = sums.get(item) ?? { picked: 0, canceled: 0 };
    sum.picked += sign * picked;
    sum.canceled += sign * canceled;
    sum.reason = reason ?? sum.reason;
    sums.set(item, sum);
  };
  for (const { command, id } of lane) {
    if (command.kind === 'scan' && !undone.has(id)) {
      const { item, picked, canceled, reason } = command;
      add(command, 1, reason);
      scans.push({ scanId: id, item, picked, canceled, ...(reason !== undefined && { reason }) });
    }
    // An undone scan that still waits in this lane was not added above. If the service already has the scan, its units
    // are subtracted. The reason of missing units is then that of the scan before it.
    if (command.kind === 'undo' && lane.every((kept) => kept.id !== command.undoes)) {
      const { item, canceled } = command.of;
      add(command.of, -1, canceled > 0 ? lastReason(scans, item) : undefined);
    }
  }
  return { scans, sums };
}

/** Returns the reason of the latest scan with missing units of an item. */
export function lastReason(scans: readonly SentScan[], item: number): string | undefined {
  return scans.findLast((scan) => scan.item === item && scan.reason)?.reason;
}

/**
 * Returns the results for a CONFIRM. Units that were not picked are missing: with the item's reason, otherwise with
 * `reasonOfRest`.
 */
export function confirmItems(view: TicketView, reasonOfRest?: string) {
  return view.items.map(({ id, item, quantity, picked, reason }) => {
    const canceled = quantity - picked;
    const why = reason ?? reasonOfRest;
    return {
      id,
      itemId: item.itemDetails.itemId,
      pickedQuantity: picked,
      canceledQuantity: canceled,
      ...(canceled > 0 && why !== undefined && { cancellationReasonCode: why }),
    };
  });
}

export interface CheckInView {
  details: CheckInSnapshot['details'];
  at: number;
  holdLocation?: string;
  waiting: number;
  confirmed?: 'WAITING' | 'SENT';
  conflict?: Conflict;
}

/**
 * Returns a check-in with all waiting commands applied. Its numbers are absolute, so the last command of a line wins.
 */
export function checkInView(snapshot: CheckInSnapshot, lane: readonly Kept[], conflict?: Conflict): CheckInView {
  let { details, holdLocation } = snapshot;
  let isConfirming = false;
  for (const { command } of lane) {
    if (command.kind !== 'saveCheckIn' && command.kind !== 'confirmCheckIn') continue;
    details = withCounts(details, command.packages);
    holdLocation = command.holdLocation ?? holdLocation;
    isConfirming ||= command.kind === 'confirmCheckIn';
  }
  return {
    details,
    at: snapshot.at,
    waiting: lane.length,
    ...(holdLocation !== undefined && { holdLocation }),
    ...((isConfirming || snapshot.closedAt !== undefined) && { confirmed: isConfirming ? 'WAITING' : 'SENT' }),
    ...(conflict !== undefined && { conflict }),
  };
}

/** Returns the details with the counts that a command has for some packages. */
export function withCounts(
  details: CheckInSnapshot['details'],
  packages: readonly CheckInPackage[],
): CheckInSnapshot['details'] {
  const said = new Map(packages.map((one) => [one.checkInPackageId, one.checkInPackageItems]));
  return {
    ...details,
    checkInPackages: details.checkInPackages.map((one) => ({
      ...one,
      checkInPackageItems: one.checkInPackageItems.map((line) => {
        const counted = said.get(one.checkInPackageId)?.find(({ webLineId }) => webLineId === line.webLineId);
        if (counted === undefined) return line;
        const { checkInCancellationReasonCode: _, ...rest } = line;
        const reason = counted.checkInCancellationReasonCode;
        return {
          ...rest,
          checkInQuantity: counted.checkInQuantity,
          checkInCanceledQuantity: counted.checkInCanceledQuantity,
          ...(typeof reason === 'string' && reason !== '' && { checkInCancellationReasonCode: reason }),
        };
      }),
    })),
  };
}
