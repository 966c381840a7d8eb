/** The announced returns that wait at this node, each with its customers, its orders and its items. */
import type { ReturnView } from '../../offline/return-view.ts';
import { countedOf } from '../../offline/returned.ts';
import { href } from '../../router.ts';
import { may } from '../../session.ts';
import { t, takeBackTexts, word } from '../../texts/index.ts';
import { State } from '../../ui/notice.tsx';
import { useItemWords } from '../../work/item-words.ts';
import { OrderId } from '../../work/order-id.tsx';
import { toReturn } from './returning.ts';
import { type OrdersOfReturn, returnKey } from './waiting.ts';

/**
 * The orders of the returns, with the names of the customers, by `returnKey`. The device does not keep these names, so
 * without the network the map is undefined.
 */
export type WaitingOrders = ReadonlyMap<string, OrdersOfReturn> | undefined;

interface WaitingProps {
  of: readonly ReturnView[];
  /** True if the first response has arrived or is not expected. */
  isKnown: boolean;
  orders: WaitingOrders;
}

export function WaitingList({ of, isKnown, orders }: WaitingProps) {
  const texts = takeBackTexts();
  return (
    <section class="stack tight" aria-label={texts.expected}>
      <h2 class="small quiet">{texts.expected}</h2>
      <div class="list">
        {of.map((view) => (
          <WaitingRow
            key={returnKey(view.returned)}
            of={view}
            isKnown={isKnown}
            orders={orders?.get(returnKey(view.returned)) ?? []}
          />
        ))}
      </div>
    </section>
  );
}

interface RowProps {
  of: ReturnView;
  isKnown: boolean;
  orders: OrdersOfReturn;
}

function WaitingRow({ of: { returned, waiting, conflicts }, isKnown, orders }: RowProps) {
  const texts = takeBackTexts();
  const { storeId, number, state, inTransitAt, totals, lines } = returned;
  const words = useItemWords(
    storeId,
    lines.map(({ itemId }) => itemId),
  );
  const isUnderWay = state === 'REQUESTED' && inTransitAt !== undefined;
  const names = new Set(orders.flatMap(({ customerName }) => customerName ?? []));
  const orderIds = new Set(lines.flatMap(({ fulfillmentOrderId }) => fulfillmentOrderId ?? []));
  return (
    <a class="row" href={href(toReturn(storeId, number))}>
      <span class="grow stack tight">
        {names.size > 0 && <span class="strong">{[...names].join(', ')}</span>}
        {/* Reserves the line of the name, so that the rows below do not move when it arrives. */}
        {!isKnown && orderIds.size > 0 && may('fulfillment.read') && <span class="strong">…</span>}
        <span>
          <span class="strong code">{number}</span>{' '}
          <span class="quiet">{isUnderWay ? texts.underWay : word(texts.states, state)}</span>
          {waiting > 0 && <span class="small quiet"> · {texts.unsent}</span>}
        </span>
        {[...orderIds].map((id) => (
          <span>
            {t().find.kinds.ORDER} <OrderId id={id} />
          </span>
        ))}
        <span class="small">
          {lines
            .map(({ itemId, requested, over }) => `${requested + over} × ${words[itemId]?.name ?? itemId}`)
            .join(', ')}
        </span>
      </span>
      {conflicts.length > 0 && <State look="wrong">{conflicts.length}</State>}
      <span class="strong">{texts.cameOf(countedOf(totals), totals.requested + totals.over)}</span>
    </a>
  );
}
