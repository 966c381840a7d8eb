/** Scan or find anything: shows what a code is at this node and which actions are possible now. */
import { Boxes, ClipboardList, type IconNode, Inbox, MapPin, Package, ShoppingBag, Tag, Truck, Undo2 } from 'lucide';
import { useEffect } from 'preact/hooks';
import type { components } from '../../contract/client.d.ts';
import { call } from '../api.ts';
import { firstOrders, shipmentHref } from '../jobs/receive/receiving.ts';
import type { InboundType } from '../offline/commands.ts';
import type { Wanted } from '../offline/inbound.ts';
import { at, go, href, ticketPath } from '../router.ts';
import { may, place } from '../session.ts';
import { t, word } from '../texts/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Show, useLoad } from '../ui/load.tsx';
import { Notice, State } from '../ui/notice.tsx';
import { Picture } from '../ui/picture.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { Screen } from '../ui/screen.tsx';
import { FindBox } from './find-box.tsx';
import { searchItems } from './search-items.ts';

interface Match {
  kind: components['schemas']['ScanMatch']['kind'];
  id: string;
  label: string;
  state: string;
  status?: string;
  fulfillmentType?: string;
  allowedActions: { action: string; allowed: boolean; reason?: string }[];
  storeId?: string;
  fulfillmentOrderId?: string;
  pickTicketId?: string;
  pickTicketType?: 'PICK_TICKET' | 'REVERSE_PICK_TICKET';
  trackingNumber?: string;
  holdLocation?: string;
  pickLocation?: string;
  imageUrl?: string;
  /** Number of orders whose goods are at a place. */
  orders?: number;
  /** Open reverse tickets at a place whose orders are not in the list of open orders. */
  reverseTickets?: { pickTicketId: string; storeId: string; fulfillmentOrderId: string }[];
  /** The node of the found record. Set only if this is not the user's node. */
  nodeId?: string;
  type?: InboundType;
  number?: string;
  sellerId?: string;
  wanted?: Wanted[];
}

interface Found {
  code: string;
  reads: { kind: string; value: string }[];
  matches: Match[];
  warnings: { code: string; description: string }[];
}

/** The matches of a text, or the orders at a place. */
interface Named {
  orders: readonly NamedOrder[];
  items: readonly NamedItem[];
}

type NamedOrder = components['schemas']['NodeOrder'];

interface NamedItem {
  itemId: string;
  description: string;
  color?: string;
  size?: string;
  imageUrl?: string;
}

const NOTHING: Named = { orders: [], items: [] };

const ICONS: Record<Match['kind'], IconNode> = {
  CARTON: Boxes,
  SHIPMENT: Truck,
  ITEM: Tag,
  ORDER: ShoppingBag,
  TICKET: ClipboardList,
  PACKAGE: Package,
  PLACE: MapPin,
  RETURN: Undo2,
};

/** Searches for a text that is not a code: the name of a customer, a town, or words of an item. */
async function findText(text: string, signal: AbortSignal): Promise<Named> {
  const { clientId, nodeId } = place.value!;
  const [orders, items] = await Promise.all([
    may('fulfillment.read')
      ? call<{ orders: NamedOrder[] }>(
          'GET',
          nodePath(clientId, nodeId, `orders?${new URLSearchParams({ text, limit: '20' })}`),
          {
            signal,
          },
        )
      : { orders: [] },
    may('items.read') ? searchItems<NamedItem>(clientId, { q: text, pageSize: '10' }, undefined, signal) : { rows: [] },
  ]);
  return { orders: orders.orders, items: items.rows };
}

/** Returns the orders whose goods are at a place, the earliest due first, at most 500. */
async function ordersAt({ id, orders = 0, reverseTickets = [] }: Match, signal: AbortSignal): Promise<NamedOrder[]> {
  if (!may('fulfillment.read')) return [];
  const { clientId, nodeId } = place.value!;
  const count = orders - new Set(reverseTickets.map(({ fulfillmentOrderId }) => fulfillmentOrderId)).size;
  if (count <= 0) return [];
  const query = new URLSearchParams({ holdLocation: id, limit: '500' });
  return (await call<{ orders: NamedOrder[] }>('GET', nodePath(clientId, nodeId, `orders?${query}`), { signal }))
    .orders;
}

