/**
 * Commands of the operator's set-up: the client, further stores and nodes, users, identity providers, and credentials
 * with their permissions.
 */
import fc from 'fast-check';
import { GROUPS } from '../../src/platform/ctx.ts';
import type { Secrets } from '../../src/service/demo/town.ts';
import { clientHeaders } from '../../town/call.ts';
import { type Command, type Rule, rule } from './command.ts';
import { settingsOf } from './terms.ts';
import { itemId, storeOf, type World } from './world.ts';

const ofClient = ({ id }: World, path = '') => `/operator/v1/clients/${id}${path}`;
const spare = { spare: fc.nat(1) };
const title = { title: fc.nat(2) };

/** Returns the result of a PUT: 201 for the first PUT of a resource, 200 for each further PUT. */
function put(made: Map<number, number>, spare: number, title: number) {
  const isNew = !made.has(spare);
  made.set(spare, title);
  return { status: isNew ? 201 : 200 };
}

function read(made: ReadonlyMap<number, number>, spare: number) {
  return made.has(spare) ? { status: 200, shows: `name ${made.get(spare)}` } : { status: 404 };
}

const nameOf = (body: { name: string }) => body.name;

const putClient = rule({
  weight: 1,
  members: fc.record(title),
  send: (world, { title }) =>
    world.operator('PUT', ofClient(world), {
      name: `name ${title}`,
      catalogIds: ['21'],
      settings: settingsOf(world.model.settings),
    }),
  expect(model, { title }) {
    model.clientTitle = title;
    return { status: 200 };
  },
});

const getClient = rule({
  weight: 1,
  members: fc.constant({}),
  send: (world) => world.operator('GET', ofClient(world)),
  expect: ({ clientTitle }) => ({ status: 200, ...(clientTitle !== undefined && { shows: `name ${clientTitle}` }) }),
  shows: nameOf,
});

const listClients = rule({
  weight: 1,
  members: fc.constant({}),
  send: ({ operator }) => operator('GET', '/operator/v1/clients?limit=1'),
  expect: () => ({ status: 200, shows: 1 }),
  shows: (body: { clients: unknown[] }) => body.clients.length,
});

const storeId = (world: World, number: number) => `${world.id}_S${number}`;

const putStore = rule({
  weight: 1,
  members: fc.record({ ...spare, ...title }),
  send: (world, { spare, title }) =>
    world.operator('PUT', ofClient(world, `/stores/${storeId(world, spare)}`), {
      name: `name ${title}`,
      catalogId: '21',
      sellerId: `${world.id}-S`,
      storeCode: String(spare + 2),
      currency: 'USD',
    }),
  expect: ({ stores }, { spare, title }) => put(stores, spare, title),
});

const getStore = rule({
  weight: 1,
  members: fc.record(spare),
  send: (world, { spare }) => world.operator('GET', ofClient(world, `/stores/${storeId(world, spare)}`)),
  expect: ({ stores }, { spare }) => read(stores, spare),
  shows: nameOf,
});

const listStores = rule({
  weight: 1,
  members: fc.constant({}),
  send: (world) => world.operator('GET', ofClient(world, '/stores')),
  expect: ({ stores }) => ({ status: 200, shows: stores.size + 2 }),
  shows: (body: { stores: unknown[] }) => body.stores.length,
});

const nodeId = (world: World, number: number) => `${world.id}-N${number}`;

const putNode = rule({
  weight: 1,
  members: fc.record({ ...spare, ...title }),
  send: (world, { spare, title }) =>
    world.operator('PUT', ofClient(world, `/nodes/${nodeId(world, spare)}`), {
      name: `name ${title}`,
      nodeType: 'STORE',
      timeZone: 'UTC',
      address: { line1: '1', city: 'N', mainDivisionCode: 'RI', postalCode: '1', countryCode: 'US' },
      phone: '1',
      openingHours: [],
      holdLocations: [],
      fulfillmentTypes: ['STORE_PICK_UP'],
    }),
  expect: ({ nodes }, { spare, title }) => put(nodes, spare, title),
});

