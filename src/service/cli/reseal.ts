/** Seals with the present key what the key before has sealed. */
import { HASHED_BY } from '../../orders/intake-rows.ts';
import type { Writer } from '../../platform/storage/db.ts';
import type { Installation } from './installation.ts';

/** Rows of one transaction: some milliseconds of a writer that a service beside it waits for. */
const BATCH = 200;

interface Counts {
  pins: number;
  webhooks: number;
  identityProviders: number;
  replies: number;
}

/** Goes through all that is sealed; running it again goes on. `oldKeyId` made the hashes that do not say which key did. */
export async function reseal(installation: Installation, oldKeyId: string): Promise<Counts> {
  // Crosses tenants: the key is the installation's.
  const clients = await installation.store.read((db) => db.selectFrom('clients').select('client_id').execute());
  const ids = clients.map((client) => client.client_id);
  const counts: Counts = { pins: 0, webhooks: 0, identityProviders: 0, replies: 0 };
  for (const clientId of ids) {
    counts.pins += await inBatches(installation, clientId, (...of) => resealOrders(...of, oldKeyId));
    counts.webhooks += await inBatches(installation, clientId, resealWebhooks);
    counts.identityProviders += await inBatches(installation, clientId, resealProviders);
  }
  // Those of the operator are of no client.
  for (const clientId of ['', ...ids]) {
    counts.replies += await inBatches(installation, clientId, resealReplies);
  }
  return counts;
}

/** What one transaction did, and where the next one goes on; no `last` at the end. */
interface Batch {
  done: number;
  last?: string;
}

type Reseal = (installation: Installation, tx: Writer, clientId: string, after: string) => Promise<Batch>;

async function inBatches(installation: Installation, clientId: string, reseal: Reseal): Promise<number> {
  let total = 0;
  for (let after = ''; ; ) {
    const { done, last } = await installation.store.write((tx) => reseal(installation, tx, clientId, after));
    total += done;
    if (last === undefined) return total;
    after = last;
  }
}

async function resealOrders(
  { sealer, ports }: Installation,
  tx: Writer,
  clientId: string,
  after: string,
  oldKeyId: string,
): Promise<Batch> {
  const rows = await tx
    .selectFrom('fulfillment_orders')
    .select(['fulfillment_order_id', 'pin_cipher', 'member_hashes'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '>', after)
    .orderBy('fulfillment_order_id')
    .limit(BATCH)
    .execute();
  let done = 0;
  for (const row of rows) {
    const pin = row.pin_cipher !== null && !sealer.isCurrent(row.pin_cipher) ? row.pin_cipher : undefined;
    const hashes = JSON.parse(row.member_hashes) as Record<string, string>;
    const isNamed = hashes[HASHED_BY] !== undefined || Object.keys(hashes).length === 0;
    if (pin === undefined && isNamed) continue;
    const plain = pin === undefined ? undefined : sealer.open(pin);
    const set = {
      ...(!isNamed && { member_hashes: JSON.stringify({ ...hashes, [HASHED_BY]: oldKeyId }) }),
      ...(plain !== undefined && {
        pin_cipher: sealer.seal(plain, ports.randomBytes(12)),
        pin_hash: sealer.fingerprint(clientId, plain),
      }),
    };
    const update = tx
      .updateTable('fulfillment_orders')
      .set(set)
      .where('client_id', '=', clientId)
      .where('fulfillment_order_id', '=', row.fulfillment_order_id)
      // Blanked meanwhile, it has neither.
      .where('member_hashes', '=', row.member_hashes);
    await (pin === undefined ? update : update.where('pin_cipher', '=', pin)).execute();
    done += pin === undefined ? 0 : 1;
  }
  return batchOf(rows, done, (row) => row.fulfillment_order_id);
}

const resealWebhooks: Reseal = async ({ sealer, ports }, tx, clientId, after) => {
  const rows = await tx
    .selectFrom('webhooks')
    .select(['webhook_id', 'secret', 'old_secret'])
    .where('client_id', '=', clientId)
    .where('webhook_id', '>', after)
    .orderBy('webhook_id')
    .limit(BATCH)
    .execute();
  const anew = (sealed: string) => sealer.seal(sealer.open(sealed), ports.randomBytes(12));
  let done = 0;
  for (const { webhook_id: id, secret, old_secret: old } of rows) {
    if (sealer.isCurrent(secret) && (old === null || sealer.isCurrent(old))) continue;
    await tx
      .updateTable('webhooks')
      .set({ secret: anew(secret), ...(old !== null && { old_secret: anew(old) }) })
      .where('client_id', '=', clientId)
      .where('webhook_id', '=', id)
      // Rotated meanwhile, it has another one.
      .where('secret', '=', secret)
      .execute();
    done += 1;
  }
  return batchOf(rows, done, (row) => row.webhook_id);
};

const resealProviders: Reseal = async ({ sealer, ports }, tx, clientId, after) => {
  const rows = await tx
    .selectFrom('identity_providers')
    .select(['provider_id', 'client_secret'])
    .where('client_id', '=', clientId)
    .where('provider_id', '>', after)
    .orderBy('provider_id')
    .limit(BATCH)
    .execute();
  let done = 0;
  for (const { provider_id: id, client_secret: secret } of rows) {
    if (sealer.isCurrent(secret)) continue;
    await tx
      .updateTable('identity_providers')
      .set({ client_secret: sealer.seal(sealer.open(secret), ports.randomBytes(12)) })
      .where('client_id', '=', clientId)
      .where('provider_id', '=', id)
      // Replaced meanwhile, it has another one.
      .where('client_secret', '=', secret)
      .execute();
    done += 1;
  }
  return batchOf(rows, done, (row) => row.provider_id);
};

const resealReplies: Reseal = async ({ sealer, ports }, tx, clientId, after) => {
  // Every reply that is left is sealed anew, so a batch needs no place to go on from but the beginning.
  const rows = await tx
    .selectFrom('idempotency_keys')
    .select(['credential_id', 'method', 'path', 'key', 'reply'])
    .where('client_id', '=', clientId)
    .where('reply', 'is not', null)
    .where('reply', 'not like', `v2.${sealer.keyId}.%`)
    .limit(BATCH)
    .execute();
  for (const { credential_id: credentialId, method, path, key, reply } of rows) {
    await tx
      .updateTable('idempotency_keys')
      .set({ reply: sealer.seal(sealer.open(reply!), ports.randomBytes(12)) })
      .where('client_id', '=', clientId)
      .where('credential_id', '=', credentialId)
      .where('method', '=', method)
      .where('path', '=', path)
      .where('key', '=', key)
      .execute();
  }
  return rows.length < BATCH ? { done: rows.length } : { done: rows.length, last: `${after}+` };
};

function batchOf<Row>(rows: readonly Row[], done: number, idOf: (row: Row) => string): Batch {
  const last = rows.at(-1);
  return rows.length < BATCH || last === undefined ? { done } : { done, last: idOf(last) };
}
