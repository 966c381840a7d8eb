/**
 * The logic of the hand-over screen: handles scanned codes, finds the reason that blocks the hand-over, and builds the
 * command that records the hand-over.
 */
import { CircleCheck } from 'lucide';
import { useRef, useState } from 'preact/hooks';
import type { components } from '../../../contract/client.d.ts';
import { ApiError, api, send } from '../../api.ts';
import { choices } from '../../choices.ts';
import { now, online } from '../../preferences.ts';
import { isOneOf } from '../../scan/codes.ts';
import { linesOfCode } from '../../scan/lines-of-code.ts';
import type { Scan } from '../../scan/queue.ts';
import { t, time } from '../../texts/index.ts';
import { type Giving, methodsFor } from '../../work/giving.ts';
import type { HandLine, Shares } from '../../work/hand-lines.tsx';
import { ownId } from '../../work/own-id.ts';
import type { useSaid } from '../../work/said.tsx';
import type { MainAction } from '../../work/work-screen.tsx';
import type { Asked, HandOverProof } from './proof-picture.ts';

export type Pickup = components['schemas']['CustomerPickupReply']['customerPickUpDetails'];
export type Order = components['schemas']['OrderDetails'];

export function lineOf(one: Pickup['customerPickUpItems'][number], { lines }: Order): HandLine {
  return {
    webLineId: one.webLineId,
    itemId: one.itemId,
    name: one.itemDesc,
    upcs: one.upcs.map(({ value }) => value),
    open: one.toPickQuantity,
    before: one.handedOverQuantity,
    canceled: lines.find(({ webLineId }) => webLineId === one.webLineId)?.cancelingQuantity ?? 0,
    instructions: one.instructions,
    components: one.components,
  };
}

/**
 * Counts units that are scanned at the counter, each unit once. The count is only a check: the hand-over does not
 * require it.
 */
export function useChecked(
  pickup: Pickup,
  lines: readonly HandLine[],
  shares: Shares,
  said: ReturnType<typeof useSaid>,
) {
  const { handOver, counter } = t();
  const [checked, setChecked] = useState<Readonly<Record<string, number>>>({});
  const latest = useRef({ shares, checked });
  latest.current = { shares, checked };
  const onCode = ({ text, command }: Scan) => {
    if (command !== undefined) return false;
    if (isOneOf(text, [pickup.fulfillmentOrderId, pickup.omsOrderId, pickup.webOrderId])) return undefined;
    const { checked: seen, shares: going } = latest.current;
    const fitting = linesOfCode(lines, text, ({ upcs }) => upcs);
    const line = fitting.find(({ webLineId }) => (seen[webLineId] ?? 0) < going[webLineId]!.goes);
    if (line === undefined) {
      said.wrong(fitting.length === 0 ? counter.notOfOrder(text) : counter.tooMany(fitting[0]!.name));
      return undefined;
    }
    const next = { ...seen, [line.webLineId]: (seen[line.webLineId] ?? 0) + 1 };
    latest.current.checked = next;
    setChecked(next);
    const isAll = lines.every(({ webLineId }) => (next[webLineId] ?? 0) >= going[webLineId]!.goes);
    said.say(
      { look: 'right', title: isAll ? handOver.checkedAll : handOver.right(line.name) },
      isAll ? 'done' : 'right',
    );
    return undefined;
  };
  return { checked, onCode };
}

/**
 * Returns the time until which the PIN of the order is locked; undefined if it is not locked now. The service may still
 * block the hand-over when the clock of the device is fast.
 */
export function lockedUntil({ pinLockedUntil, allowedActions }: Pickup): string | undefined {
  if (pinLockedUntil === undefined) return undefined;
  const isBlocked = allowedActions.some(({ action, allowed }) => action === 'handOver' && !allowed);
  return isBlocked || Date.parse(pinLockedUntil) > now.value ? pinLockedUntil : undefined;
}

