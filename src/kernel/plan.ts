/**
 * Plans the effects of an action on an order: a pure function, without database and clock. The operation passes the
 * action. The plan has the changed lines and packages, the new position of the order, the units that are declined,
 * brought back or charged, and the events. `write.ts` carries out the plan.
 */
import type { EventData, EventTypeName } from '../events/types.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { asksForNode, type FulfillmentType } from '../shared/client-settings.ts';
import { type StatusFields, statusOf } from '../shared/status.ts';
import type { NodeSettings } from '../sla/engine.ts';
import { type Box, unitsByLine } from './boxes.ts';
import { type OrderPosition, positionIn, positionOf, stateOf } from './position.ts';
import { cancelWayOf, ENTRY_STATE, ORDER_TRANSITIONS, type Packed, State, stateAfter } from './states.ts';
import { leftUnits, onHandUnits, type Requested, unitsOf } from './units.ts';
import { voidExcess } from './void-excess.ts';

declare module '../platform/json-column.ts' {
  interface Shapes {
    HandedUnits: HandedUnits;
  }
}

/** The associate of an action, as the request names it. */
interface By {
  modifyAssociateId: string;
}

/**
 * The result of a pick for one line. `picked` + `canceled` is its quantity on the ticket; `canceled` is `declined` +
 * `withdrawn`.
 */
interface PickResult {
  lineIndex: number;
  picked: number;
  canceled: number;
  /** Units that the customer wanted and that were not found. */
  declined: number;
  /** Units that the customer canceled during the pick and that were not found. */
  withdrawn: number;
  /** Units that the customer canceled during the pick and that were picked. A reverse pick ticket brings them back. */
  returning: number;
  /** The reason of the decline; null without declined units. */
  reason: string | null;
}

/** The corrected result of one line, and in `before` the result of the wrong CONFIRM. */
export interface CorrectedUnits extends Omit<PickResult, 'canceled'> {
  before: Pick<PickResult, 'picked' | 'declined' | 'withdrawn'>;
}

/** The units of one line that were handed over or `refused`. */
export interface HandedUnits {
  lineIndex: number;
  handed: number;
  refused: number;
  /** The reason why the customer rejected units; null if `refused` is 0. */
  reason: string | null;
}

/** One line of a check-in, summed over all packages. */
interface ArrivedUnits {
  lineIndex: number;
  checkedIn: number;
  canceled: number;
  /** The canceled units with the reason of each package. The line gets the reason of the first package. */
  canceledFor: readonly { reason: string; units: number }[];
}

/** The result of a reverse pick for one line: found units are returned, the other units are missing. */
interface ReturnedUnits {
  lineIndex: number;
  returned: number;
  missing: number;
}

/** An action on an order, with its data. */
export type Action =
  | { type: 'hold'; itemId: string; until: number }
  | { type: 'release' }
  | ({ type: 'generate'; pickTicketId: string; userId: string } & By)
  | ({ type: 'confirm'; userId: string; holdLocation: string; results: readonly PickResult[] } & By)
  | ({ type: 'reset'; pickTicketId: string; userId: string } & By)
  | ({ type: 'saveCheckIn'; holdLocation: string | null; counted: readonly ArrivedUnitsCount[] } & By)
  | ({ type: 'confirmCheckIn'; holdLocation: string | null; arrived: readonly ArrivedUnits[] } & By)
  | ({ type: 'pack'; created: number; modified: number; voided: number } & By)
  | ({ type: 'decline'; declined: readonly { lineIndex: number; quantity: number; reason: string }[] } & By)
  /** `units` is by line index. `isWhole` also closes open re-source requests. */
  | { type: 'cancel'; units: ReadonlyMap<number, number>; reasonCode: string; isWhole: boolean }
  | { type: 'expire' }
  | ({
      type: 'handOver' | 'deliver';
      handOverId: string;
      collectedBy: 'CUSTOMER' | 'PROXY';
      verificationMethod: string | null;
      proof?: 'SIGNATURE' | 'PHOTO' | undefined;
      lines: readonly HandedUnits[];
    } & By)
  | ({ type: 'bringBack'; pickTicketId: string; userId: string; returned: readonly ReturnedUnits[] } & By)
  | { type: 'resource'; requestId: string; outcome: 'RESOURCE' | 'CANCEL'; units: number }
  | {
      type: 'change';
      changeId: string;
      userId: string;
      fields: readonly string[];
      /** The new times of the order's step, if they change. */
      step?: Pick<OrderPosition, 'sla_at' | 'due_at'>;
    }
  | { type: 'move'; moveId: string; userId: string; holdLocation: string }
  | {
      type: 'correct';
      pickTicketId: string;
      correctionId: string;
      userId: string;
      holdLocation: string;
      /** The lines that the correction changes. */
      results: readonly CorrectedUnits[];
    }
  | { type: 'declineAll'; userId: string; reason: string };

