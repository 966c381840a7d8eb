/** Builds the responses with re-source requests. */

import { findShownLines } from '../kernel/request-rows.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { notFound, type Refusal } from '../platform/http/errors.ts';
import { readJson } from '../platform/json-column.ts';
import type { ResourceRequestRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Sourcing } from '../shared/snapshot.ts';
import type { ResourceRequest } from './schema.ts';
import { say } from './sentences.ts';

type ShownLine = Awaited<ReturnType<typeof findShownLines>>[number];

/** Returns requests with their lines, in the given order. */
export async function showRequests(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  requests: readonly ResourceRequestRow[],
): Promise<ResourceRequest[]> {
  const [first] = requests;
  if (first === undefined) return [];
  const ids = requests.map((request) => request.request_id);
  const lines = Map.groupBy(await findShownLines(ctx, first.client_id, ids), (line) => line.request_id);
  return requests.map((request) => showRequest(request, lines.get(request.request_id) ?? []));
}

function showRequest(request: ResourceRequestRow, lines: readonly ShownLine[]): ResourceRequest {
  const reason = say('the request is {status}; only OPEN requests can be closed', { status: request.status });
  return {
    requestId: request.request_id,
    fulfillmentOrderId: request.fulfillment_order_id,
    storeId: request.store_id,
    nodeId: request.node_id,
    status: request.status,
    createdAt: formatDateTime(request.created_at),
    ...(request.answered_at !== null && { answeredAt: formatDateTime(request.answered_at) }),
    excludedNodeIds: readJson(request.excluded_node_ids),
    ...(request.new_node_id !== null && { newNodeId: request.new_node_id }),
    ...(request.new_fulfillment_order_id !== null && { newFulfillmentOrderId: request.new_fulfillment_order_id }),
    lines: lines.map((line) => ({
      webLineId: line.web_line_id,
      itemId: line.item_id,
      quantity: line.quantity,
      reasonCode: line.reason,
      ...sourcingOf(line),
    })),
    allowedActions: [
      request.status === 'OPEN' ? { action: 'answer', allowed: true } : { action: 'answer', allowed: false, reason },
    ],
  };
}

function sourcingOf({ snapshot }: ShownLine): { sourcing?: Sourcing } {
  const { sourcing } = readJson(snapshot);
  return sourcing === undefined ? {} : { sourcing };
}

/** Returns the 404 of a request that does not exist or that the credential does not cover. */
export function noRequest(requestId: string, storeId: string): Refusal {
  const [request, store] = [requestId.slice(0, 60), storeId].map((one) => JSON.stringify(one));
  return notFound(
    say('There is no re-source request {request} of store {store}; list the requests to find its id.', {
      request,
      store,
    }),
  );
}
