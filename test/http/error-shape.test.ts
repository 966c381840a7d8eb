import { describe, expect, it } from 'vitest';
import { shapeOfPath } from '../../src/platform/http/errors.ts';
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
