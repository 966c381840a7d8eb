/**
 * Who is asking, and may they? Credentials are looked up by the client that their text carries, compared by hash, and then
 * narrowed to groups, stores and nodes (docs/interface.md#access).
 */

import type { Config } from '../config.ts';
import { type Actor, GROUPS, type Group, type Permission } from '../ctx.ts';
import { listed, quote } from '../message/words.ts';
import { sameSecret, sha256 } from '../secrets.ts';
import type { Reader } from '../storage/db.ts';
import { statement } from '../storage/statement.ts';
import type { ClientRow, CredentialRow, NodeRow, StoreRow } from '../storage/tables.ts';
import { clientOfTag, clientTag } from './client-tag.ts';
import { denied, notFound, Refusal } from './errors.ts';
import { groupsOf, type Operation, permissionsAsked } from './operation.ts';

/** New texts of a client's credential; they are shown once and only their hashes are kept. */
export function makeCredential(clientId: string, credentialId: string, randomBytes: (size: number) => Buffer) {
  const tag = clientTag(clientId);
  return {
    apiKey: `br_${tag}_${credentialId}_${randomBytes(32).toString('base64url')}`,
    username: `${tag}_${credentialId}`,
    password: randomBytes(32).toString('base64url'),
  };
}

/** A new operator key `bro_<id>_<secret>`. */
export function makeOperatorKey(keyId: string, randomBytes: (size: number) => Buffer): string {
  return `bro_${keyId}_${randomBytes(32).toString('base64url')}`;
}

/** Eight characters that name a credential or key; no secret. */
export function makeCredentialId(randomBytes: (size: number) => Buffer): string {
  return randomBytes(5).toString('hex').slice(0, 8);
}

/** The tables that say who asks and what the path names: all that `authenticate` and `authorize` read. */
export const ACCESS_TABLES = ['clients', 'sellers', 'stores', 'nodes', 'credentials', 'operator_keys'] as const;

export interface AccessHeaders {
  authorization?: string | undefined;
  apikey?: string | string[] | undefined;
  cookie?: string | undefined;
  'outbox-ticket'?: string | string[] | undefined;
  origin?: string | undefined;
  'sec-fetch-site'?: string | string[] | undefined;
}

const INVALID = 'The credentials are not valid: unknown, revoked or expired.';

/** Who asks, and until when the credential is good (epoch milliseconds; null: for good). */
export interface Authenticated {
  actor: Actor;
  until: number | null;
}

/**
 * The actor behind the headers.
 * @throws Refusal 403 CREDENTIALS_MISSING or CREDENTIALS_INVALID; 401 on operations of the operator.
 */
export async function authenticate(
  db: Reader,
  auth: Operation['auth'],
  headers: AccessHeaders,
  now: number,
  config: Pick<Config, 'operatorKey'>,
): Promise<Authenticated> {
  if (auth === 'none' || auth === 'browser') return { actor: { kind: 'anonymous', id: 'anonymous' }, until: null };
  if (auth === 'session') throw unauthorized('CREDENTIALS_MISSING', 'Nobody is signed in: sign in with POST /session.');
  if (auth === 'operator' || (auth === 'operatorOrApiKey' && headers.apikey === undefined)) {
    return authenticateOperator(db, auth, headers.authorization, now, config);
  }
  const apiKey = headers.apikey;
  if (typeof apiKey !== 'string' || apiKey === '') {
    throw missingCredentials('Send the apiKey header with the key supplied by the operator.');
  }
  const [, tag = '', id = ''] = /^br_([A-Za-z0-9.~-]+)_([0-9a-z]+)_/.exec(apiKey) ?? [];
  const row = await findCredential(db, clientOfTag(tag), id);
  if (row === undefined || !sameSecret(row.key_hash, sha256(apiKey)) || !isLive(row, now)) throw invalidCredentials();
  if (auth === 'basic') checkBasic(headers.authorization, row);
  return { actor: clientActor(row), until: row.expires_at };
}

function clientActor(row: CredentialRow): Actor {
  return {
    kind: 'client',
    id: `credential:${row.credential_id}`,
    clientId: row.client_id,
    storeIds: parseList(row.store_ids),
    nodeIds: parseList(row.node_ids),
    groups: (JSON.parse(row.groups) as string[]).filter((group): group is Group =>
      (GROUPS as readonly string[]).includes(group),
    ),
  };
}