type ArrivedUnitsCount = Pick<ArrivedUnits, 'checkedIn' | 'canceled'>;

/** A locked order before an action. */
export interface Subject {
  order: FulfillmentOrderRow;
  /** All lines of the order. */
  lines: readonly OrderLineRow[];
  /** All packages of the order; for `pack`, in their state after the message. */
  boxes: readonly Box[];
  requested: Requested;
}

/** Units of a line that the action declines. */
export interface Declined {
  line: OrderLineRow;
  quantity: number;
  reason: string;
}

/** Units of a line that must be brought back to the shelf. */
export interface Returning {
  line: OrderLineRow;
  quantity: number;
}

/** Units of a line that are handed over, delivered or shipped now; `from` units of the line were handed over before. */
export interface GoingUnits {
  line: OrderLineRow;
  units: number;
  from: number;
}

type OrderEvent = Extract<EventTypeName, `order.${string}`>;

/**
 * An event of the order. The writer adds ids. The first event also gets the reverse ticket, and the last event gets the
 * charged amounts.
 */
interface PlannedEvent {
  type: OrderEvent;
  data: Record<string, unknown>;
}

/** The effects of an action. */
export interface Plan {
  /** The row of the order after the action. */
  order: FulfillmentOrderRow;
  position: OrderPosition;
  /** All lines after the action. */
  lines: OrderLineRow[];
  /** The lines that the action changes. */
  changedLines: OrderLineRow[];
  changedBoxes: Box[];
  declines: Declined[];
  returns: Returning[];
  /** Units to charge. */
  money: GoingUnits[];
  /** The customer's reason, if the action closes open re-source requests. Undefined if the requests stay open. */
  closeRequests?: string;
  /** Whether the declined units become a re-source request. */
  asksForNode: boolean;
  /**
   * The declined units of a new re-source request that replaces the open request; undefined if the open request
   * remains.
   */
  requestAnew?: Declined[];
  events: PlannedEvent[];
}

/** The reason for canceling the units of an order that the customer did not collect. */
const ABANDONED = 'CancelMXCustomerAbandon';

/** The part of a plan that depends on the action alone. */
interface Effects {
  lines?: Map<number, OrderLineRow>;
  declines?: Declined[];
  returns?: Returning[];
  money?: GoingUnits[];
  columns?: Partial<FulfillmentOrderRow>;
  requested?: Requested;
  closeRequests?: string;
  requestAnew?: Declined[];
  event?: DecidedEvent;
}

/** The event of an action, without the data that plan and writer add. */
type DecidedEvent = { [T in OrderEvent]: { type: T; data: Omit<EventData<T>, AddedData> } }[OrderEvent];
type AddedData =
  | keyof StatusFields
  | 'packages'
  | 'packedQuantity'
  | 'toPackQuantity'
  | 'orderTotal'
  | 'reversePickTicketId';

/**
 * Plans an action on a locked order.
 * @param settings the settings of the order's client at its node
 * @param now epoch milliseconds
 * @throws Error if the state does not allow the action: operations check `isAllowed` first
 */
