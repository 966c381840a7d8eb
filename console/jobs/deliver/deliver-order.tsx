/**
 * One order at its customer's door: the receiving person, rejected units, the amount to collect, or the note that no
 * one was at home.
 */
import { CircleCheck, DoorClosed, MapPin, Phone } from 'lucide';
import { useState } from 'preact/hooks';
import type { components } from '../../../contract/client.d.ts';
import { api, send } from '../../api.ts';
import { readChoices, useChoices } from '../../choices.ts';
import { outbox } from '../../offline/index.ts';
import { now, online } from '../../preferences.ts';
import { go, href } from '../../router.ts';
import { place } from '../../session.ts';
import { t, word } from '../../texts/index.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Empty, useLoad } from '../../ui/load.tsx';
import { Due, Notice } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { addressOf } from '../../work/address.ts';
import { Blocked } from '../../work/blocked.ts';
import { readOrder } from '../../work/counter.ts';
import { Cash, GivenScreen, Methods, Persons } from '../../work/given-screen.tsx';
import { type Given, type Giving, useGiving } from '../../work/giving.ts';
import { type HandLine, HandLines } from '../../work/hand-lines.tsx';
import { useItemWords } from '../../work/item-words.ts';
import { OrderId } from '../../work/order-id.tsx';
import { notesOf, OrderNotes } from '../../work/order-notes.tsx';
import { ownId } from '../../work/own-id.ts';
import { PrintButton } from '../../work/print-button.tsx';
import { type JobHead, JobLoading, WorkScreen } from '../../work/work-screen.tsx';

// The dialog needs the network, so it loads on demand.
const AwayDialog = lazy(async () => (await import('./away.tsx')).AwayDialog);

type Order = components['schemas']['OrderDetails'];
type Done = Given & { place: string; isAway: boolean };

export default function DeliverOrder({ params }: ScreenProps) {
  const storeId = params['storeId']!;
  const orderId = params['orderId']!;
  const { counter, deliver } = t();
  const [done, setDone] = useState<Done | undefined>();
  useChoices();
  const loaded = useLoad(`deliver ${storeId} ${orderId}`, async () => {
    await readChoices();
    // The address is needed even without the network, so the screen shows the order as it was last read.
    return outbox.snapshot.cached(`order ${storeId} ${orderId}`, () => readOrder(storeId, orderId));
  });
  const known = loaded.data.value;
  const head = {
    title: known?.body.customer?.name ?? counter.order(orderId),
    isName: true,
    sub: <OrderId id={orderId} />,
    onBack: () => go('/deliver'),
  };
  if (done !== undefined) {
    return (
      <GivenScreen
        head={head}
        given={done}
        next={{ path: '/deliver', label: deliver.next }}
        icon={done.isAway ? DoorClosed : CircleCheck}
        isRisk={done.isAway}
        // If the customer was not at home, all goods go back to the store, so the screen offers no delivery of the
        // rest.
        {...(!done.isAway && { onRest: () => void loaded.reload().then(() => setDone(undefined)), restTexts: deliver })}
        {...(done.isAway ? { title: deliver.notHomeDone } : done.goes > 0 && { title: deliver.done })}
      >
        {done.isAway && <Notice look="info" title={deliver.notHomeBring(done.place)} />}
      </GivenScreen>
    );
  }
  if (known?.body.status === '1500') {
    const { body: order, isStale, at } = known;
    return (
      <Door head={head} order={order} staleAt={isStale ? at : undefined} reload={loaded.reload} onDone={setDone} />
    );
  }
  return (
    <JobLoading
      head={head}
      of={loaded}
      ended={({ body }) => (
        <Empty
          title={counter.wrongState(word(t().states, body.status))}
          action={
            <>
              <Blocked of={body} action="deliver" />
              <LinkButton to={href('/deliver')}>{counter.openList}</LinkButton>
            </>
          }
        />
      )}
    />
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
    canceled: line.cancelingQuantity,
    instructions: line.instructions,
    components: line.components,
  };
}

interface DoorProps {
  head: JobHead;
  order: Order;
  /** Time of the last read. Set only if the service could not be reached. */
  staleAt: number | undefined;
  reload: () => Promise<void>;
  onDone: (done: Done) => void;
}

/** The outcome of a delivery to a customer who was not at home. */
const NOTHING_GIVEN = { id: '', goes: 0, refused: 0, refusedLines: [], who: '', method: '', rest: 0 };

