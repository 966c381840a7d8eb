/** The items of a ticket in two lists: open and done. */
import { useState } from 'preact/hooks';
import type { ItemView, TicketView } from '../../offline/view.ts';
import { t } from '../../texts/index.ts';
import { OrderNotes } from '../../work/order-notes.tsx';

/** Number of rows of each list that are shown at first. */
const ROWS = 60;

/** Lists the open items in the order of the path, then the finished items. */
export function Items({
  view,
  shownId,
  onShow,
}: {
  view: TicketView;
  shownId: number | undefined;
  onShow?: ((id: number) => void) | undefined;
}) {
  const { pick } = t();
  const open = view.items.filter(({ left, id }) => left > 0 && id !== shownId);
  const done = view.items.filter(({ left }) => left === 0);
  return (
    <>
      {open.length > 0 && (
        <section class="stack tight">
          <h2>{pick.open(open.length)}</h2>
          <Rows items={open} onShow={onShow} />
        </section>
      )}
      {done.length > 0 && (
        <section class="stack tight">
          <h2>{pick.done(done.length)}</h2>
          <Rows items={done} onShow={onShow} />
        </section>
      )}
    </>
  );
}

function Rows({ items, onShow }: { items: readonly ItemView[]; onShow?: ((id: number) => void) | undefined }) {
  const { pick } = t();
  const [most, setMost] = useState(ROWS);
  return (
    <div class="list">
      {items.slice(0, most).map(({ id, item, picked, canceled, quantity }) => {
        const row = (
          <>
            <span class="grow pick-row">
              <span class="split">
                <span class="code strong">{item.pickLocation ?? '—'}</span>
                <span class="inline">
                  {canceled > 0 && <span class="pick-short">{pick.shorted(canceled)}</span>}
                  <span class="strong code">{pick.of(picked, quantity - canceled)}</span>
                </span>
              </span>
              <span>{item.itemDetails.itemDesc}</span>
            </span>
          </>
        );
        return onShow === undefined ? (
          <div class="row" key={id}>
            {row}
          </div>
        ) : (
          <button type="button" class="row" key={id} onClick={() => onShow(id)}>
            {row}
          </button>
        );
      })}
      {items.length > most && (
        <button type="button" class="row" onClick={() => setMost(most + ROWS)}>
          {t().actions.more}
        </button>
      )}
    </div>
  );
}

/** Shows the notes of the ticket's orders. A ticket of several orders names the tote and the customer of each note. */
export function TicketNotes({ ticket: { orders, notes = [] } }: { ticket: TicketView['ticket'] }) {
  const { pick } = t();
  const isAlone = orders.length === 1;
  const nameOf = (id: string) => {
    const order = orders.find(({ fulfillmentOrderId }) => fulfillmentOrderId === id);
    return order === undefined ? pick.order(id) : `${order.tote} · ${order.customerName ?? pick.order(id)}`;
  };
  const shown = notes.map((one) => ({ ...one, of: isAlone ? undefined : nameOf(one.fulfillmentOrderId) }));
  return <OrderNotes isBrief notes={shown} />;
}