export function plan(subject: Subject, action: Action, settings: NodeSettings, now: number): Plan {
  const { order, requested: before } = subject;
  const type = order.fulfillment_type as FulfillmentType;
  const here = stateOf(order);
  const outcome = ORDER_TRANSITIONS[here][action.type];
  if (outcome === 'refused') throw new Error(`${action.type} of an order in ${here}`);

  const asks = asksForNode(settings, type);
  const effects = effectsOf(subject, action, asks);
  let lines = subject.lines.map((line) => effects.lines?.get(line.line_index) ?? line);
  const isFewer = action.type === 'decline' || action.type === 'cancel' || action.type === 'expire';
  const changedBoxes = isFewer ? voidExcess(here, subject.boxes, lines) : [];
  const boxes = subject.boxes.map((box) => changedBoxes.find((one) => one.index === box.index) ?? box);

  const declines = effects.declines ?? [];
  const requested = effects.requested ?? requestedAfter(before, asks, declines);
  const units = unitsOf(lines, requested);
  const packed = packedOf(lines, boxes);
  const status =
    outcome === 'stays'
      ? here
      : outcome === 'entry'
        ? ENTRY_STATE[type]
        : outcome === 'byUnits'
          ? stateAfter(type, here, units, packed)
          : outcome;

  let money = effects.money ?? [];
  const isShipped = status === State.SHIPPED && here === State.WAITING_FOR_PACK && units.left > 0;
  if (isShipped) {
    money = unitsToGo(lines);
    lines = lines.map((line) => ({ ...line, handed_over: line.handed_over + leftUnits(line) }));
  }

  const columns = effects.columns ?? {};
  const next = positionIn(settings, { ...order, ...columns }, status, now);
  const isSamePlace = next.status === here && next.queue_id === order.queue_id;
  const position = isSamePlace ? positionOf({ ...order, ...columns }) : next;
  const after = { ...order, ...columns, ...position, revision: order.revision + 1, updated_at: now };

  const state = statusOf(settings, status);
  const isPacking =
    here === State.WAITING_FOR_PACK && units.left > 0 && (action.type === 'pack' || packed.packages > 0);
  const counts = { packages: packed.packages, packedQuantity: packed.packed, toPackQuantity: packed.toPack };
  const ownEvent = effects.event && {
    type: effects.event.type,
    data: { ...effects.event.data, ...state, ...(isPacking && (action.type === 'pack' || isFewer) && counts) },
  };
  return {
    order: after,
    position,
    lines,
    changedLines: lines.filter((line, index) => line !== subject.lines[index]),
    changedBoxes,
    declines,
    returns: effects.returns ?? [],
    asksForNode: asks || effects.requestAnew !== undefined,
    money,
    ...(effects.closeRequests !== undefined && { closeRequests: effects.closeRequests }),
    ...(effects.requestAnew !== undefined && { requestAnew: effects.requestAnew }),
    events: [
      ...(ownEvent === undefined ? [] : [ownEvent]),
      ...furtherEvents(subject, action, after, settings),
      ...(isShipped
        ? [{ type: 'order.shipped' as const, data: { ...state, ...shipment(order, boxes, packed.packed) } }]
        : []),
    ],
  };
}

/** Returns the requested units after declines. */
function requestedAfter(before: Requested, asks: boolean, declines: readonly Declined[]): Requested {
  if (!asks) return before;
  return { ...before, resourceable: before.resourceable + sum(declines, ({ quantity }) => quantity) };
}

function effectsOf(subject: Subject, action: Action, asks: boolean): Effects {
  const { order, lines } = subject;
  switch (action.type) {
    case 'hold':
      return { columns: { due_at: action.until } };
    case 'release':
      return {};
    case 'generate': {
      const { pickTicketId, userId, modifyAssociateId } = action;
      const data = { pickTicketId, userId, modifyAssociateId };
      return { columns: { pick_ticket_id: pickTicketId }, event: { type: 'order.pickStarted', data } };
    }
    case 'confirm':
      return confirmed(order, lines, action);
    case 'reset':
      return {
        columns: { pick_ticket_id: null },
        lines: changed(lines, (line) =>
          line.canceling === 0 ? undefined : { canceled: line.canceled + line.canceling, canceling: 0 },
        ),
      };
    case 'saveCheckIn': {
      const { holdLocation } = action;
      const data = { ...countedData(action, action.counted), ...(holdLocation !== null && { holdLocation }) };
      return { columns: { checkin_hold_location: holdLocation }, event: { type: 'order.checkInSaved', data } };
    }
    case 'confirmCheckIn':
      return checkedIn(lines, action);
    case 'pack': {
      const { modifyAssociateId, created, modified, voided } = action;
      return { event: { type: 'order.packed', data: { modifyAssociateId, created, modified, voided } } };
    }
    case 'decline':
      return declined(lines, action);
    case 'cancel':
      return canceled(subject, action);
    case 'expire':
      return expired(lines);
    case 'handOver':
    case 'deliver':
      return handedOver(lines, action);
    case 'bringBack':
      return broughtBack(lines, action);
    case 'resource':
      return resourced(subject, action);
    case 'change': {
      const { changeId, userId, fields, step = {} } = action;
      return { columns: step, event: { type: 'order.changed', data: { changeId, userId, fields: [...fields] } } };
    }
    case 'move': {
      const { moveId, userId, holdLocation } = action;
      const data = { moveId, userId, from: order.hold_location, holdLocation };
      return { columns: { hold_location: holdLocation }, event: { type: 'order.moved', data } };
    }
    case 'correct':
      return corrected(subject, action, asks);
    case 'declineAll':
      return declinedAll(lines, action);
  }
}

