/**
 * Authenticates and authorizes callers. The text of a credential names its client, so that the service can look up the
 * credential and compare the hash. A credential can be limited to groups, stores and nodes (docs/interface.md#access).
 */

import type { Config } from '../config.ts';
import { type Actor, GROUPS, type Group, type Permission } from '../ctx.ts';
import { type Json, readJson } from '../json-column.ts';
import { type Sentence, sequence } from '../message/sentence.ts';
import { listed, quote } from '../message/words.ts';
import { sameSecret, sha256 } from '../secrets.ts';
import { say } from '../sentences.ts';
import type { Reader } from '../storage/db.ts';
import { statement } from '../storage/statement.ts';
import type { ClientRow, CredentialRow, NodeRow, StoreRow } from '../storage/tables.ts';
import { type AccessToken, hasToken, tokenIn } from './access-token.ts';
import { clientOfTag, clientTag } from './client-tag.ts';
import { denied, notFound, Refusal } from './errors.ts';
import { type Auth, groupsOf, type Operation, permissionsAsked } from './operation.ts';

/** Makes the key and password of a client's credential. A response shows them once; only their hashes are stored. */
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

/** Eight characters that identify a credential or key; not a secret. */
export function makeCredentialId(randomBytes: (size: number) => Buffer): string {
  return randomBytes(5).toString('hex').slice(0, 8);
}

/** All tables that `authenticate` and `authorize` read: tables of callers, and of the resources in paths. */
export const ACCESS_TABLES = ['clients', 'sellers', 'stores', 'nodes', 'credentials', 'operator_keys'] as const;

export interface AccessHeaders {
  authorization?: string | undefined;
  apikey?: string | string[] | undefined;
  cookie?: string | undefined;
  'outbox-ticket'?: string | string[] | undefined;
  origin?: string | undefined;
  'sec-fetch-site'?: string | string[] | undefined;
}

const INVALID = say('The credentials are unknown, revoked or expired; ask the operator for new ones.');

/** The caller, and the expiry of the credential in epoch milliseconds; null: it does not expire. */
export interface Authenticated {
  actor: Actor;
  until: number | null;
}

/** Parts of the installation that the check of credentials uses. */
export interface AccessParts extends Pick<Config, 'operatorKey'> {
  /** Checks access tokens. Without this function, access tokens are not accepted. */
  isSigned?: (token: AccessToken, row: CredentialRow) => boolean;
}

/** The headers with the credentials, the kind of credential that the operation needs, and the time of the check. */
interface Asking {
  auth: Auth;
  headers: AccessHeaders;
  now: number;
  config: AccessParts;
}

/**
 * Finds the actor of the credentials in the headers. Outside of the interface, every credential that is sent must be
 * valid (docs/api.md#several-credentials).
 * @throws Refusal CREDENTIALS_MISSING, CREDENTIALS_INVALID or TOKEN_EXPIRED. The status is 401, but 403 for an apiKey
 * or password on operations of the interface (docs/interface.md#statuses). 403 ACCESS_DENIED if the operation needs
 * the operator's key and the caller sends a client's key.
 */
export async function authenticate(db: Reader, asking: Asking): Promise<Authenticated> {
  const found = await authenticateFirst(db, asking);
  if (!hasSeveral(asking.auth, asking.headers)) return found;
  const ends = [found.until, await untilOfOther(db, asking)].filter((end) => end !== null);
  return { ...found, until: ends.length === 0 ? null : Math.min(...ends) };
}

/**
 * Whether a request sends both an apiKey and the header Authorization to an operation with the access `operator` or
 * `operatorOrApiKey`. False for every other kind of access.
 */
export function hasSeveral(auth: Auth, { apikey, authorization = '' }: AccessHeaders): boolean {
  return (auth === 'operator' || auth === 'operatorOrApiKey') && apikey !== undefined && authorization !== '';
}

/**
 * Checks the credential that does not determine the actor, and returns its expiry.
 * @throws Refusal 401 if it is not valid
 */
