/** One order for the customer at the counter: where the goods lie, who is here, what goes out. Only the service's reply counts. */
import { CircleCheck, LockOpen, MapPin, Printer, Users } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { components } from '../../../contract/client.d.ts';
import { ApiError, api, newId, send } from '../../api.ts';
import { choices, readChoices } from '../../choices.ts';
import { now, online } from '../../preferences.ts';
import { go, href } from '../../router.ts';
import { isOneOf } from '../../scan/codes.ts';
import { feedback } from '../../scan/feedback.ts';
import { focusScanTarget, ScanTarget } from '../../scan/target.tsx';
import { may, place } from '../../session.ts';
import { money, t, time, word } from '../../texts/index.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Choices, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Show, useAction, useLoad } from '../../ui/load.tsx';
import { Band, ErrorNotice, type Look, Notice } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { readOrder } from '../../work/counter.ts';
import { useCommand } from '../../work/counter-lost.ts';
import { printHoldTickets, printReceipt } from '../../work/counter-print.ts';
import { allGoes, fitted, type HandLine, HandLines, type Shares, sumsOf } from '../../work/hand-lines.tsx';
import { MoveDialog } from '../../work/move-goods.tsx';
import { ownId } from '../../work/own-id.ts';
import { PrintButton } from '../../work/print-button.tsx';
import { SyncState } from '../../work/sync-state.tsx';
import { useScan } from '../../work/use-scan.ts';

type Pickup = components['schemas']['CustomerPickupReply']['customerPickUpDetails'];
type Order = components['schemas']['OrderDetails'];

/** A lock that somebody may end on another device is looked at so often. */
const LOOK_AGAIN_MS = 5_000;

interface Loaded {
  pickup: Pickup | undefined;
  order: Order;
}

export default function HandOverOrder({ params }: ScreenProps) {
  const storeId = params['storeId']!;
  const orderId = params['orderId']!;
  const { nodeId } = place.value!;
  const { handOver, counter } = t();
  const [done, setDone] = useState<Done | undefined>();
  const loaded = useLoad(
    `hand-over ${nodeId} ${storeId} ${orderId}`,
    async (signal): Promise<Loaded> => {
      await readChoices();
      const path = { storeId, nodeId, fulfillmentOrderId: orderId };
      const [pickup, order] = await Promise.all([
        send(
          api.POST('/stores/{storeId}/nodes/{nodeId}/customerPickUps/{fulfillmentOrderId}', {
            params: { path },
            body: path,
            signal,
          }),
        ).then(
          ({ customerPickUpDetails }) => customerPickUpDetails,
          (error: unknown) => {
            // Not ready, or already gone: the order itself says what it is.
            if (error instanceof ApiError && error.status === 409) return undefined;
            throw error;
          },
        ),
        readOrder(storeId, orderId, signal),
      ]);
      return { pickup, order };
    },
    LOOK_AGAIN_MS,
  );
  const known = loaded.data.value;
  const title = known?.pickup?.customer.name ?? known?.order.customer?.name ?? counter.order(orderId);
  const toList = () => go('/hand-over');
  if (done !== undefined && known !== undefined) {
    return <DoneScreen done={done} title={title} onRest={() => setDone(undefined)} reload={loaded.reload} />;
  }
  if (known?.pickup !== undefined && known.pickup.totalCustomerPickQuantity > 0) {
    return (
      <Ready
        key={orderId}
        pickup={known.pickup}
        order={known.order}
        reload={loaded.reload}
        onDone={setDone}
        isStale={loaded.error.value !== undefined}
      />
    );
  }
  return (
    <Screen title={title} isName sub={counter.order(orderId)} onBack={toList} tools={<SyncState />}>
      <Show of={loaded} lines={5}>
        {({ order }) => (
          <>
            <Empty
              title={handOver.endedBefore(word(t().states, order.status))}
              action={<Button onClick={toList}>{counter.openList}</Button>}
            >
              {order.endedDate !== undefined && handOver.at(time(order.endedDate))}
            </Empty>
            <Blocked order={order} />
          </>
        )}
      </Show>
    </Screen>
  );
}

