import { type Command, InvalidArgumentError } from 'commander';
import { sql } from 'kysely';
import { recordAccess } from '../../events/record.ts';
import { GROUPS } from '../../platform/ctx.ts';
import { makeCredentialId, makeOperatorKey } from '../../platform/http/auth.ts';
import { readJson } from '../../platform/json-column.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { Reader, Writer } from '../../platform/storage/db.ts';
import type { CredentialRow } from '../../platform/storage/tables.ts';
import { formatDateTime, MINUTE_MS, parseDateTime } from '../../platform/time.ts';
import { createCredential } from '../../provisioning/create-credential.ts';
import { toCredential } from '../../provisioning/credential.ts';
import { revokeCredential } from '../../provisioning/revoke-credential.ts';
import { type Installation, operatorCtx, withInstallation } from './installation.ts';
import { type Io, print, printJson, WrongUsage, wholeFrom } from './io.ts';
import { perform } from './perform.ts';

interface Whose {
  operator?: true;
  client?: string;
  json?: true;
}

interface CreateOptions extends Whose {
  label?: string;
  stores?: string;
  nodes?: string;
  groups?: string;
  expires?: string;
}

/** The secrets of a new key, shown once. */
interface NewKey {
  id: string;
  texts: Record<string, unknown>;
}

export function add(program: Command, io: Io): void {
  const key = program
    .command('key')
    .description('Create, replace and revoke keys of the operator (--operator) or of a client (--client).')
    .addHelpText('after', '\nExample:\n  backroom key create --operator');
  whose(key.command('create'))
    .description('Create a key and print it; it is never shown again.')
    .option('--label <text>', 'purpose of the key')
    .option('--stores <ids>', 'with --client: only these stores, separated by commas')
    .option('--nodes <ids>', 'with --client: only these nodes, separated by commas')
    .option('--groups <names>', `with --client: only these groups of operations: ${GROUPS.join(',')}`)
    .option('--expires <date-time>', 'time at which the key expires, for example 2027-01-01T00:00:00Z', dateTime)
    .addHelpText('after', '\nExample:\n  backroom key create --client ACME --label "order management" --groups intake')
    .action((options: CreateOptions) => create(io, options));
  whose(key.command('rotate'))
    .argument('<keyId>', 'key to replace')
    .description(
      'Create a key with the permissions of an existing key, and revoke the existing key, immediately or later.',
    )
    .option('--overlap <minutes>', 'minutes for which the old key still works', wholeFrom(0, 999_999), 0)
    .addHelpText('after', '\nExample:\n  backroom key rotate 4f1c22ab --client ACME --overlap 60')
    .action((keyId: string, options: Whose & { overlap: number }) => rotate(io, keyId, options));
  whose(key.command('revoke'))
    .argument('<keyId>', 'key to revoke')
    .description('Revoke a key immediately and permanently.')
    .addHelpText('after', '\nExample:\n  backroom key revoke 4f1c22ab --client ACME')
    .action((keyId: string, options: Whose) => revoke(io, keyId, options));
}

function whose(command: Command): Command {
  return command
    .option('--operator', "the operator's key")
    .option('--client <clientId>', "a client's key")
    .option('--json', 'print one JSON line');
}

/** The client, or undefined for the operator. */
function clientOf({ operator, client }: Whose): string | undefined {
  if ((operator === true) === (client !== undefined)) throw new WrongUsage('Choose either --operator or --client ID.');
  return client;
}

async function create(io: Io, options: CreateOptions): Promise<void> {
  const clientId = clientOf(options);
  if (clientId === undefined && (options.stores ?? options.nodes ?? options.groups) !== undefined)
    throw new WrongUsage(
      'A key of the operator has no limits: leave out --stores, --nodes and --groups, or use --client.',
    );
  const key = await withInstallation(
    io,
    (installation) =>
      clientId === undefined
        ? createOperatorKey(
            installation,
            options.label ?? 'operator',
            options.expires === undefined ? null : parseDateTime(options.expires),
          )
        : createClientKey(installation, clientId, {
            label: options.label ?? 'made by the operator',
            ...list('storeIds', options.stores),
            ...list('nodeIds', options.nodes),
            ...list('groups', options.groups),
            ...(options.expires !== undefined && { expiresAt: options.expires }),
          }),
    clientId === undefined ? { missing: 'make' } : {},
  );
  show(io, key, clientId, options);
}

