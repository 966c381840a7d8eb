/** The town of a training: the small town of the demo with its own ids, created by calls of the operations. */
import { confirmCheckIn } from '../../checkin/confirm.ts';
import { checkinSchemas } from '../../checkin/schema.ts';
import { confirmCustomerPickup } from '../../handover/confirm.ts';
import { pickupSchemas } from '../../handover/schema.ts';
import { putItem } from '../../items/put.ts';
import { itemSchemas } from '../../items/schema.ts';
import { createFulfillmentOrders } from '../../orders/intake.ts';
import { intakeSchemas } from '../../orders/intake-schema.ts';
import { generatePickTicket } from '../../picking/generate.ts';
import { pickingSchemas } from '../../picking/schema.ts';
import { ticketSchemas } from '../../picking/ticket-schema.ts';
import { updatePickTicket } from '../../picking/update.ts';
import { type Actor, GROUPS } from '../../platform/ctx.ts';
import { authorize } from '../../platform/http/auth.ts';
import { Refusal } from '../../platform/http/errors.ts';
import { type Operation, type PrepareParts, pathParams } from '../../platform/http/operation.ts';
import { parseJson, stringifyJson } from '../../platform/message/json.ts';
import { compile } from '../../platform/message/validate.ts';
import { TRAINING_ACTOR } from '../../platform/training.ts';
import { putClient } from '../../provisioning/put-client.ts';
import { putNode } from '../../provisioning/put-node.ts';
import { putNodeItem } from '../../provisioning/put-node-item.ts';
import { putStore } from '../../provisioning/put-store.ts';
import { provisioningSchemas } from '../../provisioning/schema.ts';
import { cancelReturn } from '../../returns/cancel.ts';
import { createReturn } from '../../returns/create.ts';
import { returnSchemas } from '../../returns/schema.ts';
import { takeReturn } from '../../returns/take.ts';
import { extrasSchemas } from '../../shared/extras.ts';
import { townOrders } from '../demo/orders.ts';
import { loadTown, type TownCall } from '../demo/town.ts';

/** The operations that create the town. */
const OPERATIONS: readonly Operation[] = [
  putClient,
  putStore,
  putNode,
  putNodeItem,
  putItem,
  createFulfillmentOrders,
  generatePickTicket,
  updatePickTicket,
  confirmCheckIn,
  confirmCustomerPickup,
  createReturn,
  cancelReturn,
  takeReturn,
];

const SCHEMAS = [
  ...itemSchemas,
  ...provisioningSchemas,
  ...extrasSchemas,
  ...intakeSchemas,
  ...pickingSchemas,
  ...ticketSchemas,
  ...checkinSchemas,
  ...pickupSchemas,
  ...returnSchemas,
];

/** Creates the town of a training as the client `clientId`, without users. Each request has its own transaction. */
export async function makeTown(
  clientId: string,
  parts: Pick<PrepareParts, 'store' | 'ctx' | 'now' | 'sealer' | 'hashing' | 'address' | 'guess' | 'idle' | 'present'>,
  randomBytes: (size: number) => Buffer,
): Promise<void> {
  const renamed = (text: string) => text.replaceAll('TOWN', clientId);
  const call: TownCall = async (method, path, { as, body }) => {
    // The town needs no keys: no other system calls it, and the user of the training has a session.
    if (path.endsWith('/credentials')) return { status: 201, body: NO_SECRETS };
    if (/\/(?:users|people)\//.test(path)) return { status: 201, body: undefined };
    // A training has no supplier that sends files.
    if (path.includes('/edi/')) return { status: 201, body: NO_FILES };
    if (method === 'GET') return { status: 200, body: NO_REQUESTS };
    const actor: Actor =
      as === 'operator'
        ? { kind: 'operator', id: TRAINING_ACTOR }
        : { kind: 'client', id: TRAINING_ACTOR, clientId, storeIds: null, nodeIds: null, groups: GROUPS };
    const sent = parseJson(renamed(stringifyJson(body)));
    return perform(method, renamed(path), sent, actor, parts, randomBytes);
  };
  await loadTown(call, { now: parts.now, pictures: true });
}

const NO_SECRETS = { credentialId: '', apiKey: '', username: '', password: '' };
const NO_FILES = { interchanges: [{ interchangeId: '', answers: [{ interchangeId: '' }] }] };
const NO_REQUESTS = { resourceRequests: [{ requestId: '', fulfillmentOrderId: townOrders.returned }] };

async function perform(
  method: string,
  path: string,
  sent: unknown,
  actor: Actor,
  { store, ctx, now, sealer, hashing, address, guess, idle, present }: Parameters<typeof makeTown>[1],
  randomBytes: (size: number) => Buffer,
): Promise<{ status: number; body: unknown }> {
  const { operation, params } = found(method, path);
  const judge = compile(operation.message.body!, SCHEMAS);
  const judged =
    operation.message.parse === undefined ? judge(sent) : await operation.message.parse(sent, judge, false);
  if (judged.errors.length > 0) return { status: 400, body: judged.errors };
  const scope = await store.read((db) => authorize(db, operation, actor, params));
  const input = { params, query: {}, body: judged.value, headers: {}, ...scope };
  if (operation.kind === 'read') throw new Error(`${operation.id} only reads`);
  const asked = { store, sealer, hashing, actor, now, address, guess, idle, present, ctx };
  const prepared = await operation.run.prepare?.(input as never, randomBytes, asked);
  const {
    run: { handle },
  } = operation;
  const response = await store.write((tx, onCommit) =>
    handle({ ...ctx(tx), actor, onCommit }, { ...input, prepared } as never),
  );
  if (response instanceof Refusal) throw response;
  return {
    status: response.status,
    body: response.body ?? (response.text === undefined ? undefined : parseJson(response.text)),
  };
}

function found(method: string, path: string): { operation: Operation; params: Record<string, string> } {
  for (const operation of OPERATIONS.filter((one) => one.method === method)) {
    const values = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path)?.slice(1);
    if (values === undefined) continue;
    const names = pathParams(operation.path);
    return { operation, params: Object.fromEntries(names.map((name, index) => [name, values[index]!])) };
  }
  throw new Error(`no operation of the town is ${method} ${path}`);
}
