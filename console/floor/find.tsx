/** Scan or find anything: what a code is at this node, and what may be done with it now. */
import { Boxes, ClipboardList, type IconNode, Inbox, MapPin, Package, ShoppingBag, Tag, Truck } from 'lucide';
import { call } from '../api.ts';
import { shipmentHref, shortLabel } from '../jobs/receive/receiving.ts';
import type { InboundType } from '../offline/commands.ts';
import type { Wanted } from '../offline/inbound.ts';
import { at, href } from '../router.ts';
import { may, place } from '../session.ts';
import { t, word } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { Empty, Show, useLoad } from '../ui/load.tsx';
import { Notice, State } from '../ui/notice.tsx';
import { Picture } from '../ui/picture.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { Screen } from '../ui/screen.tsx';
import { FindBox } from './find-box.tsx';

interface Match {
  kind: 'CARTON' | 'SHIPMENT' | 'ITEM' | 'ORDER' | 'TICKET' | 'PACKAGE' | 'PLACE';
  id: string;
  label: string;
  state: string;
  allowedActions: { action: string; allowed: boolean; reason?: string }[];
  storeId?: string;
  fulfillmentOrderId?: string;
  pickTicketId?: string;
  trackingNumber?: string;
  holdLocation?: string;
  pickLocation?: string;
  imageUrl?: string;
  /** Another node has it. */
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

const ICONS: Record<Match['kind'], IconNode> = {
  CARTON: Boxes,
  SHIPMENT: Truck,
  ITEM: Tag,
  ORDER: ShoppingBag,
  TICKET: ClipboardList,
  PACKAGE: Package,
  PLACE: MapPin,
};

export default function Find({ query }: ScreenProps) {
  const { find } = t();
  const code = query.get('code') ?? '';
  const { clientId, nodeId } = place.value!;
  const path = `/operator/v1/clients/${encodeURIComponent(clientId)}/nodes/${encodeURIComponent(nodeId)}/scan`;
  const loaded = useLoad(`find ${nodeId} ${code}`, (signal) =>
    code === '' ? Promise.resolve(undefined) : call<Found>('POST', path, { body: { code }, signal }),
  );
  return (
    <Screen title={find.title}>
      <FindBox key={code} value={code} />
      {code === '' ? (
        <Empty title={find.startTitle}>{find.startHint}</Empty>
      ) : (
        <Show of={loaded}>
          {(found) =>
            found === undefined ? null : (
              <>
                {found.warnings.map((warning) => (
                  <Notice look="risk" title={word(find.warnings, warning.code)}>
                    <p>{warning.description}</p>
                  </Notice>
                ))}
                {found.matches.length === 0 ? (
                  <Empty icon={Inbox} title={find.nothing(found.code)}>
                    {find.nothingHint}
                  </Empty>
                ) : (
                  <div class="list">
                    {found.matches.map((match) => (
                      <MatchRow match={match} key={`${match.kind} ${match.id}`} />
                    ))}
                  </div>
                )}
                <Reads reads={found.reads} />
              </>
            )
          }
        </Show>
      )}
    </Screen>
  );
}

function MatchRow({ match }: { match: Match }) {
  const { find } = t();
  const to = screenOf(match);
  const where = match.holdLocation ?? match.pickLocation;
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
        <span class="strong">{match.label}</span>
        <br />
        <span class="code quiet small">{match.trackingNumber ?? match.id}</span>
        {match.wanted !== undefined && (
          <>
            <br />
            <span class="small strong">
              {t().receive.wantedBy(
                match.label,
                match.wanted.reduce((sum, { quantity }) => sum + quantity, 0),
                match.wanted
                  .slice(0, 3)
                  .map(({ fulfillmentOrderId }) => shortLabel(fulfillmentOrderId))
                  .join(', '),
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
    <div class="row">{content}</div>
  ) : (
    <a class="row" href={to}>
      {content}
    </a>
  );
}

function stateWord({ kind, state }: Match): string {
  const { receive } = t();
  if (kind === 'CARTON') return word(receive.cartonStates, state);
  return kind === 'SHIPMENT' ? word(receive.states, state) : state;
}

/** The screen that does what may be done with it now. */
function screenOf(match: Match): string | undefined {
  const can = (action: string) => match.allowedActions.some((one) => one.action === action && one.allowed);
  const storeId = match.storeId ?? '';
  switch (match.kind) {
    case 'ORDER':
    case 'PACKAGE': {
      const orderId = match.fulfillmentOrderId ?? match.id;
      if (may('fulfillment.write')) {
        if (can('handOver')) return href(at('hand-over', storeId, orderId));
        if (can('confirmCheckIn')) return href(at('check-in', storeId, orderId));
        if (can('pack')) return href(at('pack', storeId, orderId));
        if (can('deliver')) return href(at('deliver', storeId, orderId));
        if (match.pickTicketId !== undefined) return href(at('pick', storeId, match.pickTicketId));
      }
      return href(at('office', 'orders', storeId, orderId));
    }
    case 'TICKET':
      return href(at('pick', storeId, match.id));
    case 'ITEM':
      return href(at('item', match.id));
    case 'PLACE':
      return href('/hand-over', { place: match.id });
    case 'CARTON':
    case 'SHIPMENT': {
      const { type, number, sellerId = '', nodeId } = match;
      if (type === undefined || number === undefined || nodeId !== undefined || !may('receive')) return undefined;
      return shipmentHref({ type, number, sellerId }, ...(match.kind === 'CARTON' ? ['carton', match.id] : []));
    }
  }
}

/** What the code itself says, beside what it matches: lot, expiry, weight. */
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
