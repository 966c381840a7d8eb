/**
 * The result of a hand-over or delivery: the recipient, the cash on delivery, the remaining units. This file also has
 * the parts that the forms of the counter and of the delivery share.
 */
import { CircleCheck, type IconNode, Printer } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { choices } from '../choices.ts';
import { href } from '../router.ts';
import { money, t, word } from '../texts/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Choices } from '../ui/field.tsx';
import { lazy } from '../ui/lazy.tsx';
import { useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { readOrder } from './counter.ts';
import { type Given, type Giving, methodsFor, type Person } from './giving.ts';
import { JobDone, type JobHead } from './work-screen.tsx';

// Few customers reject units, so the list of rejected units loads on demand.
const ToShelf = lazy(async () => (await import('./shelves.tsx')).default);

type Order = Given['order'];

/** Interval of the reads while the amount to collect is not known. */
const CASH_MS = 5_000;

interface GivenProps {
  head: JobHead;
  given: Given & { place: string };
  next: { path: string; label: string };
  /** A further action besides `next`. */
  other?: { path: string; label: string };
  /** Title of the screen. Default: the result of the hand-over. */
  title?: string;
  icon?: IconNode;
  isRisk?: boolean;
  /** Continues with the units that remain for later. */
  onRest?: () => void;
  /** Texts about the remaining units. Default: the texts of the counter, where these units stay in their place. */
  restTexts?: { doneRest: (n: number, place: string) => string; rest: string };
  children?: ComponentChildren;
}

export function GivenScreen({
  head,
  given,
  next,
  other,
  title,
  icon = CircleCheck,
  isRisk = false,
  onRest,
  restTexts = t().handOver,
  children,
}: GivenProps) {
  const { handOver, counter } = t();
  const { id, goes, refused, refusedLines, who, method, place } = given;
  // If the read after the hand-over failed, `given.order` has the state before the hand-over.
  const [read, setRead] = useState<Order | undefined>();
  const order = read ?? given.order;
  const charged = order.charged?.find((one) => one.handOverId === id);
  const cash = charged?.orderTotal.cashOnDelivery;
  const isCashUnknown = goes > 0 && charged === undefined && order.orderTotal.cashOnDelivery !== undefined;
  const rest = onRest === undefined ? 0 : given.rest;
  // A node that keeps stock books rejected units as held, and only leads can move them.
  const isHeld = choices.value?.stock === 'KEPT';
  const putAway = isHeld ? handOver.heldRefusedUnits : handOver.doneRefusedUnits;
  const [isPrinted, setPrinted] = useState<boolean | undefined>();
  // The papers load when they are printed, because most customers want no receipt.
  const print = useAction(async () => {
    const { printReceipt } = await import('./counter-print.ts');
    const now = charged === undefined ? await readOrder(order.storeId, order.fulfillmentOrderId) : order;
    setPrinted(await printReceipt(now, receipt));
  });
  const receipt = { handOverId: id, who, ...(method !== '' && { method }) };
  return (
    <JobDone
      head={head}
      icon={icon}
      isRisk={isRisk}
      title={goes > 0 || title !== undefined ? (title ?? handOver.done) : handOver.doneRefused}
      hint={goes > 0 && handOver.doneUnits(goes, who)}
      actions={
        <>
          {goes > 0 && (
            <Button icon={Printer} isBusy={print.isBusy} onClick={() => void print.run()}>
              {handOver.receipt}
            </Button>
          )}
          {other !== undefined && <LinkButton to={href(other.path)}>{other.label}</LinkButton>}
          <LinkButton look="main" to={href(next.path)}>
            {next.label}
          </LinkButton>
        </>
      }
    >
      {children}
      {cash !== undefined && (
        <section class="card counter-cash">
          <span class="huge">{handOver.collected(money(cash, order.currency))}</span>
        </section>
      )}
      {isCashUnknown && <CashUnknown of={order} onRead={setRead} />}
      {refused > 0 && (
        <>
          <Notice look="risk" title={putAway(refused)} />
          <ToShelf lines={refusedLines} isHeld={isHeld} />
        </>
      )}
      {rest > 0 && (
        <Notice look="info" title={restTexts.doneRest(rest, place)}>
          <div>
            <Button onClick={onRest}>{restTexts.rest}</Button>
          </div>
        </Notice>
      )}
      {print.error !== undefined && <ErrorNotice error={print.error} />}
      {isPrinted === false && <Notice look="risk" title={counter.cannotPrint} isAlert />}
      {isPrinted === true && <Notice look="right" title={counter.printed} />}
    </JobDone>
  );
}

/** Reads the order until it shows the cash that the hand-over charged. */
function CashUnknown({ of, onRead }: { of: Order; onRead: (order: Order) => void }) {
  const { storeId, fulfillmentOrderId, orderTotal, currency } = of;
  useLoad(`cash ${fulfillmentOrderId}`, async () => onRead(await readOrder(storeId, fulfillmentOrderId)), CASH_MS);
  return <Notice look="risk" title={t().handOver.cashUnknown(money(orderTotal.cashOnDelivery!, currency))} isAlert />;
}

/** Shows the amount to collect in cash. */
export function Cash({
  giving,
  amount,
  currency,
}: {
  giving: Giving;
  amount: string | number | undefined;
  currency: string;
}) {
  const { handOver } = t();
  if (amount === undefined) return null;
  return (
    <section class="card counter-cash">
      <span class="quiet">{handOver.collect}</span>
      <span class="big">{money(amount, currency)}</span>
      {giving.isPart && <span class="small">{handOver.collectPart}</span>}
    </section>
  );
}

/** Asks for the recipient: the customer, or the person whom the customer named. */
export function Persons({
  giving,
  label,
  customer,
  proxy,
}: {
  giving: Giving;
  label: string;
  customer: string;
  proxy: string | undefined;
}) {
  const { handOver } = t();
  if (proxy === undefined) return null;
  return (
    <Choices
      label={label}
      value={giving.person}
      onInput={(value) => giving.setPerson(value as Person)}
      options={[
        { value: 'CUSTOMER', label: handOver.customer(customer) },
        { value: 'PROXY', label: handOver.proxy(proxy) },
      ]}
    />
  );
}

/**
 * Asks for the proof of identity. Only the PIN is preset, and only if the order requires it, because users would leave
 * any other preset method unchanged.
 */
export function Methods({ giving, hasPin, onPin }: { giving: Giving; hasPin: boolean; onPin?: () => void }) {
  const { handOver } = t();
  const offered = methodsFor(hasPin);
  if (offered.length === 0) return null;
  return (
    <Choices
      label={handOver.method}
      value={giving.method}
      onInput={(value) => {
        giving.setMethod(value);
        if (value === 'PIN') onPin?.();
      }}
      options={offered.map((value) => ({ value, label: word(handOver.methods, value) }))}
    />
  );
}
