/**
 * A tour of the small town: one curl line for every operation. The lines are in an order in which every request
 * succeeds. The requests are the examples of the operations. The demo prints the lines, and a test runs them. The lines
 * use the shell variables of `tourVariables`.
 */
import type { Auth, Operation } from '../../platform/http/operation.ts';
import { formatDateTime } from '../../platform/time.ts';
import { operationNamed, operations } from '../operations.ts';
import { type Names, named } from './names.ts';
import { townOrders } from './orders.ts';
import { harbourStreet, type Secrets, type Town } from './town.ts';

/** One request of the tour. */
export interface Stop {
  operationId: string;
  /** Absent if the request only prepares the operation of the next stop. */
  isExample?: true;
  path: string;
  body?: unknown;
  /** CSV text of an upload, lines separated by `\n`. */
  csv?: string;
  /** X12 text of the body. */
  x12?: string;
}

/** The parts of the town that the stops use. */
type Held = Pick<Town, 'orders' | 'tickets' | 'requests' | 'edi' | 'returns' | 'refunds'>;

/** A code that enrolls a browser, and an enrolled device. */
export interface Devices {
  code: string;
  deviceId: string;
}

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

/** All operations. Each operation follows the operations whose results its example needs. */
const ordered: readonly Operation[] = inOrder();

function inOrder(): Operation[] {
  const done = new Set<Operation>();
  const visit = (operation: Operation): void => {
    if (done.has(operation)) return;
    for (const id of operation.example.after ?? []) visit(operationNamed(id));
    done.add(operation);
  };
  operations.forEach(visit);
  return [...done];
}

/**
 * How a stop is called: with a key, with the cookies of a browser, on the sandbox's clock, or not at all (it is only
 * shown).
 */
type Kind = 'key' | 'browser' | 'clock' | 'shown';

function kindOf({ path, example, access: { auth } }: Operation): Kind {
  if (example.needs !== undefined) return 'shown';
  if (path.startsWith('/operator/v1/sandbox/')) return 'clock';
  return auth === 'session' || auth === 'browser' || auth === 'none' || example.path.includes('{devices.')
    ? 'browser'
    : 'key';
}

function stopsOf(kind: Kind, names: Names): Stop[] {
  return ordered
    .filter((operation) => kindOf(operation) === kind)
    .flatMap(({ id, example: { before = [], path, body, csv, x12 } }) => [
      ...before,
      {
        operationId: id,
        isExample: true as const,
        path,
        ...(body !== undefined && { body }),
        ...(csv !== undefined && { csv }),
        ...(x12 !== undefined && { x12 }),
      },
    ])
    .map((stop) => ({
      ...stop,
      path: named(stop.path, names),
      ...('body' in stop && { body: named(stop.body, names) }),
    }));
}

/**
 * Returns the stops of a freshly loaded town that are called with a key. `now` dates a new order. The tour revokes the
 * credential `spare`.
 */
export function tourStops(
  { orders, tickets, requests, edi, returns, refunds }: Held,
  now: number,
  spare: Secrets,
): Stop[] {
  return stopsOf('key', {
    orders,
    tickets: { ...tickets, ...nextTickets(tickets) },
    requests,
    edi: { ...edi },
    returns: { ...returns },
    refunds: { ...refunds },
    spare: { ...spare },
    now: formatDateTime(now),
    harbourStreet,
  });
}

/** Ticket numbers count up, so the next numbers of a freshly loaded town are known. */
export function nextTickets({ open, handedOver }: Town['tickets']): { next: string; afterNext: string } {
  const last = Number(handedOver === '' ? open : handedOver);
  return { next: String(last + 1), afterNext: String(last + 2) };
}

/** Returns the stops that move the clock of a sandbox. */
export function clockStops(): Stop[] {
  return stopsOf('clock', {});
}

/**
 * Returns the stops that are called with the cookies of a browser. They come after the stops of `tourStops`, because
 * one of those stops creates the user who signs in.
 */
export function sessionStops(devices: Devices): Stop[] {
  return stopsOf('browser', { devices: { ...devices } });
}

/** Returns the stops for the documentation, from a town whose numbers and dates never change. */
export function tourToRead(): Stop[] {
  const spare = { credentialId: '5f2c81d0', apiKey: '', username: '', password: '' };
  const [ready, canceled, open, picked, returned] = ['100001', '100002', '100003', '100004', '100005'] as const;
  const town = {
    orders: townOrders,
    tickets: { open, ready, canceled, picked, returned, handedOver: '' },
    requests: { returned: '019ca8c1-7000-7000-8000-000000000001' },
    edi: {
      interchange: '019ca8c1-7000-7000-8000-000000000003',
      rejected: '019ca8c1-7000-7000-8000-000000000004',
      answer: '019ca8c1-7000-7000-8000-000000000005',
    },
    returns: {
      requested: '019ca8c1-7000-7000-8000-000000000013',
      held: '019ca8c1-7000-7000-8000-000000000014',
      blind: '019ca8c1-7000-7000-8000-000000000015',
    },
    refunds: { due: '019ca8c1-7000-7000-8000-000000000016' },
  };
  const devices = { code: '7K3M9QW2X4ZB5N8R', deviceId: '019ca8c1-7000-7000-8000-000000000002' };
  return [
    ...tourStops(town, Date.UTC(2026, 2, 2, 12), spare),
    ...clockStops(),
    ...sessionStops(devices),
    ...stopsOf('shown', {}),
  ];
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

/** Returns the curl line of a stop. The line prints the response and its status, and fails for an error response. */
export function curlLine(stop: Stop): string {
  const operation = operationNamed(stop.operationId);
  const parts = ['curl -sS --fail-with-body', "-w ' %{http_code}\\n'", ...HEADERS[operation.access.auth]];
  if (operation.method !== 'GET' && !(operation.method === 'POST' && stop.body !== undefined))
    parts.push(`-X ${operation.method}`);
  if (stop.body !== undefined)
    parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(stop.body))}`);
  if (stop.csv !== undefined) parts.push("-F 'filename=@-;filename=items.csv;type=text/csv'");
  // A line of the demo must be one command, so the optional line breaks between segments are removed.
  if (stop.x12 !== undefined)
    parts.push("-H 'Content-Type: application/edi-x12'", `--data-binary ${quoted(stop.x12.replaceAll('\n', ''))}`);
  parts.push(`"$BASE${stop.path}"`);
  const line = parts.join(' ').replace(/ -X POST(?=.* (-F|--data-binary) )/, '');
  return stop.csv === undefined ? line : `printf ${quoted(stop.csv)} | ${line}`;
}

/** Returns the title of a stop in the demo: the operation and its summary. */
export function titleOf(stop: Stop): string {
  return `${stop.operationId}: ${operationNamed(stop.operationId).summary}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
