/** Stock of the node: items and their places, levels below zero, items to count, counts that wait for approval. */

import { ArrowRightLeft, ClipboardList, ListChecks, Package, Search } from 'lucide';
import { call } from '../../api.ts';
import { at, go, href, setQuery } from '../../router.ts';
import { feedback } from '../../scan/feedback.ts';
import { ScanTarget } from '../../scan/target.tsx';
import { may, place } from '../../session.ts';
import { day, number, t, time, word } from '../../texts/index.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { ClosableBand } from '../../ui/closable-band.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Show, useAction, useLoad } from '../../ui/load.tsx';
import { MoreButton, useMore } from '../../ui/more.tsx';
import { ErrorNotice, State } from '../../ui/notice.tsx';
import { Picture } from '../../ui/picture.tsx';
import { QueryBox } from '../../ui/query-box.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { work } from '../../work/node-work.ts';
import { ownId } from '../../work/own-id.ts';
import { SyncState } from '../../work/sync-state.tsx';
import { firstNames, itemWords, nameOf, nodePath } from '../receive/receiving.ts';
import {
  readStock,
  readWaiting,
  readWanted,
  type StockCount,
  type StockLevel,
  type WantedCount,
} from './stock-data.ts';
import { useItemScan } from './use-item-scan.ts';

const TABS = ['all', 'belowZero', 'wanted', 'approve'] as const;
type Tab = (typeof TABS)[number];

export default function Stock({ query }: ScreenProps) {
  const { stock } = t();
  const wanted = query.get('q') ?? '';
  const shown = (query.get('show') ?? 'all') as Tab;
  const { wrong, clear } = useItemScan((itemId) => go(at('item', itemId)));
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
      <Tabs shown={shown} />
      {shown === 'wanted' ? (
        <Wanted />
      ) : shown === 'approve' ? (
        <Waiting />
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
        {stock.plans.title}
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

function Tabs({ shown }: { shown: Tab }) {
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
        </button>
      ))}
    </div>
  );
}

function Levels({ q, isBelow }: { q: string; isBelow: boolean }) {
  const { stock, counter } = t();
  const asked = { q, ...(isBelow && { belowZero: 'true' }), pageSize: '50' };
  const pages = useMore(`stock ${place.value!.nodeId} ${q} ${isBelow}`, async (lastRecordId, signal) => {
    const page = await readStock({ ...asked, lastRecordId }, signal);
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
  const loaded = useLoad(`wanted ${place.value!.nodeId}`, async (signal) => {
    const rows = await readWanted(signal);
    await firstNames(rows.map(({ itemId }) => itemId));
    return rows;
  });
  return (
    <Show of={loaded}>
      {(rows: WantedCount[]) =>
        rows.length === 0 ? (
          <Empty icon={ClipboardList} title={stock.noneWanted}>
            {stock.noneWantedHint}
          </Empty>
        ) : (
          <ul class="list" aria-label={stock.tabs.wanted}>
            {rows.map(({ itemId, since, cause }) => (
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
        )
      }
    </Show>
  );
}

function Waiting() {
  const { stock } = t();
  const loaded = useLoad(`waiting ${place.value!.nodeId}`, async (signal) => {
    const counts = await readWaiting(signal);
    await firstNames(counts.flatMap(({ lines }) => lines.map(({ itemId }) => itemId)));
    return counts;
  });
  return (
    <Show of={loaded}>
      {(counts: StockCount[]) =>
        counts.length === 0 ? (
          <Empty icon={ClipboardList} title={stock.noneApprove}>
            {stock.noneApproveHint}
          </Empty>
        ) : (
          counts.map((one) => <CountCard key={one.countId} of={one} onDone={() => void loaded.reload()} />)
        )
      }
    </Show>
  );
}

function CountCard({ of, onDone }: { of: StockCount; onDone: () => void }) {
  const { stock } = t();
  const approve = useAction(async () => {
    await call('POST', `${nodePath()}/counts/${encodeURIComponent(of.countId)}/approve`, { body: { userId: ownId() } });
    feedback('done');
    onDone();
  });
  return (
    <article class="card stack" aria-label={stock.countedBy(of.userId, time(of.at))}>
      <h2>{stock.countedBy(of.userId, time(of.at))}</h2>
      <CountLines of={of} />
      {approve.error !== undefined && <ErrorNotice error={approve.error} />}
      <Button
        isWide
        isBusy={approve.isBusy}
        blocked={may('stock.adjust') ? undefined : stock.approveOnly}
        onClick={() => void approve.run()}
      >
        {stock.approve}
      </Button>
    </article>
  );
}

/** Shows the counted units of each line and the difference. */
export function CountLines({ of }: { of: StockCount }) {
  const { stock } = t();
  return (
    <ul class="list">
      {of.lines.map((line) => (
        <li class="row" key={`${line.itemId} ${line.place}`}>
          <span class="grow stack tight">
            <span class="strong">{nameOf(line)}</span>
            <span class="inline">
              <span class="small quiet">{word(stock.places, line.place)}</span>
              {line.difference === 0 ? (
                <State look="right">{stock.countAgrees}</State>
              ) : (
                <State look="risk">{stock.countDiffers(line.difference)}</State>
              )}
              {line.state === 'WAITING' && <State look="info">{stock.countWaiting}</State>}
            </span>
          </span>
          <span class="big">{number(line.counted)}</span>
        </li>
      ))}
    </ul>
  );
}
