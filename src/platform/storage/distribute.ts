/**
 * The statements that make a sharding engine spread the tables
 * (docs/scale.md#a-sharding-engine-of-the-postgresql-family).
 */
import { BESIDE, spreading } from './spread.ts';
import { tableNames } from './sums.ts';

/**
 * Tables that every shard has in full, because they have unique indexes across clients, references from other tables,
 * or no client.
 */
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

/**
 * Returns the statements for every table except the table of the migrations, which stays on the coordinator. They need
 * Citus 13 or newer and empty tables. The `set` applies to the session. Without the `set`, the next statement would
 * make every table with a foreign key a local table of the coordinator.
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
