/** One item: picture, codes, places at this node, price and blocks. */
import { ArrowRightLeft, ClipboardList, Unlock } from 'lucide';
import { useState } from 'preact/hooks';
import type { components } from '../../contract/client.d.ts';
import { clientItemIdOf } from '../../src/shared/item-id.ts';
import { ApiError, api, call, send } from '../api.ts';
import { cancelReasonWord, readChoices, storeOfItem } from '../choices.ts';
import { readLevel, readMoves, type StockLevel, type StockMove } from '../jobs/count/stock-data.ts';
import { href } from '../router.ts';
import { may, ownClient, place } from '../session.ts';
import { dateTime, day, language, money, number, t, time, word } from '../texts/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Show, useAction, useLoad } from '../ui/load.tsx';
import { ErrorNotice, Notice, State } from '../ui/notice.tsx';
import { Picture } from '../ui/picture.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { Screen } from '../ui/screen.tsx';

type FullItem = components['schemas']['Item'];
type Hold = components['schemas']['NodeItemHold'];
/** An item. If no web store has the item, only its ids are known. */
type Item = Pick<FullItem, 'itemId' | 'clientItemId' | 'type'> & Partial<FullItem>;

/** The data of the item at the node of the user, and its hold. */
type AtNode = Partial<components['schemas']['NodeItem']> & { hold?: Hold | undefined };

/** Returns the path parameters of the item at the node of the user. */
const atNode = (itemId: string) => ({ clientId: ownClient(), nodeId: place.value!.nodeId, itemId });

/** Reads the hold of the item at the node. @throws ApiError */
async function readHold(itemId: string, signal: AbortSignal): Promise<Hold | undefined> {
  if (!may('fulfillment.read', 'stock.read')) return undefined;
  const params = { path: atNode(itemId), query: { itemId } };
  const { holds } = await send(api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/holds', { params, signal }));
  return holds[0];
}

/**
 * Reads the item from a web store with the item's catalog. If there is no such store, or the item is deleted, the
 * result has only the ids. The node can have units of a deleted item, and users count these units and write them off.
 * `currency` is set if all stores with the catalog have the same currency.
 * @throws ApiError
 */
async function readFacts(itemId: string, signal: AbortSignal): Promise<{ item: Item; currency?: string }> {
  const settings = await readChoices();
  const storeId = storeOfItem(settings, itemId);
  const unknown: Item = { itemId, clientItemId: clientItemIdOf(itemId), type: '' };
  if (storeId === undefined) return { item: unknown };
  const path = `/item-service/stores/${encodeURIComponent(storeId)}/items/${encodeURIComponent(itemId)}`;
  const item = await call<Item>('GET', path, { signal }).catch(ifFound);
  if (item === undefined) return { item: unknown };
  const ofCatalog = settings.stores.filter(({ catalogId }) => itemId.startsWith(`${catalogId}-`));
  const [currency, ...others] = new Set(ofCatalog.map((store) => store.currency));
  return currency === undefined || others.length > 0 ? { item } : { item, currency };
}

/**
 * Formats a price of the node. If its stores have several currencies, the currency of the price is unknown and left
 * out.
 */
function price(amount: string | number, currency: string | undefined): string {
  if (currency !== undefined) return money(amount, currency);
  const format = new Intl.NumberFormat(language.value, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  return format.format(String(amount) as Intl.StringNumericLiteral);
}

/** Formats the day of a street date, with its year: it can be in the next year, or long past. */
function dateOf(streetDate: string): string {
  const format = new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeZone: 'UTC' });
  return format.format(new Date(streetDate.slice(0, 10)));
}

