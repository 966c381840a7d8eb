/**
 * Held units of shipments: more than announced, unannounced, or put on hold by a user. A lead decides on them in the
 * row.
 */
import { Check as CheckIcon, Gavel } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../api.ts';
import { type Arrival, nodePath, shipmentHref, typeWord } from '../jobs/receive/receiving.ts';
import { may, place } from '../session.ts';
import { leadTexts, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Empty, Show, useLoad } from '../ui/load.tsx';
import { Notice, State } from '../ui/notice.tsx';
import { work } from '../work/node-work.ts';

const Decide = lazy(async () => (await import('../jobs/receive/receive-decide.tsx')).Decide);

/**
 * Returns the shipments with held units. All of them are RECEIVING, because held units keep a shipment open. @throws
 * ApiError
 */
async function findHeld(signal: AbortSignal): Promise<Arrival[]> {
  const found: Arrival[] = [];
  let after: string | undefined;
  do {
    const query = new URLSearchParams({ status: 'RECEIVING', limit: '500', ...(after !== undefined && { after }) });
    const page = await call<{ inbound: Arrival[]; next?: string }>('GET', `${nodePath()}/inbound?${query}`, { signal });
    found.push(...page.inbound.filter(({ heldQuantity }) => heldQuantity > 0));
    after = page.next;
  } while (after !== undefined);
  return found;
}

export function Held() {
  const { exceptions } = leadTexts();
  const loaded = useLoad(`held ${place.value?.nodeId}`, findHeld, 60_000);
  const many = work.value?.inbound.held;
  useEffect(() => {
    if (many !== undefined && loaded.data.peek() !== undefined) void loaded.reload();
  }, [many]);
  const [deciding, setDeciding] = useState<Arrival | undefined>();
  const [decided, setDecided] = useState<string | undefined>();
  return (
    <>
      {decided !== undefined && (
        <div role="status">
          <Notice look="right" title={decided} />
        </div>
      )}
      <Show of={loaded}>
        {(shipments) =>
          shipments.length === 0 ? (
            <Empty icon={CheckIcon} title={exceptions.noneHeld}>
              {exceptions.noneHeldHint}
            </Empty>
          ) : (
            <>
              <p class="quiet small">{exceptions.heldHint}</p>
              <div class="list">
                {shipments.map((one) => (
                  <Row key={`${one.type} ${one.sellerId} ${one.number}`} of={one} onDecide={() => setDeciding(one)} />
                ))}
              </div>
            </>
          )
        }
      </Show>
      {deciding !== undefined && (
        <Decide
          of={deciding}
          onClose={(saved) => {
            setDecided(saved === undefined ? undefined : exceptions.decided(deciding.number, saved));
            setDeciding(undefined);
            void loaded.reload();
          }}
        />
      )}
    </>
  );
}

function Row({ of, onDecide }: { of: Arrival; onDecide: () => void }) {
  const { receive } = t();
  const { number, sellerId, heldQuantity, receivedQuantity, announcedQuantity } = of;
  return (
    <div class="row exception">
      <a class="grow plain-link" href={shipmentHref(of)}>
        {typeWord(of) !== undefined && <span class="small quiet">{typeWord(of)} </span>}
        <span class="strong code">{number}</span>
        <br />
        <span class="small quiet">
          {[
            sellerId !== '' && receive.of(sellerId),
            receive.unitsOf(receivedQuantity, announcedQuantity === 0 ? receivedQuantity : announcedQuantity),
          ]
            .filter((part) => part !== false)
            .join(' · ')}
        </span>
      </a>
      <State look="risk">{receive.heldTitle(heldQuantity)}</State>
      {may('receipts.approve') && (
        <div class="inline exception-actions">
          <Button icon={Gavel} onClick={onDecide}>
            {receive.approveOpen}
          </Button>
        </div>
      )}
    </div>
  );
}
