/** Decisions of a lead on units that this node declined: re-source requests, and blocked items. */
import { Check as CheckIcon } from 'lucide';
import { useState } from 'preact/hooks';
import type { components } from '../../contract/client.d.ts';
import { api, send } from '../api.ts';
import { cancelReasonWord, useChoices } from '../choices.ts';
import { firstNames, nameOf } from '../jobs/receive/receiving.ts';
import { readAll, readStores } from '../read-all.ts';
import { at, href } from '../router.ts';
import { may, ownClient, place } from '../session.ts';
import { leadTexts, time } from '../texts/index.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { Empty, Show, useAction, useLoad } from '../ui/load.tsx';
import { MoreButton, useMore } from '../ui/more.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { readWork } from '../work/node-work.ts';

type Request = components['schemas']['ResourceRequest'];

/**
 * Returns the ids of the web stores with open re-source requests of this node. If the user has no access to the work of
 * the node, returns the ids of all web stores.
 */
async function storeIds(signal: AbortSignal): Promise<string[]> {
  if (may('fulfillment.read')) return (await readWork(signal)).exceptions.resourceRequestStoreIds;
  const stores = await readStores(ownClient(), signal);
  return stores.map(({ storeId }) => storeId);
}

export function Requests() {
  const { exceptions } = leadTexts();
  useChoices();
  const loaded = useLoad(
    `requests ${place.value?.nodeId}`,
    async (signal) => {
      const { nodeId } = place.value!;
      const found = await Promise.all(
        (await storeIds(signal)).map((storeId) =>
          readAll(async (page) => {
            const params = { path: { storeId }, query: { ...page, status: 'OPEN', nodeId } as const };
            const { resourceRequests, next } = await send(
              api.GET('/operator/v1/stores/{storeId}/resourceRequests', { params, signal }),
            );
            return { rows: resourceRequests, next };
          }),
        ),
      );
      const requests = found.flat();
      await firstNames(requests.flatMap(({ lines }) => lines.map(({ itemId }) => itemId)));
      return requests;
    },
    60_000,
  );
  const [asked, setAsked] = useState<Request | undefined>();
  return (
    <Show of={loaded}>
      {(requests) =>
        requests.length === 0 ? (
          <Empty icon={CheckIcon} title={exceptions.noneRequests}>
            {exceptions.noneRequestsHint}
          </Empty>
        ) : (
          <div class="stack">
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
                <Lines of={request} />
                <p class="quiet small">{exceptions.requestHint}</p>
                {may('decline') && (
                  <div>
                    <Button look="danger" onClick={() => setAsked(request)}>
                      {exceptions.nobody}
                    </Button>
                  </div>
                )}
              </section>
            ))}
            {asked !== undefined && (
              <AskCancel of={asked} onClose={() => setAsked(undefined)} onDone={() => void loaded.reload()} />
            )}
          </div>
        )
      }
    </Show>
  );
}

/** The units of a request, with the reason why the node declined them. */
function Lines({ of }: { of: Request }) {
  return of.lines.map((line) => (
    <p key={line.webLineId}>
      <span class="strong">{line.quantity} ×</span> <span title={line.itemId}>{nameOf(line)}</span>{' '}
      <span class="quiet small" title={line.reasonCode}>
        {cancelReasonWord(line.reasonCode)}
      </span>
    </p>
  ));
}

/** Asks before the units of a request are canceled, because they cannot be offered to a node again. */
function AskCancel({ of, onClose, onDone }: { of: Request; onClose: () => void; onDone: () => void }) {
  const { exceptions } = leadTexts();
  const { storeId, requestId } = of;
  const action = useAction(async () => {
    await send(
      api.POST('/operator/v1/stores/{storeId}/resourceRequests/{requestId}/answer', {
        params: { path: { storeId, requestId } },
        body: { outcome: 'CANCEL' },
      }),
    );
    onClose();
    onDone();
  });
  return (
    <AskDialog
      title={exceptions.nobodyTitle(of.fulfillmentOrderId)}
      onClose={onClose}
      act={exceptions.nobody}
      look="danger"
      isBusy={action.isBusy}
      onAct={() => void action.run()}
    >
      <Lines of={of} />
      <p>{exceptions.nobodyHint}</p>
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </AskDialog>
  );
}

export function Holds() {
  const { exceptions } = leadTexts();
  useChoices();
  const { clientId: own, nodeId } = place.value!;
  const path = { clientId: own, nodeId };
  const pages = useMore(`holds ${nodeId}`, async (after, signal) => {
    const params = { path, query: { limit: 200, ...(after !== undefined && { after }) } };
    const { holds, next } = await send(
      api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/holds', { params, ...(signal && { signal }) }),
    );
    await firstNames(holds.map(({ itemId }) => itemId));
    return { rows: holds, next };
  });
  const release = useAction(async (itemId: string) => {
    await send(
      api.DELETE('/operator/v1/clients/{clientId}/nodes/{nodeId}/items/{itemId}/hold', {
        params: { path: { ...path, itemId } },
      }),
    );
    await pages.loaded.reload();
  });
  return (
    <Show of={pages.loaded}>
      {(first) =>
        first.length === 0 ? (
          <Empty icon={CheckIcon} title={exceptions.noneHolds}>
            {exceptions.noneHoldsHint}
          </Empty>
        ) : (
          <>
            {release.error !== undefined && <ErrorNotice error={release.error} />}
            <div class="list">
              {[...first, ...pages.more].map((hold) => (
                <div class="row" key={hold.itemId}>
                  <a class="grow plain-link" href={href(at('item', hold.itemId))}>
                    <span class="strong" title={hold.itemId}>
                      {nameOf(hold)}
                    </span>
                    <br />
                    <span class="quiet small">
                      <span title={hold.reasonCode}>{cancelReasonWord(hold.reasonCode)}</span> · {time(hold.heldSince)}
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
            <MoreButton of={pages} />
          </>
        )
      }
    </Show>
  );
}
