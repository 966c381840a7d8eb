/** Two clients with stores and nodes, for tests of access. Client ONE has credentials of every kind and a user. */
import { GROUPS } from '../../../src/platform/ctx.ts';
import { type Operation, pathParams } from '../../../src/platform/http/operation.ts';
import { type Answer, type Backroom, NOON, openBackroom } from '../../support/backroom.ts';
import { digestsOf } from '../../support/store.ts';

export interface Credential {
  credentialId: string;
  apiKey: string;
  username: string;
  password: string;
}

export interface TwoClients extends Backroom {
  /** A credential of client ONE with full access; `two` is such a credential of client TWO. */
  one: Credential;
  two: Credential;
  revoked: Credential;
  expired: Credential;
  /** Credentials of client ONE, one for each group. */
  byGroup: Record<string, Credential>;
  /** Headers of a signed-in user of client ONE. */
  session: Record<string, string>;
  /** A credential of client ONE for a store and a node that no path of these tests names. */
  elsewhere: Credential;
}

export async function openTwoClients(): Promise<TwoClients> {
  // The clock of these tests does not advance by itself. A rate limit of long bodies, once reached, would reject every
  // later long body, so it is switched off.
  const backroom = await openBackroom({ PUBLIC_URL: 'http://localhost:8080', LONG_BODY_RATE_LIMIT: 'none' });
  for (const clientId of ['ONE', 'TWO']) await provision(backroom, clientId);
  const make = async (clientId: string, members: Record<string, unknown>): Promise<Credential> =>
    (await done(backroom.operator('POST', `/operator/v1/clients/${clientId}/credentials`, { label: 'x', ...members })))
      .body as Credential;
  const one = await make('ONE', {});
  const two = await make('TWO', {});
  const revoked = await make('ONE', {});
  await done(backroom.operator('DELETE', `/operator/v1/clients/ONE/credentials/${revoked.credentialId}`));
  const expired = await make('ONE', { expiresAt: new Date(NOON + 1000).toISOString() });
  backroom.clock.now = NOON + 1000;
  const byGroup: Record<string, Credential> = {};
  for (const group of GROUPS) byGroup[group] = await make('ONE', { groups: [group] });
  const elsewhere = await make('ONE', { storeIds: ['S-ONE-2'], nodeIds: ['N-ONE-2'], groups: GROUPS });
  const user = { name: 'Uma', role: 'manager', nodeIds: [], password: 'correct horse battery' };
  await done(backroom.operator('PUT', '/operator/v1/clients/ONE/users/uma', user));
  const own = { 'sec-fetch-site': 'same-origin' };
  const body = { clientId: 'ONE', userId: 'uma', password: user.password };
  const signedIn = await done(backroom.call({ method: 'POST', path: '/session', headers: own, body }));
  const session = { ...own, cookie: String(signedIn.headers['set-cookie']).split(';', 1)[0]! };
  return { ...backroom, session, one, two, revoked, expired, byGroup, elsewhere };
}

async function provision(backroom: Backroom, clientId: string): Promise<void> {
  const base = `/operator/v1/clients/${clientId}`;
  const catalogId = clientId === 'ONE' ? 'C1' : 'C2';
  await done(backroom.operator('PUT', base, { name: clientId, catalogIds: [catalogId] }));
  for (const [index, end] of ['', '-2'].entries()) {
    await done(
      backroom.operator('PUT', `${base}/stores/S-${clientId}${end}`, {
        name: 'store',
        catalogId,
        sellerId: `SELLER-${clientId}`,
        storeCode: String(index),
        currency: 'EUR',
      }),
    );
    await done(
      backroom.operator('PUT', `${base}/nodes/N-${clientId}${end}`, {
        name: 'node',
        nodeType: 'STORE',
        timeZone: 'Europe/Lisbon',
        address: { line1: 'Rua 1', city: 'Lisboa', mainDivisionCode: '', postalCode: '1000', countryCode: 'PT' },
        phone: '1',
        openingHours: [],
        holdLocations: [],
        fulfillmentTypes: ['STORE_PICK_UP'],
      }),
    );
  }
}

async function done(call: Promise<Answer>): Promise<Answer> {
  const answer = await call;
  if (answer.status >= 300) throw new Error(`provisioning responded ${answer.status}: ${answer.text}`);
  return answer;
}

/** Returns the path of an operation with the ids of a client. The ids of ONE exist, the ids of NONE do not. */
export function pathOf(operation: Operation, clientId: string): string {
  const values: Record<string, string> = {
    clientId,
    storeId: `S-${clientId}`,
    sellerId: `SELLER-${clientId}`,
    nodeId: `N-${clientId}`,
    itemId: 'C1-X',
    type: 'ASN',
  };
  const path = pathParams(operation.path).reduce(
    (text, name) => text.replace(`{${name}}`, values[name] ?? 'X1'),
    operation.path,
  );
  const query: { required?: string[] } | undefined = operation.message.query;
  const required = (query?.required ?? []).map((name) => `${name}=WAITING_FOR_PICK_ISPU`);
  return required.length === 0 ? path : `${path}?${required.join('&')}`;
}

export function headersOf(credential: Credential, operation: Operation): Record<string, string> {
  if (operation.access.auth === 'browser') return { 'sec-fetch-site': 'same-origin' };
  const code = Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
  return { apikey: credential.apiKey, ...(operation.access.auth === 'basic' && { authorization: `Basic ${code}` }) };
}

/** Returns the error code of a response in any of the three error formats; an empty text if it has no code. */
export function codeOf(answer: Answer): string {
  const body = answer.body as { code?: string; poAsnData?: { errors: { code: string }[] }[] } | undefined;
  return body?.code ?? body?.poAsnData?.[0]?.errors[0]?.code ?? '';
}

/** Returns the digests of all tables as text. A rejected request must not change them. */
export async function contentOf(backroom: Backroom): Promise<string> {
  return JSON.stringify([...(await digestsOf(backroom.store))].sort());
}
