/** Plants bugs with a store that rewrites statements and their rows. The code of the service is unchanged. */
import {
  AndNode,
  type CompiledQuery,
  type OperationNode,
  type QueryCompiler,
  type RootOperationNode,
  SelectQueryNode,
  type UnknownRow,
  UpdateQueryNode,
  WhereNode,
} from 'kysely';
import type { Store, Writer } from '../src/platform/storage/db.ts';
import { handleMaker } from '../src/platform/storage/handle.ts';
import type { Tables } from '../src/platform/storage/tables.ts';

export interface Rewrite {
  /** Returns the statement, or a replacement for it. */
  statement?: (node: RootOperationNode) => RootOperationNode;
  /** Returns the rows, or a replacement for them. `table` is the first table that the statement reads or changes. */
  rows?: (table: string | undefined, rows: UnknownRow[]) => UnknownRow[];
}

/**
 * Returns a store that rewrites the statements in writes and their rows; with `reads`, also the statements in reads and
 * their rows.
 */
export function rewriting(store: Store, rewrite: Rewrite, { reads = false } = {}): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'write') {
        const write: Store['write'] = (fn) => target.write((tx, onCommit) => fn(rewritten(tx, rewrite), onCommit));
        return write;
      }
      if (name === 'read' && reads) {
        const read: Store['read'] = (fn, options) => target.read((db) => fn(rewritten(db as Writer, rewrite)), options);
        return read;
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

/**
 * Returns a database handle that rewrites statements when they are sent. Compiled statements are shared, so the handle
 * compiles the rewritten ones separately.
 */
function rewritten(db: Writer, { statement, rows }: Rewrite): Writer {
  const executor = db.getExecutor();
  const compiler: QueryCompiler = { compileQuery: (node, queryId) => executor.compileQuery(node, queryId) };
  return handleMaker(
    executor.adapter,
    compiler,
  )<Tables>(async <R>(query: CompiledQuery) => {
    const node = statement?.(query.query) ?? query.query;
    const sent = node === query.query ? query : recompiled(compiler, query, node);
    const result = await executor.executeQuery<R>(sent);
    if (rows === undefined) return result;
    return { ...result, rows: rows(tableOf(query.query), result.rows as UnknownRow[]) as R[] };
  });
}

/**
 * Compiles a rewritten statement with the values of the query. The shared query has the names of its parameters in
 * place of their values.
 */
function recompiled(compiler: QueryCompiler, query: CompiledQuery, node: RootOperationNode): CompiledQuery {
  const names = compiler.compileQuery(query.query, query.queryId).parameters;
  const values = new Map(names.map((name, index) => [name, query.parameters[index]]));
  const made = compiler.compileQuery(node, query.queryId);
  return { ...made, parameters: made.parameters.map((name) => (values.has(name) ? values.get(name) : name)) };
}

/** Returns the first table that a statement reads or changes; undefined if the statement names no table. */
export function tableOf(node: OperationNode): string | undefined {
  const found = node as unknown as { table?: unknown; into?: unknown; from?: { froms?: unknown[] } };
  return nameIn(found.table ?? found.into ?? found.from?.froms?.[0]);
}

function nameIn(node: unknown): string | undefined {
  const named = (
    (node as { kind?: string } | undefined)?.kind === 'AliasNode' ? (node as { node: unknown }).node : node
  ) as { table?: { identifier?: { name?: unknown } } } | undefined;
  const name = named?.table?.identifier?.name;
  return typeof name === 'string' ? name : undefined;
}

/**
 * Returns a select or an update of the table without its conditions on these columns. Other statements, and statements
 * without any other condition, are returned unchanged.
 */
export function withoutGuard(node: RootOperationNode, table: string, columns: readonly string[]): RootOperationNode {
  if (!(UpdateQueryNode.is(node) || SelectQueryNode.is(node)) || tableOf(node) !== table || node.where === undefined)
    return node;
  const kept = conditionsOf(node.where.where).filter((condition) => !columns.includes(columnOf(condition) ?? ''));
  const [first, ...rest] = kept;
  if (first === undefined) return node;
  const all = rest.reduce<OperationNode>((left, right) => AndNode.create(left, right), first);
  return { ...node, where: WhereNode.create(all) };
}

function conditionsOf(node: OperationNode): OperationNode[] {
  return AndNode.is(node) ? [...conditionsOf(node.left), ...conditionsOf(node.right)] : [node];
}

function columnOf(node: OperationNode): string | undefined {
  const left = (node as unknown as { leftOperand?: { column?: { column?: { name?: string } } } }).leftOperand;
  return left?.column?.column?.name;
}
