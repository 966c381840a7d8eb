/** A table that a sharding engine spreads, and how a database shows that its tables are (docs/scale.md#a-sharding-engine-of-the-postgresql-family). */

/** Tables that are spread by client lie beside the rows of this one. */
export const BESIDE = 'nodes';

/** The statement that spreads an empty table by client. */
export function spreading(table: string): string {
  return `select create_distributed_table('${table}', 'client_id', colocate_with => '${BESIDE}')`;
}

/** Whether the database has the catalog of the engine: only then may `SPREAD_TABLES` be asked. */
export const HAS_CATALOG = `select to_regclass('pg_dist_partition') is not null as "hasCatalog"`;

/** Names of the tables that are spread, or whole on every shard. */
export const SPREAD_TABLES = `select c.relname::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid`;

/** What a migration of a spread database says: the engine refuses its statements, such as a column with a constraint. */
export const NO_MIGRATION =
  'A sharding engine spreads the tables of this database and refuses the statements of migrations. Nothing was changed. Stop the service; with the earlier program copy this database to one of one server (backroom copy), migrate that with this program, and copy it into a new spread database (docs/scale.md).';
