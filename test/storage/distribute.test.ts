/**
 * Checks that the statements for a sharding engine match the schema and contain nothing that the engine would reject.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { citusStatements, ON_EVERY_SHARD } from '../../src/platform/storage/distribute.ts';
import { partitioning } from '../../src/platform/storage/partitions.ts';
import { spreading } from '../../src/platform/storage/spread.ts';
import { tableNames } from '../../src/platform/storage/sums.ts';

const schema = readFileSync(new URL('../../src/platform/storage/schema.sql', import.meta.url), 'utf8').replace(
  /--.*$/gm,
  '',
);
const made = [...citusStatements().matchAll(/create_(reference|distributed)_table\('(\w+)'/g)].map(
  ([, kind, table]) => ({
    kind,
    table: table!,
  }),
);
const spread = made.filter(({ kind }) => kind === 'distributed').map(({ table }) => table);

it('name every table except that of the migrations once, each after the tables that it refers to', () => {
  const tables = made.map(({ table }) => table);
  expect(tables.toSorted()).toEqual(tableNames().toSorted());
  for (const [, table, body] of schema.matchAll(/^CREATE TABLE (\w+) ([^;]*);/gm)) {
    for (const [, parent] of body!.matchAll(/references (\w+)/g)) {
      expect(tables.indexOf(parent!), `${parent} before ${table}`).toBeLessThan(tables.indexOf(table!));
    }
  }
});

it('spread only tables whose unique indexes and foreign keys carry the client', () => {
  for (const [, table, columns] of schema.matchAll(/^CREATE UNIQUE INDEX \w+ on (\w+) \(([^)]*)\)/gm)) {
    if (spread.includes(table!)) expect(columns, table).toMatch(/\bclient_id\b/);
  }
  for (const [, table, body] of schema.matchAll(/^CREATE TABLE (\w+) ([^;]*);/gm)) {
    if (!spread.includes(table!)) continue;
    expect(body, table).toMatch(/primary key \(client_id\b|client_id text not null primary key/);
    for (const [, columns, parent] of body!.matchAll(/foreign key \(([^)]*)\)\s+references (\w+)/g)) {
      expect(columns, `${table} to ${parent}`).toMatch(/\bclient_id\b/);
    }
  }
});

it('replicate to every shard only tables without a reference to a distributed one', () => {
  for (const [, table, body] of schema.matchAll(/^CREATE TABLE (\w+) ([^;]*);/gm)) {
    if (!ON_EVERY_SHARD.includes(table!)) continue;
    for (const [, parent] of body!.matchAll(/references (\w+)/g)) expect(ON_EVERY_SHARD).toContain(parent);
  }
});

it('distribute events by month before a partition is attached, and rename no constraint, which the engine rejects', () => {
  const [alone, sharded] = [false, true].map((isSharded) => partitioning(Date.UTC(2026, 11, 15), { isSharded }));
  expect(sharded!.before).toEqual(alone!.before);
  expect(sharded!.exchange.filter((text) => !alone!.exchange.includes(text))).toEqual([spreading('events')]);
  const firstOf = (words: string) => sharded!.exchange.findIndex((text) => text.includes(words));
  expect(firstOf('create_distributed_table')).toBe(firstOf('partition by range') + 1);
  expect(firstOf('attach partition')).toBeGreaterThan(firstOf('create_distributed_table'));
  expect(sharded!.exchange.filter((text) => text.includes('rename constraint'))).toEqual([]);
});
