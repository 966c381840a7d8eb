/** One order: where its units are, its timeline with who did what, and what may be changed now. */
import { Ban, Pencil, Printer } from 'lucide';
import { useState } from 'preact/hooks';
import { api, newId, send } from '../api.ts';
import { cityLine } from '../city-line.ts';
import { now } from '../preferences.ts';
import { href } from '../router.ts';
import { may } from '../session.ts';
import { dateTime, money, o, t, time, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Choices, Stepper } from '../ui/field.tsx';
import { Show, useAction, useLoad } from '../ui/load.tsx';
import { Due, dueText, ErrorNotice, State } from '../ui/notice.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { NO_SUB } from '../ui/screen.tsx';
import { ChangeOrder } from './change-order.tsx';
import { eventWords } from './event-words.ts';
import { lookOfState } from './order-state.ts';
import { Page } from './page.tsx';

type Details = Awaited<ReturnType<typeof readOrder>>;

function readOrder(storeId: string, fulfillmentOrderId: string, signal?: AbortSignal) {
  return send(
    api.GET('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}', {
      params: { path: { storeId, fulfillmentOrderId } },
      ...(signal && { signal }),
    }),
  );
}

export default function Order({ params: { storeId = '', orderId = '' } }: ScreenProps) {
  const { order: texts } = o();
  const loaded = useLoad(`order ${storeId} ${orderId}`, (signal) => readOrder(storeId, orderId, signal), 30_000);
  const [open, setOpen] = useState<'cancel' | 'change' | undefined>();
  const order = loaded.data.value;
  const cancel = order?.allowedActions.find(({ action }) => action === 'cancel');
  const close = () => {
    setOpen(undefined);
    void loaded.reload();
  };
  return (
    <Page
      title={<span class="code">{orderId}</span>}
      sub={order === undefined ? NO_SUB : `${word(t().types, order.fulfillmentType)} · ${order.nodeId}`}
      backTo={{ to: href('/office/orders'), label: t().nav.orders }}
      tools={
        order && (
          <>
            {may('orders.change') && (
              <Button icon={Pencil} onClick={() => setOpen('change')}>
                {texts.change}
              </Button>
            )}
            {may('orders.change') && (
              <Button
                icon={Ban}
                look="danger"
                blocked={cancel?.allowed === true ? undefined : cancel?.reason}
                onClick={() => setOpen('cancel')}
              >
                {texts.cancel}
              </Button>
            )}
            <Button icon={Printer} onClick={() => print()}>
              {t().actions.print}
            </Button>
          </>
        )
      }
    >
      <Show of={loaded}>
        {(shown) => (
          <div class="order-columns">
            <div class="stack">
              <Where order={shown} />
              <Lines order={shown} />
              <Facts order={shown} />
            </div>
            <History storeId={storeId} orderId={orderId} due={shown.slaDate?.value} revision={shown.revision} />
          </div>
        )}
      </Show>
      {open === 'cancel' && order !== undefined && <CancelOrder order={order} onDone={close} />}
      {open === 'change' && order !== undefined && <ChangeOrder order={order} onDone={close} />}
    </Page>
  );
}

