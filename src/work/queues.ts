/**
 * The queues of a node: one for each kind of work and fulfillment type. Check-in has a second queue, for orders whose
 * goods are already in the store.
 */

import { IN_STORE_CHECKIN_QUEUE, ORDER_STATES, type OrderState, QUEUES, State } from '../kernel/states.ts';
import { FULFILLMENT_TYPES, type FulfillmentType, type Settings } from '../shared/client-settings.ts';

/** Kinds of work at a node, in the sequence of the steps of an order. */
export const WORK_KINDS = ['PICK', 'PACK', 'CHECK_IN', 'HAND_OVER', 'DELIVER', 'BRING_BACK'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

const KIND_OF_STATE: Partial<Record<OrderState, WorkKind>> = {
  [State.WAITING_FOR_PICK]: 'PICK',
  [State.PICKING]: 'PICK',
  [State.WAITING_FOR_PACK]: 'PACK',
  [State.WAITING_FOR_CHECK_IN]: 'CHECK_IN',
  [State.READY_FOR_PICKUP]: 'HAND_OVER',
  [State.WAITING_FOR_DELIVERY]: 'DELIVER',
  [State.GOODS_TO_RETURN]: 'BRING_BACK',
};

/** Returns the kind of work that an order in a state waits for, or undefined. */
export function kindOf(status: number): WorkKind | undefined {
  return KIND_OF_STATE[status as OrderState];
}

/** A queue with orders of one type. */
export interface Queue {
  queueId: string;
  kind: WorkKind;
  fulfillmentType: FulfillmentType;
}

/** Returns the queues of a node that serves these types, sorted by kind and type, with the client's own ids. */
export function queuesOf(types: readonly string[], { queueIds }: Pick<Settings, 'queueIds'>): Queue[] {
  const found = new Map<string, Queue>();
  for (const fulfillmentType of FULFILLMENT_TYPES.filter((type) => types.includes(type))) {
    for (const state of ORDER_STATES) {
      const plain = QUEUES[fulfillmentType][state];
      const kind = kindOf(state);
      if (plain === null || kind === undefined) continue;
      const names = kind === 'CHECK_IN' ? [plain, IN_STORE_CHECKIN_QUEUE] : [plain];
      for (const name of names) {
        const queue = { queueId: queueIds[name] ?? name, kind, fulfillmentType };
        found.set(keyOf(queue), queue);
      }
    }
  }
  return [...found.values()].sort(byKind);
}

/** Returns a key that is unique among the queues of a node. */
export function keyOf({ queueId, kind, fulfillmentType }: Queue): string {
  return `${kind}/${fulfillmentType}/${queueId}`;
}

/** Sorts queues by kind, type and id. */
export function byKind(a: Queue, b: Queue): number {
  return (
    WORK_KINDS.indexOf(a.kind) - WORK_KINDS.indexOf(b.kind) ||
    FULFILLMENT_TYPES.indexOf(a.fulfillmentType) - FULFILLMENT_TYPES.indexOf(b.fulfillmentType) ||
    (a.queueId < b.queueId ? -1 : a.queueId > b.queueId ? 1 : 0)
  );
}