function checkBasic(authorization: string | undefined, row: CredentialRow): void {
  if (authorization === undefined || authorization === '') {
    throw missingCredentials(
      'Send Authorization: Basic with the user name and password of the same credential as apiKey.',
    );
  }
  const [, code = ''] = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization) ?? [];
  const [, username = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(code, 'base64').toString('utf8')) ?? [];
  const matches = sameSecret(username, row.username) && sameSecret(sha256(password), row.password_hash);
  if (!matches) throw invalidCredentials();
}

const MISSING = {
  operator: 'Send Authorization: Bearer with an operator key.',
  operatorOrApiKey: 'Send the apiKey header, or Authorization: Bearer with an operator key.',
} as const;

async function authenticateOperator(
  db: Reader,
  auth: 'operator' | 'operatorOrApiKey',
  authorization: string | undefined,
  now: number,
  config: Pick<Config, 'operatorKey'>,
): Promise<Authenticated> {
  const [, key = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (key === '') throw unauthorized('CREDENTIALS_MISSING', MISSING[auth]);
  if (config.operatorKey !== undefined && sameSecret(key, config.operatorKey))
    return { actor: { kind: 'operator', id: 'operator:env' }, until: null };
  const [, id = ''] = /^bro_([0-9a-z]+)_/.exec(key) ?? [];
  const row = await db
    .selectFrom('operator_keys')
    .selectAll()
    .where('client_id', '=', '')
    .where('key_id', '=', id)
    .executeTakeFirst();
  if (row === undefined || !sameSecret(row.key_hash, sha256(key)) || !isLive(row, now)) {
    throw unauthorized('CREDENTIALS_INVALID', INVALID);
  }
  return { actor: { kind: 'operator', id: `operator:${row.key_id}` }, until: row.expires_at };
}

function isLive(row: { expires_at: number | null; revoked_at: number | null }, now: number): boolean {
  return row.revoked_at === null && (row.expires_at === null || row.expires_at > now);
}

function parseList(text: string | null): readonly string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]);
}

function missingCredentials(description: string): Refusal {
  return new Refusal(403, 'SECURITY', 'CREDENTIALS_MISSING', description);
}

function invalidCredentials(): Refusal {
  return new Refusal(403, 'SECURITY', 'CREDENTIALS_INVALID', INVALID);
}

/** 401. A browser that is told of no scheme asks its user for nothing. */
export function unauthorized(code: string, description: string): Refusal {
  return new Refusal(401, 'SECURITY', code, description, {
    headers: { 'www-authenticate': 'Bearer realm="backroom"' },
  });
}

/** What the path names above the resource of an operation. */
export interface Scope {
  clientId: string;
  client?: ClientRow;
  store?: StoreRow;
  node?: NodeRow;
}

/**
 * Loads what the path names and checks that it is the caller's.
 * @throws Refusal 403 for a client's credential, whether the thing exists or not; 404 for an operator.
 */
export async function authorize(
  db: Reader,
  operation: Operation,
  actor: Actor,
  params: Record<string, string>,
): Promise<Scope> {
  if (operation.auth === 'none' || operation.auth === 'browser') return { clientId: '' };
  if (operation.auth === 'session') return { clientId: actor.clientId ?? '' };
  if (actor.kind === 'operator') return operatorScope(db, operation, params);
  if (actor.kind === 'user') mustBePermitted(operation, actor);
  const clientId = actor.clientId;
  if (clientId === undefined) {
    if (actor.kind === 'user') return operatorScope(db, operation, params);
    throw denied();
  }
  const groups = groupsOf(operation);
  if (actor.kind === 'client' && !groups.some((group) => actor.groups?.includes(group))) {
    throw denied(groupMissing(groups, actor));
  }
  refuseNarrowed(operation, actor);
  const scope: Scope = { clientId };
  if (params['clientId'] !== undefined) {
    const client = params['clientId'] === clientId ? await findClient(db, clientId) : undefined;
    if (client === undefined)
      throw denied(`the path names another client than that of ${who(actor)}, ${quote(clientId)}`);
    scope.client = client;
  }
  const { sellerId, storeId, nodeId } = params;
  if (sellerId !== undefined && !(await ownsSeller(db, clientId, sellerId))) {
    throw await notOwn(db, actor, clientId, 'seller', sellerId);
  }
  if (storeId !== undefined) {
    const store = allows(actor.storeIds, storeId) ? await findStore(db, clientId, storeId) : undefined;
    if (store === undefined) throw await notOwn(db, actor, clientId, 'store', storeId);
    scope.store = store;
  }
  if (nodeId !== undefined) scope.node = await requireNode(db, actor, clientId, nodeId);
  return scope;
}

