/** The counter: the customer, the proof of identity, and the goods to hand over. */
import { LockOpen, Users } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, api, send } from '../../api.ts';
import { focusScanTarget } from '../../scan/target.tsx';
import { may } from '../../session.ts';
import { t, time } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { useAction } from '../../ui/load.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import type { QueuedOrder } from '../../work/counter.ts';
import { Cash, Methods, Persons } from '../../work/given-screen.tsx';
import { type Given, methodsFor, useGiving } from '../../work/giving.ts';
import { HandLines } from '../../work/hand-lines.tsx';
import { useItemWords } from '../../work/item-words.ts';
import { OrderId } from '../../work/order-id.tsx';
import { notesOf, OrderNotes } from '../../work/order-notes.tsx';
import { ownId } from '../../work/own-id.ts';
import { PrintButton } from '../../work/print-button.tsx';
import { useSaid } from '../../work/said.tsx';
import { type JobHead, WorkScreen } from '../../work/work-screen.tsx';
import {
  askedProof,
  blockOf,
  hasPin,
  lineOf,
  lockedUntil,
  mainOf,
  type Order,
  type Pickup,
  handOver as record,
  triesLeft,
  useChecked,
} from './hand-over-job.ts';
import { MoreOrders, useMoreOrders } from './more-orders.tsx';
import type { HandOverProof } from './proof-picture.ts';

const MoveDialog = lazy(async () => (await import('../../work/move-goods.tsx')).MoveDialog);
// Few clients require a proof, so the field loads on demand.
const ProofField = lazy(async () => (await import('./proof-field.tsx')).default);

/** A recorded hand-over, with the place of the goods and the same person's other orders that wait here. */
export type HandedOver = Given & { place: string; more: readonly QueuedOrder[] };

interface CounterProps {
  head: JobHead;
  pickup: Pickup;
  order: Order;
  reload: () => Promise<void>;
  isStale: boolean;
  onGiven: (given: HandedOver) => void;
}

export function Counter({ head, pickup, order, reload, isStale, onGiven }: CounterProps) {
  const { handOver, counter, units } = t();
  const { holdLocation, fulfillmentOrderId, storeId } = pickup;
  const lines = pickup.customerPickUpItems.map((one) => lineOf(one, order));
  const giving = useGiving(lines, order, pickup.pinRequired && methodsFor(true).includes('PIN') ? 'PIN' : '');
  const said = useSaid();
  const { checked, onCode } = useChecked(pickup, lines, giving.shares, said);
  const pictures = useItemWords(
    storeId,
    lines.map(({ itemId }) => itemId),
  );
  const { pin, setPin, proof, setProof, hand } = useHanding(pickup, giving);
  const asked = askedProof(giving);
  const person = giving.person === 'PROXY' ? pickup.proxyDetails : pickup.customer;
  const more = useMoreOrders(person, order);
  const [isMoving, setMoving] = useState(false);
  const { command } = giving;
  const locked = lockedUntil(pickup);
  const blocked = blockOf(pickup, giving, { pin, proof }, isStale);
  const moved = (to: string) => {
    setMoving(false);
    said.say({ look: 'right', title: counter.moved(to) });
    void reload();
  };
  const give = async () => {
    said.say(undefined);
    const given = await hand();
    if (given === undefined) void reload();
    else onGiven({ ...given, place: holdLocation, more });
  };
  return (
    <WorkScreen
      job={{
        ...head,
        sub: <OrderId id={fulfillmentOrderId}>{units.units(pickup.totalCustomerPickQuantity)}</OrderId>,
        scanLabel: handOver.scanLabel,
        onCode: (scan) => (isMoving ? false : onCode(scan)),
        said: said.said,
        needsNetwork: { title: handOver.notOffline, hint: handOver.notOfflineHint },
        lost: command.lost,
        lies: { place: holdLocation, more: <Button onClick={() => setMoving(true)}>{counter.move}</Button> },
        main: mainOf(giving, blocked, give),
      }}
    >
      <OrderNotes notes={notesOf(order)} />
      <Failure error={command.error} isLocked={locked !== undefined} />
      {locked !== undefined && <Locked until={locked} pickup={pickup} reload={reload} onUnlocked={command.clear} />}
      <MoreOrders of={more} who={person?.name ?? ''} />
      <Cash giving={giving} amount={pickup.orderTotal.cashOnDelivery} currency={pickup.currency} />
      <section class="stack tight">
        <h2>{handOver.items}</h2>
        <HandLines
          lines={lines}
          shares={giving.shares}
          checked={checked}
          pictures={pictures}
          onChange={(next) => {
            giving.setShares(next);
            setTimeout(focusScanTarget);
          }}
        />
      </section>
      <Proof
        pickup={pickup}
        giving={giving}
        pin={pin}
        onPin={setPin}
        onEnter={() => blocked === undefined && !command.isBusy && void give()}
      />
      {asked !== undefined && <ProofField key={giving.person} asked={asked} proof={proof} onProof={setProof} />}
      <PrintButton isWide print={async () => (await import('../../work/counter-print.ts')).printHoldTickets([order])}>
        {counter.papers.holdTicket}
      </PrintButton>
      {isMoving && <MoveDialog order={pickup} from={holdLocation} onClose={() => setMoving(false)} onMoved={moved} />}
    </WorkScreen>
  );
}

