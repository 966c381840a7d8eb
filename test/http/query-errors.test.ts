import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenTown, openTown } from '../support/town.ts';

const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

it.each([
  ['stock?limit=0', 'query:limit minimum', "'limit' must be a whole number from 1 to 500"],
  ['stock?limit=501', 'query:limit maximum', "'limit' must be a whole number from 1 to 500"],
  ['stock?limit=ten', 'query:limit type', "'limit' must be a whole number from 1 to 500"],
  ['stock?limit=010', 'query:limit type', "'limit' must be a whole number from 1 to 500"],
  ['stock/transactions?after=-1', 'query:after minimum', "'after' must be a whole number of at least 0"],
  ['stock/transactions?after=x', 'query:after type', "'after' must be a whole number of at least 0"],
  ['work?wait=26', 'query:wait maximum', "'wait' must be a whole number from 0 to 25"],
  ['manifest?date=2026-02-30', 'query:date format', "'date' is not a valid date of 1970 to 9999"],
  ['manifest?date=2026-02-3', 'query:date minLength', 'YYYY-MM-DD'],
  ['stock?limit=5&limit=5', 'query:limit duplicate', "'limit' is in the query several times; send it once"],
  [
    'stock/transactions?after=0&after=1',
    'query:after duplicate',
    "'after' is in the query several times; send it once",
  ],
])('the error of %s says which values the parameter accepts', async (path, fault, words) => {
  const { status, body, text } = await town.client.get(`${NODE}/${path}`);
  const { errors } = body as { errors: { pointer: string; rule: string }[] };
  expect([status, errors.map(({ pointer, rule }) => `${pointer} ${rule}`)[0]]).toEqual([400, fault]);
  expect(text).toContain(words);
});

it('a repeated parameter has one error, and an error of its first value is listed too', async () => {
  const { body } = await town.client.get(`${NODE}/stock?limit=5&limit=ten`);
  expect(body.errors).toMatchObject([{ pointer: 'query:limit', rule: 'duplicate' }]);
  const { body: bad } = await town.client.get(`${NODE}/stock?limit=ten&limit=5`);
  expect(bad.errors.map(({ rule }: { rule: string }) => rule).toSorted()).toEqual(['duplicate', 'type']);
});

it('the OpenAPI document shows the range of a whole number instead of a pattern', async () => {
  const { body } = await town.client.get('/openapi.json');
  const { parameters } = (body as { components: { parameters: Record<string, { name: string; schema: object }> } })
    .components;
  const limits = Object.values(parameters).filter(({ name }) => name === 'limit');
  expect(limits.length).toBeGreaterThan(0);
  for (const { schema } of limits) {
    expect(schema).toMatchObject({ type: ['integer', 'null'], minimum: 1, maximum: expect.any(Number) });
    expect(schema).not.toHaveProperty('pattern');
  }
});
