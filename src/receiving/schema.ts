/**
 * The inbound message in its canonical form: the camel-cased form (docs/interface.md#inbound-shipment). Other
 * documented spellings are read into it by `reading.ts`. Strings without a documented length have a bound of our own
 * (docs/decisions/031).
 */
import { SHIPMENT_STATES } from '../kernel/inbound.ts';
import {
  exact,
  flag,
  identifier,
  integer,
  isoDate,
  list,
  named,
  object,
  oneOf,
  ref,
  type Static,
  Type,
  text,
} from '../platform/schema.ts';

export const SHIPMENT_TYPES = ['ASN', 'PO'] as const;
/** An Advance Shipping Notice (cartons) or a Purchase Order (items and quantities). */
export type ShipmentType = (typeof SHIPMENT_TYPES)[number];

/** Most lines of one message (docs/interface.md#limits-of-a-message). */
export const LINES_MAX = 20_000;
/** Most extended attributes at one place (docs/decisions/031). */
export const ATTRIBUTES_MAX = 100;

/** Goods without papers are shipments too, but nobody transmits them. */
export const INBOUND_TYPES = ['ASN', 'PO', 'BLIND'] as const;
export type InboundType = (typeof INBOUND_TYPES)[number];

const opt = Type.Optional;

/** A name/value pair agreed with the operator; kept as sent. */
const extendedAttribute = named(
  'ExtendedAttribute',
  object({
    name: text(1, 255, { description: 'Name, agreed with the operator' }),
    value: opt(text(0, 4000, { description: 'Value, kept as sent; default blank' })),
    description: opt(text(0, 4000, { description: 'What the pair is, kept as sent' })),
  }),
);
type ExtendedAttribute = Static<typeof extendedAttribute>;

/** A container without its list has no attributes. */
const extendedAttributes = (description: string) =>
  opt(
    object(
      { extendedAttributes: opt(list(ref<ExtendedAttribute>('ExtendedAttribute'), { max: ATTRIBUTES_MAX })) },
      { description },
    ),
  );

const headerMembers = {
  receivingWarehouseId: identifier(5, { description: 'Receiving warehouse, assigned by the operator' }),
  shipmentReceiptDate: isoDate({ description: 'Expected arrival at the warehouse; kept as sent' }),
  orderDate: opt(isoDate({ description: 'When the partner created the order; kept as sent' })),
  shipperName: text(1, 30, { description: "Partner's warehouse or vendor" }),
  storeCode: identifier(5, { description: 'With sellerId of the path names the store' }),
  poStatus: opt(text(0, 255, { description: 'Kept as sent' })),
  sellerId: opt(text(0, 255, { description: 'Kept as sent; need not agree with the path' })),
  headerExtendedAttributes: extendedAttributes('Name/value pairs of the order'),
};

const lineMembers = {
  clientItemId: identifier(15, { description: "Retailer's item; `<catalogId>-<clientItemId>` is the itemId" }),
  // 64 digits are no limit of the rule: a number token has at most 64 characters (docs/decisions/192).
  itemCost: exact({ integer: 64, fraction: 64, min: 0, max: 999_999 }, { description: 'Unit cost; digits are kept' }),
  lineNumber: opt(text(0, 64, { description: 'Needed only to be echoed in status updates' })),
  receivingWarehouseId: identifier(5, { description: "The header's" }),
  shippedQuantity: integer(1, 99_999, { description: 'Units shipped' }),
  shippingComments: opt(text(0, 100)),
  trailerNumber: text(1, 25),
  detailExtendedAttributes: extendedAttributes('Name/value pairs of the line'),
};

const asnHeader = object({
  asnNumber: identifier(15),
  shipmentNumber: opt(text(0, 15, { description: 'Purchase order; blank for an ASN, kept as sent' })),
  receivingType: oneOf(['A']),
  ...headerMembers,
});

const asnLine = object({
  asnNumber: identifier(15, { description: "The header's" }),
  cartonId: identifier(64, { description: 'Scanned on receipt' }),
  ...lineMembers,
});

const poHeader = object({
  asnNumber: opt(text(0, 15, { description: 'Blank for a PO, kept as sent' })),
  shipmentNumber: identifier(15, { description: 'Number of the purchase order' }),
  receivingType: oneOf(['P']),
  ...headerMembers,
});

const poLine = object({
  asnNumber: opt(text(0, 15, { description: 'Kept as sent' })),
  cartonId: opt(text(0, 64, { description: 'Kept as sent' })),
  ...lineMembers,
});

