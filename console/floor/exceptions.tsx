/** Exceptions: what a lead must look at now: late orders, re-source requests, blocked items; decline in bulk where it is safe. */
import { Ban, Check as CheckIcon } from 'lucide';
import { useState } from 'preact/hooks';
import { api, call, newId, send } from '../api.ts';
import { now } from '../preferences.ts';
import { at, href, setQuery } from '../router.ts';
import { may, ownClient, place, session } from '../session.ts';
import { t, time, word } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Choices } from '../ui/field.tsx';
import { Empty, Show, useAction, useLoad } from '../ui/load.tsx';
import { Due, ErrorNotice, Notice } from '../ui/notice.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { Screen } from '../ui/screen.tsx';

const TABS = ['late', 'requests', 'holds'] as const;

/** The web stores of the client: alerts and requests are theirs. */
async function storeIds(signal: AbortSignal): Promise<string[]> {
  const path = { clientId: ownClient() };
  const { stores } = await send(api.GET('/operator/v1/clients/{clientId}/stores', { params: { path }, signal }));
  return stores.map(({ storeId }) => storeId);
}

export default function Exceptions({ query }: ScreenProps) {
  const { exceptions } = t();
  const tab = TABS.find((one) => one === query.get('tab')) ?? 'late';
  return (
    <Screen
      title={t().nav.exceptions}
      sub={place.value?.nodeId}
      below={
        <nav class="tabs" aria-label={t().nav.exceptions}>
          {TABS.map((one) => (
            <a
              href={href('/exceptions', { tab: one })}
              aria-current={one === tab ? 'page' : undefined}
              onClick={(event) => {
                event.preventDefault();
                setQuery({ tab: one });
              }}
            >
              {exceptions.tabs[one]}
            </a>
          ))}
        </nav>
      }
    >
      {{ late: <Late />, requests: <Requests />, holds: <Holds /> }[tab]}
    </Screen>
  );
}

function Late() {
  const { exceptions, types } = t();
  const { nodeId } = place.value!;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isDeclining, setDeclining] = useState(false);
  const loaded = useLoad(
    `late ${nodeId}`,
    async (signal) => {
      const found = await Promise.all(
        (await storeIds(signal)).map((storeId) =>
          send(
            api.POST('/stores/{storeId}/alert/fulfillment/search', {
              params: { path: { storeId } },
              body: { storeId, nodeId, statuses: ['OPEN'], pageSize: 200 } as never,
              signal,
            }),
          ),
        ),
      );
      return found
        .flatMap(({ alerts }) => alerts)
        .sort((one, other) => one.slaDate.value.localeCompare(other.slaDate.value));
    },
    30_000,
  );
  return (
    <Show of={loaded}>
      {(alerts) =>
        alerts.length === 0 ? (
          <Empty icon={CheckIcon} title={exceptions.noneLate}>
            {exceptions.noneLateHint}
          </Empty>
        ) : (
          <>
            {chosen.length > 0 && (
              <div class="notice info split" role="status">
                <span class="strong">{exceptions.chosen(chosen.length)}</span>
                <Button icon={Ban} look="danger" onClick={() => setDeclining(true)}>
                  {exceptions.decline}
                </Button>
              </div>
            )}
            <div class="list">
              {alerts.map((alert) => {
                const canDecline = may('decline') && /^START_PICK/.test(alert.alertType);
                return (
                  <div class="row" key={alert.alertId}>
                    {canDecline && (
                      <input
                        type="checkbox"
                        class="tick"
                        aria-label={alert.fulfillmentOrderId}
                        checked={chosen.includes(alert.fulfillmentOrderId)}
                        onChange={(event) =>
                          setChosen(
                            event.currentTarget.checked
                              ? [...chosen, alert.fulfillmentOrderId]
                              : chosen.filter((one) => one !== alert.fulfillmentOrderId),
                          )
                        }
                      />
                    )}
                    <a
                      class="grow plain-link"
                      href={href(at('office', 'orders', alert.storeId, alert.fulfillmentOrderId))}
                    >
                      <span class="strong">{word(exceptions.alerts, alert.alertType)}</span>
                      <br />
                      <span class="code quiet small">{alert.fulfillmentOrderId}</span>{' '}
                      <span class="quiet small">{word(types, alert.fulfillmentType)}</span>
                    </a>
                    <Due at={alert.slaDate.value} nowMs={now.value} />
                  </div>
                );
              })}
            </div>
            {isDeclining && (
              <DeclineOrders
                orderIds={chosen}
                onDone={() => {
                  setDeclining(false);
                  setChosen([]);
                  void loaded.reload();
                }}
              />
            )}
          </>
        )
      }
    </Show>
  );
}

interface Declined {
  declined: { fulfillmentOrderId: string }[];
  refused: { fulfillmentOrderId: string; code: string; description: string }[];
}

