/** One order at its customer's door: who takes it, what is refused, what to collect; or nobody was at home. */
import { CircleCheck, DoorClosed, MapPin, Phone, Printer } from 'lucide';
import { useRef, useState } from 'preact/hooks';
import type { components } from '../../../contract/client.d.ts';
import { api, newId, send } from '../../api.ts';
import { choices, readChoices } from '../../choices.ts';
import { outbox } from '../../offline/index.ts';
import { now, online } from '../../preferences.ts';
import { go, href } from '../../router.ts';
import { feedback } from '../../scan/feedback.ts';
import { place } from '../../session.ts';
import { money, t, time, word } from '../../texts/index.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choices } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Show, useAction, useLoad } from '../../ui/load.tsx';
import { Due, ErrorNotice, Notice, State } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { addressOf } from '../../work/address.ts';
import { readOrder } from '../../work/counter.ts';
import { useCommand } from '../../work/counter-lost.ts';
import { printDeliverySheet, printReceipt } from '../../work/counter-print.ts';
import { allGoes, fitted, type HandLine, HandLines, type Shares, sumsOf } from '../../work/hand-lines.tsx';
import { ownId } from '../../work/own-id.ts';
import { PrintButton } from '../../work/print-button.tsx';
import { SyncState } from '../../work/sync-state.tsx';
import { LostNotice } from '../hand-over/hand-over-order.tsx';

type Order = components['schemas']['OrderDetails'];

interface Done {
  order: Order;
  deliveryId: string;
  goes: number;
  refused: number;
  who: string;
  method: string;
  /** Nobody was at home. */
  isAway: boolean;
}

export default function DeliverOrder({ params }: ScreenProps) {
  const storeId = params['storeId']!;
  const orderId = params['orderId']!;
  const { counter, deliver } = t();
  const [done, setDone] = useState<Done | undefined>();
  const loaded = useLoad(`deliver ${storeId} ${orderId}`, async () => {
    await readChoices();
    // An address is needed where there is no network: what was read last is shown.
    return outbox.snapshot.cached(`order ${storeId} ${orderId}`, () => readOrder(storeId, orderId));
  });
  const known = loaded.data.value;
  const title = known?.body.customer?.name ?? counter.order(orderId);
  if (done !== undefined) return <DoneScreen done={done} title={title} />;
  if (known !== undefined && known.body.status === '1500') {
    return (
      <AtTheDoor order={known.body} isStale={known.isStale} at={known.at} reload={loaded.reload} onDone={setDone} />
    );
  }
  return (
    <Screen title={title} isName sub={counter.order(orderId)} onBack={() => go('/deliver')} tools={<SyncState />}>
      <Show of={loaded} lines={5}>
        {({ body }) => (
          <Empty
            title={counter.wrongState(word(t().states, body.status))}
            action={<LinkButton to={href('/deliver')}>{counter.openList}</LinkButton>}
          >
            {body.allowedActions.find(({ action }) => action === 'deliver')?.reason ?? deliver.emptyHint}
          </Empty>
        )}
      </Show>
    </Screen>
  );
}

function lineOf(line: Order['lines'][number]): HandLine {
  return {
    webLineId: line.webLineId,
    itemId: line.itemId,
    name: line.itemDesc,
    upcs: [],
    open: line.leftQuantity,
    before: line.handedOverQuantity,
    instructions: line.instructions,
    components: line.components,
  };
}