export const inboundAsn = named(
  'InboundAsn',
  object({ header: asnHeader, details: object({ detail: list(asnLine, { min: 1, max: LINES_MAX }) }) }),
);
export const inboundPo = named(
  'InboundPo',
  object({ header: poHeader, details: object({ detail: list(poLine, { min: 1, max: LINES_MAX }) }) }),
);

export type Header = Static<typeof asnHeader> | Static<typeof poHeader>;
export type Line = Static<typeof asnLine> | Static<typeof poLine>;

/** One ASN or one PO, as it is transmitted and as it is answered (docs/interface.md#inbound-shipment). */
export const inboundMessage = named(
  'InboundMessage',
  object(
    {
      asnData: opt(list(ref<Static<typeof inboundAsn>>('InboundAsn'), { min: 1, max: 1 })),
      poData: opt(list(ref<Static<typeof inboundPo>>('InboundPo'), { min: 1, max: 1 })),
    },
    {
      description:
        'Either asnData or poData, with one shipment. Also read: the same under `ReceivingDetail`; PascalCase names; a single object ' +
        'instead of a list of one; extended attributes as a plain list.',
    },
  ),
);

type Part = 'root' | 'shipment' | 'header' | 'details' | 'line' | 'attributes' | 'attribute';

/** Names of fields at each place, in their canonical order. */
export const MEMBERS: Readonly<Record<Part, readonly string[]>> = {
  root: Object.keys(inboundMessage.properties),
  shipment: Object.keys(inboundAsn.properties),
  header: Object.keys(asnHeader.properties),
  details: ['detail'],
  line: Object.keys(asnLine.properties),
  attributes: ['extendedAttributes'],
  attribute: Object.keys(extendedAttribute.properties),
};

/** The 200 reply of a transmission (docs/interface.md#transmit-an-asn-or-po). */
export const inboundReceipt = object({
  poAsnData: list(
    object({
      poAsnNumber: Type.String({ description: 'Number of the ASN or PO' }),
      store_id: Type.String({ description: 'Store found by sellerId and StoreCode' }),
      catalog_id: Type.String({ description: 'Catalog of that store' }),
      successfull_imported: Type.String({ description: 'Number of lines, as a string' }),
      total_errors_encountered: Type.String({ description: 'Always "0"' }),
      file_name: Type.String({ description: 'Id of the stored message (UUID)' }),
      client_id: Type.String(),
      reportedFrom: Type.String({ description: 'Always "BACKROOM"' }),
      errors: Type.Array(Type.Unknown(), { maxItems: 0, description: 'Empty' }),
    }),
    { min: 1, max: 1 },
  ),
});

const summaryMembers = {
  type: oneOf(INBOUND_TYPES, { description: 'ASN, PO: a purchase order, or BLIND: goods without papers' }),
  sellerId: Type.String({ description: 'Seller that transmitted it; a number is unique per seller and type' }),
  number: Type.String({ description: 'Number of the ASN or PO' }),
  messageId: Type.String({ description: '`file_name` of the reply to its transmission' }),
  status: oneOf(SHIPMENT_STATES, { description: 'EXPECTED: nothing was received yet; RECEIVING; CLOSED' }),
  state: oneOf(SHIPMENT_STATES, { description: 'The same as status' }),
  storeId: opt(Type.String({ description: 'Web store; goods without papers have none' })),
  nodeId: Type.String({ description: 'The receiving warehouse' }),
  receivingWarehouseId: Type.String(),
  totalLines: Type.Integer(),
  totalUnits: Type.Integer(),
  trailerNumbers: opt(
    list(text(1, 25), { max: 20 }, { description: 'Trailers of the lines, each once, the first 20 as they come' }),
  ),
  transmittedAt: Type.String({ description: 'Date-time in UTC' }),
};

/** An inbound shipment in the operator's list. */
export const inboundSummary = named('InboundSummary', object(summaryMembers));

/** An inbound shipment with its message, and what became of it. */
export const inboundShipment = named(
  'InboundShipment',
  object({
    ...summaryMembers,
    arrivedAt: opt(Type.String({ description: 'When it stood at the door: date-time in UTC' })),
    complete: flag({ description: 'Nothing is open' }),
    sums: ref<unknown>('InboundShipmentSums'),
    statements: list(ref<unknown>('InboundStatement'), { max: 1_000_000 }, { description: 'Every version, whole' }),
    message: opt(ref<Static<typeof inboundMessage>>('InboundMessage')),
  }),
);

/** Named schemas of the slice, for the OpenAPI document. */
export const receivingSchemas = [
  extendedAttribute,
  inboundAsn,
  inboundPo,
  inboundMessage,
  inboundSummary,
  inboundShipment,
] as const;
