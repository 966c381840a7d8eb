/** The work of the node, kept up to date by a long poll. */
import { computed, signal } from '@preact/signals';
import type { components } from '../../contract/client.d.ts';
import { ApiError, api, call, send } from '../api.ts';
import { setNow } from '../preferences.ts';
import { isLocked, place, session, whenBack } from '../session.ts';

/** Kinds of work. Each has a screen. */
export type WorkKind = 'PICK' | 'PACK' | 'CHECK_IN' | 'HAND_OVER' | 'DELIVER' | 'BRING_BACK';

/** The response of `GET …/work`. */
export interface Work {
  revision: string;
  at: string;
  name: string;
  queues: {
    queueId: string;
    kind: WorkKind;
    fulfillmentType: string;
    storeIds: string[];
    orders: number;
    /** Orders on an open pick ticket. */
    inWork: number;
    late: number;
    lateInWork: number;
    oldestAt?: string;
    nextDueAt?: string | undefined;
    nextFreeDueAt?: string;
  }[];
  myTickets: {
    storeId: string;
    pickTicketId: string;
    pickTicketType: string;
    status: string;
    fulfillmentType: string;
    orders: number;
    quantity: number;
    done: number;
    dueAt?: string;
  }[];
  tickets: { open: number; mine: number };
  today: { linesPicked: number; linesPerHour?: number; unitsShort: number; unitsPicked: number };
  /** `held` is missing in data that an earlier version of the console stored. */
  inbound: { expected: number; late: number; held?: number };
  /** Numbers of returns. They are missing in data that an earlier version of the console stored. */
  returns?: { expected: number; receiving: number };
  /** Numbers of count plans. They are missing in data that an earlier version of the console stored. */
  countPlans?: { open: number; counted: number };
  exceptions: components['schemas']['NodeWork']['exceptions'];
}

export const work = signal<Work | undefined>(undefined);
export const workError = signal<unknown>(undefined);

/** The node and the user of the work. A change of either removes the work until the new work is read. */
const key = computed(() => JSON.stringify([place.value, session.value?.user.userId]));
key.subscribe(() => {
  work.value = workError.value = undefined;
});

let stopLast: (() => void) | undefined;

/** Reads the work now, after each change, and when the user returns. Returns a function that stops these reads. */
export function watchWork(): () => void {
  stopLast?.();
  let own = new AbortController();
  const begin = () => {
    own.abort();
    own = new AbortController();
    void watch(own.signal);
  };
  begin();
  const leave = whenBack(begin);
  stopLast = () => {
    leave();
    own.abort();
  };
  return stopLast;
}

async function watch(stop: AbortSignal): Promise<void> {
  const own = key.peek();
  const isStopped = () => stop.aborted || own !== key.peek();
  const at = place.peek();
  if (at === undefined) return;
  let pause = 1_000;
  let since: string | undefined;
  while (!isStopped() && !isLocked.peek()) {
    try {
      const query = since === undefined ? '' : `?${new URLSearchParams({ since, wait: '25' })}`;
      const path = `/operator/v1/clients/${encodeURIComponent(at.clientId)}/nodes/${encodeURIComponent(at.nodeId)}/work`;
      const next = await call<Work>('GET', `${path}${query}`, { signal: stop });
      if (isStopped()) return;
      setNow(next.at);
      work.value = next;
      workError.value = undefined;
      since = next.revision;
      pause = 1_000;
    } catch (error) {
      if (isStopped()) return;
      workError.value = error;
      // After a 500, later requests may succeed. After a 4xx, the reads end, because the error remains until the user or the
      // node changes.
      if (error instanceof ApiError && !error.passes && error.status < 500) return;
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, 15_000);
    }
  }
}

/** Reads the present work once. @throws ApiError */
export function readWork(signal: AbortSignal): Promise<components['schemas']['NodeWork']> {
  const { clientId, nodeId } = place.peek()!;
  const params = { path: { clientId, nodeId } };
  return send(api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/work', { params, signal }));
}