function AtTheDoor({
  order,
  isStale,
  at,
  reload,
  onDone,
}: {
  order: Order;
  isStale: boolean;
  at: number;
  reload: () => Promise<void>;
  onDone: (done: Done) => void;
}) {
  const { deliver, handOver, counter, units, shell } = t();
  const { nodeId } = place.value!;
  const { storeId, fulfillmentOrderId, customer, proxyDetails, currency, orderTotal } = order;
  const lines = order.lines.map(lineOf);
  const [chosen, setShares] = useState<Shares>(() => allGoes(lines));
  const shares = fitted(lines, chosen);
  const [deliveredTo, setDeliveredTo] = useState<'CUSTOMER' | 'PROXY'>('CUSTOMER');
  const [method, setMethod] = useState('');
  const [isAway, setAway] = useState(false);
  const command = useCommand();
  const sent = useRef<{ id: string; body: string } | undefined>(undefined);
  const sums = sumsOf(shares);
  const address = addressOf(order);
  const cash = orderTotal.cashOnDelivery;
  const methods = (choices.value?.verificationMethods ?? []).filter((one) => one !== 'PIN');
  const allowed = order.allowedActions.find(({ action }) => action === 'deliver');
  const blocked =
    !online.value || isStale
      ? deliver.needsNetwork
      : allowed?.allowed === false
        ? allowed.reason
        : sums.goes + sums.refused === 0
          ? handOver.blockedNothing
          : sums.lacksReason
            ? handOver.blockedReason
            : undefined;
  const confirm = async () => {
    const content = {
      nodeId,
      modifyAssociateId: ownId(),
      deliveredTo,
      ...(method !== '' && { verificationMethod: method }),
      lines: lines
        .filter(({ webLineId }) => shares[webLineId]!.goes + shares[webLineId]!.refused > 0)
        .map(({ webLineId }) => {
          const { goes, refused, reason } = shares[webLineId]!;
          return {
            webLineId,
            deliveredQuantity: goes,
            canceledQuantity: refused,
            ...(refused > 0 && { cancellationReasonCode: reason }),
          };
        }),
    };
    const text = JSON.stringify(content);
    if (sent.current?.body !== text) sent.current = { id: newId(), body: text };
    const deliveryId = sent.current.id;
    let after: Order | undefined;
    const isDone = await command.run(
      () =>
        send(
          api.POST('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/deliver', {
            params: { path: { storeId, fulfillmentOrderId } },
            body: { ...content, deliveryId },
          }),
        ),
      async () => {
        after = await readOrder(storeId, fulfillmentOrderId);
        if (after.charged?.some((one) => one.handOverId === deliveryId) === true) return true;
        const was = new Map(order.lines.map((line) => [line.webLineId, line.refusedQuantity]));
        return (
          sums.goes === 0 &&
          after.lines.every(
            ({ webLineId, refusedQuantity }) =>
              refusedQuantity >= (was.get(webLineId) ?? 0) + (shares[webLineId]?.refused ?? 0),
          )
        );
      },
    );
    if (!isDone) {
      feedback('wrong');
      void reload();
      return;
    }
    feedback('done');
    after = await readOrder(storeId, fulfillmentOrderId).catch(() => after);
    const who = deliveredTo === 'PROXY' ? (proxyDetails?.name ?? '') : (customer?.name ?? '');
    onDone({ order: after ?? order, deliveryId, goes: sums.goes, refused: sums.refused, who, method, isAway: false });
  };
  return (
    <Screen
      title={customer?.name ?? counter.order(fulfillmentOrderId)}
      isName
      sub={`${units.units(sums.goes + sums.refused)} · ${counter.order(fulfillmentOrderId)}`}
      onBack={() => go('/deliver')}
      tools={<SyncState />}
      actions={
        <>
          <Button icon={DoorClosed} onClick={() => setAway(true)}>
            {deliver.notHome}
          </Button>
          <Button
            look="main"
            icon={CircleCheck}
            isBusy={command.isBusy}
            blocked={command.isBusy ? undefined : blocked}
            onClick={() => void confirm()}
          >
            {command.isBusy
              ? handOver.sending
              : sums.goes > 0
                ? deliver.main(sums.goes)
                : deliver.mainRefuse(sums.refused)}
          </Button>
        </>
      }
    >
      {(!online.value || isStale) && (
        <Notice look="risk" title={deliver.needsNetwork}>
          <p>{deliver.needsNetworkHint}</p>
          {isStale && <State look="risk">{shell.staleOffline(time(at))}</State>}
        </Notice>
      )}
      {address !== undefined && (
        <section class="counter-lies">
          <span class="counter-lies-icon">
            <Icon of={MapPin} />
          </span>
          <address class="grow deliver-address">
            <span class="strong">{address.name}</span>
            {address.lines.map((line, index) => (
              <span class={index === 0 ? 'big' : ''}>{line}</span>
            ))}
          </address>
          {address.phone.trim() !== '' && (
            <a class="button" href={`tel:${address.phone.replace(/[^+\d]/g, '')}`}>
              <Icon of={Phone} />
              <span>{deliver.call}</span>
            </a>
          )}
        </section>
      )}
      <div class="split">
        <Due at={order.slaDate?.value} nowMs={now.value} />
        <PrintButton print={() => printDeliverySheet(order)}>{counter.papers.deliverySheet}</PrintButton>
      </div>
      <LostNotice lost={command.lost} />
      {command.error !== undefined && <ErrorNotice error={command.error} />}
      {cash !== undefined && (
        <section class="card counter-cash">
          <span class="quiet">{handOver.collect}</span>
          <span class="big">{money(cash, currency)}</span>
          {lines.some(({ webLineId, open }) => shares[webLineId]!.goes < open) && (
            <span class="small">{handOver.collectPart}</span>
          )}
        </section>
      )}
      <section class="stack tight">
        <h2>{handOver.items}</h2>
        <HandLines lines={lines} shares={shares} checked={{}} onChange={setShares} />
      </section>
      {proxyDetails !== undefined && customer !== undefined && (
        <Choices
          label={deliver.received}
          value={deliveredTo}
          onInput={(value) => setDeliveredTo(value as 'CUSTOMER' | 'PROXY')}
          options={[
            { value: 'CUSTOMER', label: handOver.customer(customer.name) },
            { value: 'PROXY', label: handOver.proxy(proxyDetails.name) },
          ]}
        />
      )}
      <Choices
        label={handOver.method}
        value={method}
        onInput={setMethod}
        options={methods.map((value) => ({ value, label: word(handOver.methods, value) }))}
      />
      {isAway && (
        <AwayDialog
          order={order}
          onClose={() => setAway(false)}
          onDone={() => onDone({ order, deliveryId: '', goes: 0, refused: 0, who: '', method: '', isAway: true })}
        />
      )}
    </Screen>
  );
}

