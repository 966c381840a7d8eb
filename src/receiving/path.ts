/** Names of shipments in paths and queries. */
import type { Named } from '../kernel/arrivals/locked.ts';
import { badValue } from '../platform/http/errors.ts';
import { didYouMean } from '../platform/message/nearest.ts';
import { object, TRIMMED_OR_EMPTY, Type, text } from '../platform/schema.ts';
import type { NodeRow } from '../platform/storage/tables.ts';
import { INBOUND_TYPES, type InboundType, SHIPMENT_TYPES, type ShipmentType } from './schema.ts';
import { say } from './sentences.ts';

/** The query of operations on one shipment. */
export const OfSeller = object({
  sellerId: Type.Optional(
    text(0, 40, {
      ...TRIMMED_OR_EMPTY,
      description:
        'Seller of the shipment. Required if several sellers use the number. Send an empty value for goods without papers whose seller is unknown',
    }),
  ),
});

/** @throws Refusal 400 for anything but `ASN` and `PO`. */
export function shipmentType(text: string): ShipmentType {
  const type = SHIPMENT_TYPES.find((one) => one === text);
  if (type === undefined)
    throw badValue(
      'path:type',
      'enum',
      say('`type` in the path must be ASN or PO{didYouMean}', { didYouMean: didYouMean(text, SHIPMENT_TYPES) }),
    );
  return type;
}

/** @throws Refusal 400 for anything but `ASN`, `PO` and `BLIND`. */
export function inboundType(text: string): InboundType {
  const type = INBOUND_TYPES.find((one) => one === text);
  if (type === undefined)
    throw badValue(
      'path:type',
      'enum',
      say('`type` in the path must be ASN, PO or BLIND{didYouMean}', { didYouMean: didYouMean(text, INBOUND_TYPES) }),
    );
  return type;
}

/**
 * Returns the name of the shipment in a request: client, node, type, number and seller.
 * @throws Refusal 400 for a type other than `ASN`, `PO` and `BLIND`
 */
export function namedIn(request: {
  params: { type: string; number: string };
  clientId: string;
  node: NodeRow;
  query: { sellerId?: string | undefined };
}): Named {
  const { params, clientId, node, query } = request;
  return { clientId, node, type: inboundType(params.type), number: params.number, sellerId: query.sellerId };
}