/** @throws Refusal 403 where the role of a person has none of the permissions that the operation asks for. */
function mustBePermitted(operation: Operation, { permissions = [], session }: Actor): void {
  const asked = permissionsAsked(operation);
  if (asked.some((one) => permissions.includes(one))) return;
  const role = quote(session?.role ?? '');
  throw denied(`the operation needs the permission ${asked.join(' or ')}, and your role ${role} does not have it`);
}

/** Whether a person may do the operation at all. */
export function isPermitted(operation: Operation, permissions: readonly Permission[]): boolean {
  return permissionsAsked(operation).some((one) => permissions.includes(one));
}

function groupMissing(needed: readonly Group[], { groups = [] }: Actor): string {
  const has = groups.length === 0 ? 'none' : groups.join(', ');
  return `the operation needs a key of group ${needed.join(' or ')}; this key has ${has}; ask the operator for another key`;
}

/** @throws Refusal 403 where the operation is about more than the credential's stores or nodes. */
function refuseNarrowed({ wholeClient }: Operation, actor: Actor): void {
  const { storeIds, nodeIds } = actor;
  const isByNodes = (nodeIds ?? null) !== null;
  if (wholeClient === true && ((storeIds ?? null) !== null || isByNodes)) {
    throw denied(
      `this is about the client as a whole, and ${who(actor)} is narrowed to stores or nodes; use ${another(actor)} that is not`,
    );
  }
  if (wholeClient === 'allStores' && (storeIds ?? null) !== null) {
    throw denied(
      `stock belongs to all stores of the client, and ${who(actor)} is narrowed to stores; use ${another(actor)} that is not`,
    );
  }
  if (wholeClient === 'allNodes' && isByNodes) {
    throw denied(
      `items belong to all nodes of the client, and ${who(actor)} is narrowed to nodes; use ${another(actor)} that is not`,
    );
  }
}

/** What the caller came with. */
function who({ kind }: Actor): string {
  return kind === 'user' ? 'this user' : 'this key';
}

function another({ kind }: Actor): string {
  return kind === 'user' ? 'one' : 'a key';
}

/** Ids of a credential's narrowing that a refusal lists. */
const LISTED = 10;

/**
 * The refusal of a store, node or seller that is not the caller's. What is another client's and what is not there are refused
 * alike; one's own is named where only its case is wrong.
 */
async function notOwn(
  db: Reader,
  actor: Actor,
  clientId: string,
  kind: 'store' | 'node' | 'seller',
  id: string,
): Promise<Refusal> {
  const narrowing = kind === 'store' ? actor.storeIds : kind === 'node' ? actor.nodeIds : null;
  const similar = await sameWithoutCase(db, clientId, kind, id);
  if (similar !== undefined && allows(narrowing, similar)) {
    return denied(`identifiers are case-sensitive, and ${who(actor)}'s client has ${kind} ${quote(similar)}`);
  }
  if (narrowing === null || narrowing === undefined)
    return denied(`${who(actor)}'s client has no such store, node or seller`);
  const ids = listed(narrowing.map(quote), LISTED);
  return denied(`${who(actor)} is only for ${kind} ${ids}`);
}

/** The client's own store, node or seller whose id differs from this one in the case of letters only. */
async function sameWithoutCase(
  db: Reader,
  clientId: string,
  kind: 'store' | 'node' | 'seller',
  id: string,
): Promise<string | undefined> {
  const [table, column] = (
    { store: ['stores', 'store_id'], node: ['nodes', 'node_id'], seller: ['sellers', 'seller_id'] } as const
  )[kind];
  const row = await db
    .selectFrom(table as 'stores')
    .select(column as 'store_id')
    .where('client_id', '=', clientId)
    .where((eb) => eb(eb.fn<string>('lower', [column as 'store_id']), '=', id.toLowerCase()))
    .orderBy(column as 'store_id')
    .limit(1)
    .executeTakeFirst();
  return row?.[column as 'store_id'];
}

