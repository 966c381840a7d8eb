/**
 * Registers inbound shipments with the outbox. It loads with the screens of receiving, or with the first waiting
 * receipt.
 */
import type { InboundCommand } from './commands.ts';
import type { Shipment } from './inbound.ts';
import { acceptedInbound, released, releasedLate, withHint } from './inbound-view.ts';
import { inboundWireOf } from './inbound-wire.ts';
import { registerKind } from './kinds.ts';

registerKind('inbound', {
  wireOf: (command: InboundCommand, id, by) => inboundWireOf(command, id, by),
  snapshot: (owner, key, shipment: Shipment, at, before) => ({
    kind: 'inbound',
    owner,
    key,
    at,
    shipment: withHint(shipment, before),
  }),
  accept: (snapshot, [done], body, now) =>
    snapshot.kind === 'inbound' ? acceptedInbound(snapshot, done, body, now) : snapshot,
  release: released,
  releaseLate: releasedLate,
  hasParts: true,
});
