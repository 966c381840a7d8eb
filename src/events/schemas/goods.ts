/** Events of items, of inbound shipments and of stock. */
import { clockMembers } from '../../shared/device-time.ts';
import { event, id, integer, object, oneOf, optional, Type, text, units } from './members.ts';

const changes = {
  changes: Type.Array(
    object({
      path: text(0, 1_000, { description: 'JSON pointer of the field. Empty for the whole item' }),
      from: optional(Type.Unknown({ description: 'Value before the change. Absent if the field was added' })),
      to: optional(Type.Unknown({ description: 'Value after the change. Absent if the field was removed' })),
    }),
    { description: 'Fields that changed' },
  ),
};

const signed = () => integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
/** `sellerId` is empty for goods without papers whose seller is unknown. */
const ofInbound = { sellerId: text(0, 40), nodeId: id() };
const inboundKey = {
  cartonId: optional(text(1, 64)),
  itemId: id(),
  clientItemId: id('The retailer’s number of the item'),
  lineNumbers: Type.Array(text(0, 64), { description: "The partner's numbers of the lines with these units" }),
};
const bookedLines = Type.Array(
  object({
    ...inboundKey,
    good: signed(),
    damaged: signed(),
    refused: signed(),
    held: signed(),
    reason: optional(text(1, 40, { description: 'Reason from the request' })),
    to: optional(oneOf(['SHELF', 'STAGE'], { description: 'Place of the good units' })),
    location: optional(text(1, 40, { description: 'Bin of the units' })),
  }),
  { description: 'The first 500 lines with booked units. Units that a correction takes back are negative' },
);
const matchedShipment = (description: string) =>
  object(
    {
      type: oneOf(['ASN', 'PO', 'BLIND'], { description: 'Type of the other shipment' }),
      number: id('Number of the other shipment'),
      sellerId: text(0, 40),
    },
    { description },
  );
const ofPlan = { nodeId: id(), planId: id('Count plan'), userId: id() };
const plannedLine = object({ itemId: id(), place: text(1, 20, { description: 'Place of the count' }) });
const countedLine = {
  itemId: id(),
  place: text(1, 20, { description: 'Place of the count' }),
  counted: units('Counted units'),
};
const sums = {
  announced: units(),
  good: units(),
  damaged: units(),
  refused: units(),
  held: units(),
  over: units(),
  short: units(),
};

