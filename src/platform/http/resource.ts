/** Resources that are one row each: look-up by id, and the operations that read one resource or list all resources. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Actor } from '../ctx.ts';
import { quote } from '../message/words.ts';
import type { TSchema } from '../schema.ts';
import { say } from '../sentences.ts';
import type { Reader } from '../storage/db.ts';
import type { Tables } from '../storage/tables.ts';
import { notFound, type Refusal } from './errors.ts';
import { PageQuery, pageReply, pageSchema } from './list-page.ts';
import { type AnyRead, readOperation, reply } from './operation.ts';

type Rows<T extends keyof Tables> = SelectQueryBuilder<Tables, T, Tables[T]>;
type Params = Record<string, string>;
type Lock = RawBuilder<unknown>;

const NAMES = {
  store: say('store'),
  node: say('node'),
  webhook: say('webhook'),
  'identity provider': say('identity provider'),
  'EDI partner': say('EDI partner'),
  person: say('person'),
};

interface Declaration<T extends keyof Tables> {
  /** Name of the resource in sentences, for example `identity provider`. */
  name: keyof typeof NAMES;
  /** Table of the resource. Its key is `client_id` and the column `id`. */
  table: T;
  id: keyof Tables[T] & string;
  /**
   * Path of one resource. Without its last segment, it is the path of the list. The last segment of that path names the
   * list in responses.
   */
  path: `/operator/v1/${string}/{${string}}`;
  /** The path of a resource in the small town. */
  example: string;
  access: AnyRead['access'];
  /** Errors other than 404. */
  refusals?: Record<number, string>;
  schema: TSchema;
  show: (row: Tables[T]) => object;
}

type Texts = Pick<AnyRead, 'id' | 'since' | 'summary' | 'description'>;
interface ListRules<T extends keyof Tables> {
  /** Whether responses can be some seconds old (see `stale` of a read operation). */
  stale?: boolean;
  /** The rows of the list that the caller sees; default: all. */
  seenBy?: (actor: Actor, all: Rows<T>) => Rows<T>;
}

/**
 * Declares a resource of a client. If the path names no client, it is a resource of the operator, and `clientId` is
 * empty.
 */
export function resource<T extends keyof Tables>(declaration: Declaration<T>) {
  const { name, table, id: column, path, example, access, refusals, schema, show } = declaration;
  const listPath = above(path);
  const listName = listPath.slice(above(listPath).length + 1);
  const param = path.slice(listPath.length + 2, -1);
  const isOfClient = path.includes('{clientId}');

  // Kysely cannot type a statement whose table varies, so the statement is typed with `stores`, one of the tables with
  // `client_id`.
  function rowsOf(db: Reader, clientId: string): Rows<T> {
    const rows: unknown = db
      .selectFrom(table as 'stores')
      .selectAll()
      .where('client_id', '=', clientId);
    return rows as Rows<T>;
  }

  /** Finds a resource. `lock`: `forUpdate` or `forNoKeyUpdate` of the dialect, for a write that changes the row. */
  function find(db: Reader, clientId: string, id: string, lock: Lock = sql``): Promise<Tables[T] | undefined> {
    const one = rowsOf(db, clientId).where(sql.ref<string>(column), '=', id);
    const row: Promise<unknown> = one.modifyEnd(lock).executeTakeFirst();
    return row as Promise<Tables[T] | undefined>;
  }

  /** The 404 for an id that does not exist. */
  function missing(clientId: string, id: string): Refusal {
    const owner = isOfClient ? say('client {clientId}', { clientId: JSON.stringify(clientId) }) : say('the operator');
    return notFound(say('There is no {name} {id} of {owner}.', { name: NAMES[name], id: quote(id), owner }));
  }

  /**
   * Returns the row of a resource; `lock` as for `find`.
   * @throws Refusal 404 if there is no such resource.
   */
  async function require(db: Reader, clientId: string, id: string, lock?: Lock): Promise<Tables[T]> {
    const row = await find(db, clientId, id, lock);
    if (row === undefined) throw missing(clientId, id);
    return row;
  }

  /** Declares the operation that reads one resource. */
  function get(texts: Texts) {
    return readOperation({
      ...texts,
      method: 'GET',
      path,
      access,
      message: {
        replies: { 200: { description: `The ${name}.`, schema } },
        refusals: { ...refusals, 404: `There is no such ${isOfClient ? 'client or ' : ''}${name}.` },
        errors: 'problem',
      },
      run: {
        handle: async ({ db }, { params }: { params: Params }) =>
          reply(200, show(await require(db, params['clientId'] ?? '', params[param]!))),
      },
      example: { path: example },
    });
  }

  /** Declares the operation that lists the resources in the order of their ids, one page at a time. */
  function list({ stale = false, seenBy = (_actor, all) => all, ...texts }: Texts & ListRules<T>) {
    return readOperation({
      ...texts,
      method: 'GET',
      path: listPath,
      access,
      message: {
        query: PageQuery,
        replies: { 200: { description: 'A page.', schema: pageSchema(listName, schema) } },
        refusals: { ...refusals, ...(isOfClient && { 404: 'There is no such client.' }) },
        errors: 'problem',
      },
      run: {
        stale,
        handle: ({ db, actor }, { params, query }: { params: Params; query: PageQuery }) =>
          pageReply(listName, query, seenBy(actor, rowsOf(db, params['clientId'] ?? '')), column, show),
      },
      example: { path: above(example) },
    });
  }

  return { find, missing, require, get, list };
}

/** The path without its last segment. */
function above(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
