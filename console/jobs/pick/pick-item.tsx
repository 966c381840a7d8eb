/** The current item: place, picture, description, quantity, and the tote for each unit. */
import { Circle, CircleCheck, CircleMinus, Gift, Plus, StickyNote } from 'lucide';
import type { ItemView, TicketView } from '../../offline/view.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Picture } from '../../ui/picture.tsx';
import { needless, nextTote, type Share, sharesOf } from './ticket-work.ts';

/** Number of totes that are listed below an item; further totes are collapsed. */
const TOTES = 6;

interface ItemProps {
  view: TicketView;
  shown: ItemView;
  isReverse: boolean;
  onOne: () => void;
  onLeaveOut: () => void;
}

export function PickItem({ view, shown, isReverse, onOne, onLeaveOut }: ItemProps) {
  const { pick } = t();
  const { item, picked, canceled, quantity, left } = shown;
  const { itemDetails: details } = item;
  const needed = quantity - canceled;
  const tote = view.ticket.orders.length > 1 && left > 0 ? nextTote(shown) : undefined;
  const spare = needless(shown);
  return (
    <section class="pick-item" aria-label={details.itemDesc}>
      <div class="pick-place">
        <p class="small quiet">{isReverse ? pick.backTo : pick.place}</p>
        <Place name={item.pickLocation} />
      </div>
      <Picture url={item.imageUrl} label={details.itemDesc} />
      <div class="pick-what">
        <h2 class="pick-name">{details.itemDesc}</h2>
        <p class="quiet">{[details.color, details.size].filter(Boolean).join(' · ')}</p>
      </div>
      <p class="pick-codes quiet">
        <span class="code">{details.itemId}</span>
        {details.upcs.slice(0, 2).map(({ value }) => (
          <span class="code">{value}</span>
        ))}
      </p>
      <p class="huge pick-sum-of" data-done={left === 0 ? '' : undefined}>
        <span class="code">{pick.of(picked, needed)}</span>
        {tote !== undefined && <span class="pick-tote">{pick.into(tote)}</span>}
      </p>
      <div class="pick-one">
        <Button icon={Plus} blocked={left === 0 ? pick.itemDone : undefined} shortcut="F4" onClick={onOne}>
          {pick.one}
          <span class="hint">{pick.oneHint}</span>
        </Button>
      </div>
      <div class="pick-more stack tight">
        {canceled > 0 && <p class="strong pick-short">{pick.shorted(canceled)}</p>}
        {spare > 0 && (
          <Notice look="risk" title={pick.withdrawn(spare)}>
            <div>
              <Button onClick={onLeaveOut}>{pick.leaveOut(spare)}</Button>
            </div>
          </Notice>
        )}
        {item.components !== undefined && (
          <Notice look="info" title={pick.parts}>
            <ul>
              {item.components.map((part) => (
                <li>
                  {pick.partOf(part.itemDesc, part.quantity / quantity)}
                  {part.pickLocation !== undefined && <span class="code strong"> {part.pickLocation}</span>}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        {item.instructions?.map((one) => (
          <Instruction of={one} orders={view.ticket.orders} />
        ))}
        {view.ticket.orders.length > 1 && <Totes view={view} shown={shown} next={tote} />}
      </div>
    </section>
  );
}

type Details = TicketView['ticket'];
type Instruction = NonNullable<Details['pickTicketItems'][number]['instructions']>[number];

/** A customer's instruction or gift message for an item. The label tells the user which of the two it is. */
function Instruction({
  of: { type, text, fulfillmentOrderId },
  orders,
}: {
  of: Instruction;
  orders: Details['orders'];
}) {
  const { pick, counter } = t();
  const isGift = type === 'GIFT_MESSAGE';
  const tote =
    orders.length > 1 ? orders.find((one) => one.fulfillmentOrderId === fulfillmentOrderId)?.tote : undefined;
  return (
    <p class="pick-instruction">
      <Icon of={isGift ? Gift : StickyNote} />
      <span>
        <span class="strong">
          {isGift ? counter.giftMessage : counter.instructions}
          {tote !== undefined && ` ${pick.forTote(tote)}`}:
        </span>{' '}
        {text}
      </span>
    </p>
  );
}

/** A long place is shown in smaller letters and never cut off. */
function Place({ name }: { name: string | undefined }) {
  const { pick } = t();
  if (name === undefined) return <p class="big quiet">{pick.noPlace}</p>;
  const look = name.length > 9 ? (name.length > 16 ? 'strong' : 'big code') : 'huge code';
  return (
    <p class={look} data-long={name.length > 7 ? '' : undefined}>
      {name}
    </p>
  );
}

function Totes({ view, shown, next }: { view: TicketView; shown: ItemView; next: string | undefined }) {
  const { pick } = t();
  const shares = sharesOf(shown);
  const names = new Map(view.ticket.orders.map((order) => [order.fulfillmentOrderId, order.customerName]));
  const first = [...shares.filter(isOpen), ...shares.filter((share) => !isOpen(share))].slice(0, TOTES);
  const rest = shares.filter((share) => !first.includes(share));
  const row = (share: Share) => (
    <ToteRow key={share.tote} share={share} name={names.get(share.fulfillmentOrderId)} isNext={share.tote === next} />
  );
  const sorted = shares.filter((share) => first.includes(share));
  return (
    <div class="pick-totes">
      <h3 class="visually-hidden">{pick.orders}</h3>
      <ul>{sorted.map(row)}</ul>
      {rest.length > 0 && (
        <details>
          <summary>{t().actions.more}</summary>
          <ul>{rest.map(row)}</ul>
        </details>
      )}
    </div>
  );
}

function isOpen({ quantity, short, picked }: Share): boolean {
  return quantity - short > picked;
}

function ToteRow({ share, name, isNext }: { share: Share; name: string | undefined; isNext: boolean }) {
  const { pick } = t();
  const { tote, fulfillmentOrderId, quantity, short, picked } = share;
  const isDone = picked + short >= quantity;
  return (
    <li class="tote" data-next={isNext ? '' : undefined} data-done={isDone ? '' : undefined}>
      <Icon of={isDone ? (short === quantity ? CircleMinus : CircleCheck) : Circle} />
      <span class="letter">{tote}</span>
      <span class="grow">
        {name ?? pick.order(fulfillmentOrderId)}
        {short > 0 && <span class="pick-short"> {pick.goesShort(short)}</span>}
      </span>
      <span class="strong">{pick.of(picked, quantity - short)}</span>
    </li>
  );
}
