/** Rejections of operations on arriving goods. A message names the obstacle and, if there is one, the next step. */

import { conflict, notFound, Refusal } from '../../platform/http/errors.ts';
import { readJson } from '../../platform/json-column.ts';
import { type FieldError, fieldError } from '../../platform/message/field-errors.ts';
import { type Sentence, sequence } from '../../platform/message/sentence.ts';
import type { InboundShipmentRow } from '../../platform/storage/tables.ts';
import { formatDateTime } from '../../platform/time.ts';
import { belowZeroRefusal } from '../below-zero.ts';
import type { Announcer, ReceivedBy } from './action.ts';
import { say } from './sentences.ts';
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

/** The reason to reject a carton, a line or a whole request. */
export interface InboundBlock {
  code: InboundCode;
  description: Sentence;
  extra: Record<string, unknown>;
}

/** Returns the 409 for a rejection by the state of a carton, line or shipment. */
export function rejectionOf({ code, description, extra }: InboundBlock): Refusal {
  return new Refusal(409, 'STATE', code, description, { extra });
}

/**
 * Returns the 409 for several rejections: `code` is the code of the first rejection, `refusals` lists all rejections.
 */
export function rejectionOfAll(blocks: readonly InboundBlock[]): Refusal {
  const first = blocks[0]!;
  const refusals = blocks.map(({ code, description, extra }) => ({ code, description, ...extra }));
  const more = blocks.length === 1 ? '' : say(' `refusals` lists {n} more {n|error|errors}.', { n: blocks.length - 1 });
  return new Refusal(409, 'STATE', first.code, sequence([first.description, more], ''), {
    extra: { ...first.extra, refusals },
  });
}

/**
 * Returns the 409 if the state of the shipment forbids the action (NOT_OPEN for a closed shipment), otherwise
 * undefined.
 */
export function blockedAction(row: InboundShipmentRow, action: InboundAction): Refusal | undefined {
  const reason = inboundBlock(row.status, action, row.matched_to !== null);
  if (reason === undefined) return undefined;
  const words = say('Nothing was changed in {type} {number} ({status}): {reason}.', {
    type: row.type,
    number: JSON.stringify(row.number),
    status: row.status,
    reason,
  });
  if (row.status === 'CLOSED') {
    const matchedTo = row.matched_to !== null && { matchedTo: readJson(row.matched_to) };
    return new Refusal(409, 'STATE', 'NOT_OPEN', words, { extra: { state: row.status, ...matchedTo } });
  }
  return conflict(words, { state: row.status });
}

/** Returns the 409 for a number that several sellers use. */
export function ambiguousNumber(
  type: string,
  number: string,
  rows: readonly Pick<InboundShipmentRow, 'seller_id'>[],
): Refusal {
  const sellerIds = rows.map((one) => one.seller_id);
  const words = say('{count} sellers use {type} {number}; add ?sellerId= with one of {sellerIds}.', {
    count: sellerIds.length,
    type,
    number: JSON.stringify(number),
    sellerIds: sellerIds.map((id) => JSON.stringify(id)).join(', '),
  });
  return new Refusal(409, 'STATE', 'AMBIGUOUS_NUMBER', words, { extra: { sellerIds } });
}

/**
 * Returns the 404 for a shipment that another request voided in the meantime. A new announcement of its number may have
 * other lines, so the request is not applied to the new shipment.
 */
export function voidedMeanwhile({ type, number }: Pick<InboundShipmentRow, 'type' | 'number'>): Refusal {
  return notFound(
    say(
      '{type} {number} was voided during this request; nothing was booked. Read the shipment, then send the request again.',
      {
        type,
        number: JSON.stringify(number),
      },
    ),
  );
}

/** A line that takes more units of a kind than its key has. */
export interface TooFew {
  /** The field with the error. */
  pointer: string;
  message: Sentence;
  /** The limit for the quantity of the line; negative for a correction. */
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
    description: say(
      'Carton {cartonId} was received by {userId} at {since} (receipt {receiptId}); correct that receipt if it is wrong.',
      { cartonId: JSON.stringify(cartonId), userId: by.userId, since, receiptId: JSON.stringify(by.receiptId) },
    ),
    extra: { cartonId, receiptId: by.receiptId, userId: by.userId, since },
  };
}

export function heldBy(cartonId: string, userId: string, at: number): InboundBlock {
  const since = formatDateTime(at);
  return {
    code: 'CARTON_HELD_BY',
    description: say(
      '{userId} has been counting carton {cartonId} since {since}; count its items one by one, or wait.',
      {
        userId,
        cartonId: JSON.stringify(cartonId),
        since,
      },
    ),
    extra: { cartonId, userId, since },
  };
}

/**
 * Returns the rejection of a carton that the shipment does not announce. A receipt with `unannounced` is not rejected
 * for this reason.
 */
export function unannouncedCarton(
  row: InboundShipmentRow,
  cartonId: string,
  announcers: readonly Announcer[],
): InboundBlock {
  const name = say('Carton {cartonId}', { cartonId: JSON.stringify(cartonId) });
  const [only, ...more] = announcers;
  if (more.length > 0) return ambiguousCarton(cartonId, announcers);
  if (only !== undefined && only.nodeId !== row.node_id) {
    return {
      code: 'CARTON_ELSEWHERE',
      description: say(
        '{name} is announced for node {nodeId}; forward it, or send unannounced: true to accept it here.',
        {
          name,
          nodeId: JSON.stringify(only.nodeId),
        },
      ),
      extra: { cartonId, ...showAnnouncer(only) },
    };
  }
  const hint =
    only === undefined
      ? say('send unannounced: true to accept it at this node')
      : say('{type} {number} of this node announces the carton, so receive it with that shipment', {
          type: only.type,
          number: JSON.stringify(only.number),
        });
  return {
    code: 'UNANNOUNCED',
    description: say('{name} is not announced by {type} {number}; {hint}.', {
      name,
      type: row.type,
      number: JSON.stringify(row.number),
      hint,
    }),
    extra: { cartonId, ...(only !== undefined && { announcedBy: announcers.map(showAnnouncer) }) },
  };
}

/** Returns the rejection of a carton that several other shipments announce. */
export function ambiguousCarton(cartonId: string, announcers: readonly Announcer[]): InboundBlock {
  return {
    code: 'CARTON_AMBIGUOUS',
    description: say(
      '{count} other shipments announce carton {cartonId}; receive it with the shipment that it arrived with, or count its items one by one.',
      { count: announcers.length, cartonId: JSON.stringify(cartonId) },
    ),
    extra: { cartonId, announcedBy: announcers.map(showAnnouncer) },
  };
}

function showAnnouncer({ nodeId, type, number, sellerId, isSeen }: Announcer) {
  return { nodeId, ...(isSeen && { type, number, sellerId }) };
}