function AwayDialog({ order, onDone, onClose }: { order: Order; onDone: () => void; onClose: () => void }) {
  const { deliver, actions, counter } = t();
  const { nodeId } = place.value!;
  const { storeId, fulfillmentOrderId } = order;
  const id = useRef(newId());
  const action = useAction(async () => {
    await send(
      api.POST('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/deliver', {
        params: { path: { storeId, fulfillmentOrderId }, header: { 'Idempotency-Key': id.current } },
        body: { nodeId, modifyAssociateId: ownId(), notAtHome: true },
      }),
    );
    feedback('done');
    onDone();
  });
  return (
    <Dialog
      title={deliver.notHomeTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{actions.cancel}</Button>
          <Button
            look="main"
            isBusy={action.isBusy}
            blocked={online.value ? undefined : counter.needsNetwork}
            onClick={() => void action.run()}
          >
            {deliver.notHomeMain}
          </Button>
        </>
      }
    >
      <p>{deliver.notHomeHint}</p>
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </Dialog>
  );
}

function DoneScreen({ done, title }: { done: Done; title: string }) {
  const { deliver, handOver, counter } = t();
  const { order, deliveryId, isAway } = done;
  const charged = order.charged?.find((one) => one.handOverId === deliveryId);
  const cash = charged?.orderTotal.cashOnDelivery;
  const place_ = order.holdLocation ?? counter.noPlace;
  const [isPrinted, setPrinted] = useState<boolean | undefined>();
  return (
    <Screen
      title={title}
      isName
      sub={counter.order(order.fulfillmentOrderId)}
      onBack={() => go('/deliver')}
      tools={<SyncState />}
      actions={
        <>
          {charged !== undefined && (
            <Button
              icon={Printer}
              onClick={() =>
                void printReceipt(order, {
                  handOverId: deliveryId,
                  who: done.who,
                  ...(done.method !== '' && { method: done.method }),
                }).then(setPrinted)
              }
            >
              {handOver.receipt}
            </Button>
          )}
          <LinkButton look="main" to={href('/deliver')}>
            {deliver.next}
          </LinkButton>
        </>
      }
    >
      <section class={isAway ? 'counter-done risk' : 'counter-done'} role="status">
        <Icon of={isAway ? DoorClosed : CircleCheck} />
        <div class="stack tight">
          <h2 class="big">{isAway ? deliver.notHomeDone : done.goes > 0 ? deliver.done : handOver.doneRefused}</h2>
          {done.goes > 0 && <p>{handOver.doneUnits(done.goes, done.who)}</p>}
        </div>
      </section>
      {isAway && <Notice look="info" title={deliver.notHomeBring(place_)} />}
      {cash !== undefined && (
        <section class="card counter-cash">
          <span class="huge">{handOver.collected(money(cash, order.currency))}</span>
        </section>
      )}
      {done.refused > 0 && <Notice look="risk" title={handOver.doneRefusedUnits(done.refused, place_)} />}
      {isPrinted === false && <Notice look="risk" title={counter.cannotPrint} />}
    </Screen>
  );
}
