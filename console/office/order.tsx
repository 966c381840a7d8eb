/** One order: the places of its units, its timeline with the users, and the changes that are possible now. */
import { Ban, Pencil, Printer } from 'lucide';
import { useState } from 'preact/hooks';
import { now } from '../preferences.ts';
import { at, href } from '../router.ts';
import { may } from '../session.ts';
import { dateTime, loadTexts, money, o, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Show, useLoad } from '../ui/load.tsx';
import { Due, State } from '../ui/notice.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { NO_SUB } from '../ui/screen.tsx';
import { whole } from '../ui/whole.tsx';
import { Why } from '../ui/why.tsx';
import { linesOf } from '../work/address.ts';
import { notesOf, OrderNotes } from '../work/order-notes.tsx';
import { isBeforePick } from '../work/order-steps.ts';
import { type Details, readOrder } from './order-details.ts';
import { History } from './order-history.tsx';
import { OrderLink } from './order-link.tsx';
import { lookOfState } from './order-state.ts';
import { Page } from './page.tsx';
import { nameIn, useNodes, useStores } from './places.ts';

// Most users only read an order, so the dialogs load when they open.
const CancelOrder = lazy(async () => (await import('./cancel-order.tsx')).CancelOrder);
const ChangeOrder = lazy(async () => {
  const [{ ChangeOrder: Part }] = await Promise.all([import('./change-order.tsx'), loadTexts('desk')]);
  return Part;
});
const OrderContact = lazy(async () => {
  const [{ OrderContact: Part }] = await Promise.all([import('./order-contact.tsx'), loadTexts('desk')]);
  return Part;
});

export default function Order({ params: { storeId = '', orderId = '' } }: ScreenProps) {
  const loaded = useLoad(`order ${storeId} ${orderId}`, (signal) => readOrder(storeId, orderId, signal), 30_000);
  const [open, setOpen] = useState<'cancel' | 'change' | undefined>();
  const nodes = useNodes();
  const order = loaded.data.value;
  // The dialog needs the time zone of the node. If the nodes cannot be read, it takes the zone of the browser.
  const areNodesRead = (nodes.data.value ?? nodes.error.value) !== undefined;
  const close = () => {
    setOpen(undefined);
    void loaded.reload();
  };
  return (
    <Page
      title={<span class="code">{orderId}</span>}
      sub={
        order === undefined
          ? NO_SUB
          : [word(t().types, order.fulfillmentType), order.customer?.name, nameIn(nodes, order.nodeId)]
              .filter(Boolean)
              .join(' · ')
      }
      backTo={{ to: href('/office/orders'), label: t().nav.orders }}
      tools={order && <Tools order={order} onOpen={setOpen} />}
    >
      <Show of={loaded}>
        {(shown) => (
          <div class="order-columns">
            <div class="stack">
              <OrderNotes notes={notesOf(shown)} />
              <Where order={shown} node={nameIn(nodes, shown.nodeId)} />
              <Lines order={shown} />
              <History order={shown} />
            </div>
            <div class="stack">
              <Facts order={shown} />
              <OrderContact order={shown} />
            </div>
          </div>
        )}
      </Show>
      {open === 'cancel' && order !== undefined && <CancelOrder order={order} onDone={close} />}
      {open === 'change' && order !== undefined && areNodesRead && (
        <ChangeOrder order={order} node={nodes.data.value?.find(({ id }) => id === order.nodeId)} onDone={close} />
      )}
    </Page>
  );
}

/** Buttons to change, cancel and print the order. If the order cannot be canceled, `Why` shows the reason. */
function Tools({ order, onOpen }: { order: Details; onOpen: (open: 'cancel' | 'change') => void }) {
  const { order: texts } = o();
  const cancel = order.allowedActions.find(({ action }) => action === 'cancel');
  const blocked = cancel?.allowed === true ? undefined : texts.cancelOver;
  return (
    <>
      {may('orders.change') && (
        <>
          <Button icon={Pencil} onClick={() => onOpen('change')}>
            {texts.change}
          </Button>
          <Button icon={Ban} look="danger" blocked={blocked} onClick={() => onOpen('cancel')}>
            {texts.cancel}
          </Button>
        </>
      )}
      <Button icon={Printer} onClick={() => print()}>
        {t().actions.print}
      </Button>
      {may('orders.change') && blocked !== undefined && <Why label={o().common.why}>{cancel?.reason}</Why>}
    </>
  );
}

