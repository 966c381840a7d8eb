/**
 * Signed-in users: the response of every operation to each role and to each invalid session. The permissions are in the
 * table of roles (src/platform/roles.ts). The request is the smallest one that shows a permission: an empty body and
 * ids that do not exist. With permission the request changes nothing. Without permission the service rejects the
 * request before it reads the body.
 */
import { isPermitted } from '../../src/platform/http/auth.ts';
import { type Operation, pathParams } from '../../src/platform/http/operation.ts';
import { CLIENT_ROLES, permissionsOf, ROLES, type Role } from '../../src/platform/roles.ts';
import { operations } from '../../src/service/operations.ts';
import type { Call } from '../../town/call.ts';
import { noteAnswer } from '../../town/example-files.ts';
import { type Answered, browserHeaders } from '../examples.ts';
import { NOON, type Service } from '../service.ts';

/** Sessions that the service must reject. */
const ENDED = ['locked', 'expired', 'revokedDevice', 'disabledUser'] as const;
/**
 * Valid sessions without access: on a page of another site, at a node where the user does not work, and of another
 * client.
 */
const ELSEWHERE = ['otherSite', 'otherNode', 'otherClient'] as const;
/** A user of one node who requests data of another node, or of all nodes, with valid ids. */
const BEYOND = 'beyond' as const;

export type Person = (typeof ROLES)[number] | (typeof ENDED)[number] | (typeof ELSEWHERE)[number] | typeof BEYOND;

export interface People {
  /**
   * The `Cookie` header of each person. `otherNode` and `otherClient` have a header for each of the two roles in
   * `STRONGEST`.
   */
  cookies: Readonly<Record<string, string>>;
  /**
   * Ids for the requests of `beyond`, by path parameter. They belong to a node that is not the user's, or to data of
   * all nodes.
   */
  beyond: Readonly<Record<string, string>>;
}

interface BeyondCell {
  said: string;
  body?: unknown;
  /** Content that the response must not have: the id of `People.beyond` for this path parameter, or this text. */
  hides?: { id: string } | { text: string };
}

const HIDDEN = '404 NOT_FOUND';
const DENIED = '403 ACCESS_DENIED';

/** The results for `beyond`, for operations that grant, show or revoke the access of people, devices and keys. */
export const BEYOND_CELLS: Readonly<Record<string, BeyondCell>> = {
  createCredential: { body: { label: 'x', groups: ['items'] }, said: DENIED },
  getCredential: { said: HIDDEN },
  listCredentials: { said: '200', hides: { id: 'credentialId' } },
  revokeCredential: { said: HIDDEN },
  putUser: { body: { name: 'x', role: 'associate', nodeIds: ['TOWN-Store002'] }, said: DENIED },
  getUser: { said: HIDDEN },
  listUsers: { said: '200', hides: { id: 'userId' } },
  givePin: { said: DENIED },
  giveBadge: { said: DENIED },
  endUserSessions: { said: DENIED },
  listDevices: { said: '200', hides: { id: 'deviceId' } },
  revokeDevice: { said: DENIED },
  unlockDevice: { said: DENIED },
  listAccessEvents: { said: '200', hides: { text: 'device.enrolled' } },
};

/** Every permission of a client's roles belongs to at least one of these two roles. */
const STRONGEST = ['manager', 'integrator'] as const;

interface PersonCell {
  operation: Operation;
  who: Person;
}

/** Returns the cells of one operation, or of all operations that accept a session. */
export function peopleCells(operationId?: string): PersonCell[] {
  return operations
    .filter(({ id, access: { auth } }) => (operationId ?? id) === id && auth !== 'none' && auth !== 'browser')
    .flatMap((operation) =>
      [...ROLES, ...ENDED, ...ELSEWHERE, ...(operation.id in BEYOND_CELLS ? [BEYOND] : [])].map((who) => ({
        operation,
        who,
      })),
    );
}

/** Returns the expected result of a cell. `in` means any response to a caller with permission. */
export function expectedOf(operation: Operation, who: Person): string {
  if (who === BEYOND) return BEYOND_CELLS[operation.id]!.said;
  if (who === 'locked') return '401 SESSION_LOCKED';
  if (isIn(ENDED, who)) return '401 SESSION_ENDED';
  if (who === 'otherSite') return operation.method === 'GET' ? 'in' : '403 CROSS_ORIGIN';
  if (isIn(ROLES, who)) return operation.access.auth === 'session' || may(operation, who) ? 'in' : DENIED;
  if (operation.access.auth === 'session') return 'in';
  if (!STRONGEST.some((role) => may(operation, role))) return DENIED;
  const named = pathParams(operation.path);
  if (who === 'otherClient') {
    return ['clientId', 'sellerId', 'storeId', 'nodeId'].some((name) => named.includes(name)) ? DENIED : 'in';
  }
  const isAllNodes = operation.access.wholeClient === true || operation.access.wholeClient === 'allNodes';
  return isAllNodes || named.includes('nodeId') ? DENIED : 'in';
}

/** Returns whether a response has the expected result. */
export function isAs(said: string, expected: string): boolean {
  // Passkeys need a host name, which this service does not have. So callers with permission get PASSKEYS_OFF.
  return expected === 'in' ? !/^(401|5\d\d|403 (?!PASSKEYS_OFF))/.test(said) : said === expected;
}