const nodePath = (clientId: string, nodeId: string, rest: string) =>
  `/operator/v1/clients/${encodeURIComponent(clientId)}/nodes/${encodeURIComponent(nodeId)}/${rest}`;

/** Returns the tickets that bring goods back from a place, as matches. */
function ticketsAt({ id: holdLocation, reverseTickets = [] }: Match): Match[] {
  return reverseTickets.map(({ pickTicketId, storeId, fulfillmentOrderId }) => ({
    kind: 'TICKET',
    id: pickTicketId,
    label: '',
    state: '',
    allowedActions: [],
    storeId,
    fulfillmentOrderId,
    pickTicketType: 'REVERSE_PICK_TICKET',
    holdLocation,
  }));
}

/**
 * Looks up the code. If the code is a place, also finds the orders at this place. If the code is unknown, searches for
 * it as text.
 */
async function findAll(code: string, signal: AbortSignal): Promise<(Found & Named) | undefined> {
  if (code === '') return undefined;
  const { clientId, nodeId } = place.value!;
  const found = await call<Found>('POST', nodePath(clientId, nodeId, 'scan'), { body: { code }, signal });
  const held = found.matches.find(({ kind }) => kind === 'PLACE');
  if (held !== undefined) {
    const matches = [...found.matches, ...ticketsAt(held)];
    return { ...found, matches, orders: await ordersAt(held, signal), items: [] };
  }
  const named = found.matches.length === 0 && code.length <= 100 ? await findText(code, signal) : NOTHING;
  return { ...found, ...named };
}

export default function Find({ query }: ScreenProps) {
  const { find } = t();
  const code = query.get('code') ?? '';
  const { nodeId } = place.value!;
  const loaded = useLoad(`find ${nodeId} ${code}`, async (signal) => {
    const found = await findAll(code, signal);
    const ticket = found && onlyTicket(found);
    // Replaces this screen in the browser history, so that Back returns to the screen of the scan.
    if (ticket !== undefined && !signal.aborted) go(ticket, {}, true);
    return ticket === undefined ? found : undefined;
  });
  useEffect(() => {
    // Without a code, focuses the search field, because the user has opened the screen to type a code.
    if (code === '') document.getElementById('find-anything')?.focus();
  }, [code]);
  return (
    <Screen title={find.title}>
      <FindBox key={code} value={code} />
      {code === '' ? (
        <Empty title={find.startTitle}>{find.startHint}</Empty>
      ) : (
        <Show of={loaded}>{(found) => (found === undefined ? null : <Shown found={found} />)}</Show>
      )}
    </Screen>
  );
}

/** Returns the path of a ticket if it is the only match and the user has access to tickets; otherwise undefined. */
function onlyTicket({ matches: [first, ...others] }: Found): string | undefined {
  if (first?.kind !== 'TICKET' || others.length > 0 || !may('fulfillment.read', 'fulfillment.write')) return undefined;
  return pathOfTicket(first);
}

function pathOfTicket({ storeId = '', id, ...match }: Match): string {
  return ticketPath({ ...match, storeId, pickTicketId: id });
}

function Shown({ found }: { found: Found & Named }) {
  const { find } = t();
  const { matches, orders, items, warnings, code, reads } = found;
  const isFound = matches.length + orders.length + items.length > 0;
  // The warning about a wrong check digit does not help if the code was found.
  const shown = warnings.filter((one) => one.code !== 'CHECK_DIGIT' || !isFound);
  return (
    <>
      {shown.map((warning) => (
        <Notice look="risk" title={word(find.warnings, warning.code)} />
      ))}
      {!isFound && (
        <Empty icon={Inbox} title={find.nothing(code)} action={<AllOrdersLink text={code} />}>
          {find.nothingHint}
        </Empty>
      )}
      {matches.length > 0 && (
        <div class="list">
          {matches.map((match) => (
            <MatchRow match={match} key={`${match.kind} ${match.id}`} />
          ))}
        </div>
      )}
      {/* Without matches, the orders were found by this text. Orders at a place were found by their place. */}
      <FoundOrders orders={orders} text={matches.length === 0 ? code : ''} />
      <FoundItems items={items} />
      {matches.length === 0 && isFound && <AllOrdersLink text={code} />}
      <Reads reads={reads} />
    </>
  );
}

