/** Stock of the node: items and their places, levels below zero, items to count, counts that wait for approval. */

import { ArrowRightLeft, ClipboardList, ListChecks, Package, Search } from 'lucide';
import { useEffect } from 'preact/hooks';
import { at, go, href, setQuery } from '../../router.ts';
import { ScanTarget } from '../../scan/target.tsx';
import { may, place } from '../../session.ts';
import { day, loadTexts, number, t, time, word } from '../../texts/index.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { ClosableBand } from '../../ui/closable-band.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Empty, Show } from '../../ui/load.tsx';
import { MoreButton, useMore } from '../../ui/more.tsx';
import { State } from '../../ui/notice.tsx';
import { Picture } from '../../ui/picture.tsx';
import { QueryBox } from '../../ui/query-box.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { watchWork, work } from '../../work/node-work.ts';
import { SyncState } from '../../work/sync-state.tsx';
import { firstNames, itemWords, nameOf } from '../receive/receiving.ts';
import { readStock, readWanted, type StockLevel } from './stock-data.ts';
import { useItemScan } from './use-item-scan.ts';
import { useWaiting } from './waiting.ts';

const CountApproval = lazy(
  async () => (await Promise.all([import('./count-approval.tsx'), loadTexts('lead')]))[0].CountApproval,
);

const TABS = ['all', 'belowZero', 'wanted', 'approve'] as const;
type Tab = (typeof TABS)[number];

export default function Stock({ query }: ScreenProps) {
  const { stock } = t();
  const wanted = query.get('q') ?? '';
  const shown = (query.get('show') ?? 'all') as Tab;
  // Reads the work of the node, because the head shows the name of the node, also after a reload of this screen.
  useEffect(watchWork, []);
  const waiting = useWaiting(may('stock.count', 'stock.adjust'));
  const { wrong, dialog, clear } = useItemScan((itemId) => go(at('item', itemId)));
  return (
    <Screen
      title={stock.title}
      sub={work.value?.name ?? place.value?.nodeId}
      onBack={() => go('/')}
      tools={<SyncState />}
      below={
        wrong !== undefined && (
          <ClosableBand look="wrong" onClose={clear}>
            {wrong}
          </ClosableBand>
        )
      }
    >
      <ScanTarget label={stock.scan} />
      {dialog}
      <QueryBox
        label={stock.search}
        q={wanted}
        onSearch={(q) => {
          clear();
          setQuery({ q, show: undefined });
        }}
        max={200}
      />
      <Ways />
      <Tabs shown={shown} waiting={waiting.data.value?.length ?? 0} />
      {shown === 'wanted' ? (
        <Wanted />
      ) : shown === 'approve' ? (
        <CountApproval loaded={waiting} />
      ) : (
        <Levels key={`${shown} ${wanted}`} q={wanted} isBelow={shown === 'belowZero'} />
      )}
    </Screen>
  );
}

/** Links to the actions on stock. */
function Ways() {
  const { stock } = t();
  if (!may('stock.count', 'stock.adjust', 'fulfillment.write')) return null;
  return (
    <div class="stock-actions">
      <LinkButton icon={ListChecks} to={href('/stock/plans')}>
        {stock.countPlans}
      </LinkButton>
      {may('stock.count') && (
        <LinkButton icon={ClipboardList} to={href('/stock/count')}>
          {stock.count}
        </LinkButton>
      )}
      {may('stock.adjust') && (
        <LinkButton icon={ArrowRightLeft} to={href('/stock/move')}>
          {stock.move}
        </LinkButton>
      )}
    </div>
  );
}

function Tabs({ shown, waiting }: { shown: Tab; waiting: number }) {
  const { stock } = t();
  const tabs = TABS.filter((tab) => tab !== 'approve' || may('stock.count', 'stock.adjust'));
  return (
    <div class="receive-switch" role="group" aria-label={stock.title}>
      {tabs.map((tab) => (
        <button
          type="button"
          class="button"
          aria-pressed={tab === shown}
          onClick={() => setQuery({ show: tab === 'all' ? undefined : tab, q: undefined })}
        >
          {stock.tabs[tab]}
          {tab === 'approve' && waiting > 0 && <span class="tab-count">{number(waiting)}</span>}
        </button>
      ))}
    </div>
  );
}

