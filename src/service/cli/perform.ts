import { Hashing } from '../../platform/hashing.ts';
import { authorize } from '../../platform/http/auth.ts';
import { badRequest, Refusal } from '../../platform/http/errors.ts';
import type { Operation, Reply } from '../../platform/http/operation.ts';
import { compile, valid } from '../../platform/message/validate.ts';
import { provisioningSchemas } from '../../provisioning/schema.ts';
import { type Installation, OPERATOR, operatorCtx } from './installation.ts';

/**
 * Runs an operation of provisioning as the operator, with the operation's checks, rules and events.
 * @throws Refusal, the same as over HTTP.
 */
export async function perform(
  installation: Installation,
  operation: Operation,
  params: Record<string, string>,
  sent?: unknown,
): Promise<Reply> {
  const { store, ports } = installation;
  const {
    errors,
    total,
    value: body,
  } = operation.message.body === undefined ? valid(sent) : compile(operation.message.body, provisioningSchemas)(sent);
  if (errors.length > 0) throw badRequest(errors, total);
  const scope = await store.read((db) => authorize(db, operation, OPERATOR, params));
  const input = { params, query: {}, body, headers: {}, ...scope };
  if (operation.kind === 'read') {
    return store.read((db) => operation.run.handle(operatorCtx(installation, db), input as never));
  }
  const prepared = await operation.run.prepare?.(input as never, ports.randomBytes, {
    store,
    sealer: installation.sealer,
    hashing: new Hashing(),
    actor: OPERATOR,
    now: ports.now(),
    address: '',
    guess: ({ judge }) => judge(),
    present: ports.now,
    idle: (wait) => wait(),
    ctx: (db) => operatorCtx(installation, db),
  });
  const answer = await store.write((tx) =>
    operation.run.handle(operatorCtx(installation, tx), { ...input, prepared } as never),
  );
  if (answer instanceof Refusal) throw answer;
  return answer;
}
