/**
 * Commands with an id that the caller chose. Each command is carried out once. The same id with the same content is a
 * retry; with other content it gets 409. The node of the path is part of the content: the scope contains the node, the
 * command has `nodeId`, or the subject is searched at this node only.
 */
import type { Ctx, ReadCtx } from '../platform/ctx.ts';
import { conflict, type Refusal } from '../platform/http/errors.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { isRecord } from '../platform/message/record.ts';
import { sha256 } from '../platform/secrets.ts';
import { Contended } from '../platform/storage/db.ts';
import { change, statement } from '../platform/storage/statement.ts';
import type { CommandRow } from '../platform/storage/tables.ts';
import { formatDateTime, parseDateTime } from '../platform/time.ts';
import { say } from './sentences.ts';

/**
 * For each type of subject, the kinds of commands whose scope contains the id of the subject. Retention deletes the
 * commands together with the subject. A new count plan claims its id as a `count`, because its approval posts a count
 * with this id.
 */
const KINDS = {
  order: ['change', 'move', 'declineUnits', 'notAtHome', 'label', 'tracking'],
  ticket: ['correct'],
  node: ['decline', 'print', 'count', 'planCount', 'stockMove'],
  return: ['return'],
  store: ['returnRequest'],
} as const;

type Subject = keyof typeof KINDS;
type Kind = (typeof KINDS)[Subject][number];
export type CommandScope = `${Kind}:${string}` | 'returnTake';

export function scopeOf(kind: Kind, id: string): CommandScope {
  return `${kind}:${id}`;
}

/** Returns the scopes of all commands on a subject. */
export function scopesOf(subject: Subject, id: string): CommandScope[] {
  return KINDS[subject].map((kind) => scopeOf(kind, id));
}

type CommandCtx = Pick<Ctx, 'db' | 'sealer' | 'now'>;

/** The key of a command: its scope and the caller's id. */
export interface CommandKey {
  clientId: string;
  scope: CommandScope;
  commandId: string;
  /** The node of the path, if several nodes share the scope: the same id at another node gets 409. */
  nodeId?: string | undefined;
}

/** Returns an earlier command with this key, or undefined. */
export async function findCommand(db: ReadCtx['db'], key: CommandKey): Promise<CommandRow | undefined> {
  const [command] = await selectCommand(db, key);
  return command;
}

const selectCommand = statement((db, { clientId, scope, commandId }: CommandKey) =>
  db
    .selectFrom('commands')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('scope', '=', scope)
    .where('command_id', '=', commandId),
);

/**
 * Claims the id for this content. Returns undefined if the command is new, otherwise the earlier command. Instants in
 * `content` are in the form of `sameInstant`; in `asSent`, they are as in the message.
 * @throws Refusal 409 if the id was used with other content or at another node
 */
export async function claimCommand(
  ctx: CommandCtx,
  key: CommandKey,
  content: unknown,
  member: string,
  asSent?: unknown,
): Promise<CommandRow | undefined> {
  const text = contentText(content);
  const own = ctx.sealer;
  const parts = [text, ...(key.nodeId === undefined ? [] : [placeText(key.nodeId)])];
  const hash = [own.keyId, ...parts.map((part) => own.fingerprint(key.clientId, part))].join('.');
  const { rows: claimed } = await insertCommand(ctx.db, { ...key, hash, at: ctx.now });
  if (claimed.length > 0) return undefined;
  const before = await findCommand(ctx.db, key);
  // Another request has released the id between the two statements.
  if (before === undefined) throw new Contended('Another request released this id.');
  const is = compared(ctx, key, before, text);
  if (!is.samePlace) throw usedElsewhere(member, key.commandId);
  // Releases until 0.5.0 stored the hash of the content as it was sent, so this hash is compared too.
  if (!is.sameContent && !(asSent !== undefined && compared(ctx, key, before, contentText(asSent)).sameContent)) {
    throw usedOtherwise(member, key.commandId);
  }
  return before;
}

