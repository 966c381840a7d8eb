/** What a screen shows: what the service said last, and on top of it what has not been sent yet. */
import type { CheckInPackage, Kept, OrderPlace, ScanUnits, TicketDetails } from './commands.ts';
import type { Conflict, SentScan, Snapshot } from './database.ts';

export type TicketSnapshot = Snapshot & { kind: 'ticket' };
export type CheckInSnapshot = Snapshot & { kind: 'checkIn' };

type TicketItem = TicketDetails['pickTicketItems'][number];

/** An item of a ticket with what has been done of it, sent or not. */
export interface ItemView {
  id: number;
  item: TicketItem;
  quantity: number;
  picked: number;
  canceled: number;
  /** The reason given last for missing units. */
  reason?: string;
  /** Units of which nothing is known yet. */
  left: number;
}

/** A scan that counts. */
interface ScanView extends SentScan {
  isSent: boolean;
}

export interface TicketView {
  ticket: TicketDetails;
  /** When the service said so. */
  at: number;
  items: ItemView[];
  /** All that count, the last one at the end: what an undo takes back. */
  scans: ScanView[];
  /** Commands that the service does not have yet. */
  waiting: number;
  /** The ticket is confirmed here: `WAITING` until the service has it. */
  confirmed?: 'WAITING' | 'SENT';
  /** Where the goods wait by the CONFIRM that is not sent yet. */
  holdLocation?: string;
  /** Where single orders wait instead. */
  orderHoldLocations?: readonly OrderPlace[];
  conflict?: Conflict;
}

/** A ticket as it is once everything is sent. */
export function ticketView(snapshot: TicketSnapshot, lane: readonly Kept[], conflict?: Conflict): TicketView {
  const { ticket, sent, at, closedAt } = snapshot;
  const { scans, sums } = scansOf(lane, sent);
  const items = ticket.pickTicketItems.map((item): ItemView => {
    const sum = sums.get(item.id) ?? { picked: 0, canceled: 0, reason: undefined };
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
  reason: string | undefined;
}

function scansOf(lane: readonly Kept[], sent: readonly SentScan[]): { scans: ScanView[]; sums: Map<number, Sum> } {
  const undone = new Set(lane.flatMap(({ command }) => (command.kind === 'undo' ? [command.undoes] : [])));
  const known = new Set(lane.flatMap(({ command, id }) => (command.kind === 'scan' ? [id] : [])));
  const scans: ScanView[] = sent.filter(({ scanId }) => !undone.has(scanId)).map((scan) => ({ ...scan, isSent: true }));
  const sums = new Map<number, Sum>();
  const add = ({ item, picked, canceled, reason }: ScanUnits, sign: 1 | -1) => {
    const sum = sums.get(item) ?? { picked: 0, canceled: 0, reason: undefined };
    sum.picked += sign * picked;
    sum.canceled += sign * canceled;
    if (sign === 1 && reason !== undefined) sum.reason = reason;
    sums.set(item, sum);
  };
  for (const { command, id } of lane) {
    if (command.kind === 'scan' && !undone.has(id)) {
      add(command, 1);
      const { item, picked, canceled, reason } = command;
      scans.push({ scanId: id, item, picked, canceled, ...(reason !== undefined && { reason }), isSent: false });
    }
    // One that waits in the lane counts nothing by itself; one that the service has must be taken off its sums.
    if (command.kind === 'undo' && !known.has(command.undoes)) add(command.of, -1);
  }
  return { scans, sums };
}

/** The results of a CONFIRM: what is left of an item is missing, for the reason given. */
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

/** A check-in as it is once everything is sent. Its numbers are absolute, so the last word on a line counts. */
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

/** The details with the counts that a message says of some packages. */
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
