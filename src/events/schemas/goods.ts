/** Events of items and of inbound shipments. */
import { event, id, object, optional, Type, text, units } from './members.ts';

const changes = {
  changes: Type.Array(
    object({
      path: text(0, 1_000, { description: 'JSON pointer of the field; empty: the whole item' }),
      from: optional(Type.Unknown({ description: 'Value before; not there where the field was added' })),
      to: optional(Type.Unknown({ description: 'Value after; not there where the field was removed' })),
    }),
    { description: 'Each field that changed' },
  ),
};

export const goodsEvents = {
  'item.created': event('An item came into the item master; read it for its fields.', changes),
  'item.updated': event('Fields of an item changed.', changes),
  'item.deleted': event('An item was deleted; the change has the whole item as it was.', changes),
  'inbound.transmitted': event('An ASN or PO was taken in.', {
    sellerId: optional(id()),
    messageId: id(),
    storeId: id(),
    nodeId: id(),
    totalLines: units(),
    totalUnits: units(),
    trailerNumbers: Type.Array(text(1, 25), { description: 'Trailers of the lines, each once; the first 20' }),
    lines: Type.Array(
      object({
        itemId: id(),
        shippedQuantity: units('Units shipped'),
        trailerNumber: text(1, 25, { description: 'Trailer that brings the line' }),
        cartonId: optional(text(1, 64, { description: 'Carton of the line' })),
        lineNumber: optional(text(0, 64, { description: 'Number that the partner gave the line' })),
        shippingComments: optional(text(0, 100, { description: 'What the partner said of the line' })),
      }),
      { description: 'The first 500 lines, as they were transmitted' },
    ),
  }),
  'inbound.voided': event('A wrong ASN or PO was voided; `message` is what had been sent.', {
    sellerId: optional(id()),
    messageId: id(),
    message: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The message as it had been sent',
    }),
  }),
} as const;