async function untilOfOther(db: Reader, { auth, headers, now, config }: Asking): Promise<number | null> {
  const authorization = headers.authorization!;
  const row = await findLive(db, headers.apikey, now);
  if (row === undefined) throw unauthorized('CREDENTIALS_INVALID', INVALID);
  // The operator's key is already checked, because it determined the actor. Only the apiKey is left.
  if (auth === 'operator') return row.expires_at;
  if (hasToken(authorization)) return (await authenticateToken(db, authorization, now, config)).until;
  if (/^Bearer /i.test(authorization))
    return (await authenticateOperator(db, 'operator', authorization, now, config)).until;
  if (!isBasicOf(authorization, row)) throw unauthorized('CREDENTIALS_INVALID', INVALID);
  return row.expires_at;
}

/**
 * Finds the actor of the credential that has precedence: Authorization for operations of the operator, otherwise the
 * apiKey if it is sent.
 */
async function authenticateFirst(db: Reader, { auth, headers, now, config }: Asking): Promise<Authenticated> {
  if (auth === 'none' || auth === 'browser') return { actor: { kind: 'anonymous', id: 'anonymous' }, until: null };
  if (auth === 'session')
    throw unauthorized('CREDENTIALS_MISSING', say('The request has no session; sign in with POST /session.'));
  if ((auth === 'operator' || headers.apikey === undefined) && hasToken(headers.authorization)) {
    const caller = await authenticateToken(db, headers.authorization!, now, config);
    if (auth !== 'operator') return caller;
    const error = denied(say('the operation needs a key of the operator, but the access token belongs to a client'));
    throw ofCaller(error, caller.actor);
  }
  const isOperators = /^Bearer /i.test(headers.authorization ?? '');
  const ofClient = auth === 'operator' && !isOperators ? await findLive(db, headers.apikey, now) : undefined;
  if (ofClient !== undefined) {
    const error = denied(say('the operation needs a key of the operator, but the apiKey belongs to a client'));
    throw ofCaller(error, clientActor(ofClient));
  }
  if (auth === 'operator' || (auth === 'operatorOrApiKey' && headers.apikey === undefined)) {
    return authenticateOperator(db, auth, headers.authorization, now, config);
  }
  const apiKey = headers.apikey;
  if (typeof apiKey !== 'string' || apiKey === '') {
    throw missingCredentials(say('Send the apiKey header with the key supplied by the operator.'));
  }
  const row = await findLive(db, apiKey, now);
  if (row === undefined && auth === 'operatorOrApiKey') throw unauthorized('CREDENTIALS_INVALID', INVALID);
  if (row === undefined) throw invalidCredentials();
  if (auth === 'basic') checkBasic(headers.authorization, row);
  return { actor: clientActor(row), until: row.expires_at };
}

/** Finds the actor of an access token. Its groups are the groups that both the token and the credential have. */
async function authenticateToken(
  db: Reader,
  authorization: string,
  now: number,
  { isSigned }: AccessParts,
): Promise<Authenticated> {
  const token = tokenIn(authorization);
  const row = token && (await findCredential(db, token.clientId, token.credentialId));
  if (token === undefined || row === undefined || isSigned?.(token, row) !== true || !isLive(row, now)) {
    throw unauthorized('CREDENTIALS_INVALID', INVALID);
  }
  if (token.until <= now) {
    const headers = { 'www-authenticate': 'Bearer realm="backroom", error="invalid_token"' };
    const what = say('The access token has expired; get another token with POST /oauth/token.');
    throw new Refusal(401, 'SECURITY', 'TOKEN_EXPIRED', what, { headers });
  }
  const actor = clientActor(row);
  const groups = actor.groups?.filter((group) => token.groups?.includes(group) ?? true) ?? [];
  return { actor: { ...actor, groups }, until: token.until };
}

/**
 * Finds the credential of `client_secret_basic`: user name and password, each form-encoded (RFC 6749, 2.3.1).
 * @throws Refusal 401 if they are missing or wrong
 */