/** Declines orders that nobody has begun to pick: another node may serve them. */
function DeclineOrders({ orderIds, onDone }: { orderIds: readonly string[]; onDone: () => void }) {
  const { exceptions } = t();
  const [reasonCode, setReason] = useState('CancelMXOutOfStock');
  const [declineId] = useState(newId);
  const [result, setResult] = useState<Declined | undefined>();
  const action = useAction(async () => {
    const { clientId: own, nodeId } = place.value!;
    setResult(
      await call<Declined>(
        'POST',
        `/operator/v1/clients/${encodeURIComponent(own)}/nodes/${encodeURIComponent(nodeId)}/decline`,
        {
          body: { declineId, userId: session.value!.user.userId, reasonCode, fulfillmentOrderIds: orderIds },
        },
      ),
    );
  });
  return (
    <Dialog
      title={exceptions.declineTitle(orderIds.length)}
      onClose={onDone}
      actions={
        result === undefined ? (
          <>
            <Button onClick={onDone}>{t().actions.back}</Button>
            <Button look="danger" isBusy={action.isBusy} onClick={() => void action.run()}>
              {exceptions.decline}
            </Button>
          </>
        ) : (
          <Button look="main" onClick={onDone}>
            {t().actions.ok}
          </Button>
        )
      }
    >
      {result === undefined ? (
        <>
          <p>{exceptions.declineHint}</p>
          <Choices
            label={exceptions.reason}
            value={reasonCode}
            onInput={setReason}
            options={Object.entries(exceptions.reasons).map(([value, label]) => ({ value, label }))}
          />
          {action.error !== undefined && <ErrorNotice error={action.error} />}
        </>
      ) : (
        <>
          <Notice look="right" title={exceptions.declined(result.declined.length)} />
          {result.refused.map((one) => (
            <Notice look="risk" title={one.fulfillmentOrderId} key={one.fulfillmentOrderId}>
              <p>{one.description}</p>
            </Notice>
          ))}
        </>
      )}
    </Dialog>
  );
}

function Requests() {
  const { exceptions } = t();
  const loaded = useLoad(
    `requests ${place.value?.nodeId}`,
    async (signal) => {
      const found = await Promise.all(
        (await storeIds(signal)).map((storeId) =>
          send(
            api.GET('/operator/v1/stores/{storeId}/resourceRequests', {
              params: { path: { storeId }, query: { status: 'OPEN', limit: '200' } },
              signal,
            }),
          ),
        ),
      );
      return found.flatMap(({ resourceRequests }) => resourceRequests);
    },
    60_000,
  );
  const answer = useAction(async (storeId: string, requestId: string) => {
    await send(
      api.POST('/operator/v1/stores/{storeId}/resourceRequests/{requestId}/answer', {
        params: { path: { storeId, requestId } },
        body: { outcome: 'CANCELED' } as never,
      }),
    );
    await loaded.reload();
  });
  return (
    <Show of={loaded}>
      {(requests) =>
        requests.length === 0 ? (
          <Empty icon={CheckIcon} title={exceptions.noneRequests}>
            {exceptions.noneRequestsHint}
          </Empty>
        ) : (
          <div class="stack">
            {answer.error !== undefined && <ErrorNotice error={answer.error} />}
            {requests.map((request) => (
              <section class="card stack tight" key={request.requestId}>
                <div class="split">
                  <a
                    class="strong code"
                    href={href(at('office', 'orders', request.storeId, request.fulfillmentOrderId))}
                  >
                    {request.fulfillmentOrderId}
                  </a>
                  <span class="quiet small">{time(request.createdAt)}</span>
                </div>
                {request.lines.map((line) => (
                  <p key={line.webLineId}>
                    <span class="strong">{line.quantity} ×</span> <span class="code">{line.itemId}</span>{' '}
                    <span class="quiet small">{line.reasonCode}</span>
                  </p>
                ))}
                <p class="quiet small">{exceptions.requestHint}</p>
                {may('decline') && (
                  <div>
                    <Button
                      look="danger"
                      isBusy={answer.isBusy}
                      onClick={() => void answer.run(request.storeId, request.requestId)}
                    >
                      {exceptions.nobody}
                    </Button>
                  </div>
                )}
              </section>
            ))}
          </div>
        )
      }
    </Show>
  );
}

function Holds() {
  const { exceptions } = t();
  const { clientId: own, nodeId } = place.value!;
  const path = { clientId: own, nodeId };
  const loaded = useLoad(`holds ${nodeId}`, (signal) =>
    send(
      api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/holds', {
        params: { path, query: { limit: '200' } },
        signal,
      }),
    ),
  );
  const release = useAction(async (itemId: string) => {
    await send(
      api.DELETE('/operator/v1/clients/{clientId}/nodes/{nodeId}/items/{itemId}/hold', {
        params: { path: { ...path, itemId } },
      }),
    );
    await loaded.reload();
  });
  return (
    <Show of={loaded}>
      {({ holds }) =>
        holds.length === 0 ? (
          <Empty icon={CheckIcon} title={exceptions.noneHolds}>
            {exceptions.noneHoldsHint}
          </Empty>
        ) : (
          <>
            {release.error !== undefined && <ErrorNotice error={release.error} />}
            <div class="list">
              {holds.map((hold) => (
                <div class="row" key={hold.itemId}>
                  <a class="grow plain-link" href={href(at('item', hold.itemId))}>
                    <span class="strong code">{hold.itemId}</span>
                    <br />
                    <span class="quiet small">
                      {hold.reasonCode} · {time(hold.heldSince)}
                    </span>
                  </a>
                  {may('decline') && (
                    <Button isBusy={release.isBusy} onClick={() => void release.run(hold.itemId)}>
                      {exceptions.free}
                    </Button>
                  )}
                </div>
              ))}
            </div>
          </>
        )
      }
    </Show>
  );
}
