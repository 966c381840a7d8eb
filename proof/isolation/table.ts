/**
 * The expected response of each cell: status and error code by operation, place and situation. Rules give the responses
 * of most cells; `exceptions.ts` has the responses of all other cells.
 */
import { type Auth, type Operation, pathParams } from '../../src/platform/http/operation.ts';
import { operations } from '../../src/service/operations.ts';
import { examplesOf } from '../../town/example-files.ts';
import { goodOf, isAsked, lastOf, placesIn, type Row, type Situation, situationsOf, type Table } from './cells.ts';
import { EXCEPTIONS } from './exceptions.ts';

/** The access that an operation declares. `needs`: the nodes and stores of a client to which a key must have access. */
interface Access {
  auth: Auth;
  needs?: 'all' | 'allNodes' | 'allStores';
}

const DENIED = '403 ACCESS_DENIED';
const NOT_FOUND = '404 NOT_FOUND';
const INVALID = '400 INVALID_REQUEST';
const UNKNOWN = 'CREDENTIALS_MISSING';

/** The properties of an operation that the rules use. */
interface Asked extends Access {
  id: string;
  isRead: boolean;
  /** The names of the path parameters. `things` are the parameters that are not a client, store or node. */
  names: ReadonlySet<string>;
  things: readonly string[];
  /** Status of the successful example. */
  success: string;
}

const SCOPES = ['clientId', 'storeId', 'nodeId'];

/**
 * Returns the response by the rules. The service checks the credential first, then its access to client, store and
 * node, then whether the resource exists.
 */
function ruleOf(asked: Asked, place: string, situation: Situation): string {
  const { auth, success } = asked;
  if (auth === 'none' || situation === 'own') return success;
  switch (situation) {
    case 'otherClient':
    case 'missing':
      return foreign(asked, place, situation);
    case 'otherStore':
    case 'otherNode':
      return elsewhere(asked, place, situation);
    default:
      if (auth === 'session') return `401 ${UNKNOWN}`;
      // A valid API key of a client gives no access to an operator's operation. An invalid key counts as a missing key.
      if (auth === 'operator') return ['revoked', 'expired', 'noKey'].includes(situation) ? `401 ${UNKNOWN}` : DENIED;
      if (auth === 'browser') return '403 CROSS_ORIGIN';
  }
  switch (situation) {
    case 'revoked':
    case 'expired':
      return `${auth === 'operatorOrApiKey' ? 401 : 403} CREDENTIALS_INVALID`;
    case 'noKey':
      return `${auth === 'operatorOrApiKey' ? 401 : 403} ${UNKNOWN}`;
    case 'wrongGroup':
      return DENIED;
    case 'asOther':
      return asOther(asked, place);
    default:
      return narrowed(asked, place, situation);
  }
}

/** Returns the response for an identifier that belongs to another client or does not exist. */
function foreign(asked: Asked, place: string, situation: 'otherClient' | 'missing'): string {
  const { auth, names, things, success } = asked;
  const name = lastOf(place);
  if (auth === 'operator' && place === 'path:clientId' && situation === 'otherClient') {
    return names.size === 1 ? success : NOT_FOUND;
  }
  if (name === 'nodeid' && place.startsWith('/') && auth !== 'operator' && !names.has('nodeId')) return DENIED;
  if (place === 'query:clientId') return DENIED;
  if (place.startsWith('path:')) {
    const isThing = things.includes(place.slice('path:'.length)) && name !== 'sellerid';
    if (isThing) return auth === 'apiKey' ? INVALID : NOT_FOUND;
    return auth === 'operator' ? NOT_FOUND : DENIED;
  }
  if (place.startsWith('query:')) return name === 'sellerid' ? NOT_FOUND : success;
  return name === 'fulfillmentorderid' && auth !== 'apiKey' ? success : INVALID;
}

