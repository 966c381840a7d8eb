/**
 * One inbound shipment at the desk: ordered, announced and arrived units side by side, cartons, history, statements.
 */
import { call } from '../api.ts';
import { Parts } from '../jobs/receive/receive-parts.tsx';
import { loadWords, shipmentHref } from '../jobs/receive/receiving.ts';
import { arrivedOf, type Shipment, totalWithoutBrought } from '../offline/inbound.ts';
import { inboundPath } from '../offline/inbound-wire.ts';
import { at, href } from '../router.ts';
import { may, ownClient, place } from '../session.ts';
import { dateTime, day, o, t } from '../texts/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Show, useLoad } from '../ui/load.tsx';
import { State } from '../ui/notice.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { Page } from './page.tsx';
import { nameIn, useNodes } from './places.ts';
import { ShipmentState } from './shipment-state.tsx';

const Cartons = lazy(async () => (await import('./shipment-cartons.tsx')).Cartons);
const Items = lazy(async () => (await import('./shipment-items.tsx')).Items);
const ShipmentHistory = lazy(async () => (await import('./shipment-history.tsx')).ShipmentHistory);
const ShipmentMessage = lazy(async () => (await import('./shipment-message.tsx')).ShipmentMessage);
const Statements = lazy(async () => (await import('./shipment-statements.tsx')).Statements);

const PARTS = ['items', 'cartons', 'history', 'statements', 'message'] as const;
type Part = (typeof PARTS)[number];

export default function ShipmentScreen({ params, query }: ScreenProps) {
  const { inbound: texts } = o();
  const { receive } = t();
  const [type, id] = [params['type'] as Shipment['type'], params['number']!];
  const nodeId = query.get('nodeId') ?? place.value?.nodeId ?? '';
  const sellerId = query.get('sellerId') ?? '';
  const nodes = useNodes();
  const subject = { kind: 'inbound', clientId: ownClient(), nodeId, type, sellerId, id } as const;
  const wanted = query.get('part') as Part | null;
  const part = wanted !== null && PARTS.includes(wanted) ? wanted : 'items';
  const loaded = useLoad(
    `shipment ${nodeId} ${type} ${sellerId} ${id}`,
    async (signal) => {
      const shipment = await call<Shipment>('GET', inboundPath(subject), { signal });
      void loadWords(shipment).catch(() => undefined);
      return shipment;
    },
    30_000,
  );
  const shipment = loaded.data.value;
  const link = (one: Part) =>
    href(`/office/inbound/${type}/${encodeURIComponent(id)}`, { sellerId, nodeId, part: one });
  return (
    <Page
      title={
        <>
          {receive.types[type]} <span class="code">{id}</span>
        </>
      }
      sub={[sellerId, nodeId && nameIn(nodes, nodeId)].filter((one) => one !== '').join(' · ')}
      backTo={{ to: href('/office/inbound'), label: t().nav.inbound }}
      tools={
        place.value?.nodeId === nodeId && (
          <LinkButton to={shipmentHref({ type, number: id, sellerId })}>{texts.onTheFloor}</LinkButton>
        )
      }
    >
      <Show of={loaded} lines={6}>
        {(one) => (
          <>
            <Facts shipment={one} />
            <nav class="tabs" aria-label={texts.parts}>
              {PARTS.filter((each) => each !== 'cartons' || one.cartons.length > 0).map((each) => (
                <a href={link(each)} aria-current={each === part ? 'page' : undefined}>
                  {texts.partNames[each]}
                </a>
              ))}
            </nav>
            {part === 'items' && <Items shipment={one} />}
            {part === 'cartons' && <Cartons nodeId={nodeId} shipment={one} />}
            {part === 'history' && <ShipmentHistory nodeId={nodeId} shipment={one} />}
            {part === 'statements' && <Statements nodeId={nodeId} shipment={one} />}
            {part === 'message' && shipment !== undefined && <ShipmentMessage shipment={one} sellerId={sellerId} />}
          </>
        )}
      </Show>
    </Page>
  );
}

function Facts({ shipment }: { shipment: Shipment }) {
  const { inbound: texts } = o();
  const { receive, units } = t();
  const total = totalWithoutBrought(shipment);
  const arrived =
    shipment.orders === undefined ? arrivedOf(total) : shipment.orders.reduce((sum, one) => sum + one.arrived, 0);
  return (
    <section class="card stack tight">
      <div class="split">
        <span class="inline">
          <ShipmentState state={shipment.state} />
          {shipment.complete && <State look="right">{texts.complete}</State>}
          <Parts of={{ ...total, announced: 1 }} />
          {shipment.edi !== undefined && <CameByEdi of={shipment.edi} />}
        </span>
        <span class="strong">{receive.unitsOf(arrived, total.announced)}</span>
      </div>
      <p class="quiet">
        {[
          shipment.expectedDate !== undefined && receive.expectedOn(day(shipment.expectedDate)),
          shipment.arrivedAt !== undefined && receive.arrivedAt(dateTime(shipment.arrivedAt)),
          units.items(shipment.sums.items.length),
          shipment.cartons.length > 0 && units.cartons(shipment.cartons.length),
          shipment.matchedTo !== undefined && receive.matched(shipment.matchedTo.number),
        ]
          .filter((text) => text !== false)
          .join(' · ')}
      </p>
    </section>
  );
}

/** A link to the partner's file, for users with access to it. */
function CameByEdi({ of: { interchangeId, partnerId } }: { of: NonNullable<Shipment['edi']> }) {
  const words = o().inbound.cameByEdi(partnerId);
  if (!may('client')) return <State look="info">{words}</State>;
  return <LinkButton to={href(at('office', 'edi', 'interchange', interchangeId))}>{words}</LinkButton>;
}