/** Checks the text and returns it unchanged, because the request for a client's key has the time as text. */
function dateTime(text: string): string {
  try {
    parseDateTime(text);
    return text;
  } catch {
    throw new InvalidArgumentError('It must be a date-time with an offset, for example 2027-01-01T00:00:00Z.');
  }
}

function list(member: string, text: string | undefined): Record<string, string[]> {
  return text === undefined ? {} : { [member]: text.split(',').map((one) => one.trim()) };
}

async function createClientKey(installation: Installation, clientId: string, body: object): Promise<NewKey> {
  const { body: made } = await perform(installation, createCredential, { clientId }, body);
  const { credentialId, ...texts } = made as { credentialId: string } & Record<string, unknown>;
  return { id: credentialId, texts };
}

async function createOperatorKey(installation: Installation, label: string, expiresAt: number | null): Promise<NewKey> {
  const { store, ports } = installation;
  const id = makeCredentialId(ports.randomBytes);
  const key = makeOperatorKey(id, ports.randomBytes);
  await store.write(async (tx) => {
    await tx
      .insertInto('operator_keys')
      .values({
        client_id: '',
        key_id: id,
        label,
        key_hash: sha256(key),
        expires_at: expiresAt,
        revoked_at: null,
        created_at: ports.now(),
      })
      .execute();
    await recordAccess(operatorCtx(installation, tx), '', 'operatorKey.created', {
      keyId: id,
      label,
      ...(expiresAt !== null && { expiresAt: formatDateTime(expiresAt) }),
    });
  });
  return { id, texts: { operatorKey: key } };
}

async function rotate(io: Io, keyId: string, options: Whose & { overlap: number }): Promise<void> {
  const clientId = clientOf(options);
  const minutes = options.overlap;
  const key = await withInstallation(io, async (installation) => {
    const now = installation.ports.now();
    const fresh = await (clientId === undefined
      ? likeOperatorKey(installation, keyId)
      : likeClientKey(installation, clientId, keyId));
    if (minutes === 0) await revokeKey(installation, clientId, keyId);
    else await expireKey(installation, clientId, keyId, now + minutes * MINUTE_MS);
    return fresh;
  });
  show(io, key, clientId, options);
}

async function likeOperatorKey(installation: Installation, keyId: string): Promise<NewKey> {
  const old = await installation.store.read((db) =>
    db
      .selectFrom('operator_keys')
      .selectAll()
      .where('client_id', '=', '')
      .where('key_id', '=', keyId)
      .executeTakeFirst(),
  );
  if (!isInUse(installation, old)) throw new Error(`There is no operator key ${keyId} in use.`);
  const expiresAt = await installation.store.read((db) => ownExpiry(db, '', keyId, old.expires_at));
  return createOperatorKey(installation, old.label, expiresAt);
}

async function likeClientKey(installation: Installation, clientId: string, keyId: string): Promise<NewKey> {
  const row = await installation.store.read((db) =>
    db
      .selectFrom('credentials')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('credential_id', '=', keyId)
      .executeTakeFirst(),
  );
  if (!isInUse(installation, row)) throw new Error(`Client ${clientId} has no key ${keyId} in use.`);
  const expires_at = await installation.store.read((db) => ownExpiry(db, clientId, keyId, row.expires_at));
  const { label, storeIds, nodeIds, groups, expiresAt } = toCredential({ ...row, expires_at });
  const narrowing = { ...(storeIds && { storeIds }), ...(nodeIds && { nodeIds }), groups };
  return createClientKey(installation, clientId, { label, ...narrowing, ...(expiresAt && { expiresAt }) });
}

type Expiring = Pick<CredentialRow, 'revoked_at' | 'expires_at'>;

function isInUse<T extends Expiring>({ ports }: Installation, key: T | undefined): key is T {
  return key !== undefined && key.revoked_at === null && (key.expires_at === null || key.expires_at > ports.now());
}

const EXPIRY_SET = { operator: 'operatorKey.expirySet', client: 'credential.expirySet' } as const;

/**
 * Returns the expiry that a key had before its first overlap with a new key. During the overlap, the row of the old key
 * has the end of the overlap. A further new key must not get this time as its expiry.
 */
