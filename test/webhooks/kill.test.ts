import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { serve, settings } from '../cli/support.ts';
import { describeSqliteOnly } from '../support/store.ts';
import { ALLOWED, openReceiver } from './support.ts';

const KEY = 'operator-key-of-the-kill-test';

describeSqliteOnly(
  'after a kill the one process goes on at once, others wait for the lease',
  'a service that is killed',
  () => {
    it('while it delivers leaves no event undelivered', async () => {
      const env = { ...settings('killed.db'), ...ALLOWED, BACKROOM_OPERATOR_KEY: KEY };
      const receiver = await openReceiver();
      const call = async (address: string, method: string, path: string, body?: object) => {
        const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
        const answer = await fetch(`${address}/operator/v1${path}`, {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
        });
        expect(answer.status).toBeLessThan(300);
        return (await answer.json()) as Record<string, unknown>;
      };
      const first = await serve(env);
      await call(first.address, 'PUT', '/clients/K', { name: 'K', catalogIds: ['21'] });
      await call(first.address, 'PUT', '/clients/K/webhooks/all', { url: receiver.url });
      const node = {
        nodeType: 'STORE',
        timeZone: 'UTC',
        phone: '1',
        openingHours: [],
        holdLocations: [],
        fulfillmentTypes: [],
      };
      const address = { line1: 'x', city: 'y', mainDivisionCode: '', postalCode: '', countryCode: 'US' };
      // The receiver responds slowly, so that the kill happens while deliveries are in flight and not recorded.
      const hold = Promise.withResolvers<undefined>();
      receiver.answer = () => hold.promise.then(() => ({ status: 204 }));
      for (let index = 0; index < 60; index += 1) {
        await call(first.address, 'PUT', `/clients/K/nodes/N${index}`, { name: `${index}`, ...node, address });
      }
      while (receiver.received.length === 0) await sleep(50);
      await first.stop('SIGKILL');
      hold.resolve(undefined);
      receiver.answer = () => ({ status: 204 });
      const second = await serve(env);
      const { head } = await call(second.address, 'GET', '/events?clientId=K&limit=1');
      const arrived = () =>
        new Set(receiver.received.map(({ body }) => (JSON.parse(body) as { position: number }).position));
      // The first event is the creation of the webhook.
      for (const expected = Number(head) - 1; arrived().size < expected; ) await sleep(100);
      let { position } = await call(second.address, 'GET', '/clients/K/webhooks/all');
      while (position !== head) {
        await sleep(100);
        ({ position } = await call(second.address, 'GET', '/clients/K/webhooks/all'));
      }
      expect([...arrived()].sort((a, b) => a - b)).toEqual(
        Array.from({ length: Number(head) - 1 }, (_, index) => index + 2),
      );
      await second.stop();
      await receiver.close();
    });
  },
);