/** Links to the search of the office, because the search of the floor leaves out ended orders. */
function AllOrdersLink({ text }: { text: string }) {
  if (!may('orders.change', 'supervise') || !may('fulfillment.read')) return null;
  return <LinkButton to={href('/office/orders', { view: 'ALL', node: 'ALL', text })}>{t().find.allOrders}</LinkButton>;
}

/** Returns words without upper case and accents, as the search compares them. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns whether the search found the order by the name of its proxy. The list does not show this name. */
function isOfProxy({ customer, city, fulfillmentOrderId }: NamedOrder, text: string): boolean {
  // An e-mail address is not a name.
  if (text.includes('@')) return false;
  const shown = plain([customer.name, city ?? '', fulfillmentOrderId].join(' '));
  return !plain(text)
    .split(/\s+/)
    .every((word) => shown.includes(word));
}

function FoundOrders({ orders, text }: { orders: readonly NamedOrder[]; text: string }) {
  const { find, states, units, handOver } = t();
  if (orders.length === 0) return null;
  return (
    <section class="stack tight">
      <h2>{find.orders}</h2>
      <div class="list">
        {/* Only users with fulfillment.read get orders here, so each order has a screen. */}
        {orders.map((order) => (
          <a class="row found" key={order.fulfillmentOrderId} href={screenOfOrder(order.fulfillmentOrderId, order)!}>
            <Icon of={ShoppingBag} />
            <span class="grow">
              <span class="strong">{order.customer.name}</span>
              {(order.city ?? '') !== '' && <span class="quiet"> · {order.city}</span>}
              {isOfProxy(order, text) && <span class="quiet"> · {handOver.forProxy(text)}</span>}
              <br />
              <span class="small">
                {[order.items[0]?.itemDesc, units.units(order.units)].filter(Boolean).join(' · ')}
              </span>
              <br />
              <span class="code quiet small">{order.fulfillmentOrderId}</span>
            </span>
            <span class="stack tight">
              {order.holdLocation !== undefined && <span class="big code">{order.holdLocation}</span>}
              <State look="info">{word(states, order.status)}</State>
            </span>
          </a>
        ))}
      </div>
    </section>
  );
}

const SCREENS: Readonly<Record<string, string>> = {
  1200: 'pack',
  1300: 'check-in',
  // An order with a locked PIN also opens this screen, which shows why the order cannot be handed over.
  1400: 'hand-over',
  1500: 'deliver',
};

/**
 * The screen of a ticket by the state of its order: the order is being picked (1150), or its goods must be brought back
 * (8000).
 */
const TICKET_SCREENS: Readonly<Record<string, string>> = { 1150: 'pick', 8000: 'bring-back' };

/** Returns the path of the screen for the next step of an order; undefined if the user has access to no screen. */
function screenOfOrder(
  orderId: string,
  { status = '', storeId = '', pickTicketId }: Pick<Match, 'status' | 'storeId' | 'pickTicketId'>,
): string | undefined {
  if (may(status === '1300' ? 'checkin.write' : 'fulfillment.write')) {
    const [ofTicket, screen] = [TICKET_SCREENS[status], SCREENS[status]];
    if (ofTicket !== undefined && pickTicketId !== undefined) return href(at(ofTicket, storeId, pickTicketId));
    if (screen !== undefined) return href(at(screen, storeId, orderId));
  }
  return may('fulfillment.read') ? href(at('office', 'orders', storeId, orderId)) : undefined;
}

function FoundItems({ items }: { items: readonly NamedItem[] }) {
  if (items.length === 0) return null;
  return (
    <section class="stack tight">
      <h2>{t().nav.items}</h2>
      <div class="list">
        {items.map(({ itemId, description, imageUrl, color, size }) => (
          <a class="row" key={itemId} href={href(at('item', itemId))}>
            <Picture url={imageUrl} label={description} isSmall />
            <span class="grow">
              <span class="strong">{description}</span>
              <br />
              <span class="quiet small">{[color, size].filter(Boolean).join(' · ')}</span>
            </span>
          </a>
        ))}
      </div>
    </section>
  );
}