/**
 * Manages the customer's proof of identity and the hand-over. After a failed hand-over, the PIN must be typed again.
 */
function useHanding(pickup: Pickup, giving: ReturnType<typeof useGiving>) {
  const [pin, setPin] = useState('');
  const [proof, setProof] = useState<HandOverProof | undefined>();
  const hand = async () => {
    const given = await record(pickup, giving, { pin, proof });
    if (given === undefined) setPin('');
    return given;
  };
  return { pin, setPin, proof, setProof, hand };
}

/** Scrolls to the error and shows it. Other parts of the screen show a wrong PIN and a locked PIN. */
function Failure({ error, isLocked }: { error: unknown; isLocked: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const isAtPin = triesLeft(error) > 0 || (error instanceof ApiError && error.code === 'WRONG_PIN');
  useEffect(() => {
    if (error !== undefined && !isAtPin) box.current?.scrollIntoView({ block: 'center' });
  }, [error]);
  const isKnown = isAtPin || (isLocked && error instanceof ApiError && error.code === 'PIN_LOCKED');
  return <div ref={box}>{error !== undefined && !isKnown && <ErrorNotice error={error} />}</div>;
}

interface ProofProps {
  pickup: Pickup;
  giving: ReturnType<typeof useGiving>;
  pin: string;
  onPin: (pin: string) => void;
  onEnter: () => void;
}

/** The recipient and the proof of identity. */
function Proof({ pickup, giving, pin, onPin, onEnter }: ProofProps) {
  const { handOver } = t();
  const { method, command } = giving;
  const { error } = command;
  const field = useRef<HTMLDivElement>(null);
  const tries = triesLeft(error);
  const toPin = () => {
    field.current?.querySelector('input')?.focus({ preventScroll: true });
    field.current?.scrollIntoView({ block: 'center' });
  };
  useEffect(() => {
    if (tries > 0) toPin();
  }, [error]);
  return (
    <>
      {pickup.proxyDetails === undefined && (
        <p class="counter-hint">
          <Icon of={Users} />
          <span>{handOver.noProxy}</span>
        </p>
      )}
      <Persons giving={giving} label={handOver.who} customer={pickup.customer.name} proxy={pickup.proxyDetails?.name} />
      <Methods
        giving={giving}
        hasPin={hasPin(pickup)}
        onPin={() =>
          setTimeout(() => {
            // Arrow keys move through the choices, so the focus must remain on the chosen method.
            if (document.activeElement?.matches('[type="radio"]:focus-visible') !== true) toPin();
          })
        }
      />
      {method === 'ORDER_EMAIL' && pickup.customer.email !== '' && <OrderEmail email={pickup.customer.email} />}
      {(method === 'PIN' || pickup.pinRequired) && (
        <div ref={field} class="hand-pin">
          <TextField
            label={handOver.pinTitle}
            hint={tries > 0 ? handOver.wrongPinHint : handOver.pinAsk}
            value={pin}
            onInput={onPin}
            onEnter={onEnter}
            inputMode="numeric"
            maxLength={20}
            name="pin"
            error={tries > 0 ? handOver.wrongPin(tries) : error instanceof ApiError ? error.of('pinNumber') : undefined}
          />
        </div>
      )}
      {pickup.pinRequired && <p class="quiet">{handOver.methodHint}</p>}
    </>
  );
}

/** The e-mail address to compare. It is below the choices, so it scrolls into view when it appears. */
function OrderEmail({ email }: { email: string }) {
  const box = useRef<HTMLParagraphElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: 'center' }), []);
  return (
    <p ref={box}>
      {t().handOver.orderEmail}: <span class="strong">{email}</span>
    </p>
  );
}

function Locked({
  until,
  pickup: { storeId, fulfillmentOrderId, nodeId },
  reload,
  onUnlocked,
}: {
  until: string;
  pickup: Pickup;
  reload: () => Promise<void>;
  onUnlocked: () => void;
}) {
  const { handOver } = t();
  const box = useRef<HTMLDivElement>(null);
  // Scrolls to this notice. The user may have scrolled down to the PIN field, and would see only the blocked button
  // there.
  useEffect(() => box.current?.scrollIntoView({ block: 'center' }), []);
  const unlock = useAction(async () => {
    await send(
      api.POST('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/pin/unlock', {
        params: { path: { storeId, fulfillmentOrderId } },
        body: { nodeId, modifyAssociateId: ownId() },
      }),
    );
    onUnlocked();
    await reload();
  });
  return (
    <div ref={box}>
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
    </div>
  );
}