/** Returns the forbidden content that a response to `beyond` has; undefined if there is no such content. */
export function leakOf({ beyond }: People, { id }: Operation, who: Person, text: string): string | undefined {
  const hides = who === BEYOND ? BEYOND_CELLS[id]!.hides : undefined;
  if (hides === undefined) return undefined;
  const hidden = 'id' in hides ? JSON.stringify(beyond[hides.id]) : hides.text;
  return text.includes(hidden) ? hidden : undefined;
}

/** Returns the request of a cell. */
export function personCall({ cookies, beyond }: People, operation: Operation, who: Person): Call {
  const values: Record<string, string> = {
    ...(who === BEYOND && beyond),
    clientId: 'TOWN',
    storeId: 'TOWN_US',
    sellerId: 'TOWNS',
    nodeId: 'TOWN-Store001',
    type: 'ASN',
  };
  const path = pathParams(operation.path).reduce(
    (text, name) => text.replace(`{${name}}`, values[name] ?? 'X1'),
    operation.path,
  );
  const role = STRONGEST.find((one) => may(operation, one)) ?? 'manager';
  const asked =
    who === 'otherSite' ? (may(operation, role) || operation.access.auth === 'session' ? role : 'operator') : who;
  const elsewhere = who === BEYOND ? 'otherNode' : who;
  const name = elsewhere === 'otherNode' || elsewhere === 'otherClient' ? `${elsewhere} ${role}` : asked;
  const body = who === BEYOND ? BEYOND_CELLS[operation.id]!.body : {};
  return {
    method: operation.method,
    path,
    headers: { cookie: cookies[name]!, ...(who !== 'otherSite' && { 'sec-fetch-site': 'same-origin' }) },
    ...(operation.message.body !== undefined && { body }),
  };
}

function may(operation: Operation, role: Role): boolean {
  return isPermitted(operation, permissionsOf(role));
}

function isIn<T extends string>(list: readonly T[], one: string): one is T {
  return (list as readonly string[]).includes(one);
}

const MINUTE_MS = 60_000;
const CLIENT = '/operator/v1/clients';
const PASSWORD = 'northern-lights-of-people';

/** Signs in all users. The times of the sign-ins are chosen so that each session has the state of its name at NOON. */
export async function signInPeople(service: Service): Promise<People> {
  const { clock } = service;
  const cookies: Record<string, string> = {};
  const ok = async (asked: ReturnType<Service['call']>) => {
    const answer = await asked;
    if (answer.status >= 300) throw new Error(`a person was rejected: ${answer.status} ${answer.text}`);
    return answer;
  };
  const putUser = (clientId: string, userId: string, role: Role, more: object = {}) =>
    ok(
      service.operator('PUT', `${CLIENT}/${clientId}/users/${userId}`, {
        name: userId,
        role,
        password: PASSWORD,
        nodeIds: [],
        ...more,
      }),
    );
  const browser = () => {
    const answered: Answered = { last: {}, cookies: new Map() };
    const send = async (path: string, body?: unknown) => {
      const answer = await ok(service.call({ method: 'POST', path, headers: browserHeaders(answered), body }));
      noteAnswer(answered, answer.headers['set-cookie'], answer.body);
      return answer.body as Record<string, string>;
    };
    return { send, cookie: () => browserHeaders(answered)['cookie']! };
  };
  const signIn = async (name: string, userId: string, clientId?: string, onDevice = false) => {
    const { send, cookie } = browser();
    let deviceId = '';
    if (onDevice) {
      const made = await ok(service.operator('POST', `${CLIENT}/TOWN/nodes/TOWN-Store001/deviceCodes`));
      const { code } = made.body as { code: string };
      ({ deviceId = '' } = await send('/session/device', { code, name }));
    }
    await send('/session', { ...(clientId !== undefined && { clientId }), userId, password: PASSWORD });
    cookies[name] = cookie();
    return { send, deviceId };
  };

  clock.now = NOON - 31 * MINUTE_MS;
  await putUser('TOWN', 'p-manager', 'manager');
  await signIn('expired', 'p-manager', 'TOWN');
  clock.now = NOON - 5 * MINUTE_MS;
  for (const role of CLIENT_ROLES) {
    if (role !== 'manager') await putUser('TOWN', `p-${role}`, role);
    await signIn(role, `p-${role}`, 'TOWN');
  }
  await ok(service.operator('PUT', '/operator/v1/people/p-operator', { name: 'p-operator', password: PASSWORD }));
  await signIn('operator', 'p-operator');
  for (const role of STRONGEST) {
    await putUser('TOWN', `p-other-${role}`, role, { nodeIds: ['TOWN-Store002'] });
    await signIn(`otherNode ${role}`, `p-other-${role}`, 'TOWN');
    await putUser('OTHER', `p-${role}`, role);
    await signIn(`otherClient ${role}`, `p-${role}`, 'OTHER');
  }
  const { send, deviceId: lost } = await signIn('locked', 'p-manager', 'TOWN', true);
  await send('/session/lock');
  const { deviceId } = await signIn('revokedDevice', 'p-manager', 'TOWN', true);
  await ok(service.operator('DELETE', `${CLIENT}/TOWN/devices/${deviceId}`));
  await putUser('TOWN', 'p-disabled', 'manager');
  await signIn('disabledUser', 'p-disabled', 'TOWN');
  await putUser('TOWN', 'p-disabled', 'manager', { state: 'DISABLED' });
  const key = await ok(service.operator('POST', `${CLIENT}/TOWN/credentials`, { label: 'x', groups: ['items'] }));
  const { credentialId } = key.body as { credentialId: string };
  return { cookies, beyond: { credentialId, deviceId: lost, userId: 'ana' } };
}
