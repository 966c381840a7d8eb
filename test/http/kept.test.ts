import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeptAnswers } from '../../src/http/kept.ts';
import { openStore } from '../../src/storage/db.ts';
import { type OpenTown, openTown } from '../support/town.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ upTo: 'catalog' });
});
afterAll(() => town.close());

const ITEM = '/item-service/stores/TOWN_US/items/21-MUG-WHT';

/** Often enough for it to be kept. */
async function readOften() {
  const answers = [];
  for (let time = 0; time < 4; time++) answers.push(await town.client.get(ITEM));
  return answers;
}

describe('a read that is asked for again and again', () => {
  it('is answered alike each time, each with its own request id', async () => {
    const answers = await readOften();
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(4);
    expect(new Set(answers.map(({ headers }) => headers['content-type']))).toEqual(
      new Set(['application/json; charset=utf-8']),
    );
  });

  it('shows a change as soon as that is acknowledged', async () => {
    const [before] = await readOften();
    const changed = await town.client.put('/item-service/clients/TOWN/items/21-MUG-WHT', {
      ...before!.body,
      description: 'Stoneware mug, cream',
    });
    expect(changed.status).toBe(200);
    expect((await town.client.get(ITEM)).body.description).toBe('Stoneware mug, cream');
  });

  it('shows a change that another process made', async () => {
    await readOften();
    const other = await openStore(town.store.url);
    const doc = JSON.stringify({ ...(await town.client.get(ITEM)).body, description: 'Changed elsewhere' });
    await other.write((tx) =>
      tx
        .updateTable('items')
        .set({ doc })
        .where('client_id', '=', 'TOWN')
        .where('item_id', '=', '21-MUG-WHT')
        .execute(),
    );
    await other.close();
    expect((await town.client.get(ITEM)).body.description).toBe('Changed elsewhere');
  });

  it('is refused with a query as the first time', async () => {
    await readOften();
    expect((await town.client.get(`${ITEM}?color=red`)).status).toBe(400);
  });

  it('is not there for a credential of other stores', async () => {
    await readOften();
    const narrowed = await town.credential({ storeIds: ['TOWN_CA'] });
    expect((await narrowed.get(ITEM)).status).toBe(403);
  });

  it('is refused at once when its credential is revoked', async () => {
    const caller = await town.credential();
    for (let time = 0; time < 3; time++) expect((await caller.get(ITEM)).status).toBe(200);
    const { credentialId } = caller.secrets;
    await town.operator('DELETE', `/operator/v1/clients/TOWN/credentials/${credentialId}`);
    expect((await caller.get(ITEM)).status).toBe(403);
  });

  it('is refused from the instant at which its credential expires', async () => {
    const caller = await town.credential({ expiresAt: new Date(town.clock.now + 60_000).toISOString() });
    for (let time = 0; time < 3; time++) expect((await caller.get(ITEM)).status).toBe(200);
    town.clock.now += 60_000;
    expect((await caller.get(ITEM)).status).toBe(403);
  });
});

describe('kept answers', () => {
  it('are those that were asked for twice', () => {
    const answers = new KeptAnswers();
    answers.fill(answers.find('a'), 'text of a');
    expect(answers.find('a').answer).toBeUndefined();
    answers.fill(answers.find('a'), 'text of a');
    expect(String(answers.find('a').answer)).toBe('text of a');
  });

  it('are none that were read before all were forgotten', () => {
    const answers = new KeptAnswers();
    answers.fill(answers.find('a'), 'old');
    const place = answers.find('a');
    answers.forget();
    answers.fill(place, 'old');
    answers.fill(place, 'old');
    expect(answers.find('a').answer).toBeUndefined();
  });

  it('stay below 16 MiB, and those asked for lately stay', () => {
    const answers = new KeptAnswers();
    const megabyte = 'x'.repeat(1024 * 1024);
    const keep = (key: string) => {
      for (let time = 0; time < 2; time++) answers.fill(answers.find(key), megabyte);
    };
    keep('first');
    for (let n = 0; n < 100; n++) {
      keep(`other ${n}`);
      answers.find('first');
    }
    const kept = Array.from({ length: 100 }, (_, n) => answers.find(`other ${n}`).answer).filter((one) => one).length;
    expect(answers.find('first').answer).toBeDefined();
    expect(kept).toBeGreaterThan(5);
    expect(kept).toBeLessThan(17);
  });
});
