import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backroom, openBackroom } from '../support/backroom.ts';
import { CLIENT, done, faultsOf, nodeBody, provisioned, storeBody, userBody } from './support.ts';

/** Path of a list, the field that holds the list, and the identifier by which the list is sorted. */
const LISTS = [
  ['/operator/v1/clients', 'clients', 'clientId'],
  [`${CLIENT}/stores`, 'stores', 'storeId'],
  [`${CLIENT}/nodes`, 'nodes', 'nodeId'],
  [`${CLIENT}/credentials`, 'credentials', 'credentialId'],
  [`${CLIENT}/users`, 'users', 'userId'],
] as const;

let backroom: Backroom;
beforeAll(async () => {
  backroom = await provisioned(await openBackroom());
  const names = ['B', 'a', 'é', 'A-1', 'A_1', '10', '9'];
  for (const [index, name] of names.entries()) {
    const id = encodeURIComponent(name);
    await done(backroom.operator('PUT', `/operator/v1/clients/${id}`, { name, catalogIds: ['1'] }));
    await done(backroom.operator('PUT', `${CLIENT}/stores/${id}`, { ...storeBody, storeCode: `L${index}` }));
    await done(backroom.operator('PUT', `${CLIENT}/nodes/${id}`, nodeBody));
    await done(backroom.operator('POST', `${CLIENT}/credentials`, { label: name }));
    await done(backroom.operator('PUT', `${CLIENT}/users/${id}`, userBody));
  }
});
afterAll(() => backroom.close());

async function walk(path: string, member: string, limit: number | undefined): Promise<Record<string, unknown>[][]> {
  const pages: Record<string, unknown>[][] = [];
  let after: string | undefined;
  do {
    const query = [
      limit === undefined ? [] : [`limit=${limit}`],
      after === undefined ? [] : [`after=${encodeURIComponent(after)}`],
    ].flat();
    const answer = await done(backroom.operator('GET', `${path}?${query.join('&')}`));
    const body = answer.body as Record<string, unknown>;
    pages.push(body[member] as Record<string, unknown>[]);
    after = body['next'] as string | undefined;
  } while (after !== undefined);
  return pages;
}

describe('a list of the operator', () => {
  it.each(LISTS)(
    '%s returns each record once, in the order of its identifier, at every page size',
    async (path, member, id) => {
      const [whole] = await walk(path, member, undefined);
      const ids = whole!.map((row) => row[id] as string);
      expect(ids.length).toBeGreaterThanOrEqual(7);
      expect(ids).toEqual([...ids].sort());
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: ids.length + 2 }), async (limit) => {
          const pages = await walk(path, member, limit);
          expect(pages.flat()).toEqual(whole);
          expect(pages.every((page) => page.length <= limit)).toBe(true);
          expect(pages).toHaveLength(Math.ceil(ids.length / limit));
        }),
        { numRuns: 12 },
      );
    },
  );

  it.each(LISTS)('%s returns records as a read of the single record does', async (path, member, id) => {
    const [whole] = await walk(path, member, 500);
    for (const row of whole!) {
      const one = await backroom.operator('GET', `${path}/${encodeURIComponent(row[id] as string)}`);
      expect(one.body).toEqual(row);
    }
  });

  it.each(LISTS)('%s goes on behind an identifier that is not there', async (path, member, id) => {
    const [whole] = await walk(path, member, undefined);
    const answer = await backroom.operator('GET', `${path}?after=B0`);
    expect(answer.body[member]).toEqual(whole!.filter((row) => (row[id] as string) > 'B0'));
  });

  it.each(LISTS)('%s takes a limit of 1 to 500 only', async (path) => {
    for (const limit of ['1', '99', '100', '500'])
      expect((await backroom.operator('GET', `${path}?limit=${limit}`)).status).toBe(200);
    for (const limit of ['0', '501', '-1', '1.5', '01', '', 'x', '1e2', '1000']) {
      const answer = await backroom.operator('GET', `${path}?limit=${limit}`);
      expect([limit, answer.status, faultsOf(answer)[0]]).toEqual([limit, 400, expect.stringMatching(/^query:limit /)]);
    }
    expect((await backroom.operator('GET', `${path}?limit=1&limit=2`)).status).toBe(400);
  });

  it.each(LISTS)('%s rejects an `after` that is not an identifier', async (path) => {
    for (const after of ['', '%20x', 'x'.repeat(65), '%00']) {
      const answer = await backroom.operator('GET', `${path}?after=${after}`);
      expect([after, answer.status, faultsOf(answer)[0]]).toEqual([after, 400, expect.stringMatching(/^query:after /)]);
    }
    expect((await backroom.operator('GET', `${path}?after=${'x'.repeat(64)}`)).status).toBe(200);
  });

  it.each(LISTS.slice(1))('%s of a client that does not exist is 404', async (path) => {
    expect((await backroom.operator('GET', path.replace(CLIENT, '/operator/v1/clients/NOBODY'))).status).toBe(404);
  });

  it('of one client holds nothing of another', async () => {
    for (const member of ['stores', 'nodes', 'credentials', 'users'] as const) {
      expect((await backroom.operator('GET', `/operator/v1/clients/B/${member}`)).body).toEqual({ [member]: [] });
    }
  });

  it('of credentials and users shows no secret and no hash', async () => {
    for (const path of [`${CLIENT}/credentials`, `${CLIENT}/users`]) {
      const { text } = await backroom.operator('GET', path);
      expect(text).not.toMatch(/hash|apiKey|password|scrypt|br_/);
    }
  });
});
