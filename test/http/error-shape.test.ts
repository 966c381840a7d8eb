import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { shapeOfPath, titleOf } from '../../src/platform/http/errors.ts';
import { operations } from '../../src/service/operations.ts';

describe('the format of an error before the operation is known', () => {
  it('is the one that the operation declares, for every operation', () => {
    const others = operations.flatMap(({ id, method, path, message: { errors = 'record' } }) => {
      const guessed = shapeOfPath(method, path.replaceAll(/\{\w+\}/g, 'x'));
      return guessed === errors ? [] : [`${id}: ${guessed}, not ${errors}`];
    });
    expect(others).toEqual([]);
  });
});

describe('the title of problem details', () => {
  it('is the phrase of the status, for every status of the OpenAPI document and for 421', () => {
    const document = readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8');
    const statuses = new Set([...document.matchAll(/"([45]\d\d)": ?\{/g)].map(([, status]) => Number(status)));
    expect([...statuses]).toEqual(expect.arrayContaining([400, 404, 409, 410, 412]));
    expect([...statuses, 421].filter((status) => titleOf(status) === 'Error')).toEqual([]);
  });
});
