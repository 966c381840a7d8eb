/**
 * Statements that spread tables with a sharding engine and find the spread tables, and the error of a migration of such
 * a database (docs/scale.md#a-sharding-engine-of-the-postgresql-family).
 */

/** Tables that are spread by client are colocated with this table. */
export const BESIDE = 'nodes';

/** The statement that spreads an empty table by client. */
export function spreading(table: string): string {
  return `select create_distributed_table('${table}', 'client_id', colocate_with => '${BESIDE}')`;
}

/** Selects whether the database has the catalog of the engine. Without the catalog, `SPREAD_TABLES` fails. */
export const HAS_CATALOG = `select to_regclass('pg_dist_partition') is not null as "hasCatalog"`;

/** Selects the names of the tables that are spread, or on every shard in full. */
export const SPREAD_TABLES = `select c.relname::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid`;

/**
 * The error of a migration of a spread database: the engine rejects statements of migrations, for example a new column
 * with a constraint.
 */
export const NO_MIGRATION =
  'A sharding engine spreads the tables of this database and rejects the statements of migrations. Nothing was changed. Stop the service; with the earlier program copy this database to one of one server (backroom copy), migrate that with this program, and copy it into a new spread database (docs/scale.md).';
