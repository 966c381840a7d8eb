/** Turns commands on inbound shipments into requests. */
import type { InboundCommand, InboundSubject, Owner, Wire } from './commands.ts';
import { takenBack } from './inbound.ts';

/**
 * Returns the request of a command on a shipment, or `later` if the command undoes a receipt without a response. A
 * built request is stored, so every retry sends the same content.
 */
export function inboundWireOf(command: InboundCommand, id: string, { userId }: Owner): Wire {
  const at = new Date(command.at).toISOString();
  const post = (path: string, body: object): Wire => ({
    kind: 'request',
    method: 'POST',
    path: inboundPath(command.subject, path),
    body: JSON.stringify(body),
  });
  switch (command.kind) {
    case 'arrive':
      return post('/arrive', { userId, at });
    case 'receive': {
      const { cartons, lines, unannounced } = command;
      return post('/receipts', {
        receiptId: id,
        userId,
        at,
        ...(cartons !== undefined && { cartons }),
        ...(lines !== undefined && { lines: lines.map(({ clientItemId: _, ...line }) => line) }),
        ...(unannounced === true && { unannounced }),
      });
    }
    case 'unreceive': {
      if (!command.isKnown) return { kind: 'later' };
      return post('/receipts', { receiptId: id, userId, at, corrects: command.undoes, lines: takenBack(command.of) });
    }
  }
}

/** Returns the path of an operation on a shipment. */
export function inboundPath({ clientId, nodeId, type, sellerId, id }: InboundSubject, path = ''): string {
  const own = `/operator/v1/clients/${encodeURIComponent(clientId)}/nodes/${encodeURIComponent(nodeId)}/inbound`;
  // Goods without papers may have no seller. The empty value distinguishes them from a seller's goods with the same
  // number.
  const whose = sellerId === '' && type !== 'BLIND' ? '' : `?${new URLSearchParams({ sellerId })}`;
  return `${own}/${type}/${encodeURIComponent(id)}${path}${whose}`;
}
