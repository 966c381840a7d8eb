/** Exceptions: the work that a lead must look at now, grouped by action. The lead decides in the row. */
import { Ban, Check as CheckIcon } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useWaiting } from '../jobs/count/waiting.ts';
import { href, setQuery } from '../router.ts';
import { may, place } from '../session.ts';
import { leadTexts, number, t } from '../texts/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Empty, type Loaded, Show } from '../ui/load.tsx';
import { Notice } from '../ui/notice.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { NO_SUB, Screen } from '../ui/screen.tsx';
import { useCover } from '../ui/use-cover.ts';
import { type Gift, GiveTo } from '../work/give-to.tsx';
import { watchWork, work } from '../work/node-work.ts';
import { DeclineOrders } from './exception-decline.tsx';
import {
  type Exception,
  findExceptions,
  GROUPS,
  type Group,
  groupOf,
  partsToBringBack,
  useExceptions,
} from './exception-orders.ts';
import { OrderRow } from './exception-row.tsx';

// These load on demand, because the first tab does not show them.
const CountApproval = lazy(async () => (await import('../jobs/count/count-approval.tsx')).CountApproval);
const Held = lazy(async () => (await import('./exception-held.tsx')).Held);
const Requests = lazy(async () => (await import('./exception-decisions.tsx')).Requests);
const Holds = lazy(async () => (await import('./exception-decisions.tsx')).Holds);

const TABS = ['orders', 'held', 'counts', 'requests', 'holds'] as const;
type Tab = (typeof TABS)[number];

export default function Exceptions({ query }: ScreenProps) {
  const tab = TABS.find((one) => one === query.get('tab')) ?? 'orders';
  useEffect(watchWork, [place.value?.nodeId]);
  useCover(work.value === undefined);
  const orders = useExceptions(findExceptions);
  const counts = useWaiting(may('stock.adjust'));
  const listed = orders.data.value;
  return (
    <Screen
      title={t().nav.exceptions}
      sub={work.value?.name ?? NO_SUB}
      below={
        <Tabs
          tab={tab}
          orders={listed && listed.length + partsToBringBack(listed)}
          waiting={counts.data.value?.length}
        />
      }
    >
      {
        {
          orders: <Orders loaded={orders} />,
          held: <Held />,
          counts: <CountApproval loaded={counts} />,
          requests: <Requests />,
          holds: <Holds />,
        }[tab]
      }
    </Screen>
  );
}

interface TabsProps {
  tab: Tab;
  /** Number of orders on the first tab. */
  orders: number | undefined;
  /** Number of counts that wait for approval. */
  waiting: number | undefined;
}

/**
 * Tabs with their counts. Until the orders are loaded, the first tab shows the count of Work home, which leaves out
 * orders that are due soon.
 */
function Tabs({ tab, orders, waiting }: TabsProps) {
  const { exceptions } = leadTexts();
  const counts = work.value?.exceptions;
  const many: Record<Tab, number | undefined> = {
    orders: orders ?? (counts && counts.late + counts.notCollected + counts.pinLocks),
    held: counts && (work.value?.inbound.held ?? 0) + counts.duplicateCartons,
    counts: waiting,
    requests: counts?.resourceRequests,
    holds: undefined,
  };
  return (
    <nav class="tabs counted" aria-label={t().nav.exceptions}>
      {TABS.filter((one) => one !== 'counts' || may('stock.adjust')).map((one) => (
        <a
          href={href('/exceptions', { tab: one })}
          aria-current={one === tab ? 'page' : undefined}
          onClick={(event) => {
            event.preventDefault();
            setQuery({ tab: one });
          }}
        >
          {exceptions.tabs[one]}
          {many[one] !== undefined && <span class="tab-count">{number(many[one])}</span>}
        </a>
      ))}
    </nav>
  );
}