function Levels({ q, isBelow }: { q: string; isBelow: boolean }) {
  const { stock, counter } = t();
  const asked = { q, ...(isBelow && { belowZero: 'true' }), pageSize: '50' };
  const pages = useMore(`stock ${place.value!.nodeId} ${q} ${isBelow}`, async (lastRecordId, signal) => {
    let page = await readStock({ ...asked, lastRecordId }, signal);
    // A search compares a limited number of items per request, so a page without levels can have further ones behind it.
    while (page.stock.length === 0 && page.lastRecordId !== undefined) {
      page = await readStock({ ...asked, lastRecordId: page.lastRecordId }, signal);
    }
    await firstNames(page.stock.map(({ itemId }) => itemId));
    return { rows: page.stock, next: page.lastRecordId };
  });
  return (
    <Show of={pages.loaded} lines={5}>
      {(first) =>
        first.length === 0 ? (
          q !== '' ? (
            <Empty
              icon={Search}
              title={stock.noneFound(q)}
              action={<Button onClick={() => setQuery({ q: undefined })}>{counter.clear}</Button>}
            />
          ) : (
            <Empty icon={Package} title={isBelow ? stock.noneBelow : stock.none}>
              {isBelow ? stock.noneBelowHint : stock.noneHint}
            </Empty>
          )
        ) : (
          <>
            <ul class="list" aria-label={stock.title}>
              {[...first, ...pages.more].map((level) => (
                <li key={level.itemId}>
                  <Level of={level} />
                </li>
              ))}
            </ul>
            <MoreButton of={pages} />
          </>
        )
      }
    </Show>
  );
}

function Level({ of }: { of: StockLevel }) {
  const { stock } = t();
  const { itemId, available, staged, damaged, held, missing, reserved, incoming } = of;
  const parts = [
    [stock.reserved, reserved],
    [stock.places['STAGE']!, staged],
    [stock.places['DAMAGED']!, damaged],
    [stock.places['HELD']!, held],
    [stock.places['MISSING']!, missing],
  ] as const;
  return (
    <a class="row stock-row" href={href(at('item', itemId))}>
      <Picture url={itemWords.value[itemId]?.imageUrl} label={nameOf({ itemId })} isSmall />
      <span class="grow stack tight">
        <span class="strong">{nameOf({ itemId })}</span>
        <span class="receive-facts quiet">
          <span class="small code">{itemId}</span>
          {parts
            .filter(([, units]) => units > 0)
            .map(([name, units]) => (
              <span>
                {name} {number(units)}
              </span>
            ))}
          {incoming[0] !== undefined && <span>{stock.incoming(incoming[0].quantity, day(incoming[0].date))}</span>}
        </span>
        {available < 0 && <State look="wrong">{stock.below(-available)}</State>}
      </span>
      <span class="stock-sum">
        <span class="big">{number(available)}</span>
        <span class="small quiet">{stock.available}</span>
      </span>
    </a>
  );
}

function Wanted() {
  const { stock } = t();
  const pages = useMore(`wanted ${place.value!.nodeId}`, async (after, signal) => {
    const { wanted, next } = await readWanted(after, signal);
    await firstNames(wanted.map(({ itemId }) => itemId));
    return { rows: wanted, next };
  });
  return (
    <Show of={pages.loaded}>
      {(first) =>
        first.length === 0 ? (
          <Empty icon={ClipboardList} title={stock.noneWanted}>
            {stock.noneWantedHint}
          </Empty>
        ) : (
          <>
            <ul class="list" aria-label={stock.tabs.wanted}>
              {[...first, ...pages.more].map(({ itemId, since, cause }) => (
                <li key={itemId}>
                  <a class="row" href={href(may('stock.count') ? '/stock/count' : at('item', itemId), { itemId })}>
                    <span class="grow stack tight">
                      <span class="strong">{nameOf({ itemId })}</span>
                      <span class="small quiet">
                        {word(stock.causes, cause)} · {stock.since(time(since))}
                      </span>
                    </span>
                    <Icon of={ClipboardList} />
                  </a>
                </li>
              ))}
            </ul>
            <MoreButton of={pages} />
          </>
        )
      }
    </Show>
  );
}