/** A node the caller names in a body: the caller's own, else 403 as for one in the path. */
export async function requireNode(db: Reader, actor: Actor, clientId: string, nodeId: string): Promise<NodeRow> {
  const node = allows(actor.nodeIds, nodeId) ? await findNode(db, clientId, nodeId) : undefined;
  if (node === undefined) throw await notOwn(db, actor, clientId, 'node', nodeId);
  return node;
}

/** Whether a narrowing (null: none) lets an id through. */
export function allows(narrowing: readonly string[] | null | undefined, id: string): boolean {
  return narrowing === null || narrowing === undefined || narrowing.includes(id);
}

async function operatorScope(db: Reader, operation: Operation, params: Record<string, string>): Promise<Scope> {
  const above = (name: string) => (operation.path.includes(`{${name}}/`) ? params[name] : undefined);
  const scope: Scope = { clientId: params['clientId'] ?? '' };
  const storeId = above('storeId');
  if (storeId !== undefined) {
    const store = await (params['clientId'] === undefined
      ? findStoreAnywhere(db, storeId)
      : findStore(db, params['clientId'], storeId));
    if (store === undefined)
      throw notFound(
        `There is no store ${quote(storeId)}; make it with PUT /operator/v1/clients/{clientId}/stores/{storeId}.`,
      );
    scope.store = store;
    scope.clientId = store.client_id;
  }
  if (above('clientId') !== undefined) {
    const client = await findClient(db, scope.clientId);
    if (client === undefined)
      throw notFound(`There is no client ${quote(scope.clientId)}; make it with PUT /operator/v1/clients/{clientId}.`);
    scope.client = client;
  }
  const nodeId = above('nodeId');
  if (nodeId !== undefined) {
    const node = await findNode(db, scope.clientId, nodeId);
    if (node === undefined)
      throw notFound(
        `There is no node ${quote(nodeId)}; make it with PUT /operator/v1/clients/{clientId}/nodes/{nodeId}.`,
      );
    scope.node = node;
  }
  return scope;
}

interface ById {
  clientId: string;
  id: string;
}

const selectCredential = statement((db, { clientId, id }: ById) =>
  db.selectFrom('credentials').selectAll().where('client_id', '=', clientId).where('credential_id', '=', id),
);

const selectClient = statement((db, { clientId }: { clientId: string }) =>
  db.selectFrom('clients').selectAll().where('client_id', '=', clientId),
);

const selectStore = statement((db, { clientId, id }: ById) =>
  db.selectFrom('stores').selectAll().where('client_id', '=', clientId).where('store_id', '=', id),
);

const selectNode = statement((db, { clientId, id }: ById) =>
  db.selectFrom('nodes').selectAll().where('client_id', '=', clientId).where('node_id', '=', id),
);

const selectSeller = statement((db, { clientId, id }: ById) =>
  db.selectFrom('sellers').select('seller_id').where('client_id', '=', clientId).where('seller_id', '=', id),
);

async function findCredential(db: Reader, clientId: string, id: string): Promise<CredentialRow | undefined> {
  return (await selectCredential(db, { clientId, id }))[0];
}

async function findClient(db: Reader, clientId: string): Promise<ClientRow | undefined> {
  return (await selectClient(db, { clientId }))[0];
}

/** A store of the client, or undefined. */
export async function findStore(db: Reader, clientId: string, id: string): Promise<StoreRow | undefined> {
  return (await selectStore(db, { clientId, id }))[0];
}

// Crosses tenants: an operator names a store without its client; store ids are unique in an installation (docs/decisions/190).
function findStoreAnywhere(db: Reader, storeId: string): Promise<StoreRow | undefined> {
  return db.selectFrom('stores').selectAll().where('store_id', '=', storeId).executeTakeFirst();
}

/** A node of the client, or undefined. */
export async function findNode(db: Reader, clientId: string, id: string): Promise<NodeRow | undefined> {
  return (await selectNode(db, { clientId, id }))[0];
}

async function ownsSeller(db: Reader, clientId: string, id: string): Promise<boolean> {
  return (await selectSeller(db, { clientId, id })).length > 0;
}
