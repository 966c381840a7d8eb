/** Compares lists of states with the conditions of the partial indexes that queries with these lists use. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { UNFINISHED } from '../../src/service/edi/schema.ts';
import { OPEN_RETURNS, UNPAID_REFUNDS } from '../../src/shared/return-states.ts';

const SCHEMA = readFileSync(new URL('../../src/platform/storage/schema.sql', import.meta.url), 'utf8');

it.each([
  ['edi_interchanges_unfinished', UNFINISHED],
  ['refunds_unanswered', UNPAID_REFUNDS],
  ['returns_waiting', OPEN_RETURNS],
])('the index %s contains the rows of its list', (index, states) => {
  const [, list] = new RegExp(`create index ${index} on [^;]* where status in \\(([^)]*)\\);`, 'i').exec(SCHEMA)!;
  expect(list).toBe(states.map((state) => `'${state}'`).join(', '));
});
