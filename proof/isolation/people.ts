/**
 * People who have signed in: what every operation answers each role and each session that is no good. What a role may comes from the
 * table of roles (src/platform/roles.ts). The request is the smallest that shows it: an empty body and ids of nothing, so that whoever
 * is let in does nothing, and whoever is not is refused before anything is read.
 */
import { isPermitted } from '../../src/platform/http/auth.ts';
import { type Operation, pathParams } from '../../src/platform/http/operation.ts';
import { CLIENT_ROLES, permissionsOf, type Role } from '../../src/platform/roles.ts';
import { operations } from '../../src/service/operations.ts';
import { noteAnswer } from '../../test/support/example-files.ts';
import { type Answered, browserHeaders } from '../examples.ts';
import { type Call, NOON, type Service } from '../service.ts';

/** Sessions of which nothing is answered. */
const ENDED = ['locked', 'expired', 'revokedDevice', 'disabledUser'] as const;
/** A good session on a page of another site, in a user's own nodes and client but not those of the request, and of another client. */
const ELSEWHERE = ['otherSite', 'otherNode', 'otherClient'] as const;
const ROLES = [...CLIENT_ROLES, 'operator'] as const satisfies readonly Role[];

export type Person = (typeof ROLES)[number] | (typeof ENDED)[number] | (typeof ELSEWHERE)[number];

/** `Cookie` by who has signed in; of `otherNode` and `otherClient` there is one of each of two roles that share most operations. */
export type People = Readonly<Record<string, string>>;

/** One of these may do what some role of a client may. */
const STRONGEST = ['manager', 'integrator'] as const;

interface PersonCell {
  operation: Operation;
  who: Person;
}

/** The cells of one operation, or of all: those that take a session. */
export function peopleCells(operationId?: string): PersonCell[] {
  return operations
    .filter(({ id, auth }) => (operationId ?? id) === id && auth !== 'none' && auth !== 'browser')
    .flatMap((operation) => [...ROLES, ...ENDED, ...ELSEWHERE].map((who) => ({ operation, who })));
}

/** What a cell is answered: `in` is whatever is said to somebody who is let in. */
export function expectedOf(operation: Operation, who: Person): string {
  if (who === 'locked') return '401 SESSION_LOCKED';
  if (isIn(ENDED, who)) return '401 SESSION_ENDED';
  if (who === 'otherSite') return operation.method === 'GET' ? 'in' : '403 CROSS_ORIGIN';
  const denied = '403 ACCESS_DENIED';
  if (isIn(ROLES, who)) return operation.auth === 'session' || may(operation, who) ? 'in' : denied;
  if (operation.auth === 'session') return 'in';
  if (!STRONGEST.some((role) => may(operation, role))) return denied;
  const named = pathParams(operation.path);
  if (who === 'otherClient') {
    return ['clientId', 'sellerId', 'storeId', 'nodeId'].some((name) => named.includes(name)) ? denied : 'in';
  }
  const isAllNodes = operation.wholeClient === true || operation.wholeClient === 'allNodes';
  return isAllNodes || named.includes('nodeId') ? denied : 'in';
}

/** Whether an answer is the expected one. */
export function isAs(said: string, expected: string): boolean {
  // Passkeys need a host name, which this service has none of: that is said to whoever is let in.
  return expected === 'in' ? !/^(401|5\d\d|403 (?!PASSKEYS_OFF))/.test(said) : said === expected;
}

/** The request of a cell. */
export function personCall(people: People, operation: Operation, who: Person): Call {
  const values: Record<string, string> = {
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
  const asked = who === 'otherSite' ? (may(operation, role) || operation.auth === 'session' ? role : 'operator') : who;
  const name = who === 'otherNode' || who === 'otherClient' ? `${who} ${role}` : asked;
  return {
    method: operation.method,
    path,
    headers: { cookie: people[name]!, ...(who !== 'otherSite' && { 'sec-fetch-site': 'same-origin' }) },
    ...(operation.body !== undefined && { body: {} }),
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

/** Signs everybody in, so that the sessions are at NOON as their names say. */
export async function signInPeople(service: Service): Promise<People> {
  const { clock } = service;
  const people: Record<string, string> = {};
  const ok = async (asked: ReturnType<Service['call']>) => {
    const answer = await asked;
    if (answer.status >= 300) throw new Error(`a person was refused: ${answer.status} ${answer.text}`);
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
    people[name] = cookie();
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
  const { send } = await signIn('locked', 'p-manager', 'TOWN', true);
  await send('/session/lock');
  const { deviceId } = await signIn('revokedDevice', 'p-manager', 'TOWN', true);
  await ok(service.operator('DELETE', `${CLIENT}/TOWN/devices/${deviceId}`));
  await putUser('TOWN', 'p-disabled', 'manager');
  await signIn('disabledUser', 'p-disabled', 'TOWN');
  await putUser('TOWN', 'p-disabled', 'manager', { state: 'DISABLED' });
  return people;
}