function Orders({ loaded }: { loaded: Loaded<readonly Exception[]> }) {
  const { exceptions } = leadTexts();
  // This state is in the screen and not in the row. The user reads the outcome after the row has disappeared, and a row
  // moves to another group, without its dialogs, when its order becomes late.
  const [said, setSaid] = useState<string | undefined>();
  const [declining, setDeclining] = useState<readonly Exception[] | undefined>();
  const [giving, setGiving] = useState<Gift | undefined>();
  const onDone = (done?: string) => {
    setSaid(done);
    void loaded.reload();
  };
  const list = (
    <Show of={loaded}>
      {(orders) => {
        const groups = Map.groupBy(orders, groupOf);
        const parts = partsToBringBack(orders);
        if (groups.size === 0 && parts === 0) {
          return (
            <Empty icon={CheckIcon} title={exceptions.noneLate}>
              {exceptions.noneLateHint}
            </Empty>
          );
        }
        return GROUPS.map((group) => {
          const own = groups.get(group) ?? [];
          const more = group === 'BRING_BACK' ? parts : 0;
          return own.length + more === 0 ? null : (
            <Section key={group} group={group} count={own.length + more}>
              <Rows group={group} orders={own} onDone={onDone} onDecline={setDeclining} onGive={setGiving} />
              {more > 0 && <PartsToBringBack count={more} />}
            </Section>
          );
        });
      }}
    </Show>
  );
  return (
    <>
      {said !== undefined && (
        <div role="status">
          <Notice look="right" title={said} />
        </div>
      )}
      {list}
      {giving !== undefined && (
        <GiveTo
          {...giving}
          onDone={(name) => {
            setGiving(undefined);
            onDone(name === undefined ? undefined : exceptions.given(name));
          }}
        />
      )}
      {declining !== undefined && (
        <DeclineOrders
          orders={declining}
          onDone={() => {
            setDeclining(undefined);
            void loaded.reload();
          }}
        />
      )}
    </>
  );
}

function Section({ group, count, children }: { group: Group; count: number; children: ComponentChildren }) {
  const { exceptions } = leadTexts();
  return (
    <section class="stack tight exception-group" aria-label={exceptions.groups[group]}>
      <div class="split">
        <h2>{exceptions.groups[group]}</h2>
        <span class="big">{number(count)}</span>
      </div>
      <p class="quiet small">{exceptions.groupHints[group]}</p>
      {children}
    </section>
  );
}

/**
 * Links to late goods to bring back whose orders the list shows under another step or not at all (`partsToBringBack`).
 */
function PartsToBringBack({ count }: { count: number }) {
  const { exceptions } = leadTexts();
  return (
    <div class="split">
      <span>{exceptions.bringBackParts(count)}</span>
      <LinkButton to={href('/bring-back')}>{exceptions.bringBack}</LinkButton>
    </div>
  );
}

/** Number of rows of a group that are shown at first. A button shows the other rows. */
const FIRST = 20;

interface RowsProps {
  group: Group;
  orders: readonly Exception[];
  onDone: (said?: string) => void;
  onDecline: (orders: readonly Exception[]) => void;
  onGive: (gift: Gift) => void;
}

function Rows({ group, orders, onDone, onDecline, onGive }: RowsProps) {
  const { exceptions } = leadTexts();
  const [isAll, setAll] = useState(false);
  const [ticked, setTicked] = useState<readonly string[]>([]);
  // Drops orders that have left the list, because another user may have decided on them.
  const chosen = orders.filter(({ fulfillmentOrderId }) => ticked.includes(fulfillmentOrderId));
  const shown = isAll ? orders : orders.slice(0, FIRST);
  const toggle = (id: string) => {
    const ids = chosen.map((order) => order.fulfillmentOrderId);
    setTicked(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]);
  };
  return (
    <>
      {chosen.length > 0 && (
        <div class="notice info split" role="status">
          <span class="strong">{exceptions.chosen(chosen.length)}</span>
          <Button icon={Ban} look="danger" onClick={() => onDecline(chosen)}>
            {exceptions.decline}
          </Button>
        </div>
      )}
      <div class="list">
        {shown.map((order) => (
          <OrderRow
            key={order.fulfillmentOrderId}
            group={group}
            order={order}
            onDone={onDone}
            onGive={onGive}
            onDecline={() => onDecline([order])}
            {...(group === 'PICK' && may('decline') && { isChosen: chosen.includes(order), onToggle: toggle })}
          />
        ))}
      </div>
      {shown.length < orders.length && (
        <Button onClick={() => setAll(true)}>{exceptions.showAll(orders.length)}</Button>
      )}
    </>
  );
}
