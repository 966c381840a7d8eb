/** The statements by which a sharding engine spreads the tables (docs/scale.md#a-sharding-engine-of-the-postgresql-family). */
import { BESIDE, spreading } from './spread.ts';
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