/** Reads the item and its data at the node. @throws ApiError */
async function readItem(itemId: string, signal: AbortSignal): Promise<{ item: Item; currency?: string; here: AtNode }> {
  const params = { path: atNode(itemId) };
  const [facts, here, hold] = await Promise.all([
    readFacts(itemId, signal),
    send(api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/items/{itemId}', { params, signal })).catch(ifFound),
    readHold(itemId, signal),
  ]);
  return { ...facts, here: { ...here, hold } };
}

/** Handles the error of a read: a 404 becomes undefined. @throws every other error */
function ifFound(error: unknown): undefined {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

export default function ItemScreen({ params: { itemId = '' } }: ScreenProps) {
  const { item: texts } = t();
  const loaded = useLoad(`item ${itemId}`, (signal) => readItem(itemId, signal));
  return (
    <Screen title={loaded.data.value?.item.description || texts.title} isName sub={<span class="code">{itemId}</span>}>
      <Show of={loaded}>
        {({ item, currency, here }) => (
          <>
            <section class="item-head">
              <Picture url={item.images?.[0]?.url} label={item.description || item.itemId} />
              <div class="stack tight">
                <span class="huge code">{here.pickLocation ?? texts.noPlace}</span>
                <span class="quiet">{texts.liesHere}</span>
                {here.retailPrice !== undefined && <span class="big">{price(here.retailPrice, currency)}</span>}
              </div>
            </section>
            {here.hold !== undefined && <Blocked itemId={itemId} hold={here.hold} reload={loaded.reload} />}
            <dl class="facts card">
              <Fact name={texts.sku} value={item.clientItemId} isCode />
              <Fact name={texts.brand} value={item.brand?.name} />
              <Fact name={texts.color} value={item.color?.descriptions[0]?.description ?? item.color?.code} />
              <Fact name={texts.size} value={item.sizes?.map((size) => size.description).join(', ')} />
              <Fact name={texts.type} value={item.type} />
              <Fact name={texts.onHand} value={here.onHand === undefined ? undefined : String(here.onHand)} />
              <Fact name={texts.streetDate} value={item.streetDate && dateOf(item.streetDate)} />
              <Fact name={texts.hazard} value={item.hazardousMaterialCode} />
            </dl>
            <Codes of={item} />
            {item.bundleItems !== undefined && item.bundleItems.length > 0 && (
              <section class="card stack tight">
                <h2>{texts.parts}</h2>
                {item.bundleItems.map((part) => (
                  <p key={part.itemId}>
                    <span class="strong">{part.quantity} ×</span> <span class="code">{part.itemId}</span>
                  </p>
                ))}
              </section>
            )}
            {/* This part loads with its own request. It is the last part of the screen, so nothing moves when it appears. */}
            {may('stock.read') && <StockHere itemId={item.itemId} />}
          </>
        )}
      </Show>
    </Screen>
  );
}

interface BlockedProps {
  itemId: string;
  hold: Hold;
  reload: () => Promise<void>;
}

/** Shows that the item is blocked at the node. A lead can release it. */
function Blocked({ itemId, hold, reload }: BlockedProps) {
  const { item: texts } = t();
  const release = useAction(async () => {
    const params = { path: atNode(itemId) };
    await send(api.DELETE('/operator/v1/clients/{clientId}/nodes/{nodeId}/items/{itemId}/hold', { params }));
    await reload();
  });
  const reason = cancelReasonWord(hold.reasonCode);
  return (
    <Notice look="risk" title={texts.blocked}>
      <p>{texts.blockedSince(reason, dateTime(hold.heldSince))}</p>
      {may('decline') && (
        <div>
          <Button icon={Unlock} isBusy={release.isBusy} onClick={() => void release.run()}>
            {texts.free}
          </Button>
        </div>
      )}
      {release.error !== undefined && <ErrorNotice error={release.error} />}
    </Notice>
  );
}

function Codes({ of: { status, upcs = [] } }: { of: Item }) {
  const { item: texts } = t();
  return (
    <section class="card stack tight">
      <div class="split">
        <h2>{texts.codes}</h2>
        {status !== undefined && (
          <State look={status === 'Active' ? 'right' : 'risk'}>{word(t().find.states, status)}</State>
        )}
      </div>
      {upcs.map(({ upcType, upc }) => (
        <p key={upc} class="inline">
          <span class="code big">{upc}</span>
          <span class="quiet">{upcType}</span>
        </p>
      ))}
      {upcs.length === 0 && <p class="quiet">{texts.noCodes}</p>}
    </section>
  );
}

/**
 * Shows the stock of the item and its ledger. If the node never had the item and expects none, only users who can count
 * see this part.
 */
function StockHere({ itemId }: { itemId: string }) {
  const { stock } = t();
  const loaded = useLoad(`stock of ${place.value!.nodeId} ${itemId}`, (signal) => readLevel(itemId, signal));
  return (
    <Show of={loaded} lines={2}>
      {(level) =>
        level.revision === 0 && level.incoming.length === 0 && !may('stock.count') ? null : (
          <section class="card stack" aria-label={stock.title}>
            <div class="split">
              <h2>{stock.title}</h2>
              {level.available < 0 && <State look="wrong">{stock.below(-level.available)}</State>}
            </div>
            <Places of={level} />
            {level.incoming.map(({ date, quantity }) => (
              <p class="quiet">{stock.incoming(quantity, day(date))}</p>
            ))}
            <div class="inline">
              {may('stock.count') && (
                <LinkButton icon={ClipboardList} to={href('/stock/count', { itemId })}>
                  {stock.count}
                </LinkButton>
              )}
              {may('stock.adjust') && (
                <LinkButton icon={ArrowRightLeft} to={href('/stock/move', { itemId })}>
                  {stock.move}
                </LinkButton>
              )}
            </div>
            <Ledger itemId={itemId} revision={level.revision} />
          </section>
        )
      }
    </Show>
  );
}

function Places({ of }: { of: StockLevel }) {
  const { stock } = t();
  const places = [
    ['available', stock.available],
    ['shelf', stock.places['SHELF']!],
    ['reserved', stock.reserved],
    ['staged', stock.places['STAGE']!],
    ['damaged', stock.places['DAMAGED']!],
    ['held', stock.places['HELD']!],
    ['missing', stock.places['MISSING']!],
  ] as const;
  return (
    <div class="stock-levels">
      {places.map(([name, label]) => (
        <div>
          <span class="small quiet">{label}</span>
          <br />
          <span class="big">{number(of[name])}</span>
        </div>
      ))}
    </div>
  );
}

/** Number of moves that are listed at first. */
const MOVES = 10;
/**
 * Number of revisions that the screen reads at first. It is much larger than `MOVES`, because reservations have
 * revisions, too.
 */
const REVISIONS = 200;

/**
 * Reads the newest moves of an item: those of the last `revisions` revisions, or of more revisions if these have fewer
 * than `MOVES` moves. The ledger of an item can have thousands of moves.
 * @throws ApiError
 */
async function readNewest(itemId: string, revision: number, revisions: number, signal: AbortSignal) {
  for (let reach = revisions; ; reach *= 10) {
    const after = Math.max(0, revision - reach);
    const moves = await readMoves(itemId, after, signal);
    if (after === 0 || moves.length >= MOVES) return { moves, isAll: after === 0, reach };
  }
}

/** Lists the moves of the item, the newest first. */
function Ledger({ itemId, revision }: { itemId: string; revision: number }) {
  const { stock } = t();
  const [revisions, setRevisions] = useState(REVISIONS);
  const loaded = useLoad(`moves of ${place.value!.nodeId} ${itemId} ${revision} ${revisions}`, (signal) =>
    readNewest(itemId, revision, revisions, signal),
  );
  return (
    <>
      <h3>{stock.ledger}</h3>
      <Show of={loaded}>
        {({ moves, isAll, reach }) => {
          const shown = revisions === REVISIONS ? moves.slice(0, MOVES) : moves;
          const hasMore = !isAll || shown.length < moves.length;
          return <Moves moves={shown} onMore={hasMore ? () => setRevisions(reach * 10) : undefined} />;
        }}
      </Show>
    </>
  );
}

function Moves({ moves, onMore }: { moves: readonly StockMove[]; onMore: (() => void) | undefined }) {
  const { stock, actions } = t();
  return (
    <>
      {moves.length === 0 && <p class="quiet">{stock.noLedger}</p>}
      <ol class="timeline">
        {moves.map((move) => (
          <li>
            <div class="split">
              <span class="strong">
                {stock.moveOf(move.quantity, word(stock.places, move.from), word(stock.places, move.to))}
              </span>
              <time dateTime={move.at} title={dateTime(move.at)} class="quiet small code">
                {time(move.at)}
              </time>
            </div>
            <div class="quiet small">
              {[
                word(stock.causes, move.cause),
                move.reason !== undefined && word(stock.reasons, move.reason),
                move.reference,
                move.userId,
              ]
                .filter((text) => text !== false && text !== '')
                .join(' · ')}
            </div>
          </li>
        ))}
      </ol>
      {onMore !== undefined && <Button onClick={onMore}>{actions.more}</Button>}
    </>
  );
}

function Fact({ name, value, isCode }: { name: string; value: string | undefined; isCode?: boolean }) {
  if (value === undefined || value === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd class={isCode === true ? 'code' : ''}>{value}</dd>
    </>
  );
}