/** Returns whether the place is the store of a list. A caller can list the rows of any store of its client. */
function isListOfStore({ isRead, things }: Asked, place: string): boolean {
  return place === 'path:storeId' && isRead && things.length === 0;
}

/** Returns the response for an identifier of another store or node of the client. */
function elsewhere(asked: Asked, place: string, situation: 'otherStore' | 'otherNode'): string {
  const { auth, isRead, success } = asked;
  if (isListOfStore(asked, place)) return success;
  if (auth === 'apiKey') return INVALID;
  if (auth === 'operator') return success;
  // A filter of a list finds nothing, or only rows that the caller has access to.
  if (place.startsWith('query:') && lastOf(place) !== 'sellerid') return success;
  if (place.startsWith('/') && lastOf(place) === 'fulfillmentorderid') return success;
  return situation === 'otherNode' && place === 'path:nodeId' && isRead ? success : NOT_FOUND;
}

/**
 * Returns the response to another client whose identifier is in this place. All other identifiers belong to the client
 * TOWN.
 */
function asOther(asked: Asked, place: string): string {
  const { auth, names, things, isRead, success } = asked;
  if (isListOfStore(asked, place)) return success;
  if (place === 'path:storeId') return auth === 'apiKey' ? INVALID : NOT_FOUND;
  if (place !== 'path:clientId') return DENIED;
  if (names.has('nodeId')) return isRead && things.length === 0 ? success : DENIED;
  return things.length > 0 ? NOT_FOUND : success;
}

/**
 * Returns the response to a key that is limited to another store or node of the client. The identifier in this place is
 * outside of the limits of the key.
 */
function narrowed(asked: Asked, place: string, situation: 'narrowedStore' | 'narrowedNode'): string {
  const { auth, needs, names, success } = asked;
  const [name, all] = situation === 'narrowedStore' ? ['storeId', 'allStores'] : ['nodeId', 'allNodes'];
  if (SCOPES.includes(place.slice('path:'.length)) && place.startsWith('path:')) return DENIED;
  if (names.has(name) || needs === 'all' || needs === all) return DENIED;
  if (situation === 'narrowedNode' && auth === 'apiKey' && names.has('storeId')) return DENIED;
  if (situation === 'narrowedNode' && names.has('fulfillmentOrderId')) return NOT_FOUND;
  if (situation === 'narrowedStore' && names.has('number')) return NOT_FOUND;
  return place === '' ? success : foreign(asked, place, 'missing');
}

export const table: Table = Object.fromEntries(
  operations.filter(({ id }) => isAsked(id)).map((operation) => [operation.id, rowsOf(operation)]),
);

function rowsOf(operation: Operation): Table[string] {
  const {
    id,
    access: { auth, wholeClient },
  } = operation;
  const examples = examplesOf(id).map(({ request, reply }) => ({ ...request, status: reply.status }));
  const good = goodOf(id, examples);
  if (good === undefined) return {};
  const names = pathParams(operation.path);
  const asked: Asked = {
    auth,
    ...(wholeClient !== undefined && { needs: wholeClient === true ? 'all' : wholeClient }),
    id,
    isRead: operation.method === 'GET',
    names: new Set(names),
    things: names.filter((name) => !SCOPES.includes(name)),
    success: String(good.status),
  };
  const cells = (place: string) =>
    situationsOf(id, place).map((one) => [one, EXCEPTIONS[id]?.[place]?.[one] ?? ruleOf(asked, place, one)] as const);
  return Object.fromEntries(placesIn(id, good).map((place) => [place, Object.fromEntries(cells(place))]));
}

export interface Cell {
  row: Row;
  situation: Situation;
  expected: string;
}

export function cellsOf(rows: Table): Cell[] {
  return Object.entries(rows).flatMap(([operation, places]) =>
    Object.entries(places).flatMap(([place, situations]) =>
      Object.entries(situations).map(([situation, expected]) => ({
        row: { operation, place },
        situation: situation as Situation,
        expected,
      })),
    ),
  );
}
