/** One order of the exceptions: its customer, its kind and its delay, with the actions of the lead in the row. */
import { Ban, CirclePlay, LockOpen, Phone, UserRoundCheck } from 'lucide';
import type { ComponentChildren } from 'preact';
import { api, send } from '../api.ts';
import { now } from '../preferences.ts';
import { at, go, href } from '../router.ts';
import { may, place, session } from '../session.ts';
import { leadTexts, t } from '../texts/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { useAction } from '../ui/load.tsx';
import { Due, ErrorNotice } from '../ui/notice.tsx';
import type { Gift } from '../work/give-to.tsx';
import { generateFor, takeOver } from '../work/give-work.ts';
import { isBeforePick } from '../work/order-steps.ts';
import { type Exception, type Group, stepOf } from './exception-orders.ts';

interface RowProps {
  group: Group;
  order: Exception;
  /** Loads the list again, and shows `said`, a text about the action, because the row disappears. */
  onDone: (said?: string) => void;
  onDecline: () => void;
  onGive: (gift: Gift) => void;
  /** True if the order is marked for an action on several orders. Without `onToggle`, the row has no checkbox. */
  isChosen?: boolean;
  onToggle?: (fulfillmentOrderId: string) => void;
}

export function OrderRow({ group, order, isChosen, onToggle, ...on }: RowProps) {
  const { storeId, fulfillmentOrderId, customer, holdLocation, items, lines, userName, userId } = order;
  const { units } = t();
  const [first] = items;
  const who = stepOf(order) === 'IN_WORK' ? (userName ?? userId) : undefined;
  return (
    <div class="row exception">
      {onToggle && (
        <input
          type="checkbox"
          class="tick"
          aria-label={`${customer.name} ${fulfillmentOrderId}`}
          checked={isChosen === true}
          onChange={() => onToggle(fulfillmentOrderId)}
        />
      )}
      <a class="grow plain-link" href={href(at('office', 'orders', storeId, fulfillmentOrderId))}>
        <span class="strong">{customer.name}</span> <span class="quiet small">{units.units(order.units)}</span>
        <br />
        <span class="small">
          {first?.itemDesc}
          {lines > 1 && ` · ${units.lines(lines)}`}
        </span>
        <br />
        <span class="code quiet small">{fulfillmentOrderId}</span>
        {who !== undefined && <span class="small"> · {who}</span>}
      </a>
      {holdLocation !== undefined && <span class="big code">{holdLocation}</span>}
      <Due at={order.slaDate?.value} nowMs={now.value} isStart={isBeforePick(order.status)} />
      <div class="inline exception-actions">
        <Actions group={group === 'SOON' ? stepOf(order) : group} order={order} {...on} />
      </div>
    </div>
  );
}

interface ActionsProps extends Pick<RowProps, 'order' | 'onDone' | 'onDecline' | 'onGive'> {
  group: Exclude<Group, 'SOON'>;
}

function Actions({ group, order, onDone, onDecline, onGive }: ActionsProps) {
  const { nav } = t();
  const { exceptions } = leadTexts();
  const { storeId, fulfillmentOrderId } = order;
  const to = (screen: string) => href(at(screen, storeId, fulfillmentOrderId));
  switch (group) {
    case 'PICK':
      return <PickActions order={order} onDecline={onDecline} onGive={onGive} />;
    case 'IN_WORK':
      return <TakeOver order={order} onGive={onGive} />;
    case 'PACK':
      return <LinkButton to={to('pack')}>{nav.pack}</LinkButton>;
    case 'CHECK_IN':
      return <LinkButton to={to('check-in')}>{nav.checkIn}</LinkButton>;
    case 'DELIVER':
      return <LinkButton to={to('deliver')}>{nav.deliver}</LinkButton>;
    case 'BRING_BACK':
      return <LinkButton to={href('/bring-back')}>{exceptions.bringBack}</LinkButton>;
    case 'PIN':
      return <UnlockPin order={order} onDone={onDone} />;
    case 'COLLECT':
      return <Collect order={order} />;
  }
}

