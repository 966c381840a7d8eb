/** Reads the data of the screens of returns. */
import type { components } from '../../contract/client.d.ts';
import { call } from '../api.ts';
import { at } from '../router.ts';
import { ownClient, place, session } from '../session.ts';
import { allOf } from '../ui/all-of.ts';
import type { Look } from '../ui/notice.tsx';

export type Return = components['schemas']['Return'];
export type ReturnLine = Return['lines'][number];
export type Refund = components['schemas']['Refund'];
/** A refund in the list of refunds. */
export type ListedRefund = components['schemas']['ListedRefund'];

export const RETURN_STATES = allOf<Return['state']>()(['REQUESTED', 'RECEIVING', 'CLOSED', 'CANCELED', 'EXPIRED']);
export const REFUND_STATES = allOf<Refund['status']>()(['DUE', 'FAILED', 'DONE', 'CANCELED']);

/** The look of each state of returns and refunds: its color and icon. */
export const RETURN_LOOKS: Readonly<Record<string, Look>> = {
  REQUESTED: 'info',
  RECEIVING: 'risk',
  CLOSED: 'right',
  DUE: 'risk',
  DONE: 'right',
  FAILED: 'wrong',
};

/** Actions of office users on a return. */
export type ReturnAction = 'markInTransit' | 'cancel' | 'close' | 'reopen';

/** Returns the path of a return below its store. */
export function returnPath(storeId: string, ...parts: readonly string[]): string {
  return at('operator', 'v1', 'stores', storeId, 'returns', ...parts);
}

/** Returns the path of a return below its node. */
export function nodeReturnPath(nodeId: string, ...parts: readonly string[]): string {
  return at('operator', 'v1', 'clients', ownClient(), 'nodes', nodeId, 'returns', ...parts);
}

/** Returns whether the user has access to all nodes of the client. Other users have no access to refunds. */
export function hasAllNodes(): boolean {
  return session.value?.user.nodeIds.length === 0;
}

/** Returns whether the user has access to a node. */
export function hasNode(nodeId: string): boolean {
  return hasAllNodes() || session.value?.user.nodeIds.includes(nodeId) === true;
}

/**
 * Returns the node of the return if the user has access to it, otherwise the user's own node. A return that several
 * nodes have received keeps the node of the first receipt. Leads of the other nodes act on the return at their own
 * node.
 */
export function actingNode(of: Return): string | undefined {
  const nodeId = of.nodeId ?? of.expectedNodeId;
  return nodeId !== undefined && hasNode(nodeId) ? nodeId : place.value?.nodeId;
}

/** Returns the path of the client's refunds. */
export function refundPath(...parts: readonly string[]): string {
  return at('operator', 'v1', 'clients', ownClient(), 'refunds', ...parts);
}

/** Returns the units of a line that can be matched with an order; 0 if the line already has an order. */
export function blindUnits(line: ReturnLine): number {
  return line.fulfillmentOrderId === undefined ? line.sellable + line.damaged + line.held : 0;
}

/** Reads a return. @throws ApiError */
export function readReturn(storeId: string, number: string, signal: AbortSignal): Promise<Return> {
  return call<Return>('GET', returnPath(storeId, number), { signal });
}

/**
 * Reads the reasons of the web store from the settings of a node. Returns their words in the user's language, by
 * code; empty if neither the return nor the user has a node. @throws ApiError
 */
export async function reasonWords(of: Return, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const nodeId = actingNode(of);
  if (nodeId === undefined) return new Map();
  const { ownWord } = await import('../choices.ts');
  const path = at('operator', 'v1', 'clients', ownClient(), 'nodes', nodeId, 'settings');
  const { stores } = await call<components['schemas']['WorkSettings']>('GET', path, { signal });
  const store = stores.find(({ storeId }) => storeId === of.storeId);
  return new Map(store?.returns.reasons.map((one) => [one.code, ownWord(one)]));
}