/** What the service says why it cannot be handed over. */
function Blocked({ order }: { order: Order }) {
  const reason = order.allowedActions.find(({ action }) => action === 'handOver')?.reason;
  return reason === undefined ? null : <p class="quiet">{reason}</p>;
}

interface Done {
  handOverId: string;
  goes: number;
  refused: number;
  who: string;
  /** How the person was checked. */
  method: string;
  place: string;
  order: Order;
}

interface Said {
  look: Look;
  text: string;
}

function Ready({
  pickup,
  order,
  reload,
  onDone,
  isStale,
}: {
  pickup: Pickup;
  order: Order;
  reload: () => Promise<void>;
  onDone: (done: Done) => void;
  isStale: boolean;
}) {
  const { handOver, counter, units } = t();
  const { storeId, nodeId, fulfillmentOrderId, customer, proxyDetails, currency, orderTotal } = pickup;
  const lines = pickup.customerPickUpItems.map(lineOf);
  const [chosen, setShares] = useState<Shares>(() => allGoes(lines));
  const shares = fitted(lines, chosen);
  const [checked, setChecked] = useState<Readonly<Record<string, number>>>({});
  const [collectedBy, setCollectedBy] = useState<'CUSTOMER' | 'PROXY'>('CUSTOMER');
  const [pin, setPin] = useState('');
  const [method, setMethod] = useState(pickup.pinRequired ? 'PIN' : '');
  const [said, setSaid] = useState<Said | undefined>();
  const [isMoving, setMoving] = useState(false);
  const command = useCommand();
  // The id of this hand-over: the same for every try of the same content.
  const sent = useRef<{ id: string; body: string } | undefined>(undefined);
  const latest = useRef({ shares, checked });
  latest.current = { shares, checked };
  const lockedUntil = pickup.pinLockedUntil;
  const isLocked = lockedUntil !== undefined && Date.parse(lockedUntil) > now.value;
  useScan(({ text, command: spoken }) => {
    if (spoken !== undefined || isMoving) return false;
    if (isOneOf(text, [fulfillmentOrderId, pickup.omsOrderId, pickup.webOrderId])) return undefined;
    const { checked: seen, shares: now_ } = latest.current;
    const fitting = lines.filter(({ itemId, upcs }) => isOneOf(text, [itemId, ...upcs]));
    const line = fitting.find(({ webLineId }) => (seen[webLineId] ?? 0) < now_[webLineId]!.goes);
    if (line === undefined) {
      feedback('wrong');
      setSaid({
        look: 'wrong',
        text: fitting.length === 0 ? counter.notOfOrder(text) : counter.tooMany(fitting[0]!.name),
      });
      return undefined;
    }
    const next = { ...seen, [line.webLineId]: (seen[line.webLineId] ?? 0) + 1 };
    latest.current.checked = next;
    setChecked(next);
    const isAll = lines.every(({ webLineId }) => (next[webLineId] ?? 0) >= now_[webLineId]!.goes);
    feedback(isAll ? 'done' : 'right');
    setSaid({ look: 'right', text: isAll ? handOver.checkedAll : handOver.right(line.name) });
    return undefined;
  });
  const sums = sumsOf(shares);
  const isPinSaid = pin.trim() !== '';
  const blocked = blockOf();
  function blockOf(): string | undefined {
    if (!online.value || isStale) return handOver.notOffline;
    const action = pickup.allowedActions.find((one) => one.action === 'handOver');
    if (action?.allowed === false) return action.reason;
    if (isLocked) return handOver.locked(time(lockedUntil));
    if (sums.goes + sums.refused === 0) return handOver.blockedNothing;
    if (sums.lacksReason) return handOver.blockedReason;
    if (method === 'PIN' && !isPinSaid) return handOver.blockedPin;
    if (pickup.pinRequired && !isPinSaid) return handOver.blockedPin;
    if (sums.goes > 0 && method === '') return handOver.blockedMethod;
    return undefined;
  }
  const confirm = async () => {
    setSaid(undefined);
    const content = {
      modifyAssociateId: ownId(),
      customerPickUpDetails: {
        storeId,
        nodeId,
        fulfillmentOrderId,
        collectedBy,
        ...(method !== '' && { verificationMethod: method }),
        ...(isPinSaid && (method === 'PIN' || pickup.pinRequired) && { pinNumber: pin.trim() }),
        customerPickUpItems: pickup.customerPickUpItems
          .filter(({ webLineId }) => shares[webLineId]!.goes + shares[webLineId]!.refused > 0)
          .map(({ webLineId, itemId, backroomPickedQuantity }) => {
            const { goes, refused, reason } = shares[webLineId]!;
            return {
              webLineId,
              itemId,
              backroomPickedQuantity,
              customerPickedQuantity: goes,
              canceledQuantity: refused,
              ...(refused > 0 && { cancellationReasonCode: reason }),
            };
          }),
      },
    };
    const text = JSON.stringify(content);
    if (sent.current?.body !== text) sent.current = { id: newId(), body: text };
    const handOverId = sent.current.id;
    const { customerPickUpDetails } = content;
    let after: Order | undefined;
    const isDone = await command.run(
      () =>
        send(
          api.PUT('/stores/{storeId}/nodes/{nodeId}/customerPickUp/confirm', {
            params: { path: { storeId, nodeId } },
            body: { ...content, customerPickUpDetails: { ...customerPickUpDetails, handOverId } },
          }),
        ),
      async () => {
        after = await readOrder(storeId, fulfillmentOrderId);
        return isRecorded(after, handOverId, order, shares);
      },
    );
    if (isDone) {
      feedback('done');
      const who = collectedBy === 'PROXY' ? (proxyDetails?.name ?? '') : customer.name;
      after = await readOrder(storeId, fulfillmentOrderId).catch(() => after);
      sent.current = undefined;
      onDone({ handOverId, ...sums, who, method, place: pickup.holdLocation, order: after ?? order });
      return;
    }
    feedback('wrong');
    setPin('');
    void reload();
  };
  const { error } = command;
  const isWrongPin = error instanceof ApiError && error.code === 'WRONG_PIN';
  const triesLeft = isWrongPin ? Number(error.body['attemptsLeft']) : 0;
  const pinField = useRef<HTMLDivElement>(null);
  const failure = useRef<HTMLDivElement>(null);
  const toPin = () => {
    const field = pinField.current?.querySelector('input');
    field?.focus({ preventScroll: true });
    pinField.current?.scrollIntoView({ block: 'center' });
  };
  // By keyboard the arrows go on through the choices.
  const toPinByTap = () => {
    if (document.activeElement?.matches('[type="radio"]:focus-visible') !== true) toPin();
  };
  useEffect(() => {
    if (triesLeft > 0) toPin();
    else if (error !== undefined) failure.current?.scrollIntoView({ block: 'center' });
  }, [error]);
  const cash = orderTotal.cashOnDelivery;
  const isPart = lines.some(({ webLineId, open }) => shares[webLineId]!.goes < open);
  const methods = (choices.value?.verificationMethods ?? []).filter(
    (one) => one !== 'PIN' || pickup.pinRequired || pickup.pinNumber !== undefined,
  );
  return (
    <Screen
      title={customer.name}
      isName
      sub={`${units.units(pickup.totalCustomerPickQuantity)} · ${counter.order(fulfillmentOrderId)}`}
      onBack={() => go('/hand-over')}
      tools={<SyncState />}
      below={said !== undefined && <Band look={said.look}>{said.text}</Band>}
      actions={
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
              ? handOver.main(sums.goes)
              : handOver.mainRefuse(sums.refused)}
        </Button>
      }
    >
      {!online.value && (
        <Notice look="risk" title={handOver.notOffline}>
          <p>{handOver.notOfflineHint}</p>
        </Notice>
      )}
      <section class="counter-lies">
        <span class="counter-lies-icon">
          <Icon of={MapPin} />
        </span>
        <span class="grow">
          <span class="quiet">{counter.lies}</span>
          <span class="huge code">{pickup.holdLocation}</span>
        </span>
        <Button onClick={() => setMoving(true)}>{counter.move}</Button>
      </section>
      <ScanTarget />
      <LostNotice lost={command.lost} />
      <div ref={failure}>
        {error !== undefined &&
          !isWrongPin &&
          !(isLocked && error instanceof ApiError && error.code === 'PIN_LOCKED') && <ErrorNotice error={error} />}
      </div>
      {isLocked && <Locked until={lockedUntil} pickup={pickup} reload={reload} onUnlocked={command.clear} />}
      {cash !== undefined && (
        <section class="card counter-cash">
          <span class="quiet">{handOver.collect}</span>
          <span class="big">{money(cash, currency)}</span>
          {isPart && <span class="small">{handOver.collectPart}</span>}
        </section>
      )}
      <section class="stack tight">
        <h2>{handOver.items}</h2>
        <HandLines
          lines={lines}
          shares={shares}
          checked={checked}
          onChange={(next) => {
            setShares(next);
            setTimeout(focusScanTarget);
          }}
        />
      </section>
      {proxyDetails === undefined ? (
        <p class="counter-hint">
          <Icon of={Users} />
          <span>{handOver.noProxy}</span>
        </p>
      ) : (
        <Choices
          label={handOver.who}
          value={collectedBy}
          onInput={(value) => setCollectedBy(value as 'CUSTOMER' | 'PROXY')}
          options={[
            { value: 'CUSTOMER', label: handOver.customer(customer.name) },
            { value: 'PROXY', label: handOver.proxy(proxyDetails.name) },
          ]}
        />
      )}
      <Choices
        label={handOver.method}
        value={method}
        onInput={(value) => {
          setMethod(value);
          if (value === 'PIN') setTimeout(toPinByTap);
        }}
        options={methods.map((value) => ({ value, label: word(handOver.methods, value) }))}
      />
      {(method === 'PIN' || pickup.pinRequired) && (
        <div ref={pinField} class="hand-pin">
          <TextField
            label={handOver.pinTitle}
            hint={triesLeft > 0 ? handOver.wrongPinHint : handOver.pinAsk}
            value={pin}
            onInput={setPin}
            onEnter={() => blocked === undefined && !command.isBusy && void confirm()}
            inputMode="numeric"
            maxLength={20}
            name="pin"
            error={
              triesLeft > 0
                ? handOver.wrongPin(triesLeft)
                : error instanceof ApiError && !isWrongPin
                  ? error.of('pinNumber')
                  : undefined
            }
          />
        </div>
      )}
      {pickup.pinRequired && <p class="quiet">{handOver.methodHint}</p>}
      <PrintButton isWide print={() => printHoldTickets([order])}>
        {counter.papers.holdTicket}
      </PrintButton>
      {isMoving && (
        <MoveDialog
          order={{ storeId, fulfillmentOrderId }}
          from={pickup.holdLocation}
          onClose={() => setMoving(false)}
          onMoved={(to) => {
            setMoving(false);
            setSaid({ look: 'right', text: counter.moved(to) });
            void reload();
          }}
        />
      )}
    </Screen>
  );
}

