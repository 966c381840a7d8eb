/** One return: its lines, the custody of its goods, its refunds, and the possible actions. */
import { useState } from 'preact/hooks';
import { href } from '../router.ts';
import { may } from '../session.ts';
import { dateTime, language, money, number, returnTexts, t, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/facts.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Empty, Show, useLoad } from '../ui/load.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { Table } from '../ui/table.tsx';
import type { Details } from './order-details.ts';
import { OrderLink } from './order-link.tsx';
import { Page } from './page.tsx';
import { nameIn, useNodes } from './places.ts';
import { RefundRow } from './refund-row.tsx';
import { customersOf, itemNames, orderIdsOf, useReturnOrders } from './return-orders.ts';
import { ReturnState } from './return-state.tsx';
import {
  actingNode,
  blindUnits,
  type Return,
  type ReturnAction,
  type ReturnLine,
  readReturn,
  reasonWords,
} from './returns-data.ts';

const ActionDialog = lazy(async () => (await import('./return-act.tsx')).ActionDialog);
const Custody = lazy(async () => (await import('./return-custody.tsx')).Custody);
const Dispose = lazy(async () => (await import('./return-dispose.tsx')).Dispose);
const Match = lazy(async () => (await import('./return-match.tsx')).Match);

export default function ReturnScreen({ params }: ScreenProps) {
  const [storeId, own] = [params['storeId']!, params['number']!];
  const loaded = useLoad(`return ${storeId} ${own}`, (signal) => readReturn(storeId, own, signal), 30_000);
  const reload = () => void loaded.reload();
  const one = loaded.data.value;
  const orders = useReturnOrders(one).data.value ?? [];
  return (
    <Page
      title={titleOf(own, one)}
      sub={one && [customersOf(orders), word(returnTexts().kinds, one.kind)].filter(Boolean).join(' · ')}
      backTo={{ to: href('/office/returns'), label: t().nav.returns }}
      tools={one && <Actions of={one} onDone={reload} />}
    >
      <Show of={loaded} lines={6}>
        {(shown) => (
          <>
            <AboutReturn of={shown} orders={orders} />
            <Lines of={shown} nameOf={itemNames(orders)} onDone={reload} />
            <div class="return-columns">
              <Custody of={shown} nameOfItem={itemNames(orders)} />
              <Money of={shown} onDone={reload} />
            </div>
          </>
        )}
      </Show>
    </Page>
  );
}

/** Returns the title of a return: its number and its orders, because a number alone could be read as a count. */
function titleOf(number: string, of: Return | undefined): string {
  const texts = returnTexts();
  const [first, ...others] = of === undefined ? [] : orderIdsOf(of);
  if (first === undefined) return texts.called(number);
  return others.length === 0 ? texts.ofOrder(number, first) : texts.ofOrders(number, others.length + 1);
}

function AboutReturn({ of, orders }: { of: Return; orders: readonly Details[] }) {
  const texts = returnTexts();
  const nodes = useNodes();
  const nodeId = of.nodeId ?? of.expectedNodeId;
  const rows: [string, string | undefined][] = [
    [texts.customer, customersOf(orders) || undefined],
    [texts.node, nodeId && nameIn(nodes, nodeId)],
    [texts.tracking, of.trackingNumber],
    [texts.customerRef, of.customerRef],
    [texts.note, of.note],
    [texts.override, of.overrideReason],
    [texts.created, dateTime(of.createdAt)],
    [texts.inTransitAt, of.inTransitAt && dateTime(of.inTransitAt)],
    [texts.expiresAt, of.state === 'REQUESTED' && of.expiresAt ? dateTime(of.expiresAt) : undefined],
    [texts.closedAt, of.closedAt && dateTime(of.closedAt)],
  ];
  return (
    <section class="card stack tight">
      <p>
        <ReturnState of={of.state} />
      </p>
      <Facts of={rows} />
    </section>
  );
}

/** The actions and the permission that each needs. Each action has a dialog. */
const ACTIONS = {
  markInTransit: 'orders.change',
  cancel: 'orders.change',
  close: 'receipts.close',
  reopen: 'supervise',
} as const satisfies Record<ReturnAction, string>;

/** Returns whether the state of the return allows an action. */
function allows({ allowedActions }: Return, wanted: string): boolean {
  return allowedActions.some(({ action, allowed }) => action === wanted && allowed);
}

