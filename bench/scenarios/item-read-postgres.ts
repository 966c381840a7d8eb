/**
 * Reads items on PostgreSQL, with a check of credentials. The counterpart is a bare Fastify route with one prepared
 * select and the same number of connections.
 */
import { CLIENT, fillItems, setUp } from '../support/data.ts';
import { startPostgres } from '../support/postgres.ts';
import { startBackroom, startBare, startGenerator } from '../support/processes.ts';
import { atLeast, type Scenario } from '../support/scenario.ts';
import { measure } from './item-read.ts';

const ITEMS = 100_000;

export const itemReadPostgres: Scenario = {
  name: 'item-read-postgres',
  async run(options) {
    const postgres = await startPostgres(options.say);
    if (postgres === undefined) return [];
    const generator = startGenerator();
    const services = [];
    try {
      const { url } = postgres;
      const items = options.quick ? 1_000 : ITEMS;
      const credentials = await setUp(url);
      const doc = await fillItems(url, credentials, items);
      const ours = await startBackroom(url);
      services.push(ours);
      const bare = await startBare({ DATABASE_URL: url, BARE_CLIENT: CLIENT, BARE_CONNECTIONS: '10' });
      services.push(bare);
      const keys = { count: items, skew: 0, seed: 6 };
      const { value, counterpart, ratio, note } = await measure(options, { ours, bare, generator, credentials }, keys);
      const what = `against a bare Fastify route with one prepared select over a pool of 10; ${items} items of ${doc.length} characters, uniform; ${note}`;
      return [
        atLeast(0.75, { name: 'item read', engine: 'postgres', value, unit: 'req/s', counterpart, ratio, note: what }),
      ];
    } finally {
      await Promise.all([generator.stop(), ...services.map((service) => service.stop())]);
      await postgres.remove();
    }
  },
};
