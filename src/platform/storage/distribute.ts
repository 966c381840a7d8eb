/** The statements by which a sharding engine spreads the tables (docs/scale.md#a-sharding-engine-of-the-postgresql-family). */
import { tableNames } from './sums.ts';

/** Every shard has these whole: a unique index of theirs spans clients, others refer to them, or they belong to no client. */
export const ON_EVERY_SHARD: readonly string[] = [
  'clients',
  'sellers',
  'stores',
  'operator_keys',
  'installation',
  'access_heads',
  'passkeys',
  'trainings',
];

/** Tables that are spread by client lie beside the rows of this one. */
const BESIDE = 'nodes';

/** The statement that spreads an empty table by client. */
export function spreading(table: string): string {
  return `select create_distributed_table('${table}', 'client_id', colocate_with => '${BESIDE}')`;
}

/**
 * Every table but that of the migrations, which stays on the coordinator. For Citus 13 and newer, on empty tables, parents first. The setting is of this session: without it the first statement turns
 * every table that refers to another into one of the coordinator's.
 */
export function citusStatements(): string {
  const spread = tableNames().filter((name) => !ON_EVERY_SHARD.includes(name));
  const beside = [BESIDE, ...spread.filter((name) => name !== BESIDE)];
  return [
    'set citus.enable_local_reference_table_foreign_keys = off;',
    ...ON_EVERY_SHARD.map((name) => `select create_reference_table('${name}');`),
    ...beside.map((name) =>
      name === BESIDE ? `select create_distributed_table('${name}', 'client_id');` : `${spreading(name)};`,
    ),
    '',
  ].join('\n');
}

/** Whether the database has the catalog of the engine: only then may `SPREAD_TABLES` be asked. */
export const HAS_CATALOG = `select to_regclass('pg_dist_partition') is not null as "hasCatalog"`;

/** Names of the tables that are spread, or whole on every shard. */
export const SPREAD_TABLES = `select c.relname::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid`;

/** What a migration of a spread database says: the engine refuses its statements, such as a column with a constraint. */
export const NO_MIGRATION =
  'A sharding engine spreads the tables of this database and refuses the statements of migrations. Nothing was changed. Stop the service; with the earlier program copy this database to one of one server (backroom copy), migrate that with this program, and copy it into a new spread database (docs/scale.md).';
