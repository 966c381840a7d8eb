/** The end of a ticket: the place of the goods, the CONFIRM, and the next steps. */
import { CircleCheck, CloudUpload, Package, Pencil, ShoppingBasket, Tag } from 'lucide';
import { choices } from '../../choices.ts';
import type { TicketView } from '../../offline/view.ts';
import { at, href } from '../../router.ts';
import { may } from '../../session.ts';
import { t } from '../../texts/index.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { OtherField } from '../../ui/other-field.tsx';
import { HoldTickets } from '../../work/hold-tickets.tsx';
import { work } from '../../work/node-work.ts';
import { PLACE_MAX } from '../../work/places.ts';
import type { Ending } from './picking.ts';
import { placesOf, sumsOf } from './ticket-work.ts';

/** Number of places that are offered as buttons. Other places are scanned or typed. */
const PLACES = 12;

interface AwayProps {
  view: TicketView;
  isReverse: boolean;
  ending: Ending;
}

/** Asks for the place of the goods after all units have a result. */
export function PutAway({ view, isReverse, ending }: AwayProps) {
  const { place, putInto } = ending;
  const { pick, units } = t();
  const { picked, short } = sumsOf(view.items);
  const known = choices.value?.holdLocations ?? [];
  const suggested = view.ticket.holdLocation;
  const offered = [suggested, ...known.filter((one) => one !== suggested)].slice(0, PLACES);
  return (
    <section class="stack">
      <div class="pick-finished">
        <Icon of={CircleCheck} />
        <div>
          <h2>{isReverse ? pick.finishReverse : pick.finishTitle}</h2>
          <p>{pick.finishSub(units.units(picked), short)}</p>
        </div>
      </div>
      {!isReverse && (
        <>
          <fieldset class="stack tight">
            <legend class="strong">{pick.whereTo}</legend>
            <div class="pick-places">
              {offered.map((one) => (
                <button
                  type="button"
                  class="button place"
                  aria-pressed={one === place}
                  data-on={one === place ? '' : undefined}
                  onClick={() => putInto(one)}
                >
                  <span>
                    <span class="big code">{one}</span>
                    {one === suggested && <span class="hint">{pick.suggested}</span>}
                  </span>
                </button>
              ))}
            </div>
          </fieldset>
          <OtherField
            label={pick.otherPlace}
            value={place}
            listed={offered}
            maxLength={PLACE_MAX}
            onInput={ending.setPlace}
          />
          {place !== '' && known.length > 0 && !offered.includes(place) && !known.includes(place) && (
            <Notice look="risk" title={pick.notKnown(place)} />
          )}
          {view.ticket.orders.length > 1 && <Orders view={view} ending={ending} />}
        </>
      )}
    </section>
  );
}

/** Assigns totes to places: scan or tap a tote, then its place. A tote without a place uses the common place. */
function Orders({ view, ending }: { view: TicketView; ending: Ending }) {
  const { pick } = t();
  const { own, forOrder, place } = ending;
  return (
    <section class="stack tight">
      <h3>{pick.labels}</h3>
      <p class="quiet">{pick.toteHint}</p>
      {hasHoldTickets(view) && <p class="quiet">{pick.printLater}</p>}
      <ul class="list">
        {view.ticket.orders.map(({ tote, customerName, fulfillmentOrderId }) => (
          <li>
            <button
              type="button"
              class="row"
              aria-pressed={fulfillmentOrderId === forOrder}
              onClick={() => ending.takeTote(tote)}
            >
              <span class="letter">{tote}</span>
              <span class="grow">
                {customerName} <span class="code quiet">{fulfillmentOrderId}</span>
              </span>
              <span class={own.has(fulfillmentOrderId) ? 'big code' : 'code quiet'}>
                {own.get(fulfillmentOrderId) ?? place}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {own.size > 0 && (
        <Button isWide icon={Tag} onClick={ending.allInOne}>
          {pick.allInOne}
        </Button>
      )}
    </section>
  );
}

function toteIn({ ticket }: TicketView, orderId: string): string {
  return ticket.orders.find(({ fulfillmentOrderId }) => fulfillmentOrderId === orderId)?.tote ?? '';
}

/** Shows where the goods wait: one place, or the place of each tote. */
function Places({ view }: { view: TicketView }) {
  const { pick } = t();
  const places = placesOf(view);
  const [first, ...others] = new Set(places.values());
  return (
    <div class="card">
      <p class="quiet">{pick.putInto}</p>
      {others.length === 0 ? (
        <p class="huge code">{first}</p>
      ) : (
        [...places].map(([id, at]) => (
          <p>
            <span class="big">{pick.toteAt(toteIn(view, id), at)}</span> <span class="code quiet">{id}</span>
          </p>
        ))
      )}
    </div>
  );
}

/** Shows that the ticket is confirmed: at the service, or still in the outbox. */
export function Confirmed({ view, isReverse }: { view: TicketView; isReverse: boolean }) {
  const { pick, units } = t();
  const { picked, short } = sumsOf(view.items);
  const isSent = view.confirmed === 'SENT';
  const { storeId, pickTicketId, orders } = view.ticket;
  return (
    <section class="stack">
      <div class={isSent ? 'pick-finished' : 'pick-finished risk'} role="status">
        <Icon of={isSent ? CircleCheck : CloudUpload} />
        <div>
          <h2>{isSent ? pick.confirmedSent : pick.confirmedWaiting}</h2>
          <p>{pick.finishSub(units.units(picked), short)}</p>
        </div>
      </div>
      {!isSent && <p>{pick.confirmedWaitingHint}</p>}
      {!isReverse && picked > 0 && <Places view={view} />}
      {isSent && !isReverse && (
        <div class="stack tight">
          {picked > 0 && hasHoldTickets(view) && (
            <HoldTickets storeId={storeId} orderIds={orders.map(({ fulfillmentOrderId }) => fulfillmentOrderId)} />
          )}
          {picked > 0 && <ToPack view={view} />}
          {may('supervise') ? (
            <LinkButton icon={Pencil} to={href(at('pick', storeId, pickTicketId, 'correct'))}>
              {pick.correct}
            </LinkButton>
          ) : (
            <Button icon={Pencil} blocked={pick.correction.askLead}>
              {pick.correct}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function hasHoldTickets({ ticket }: TicketView): boolean {
  return ticket.fulfillmentType === 'STORE_PICK_UP';
}

/** Links to the packing of the picked orders, if they need it. */
function ToPack({ view: { ticket } }: { view: TicketView }) {
  const type = ticket.fulfillmentType;
  if (type !== 'SHIP_TO_HOME' && type !== 'ASSOCIATE_DELIVERY') return null;
  const queue = work.value?.queues.find(({ kind, fulfillmentType }) => kind === 'PACK' && fulfillmentType === type);
  return (
    <LinkButton isWide icon={Package} to={href('/pack', queue === undefined ? {} : { queueId: queue.queueId })}>
      {t().nav.pack}
    </LinkButton>
  );
}

/** Links to the next work after a ticket. */
export function AfterTicket({ queueId, isReverse }: { queueId: string; isReverse: boolean }) {
  const { pick, nav } = t();
  return (
    <>
      <LinkButton to={href('/')}>{nav.home}</LinkButton>
      <LinkButton look="main" icon={ShoppingBasket} to={href(isReverse ? '/bring-back' : '/queue', { queueId })}>
        {isReverse ? pick.nextTicket : pick.toQueue}
      </LinkButton>
    </>
  );
}
