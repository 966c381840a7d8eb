/** Turns receipts of announced returns into requests. */
import type { Owner, ReturnCommand, ReturnSubject, Wire } from './commands.ts';
import { type Came, takenBack } from './returned.ts';

/**
 * Returns the request of a command on a return, or `later` if the command undoes a receipt without a response. A built
 * request is stored, so every retry sends the same content.
 */
export function returnWireOf(command: ReturnCommand, id: string, { userId }: Owner): Wire {
  const { subject, returnId } = command;
  const at = new Date(command.at).toISOString();
  const post = (body: object): Wire => ({
    kind: 'request',
    method: 'POST',
    path: `${nodeReturnPath(subject, returnId)}/receipts`,
    body: JSON.stringify({ receiptId: id, userId, at, ...body }),
  });
  if (command.kind === 'receiveReturn') {
    const { lines, over } = command;
    return post({ lines: lines.map(lineOf), ...(over === true && { over }) });
  }
  if (!command.isKnown) return { kind: 'later' };
  return post({ corrects: command.undoes, lines: takenBack(command.of).map(correctionOf) });
}

/**
 * A line with a condition is sent without a place: the service takes the place from the client's conditions at the time
 * of the receipt.
 */
function lineOf({ position, isOfItem, itemId, quantity, condition, disposition }: Came) {
  const named = position === undefined || isOfItem === true ? { itemId } : { position };
  return { ...named, quantity, ...(condition === undefined ? { disposition } : { condition }) };
}

/** A correction is sent with the place, because it removes the units from the place where the service booked them. */
function correctionOf({ position, quantity, disposition }: Came) {
  return { position, quantity, disposition };
}

/** Returns the path of a return at a node. */
function nodeReturnPath({ clientId, nodeId }: ReturnSubject, returnId: string): string {
  const [client, node, own] = [clientId, nodeId, returnId].map(encodeURIComponent);
  return `/operator/v1/clients/${client}/nodes/${node}/returns/${own}`;
}