export function LostNotice({ lost }: { lost: 'asking' | 'notDone' | undefined }) {
  const { counter } = t();
  if (lost === undefined) return null;
  return lost === 'asking' ? (
    <Notice look="risk" title={counter.lost}>
      <p>{counter.lostHint}</p>
      <p aria-busy="true">{counter.lostAsking} …</p>
    </Notice>
  ) : (
    <Notice look="risk" title={counter.notDone}>
      <p>{counter.notDoneHint}</p>
    </Notice>
  );
}

function lineOf(one: Pickup['customerPickUpItems'][number]): HandLine {
  return {
    webLineId: one.webLineId,
    itemId: one.itemId,
    name: one.itemDesc,
    upcs: one.upcs.map(({ value }) => value),
    open: one.toPickQuantity,
    before: one.handedOverQuantity,
    instructions: one.instructions,
    components: one.components,
  };
}

/** Whether the order shows this hand-over: its charges by id, and where nothing was charged the refused units. */
function isRecorded(after: Order, handOverId: string, before: Order, shares: Shares): boolean {
  if (after.charged?.some((one) => one.handOverId === handOverId) === true) return true;
  if (Object.values(shares).some(({ goes }) => goes > 0)) return false;
  const was = new Map(before.lines.map((line) => [line.webLineId, line.refusedQuantity]));
  return after.lines.every(
    ({ webLineId, refusedQuantity }) =>
      refusedQuantity >= (was.get(webLineId) ?? 0) + (shares[webLineId]?.refused ?? 0),
  );
}