function Where({ order, node }: { order: Details; node: string }) {
  const { order: texts } = o();
  return (
    <section class="card stack tight" aria-label={texts.where}>
      <div class="split">
        <State look={lookOfState(order.status)}>{word(t().states, order.status)}</State>
        <Due at={order.slaDate?.value} nowMs={now.value} isStart={isBeforePick(order.status)} />
      </div>
      <dl class="facts">
        <dt>{texts.node}</dt>
        <dd class="strong">{node}</dd>
        {order.holdLocation !== undefined && (
          <>
            <dt>{texts.holdLocation}</dt>
            <dd class="strong code">{order.holdLocation}</dd>
          </>
        )}
        {order.pickTicketId !== undefined && (
          <>
            <dt>{texts.ticket}</dt>
            <dd class="code">{order.pickTicketId}</dd>
          </>
        )}
        {order.heldUntil !== undefined && (
          <>
            <dt>{texts.heldUntil}</dt>
            <dd>{dateTime(order.heldUntil)}</dd>
          </>
        )}
        {order.returnableUntil !== undefined && (
          <>
            <dt>{texts.returnableUntil}</dt>
            <dd>{dateTime(order.returnableUntil)}</dd>
          </>
        )}
        {order.resourcedFrom !== undefined && (
          <>
            <dt>{texts.resourcedFrom}</dt>
            <dd>
              <OrderLink storeId={order.storeId} id={order.resourcedFrom}>
                {order.resourcedFrom}
              </OrderLink>
            </dd>
          </>
        )}
        {order.exchangeOf !== undefined && (
          <>
            <dt>{texts.exchangeOf}</dt>
            <dd>
              <a href={href(at('office', 'returns', order.storeId, order.exchangeOf.returnNumber))}>
                {whole(o().returned.name(order.exchangeOf.returnNumber))}
              </a>
            </dd>
          </>
        )}
        {order.returns.length > 0 && (
          <>
            <dt>{t().nav.returns}</dt>
            <dd class="inline">
              {order.returns.map(({ number }) => (
                <a key={number} href={href(at('office', 'returns', order.storeId, number))}>
                  {whole(o().returned.name(number))}
                </a>
              ))}
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** Shows the places of the units of each line. Columns without units are left out. */
function Lines({ order }: { order: Details }) {
  const { order: texts } = o();
  type Line = Details['lines'][number];
  const all: [string, (line: Line) => number][] = [
    [texts.ordered, (line) => line.orderedQuantity],
    [texts.open, (line) => line.openQuantity],
    [texts.picked, (line) => line.pickedQuantity],
    [texts.gone, (line) => line.handedOverQuantity],
    [texts.comingBack, (line) => line.comingBackQuantity],
    [texts.cameBack, (line) => line.cameBackQuantity],
    [texts.refused, (line) => line.refusedQuantity],
    [texts.missing, (line) => line.missingQuantity],
    [texts.declined, (line) => line.declinedQuantity],
    [texts.canceled, (line) => line.canceledQuantity + line.cancelingQuantity + line.returnedQuantity],
  ];
  const columns = all.filter(
    ([title, count]) => title === texts.ordered || order.lines.some((line) => count(line) > 0),
  );
  return (
    <section class="table-wrap" aria-label={texts.lines} tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{texts.item}</th>
            {columns.map(([title]) => (
              <th class="number" scope="col">
                {title}
              </th>
            ))}
            <th class="number" scope="col">
              {texts.price}
            </th>
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => (
            <tr key={line.webLineId}>
              <td>
                {line.itemDesc}
                <br />
                <span class="code quiet small">{line.itemId}</span>
              </td>
              {columns.map(([, count]) => (
                <td class="number">{count(line)}</td>
              ))}
              <td class="number">{money(String(line.unitPrice), order.currency)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <Sums order={order} columns={columns.length + 1} />
        </tfoot>
      </table>
    </section>
  );
}

/** Shows the amounts that were charged, and the amounts of the remaining units, each with its charges and taxes. */
function Sums({ order, columns }: { order: Details; columns: number }) {
  const { order: texts } = o();
  const charged = (order.charged ?? []).map(({ orderTotal }) => orderTotal);
  const all = [
    { title: texts.charged, totals: charged },
    { title: texts.total, totals: [order.orderTotal] },
  ];
  const shown = all.filter(({ totals }) => sumOf(totals, 'grandTotal') !== 0);
  return (
    <>
      {(shown.length === 0 ? all.slice(1) : shown).map(({ title, totals }) => {
        const rows = [
          [texts.charges, sumOf(totals, 'grandCharges'), false],
          [texts.tax, sumOf(totals, 'grandTax'), false],
          [title, sumOf(totals, 'grandTotal'), true],
        ] as const;
        return rows
          .filter(([, amount, isSum]) => isSum || amount !== 0)
          .map(([name, amount, isSum]) => (
            <tr>
              <td colSpan={columns} class={isSum ? 'strong' : undefined}>
                {name}
              </td>
              <td class={isSum ? 'number strong' : 'number'}>{money(amount, order.currency)}</td>
            </tr>
          ));
      })}
    </>
  );
}

function sumOf(totals: readonly Details['orderTotal'][], name: 'grandTotal' | 'grandTax' | 'grandCharges'): number {
  return totals.reduce((sum, one) => sum + one[name], 0);
}

function Facts({ order }: { order: Details }) {
  const { order: texts } = o();
  const stores = useStores();
  const rows: [string, string | undefined][] = [
    [o().orders.store, nameIn(stores, order.storeId)],
    [texts.webOrder, order.webOrderId],
    [texts.omsOrder, order.omsOrderId],
    [texts.customer, order.customer?.name],
    [texts.phone, order.customer?.phone],
    [texts.email, order.customer?.email],
    [texts.proxy, order.proxyDetails?.name],
    [o().change.parts.pin, order.hasPin ? texts.pinSet : undefined],
    [texts.carrier, [order.carrier, order.service].filter((part) => part !== '').join(' · ')],
    [texts.orderDate, dateTime(order.orderDate)],
    [texts.expected, order.expectedDeliveryDate && dateTime(order.expectedDeliveryDate)],
    [texts.ended, order.endedDate && dateTime(order.endedDate)],
  ];
  const addresses = (order.destinations ?? []).filter(({ address }) => address !== undefined);
  return (
    <section class="card stack" aria-label={texts.facts}>
      <dl class="facts">
        {rows
          .filter((row): row is [string, string] => (row[1] ?? '') !== '')
          .map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
        {addresses.map((one) => (
          <>
            <dt>{labelOf(order, one.destinationId)}</dt>
            <dd key={one.destinationId}>
              {linesOf(one).map((line) => (
                <div>{line}</div>
              ))}
            </dd>
          </>
        ))}
      </dl>
      {(order.packages ?? []).map((box) => (
        <p key={box.boxId} class="inline">
          <State look="info">{texts.package}</State>
          <span class="code">{box.boxId}</span>
          {box.trackingNumber !== undefined && <span class="code quiet">{box.trackingNumber}</span>}
        </p>
      ))}
    </section>
  );
}

/** Returns the purpose of an address. */
function labelOf(order: Details, destinationId: string): string {
  const { order: texts } = o();
  if (destinationId === order.shippingAddress?.destinationId) return texts.shipTo;
  if (destinationId === order.shipFromAddress?.destinationId) return texts.shipFrom;
  return destinationId === order.billToAddress?.destinationId ? texts.billTo : texts.address;
}