function Door({ head, order, staleAt, reload, onDone }: DoorProps) {
  const { deliver, handOver, counter, units } = t();
  const { storeId, fulfillmentOrderId, customer, proxyDetails } = order;
  const lines = order.lines.map(lineOf);
  const giving = useGiving(lines, order);
  const pictures = useItemWords(
    storeId,
    lines.map(({ itemId }) => itemId),
  );
  const [isAway, setAway] = useState(false);
  const { sums, command } = giving;
  const at = order.holdLocation ?? counter.noPlace;
  // The address can change until the delivery. Without the network, the sheet shows the same order as the screen.
  const sheet = async () => {
    const { printDeliverySheet } = await import('../../work/counter-print.ts');
    return printDeliverySheet(online.value ? await readOrder(storeId, fulfillmentOrderId) : order);
  };
  const confirm = async () => {
    const given = await record(order, giving);
    if (given === undefined) void reload();
    else onDone({ ...given, place: at, isAway: false });
  };
  const label = sums.goes > 0 ? deliver.main(sums.goes) : deliver.mainRefuse(sums.refused);
  return (
    <WorkScreen
      job={{
        ...head,
        sub: <OrderId id={fulfillmentOrderId}>{units.units(sums.goes + sums.refused)}</OrderId>,
        onCode: () => false,
        said: undefined,
        needsNetwork: { title: deliver.needsNetwork, hint: deliver.needsNetworkHint },
        asOf: staleAt,
        lost: command.lost,
        error: command.error,
        others: (
          <Button icon={DoorClosed} onClick={() => setAway(true)}>
            {deliver.notHome}
          </Button>
        ),
        main: {
          label: command.isBusy ? handOver.sending : label,
          icon: CircleCheck,
          isBusy: command.isBusy,
          blocked: blockOf(giving, staleAt !== undefined),
          run: confirm,
        },
      }}
    >
      <OrderNotes notes={notesOf(order)} />
      <Address order={order} />
      <div class="split">
        <Due at={order.slaDate?.value} nowMs={now.value} />
        <PrintButton print={sheet}>{counter.papers.deliverySheet}</PrintButton>
      </div>
      <Cash giving={giving} amount={order.orderTotal.cashOnDelivery} currency={order.currency} />
      <section class="stack tight">
        <h2>{handOver.items}</h2>
        <HandLines lines={lines} shares={giving.shares} checked={{}} pictures={pictures} onChange={giving.setShares} />
      </section>
      <Persons giving={giving} label={deliver.received} customer={customer?.name ?? ''} proxy={proxyDetails?.name} />
      <Methods giving={giving} hasPin={false} />
      {isAway && (
        <AwayDialog
          order={order}
          onClose={() => setAway(false)}
          onDone={() => onDone({ ...NOTHING_GIVEN, order, place: at, isAway: true })}
        />
      )}
    </WorkScreen>
  );
}

function blockOf({ sums }: Giving, isStale: boolean): string | undefined {
  const { deliver, handOver } = t();
  if (!online.value || isStale) return deliver.needsNetwork;
  if (sums.goes + sums.refused === 0) return handOver.blockedNothing;
  return sums.lacksReason ? handOver.blockedReason : undefined;
}

/** Records the delivery. */
function record({ storeId, fulfillmentOrderId }: Order, { going, shares, person, method, give }: Giving) {
  const content = {
    nodeId: place.peek()!.nodeId,
    modifyAssociateId: ownId(),
    deliveredTo: person,
    ...(method !== '' && { verificationMethod: method }),
    lines: going.map(({ webLineId }) => {
      const { goes, refused, reason } = shares[webLineId]!;
      return {
        webLineId,
        deliveredQuantity: goes,
        canceledQuantity: refused,
        ...(refused > 0 && { cancellationReasonCode: reason }),
      };
    }),
  };
  return give(content, (deliveryId) =>
    send(
      api.POST('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/deliver', {
        params: { path: { storeId, fulfillmentOrderId } },
        body: { ...content, deliveryId },
      }),
    ),
  );
}

function Address({ order }: { order: Order }) {
  const address = addressOf(order);
  if (address === undefined) return null;
  return (
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
          <span>{t().deliver.call}</span>
        </a>
      )}
    </section>
  );
}
