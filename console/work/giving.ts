/** Hands over goods at the counter or at the door: the units, and a command that the service records once. */
import { useRef, useState } from 'preact/hooks';
import type { components } from '../../contract/client.d.ts';
import { newId } from '../api.ts';
import { choices } from '../choices.ts';
import { feedback } from '../scan/feedback.ts';
import { readOrder } from './counter.ts';
import { useCommand } from './counter-lost.ts';
import { allGoes, fitted, type HandLine, type Shares, sumsOf } from './hand-lines.tsx';

type Order = components['schemas']['OrderDetails'];

export type Person = 'CUSTOMER' | 'PROXY';

/** The result of a hand-over. */
export interface Given {
  /** Id of the hand-over or delivery. */
  id: string;
  goes: number;
  refused: number;
  /** The lines of the rejected units. */
  refusedLines: readonly { itemId: string; name: string; quantity: number }[];
  who: string;
  /** The proof of identity. */
  method: string;
  order: Order;
  /** The units that the customer can still get. */
  rest: number;
}

/**
 * Returns the client's methods to verify the person. The service rejects every method that the client does not have,
 * even PIN. An order without a PIN cannot be verified by PIN.
 */
export function methodsFor(hasPin: boolean): string[] {
  return (choices.value?.verificationMethods ?? []).filter((one) => one !== 'PIN' || hasPin);
}

export function useGiving(lines: readonly HandLine[], order: Order, firstMethod = '') {
  const [chosen, setShares] = useState<Shares>(() => allGoes(lines));
  const [wanted, setPerson] = useState<Person>('CUSTOMER');
  // The office can remove the proxy while the screen is open.
  const person = order.proxyDetails === undefined ? 'CUSTOMER' : wanted;
  const [method, setMethod] = useState(firstMethod);
  const command = useCommand();
  // The id and body of the last try. A retry with the same content has the same id.
  const sent = useRef<{ id: string; body: string } | undefined>(undefined);
  const shares = fitted(lines, chosen);
  const sums = sumsOf(shares);
  const name = order.customer?.name ?? '';
  /** Sends the command once and finds out whether it was recorded. Returns undefined if it was not. */
  const give = async (content: object, send: (id: string) => Promise<unknown>): Promise<Given | undefined> => {
    const body = JSON.stringify(content);
    if (sent.current?.body !== body) sent.current = { id: newId(), body };
    const { id } = sent.current;
    const { storeId, fulfillmentOrderId } = order;
    let after: Order | undefined;
    const isDone = await command.run(
      () => send(id),
      async () => {
        after = await readOrder(storeId, fulfillmentOrderId);
        return isRecorded(after, id, order, shares);
      },
    );
    feedback(isDone ? 'done' : 'wrong');
    if (!isDone) return undefined;
    after = await readOrder(storeId, fulfillmentOrderId).catch(() => after);
    sent.current = undefined;
    const who = person === 'PROXY' ? (order.proxyDetails?.name ?? '') : name;
    const refusedLines = lines.flatMap(({ webLineId, itemId, name: item }) => {
      const quantity = shares[webLineId]!.refused;
      return quantity > 0 ? [{ itemId, name: item, quantity }] : [];
    });
    // If the read failed, `order` is from before the hand-over, so its units are subtracted.
    const rest =
      after === undefined
        ? lines.reduce((sum, { open }) => sum + open, 0) - sums.goes - sums.refused
        : after.lines.reduce((sum, { leftQuantity }) => sum + leftQuantity, 0);
    return { id, goes: sums.goes, refused: sums.refused, refusedLines, who, method, order: after ?? order, rest };
  };
  const going = lines.filter(({ webLineId }) => shares[webLineId]!.goes + shares[webLineId]!.refused > 0);
  const isPart = lines.some(({ webLineId, open }) => shares[webLineId]!.goes < open);
  return { shares, setShares, sums, going, isPart, person, setPerson, method, setMethod, command, give };
}

export type Giving = ReturnType<typeof useGiving>;

/**
 * Returns whether the order shows this hand-over: a charge has the id of the hand-over. If no units were handed over,
 * the rejected units show it instead.
 */
function isRecorded(after: Order, id: string, before: Order, shares: Shares): boolean {
  if (after.charged?.some((one) => one.handOverId === id) === true) return true;
  if (Object.values(shares).some(({ goes }) => goes > 0)) return false;
  const was = new Map(before.lines.map((line) => [line.webLineId, line.refusedQuantity]));
  return after.lines.every(
    ({ webLineId, refusedQuantity }) =>
      refusedQuantity >= (was.get(webLineId) ?? 0) + (shares[webLineId]?.refused ?? 0),
  );
}
