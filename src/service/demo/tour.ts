/**
 * A tour of the small town: one curl line for every operation, in an order in which each works, but for passkeys, which need
 * an authenticator. The demo prints it, a test runs it. The lines use the shell variables that `tourVariables` names.
 */
import type { Auth } from '../../platform/http/operation.ts';
import { operations } from '../operations.ts';
import { townOrders } from './orders.ts';
import { goodsInStops, inboundStops, itemStops, lastStops, stockStops } from './tour/goods.ts';
import { clockStops, operatorStops, peopleStops, webhookStops } from './tour/office.ts';
import { deliveryStops, orderStops, pickupStops, sourcingStops, storeStops } from './tour/orders.ts';
import { readerStops, sessionStops } from './tour/sessions.ts';
import type { Held, Stop } from './tour/stop.ts';
import type { Secrets } from './town.ts';

/** Shell variables that the printed lines use. */
export function tourVariables(
  address: string,
  credential: Secrets,
  operatorKey: string,
  cookies: string,
): Record<string, string> {
  return {
    BASE: address,
    COOKIES: cookies,
    API_KEY: credential.apiKey,
    BASIC: `${credential.username}:${credential.password}`,
    OPERATOR_KEY: operatorKey,
  };
}

/**
 * The stops, by what the town holds when it is freshly loaded. `now` dates a new order; `spare` is a credential that the
 * tour may revoke; the clock is moved in a sandbox only.
 */
export function tourStops(town: Held, now: number, spare: Secrets, isSandbox = false): Stop[] {
  return [
    ...itemStops(),
    ...webhookStops(),
    ...inboundStops(),
    ...goodsInStops(),
    ...orderStops(town, now),
    ...storeStops(town),
    ...deliveryStops(town),
    ...pickupStops(town),
    ...sourcingStops(town),
    ...stockStops(),
    ...operatorStops(spare),
    ...peopleStops(),
    ...lastStops(),
    ...(isSandbox ? clockStops() : []),
  ];
}

/** The stops as a reader of the documentation sees them: of a town whose numbers and dates never change. */
export function tourToRead(): Stop[] {
  const spare = { credentialId: '5f2c81d0', apiKey: '', username: '', password: '' };
  const [ready, canceled, open, picked, returned] = ['100001', '100002', '100003', '100004', '100005'] as const;
  const town = {
    orders: townOrders,
    tickets: { open, ready, canceled, picked, returned },
    requests: { returned: '019ca8c1-7000-7000-8000-000000000001' },
  };
  const devices = { code: '7K3M9QW2X4ZB5N8R', deviceId: '019ca8c1-7000-7000-8000-000000000002' };
  return [...tourStops(town, Date.UTC(2026, 2, 2, 12), spare, true), ...sessionStops(devices), ...readerStops()];
}

const HEADERS: Record<Auth, string[]> = {
  basic: ['-u "$BASIC"', '-H "apiKey: $API_KEY"'],
  apiKey: ['-H "apiKey: $API_KEY"'],
  operator: ['-H "Authorization: Bearer $OPERATOR_KEY"'],
  operatorOrApiKey: ['-H "apiKey: $API_KEY"'],
  session: ['-b "$COOKIES"', '-c "$COOKIES"', '-H "Origin: $BASE"'],
  browser: ['-b "$COOKIES"', '-c "$COOKIES"', '-H "Origin: $BASE"'],
  none: [],
};

/** The curl line of a stop. It prints the answer and its status, and fails when the answer is a refusal. */
export function curlLine(stop: Stop): string {
  const operation = operations.find((each) => each.id === stop.operationId);
  if (operation === undefined) throw new Error(`there is no operation ${stop.operationId}`);
  const parts = ['curl -sS --fail-with-body', "-w ' %{http_code}\\n'", ...HEADERS[operation.auth]];
  if (operation.method !== 'GET' && !(operation.method === 'POST' && stop.body !== undefined))
    parts.push(`-X ${operation.method}`);
  if (stop.body !== undefined)
    parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(stop.body))}`);
  if (stop.csv !== undefined) parts.push("-F 'filename=@-;filename=items.csv;type=text/csv'");
  parts.push(`"$BASE${stop.path}"`);
  const line = parts.join(' ').replace(/ -X POST(?=.* -F )/, '');
  return stop.csv === undefined ? line : `printf ${quoted(stop.csv)} | ${line}`;
}

/** One line of the tour as the demo prints it: what it is for, and how to call it. */
export function titleOf(stop: Stop): string {
  const operation = operations.find((each) => each.id === stop.operationId);
  return `${stop.operationId}: ${operation?.summary ?? ''}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