export const goodsEvents = {
  'item.created': event('An item was added to the item master; read it for its fields.', changes),
  'item.updated': event('Fields of an item changed.', changes),
  'item.deleted': event('An item was deleted. `from` has all fields that the item had.', changes),
  'inbound.transmitted': event('An ASN or PO was received from the partner.', {
    sellerId: optional(id()),
    messageId: id(),
    storeId: id(),
    nodeId: id(),
    totalLines: units(),
    totalUnits: units(),
    trailerNumbers: Type.Array(text(1, 25), { description: 'The first 20 different trailers of the lines' }),
    lines: Type.Array(
      object({
        itemId: id(),
        shippedQuantity: units('Units shipped'),
        trailerNumber: text(1, 25, { description: 'Trailer with the units of the line' }),
        cartonId: optional(text(1, 64, { description: 'Carton of the line' })),
        lineNumber: optional(text(0, 64, { description: 'The partner’s number of the line' })),
        shippingComments: optional(text(0, 100, { description: 'The partner’s comment on the line' })),
      }),
      { description: 'The first 500 lines of the message, as the partner sent them' },
    ),
  }),
  'inbound.arrived': event('The goods of a shipment arrived at the door.', {
    ...ofInbound,
    userId: id(),
    at: text(1, 40, {
      description: 'Time of arrival from the request, or the time of the service if the clock of the device is wrong',
    }),
    ...clockMembers,
  }),
  'inbound.received': event('Goods were received. Each receipt has its own event.', {
    ...ofInbound,
    receiptId: id(),
    userId: id(),
    ...clockMembers,
    lines: bookedLines,
  }),
  'inbound.corrected': event('A receipt was corrected by another receipt.', {
    ...ofInbound,
    receiptId: id(),
    userId: id(),
    corrects: id('The receipt that this receipt corrects'),
    ...clockMembers,
    lines: bookedLines,
  }),
  'inbound.completed': event('A shipment has no open units for the first time.', {
    ...ofInbound,
    announced: units(),
    received: units('Units that arrived, in any condition'),
  }),
  'inbound.closed': event(
    'A shipment was closed. The event has the result of each line: announced units, received units, and the reasons of differences.',
    {
      ...ofInbound,
      version: integer(1, Number.MAX_SAFE_INTEGER, {
        description: 'Version of the result, from 1. Each close of the shipment issues the next version',
      }),
      closeId: id(),
      userId: id(),
      totals: object(
        { ...sums, open: units('Always 0, because a closed shipment has no open units') },
        { description: 'Sums of the units of all lines' },
      ),
      lines: Type.Array(
        object({
          ...inboundKey,
          ...sums,
          reasons: Type.Array(text(1, 40)),
          broughtByAsns: optional(
            units(
              'The part of the `short` units that had arrived with ASNs of the PO before the close. Present only for a PO',
            ),
          ),
        }),
        { description: 'Results of the first 500 lines' },
      ),
    },
  ),
  'inbound.reopened': event('A closed shipment can be received again.', {
    ...ofInbound,
    userId: id(),
    reason: text(1, 40, { description: 'Reason from the request' }),
  }),
  'inbound.approved': event('Held units were accepted or rejected.', {
    ...ofInbound,
    approvalId: id(),
    userId: id(),
    lines: bookedLines,
  }),
  'inbound.matched': event('Goods without papers were assigned to an ASN or PO; both shipments have the event.', {
    ...ofInbound,
    userId: id(),
    matchedTo: optional(
      matchedShipment(
        'In the event of the goods without papers: the ASN or PO. The goods without papers are CLOSED with sums of 0',
      ),
    ),
    matchedFrom: optional(
      matchedShipment(
        'In the event of the ASN or PO: the goods without papers. `lines` are added to the sums of the ASN or PO',
      ),
    ),
    lines: bookedLines,
  }),
  'inbound.cartonRepeated': event(
    'A carton that was already received was scanned again; two cartons may have the same number.',
    {
      ...ofInbound,
      cartonId: text(1, 64),
      userId: id('User of the rejected receipt'),
      receiptId: id('Receipt that was rejected'),
      received: object(
        {
          receiptId: id('Id of the earlier receipt'),
          userId: id('Login of the user of the earlier receipt'),
          since: text(1, 40),
        },
        { description: 'The earlier receipt of the carton, and the user of this receipt' },
      ),
    },
  ),
  'inbound.voided': event('A wrong ASN or PO was voided; `message` is the original message.', {
    sellerId: optional(id()),
    messageId: id(),
    message: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The original message',
    }),
  }),
  'count.rejected': event('Lines of a count that waited for approval were rejected and not posted.', {
    nodeId: id(),
    countId: id('Count that was rejected'),
    userId: id(),
    reason: text(1, 200, { description: 'Reason from the request' }),
    lines: Type.Array(
      object({
        ...countedLine,
        difference: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, {
          description: 'Difference that was not posted',
        }),
      }),
      { description: 'The first 500 rejected lines' },
    ),
  }),
  'countPlan.created': event('A count plan was created as a draft.', {
    ...ofPlan,
    rule: text(1, 40, { description: 'Rule that chose the items' }),
    lines: units('Lines of the plan'),
  }),
  'countPlan.changed': event('Lines of a draft of a count plan were added or removed.', {
    ...ofPlan,
    lines: units('Lines of the plan now'),
    added: Type.Array(plannedLine, { description: 'The first 500 added lines' }),
    removed: Type.Array(plannedLine, { description: 'The first 500 removed lines' }),
  }),
  'countPlan.opened': event('A count plan can be counted.', { ...ofPlan, lines: units('Lines of the plan') }),
  'countPlan.counted': event('A user counted lines of a count plan.', {
    ...ofPlan,
    countId: id('Count that the user sent'),
    linesLeft: units('Lines that are not counted yet. With 0, the plan waits for approval'),
    lines: Type.Array(object({ ...countedLine }), { description: 'The first 500 counted lines' }),
  }),
  'countPlan.reopened': event('Counted lines of a count plan must be counted again.', {
    ...ofPlan,
    linesLeft: units('Lines that are not counted now'),
    lines: Type.Array(plannedLine, { description: 'The first 500 lines that must be counted again' }),
  }),
  'countPlan.approved': event('A count plan was approved, and its differences are posted.', {
    ...ofPlan,
    lines: Type.Array(
      object({
        ...countedLine,
        difference: integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, {
          description: 'Units that the approval added to the level. Negative if the approval removed units',
        }),
      }),
      { description: 'The first 500 lines with their last count' },
    ),
  }),
  'countPlan.discarded': event('A count plan was discarded; nothing was posted.', {
    ...ofPlan,
    state: text(1, 20, { description: 'State of the plan before the event' }),
  }),
  'stock.changed': event(
    'Stock of a node changed. The levels are absolute. Keep the levels with the highest revision of each item: lost, duplicate or reordered events then do no harm.',
    {
      nodeId: id(),
      items: Type.Array(
        object({
          itemId: id(),
          shelf: units('Units on the shelf'),
          staged: units('Picked or received units that are not on the shelf'),
          damaged: units('Damaged units'),
          held: units('Units that wait for a decision'),
          missing: units('Units that were not found'),
          reserved: units('Units on the shelf that are promised to orders'),
          revision: units('Rises with each change of the item at the node'),
        }),
        { description: 'Items whose levels changed, with all their levels' },
      ),
    },
  ),
} as const;