function MatchRow({ match }: { match: Match }) {
  const { find } = t();
  const to = screenOf(match);
  const where = match.holdLocation ?? match.pickLocation;
  // The id of a return is internal; people know its number.
  const id = match.kind === 'RETURN' ? match.number : match.id;
  const content = (
    <>
      {match.kind === 'ITEM' ? (
        <Picture url={match.imageUrl} label={match.label} isSmall />
      ) : (
        <Icon of={ICONS[match.kind]} />
      )}
      <span class="grow">
        <span class="quiet small">{find.kinds[match.kind]}</span>
        <br />
        <span class="strong">{NUMBERED.has(match.kind) ? id : match.label}</span>
        {match.fulfillmentType !== undefined && (
          <span class="quiet small"> · {word(t().types, match.fulfillmentType)}</span>
        )}
        <br />
        <span class="code quiet small">
          {NUMBERED.has(match.kind) ? (match.trackingNumber ?? match.fulfillmentOrderId) : match.id}
        </span>
        {match.wanted !== undefined && (
          <>
            <br />
            <span class="small strong">
              {t().receive.wantedBy(
                match.label,
                match.wanted.reduce((sum, { quantity }) => sum + quantity, 0),
                firstOrders(match.wanted),
              )}
            </span>
          </>
        )}
      </span>
      <span class="stack tight">
        {where !== undefined && <span class="big code">{where}</span>}
        {match.state !== '' && <State look="info">{stateWord(match)}</State>}
      </span>
    </>
  );
  return to === undefined ? (
    <div class="row found">{content}</div>
  ) : (
    <a class="row found" href={to}>
      {content}
    </a>
  );
}

/** Kinds whose rows show the id or number in place of a label. */
const NUMBERED: ReadonlySet<Match['kind']> = new Set([
  'ORDER',
  'TICKET',
  'PACKAGE',
  'PLACE',
  'CARTON',
  'SHIPMENT',
  'RETURN',
]);

/** Returns the state of a match in the user's language. The service describes the state in English only. */
function stateWord({ kind, state, status }: Match): string {
  const { receive, find, states } = t();
  if (status !== undefined) return word(states, status);
  if (kind === 'CARTON') return word(receive.cartonStates, state);
  return kind === 'SHIPMENT' ? word(receive.states, state) : word(find.states, state);
}

/** Returns the address of the screen for the next allowed action; undefined if no screen fits. */
function screenOf(match: Match): string | undefined {
  const storeId = match.storeId ?? '';
  switch (match.kind) {
    case 'ORDER':
    case 'PACKAGE':
      return screenOfOrder(match.fulfillmentOrderId ?? match.id, match);
    case 'TICKET':
      return href(pathOfTicket(match));
    case 'ITEM':
      return href(at('item', match.id));
    case 'PLACE':
      // A place has no screen. This screen lists the orders at the place below the match.
      return undefined;
    case 'RETURN': {
      const { number = '', allowedActions } = match;
      const isOpen = allowedActions.some(({ action, allowed }) => action === 'receive' && allowed);
      return href(
        isOpen && may('receive')
          ? at('return', storeId, 'announced', number)
          : at('office', 'returns', storeId, number),
      );
    }
    case 'CARTON':
    case 'SHIPMENT': {
      const { type, number, sellerId = '', nodeId } = match;
      if (type === undefined || number === undefined || nodeId !== undefined || !may('receive')) return undefined;
      return shipmentHref({ type, number, sellerId }, ...(match.kind === 'CARTON' ? ['carton', match.id] : []));
    }
  }
}

/** Shows the data in the code itself, in addition to its matches: lot, expiry, weight. */
function Reads({ reads }: { reads: Found['reads'] }) {
  const { find } = t();
  const told = reads.filter(({ kind }) => kind !== 'TEXT');
  if (told.length === 0) return null;
  return (
    <section class="card">
      <h2>{find.reads}</h2>
      <dl class="facts">
        {told.map(({ kind, value }) => (
          <>
            <dt>{word(find.readKinds, kind)}</dt>
            <dd class="code">{value}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}
