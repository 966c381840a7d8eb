import { describe, expect, it } from 'vitest';
import { operations } from '../../src/service/operations.ts';
import { operationOf } from '../support/backroom.ts';
import { exampleIds, examplesOf, expectedOf, NEEDS_HARDWARE, runExample } from '../support/examples.ts';
import { openTown } from '../support/town.ts';

describe('examples', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s has a good and a refused example, and answers all of its examples as they say',
    async (id, operation) => {
      const examples = examplesOf(id);
      const own = examples.filter(({ request }) => operationOf(request.method, request.path) === operation);
      expect({
        good: own.some(({ reply }) => reply.status < 300) || NEEDS_HARDWARE.has(id),
        refused: own.some(({ reply }) => reply.status >= 400),
      }).toEqual({ good: true, refused: true });
      const town = await openTown();
      for (const example of examples) {
        const answer = await runExample(town, example);
        const { name, reply } = example;
        const body = expectedOf(town, example, answer.body);
        expect({ name, status: answer.status, body: answer.body as unknown }).toEqual({
          name,
          status: reply.status,
          body,
        });
      }
      await town.close();
    },
  );

  it('have no file for what is no operation', () => {
    const ids = operations.map((operation) => operation.id);
    expect(exampleIds().filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('have a name each, once in its file', () => {
    for (const id of exampleIds()) {
      const names = examplesOf(id).map(({ name }) => name);
      expect(new Set(names).size, id).toBe(names.length);
      expect(
        names.filter((name) => name.trim() === ''),
        id,
      ).toEqual([]);
    }
  });
});
