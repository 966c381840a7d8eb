/**
 * Writes that a client sends again because the response was lost. Each write declares the effect of a repeat.
 * examples.test.ts tests the writes whose repeat has no effect; this file tests all other writes.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isAdding } from '../../src/platform/http/operation.ts';
import { operationNamed, operations } from '../../src/service/operations.ts';
import { operationOf } from '../support/backroom.ts';
import { type Example, examplesOf, requestOf } from '../support/examples.ts';
import { openTown } from '../support/town.ts';
import { repeated } from './support/repeats.ts';

const adding = operations.filter(isAdding);

/**
 * Sends each valid example of an operation, changed by `change`, twice. Returns the examples whose second request
 * changed stored data.
 */
async function addedBy(id: string, change = (example: Example): Example => example): Promise<Example[]> {
  const town = await openTown({ upTo: 'returns' });
  const found: Example[] = [];
  for (const example of examplesOf(id).map(change)) {
    const call = requestOf(town, example);
    const { status } = await town.call(call);
    if (status >= 300 || operationOf(call.method, call.path)?.id !== id) continue;
    if ((await repeated(town, call)).changed.length > 0) found.push(example);
  }
  await town.close();
  return found;
}

const without =
  (field: string) =>
  (example: Example): Example =>
    JSON.parse(JSON.stringify(example), (name, value: unknown) => (name === field ? undefined : value)) as Example;

describe('a write that adds again when it is repeated', () => {
  it.each(
    adding.map(
      ({
        id,
        run: {
          repeat: { unless },
        },
      }) => [id, unless] as const,
    ),
  )('%s declares so, and its id prevents it', async (id, unless) => {
    const added = await addedBy(id, unless === undefined ? undefined : without(unless));
    expect(added.length).toBeGreaterThan(0);
    if (unless === undefined) return;
    const safe = await addedBy(id);
    expect(safe.filter(({ request }) => JSON.stringify(request.body).includes(`"${unless}"`))).toEqual([]);
  });

  const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const document = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, { description: string }>>;
  };

  it('is in the table of docs/api.md, which has no other operation', () => {
    const [, rows = ''] = /<!-- repeats[^>]*-->\n\n\|.*\n\|.*\n((?:\|.*\n)+)/.exec(page) ?? [];
    expect(rows.trim().split('\n')).toEqual(
      adding.map(
        ({
          id,
          method,
          path,
          run: {
            repeat: { adds, unless },
          },
        }) => {
          const key = operationNamed(id).message.keyless === true ? '-' : '`Idempotency-Key`';
          const safe = unless === undefined ? key : `\`${unless}\` or ${key}`;
          return `| ${id} | \`${method} ${path}\` | ${adds} | ${safe} |`;
        },
      ),
    );
  });

  it('says so in the OpenAPI document', () => {
    for (const {
      method,
      path,
      run: { repeat },
    } of adding) {
      const { description } = document.paths[path]![method.toLowerCase()]!;
      expect(description).toContain(`Sending the same request again adds ${repeat.adds}.`);
      if (repeat.unless !== undefined) expect(description).toContain(`send \`${repeat.unless}\``);
    }
  });
});
