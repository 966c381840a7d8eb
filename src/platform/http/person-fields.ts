/**
 * Who did it, where a person asks: a message need not say what the session says already, and may not say otherwise
 * (docs/decisions/212).
 */
import type { Actor } from '../ctx.ts';
import { isRecord } from '../message/record.ts';
import { denied } from './errors.ts';
import type { Operation } from './operation.ts';

const ASSOCIATE = ['modifyAssociateId', 'modifyAssociatedId'] as const;

/**
 * The message with the person of the session filled in.
 * @throws Refusal 403 where it names somebody else, but for a holder, a filter, and a lead who assigns work.
 */
export function asPerson(operation: Operation, actor: Actor | undefined, value: unknown): unknown {
  const own = actor?.session?.userId;
  if (own === undefined || !isRecord(value) || operation.path.includes('{userId}')) return value;
  const known = (operation.body as { properties?: Record<string, unknown> } | undefined)?.properties ?? {};
  const filled: Record<string, unknown> = { ...value };
  const said = ASSOCIATE.map((name) => value[name]).filter((one) => typeof one === 'string');
  if (said.some((one) => one !== own)) throw denied('modifyAssociateId names somebody else; leave it out, it is you');
  if ('modifyAssociateId' in known && said.length === 0) filled['modifyAssociateId'] = own;
  if ('userId' in known) {
    if (isAbsent(value['userId'])) filled['userId'] = own;
    else if (operation.access === 'write' && value['userId'] !== own) mustAssign(operation, actor!);
  }
  const details = value['pickTicketDetails'];
  if (operation.access === 'write' && isRecord(details) && isAbsent(details['userId'])) {
    filled['pickTicketDetails'] = { ...details, userId: own };
  }
  return filled;
}

function mustAssign({ assigns }: Operation, { permissions = [] }: Actor): void {
  if (assigns === true && permissions.includes('supervise')) return;
  throw denied(
    assigns === true
      ? 'userId names somebody else, and only leads assign work; leave it out, it is you'
      : 'userId names somebody else; leave it out, it is you',
  );
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
