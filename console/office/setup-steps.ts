/** The steps of a setup in order, with the number of existing resources of each. */
import { api, call, send } from '../api.ts';
import { clientId, may } from '../session.ts';
import { hasPassed } from './webhook-test.tsx';

export type Step = 'client' | 'store' | 'node' | 'people' | 'devices' | 'credential' | 'items' | 'webhook' | 'tested';

/** Users see the steps that they have the permission for. */
export const STEPS: readonly { step: Step; permissions: readonly string[] }[] = [
  { step: 'client', permissions: ['installation'] },
  { step: 'store', permissions: ['installation'] },
  { step: 'node', permissions: ['installation'] },
  { step: 'people', permissions: ['people'] },
  { step: 'devices', permissions: ['people'] },
  { step: 'credential', permissions: ['client'] },
  { step: 'items', permissions: ['items.write'] },
  { step: 'webhook', permissions: ['client'] },
  { step: 'tested', permissions: ['client'] },
];

/** The number of resources of each step, read together. */
export type Found = Record<Step, number> & {
  /** An enabled webhook, for the test. */
  webhookId?: string;
};

export function isDone(found: Found, step: Step): boolean {
  return found[step] > 0;
}

const FEW = { limit: 50 };
const NONE: Found = {
  client: 0,
  store: 0,
  node: 0,
  people: 0,
  devices: 0,
  credential: 0,
  items: 0,
  webhook: 0,
  tested: 0,
};

/**
 * Counts the existing resources on the first page of each list. Reads only lists that the user has permission to read.
 */
export async function findSetup(signal: AbortSignal): Promise<Found> {
  const own = clientId.value;
  if (own === undefined) return { ...NONE, client: await countClients(signal) };
  const params = { path: { clientId: own }, query: FEW };
  const [stores, nodes, people, devices, credentials, items, hooks] = await Promise.all([
    send(api.GET('/operator/v1/clients/{clientId}/stores', { params, signal })),
    send(api.GET('/operator/v1/clients/{clientId}/nodes', { params, signal })),
    may('people') ? listOf(`/operator/v1/clients/${encodeURIComponent(own)}/users`, 'users', signal) : [],
    may('people') ? findDevices(own, signal) : [],
    may('client') ? listOf(`/operator/v1/clients/${encodeURIComponent(own)}/credentials`, 'credentials', signal) : [],
    may('items.read') ? listOf(`/operator/v1/clients/${encodeURIComponent(own)}/items`, 'items', signal) : [],
    may('client') ? findHooks(own, signal) : { webhook: 0, tested: 0 },
  ]);
  return {
    client: 1,
    store: stores.stores.length,
    node: nodes.nodes.length,
    people: people.length,
    devices: devices.length,
    credential: credentials.length,
    items: items.length,
    ...hooks,
  };
}

/** Lists the devices that people can use. A revoked device remains in the list of the service. */
async function findDevices(own: string, signal: AbortSignal): Promise<readonly unknown[]> {
  const path = `/operator/v1/clients/${encodeURIComponent(own)}/devices?limit=500`;
  const devices = (await listOf(path, 'devices', signal)) as readonly { revokedAt?: string }[];
  return devices.filter(({ revokedAt }) => revokedAt === undefined);
}

async function countClients(signal: AbortSignal): Promise<number> {
  const { clients } = await send(api.GET('/operator/v1/clients', { params: { query: FEW }, signal }));
  return clients.length;
}

async function listOf(path: string, name: string, signal: AbortSignal): Promise<readonly unknown[]> {
  const found = await call<Record<string, readonly unknown[]>>('GET', path, { signal });
  return found[name] ?? [];
}

/**
 * Counts the webhooks on the first page. Of the first five enabled webhooks, also counts those that have passed their
 * test: an event was delivered, or a test in this browser succeeded.
 */
async function findHooks(own: string, signal: AbortSignal): Promise<Pick<Found, 'webhook' | 'tested' | 'webhookId'>> {
  const { webhooks } = await send(
    api.GET('/operator/v1/clients/{clientId}/webhooks', { params: { path: { clientId: own }, query: FEW }, signal }),
  );
  const enabled = webhooks.filter((one) => one.enabled);
  const delivered = await Promise.all(
    enabled.slice(0, 5).map(async ({ webhookId }) => {
      const params = { path: { clientId: own, webhookId }, query: { status: 'DELIVERED' as const, limit: 1 } };
      const { deliveries } = await send(
        api.GET('/operator/v1/clients/{clientId}/webhooks/{webhookId}/deliveries', { params, signal }),
      );
      return hasPassed(webhookId) ? 1 : deliveries.length;
    }),
  );
  const [first] = enabled;
  return {
    webhook: webhooks.length,
    tested: delivered.reduce((sum, one) => sum + one, 0),
    ...(first !== undefined && { webhookId: first.webhookId }),
  };
}
