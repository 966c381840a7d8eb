/** Words of a return that several screens show: the place of units, and a refund. */
import type { ReturnedReceipt } from '../../offline/returned.ts';
import { money, takeBackTexts, word } from '../../texts/index.ts';
import { State } from '../../ui/notice.tsx';
import type { Preview, Return } from './returning.ts';

const LOOKS = { SHELF: 'right', DAMAGED: 'wrong', HELD: 'risk', GIVEN_BACK: 'info' } as const;

/** Shows the place of units with a color, an icon and a word. */
export function PlaceState({ of, count }: { of: ReturnedReceipt['lines'][number]['disposition']; count?: number }) {
  const name = word(takeBackTexts().dispositions, of);
  return <State look={LOOKS[of]}>{count === undefined ? name : `${count} ${name}`}</State>;
}

/** Returns the refunds that are not canceled. */
export function liveOf(refunds: Return['refunds']): Return['refunds'] {
  return refunds.filter(({ status }) => status !== 'CANCELED');
}

/** Says that there is no refund, or that another person must close the return (`fourEyes`). */
export function CloseWords({ of: { state, refunds } }: { of: { state: string; refunds: readonly unknown[] } }) {
  const texts = takeBackTexts();
  const isOpen = state !== 'CLOSED';
  if (refunds.length > 0) return isOpen && <p class="strong">{texts.fourEyesDue}</p>;
  return <p>{isOpen ? texts.fourEyes : texts.noRefund}</p>;
}

/** Shows a refund of the service with its parts. A refund of an earlier close may already be paid. */
export function RefundWords({
  of,
}: {
  of: Preview['refunds'][number] & { status?: Return['refunds'][number]['status'] };
}) {
  const texts = takeBackTexts();
  const { amount, currency, shipping, fee, collectedAtDoor, status } = of;
  const sum = money(amount, currency);
  const parts = [
    shipping > 0 && texts.shippingPart(money(shipping, currency)),
    fee > 0 && texts.feePart(money(fee, currency)),
    collectedAtDoor > 0 && texts.cashPart(money(collectedAtDoor, currency)),
  ].filter((part) => part !== false);
  return (
    <p>
      <span class="strong">{status === 'DONE' ? texts.refundPaid(sum) : texts.refund(sum)}</span>
      {parts.length > 0 && <span class="small quiet"> {parts.join(', ')}</span>}
    </p>
  );
}