const getNode = rule({
  weight: 1,
  members: fc.record(spare),
  send: (world, { spare }) => world.operator('GET', ofClient(world, `/nodes/${nodeId(world, spare)}`)),
  expect: ({ nodes }, { spare }) => read(nodes, spare),
  shows: nameOf,
});

const listNodes = rule({
  weight: 1,
  members: fc.constant({}),
  send: (world) => world.operator('GET', ofClient(world, '/nodes')),
  expect: ({ nodes }) => ({ status: 200, shows: nodes.size + 3 }),
  shows: (body: { nodes: unknown[] }) => body.nodes.length,
});

const getNodeItem = rule({
  weight: 1,
  members: fc.record({ sku: fc.nat(2) }),
  send: (world, { sku }) => world.operator('GET', ofClient(world, `/nodes/${world.id}-1/items/${itemId(sku)}`)),
  expect: ({ fed }, { sku }) => ({ status: fed.has(`1/${sku}`) ? 200 : 404 }),
});

const createCredential = rule<{ groups: string[] }, Secrets & { groups: string[] }>({
  weight: 1,
  members: fc.record({ groups: fc.subarray([...GROUPS], { minLength: 1 }) }),
  async send(world, { groups }) {
    const answer = await world.operator('POST', ofClient(world, '/credentials'), { label: 'spare', groups });
    if (answer.status === 201) world.credentials.push(answer.body as Secrets);
    return answer;
  },
  expect(model, { groups }) {
    model.credentials.push({ groups, isRevoked: false });
    return { status: 201, shows: groups };
  },
  shows: (body) => GROUPS.filter((group) => body.groups.includes(group)),
});

const credential = { credential: fc.nat(3) };

function known<C extends { credential: number }>(
  { credentials }: { credentials: readonly unknown[] },
  command: C,
): C | undefined {
  return credentials.length === 0 ? undefined : { ...command, credential: command.credential % credentials.length };
}

const pathOf = (world: World, index: number) =>
  ofClient(world, `/credentials/${world.credentials[index]!.credentialId}`);

const getCredential = rule({
  weight: 1,
  members: fc.record(credential),
  fit: known,
  send: (world, { credential }) => world.operator('GET', pathOf(world, credential)),
  expect({ credentials }, { credential }) {
    const { groups, isRevoked } = credentials[credential]!;
    return { status: 200, shows: [groups, isRevoked] };
  },
  shows: (body: { groups: string[]; revokedAt?: string }) => [
    GROUPS.filter((group) => body.groups.includes(group)),
    body.revokedAt !== undefined,
  ],
});

const listCredentials = rule({
  weight: 1,
  members: fc.constant({}),
  send: (world) => world.operator('GET', ofClient(world, '/credentials')),
  expect: ({ credentials }) => ({ status: 200, shows: credentials.length + 1 }),
  shows: (body: { credentials: unknown[] }) => body.credentials.length,
});

const revokeCredential = rule({
  weight: 1,
  members: fc.record(credential),
  fit: known,
  send: (world, { credential }) => world.operator('DELETE', pathOf(world, credential)),
  expect({ credentials }, { credential }) {
    credentials[credential]!.isRevoked = true;
    return { status: 204 };
  },
});

/** Reads an item with a credential, which must have the group `items` and must not be revoked. */
const useCredential = rule({
  weight: 2,
  members: fc.record({ ...credential, sku: fc.nat(2) }),
  fit: known,
  send: (world, { credential, sku }) =>
    world.as(
      clientHeaders(world.credentials[credential]!),
      'GET',
      `/item-service/stores/${storeOf(world)}/items/${itemId(sku)}`,
    ),
  expect({ credentials, items }, { credential, sku }) {
    const { groups, isRevoked } = credentials[credential]!;
    if (isRevoked || !groups.includes('items')) return { status: 403 };
    return { status: items.has(sku) ? 200 : 404 };
  },
});

