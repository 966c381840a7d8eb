import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { runCampaign } from '../../proof/campaign.ts';
import { crowd } from '../../proof/overload/crowd.ts';
import { Requests } from '../../town/order-requests.ts';
import { NOON } from '../support/backroom.ts';
import { ENGINE } from '../support/store.ts';
import { openTown } from '../support/town.ts';
import { onEngine } from './support.ts';

const scene = onEngine({
  name: 'crowd',
  unit: 'turns',
  count: 4,
  control: { planted: 'sign-ins share one line and are not limited', count: 20 },
  run: async (work) => {
    // The long MAX_WAIT_MS makes the result independent of the load of the machine: the service rejects requests only
    // if the queue is full.
    await crowd(work, work.count, work.planted, { MAX_WAIT_MS: '600000' });
    work.done(work.count);
  },
});

describe('the campaign overload, its crowd alone', () => {
  it('sheds no write with a key, no PIN of an enrolled device and no right password of another address, and catches the planted bug', {
    timeout: 900_000,
  }, async () => {
    const { result, examples } = await runCampaign(scene, { engine: ENGINE, seed: 1, count: scene.count });
    expect(examples).toEqual([]);
    expect(result).toMatchObject({ failures: 0, control: { caught: true } });
  });
});

it('the orders that the campaign sends are accepted by a service of this machine alone', async () => {
  const town = await openTown({ env: { PORT: '0' } });
  const { hostname, port } = new URL(await town.server.listen());
  const requests = new Requests({ apiKey: town.client.secrets.apiKey }, 'flood', () => 0, NOON);
  const socket = connect(Number(port), hostname);
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.split('HTTP/1.1 ').length === 3) resolve(text);
    });
    socket.write(requests.next() + requests.next(3));
  });
  socket.destroy();
  await town.close();
  expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['201', '201']);
});