async function ownExpiry(db: Reader, clientId: string, keyId: string, expiresAt: number | null) {
  if (expiresAt === null) return null;
  const rows = await db
    .selectFrom('access_events')
    .select('data')
    .where('client_id', '=', clientId)
    .where('type', 'in', Object.values(EXPIRY_SET))
    .orderBy('position', 'desc')
    .execute();
  const overlap = rows
    .map(({ data }) => readJson(data) as { keyId?: string; credentialId?: string; ownExpiresAt?: string })
    .find((one) => (one.keyId ?? one.credentialId) === keyId);
  if (overlap === undefined) return expiresAt;
  return overlap.ownExpiresAt === undefined ? null : parseDateTime(overlap.ownExpiresAt);
}

/** Makes a key expire at `at`, unless it expires earlier, and records an access event. */
async function expireKey(installation: Installation, clientId: string | undefined, keyId: string, at: number) {
  await installation.store.write(async (tx) => {
    const before = await setExpiry(tx, clientId, keyId, at);
    const own = await ownExpiry(tx, clientId ?? '', keyId, before);
    const key = clientId === undefined ? { keyId } : { credentialId: keyId };
    const type = clientId === undefined ? EXPIRY_SET.operator : EXPIRY_SET.client;
    await recordAccess(operatorCtx(installation, tx), clientId ?? '', type, {
      ...key,
      expiresAt: formatDateTime(Math.min(before ?? at, at)),
      ...(own !== null && { ownExpiresAt: formatDateTime(own) }),
    });
  });
}

/** Makes a key expire at `at`, unless it expires earlier. Returns the former expiry. */
async function setExpiry(tx: Writer, clientId: string | undefined, keyId: string, at: number): Promise<number | null> {
  const [table, column] = clientId === undefined ? ['operator_keys', 'key_id'] : ['credentials', 'credential_id'];
  const isKey = sql`client_id = ${clientId ?? ''} and ${sql.ref(column)} = ${keyId}`;
  const read = sql<Pick<Expiring, 'expires_at'>>`select expires_at from ${sql.table(table)} where ${isKey}`;
  const { rows } = await read.execute(tx);
  const before = rows[0]!.expires_at;
  await sql`update ${sql.table(table)} set expires_at = ${Math.min(before ?? at, at)} where ${isKey}`.execute(tx);
  return before;
}

async function revoke(io: Io, keyId: string, options: Whose): Promise<void> {
  const clientId = clientOf(options);
  await withInstallation(io, (installation) => revokeKey(installation, clientId, keyId));
  if (options.json) printJson(io, { keyId, revoked: true });
  else print(io, `Key ${keyId} is revoked.`);
}

async function revokeKey(installation: Installation, clientId: string | undefined, keyId: string): Promise<void> {
  if (clientId !== undefined) {
    await perform(installation, revokeCredential, { clientId, credentialId: keyId });
    return;
  }
  await installation.store.write(async (tx) => {
    const ctx = operatorCtx(installation, tx);
    const key = tx.selectFrom('operator_keys').select('revoked_at').where('client_id', '=', '');
    const row = await key.where('key_id', '=', keyId).executeTakeFirst();
    if (row === undefined) throw new Error(`There is no operator key ${keyId}.`);
    if (row.revoked_at !== null) return;
    await tx
      .updateTable('operator_keys')
      .set({ revoked_at: ctx.now })
      .where('client_id', '=', '')
      .where('key_id', '=', keyId)
      .execute();
    await recordAccess(ctx, '', 'operatorKey.revoked', { keyId });
  });
}

function show(io: Io, { id, texts }: NewKey, clientId: string | undefined, { json }: { json?: true }): void {
  const shown: Record<string, unknown> = { keyId: id, ...texts };
  const lines = Object.entries(shown).map(([name, text]) => `${name}: ${String(text)}\n`);
  // The key exists already. If its text is lost, for example on a full disk, the operator must be able to revoke it.
  io.out.write(json ? `${JSON.stringify(shown)}\n` : lines.join(''), (error) => {
    const owner = clientId === undefined ? '--operator' : `--client ${clientId}`;
    if (error) io.err.write(`backroom: The new key was not printed; revoke it: backroom key revoke ${id} ${owner}\n`);
    else if (!json) io.err.write('Store this now; it is never shown again.\n');
  });
}
