/** The effects of a response on this device: pure functions over snapshots and conflicts. */
import type { CheckInDetails, Kept, TicketDetails } from './commands.ts';
import type { Conflict, SentScan, Snapshot } from './database.ts';
import type { Outcome } from './queue.ts';
import { textOf } from './transport.ts';
import { lastReason, withCounts } from './view.ts';

type Item = TicketDetails['pickTicketItems'][number];

interface ProgressReply {
  status?: TicketDetails['status'];
  leaseUntil?: string;
  allowedActions?: TicketDetails['allowedActions'];
  pickTicketItems?: Pick<Item, 'id' | 'pickedQuantity' | 'canceledQuantity' | 'cancellationReasonCode'>[];
}

/** Returns the snapshot after the service has accepted commands of its lane; undefined if it is no longer stored. */
export function accepted(
  snapshot: Snapshot | undefined,
  batch: readonly [Kept, ...Kept[]],
  body: Record<string, unknown>,
  now: number,
): Snapshot | undefined {
  const [{ command }] = batch;
  if (snapshot === undefined) return undefined;
  if (snapshot.kind === 'checkIn') {
    if (command.kind !== 'saveCheckIn' && command.kind !== 'confirmCheckIn') return snapshot;
    const { packages, holdLocation = snapshot.holdLocation } = command;
    return {
      ...snapshot,
      at: now,
      details: withCounts(snapshot.details, packages),
      ...(holdLocation !== undefined && { holdLocation }),
      ...(command.kind === 'confirmCheckIn' && { closedAt: now }),
    };
  }
  if (snapshot.kind !== 'ticket') return snapshot;
  switch (command.kind) {
    case 'open': {
      const ticket = body['pickTicketDetails'] as TicketDetails | undefined;
      return ticket === undefined ? snapshot : { ...snapshot, at: now, ticket };
    }
    case 'confirm': {
      const results = new Map(command.items.map((item) => [item.id, item]));
      const pickTicketItems = snapshot.ticket.pickTicketItems.map((item) => ({
        ...item,
        pickedQuantity: results.get(item.id)?.pickedQuantity ?? item.pickedQuantity,
        canceledQuantity: results.get(item.id)?.canceledQuantity ?? item.canceledQuantity,
      }));
      const { holdLocation, orderHoldLocations } = command;
      const ticket = { ...snapshot.ticket, status: 'CLOSED' as const, holdLocation, pickTicketItems };
      const places = orderHoldLocations !== undefined && { orderHoldLocations };
      return { ...snapshot, at: now, closedAt: now, ticket, ...places };
    }
    default:
      return withProgress(snapshot, batch, body, now);
  }
}

function withProgress(
  snapshot: Snapshot & { kind: 'ticket' },
  batch: readonly Kept[],
  reply: ProgressReply,
  now: number,
): Snapshot {
  const counts = new Map(reply.pickTicketItems?.map((item) => [item.id, item]));
  const sent = sentScans(snapshot.sent, batch);
  const reasons = new Map(
    batch.flatMap(({ command }) => {
      const of = command.kind === 'undo' ? command.of : command.kind === 'scan' ? command : undefined;
      return of !== undefined && of.canceled > 0 ? [[of.item, lastReason(sent, of.item)]] : [];
    }),
  );
  const pickTicketItems = snapshot.ticket.pickTicketItems.map((item) => {
    const { cancellationReasonCode: before, ...rest } = item;
    const after = counts.get(item.id);
    const { pickedQuantity, canceledQuantity } = after ?? item;
    // Only the service knows the reports of other devices. A service of an older version does not send the reason.
    const reason = after?.cancellationReasonCode ?? reasons.get(item.id) ?? before;
    return {
      ...rest,
      pickedQuantity,
      canceledQuantity,
      ...(canceledQuantity > 0 && reason !== undefined && { cancellationReasonCode: reason }),
    };
  });
  const { status = snapshot.ticket.status, leaseUntil, allowedActions = snapshot.ticket.allowedActions } = reply;
  const ticket = {
    ...snapshot.ticket,
    status,
    allowedActions,
    pickTicketItems,
    ...(leaseUntil !== undefined && { leaseUntil }),
  };
  return { ...snapshot, at: now, ticket, sent };
}

function sentScans(before: readonly SentScan[], batch: readonly Kept[]): SentScan[] {
  const sent = [...before];
  for (const { id, command } of batch) {
    if (command.kind !== 'scan' || sent.some(({ scanId }) => scanId === id)) continue;
    const { item, picked, canceled, reason } = command;
    sent.push({ scanId: id, item, picked, canceled, ...(reason !== undefined && { reason }) });
  }
  const undone = new Set(batch.flatMap(({ command }) => (command.kind === 'undo' ? [command.undoes] : [])));
  return sent.filter(({ scanId }) => !undone.has(scanId));
}

/** Returns the conflict for rejected commands, with the reason from the service. */
export function conflictOf(
  batch: readonly [Kept, ...Kept[]],
  outcome: Outcome & { kind: 'response' },
  body: Record<string, unknown>,
  now: number,
): Conflict {
  const [{ lane, owner, command }] = batch;
  const requestId = textOf(body, 'requestId');
  const holder = textOf(body, 'userId');
  const since = textOf(body, 'since');
  const errors = Array.isArray(body['errors']) ? (body['errors'] as { pointer?: string }[]) : [];
  const indexes = errors.map(({ pointer = '' }) => /^\/scans\/(\d+)/.exec(pointer)?.[1]);
  const named = indexes.every((index) => index !== undefined)
    ? batch.filter((_, index) => indexes.includes(String(index))).map(({ id }) => id)
    : [];
  return {
    lane,
    owner,
    subject: command.subject,
    at: now,
    status: outcome.status,
    code: outcome.code ?? `HTTP_${outcome.status}`,
    description: textOf(body, 'description') ?? textOf(body, 'detail') ?? '',
    ...(requestId !== undefined && { requestId }),
    ...(holder !== undefined && holder !== owner.userId && { holder }),
    ...(since !== undefined && { since }),
    body,
    commands: batch.map(({ id }) => id),
    named,
  };
}

/** Returns a new snapshot of a ticket, with the sent scans of the older snapshot. */
export function ticketSnapshot(
  owner: string,
  key: string,
  ticket: TicketDetails,
  now: number,
  before?: Snapshot,
): Snapshot {
  const sent = before?.kind === 'ticket' ? before.sent : [];
  const closedAt = ticket.status === 'CLOSED' ? { closedAt: now } : {};
  return { kind: 'ticket', owner, key, at: now, ticket, sent, ...closedAt };
}

/**
 * Returns a new snapshot of a check-in. A check-in stays confirmed after its CONFIRM, so the snapshot stays confirmed
 * too.
 */
export function checkInSnapshot(
  owner: string,
  key: string,
  details: CheckInDetails,
  now: number,
  before?: Snapshot,
): Snapshot {
  const holdLocation = details.holdLocation ?? (before?.kind === 'checkIn' ? before.holdLocation : undefined);
  const hold = holdLocation === undefined ? {} : { holdLocation };
  const closed = before?.closedAt === undefined ? {} : { closedAt: before.closedAt };
  return { kind: 'checkIn', owner, key, at: now, details, ...hold, ...closed };
}