type Of<T extends Action['type']> = Extract<Action, { type: T }>;

/** Adds the results of a pick to the lines. An order without picked units gets no hold location. */
function confirmed(
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  { userId, modifyAssociateId, holdLocation, results }: Of<'confirm'>,
): Effects {
  const byLine = new Map(results.map((result) => [result.lineIndex, result]));
  const after = changed(lines, (line) => {
    const result = byLine.get(line.line_index);
    return (
      result && {
        picked: line.picked + result.picked,
        declined: line.declined + result.declined,
        decline_reason: result.declined > 0 ? result.reason : line.decline_reason,
        canceled: line.canceled + result.withdrawn,
        canceling: result.returning,
      }
    );
  });
  const own = results.map((result) => ({ ...result, line: after.get(result.lineIndex)! }));
  const pickedQuantity = sum(results, ({ picked }) => picked);
  const customerCanceledQuantity = sum(results, ({ withdrawn, returning }) => withdrawn + returning);
  const held = pickedQuantity > 0 ? holdLocation : null;
  return {
    lines: after,
    columns: { hold_location: held },
    declines: own.flatMap(({ line, declined: quantity, reason }) =>
      quantity > 0 ? [{ line, quantity, reason: reason! }] : [],
    ),
    returns: own.flatMap(({ line, returning: quantity }) => (quantity > 0 ? [{ line, quantity }] : [])),
    event: {
      type: 'order.picked',
      data: {
        pickTicketId: order.pick_ticket_id,
        userId,
        modifyAssociateId,
        holdLocation: held,
        pickedQuantity,
        canceledQuantity: sum(results, (result) => result.canceled),
        ...(customerCanceledQuantity > 0 && { customerCanceledQuantity }),
      },
    },
  };
}

/**
 * Replaces the results of a pick by the corrected results. If the declines change, a new re-source request with the
 * corrected declines replaces the open request.
 */
function corrected({ lines, requested }: Subject, action: Of<'correct'>, asks: boolean): Effects {
  const byLine = new Map(action.results.map((result) => [result.lineIndex, result]));
  const after = changed(lines, (line) => {
    const result = byLine.get(line.line_index);
    if (result === undefined) return undefined;
    const { before } = result;
    const declined = line.declined + result.declined - before.declined;
    return {
      picked: line.picked + result.picked - before.picked,
      declined,
      decline_reason: declined > 0 ? result.reason : null,
      canceled: line.canceled + result.withdrawn - before.withdrawn,
      canceling: line.canceling + result.returning,
    };
  });
  const was = new Map(lines.map((line) => [line.line_index, line]));
  const now = lines.map((line) => after.get(line.line_index) ?? line);
  const isOther = (line: OrderLineRow) => {
    const { declined, decline_reason: reason } = was.get(line.line_index)!;
    return line.declined !== declined || line.decline_reason !== reason;
  };
  const declinedOf = (line: OrderLineRow, quantity: number): Declined[] =>
    quantity > 0 ? [{ line, quantity, reason: line.decline_reason! }] : [];
  // Declined units of an open re-source request remain requested, even if the client has switched off re-sourcing since
  // the CONFIRM.
  const isRequested = asks || requested.resourceable > 0;
  const isAsked = isRequested && now.some(isOther);
  const held = now.some((line) => onHandUnits(line) > 0) ? action.holdLocation : null;
  const customerCanceledQuantity = sum(now, (line) => line.canceled + line.canceling);
  return {
    lines: after,
    columns: { hold_location: held },
    declines: now.flatMap((line) => declinedOf(line, line.declined - was.get(line.line_index)!.declined)),
    returns: [...after.values()].flatMap((line) => {
      const quantity = byLine.get(line.line_index)!.returning;
      return quantity > 0 ? [{ line, quantity }] : [];
    }),
    requested: {
      resourceable: isRequested ? sum(now, (line) => line.declined) : 0,
      resourced: 0,
    },
    ...(isAsked && { requestAnew: now.flatMap((line) => declinedOf(line, line.declined)) }),
    event: {
      type: 'order.pickCorrected',
      data: {
        pickTicketId: action.pickTicketId,
        correctionId: action.correctionId,
        userId: action.userId,
        holdLocation: held,
        pickedQuantity: sum(now, (line) => line.picked),
        declinedQuantity: sum(now, (line) => line.declined),
        ...(customerCanceledQuantity > 0 && { customerCanceledQuantity }),
      },
    },
  };
}

