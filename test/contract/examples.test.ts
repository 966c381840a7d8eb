import { describe, expect, it } from 'vitest';
import { isAdding } from '../../src/platform/http/operation.ts';
import { operations } from '../../src/service/operations.ts';
import { operationOf } from '../support/backroom.ts';
import { exampleIds, examplesOf, expectedOf, needsHardware, requestOf } from '../support/examples.ts';
import { openTown } from '../support/town.ts';
import { repeated } from './support/repeats.ts';

describe('examples', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s has a valid and a rejected example, responds as all of its examples say, and repeats as it declares',
    async (id, operation) => {
      const examples = examplesOf(id);
      const own = examples.filter(({ request }) => operationOf(request.method, request.path) === operation);
      expect({
        good: own.some(({ reply }) => reply.status < 300) || needsHardware(id),
        refused: own.some(({ reply }) => reply.status >= 400),
      }).toEqual({ good: true, refused: true });
      const town = await openTown({ upTo: 'returns' });
      for (const example of examples) {
        const call = requestOf(town, example);
        const answer = await town.call(call);
        const { name, reply } = example;
        const body = expectedOf(town, example, answer.body);
        expect({ name, status: answer.status, body: answer.body as unknown }).toEqual({
          name,
          status: reply.status,
          body,
        });
        // Requests that add something each time are not sent again, because this would change the responses of the later
        // examples. repeats.test.ts tests these requests.
        const isRepeated = operation.kind === 'write' && !isAdding(operation) && own.includes(example);
        if (!isRepeated || answer.status >= 300) continue;
        const again = await repeated(town, call);
        const isGood = again.answer.status < 300;
        expect({ name, again: isGood ? 'same' : 'rejected', changed: again.changed }).toEqual({
          name,
          again: operation.run.repeat,
          changed: [],
        });
      }
      await town.close();
    },
  );

  it('have no file without an operation', () => {
    const ids = operations.map((operation) => operation.id);
    expect(exampleIds().filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('have names that are unique in their file', () => {
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
