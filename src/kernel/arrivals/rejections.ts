/** Rejections of operations on arriving goods. Each message names the obstacle and the next step. */

import { conflict, notFound, Refusal } from '../../platform/http/errors.ts';
import { type FieldError, fieldError } from '../../platform/message/field-errors.ts';
import type { InboundShipmentRow } from '../../platform/storage/tables.ts';
import { formatDateTime } from '../../platform/time.ts';
import { belowZeroRefusal } from '../below-zero.ts';
import type { Announcer, ReceivedBy } from './action.ts';
import { type InboundAction, inboundBlock } from './states.ts';

/** Error codes of the operations on arriving goods. */
type InboundCode =
  | 'CARTON_ALREADY_RECEIVED'
  | 'CARTON_HELD_BY'
  | 'CARTON_AMBIGUOUS'
  | 'CARTON_ELSEWHERE'
  | 'UNANNOUNCED'
  | 'APPROVAL_NEEDED'
  | 'NOT_OPEN';

/** A rejected carton or line. */
export interface InboundBlock {
  code: InboundCode;
  description: string;
  extra: Record<string, unknown>;
}

/** 409 for a rejection by the state of a carton, line or shipment. */
export function rejectionOf({ code, description, extra }: InboundBlock): Refusal {
  return new Refusal(409, 'STATE', code, description, { extra });
}

/** 409 for several rejections: `code` is that of the first, `refusals` lists all. */
export function rejectionOfAll(blocks: readonly InboundBlock[]): Refusal {
  const first = blocks[0]!;
  const refusals = blocks.map(({ code, description, extra }) => ({ code, description, ...extra }));
  const more = blocks.length === 1 ? '' : ` (and ${blocks.length - 1} more; see \`refusals\`)`;
  return new Refusal(409, 'STATE', first.code, `${first.description}${more}`, { extra: { ...first.extra, refusals } });
}

/** 409 if the state of the shipment forbids the action (NOT_OPEN if it is closed); undefined if it allows it. */
export function blockedAction(row: InboundShipmentRow, action: InboundAction): Refusal | undefined {
  const reason = inboundBlock(row.status, action, row.matched_to !== null);
  if (reason === undefined) return undefined;
  const words = `${row.type} ${JSON.stringify(row.number)} is ${row.status}: ${reason}.`;
  if (row.status === 'CLOSED') return new Refusal(409, 'STATE', 'NOT_OPEN', words, { extra: { state: row.status } });
  return conflict(words, { state: row.status });
}

/** 409: several sellers use the number. */
export function ambiguousNumber(
  type: string,
  number: string,
  rows: readonly Pick<InboundShipmentRow, 'seller_id'>[],
): Refusal {
  const sellerIds = rows.map((one) => one.seller_id);
  const words = `${sellerIds.length} sellers have an ${type} ${JSON.stringify(number)}; add ?sellerId= with one of ${sellerIds.map((id) => JSON.stringify(id)).join(', ')}.`;
  return new Refusal(409, 'STATE', 'AMBIGUOUS_NUMBER', words, { extra: { sellerIds } });
}

/** 404: another request voided the shipment in the meantime. A new announcement of its number may have other lines. */
export function voidedMeanwhile({ type, number }: Pick<InboundShipmentRow, 'type' | 'number'>): Refusal {
  return notFound(
    `${type} ${JSON.stringify(number)} was voided during this request; nothing was booked. Read the shipment, then send again.`,
  );
}

/** A line that takes more units of a kind than its key has. */
export interface TooFew {
  /** The field with the error. */
  pointer: string;
  message: string;
  /** The limit. */
  limit: number;
}

/** Returns the 400 BELOW_ZERO with all errors, or undefined if there are none. */
export function belowZeroOf(lacking: readonly TooFew[]): Refusal | undefined {
  const errors = lacking.map(
    ({ pointer, message, limit }): FieldError => fieldError(pointer, 'BELOW_ZERO', message, limit),
  );
  return errors.length === 0 ? undefined : belowZeroRefusal(errors);
}

export function receivedBefore(cartonId: string, by: ReceivedBy): InboundBlock {
  const since = formatDateTime(by.since);
  return {
    code: 'CARTON_ALREADY_RECEIVED',
    description: `Carton ${JSON.stringify(cartonId)} was received by ${by.userId} at ${since} (receipt ${JSON.stringify(by.receiptId)}); correct that receipt if it is wrong.`,
    extra: { cartonId, receiptId: by.receiptId, userId: by.userId, since },
  };
}

export function heldBy(cartonId: string, userId: string, at: number): InboundBlock {
  const since = formatDateTime(at);
  return {
    code: 'CARTON_HELD_BY',
    description: `${userId} has been counting carton ${JSON.stringify(cartonId)} since ${since}; count its pieces, or wait.`,
    extra: { cartonId, userId, since },
  };
}

/** The rejection of a carton that the shipment does not announce, received without `unannounced`. */
export function unannouncedCarton(
  row: InboundShipmentRow,
  cartonId: string,
  announcers: readonly Announcer[],
): InboundBlock {
  const name = `Carton ${JSON.stringify(cartonId)}`;
  const [only, ...more] = announcers;
  if (more.length > 0) return ambiguousCarton(cartonId, announcers);
  if (only !== undefined && only.nodeId !== row.node_id) {
    return {
      code: 'CARTON_ELSEWHERE',
      description: `${name} is announced for node ${JSON.stringify(only.nodeId)}; forward it, or accept it here with unannounced.`,
      extra: { cartonId, ...showAnnouncer(only) },
    };
  }
  const hint =
    only === undefined
      ? 'accept it with unannounced if it stays'
      : `${only.type} ${JSON.stringify(only.number)} of this node announces it: receive it there`;
  return {
    code: 'UNANNOUNCED',
    description: `${name} is not announced by ${row.type} ${JSON.stringify(row.number)}; ${hint}.`,
    extra: { cartonId, ...(only !== undefined && { announcedBy: announcers.map(showAnnouncer) }) },
  };
}

/** The rejection of a carton that several other shipments announce. */
export function ambiguousCarton(cartonId: string, announcers: readonly Announcer[]): InboundBlock {
  return {
    code: 'CARTON_AMBIGUOUS',
    description: `${announcers.length} other shipments announce carton ${JSON.stringify(cartonId)}; receive it with the shipment that it arrived with, or count its pieces.`,
    extra: { cartonId, announcedBy: announcers.map(showAnnouncer) },
  };
}

function showAnnouncer({ nodeId, type, number, sellerId, isSeen }: Announcer) {
  return { nodeId, ...(isSeen && { type, number, sellerId }) };
}
