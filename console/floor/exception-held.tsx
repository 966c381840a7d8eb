/**
 * Held units of shipments: more than announced, unannounced, or put on hold by a user. A lead decides on these units in
 * the row. Below the held units, the screen lists cartons that two shipments announce.
 */
import { Check as CheckIcon, Gavel } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../api.ts';
import { type Arrival, nodePath, shipmentHref, typeWord } from '../jobs/receive/receiving.ts';
import { readAll } from '../read-all.ts';
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
  const all = await findShipments({ status: 'RECEIVING' }, signal);
  return all.filter(({ heldQuantity }) => heldQuantity > 0);
}

function findShipments(filter: Record<string, string>, signal: AbortSignal): Promise<Arrival[]> {
  return readAll(async ({ limit, after }) => {
    const query = new URLSearchParams({ ...filter, limit: String(limit), ...(after !== undefined && { after }) });
    const page = await call<{ inbound: Arrival[]; next?: string }>('GET', `${nodePath()}/inbound?${query}`, { signal });
    return { rows: page.inbound, next: page.next };
  });
}

/** Maximum number of cartons that a row lists. */
const CARTONS_SHOWN = 5;

/**
 * Shows the shipments with cartons that another open shipment also announces. Closing or voiding one of the shipments
 * ends the exception.
 */
function Twice() {
  const { exceptions } = leadTexts();
  const many = work.value?.exceptions.duplicateCartons ?? 0;
  const loaded = useLoad(`twice ${place.value?.nodeId} ${many}`, async (signal) =>
    many === 0 ? [] : findShipments({ duplicateCartons: 'true' }, signal),
  );
  if (many === 0) return null;
  return (
    <section class="stack tight" aria-label={exceptions.twice}>
      <h2>{exceptions.twice}</h2>
      <p class="quiet small">{exceptions.twiceHint}</p>
      <Show of={loaded}>
        {(shipments) => (
          <div class="list">
            {shipments.map((one) => {
              const cartons = one.duplicateCartons ?? [];
              return (
                <a
                  class="row exception plain-link"
                  key={`${one.type} ${one.sellerId} ${one.number}`}
                  href={shipmentHref(one)}
                >
                  <span class="grow">
                    <span class="strong code">{one.number}</span>
                    {cartons.slice(0, CARTONS_SHOWN).map(({ cartonId, alsoIn }) => (
                      <>
                        <br />
                        <span class="small">
                          <span class="code">{cartonId}</span> ·{' '}
                          {exceptions.alsoIn(
                            [alsoIn.number, alsoIn.sellerId, alsoIn.nodeId].filter(Boolean).join(' · '),
                          )}
                        </span>
                      </>
                    ))}
                  </span>
                  {cartons.length > CARTONS_SHOWN && <State look="risk">{t().units.cartons(cartons.length)}</State>}
                </a>
              );
            })}
          </div>
        )}
      </Show>
    </section>
  );
}

export function Held() {
  const { exceptions } = leadTexts();
  const loaded = useLoad(`held ${place.value?.nodeId}`, findHeld, 60_000);
  const many = work.value?.inbound.held;
  useEffect(() => {
    if (many !== undefined && loaded.data.peek() !== undefined) void loaded.reload();
  }, [many]);
  const twice = work.value?.exceptions.duplicateCartons ?? 0;
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
            twice === 0 && (
              <Empty icon={CheckIcon} title={exceptions.noneHeld}>
                {exceptions.noneHeldHint}
              </Empty>
            )
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
      <Twice />
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
