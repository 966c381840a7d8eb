/** What the screens of returns read of the service. */
import type { components } from '../../contract/client.d.ts';
import { call } from '../api.ts';
import { at } from '../router.ts';
import { ownClient } from '../session.ts';
import type { Look } from '../ui/notice.tsx';

export type Return = components['schemas']['Return'];
export type ReturnLine = Return['lines'][number];
export type Refund = components['schemas']['Refund'];

export const RETURN_STATES = ['REQUESTED', 'RECEIVING', 'CLOSED', 'CANCELED', 'EXPIRED'] as const;
export const REFUND_STATES = ['DUE', 'FAILED', 'DONE', 'CANCELED'] as const;

/** How a state of a return or of a refund looks. */
export const RETURN_LOOKS: Readonly<Record<string, Look>> = {
  REQUESTED: 'info',
  RECEIVING: 'risk',
  CLOSED: 'right',
  DUE: 'risk',
  DONE: 'right',
  FAILED: 'wrong',
};

/** What a person of the office may do with a return. */
export type ReturnAction = 'markInTransit' | 'cancel' | 'close' | 'reopen';

/** Path of a return under its store. */
export function returnPath(storeId: string, ...parts: readonly string[]): string {
  return at('operator', 'v1', 'stores', storeId, 'returns', ...parts);
}

/** Path of a return under the node that works on it. */
export function nodeReturnPath(nodeId: string, ...parts: readonly string[]): string {
  return at('operator', 'v1', 'clients', ownClient(), 'nodes', nodeId, 'returns', ...parts);
}

/** Path of refunds of the client. */
export function refundPath(...parts: readonly string[]): string {
  return at('operator', 'v1', 'clients', ownClient(), 'refunds', ...parts);
}

/** Units of a line without an order; all of them can be matched. */
export function blindUnits({ fulfillmentOrderId, sellable, damaged, held }: ReturnLine): number {
  return fulfillmentOrderId === undefined ? sellable + damaged + held : 0;
}

/** A return as its screen shows it. @throws ApiError */
export function readReturn(storeId: string, number: string, signal: AbortSignal): Promise<Return> {
  return call<Return>('GET', returnPath(storeId, number), { signal });
}

/** The reasons of the web store in the person's language, by code, as the node of the return knows them. @throws ApiError */
export async function reasonWords(of: Return, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const nodeId = of.nodeId ?? of.expectedNodeId;
  if (nodeId === undefined) return new Map();
  const { ownWord } = await import('../choices.ts');
  const path = at('operator', 'v1', 'clients', ownClient(), 'nodes', nodeId, 'settings');
  const { stores } = await call<components['schemas']['WorkSettings']>('GET', path, { signal });
  const store = stores.find(({ storeId }) => storeId === of.storeId);
  return new Map(store?.returns.reasons.map((one) => [one.code, ownWord(one)]));
}
