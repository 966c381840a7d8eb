/**
 * Commands under an id of the caller's choice: each is carried out once. The same id with the same content is a repeat, with
 * other content an error of the caller.
 */
import type { Ctx } from '../platform/ctx.ts';
import { conflict, type Refusal } from '../platform/http/errors.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { isRecord } from '../platform/message/record.ts';
import type { CommandRow } from '../platform/storage/tables.ts';

type CommandCtx = Pick<Ctx, 'db' | 'sealer' | 'now'>;

/** Names a command: what it is about (see the table) and the caller's id of it. */
export interface CommandKey {
  clientId: string;
  scope: string;
  commandId: string;
}

/** A command that was carried out before, or undefined. */
export function findCommand(db: Ctx['db'], key: CommandKey): Promise<CommandRow | undefined> {
  return db
    .selectFrom('commands')
    .selectAll()
    .where('client_id', '=', key.clientId)
    .where('scope', '=', key.scope)
    .where('command_id', '=', key.commandId)
    .executeTakeFirst();
}

/**
 * Takes the id for this content. Answers undefined where the command is to be carried out now, else the one that was.
 * @throws Refusal 409 where the id was used for other content
 */
export async function claimCommand(
  ctx: CommandCtx,
  key: CommandKey,
  content: unknown,
  member: string,
): Promise<CommandRow | undefined> {
  const text = contentText(content);
  const claimed = await ctx.db
    .insertInto('commands')
    .values({
      client_id: key.clientId,
      scope: key.scope,
      command_id: key.commandId,
      content_hash: `${ctx.sealer.keyId}.${ctx.sealer.fingerprint(key.clientId, text)}`,
      at: ctx.now,
      reply: null,
    })
    .onConflict((on) => on.columns(['client_id', 'scope', 'command_id']).doNothing())
    .returning('at')
    .executeTakeFirst();
  if (claimed !== undefined) return undefined;
  const before = (await findCommand(ctx.db, key))!;
  if (!isSame(ctx, key.clientId, before, text)) throw usedOtherwise(member, key.commandId);
  return before;
}

/** The text by which a repeat is told from other content: spelling and order of fields do not count. */
export function contentText(content: unknown): string {
  return stringifyJson(sorted(content));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)] as const).sort(byName));
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Nothing is known to differ where the key that made the hash is gone. */
function isSame({ sealer }: CommandCtx, clientId: string, { content_hash: hash }: CommandRow, text: string): boolean {
  const [keyId, stored] = hash.split('.', 2);
  const key = sealer.keys.find((one) => one.keyId === keyId);
  return key === undefined || key.fingerprint(clientId, text) === stored;
}

/** 409: an id that was used with other content. */
export function usedOtherwise(member: string, commandId: string): Refusal {
  return conflict(
    `${member} ${JSON.stringify(commandId)} was used with other content, and nothing was changed; give a new request a new id.`,
  );
}

/** Keeps the reply of a claimed command. */
export async function keepReply(ctx: CommandCtx, key: CommandKey, reply: object): Promise<void> {
  await ctx.db
    .updateTable('commands')
    .set({ reply: stringifyJson(reply) })
    .where('client_id', '=', key.clientId)
    .where('scope', '=', key.scope)
    .where('command_id', '=', key.commandId)
    .execute();
}

/** Gives the id of a claimed command back: it did nothing. */
export async function releaseCommand(ctx: Pick<Ctx, 'db'>, key: CommandKey): Promise<void> {
  await ctx.db
    .deleteFrom('commands')
    .where('client_id', '=', key.clientId)
    .where('scope', '=', key.scope)
    .where('command_id', '=', key.commandId)
    .execute();
}

/** Forgets commands of a scope: their hashes are of personal data that is gone. */
export async function forgetCommands(ctx: Pick<Ctx, 'db'>, clientId: string, scope: string): Promise<void> {
  await ctx.db.deleteFrom('commands').where('client_id', '=', clientId).where('scope', '=', scope).execute();
}