const whoAmI = rule({
  weight: 1,
  members: fc.record(credential),
  fit: known,
  send: (world, { credential }) =>
    world.as({ apikey: world.credentials[credential]!.apiKey }, 'GET', '/operator/v1/me'),
  expect({ credentials }, { credential }) {
    const { groups, isRevoked } = credentials[credential]!;
    return isRevoked ? { status: 401 } : { status: 200, shows: ['CREDENTIAL', groups] };
  },
  shows: (body: { kind: string; groups: string[] }) => [
    body.kind,
    GROUPS.filter((group) => body.groups.includes(group)),
  ],
});

const putUser = rule({
  weight: 1,
  members: fc.record({ ...spare, ...title }),
  send: (world, { spare, title }) =>
    world.operator('PUT', ofClient(world, `/users/user${spare}`), {
      name: `name ${title}`,
      password: 'tide-and-sand-7',
      role: 'associate',
      nodeIds: [`${world.id}-1`],
    }),
  expect: ({ users }, { spare, title }) => put(users, spare, title),
});

const getUser = rule({
  weight: 1,
  members: fc.record(spare),
  send: (world, { spare }) => world.operator('GET', ofClient(world, `/users/user${spare}`)),
  expect: ({ users }, { spare }) => read(users, spare),
  shows: nameOf,
});

const listUsers = rule({
  weight: 1,
  members: fc.constant({}),
  send: (world) => world.operator('GET', ofClient(world, '/users')),
  expect: ({ users }) => ({ status: 200, shows: users.size }),
  shows: (body: { users: unknown[] }) => body.users.length,
});

const providerPath = (world: World, spare: number) => ofClient(world, `/identityProviders/provider${spare}`);

const putIdentityProvider = rule({
  weight: 1,
  members: fc.record({ ...spare, ...title }),
  send: (world, { spare, title }) =>
    world.operator('PUT', providerPath(world, spare), {
      name: `name ${title}`,
      issuer: 'https://login.example.com',
      oidcClientId: 'backroom',
      clientSecret: 'tide-and-sand-8',
    }),
  expect: ({ providers }, { spare, title }) => put(providers, spare, title),
});

const getIdentityProvider = rule({
  weight: 1,
  members: fc.record(spare),
  send: (world, { spare }) => world.operator('GET', providerPath(world, spare)),
  expect: ({ providers }, { spare }) => read(providers, spare),
  shows: nameOf,
});

const listIdentityProviders = rule({
  weight: 1,
  members: fc.constant({}),
  send: (world) => world.operator('GET', ofClient(world, '/identityProviders')),
  expect: ({ providers }) => ({ status: 200, shows: providers.size }),
  shows: (body: { identityProviders: unknown[] }) => body.identityProviders.length,
});

const listSignInProviders = rule({
  weight: 1,
  members: fc.constant({}),
  send: (world) => world.as({}, 'GET', `/session/providers?clientId=${world.id}`),
  expect: ({ providers }) => ({ status: 200, shows: providers.size }),
  shows: (body: { providers: unknown[] }) => body.providers.length,
});

const deleteIdentityProvider = rule({
  weight: 1,
  members: fc.record(spare),
  send: (world, { spare }) => world.operator('DELETE', providerPath(world, spare)),
  expect: ({ providers }, { spare }) => ({ status: providers.delete(spare) ? 204 : 404 }),
});

export const provisioning: Record<string, Rule<Command>> = {
  putClient,
  getClient,
  listClients,
  putStore,
  getStore,
  listStores,
  putNode,
  getNode,
  listNodes,
  getNodeItem,
  createCredential,
  getCredential,
  listCredentials,
  revokeCredential,
  useCredential,
  whoAmI,
  putUser,
  getUser,
  listUsers,
  putIdentityProvider,
  getIdentityProvider,
  listIdentityProviders,
  listSignInProviders,
  deleteIdentityProvider,
};