/**
 * Returns whether the order has a PIN. If the hand-over requires the PIN, the service sends only `pinRequired` and not
 * the PIN.
 */
export function hasPin({ pinRequired, pinNumber }: Pickup): boolean {
  return pinRequired || pinNumber !== undefined;
}

/** Returns the proof that the client requires; undefined if it requires none or no units are handed over. */
export function askedProof({ sums }: Giving): Asked | undefined {
  const asked = choices.value?.handOverProof ?? 'NONE';
  return asked === 'NONE' || sums.goes === 0 ? undefined : asked;
}

/** The customer's PIN and proof as entered at the counter. */
export interface Shown {
  pin: string;
  proof: HandOverProof | undefined;
}

/** Returns the reason why the goods cannot be handed over now; undefined if they can. */
export function blockOf(pickup: Pickup, giving: Giving, { pin, proof }: Shown, isStale: boolean): string | undefined {
  const { handOver } = t();
  const { sums, method } = giving;
  const locked = lockedUntil(pickup);
  if (!online.value || isStale) return handOver.notOffline;
  if (locked !== undefined) return handOver.lockedMain(time(locked));
  if (sums.goes + sums.refused === 0) return handOver.blockedNothing;
  if (sums.lacksReason) return handOver.blockedReason;
  if ((method === 'PIN' || pickup.pinRequired) && pin.trim() === '') return handOver.blockedPin;
  if (sums.goes > 0 && method === '' && methodsFor(hasPin(pickup)).length > 0) return handOver.blockedMethod;
  const asked = askedProof(giving);
  if (asked !== undefined && proof === undefined) return handOver.blockedProof[asked];
  return undefined;
}

/** Returns the main button. Its text names the action. */
export function mainOf(giving: Giving, blocked: string | undefined, run: () => unknown): MainAction {
  const { handOver } = t();
  const { sums, command } = giving;
  const label = sums.goes > 0 ? handOver.main(sums.goes) : handOver.mainRefuse(sums.refused);
  return { label: command.isBusy ? handOver.sending : label, icon: CircleCheck, isBusy: command.isBusy, blocked, run };
}

/** Records the hand-over. */
export function handOver(pickup: Pickup, giving: Giving, { pin, proof }: Shown) {
  const { shares, going, person, method, give } = giving;
  const { storeId, nodeId, fulfillmentOrderId } = pickup;
  const isPinSent = pin.trim() !== '' && (method === 'PIN' || pickup.pinRequired);
  const goes = new Set(going.map(({ webLineId }) => webLineId));
  const details = {
    storeId,
    nodeId,
    fulfillmentOrderId,
    collectedBy: person,
    ...(method !== '' && { verificationMethod: method }),
    ...(isPinSent && { pinNumber: pin.trim() }),
    ...(askedProof(giving) !== undefined && proof !== undefined && { proof }),
    customerPickUpItems: pickup.customerPickUpItems
      .filter(({ webLineId }) => goes.has(webLineId))
      .map(({ webLineId, itemId, backroomPickedQuantity }) => {
        const { goes: customerPickedQuantity, refused, reason } = shares[webLineId]!;
        return {
          webLineId,
          itemId,
          backroomPickedQuantity,
          customerPickedQuantity,
          canceledQuantity: refused,
          ...(refused > 0 && { cancellationReasonCode: reason }),
        };
      }),
  };
  return give(details, (handOverId) =>
    send(
      api.PUT('/stores/{storeId}/nodes/{nodeId}/customerPickUp/confirm', {
        params: { path: { storeId, nodeId } },
        body: { modifyAssociateId: ownId(), customerPickUpDetails: { ...details, handOverId } },
      }),
    ),
  );
}

/** Returns the remaining tries after a wrong PIN; 0 for any other error. */
export function triesLeft(error: unknown): number {
  return error instanceof ApiError && error.code === 'WRONG_PIN' ? Number(error.body['attemptsLeft']) : 0;
}