/** Declines every wanted unit of an order whose pick has not begun. */
function declinedAll(lines: readonly OrderLineRow[], { userId, reason }: Of<'declineAll'>): Effects {
  const after = changed(lines, (line) => {
    const left = leftUnits(line);
    return left === 0 ? undefined : { declined: line.declined + left, decline_reason: reason };
  });
  const was = new Map(lines.map((line) => [line.line_index, line]));
  const declines = [...after.values()].map((line) => ({
    line,
    quantity: leftUnits(was.get(line.line_index)!),
    reason,
  }));
  return {
    lines: after,
    declines,
    event: {
      type: 'order.declined',
      data: { modifyAssociateId: userId, declinedQuantity: sum(declines, ({ quantity }) => quantity) },
    },
  };
}

/**
 * Assigns arrived units first to wanted units, then to units that the customer canceled on the way. A reverse pick
 * ticket brings the canceled units back. Units that the customer canceled and that did not arrive become `canceled`.
 */
function checkedIn(lines: readonly OrderLineRow[], action: Of<'confirmCheckIn'>): Effects {
  const byLine = new Map(action.arrived.map((one) => [one.lineIndex, one]));
  const declines: Declined[] = [];
  const returns: Returning[] = [];
  const after = changed(lines, (line) => {
    const { checkedIn: picked, canceledFor } = byLine.get(line.line_index)!;
    const reason = canceledFor[0]?.reason ?? null;
    const wanted = line.ordered - line.canceling;
    const missing = Math.max(0, wanted - picked);
    const canceling = Math.max(0, picked - wanted);
    return {
      picked,
      declined: missing,
      decline_reason: missing > 0 ? reason : line.decline_reason,
      canceled: line.canceling - canceling,
      canceling,
    };
  });
  for (const line of after.values()) {
    if (line.declined > 0) declines.push({ line, quantity: line.declined, reason: line.decline_reason! });
    if (line.canceling > 0) returns.push({ line, quantity: line.canceling });
  }
  const holdLocation = action.arrived.some((one) => one.checkedIn > 0) ? action.holdLocation : null;
  const customerCanceledQuantity = sum([...after.values()], (line) => line.canceled + line.canceling);
  return {
    lines: after,
    declines,
    returns,
    columns: { hold_location: holdLocation, checkin_hold_location: holdLocation },
    event: {
      type: 'order.checkedIn',
      data: {
        ...countedData(action, action.arrived),
        ...(customerCanceledQuantity > 0 && { customerCanceledQuantity }),
      },
    },
  };
}

function countedData({ modifyAssociateId }: By, counted: readonly ArrivedUnitsCount[]) {
  return {
    modifyAssociateId,
    lines: counted.length,
    checkedIn: sum(counted, (one) => one.checkedIn),
    canceled: sum(counted, (one) => one.canceled),
  };
}