/**
 * Returns an instant in the canonical form for the content of commands. Two texts of the same instant, for example with
 * different offsets, give the same result, so a retry with another spelling has the same hash.
 */
export function sameInstant(text: string): string {
  return formatDateTime(parseDateTime(text));
}

const placeText = (nodeId: string) => stringifyJson({ nodeId });

const insertCommand = change(
  (db, { clientId, scope, commandId, hash, at }: CommandKey & { hash: string; at: number }) =>
    db
      .insertInto('commands')
      .values({ client_id: clientId, scope, command_id: commandId, content_hash: hash, at, reply: null })
      .onConflict((on) => on.columns(['client_id', 'scope', 'command_id']).doNothing())
      .returning('at'),
);

/**
 * Returns the text that identifies the content of a command, independent of the JSON notation of values and of the
 * order of fields.
 */
function contentText(content: unknown): string {
  return stringifyJson(sorted(content));
}

/** Returns the hash of the content of a command. */
export function contentHash(content: object): string {
  return sha256(contentText(content));
}

/**
 * Returns a value in which the fields of every object are sorted. No message has a field `__proto__` (message/json.ts),
 * so assignment is safe.
 */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const content: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) if (value[name] !== undefined) content[name] = sorted(value[name]);
  return content;
}

/**
 * Compares the content and the node with those of the earlier command. If the secret key of the earlier hash no longer
 * exists, content and node count as equal. If the earlier hash has no node, the nodes count as equal.
 */
function compared({ sealer }: CommandCtx, { clientId, nodeId }: CommandKey, before: CommandRow, text: string) {
  const [keyId, content, place] = before.content_hash.split('.', 3);
  const key = sealer.keys.find((one) => one.keyId === keyId);
  const isOf = (stored: string | undefined, plain: string) =>
    key === undefined || key.fingerprint(clientId, plain) === stored;
  return {
    sameContent: isOf(content, text),
    samePlace: nodeId === undefined || place === undefined || isOf(place, placeText(nodeId)),
  };
}

/** Returns the 409 of an id that was used with other content. */
export function usedOtherwise(member: string, commandId: string): Refusal {
  return conflict(
    say('{field} {commandId} was used with other content, and nothing was changed; send a new request with a new id.', {
      field: member,
      commandId: JSON.stringify(commandId),
    }),
  );
}

/** Returns the 409 for an id that was already used at another node. */
function usedElsewhere(member: string, commandId: string): Refusal {
  return conflict(
    say('{field} {commandId} was used at another node, and nothing was changed; send a new request with a new id.', {
      field: member,
      commandId: JSON.stringify(commandId),
    }),
  );
}

/** Stores the response of a claimed command. */
export async function keepReply(ctx: CommandCtx, key: CommandKey, reply: object): Promise<void> {
  await ctx.db
    .updateTable('commands')
    .set({ reply: stringifyJson(reply) })
    .where('client_id', '=', key.clientId)
    .where('scope', '=', key.scope)
    .where('command_id', '=', key.commandId)
    .execute();
}

/**
 * Releases the id of a claimed command that had no effect; with `claimedAt` only if the claim of this time still exists,
 * because another request can have claimed a released id.
 */
export async function releaseCommand(ctx: Pick<Ctx, 'db'>, key: CommandKey, claimedAt?: number): Promise<void> {
  await ctx.db
    .deleteFrom('commands')
    .where('client_id', '=', key.clientId)
    .where('scope', '=', key.scope)
    .where('command_id', '=', key.commandId)
    .$if(claimedAt !== undefined, (query) => query.where('at', '=', claimedAt!).where('reply', 'is', null))
    .execute();
}

/** Deletes the commands of a scope, because their hashes derive from personal data that is anonymized. */
export async function forgetCommands(ctx: Pick<Ctx, 'db'>, clientId: string, scope: CommandScope): Promise<void> {
  await ctx.db.deleteFrom('commands').where('client_id', '=', clientId).where('scope', '=', scope).execute();
}