function Where({ order }: { order: Details }) {
  const { order: texts } = o();
  return (
    <section class="card stack tight" aria-label={texts.where}>
      <div class="split">
        <State look={lookOfState(order.status)}>{word(t().states, order.status)}</State>
        <Due at={order.slaDate?.value} nowMs={now.value} />
      </div>
      <dl class="facts">
        {order.holdLocation !== undefined && (
          <>
            <dt>{texts.holdLocation}</dt>
            <dd class="strong code">{order.holdLocation}</dd>
          </>
        )}
        {order.queueId !== undefined && (
          <>
            <dt>{texts.queue}</dt>
            <dd class="code">{order.queueId}</dd>
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
      </dl>
    </section>
  );
}

/** Where the units of each line are. Columns without any unit are left out. */
function Lines({ order }: { order: Details }) {
  const { order: texts } = o();
  type Line = Details['lines'][number];
  const all: [string, (line: Line) => number][] = [
    [texts.ordered, (line) => line.orderedQuantity],
    [texts.open, (line) => line.openQuantity],
    [texts.picked, (line) => line.pickedQuantity],
    [texts.gone, (line) => line.handedOverQuantity],
    [texts.declined, (line) => line.declinedQuantity],
    [texts.canceled, (line) => line.canceledQuantity + line.cancelingQuantity],
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
          <tr>
            <td colSpan={columns.length + 1} class="strong">
              {texts.total}
            </td>
            <td class="number strong">{money(String(order.orderTotal.grandTotal), order.currency)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function Facts({ order }: { order: Details }) {
  const { order: texts } = o();
  const rows: [string, string | undefined][] = [
    [texts.webOrder, order.webOrderId],
    [texts.omsOrder, order.omsOrderId],
    [texts.customer, order.customer?.name],
    [texts.phone, order.customer?.phone],
    [texts.email, order.customer?.email],
    [texts.proxy, order.proxyDetails?.name],
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
        {addresses.map(({ destinationId, address, personName }) => (
          <>
            <dt>{destinationId === order.shippingAddress?.destinationId ? texts.shipTo : texts.address}</dt>
            <dd key={destinationId}>
              {[
                [personName?.firstName, personName?.lastName].filter(Boolean).join(' '),
                address?.line1,
                address?.line2,
                cityLine(address ?? {}),
                address?.countryCode,
              ]
                .filter((line) => line !== undefined && line !== '')
                .map((line) => (
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

interface HistoryEvent {
  eventId: string;
  type: string;
  at: string;
  actor: string;
  data: Record<string, unknown>;
}

/** The timeline: who, when, what, which units; the gap to the SLA at its end. */
function History({
  storeId,
  orderId,
  due,
  revision,
}: {
  storeId: string;
  orderId: string;
  due: string | undefined;
  revision: number;
}) {
  const { order: texts } = o();
  const loaded = useLoad(`history ${orderId} ${revision}`, (signal) =>
    send(
      api.GET('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/history', {
        params: { path: { storeId, fulfillmentOrderId: orderId } },
        signal,
      }),
    ),
  );
  return (
    <section class="card stack" aria-label={texts.history}>
      <h2>{texts.history}</h2>
      <Show of={loaded}>
        {({ events }) => (
          <ol class="timeline">
            {(events as HistoryEvent[]).map((event, index) => {
              const { text, look, units } = eventWords(event);
              const before = events[index - 1];
              return (
                <li key={event.eventId} class={look}>
                  <div class="split">
                    <span class="strong">{text}</span>
                    <time dateTime={event.at} title={dateTime(event.at)} class="quiet small code">
                      {time(event.at)}
                    </time>
                  </div>
                  <div class="quiet small">
                    {[whoOf(event), units, before && gap(before.at, event.at)].filter(Boolean).join(' · ')}
                  </div>
                </li>
              );
            })}
            {due !== undefined && (
              <li class={Date.parse(due) < now.value ? 'wrong' : ''}>
                <span class="strong">{texts.nextDue}</span>{' '}
                <span class="quiet small">
                  {time(due)} · {dueText(Math.floor((Date.parse(due) - now.value) / 60_000))}
                </span>
              </li>
            )}
          </ol>
        )}
      </Show>
    </section>
  );
}

/** The person where the event names one, else who sent the request. */
function whoOf({ actor, data }: HistoryEvent): string {
  const person = data['modifyAssociateId'] ?? data['userId'];
  if (typeof person === 'string') return person;
  return actor.replace(/^user:/, '');
}

function gap(from: string, to: string): string | undefined {
  const minutes = Math.round((Date.parse(to) - Date.parse(from)) / 60_000);
  if (minutes < 1) return undefined;
  const { due } = t();
  return `+${minutes < 90 ? due.minutes(minutes) : minutes < 2880 ? due.hours(Math.floor(minutes / 60), minutes % 60) : due.days(Math.round(minutes / 1440))}`;
}

/** Cancels the order, or some of its units: asks for a reason and waits for the service. */
function CancelOrder({ order, onDone }: { order: Details; onDone: () => void }) {
  const { order: texts } = o();
  const lines = order.lines.filter((line) => line.leftQuantity > 0);
  const [quantities, setQuantities] = useState<Record<string, number>>(
    Object.fromEntries(lines.map((line) => [line.webLineId, line.leftQuantity])),
  );
  const [reasonCode, setReason] = useState('CancelCustomerInitiated');
  const [key] = useState(newId);
  const chosen = lines
    .map((line) => ({ line, quantity: quantities[line.webLineId] ?? 0 }))
    .filter(({ quantity }) => quantity > 0);
  const units = chosen.reduce((sum, { quantity }) => sum + quantity, 0);
  const action = useAction(async () => {
    const isAll = lines.every((line) => quantities[line.webLineId] === line.leftQuantity);
    await send(
      api.POST('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/cancel', {
        params: { path: { storeId: order.storeId, fulfillmentOrderId: order.fulfillmentOrderId } },
        headers: { 'idempotency-key': key },
        body: {
          reasonCode,
          ...(!isAll && {
            // The service counts all units of a line that its customer canceled, those of before among them.
            lines: chosen.map(({ line, quantity }) => ({
              webLineId: line.webLineId,
              quantity: canceledOf(line) + quantity,
            })),
          }),
        },
      }),
    );
    onDone();
  });
  // A button has room for one line; of more it says how many units, and the list above which.
  const [only, ...others] = chosen;
  const named =
    only !== undefined && others.length === 0
      ? texts.cancelUnits(only.quantity, only.line.itemDesc)
      : o().units.units(units);
  return (
    <Dialog
      title={texts.cancelTitle(order.fulfillmentOrderId)}
      onClose={onDone}
      actions={
        <>
          <Button onClick={onDone}>{t().actions.back}</Button>
          <Button
            look="danger"
            isBusy={action.isBusy}
            blocked={lines.length > 0 && chosen.length === 0 ? texts.cancelNothing : undefined}
            onClick={() => void action.run()}
          >
            {lines.length === 0 ? texts.cancel : texts.cancelNow(named)}
          </Button>
        </>
      }
    >
      <p>{lines.length === 0 ? texts.cancelRequests : texts.cancelHint}</p>
      {lines.map((line) => (
        <Stepper
          label={texts.cancelOf(line.itemDesc, line.leftQuantity)}
          value={quantities[line.webLineId] ?? 0}
          max={line.leftQuantity}
          onInput={(quantity) => setQuantities({ ...quantities, [line.webLineId]: quantity })}
        />
      ))}
      <Choices
        label={texts.reason}
        value={reasonCode}
        onInput={setReason}
        options={Object.entries(texts.reasons).map(([value, label]) => ({ value, label }))}
      />
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </Dialog>
  );
}

/** Units of a line that were canceled before, wherever they are now. */
function canceledOf(line: Details['lines'][number]): number {
  return line.canceledQuantity + line.cancelingQuantity + line.returnedQuantity + line.missingQuantity;
}