function declined(lines: readonly OrderLineRow[], action: Of<'decline'>): Effects {
  const byLine = new Map(action.declined.map((one) => [one.lineIndex, one]));
  const after = changed(lines, (line) => {
    const one = byLine.get(line.line_index);
    return (
      one && {
        picked: line.picked - one.quantity,
        declined: line.declined + one.quantity,
        decline_reason: one.reason,
      }
    );
  });
  return {
    lines: after,
    declines: action.declined.map(({ lineIndex, quantity, reason }) => ({
      line: after.get(lineIndex)!,
      quantity,
      reason,
    })),
    event: {
      type: 'order.declined',
      data: {
        modifyAssociateId: action.modifyAssociateId,
        declinedQuantity: sum(action.declined, ({ quantity }) => quantity),
      },
    },
  };
}

/**
 * Cancels units. Before the pick they are canceled immediately; during the pick and on the way to the store they are
 * marked. After that, a reverse pick ticket brings them back.
 */
function canceled({ order, lines, requested }: Subject, { units, reasonCode, isWhole }: Of<'cancel'>): Effects {
  const way = cancelWayOf(order.fulfillment_type as FulfillmentType, stateOf(order));
  const total = sum([...units.values()], (quantity) => quantity);
  const column = way === 'atOnce' ? 'canceled' : 'canceling';
  const after = changed(lines, (line) => {
    const more = units.get(line.line_index);
    return more === undefined ? undefined : { [column]: line[column] + more, cancel_reason: reasonCode };
  });
  const isAtOnce = way === 'atOnce' || (way === 'bringBack' && total === 0);
  // The decline removed the units of re-source requests from the order's lines, so these units are not counted as
  // canceled.
  const closing = isWhole && requested.resourceable > 0 ? { requestedQuantity: requested.resourceable } : {};
  const returns =
    way === 'bringBack' ? [...after.values()].map((line) => ({ line, quantity: units.get(line.line_index)! })) : [];
  return {
    lines: after,
    returns,
    ...(isWhole && { requested: { ...requested, resourceable: 0 }, closeRequests: reasonCode }),
    event: isAtOnce
      ? { type: 'order.canceled', data: { reasonCode, canceledQuantity: total, ...closing } }
      : { type: 'order.cancelRequested', data: { reasonCode, cancelingQuantity: total, ...closing } },
  };
}

/** Cancels all units that are held for a customer who did not collect them. A reverse pick ticket brings them back. */
function expired(lines: readonly OrderLineRow[]): Effects {
  const after = changed(lines, (line) => {
    const left = leftUnits(line);
    return left === 0 ? undefined : { canceling: line.canceling + left, cancel_reason: ABANDONED };
  });
  const before = new Map(lines.map((line) => [line.line_index, line]));
  const returns = [...after.values()].map((line) => ({ line, quantity: leftUnits(before.get(line.line_index)!) }));
  const expiredQuantity = sum(returns, ({ quantity }) => quantity);
  return {
    lines: after,
    returns,
    event: { type: 'order.expired', data: { reasonCode: ABANDONED, expiredQuantity } },
  };
}

function handedOver(lines: readonly OrderLineRow[], action: Of<'handOver' | 'deliver'>): Effects {
  const byLine = new Map(action.lines.map((one) => [one.lineIndex, one]));
  const after = changed(lines, (line) => {
    const one = byLine.get(line.line_index);
    return (
      one && {
        handed_over: line.handed_over + one.handed,
        refused: line.refused + one.refused,
        refuse_reason: one.reason ?? line.refuse_reason,
      }
    );
  });
  const toGo = (line: OrderLineRow) => leftUnits(after.get(line.line_index) ?? line);
  return {
    lines: after,
    money: lines.map((line) => ({ line, units: byLine.get(line.line_index)?.handed ?? 0, from: line.handed_over })),
    // The PIN was correct or is no longer needed.
    columns: { pin_attempts: 0, pin_locked_until: null, pin_unlocks: 0 },
    event: {
      type: action.type === 'handOver' ? 'order.handedOver' : 'order.delivered',
      data: {
        handOverId: action.handOverId,
        modifyAssociateId: action.modifyAssociateId,
        collectedBy: action.collectedBy,
        verificationMethod: action.verificationMethod,
        ...(action.proof !== undefined && { proof: action.proof }),
        handedOverQuantity: sum(action.lines, ({ handed }) => handed),
        refusedQuantity: sum(action.lines, ({ refused }) => refused),
        toHandOverQuantity: sum(lines, toGo),
      },
    },
  };
}