function Locked({
  until,
  pickup,
  reload,
  onUnlocked,
}: {
  until: string;
  pickup: Pickup;
  reload: () => Promise<void>;
  onUnlocked: () => void;
}) {
  const { handOver } = t();
  const { storeId, fulfillmentOrderId, nodeId } = pickup;
  const unlock = useAction(async () => {
    const path = '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/pin/unlock';
    await send(
      api.POST(path, {
        params: { path: { storeId, fulfillmentOrderId } },
        body: { nodeId, modifyAssociateId: ownId() },
      }),
    );
    onUnlocked();
    await reload();
  });
  return (
    <Notice look="wrong" title={handOver.locked(time(until))}>
      {may('supervise') ? (
        <>
          <div>
            <Button icon={LockOpen} isBusy={unlock.isBusy} onClick={() => void unlock.run()}>
              {handOver.unlock}
            </Button>
          </div>
          {unlock.error !== undefined && <ErrorNotice error={unlock.error} />}
        </>
      ) : (
        <p>{handOver.lockedHint}</p>
      )}
    </Notice>
  );
}

function DoneScreen({
  done,
  title,
  onRest,
  reload,
}: {
  done: Done;
  title: string;
  onRest: () => void;
  reload: () => Promise<void>;
}) {
  const { handOver, counter } = t();
  const { order, handOverId } = done;
  const charged = order.charged?.find((one) => one.handOverId === handOverId);
  const cash = charged?.orderTotal.cashOnDelivery;
  const rest = order.lines.reduce((sum, { leftQuantity }) => sum + leftQuantity, 0);
  const [isPrinted, setPrinted] = useState<boolean | undefined>();
  return (
    <Screen
      title={title}
      isName
      sub={counter.order(order.fulfillmentOrderId)}
      onBack={() => go('/hand-over')}
      tools={<SyncState />}
      actions={
        <>
          {charged !== undefined && (
            <Button
              icon={Printer}
              onClick={() =>
                void printReceipt(order, {
                  handOverId,
                  who: done.who,
                  ...(done.method !== '' && { method: done.method }),
                }).then(setPrinted)
              }
            >
              {handOver.receipt}
            </Button>
          )}
          <LinkButton look="main" to={href('/hand-over')}>
            {handOver.next}
          </LinkButton>
        </>
      }
    >
      <section class="counter-done" role="status">
        <Icon of={CircleCheck} />
        <div class="stack tight">
          <h2 class="big">{done.goes > 0 ? handOver.done : handOver.doneRefused}</h2>
          {done.goes > 0 && <p>{handOver.doneUnits(done.goes, done.who)}</p>}
        </div>
      </section>
      {cash !== undefined && (
        <section class="card counter-cash">
          <span class="huge">{handOver.collected(money(cash, order.currency))}</span>
        </section>
      )}
      {done.refused > 0 && <Notice look="risk" title={handOver.doneRefusedUnits(done.refused, done.place)} />}
      {rest > 0 && (
        <Notice look="info" title={handOver.doneRest(rest, done.place)}>
          <div>
            <Button
              onClick={() => {
                void reload().then(onRest);
              }}
            >
              {handOver.rest}
            </Button>
          </div>
        </Notice>
      )}
      {isPrinted === false && <Notice look="risk" title={counter.cannotPrint} />}
      {isPrinted === true && <Notice look="right" title={counter.printed} />}
    </Screen>
  );
}
