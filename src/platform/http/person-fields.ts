/**
 * Fields with the acting user: a request with a session can leave them out and must not name another user
 * (docs/people.md#who-did-it).
 */
import type { Actor } from '../ctx.ts';
import { isRecord } from '../message/record.ts';
import { say } from '../sentences.ts';
import { denied } from './errors.ts';
import type { Operation } from './operation.ts';

const ASSOCIATE = ['modifyAssociateId', 'modifyAssociatedId'] as const;

/**
 * Fills in the user of the session.
 * @throws Refusal 403 if the message names another user. Other users are allowed in `userId` of reads (a filter) or of
 * work that a lead assigns, and in `pickTicketDetails` (the present holder of the work).
 */
export function asPerson(operation: Operation, actor: Actor | undefined, value: unknown): unknown {
  const own = actor?.session?.userId;
  if (own === undefined || !isRecord(value) || operation.path.includes('{userId}')) return value;
  const { properties: known = {} } = (operation.message.body ?? {}) as { properties?: Record<string, unknown> };
  const filled: Record<string, unknown> = { ...value };
  const said = ASSOCIATE.map((name) => value[name]).filter((one) => typeof one === 'string');
  if (said.some((one) => one !== own))
    throw denied(say('modifyAssociateId names another user; leave it out, and the service sets it to your login'));
  if ('modifyAssociateId' in known && said.length === 0) filled['modifyAssociateId'] = own;
  if ('userId' in known) {
    if (isAbsent(value['userId'])) filled['userId'] = own;
    else if (operation.kind === 'write' && value['userId'] !== own) mustAssign(operation, actor!);
  }
  const details = value['pickTicketDetails'];
  if (operation.kind === 'write' && isRecord(details) && isAbsent(details['userId'])) {
    filled['pickTicketDetails'] = { ...details, userId: own };
  }
  return filled;
}

function mustAssign({ access: { assigns } }: Operation, { permissions = [] }: Actor): void {
  if (assigns === true && permissions.includes('supervise')) return;
  throw denied(
    assigns === true
      ? say(
          'userId names another user, and only leads can assign work to other users; leave it out, and the service sets it to your login',
        )
      : say('userId names another user; leave it out, and the service sets it to your login'),
  );
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