/** Removes the units of a reverse ticket from the order: found units as returned, the other units as missing. */
function broughtBack(lines: readonly OrderLineRow[], action: Of<'bringBack'>): Effects {
  const byLine = new Map(action.returned.map((one) => [one.lineIndex, one]));
  const after = changed(lines, (line) => {
    const one = byLine.get(line.line_index);
    return (
      one && {
        returned: line.returned + one.returned,
        missing: line.missing + one.missing,
        canceling: line.canceling - one.returned - one.missing,
      }
    );
  });
  const isEmpty = lines.every((line) => onHandUnits(after.get(line.line_index) ?? line) === 0);
  return {
    lines: after,
    ...(isEmpty && { columns: { hold_location: null } }),
    event: {
      type: 'order.broughtBack',
      data: {
        pickTicketId: action.pickTicketId,
        userId: action.userId,
        modifyAssociateId: action.modifyAssociateId,
        returnedQuantity: sum(action.returned, ({ returned }) => returned),
        missingQuantity: sum(action.returned, ({ missing }) => missing),
      },
    },
  };
}

/**
 * Removes the units of a closed re-source request from the units in open requests. With the outcome RESOURCE, they
 * count as re-sourced.
 */
function resourced({ requested }: Subject, { requestId, outcome, units }: Of<'resource'>): Effects {
  return {
    requested: {
      resourceable: requested.resourceable - units,
      resourced: requested.resourced + (outcome === 'RESOURCE' ? units : 0),
    },
    event: { type: 'order.resourced', data: { requestId, outcome } },
  };
}

/** Returns the events that need the row after the action, or that show a state other than the final state. */
function furtherEvents(
  { order, lines }: Subject,
  action: Action,
  after: FulfillmentOrderRow,
  settings: NodeSettings,
): PlannedEvent[] {
  const state = statusOf(settings, after.status);
  if (action.type === 'hold') {
    const data = { ...state, itemId: action.itemId, heldUntil: formatDateTime(action.until) };
    return [{ type: 'order.held', data }];
  }
  if (action.type === 'release') {
    return [{ type: 'order.released', data: { ...state, queueId: after.queue_id, nodeId: order.node_id } }];
  }
  if (action.type !== 'reset') return [];
  const { pickTicketId, userId, modifyAssociateId } = action;
  const by = { pickTicketId, userId, modifyAssociateId };
  const canceledQuantity = sum(lines, (line) => line.canceling);
  return [
    { type: 'order.pickReset', data: { ...by, ...statusOf(settings, State.WAITING_FOR_PICK) } },
    ...(canceledQuantity > 0 ? [{ type: 'order.canceled' as const, data: { ...state, canceledQuantity } }] : []),
  ];
}

function shipment({ carrier, service }: FulfillmentOrderRow, boxes: readonly Box[], shippedQuantity: number) {
  const trackingNumbers = boxes.flatMap((box) => (box.items.length > 0 ? (box.trackingNumber ?? []) : []));
  return { carrier, service, trackingNumbers, shippedQuantity };
}

/** Returns the remaining units of each line, picked or not. */
export function unitsToGo(lines: readonly OrderLineRow[]): GoingUnits[] {
  return lines.map((line) => ({ line, units: leftUnits(line), from: line.handed_over }));
}

/** Counts the packages of an order and their units; `packed` + `toPack` are the wanted units. */
function packedOf(lines: readonly OrderLineRow[], boxes: readonly Box[]): Packed {
  const recorded = boxes.filter((box) => box.items.length > 0);
  const packed = sum([...unitsByLine(recorded).values()], (units) => units);
  return {
    packages: recorded.length,
    packed,
    toPack: sum(lines, leftUnits) - packed,
    untracked: recorded.filter((box) => box.trackingNumber === null).length,
  };
}

/** Returns the changed lines, by line index. */
function changed(
  lines: readonly OrderLineRow[],
  change: (line: OrderLineRow) => Partial<OrderLineRow> | undefined,
): Map<number, OrderLineRow> {
  const after = new Map<number, OrderLineRow>();
  for (const line of lines) {
    const columns = change(line);
    if (columns !== undefined) after.set(line.line_index, { ...line, ...columns });
  }
  return after;
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