function Actions({ of, onDone }: { of: Return; onDone: () => void }) {
  const [open, setOpen] = useState<ReturnAction | undefined>();
  const allowed = (Object.keys(ACTIONS) as ReturnAction[]).filter(
    (action) => allows(of, action) && may(ACTIONS[action]),
  );
  return (
    <>
      {allowed.map((action) => (
        <Button look={action === 'close' ? 'main' : undefined} onClick={() => setOpen(action)}>
          {returnTexts().actions[action]}
        </Button>
      ))}
      {open !== undefined && (
        <ActionDialog
          of={of}
          action={open}
          onClose={(isDone) => {
            setOpen(undefined);
            if (isDone) onDone();
          }}
        />
      )}
    </>
  );
}

const COUNTS = ['requested', 'sellable', 'damaged', 'held', 'givenBack', 'missing', 'over', 'open'] as const;

interface LinesProps {
  of: Return;
  nameOf: (itemId: string) => string;
  onDone: () => void;
}

function Lines({ of, nameOf, onDone }: LinesProps) {
  const texts = returnTexts();
  const [held, setHeld] = useState<ReturnLine | undefined>();
  const [blind, setBlind] = useState<ReturnLine | undefined>();
  const reasons = useLoad(`reasons ${actingNode(of)} ${of.storeId} ${language.value}`, (signal) =>
    reasonWords(of, signal),
  );
  const count = (value: number) => (value === 0 ? <span class="quiet">–</span> : number(value));
  const decides = may('stock.adjust') && allows(of, 'dispose');
  const matches = may('supervise') && allows(of, 'match');
  return (
    <>
      <Table
        caption={texts.lines}
        rows={of.lines}
        keyOf={({ position }) => String(position)}
        columns={[
          {
            title: texts.item,
            show: (line) => (
              <>
                {nameOf(line.itemId) !== line.itemId && <div class="strong">{nameOf(line.itemId)}</div>}
                <span class="code">{line.itemId}</span>{' '}
                {line.fulfillmentOrderId !== undefined && (
                  <OrderLink storeId={of.storeId} id={line.fulfillmentOrderId}>
                    <span class="small">{texts.order(line.fulfillmentOrderId)}</span>
                  </OrderLink>
                )}
                {line.fulfillmentOrderId === undefined && <span class="small quiet">{texts.noOrder}</span>}
              </>
            ),
          },
          {
            title: texts.reason,
            show: ({ reason = '', note }) =>
              [reasons.data.value?.get(reason) ?? reason, note].filter(Boolean).join(' · '),
          },
          // Columns without units are left out, because they would push the decision off the screen.
          ...COUNTS.filter((name) => of.lines.some((line) => line[name] !== 0)).map((name) => ({
            title: texts.counts[name],
            isNumber: true,
            show: (line: ReturnLine) => count(line[name]),
          })),
          {
            title: texts.decide,
            show: (line) => (
              <>
                {line.held > 0 && decides && <Button onClick={() => setHeld(line)}>{texts.decide}</Button>}
                {blindUnits(line) > 0 && matches && <Button onClick={() => setBlind(line)}>{texts.match}</Button>}
              </>
            ),
          },
        ]}
      />
      {held !== undefined && (
        <Dispose
          of={of}
          line={held}
          onClose={(isDone) => {
            setHeld(undefined);
            if (isDone) onDone();
          }}
        />
      )}
      {blind !== undefined && (
        <Match
          of={of}
          line={blind}
          onClose={(isDone) => {
            setBlind(undefined);
            if (isDone) onDone();
          }}
        />
      )}
    </>
  );
}

function Money({ of, onDone }: { of: Return; onDone: () => void }) {
  const texts = returnTexts();
  const open = of.refunds.filter(({ status }) => status !== 'CANCELED');
  // The orders of a return can have several currencies.
  const sums = [...Map.groupBy(open, ({ currency }) => currency)].map(([currency, refunds]) =>
    money(
      refunds.reduce((total, { amount }) => total + amount, 0),
      currency,
    ),
  );
  return (
    <section class="stack tight" aria-label={texts.money}>
      <h2>{texts.money}</h2>
      {of.refunds.length === 0 && <Empty title={texts.noMoney}>{texts.noMoneyHint}</Empty>}
      {of.refunds.map((refund) => (
        <RefundRow refund={refund} onDone={onDone} />
      ))}
      {open.length > 1 && <p class="strong">{texts.sum(sums.join(' + '))}</p>}
      {of.exchanges.map(({ line, wants, fulfillmentOrderId }) => (
        <p>
          {texts.exchange(line, wants.quantity, wants.itemId)}{' '}
          {fulfillmentOrderId !== undefined && (
            <OrderLink storeId={of.storeId} id={fulfillmentOrderId}>
              {texts.order(fulfillmentOrderId)}
            </OrderLink>
          )}
        </p>
      ))}
    </section>
  );
}
