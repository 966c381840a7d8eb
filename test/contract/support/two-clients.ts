/** Two clients, each with a store, a node and credentials of every kind: what access rules are tried on. */
import { GROUPS } from '../../../src/platform/ctx.ts';
import { type Operation, pathParams } from '../../../src/platform/http/operation.ts';
import { type Answer, type Backroom, NOON, openBackroom } from '../../support/backroom.ts';
import { rowsStored } from '../../support/store.ts';

export interface Credential {
  credentialId: string;
  apiKey: string;
  username: string;
  password: string;
}

export interface TwoClients extends Backroom {
  /** Credential of client ONE, and of client TWO, for everything. */
  one: Credential;
  two: Credential;
  revoked: Credential;
  expired: Credential;
  /** One credential a group, of client ONE. */
  byGroup: Record<string, Credential>;
  /** Headers of a user of client ONE who is signed in. */
  session: Record<string, string>;
  /** A credential of client ONE for a store and a node that no path of these tests names. */
  elsewhere: Credential;
}

export async function openTwoClients(): Promise<TwoClients> {
  const backroom = await openBackroom({ PUBLIC_URL: 'http://localhost:8080' });
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
  if (answer.status >= 300) throw new Error(`provisioning answered ${answer.status}: ${answer.text}`);
  return answer;
}

/** Values of path variables for a client; `of('ONE')` are there, those of `of('NONE')` are not. */
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
  const query = operation.query as { required?: string[] } | undefined;
  const required = (query?.required ?? []).map((name) => `${name}=WAITING_FOR_PICK_ISPU`);
  return required.length === 0 ? path : `${path}?${required.join('&')}`;
}

export function headersOf(credential: Credential, operation: Operation): Record<string, string> {
  if (operation.auth === 'browser') return { 'sec-fetch-site': 'same-origin' };
  const code = Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
  return { apikey: credential.apiKey, ...(operation.auth === 'basic' && { authorization: `Basic ${code}` }) };
}

/** Code of a refusal in any of the three shapes. */
export function codeOf(answer: Answer): string {
  const body = answer.body as { code?: string; poAsnData?: { errors: { code: string }[] }[] };
  return body.code ?? body.poAsnData?.[0]?.errors[0]?.code ?? '';
}

/** Everything the database holds, as text: what a refused request must leave as it was. */
export async function contentOf(backroom: Backroom): Promise<string> {
  return JSON.stringify(await rowsStored(backroom.store));
}