export async function findBasic(db: Reader, authorization: string | undefined, now: number): Promise<CredentialRow> {
  const headers = { 'www-authenticate': 'Basic realm="backroom"' };
  const invalid = (code: string, what: Sentence) => new Refusal(401, 'SECURITY', code, what, { headers });
  if (authorization === undefined) {
    const what = say('Send Authorization: Basic with the user name and password of a credential.');
    throw invalid('CREDENTIALS_MISSING', what);
  }
  const [username, password] = basicOf(authorization).map(formDecoded);
  const [, tag = '', id = ''] = /^([A-Za-z0-9.~-]+)_([0-9a-z]+)$/.exec(username!) ?? [];
  const row = await findCredential(db, clientOfTag(tag), id);
  if (row === undefined || !sameSecret(sha256(password!), row.password_hash) || !isLive(row, now)) {
    throw invalid('CREDENTIALS_INVALID', INVALID);
  }
  return row;
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** The credential of an apiKey, if it is neither revoked nor expired. */
async function findLive(db: Reader, apiKey: unknown, now: number): Promise<CredentialRow | undefined> {
  if (typeof apiKey !== 'string') return undefined;
  const [, tag = '', id = ''] = /^br_([A-Za-z0-9.~-]+)_([0-9a-z]+)_/.exec(apiKey) ?? [];
  const row = await findCredential(db, clientOfTag(tag), id);
  return row !== undefined && sameSecret(row.key_hash, sha256(apiKey)) && isLive(row, now) ? row : undefined;
}

/** The actor of a client's credential. */
export function clientActor(row: CredentialRow): Actor {
  return {
    kind: 'client',
    id: `credential:${row.credential_id}`,
    clientId: row.client_id,
    storeIds: parseList(row.store_ids),
    nodeIds: parseList(row.node_ids),
    groups: groupsOfRow(row),
  };
}

/** The groups of a credential. */
export function groupsOfRow(row: CredentialRow): readonly Group[] {
  return readJson(row.groups).filter((group): group is Group => (GROUPS as readonly string[]).includes(group));
}

function checkBasic(authorization: string | undefined, row: CredentialRow): void {
  if (authorization === undefined || authorization === '') {
    throw missingCredentials(
      say('Send Authorization: Basic with the user name and password of the same credential as apiKey.'),
    );
  }
  if (!isBasicOf(authorization, row)) throw invalidCredentials();
}

/** Whether an Authorization header has the user name and password of a credential. */
function isBasicOf(authorization: string, row: CredentialRow): boolean {
  const [username, password] = basicOf(authorization);
  return sameSecret(username, row.username) && sameSecret(sha256(password), row.password_hash);
}

/** User name and password of an Authorization header; empty if it has none. */
function basicOf(authorization: string): [username: string, password: string] {
  const [, code = ''] = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization) ?? [];
  const [, username = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(code, 'base64').toString('utf8')) ?? [];
  return [username, password];
}

