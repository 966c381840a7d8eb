/**
 * Planted bugs: a store whose statements are rewritten on their way to the database. The service above it is the one that
 * is shipped; only what it says is changed.
 */
import {
  AndNode,
  type CompiledQuery,
  type KyselyPlugin,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  SelectQueryNode,
  type UnknownRow,
  UpdateQueryNode,
  WhereNode,
} from 'kysely';
import type { Reader, Store, Writer } from '../src/storage/db.ts';

export interface Rewrite {
  /** Another statement in its place, or the same. */
  statement?: (node: RootOperationNode) => RootOperationNode;
  /** Other rows in place of those that came; `table` is the one that the statement reads or updates first. */
  rows?: (table: string | undefined, rows: UnknownRow[]) => UnknownRow[];
}

/** The store with its statements and rows rewritten, those of writes, and with `reads` those of reads too. */
export function rewriting(store: Store, rewrite: Rewrite, { reads = false } = {}): Store {
  const plugin = pluginOf(rewrite);
  return new Proxy(store, {
    get(target, name) {
      if (name === 'write') {
        const write: Store['write'] = (fn) => target.write((tx, onCommit) => fn(rewritten(tx, plugin), onCommit));
        return write;
      }
      if (name === 'read' && reads) {
        const read: Store['read'] = (fn, options) => target.read((db) => fn(rewritten(db as Writer, plugin)), options);
        return read;
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

function rewritten(db: Reader | Writer, { plugin, tables }: Planted): Writer {
  const handle = (db as Writer).withPlugin(plugin);
  // A statement compiled once does not pass transformQuery again: which table it reads is noted here.
  const execute = handle.executeQuery.bind(handle);
  handle.executeQuery = ((query: CompiledQuery) => {
    if ('queryId' in query) tables.set(query.queryId, tableOf(query.query));
    return execute(query);
  }) as typeof handle.executeQuery;
  return handle;
}

interface Planted {
  plugin: KyselyPlugin;
  tables: WeakMap<object, string | undefined>;
}

function pluginOf({ statement, rows }: Rewrite): Planted {
  const tables: Planted['tables'] = new WeakMap();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }: PluginTransformQueryArgs) {
      tables.set(queryId, tableOf(node));
      return statement?.(node) ?? node;
    },
    async transformResult({ result, queryId }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
      return rows === undefined ? result : { ...result, rows: rows(tables.get(queryId), result.rows) };
    },
  };
  return { plugin, tables };
}

/** The table that a statement reads or changes first. */
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

/** A select or an update of the table without its conditions on the columns. */
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
