/** Prints the hold tickets of orders. Each screen that says where goods wait has this button. */
import { useState } from 'preact/hooks';
import type { components } from '../../contract/client.d.ts';
import { online } from '../preferences.ts';
import { t, word } from '../texts/index.ts';
import { Notice } from '../ui/notice.tsx';
import { readOrder } from './counter.ts';
import { PrintButton } from './print-button.tsx';

/** Whether the customer can still get units of the order. Canceled goods do not wait for their customer. */
export function isLeft({ lines }: components['schemas']['OrderDetails']): boolean {
  return lines.some(({ leftQuantity }) => leftQuantity > 0);
}

/** Prints the hold tickets of the goods, one per order, and shows the states of orders that need none. */
export function HoldTickets({ storeId, orderIds }: { storeId: string; orderIds: readonly string[] }) {
  const { counter, states } = t();
  const { papers } = counter;
  const [gone, setGone] = useState('');
  const print = async () => {
    const read = await Promise.all(orderIds.map((id) => readOrder(storeId, id)));
    const { printHoldTickets } = await import('./counter-print.ts');
    const waiting = read.filter(isLeft);
    const others = read.filter((one) => !isLeft(one));
    setGone(others.map((one) => `${counter.order(one.fulfillmentOrderId)}: ${word(states, one.status)}`).join(' · '));
    return waiting.length === 0 || printHoldTickets(waiting);
  };
  return (
    <>
      <PrintButton isWide print={print} blocked={online.value ? undefined : counter.needsNetwork}>
        {orderIds.length > 1 ? papers.holdTickets : papers.holdTicket}
      </PrintButton>
      {gone !== '' && <Notice look="risk" title={gone} isAlert />}
    </>
  );
}