/** Offers to call the customer, or to hand over the goods. */
function Collect({ order: { customer, storeId, fulfillmentOrderId } }: { order: Exception }) {
  const { nav } = t();
  const { exceptions } = leadTexts();
  return (
    <>
      {customer.phone !== '' && (
        <LinkButton icon={Phone} to={`tel:${customer.phone.replace(/[^+\d]/g, '')}`}>
          {exceptions.call(customer.phone)}
        </LinkButton>
      )}
      <LinkButton to={href(at('hand-over', storeId, fulfillmentOrderId))}>{nav.handOver}</LinkButton>
    </>
  );
}

/** A button with the error of its action below it. */
function Doing({ run, children }: { run: ReturnType<typeof useAction<[]>>; children: ComponentChildren }) {
  return (
    <>
      {children}
      {run.error !== undefined && <ErrorNotice error={run.error} />}
    </>
  );
}

function PickActions({ order, onDecline, onGive }: Pick<RowProps, 'order' | 'onDecline' | 'onGive'>) {
  const { exceptions } = leadTexts();
  const pick = useAction(async () => {
    const ticketId = await generateFor(order, [order.fulfillmentOrderId], session.value!.user.userId);
    go(at('pick', order.storeId, ticketId));
  });
  const give = (userId: string) => generateFor(order, [order.fulfillmentOrderId], userId);
  return (
    <Doing run={pick}>
      <Button icon={CirclePlay} isBusy={pick.isBusy} onClick={() => void pick.run()}>
        {exceptions.pickNow}
      </Button>
      <Button icon={UserRoundCheck} onClick={() => onGive({ what: order.customer.name, give })}>
        {exceptions.giveTo}
      </Button>
      {may('decline') && (
        <Button icon={Ban} look="danger" onClick={onDecline}>
          {exceptions.decline}
        </Button>
      )}
    </Doing>
  );
}

function ticketOf({ storeId, pickTicketId, userId }: Exception) {
  return { storeId, pickTicketId: pickTicketId!, fromUserId: userId! };
}

/** Assigns a ticket in progress to another user, with the units picked so far. */
function TakeOver({ order, onGive }: Pick<RowProps, 'order' | 'onGive'>) {
  const { exceptions } = leadTexts();
  const own = session.value!.user.userId;
  const take = useAction(async () => {
    await takeOver(ticketOf(order), own);
    go(at('pick', order.storeId, order.pickTicketId!));
  });
  const { pickTicketId, userId: without } = order;
  if (pickTicketId === undefined) return null;
  const give = (userId: string) => takeOver(ticketOf(order), userId);
  if (without === own)
    return <LinkButton to={href(at('pick', order.storeId, pickTicketId))}>{t().actions.goOn}</LinkButton>;
  return (
    <Doing run={take}>
      <Button isBusy={take.isBusy} onClick={() => void take.run()}>
        {exceptions.takeOver}
      </Button>
      <Button icon={UserRoundCheck} onClick={() => onGive({ what: pickTicketId, without, give })}>
        {exceptions.giveTo}
      </Button>
    </Doing>
  );
}

function UnlockPin({ order: { storeId, fulfillmentOrderId, customer }, onDone }: Pick<RowProps, 'order' | 'onDone'>) {
  const { exceptions } = leadTexts();
  const unlock = useAction(async () => {
    await send(
      api.POST('/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/pin/unlock', {
        params: { path: { storeId, fulfillmentOrderId } },
        body: { nodeId: place.value!.nodeId, modifyAssociateId: session.value!.user.userId },
      }),
    );
    onDone(exceptions.unlocked(customer.name));
  });
  return (
    <Doing run={unlock}>
      <Button icon={LockOpen} isBusy={unlock.isBusy} onClick={() => void unlock.run()}>
        {exceptions.unlock}
      </Button>
    </Doing>
  );
}