const MISSING = {
  operator: say('Send Authorization: Bearer with an operator key.'),
  operatorOrApiKey: say('Send the apiKey header, or Authorization: Bearer with an access token or an operator key.'),
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

function parseList(text: Json<string[]> | null): readonly string[] | null {
  return text === null ? null : readJson(text);
}

function missingCredentials(description: Sentence): Refusal {
  return new Refusal(403, 'SECURITY', 'CREDENTIALS_MISSING', description);
}

function invalidCredentials(): Refusal {
  return new Refusal(403, 'SECURITY', 'CREDENTIALS_INVALID', INVALID);
}

/** Returns a 401 with the scheme Bearer. With the scheme Basic, a browser would show its own password dialog. */
export function unauthorized(code: string, description: Sentence): Refusal {
  return new Refusal(401, 'SECURITY', code, description, {
    headers: { 'www-authenticate': 'Bearer realm="backroom"' },
  });
}

/** The client, store and node in the path of an operation. */
export interface Scope {
  clientId: string;
  client?: ClientRow;
  store?: StoreRow;
  node?: NodeRow;
}

/**
 * Loads the resources of the path and checks that the caller has access to them.
 * @throws Refusal 403 if the caller lacks the group or permission of the operation. If a resource is missing or
 * belongs to another client: 404 for operators and their users, 403 for a client's credentials and users.
 */
export async function authorize(
  db: Reader,
  operation: Operation,
  actor: Actor,
  params: Record<string, string>,
): Promise<Scope> {
  try {
    return await findScope(db, operation, actor, params);
  } catch (error) {
    throw ofCaller(error, actor);
  }
}

/** Adds the caller to an error, so that the rejected request counts for the rate limit of this caller. */
export function ofCaller(error: unknown, actor: Actor): unknown {
  if (error instanceof Refusal) error.actor = actor;
  return error;
}

async function findScope(
  db: Reader,
  operation: Operation,
  actor: Actor,
  params: Record<string, string>,
): Promise<Scope> {
  if (operation.access.auth === 'none' || operation.access.auth === 'browser') return { clientId: '' };
  if (operation.access.auth === 'session') return { clientId: actor.clientId ?? '' };
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
      throw denied(
        say('the path names another client, but {who} belongs to client {clientId}; send {clientId} in the path', {
          who: who(actor),
          clientId: quote(clientId),
        }),
      );
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

/**
 * Checks the permissions of a user for the operation.
 * @throws Refusal 403 if the user's role has none of the permissions of the operation.
 */
function mustBePermitted(operation: Operation, { permissions = [], session }: Actor): void {
  const asked = permissionsAsked(operation);
  if (asked.some((one) => permissions.includes(one))) return;
  const role = quote(session?.role ?? '');
  throw denied(
    say('the operation needs the permission {asked}, and your role {role} does not have it', {
      asked: sequence(asked, say(' or ')),
      role,
    }),
  );
}

/** Whether a user with these permissions can use the operation. */
export function isPermitted(operation: Operation, permissions: readonly Permission[]): boolean {
  return permissionsAsked(operation).some((one) => permissions.includes(one));
}

function groupMissing(needed: readonly Group[], { groups = [] }: Actor): Sentence {
  const has = groups.length === 0 ? say('none') : groups.join(', ');
  return say('the operation needs a key of group {needed}; this key has {has}; ask the operator for another key', {
    needed: sequence(needed, say(' or ')),
    has,
  });
}

/**
 * Checks that a caller who is limited to stores or nodes does not call an operation on the whole client.
 * @throws Refusal 403 if the operation concerns more than the stores or nodes to which the caller is limited.
 */
function refuseNarrowed({ access: { wholeClient } }: Operation, actor: Actor): void {
  const { storeIds, nodeIds } = actor;
  const isByNodes = (nodeIds ?? null) !== null;
  if (wholeClient === true && ((storeIds ?? null) !== null || isByNodes)) {
    throw denied(
      say(
        'the operation concerns the whole client, but {who} has access only to some of its stores or nodes; send the request {another} to the whole client',
        { who: who(actor), another: another(actor) },
      ),
    );
  }
  if (wholeClient === 'allStores' && (storeIds ?? null) !== null) {
    throw denied(
      say(
        'stock belongs to all stores of the client, but {who} has access only to some of them; send the request {another} to all stores',
        { who: who(actor), another: another(actor) },
      ),
    );
  }
  if (wholeClient === 'allNodes' && isByNodes) {
    throw denied(
      say(
        'the operation concerns all nodes of the client, but {who} has access only to some of them; send the request {another} to all nodes',
        { who: who(actor), another: another(actor) },
      ),
    );
  }
}

/** The subject of an error message for this caller. */
function who({ kind }: Actor): Sentence {
  return kind === 'user' ? say('this user') : say('this key');
}

/** The kind of caller that has access, for an error message: another user, or another key. */
function another({ kind }: Actor): Sentence {
  return kind === 'user' ? say('as a user who has access') : say('with a key that has access');
}

const KINDS = { store: say('store'), node: say('node'), seller: say('seller') };

/** Maximum number of ids in the list of a caller's stores or nodes in an error. */
const LISTED = 10;

/**
 * Returns the error for a store, node or seller to which the caller has no access. The error is the same for a resource
 * of another client and for a missing resource. If the id differs only in upper and lower case from the id of a
 * resource to which the caller has access, the error names that resource.
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
    return denied(
      say("identifiers are case-sensitive, and {who}'s client has the {kind} {similar}; send {similar}", {
        who: who(actor),
        kind: KINDS[kind],
        similar: quote(similar),
      }),
    );
  }
  if (narrowing === null || narrowing === undefined)
    return denied(say("{who}'s client has no such store, node or seller; check the id", { who: who(actor) }));
  const ids = listed(narrowing.map(quote), LISTED);
  return denied(say('{who} is limited to {kind} {ids}', { who: who(actor), kind: KINDS[kind], ids }));
}

/** The id of the client's store, node or seller that equals `id` without regard to case; undefined: there is none. */
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

/**
 * Returns the node that a path or body names.
 * @throws Refusal 403 if the node does not exist or the caller has no access to it.
 */
export async function requireNode(db: Reader, actor: Actor, clientId: string, nodeId: string): Promise<NodeRow> {
  const node = allows(actor.nodeIds, nodeId) ? await findNode(db, clientId, nodeId) : undefined;
  if (node === undefined) throw await notOwn(db, actor, clientId, 'node', nodeId);
  return node;
}

/** Whether a limit allows an id; null and undefined: there is no limit. */
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
        say('There is no store {storeId}; create it with PUT {path}', {
          storeId: quote(storeId),
          path: '/operator/v1/clients/{clientId}/stores/{storeId}.',
        }),
      );
    scope.store = store;
    scope.clientId = store.client_id;
  }
  const sellerId = above('sellerId');
  if (sellerId !== undefined && params['clientId'] === undefined) {
    const seller = await findSellerAnywhere(db, sellerId);
    if (seller === undefined)
      throw notFound(
        say('There is no seller {sellerId}; create a web store with this sellerId with PUT {path}', {
          sellerId: quote(sellerId),
          path: '/operator/v1/clients/{clientId}/stores/{storeId}.',
        }),
      );
    scope.clientId = seller.client_id;
  }
  if (above('clientId') !== undefined) {
    const client = await findClient(db, scope.clientId);
    if (client === undefined)
      throw notFound(
        say('There is no client {clientId}; create it with PUT {path}', {
          clientId: quote(scope.clientId),
          path: '/operator/v1/clients/{clientId}.',
        }),
      );
    scope.client = client;
  }
  const nodeId = above('nodeId');
  if (nodeId !== undefined) {
    const node = await findNode(db, scope.clientId, nodeId);
    if (node === undefined)
      throw notFound(
        say('There is no node {nodeId}; create it with PUT {path}', {
          nodeId: quote(nodeId),
          path: '/operator/v1/clients/{clientId}/nodes/{nodeId}.',
        }),
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

// Crosses tenants: an operator names a store without its client; store ids are unique in an installation
// (docs/decisions/190).
function findStoreAnywhere(db: Reader, storeId: string): Promise<StoreRow | undefined> {
  return db.selectFrom('stores').selectAll().where('store_id', '=', storeId).executeTakeFirst();
}

/** The client of a seller, or undefined. A seller belongs to one client of the installation. */
function findSellerAnywhere(db: Reader, sellerId: string): Promise<{ client_id: string } | undefined> {
  return db.selectFrom('sellers').select('client_id').where('seller_id', '=', sellerId).executeTakeFirst();
}

/** A node of the client, or undefined. */
async function findNode(db: Reader, clientId: string, id: string): Promise<NodeRow | undefined> {
  return (await selectNode(db, { clientId, id }))[0];
}

async function ownsSeller(db: Reader, clientId: string, id: string): Promise<boolean> {
  return (await selectSeller(db, { clientId, id })).length > 0;
}
