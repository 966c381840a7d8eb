/** Refusals of goods in that name what stands in the way. */
import { type InboundAction, inboundBlock } from '../kernel/inbound.ts';
import { conflict, notFound, Refusal } from '../platform/http/errors.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';

/** Codes of goods in. */
type InboundCode =
  | 'CARTON_ALREADY_RECEIVED'
  | 'CARTON_HELD_BY'
  | 'CARTON_AMBIGUOUS'
  | 'CARTON_ELSEWHERE'
  | 'UNANNOUNCED'
  | 'APPROVAL_NEEDED'
  | 'NOT_OPEN';

/** One carton or line that is refused. */
export interface InboundBlock {
  code: InboundCode;
  description: string;
  extra: Record<string, unknown>;
}

/** 409 for what the state of a carton, line or shipment forbids. */
export function refusalOf({ code, description, extra }: InboundBlock): Refusal {
  return new Refusal(409, 'STATE', code, description, { extra });
}

/** 409 for all of them: the first is the code, `refusals` has each. */
export function refusalOfAll(blocks: readonly InboundBlock[]): Refusal {
  const first = blocks[0]!;
  const refusals = blocks.map(({ code, description, extra }) => ({ code, description, ...extra }));
  const more = blocks.length === 1 ? '' : ` (and ${blocks.length - 1} more; see refusals)`;
  return new Refusal(409, 'STATE', first.code, `${first.description}${more}`, { extra: { ...first.extra, refusals } });
}

/** @throws Refusal 409 NOT_OPEN where the state of the shipment forbids the action. */
export function requireOpen(row: InboundShipmentRow, action: InboundAction): void {
  const reason = inboundBlock(row.status, action, row.matched_to !== null);
  if (reason === undefined) return;
  const words = `${row.type} ${JSON.stringify(row.number)} is ${row.status}: ${reason}.`;
  if (row.status === 'CLOSED') throw new Refusal(409, 'STATE', 'NOT_OPEN', words, { extra: { state: row.status } });
  throw conflict(words, { state: row.status });
}

/** 409: several sellers use the number. */
export function ambiguousNumber(
  type: string,
  number: string,
  rows: readonly Pick<InboundShipmentRow, 'seller_id'>[],
): Refusal {
  const sellerIds = rows.map((one) => one.seller_id);
  const words = `${sellerIds.length} sellers have an ${type} ${JSON.stringify(number)}; say whose with ?sellerId=, one of ${sellerIds.map((id) => JSON.stringify(id)).join(', ')}.`;
  return new Refusal(409, 'STATE', 'AMBIGUOUS_NUMBER', words, { extra: { sellerIds } });
}

/** 404: the shipment was voided while the request came; announced anew, it may have other lines. */
export function voidedMeanwhile({ type, number }: Pick<InboundShipmentRow, 'type' | 'number'>): Refusal {
  return notFound(
    `${type} ${JSON.stringify(number)} was voided while this request came; nothing was booked. Read it, then send again.`,
  );
}
