/** Reads random items from tables of growing size. The cost of a read must not grow with the table. */
import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { filledWithItems, requestText, STORE } from '../support/data.ts';
import { type Service, startBackroom, startGenerator } from '../support/processes.ts';
import { interleaved, type Scenario, shown } from '../support/scenario.ts';

export const itemsRandom: Scenario = {
  name: 'items-random',
  async run(options) {
    const sizes = options.quick ? [1_000, 2_000] : [100_000, 300_000, 1_000_000, ...(options.full ? [10_000_000] : [])];
    const generator = startGenerator();
    const services: Service[] = [];
    try {
      const small = await filledWithItems(options.folder, sizes[0]!);
      await warmed(small.url.slice('sqlite:'.length));
      const least = await startBackroom(small.url);
      services.push(least);
      const results = [];
      let seed = 1;
      for (const size of sizes.slice(1)) {
        options.say(`  filling ${size} items`);
        const large = await filledWithItems(options.folder, size);
        const service = await startBackroom(large.url);
        services.push(service);
        const isInMemory = await warmed(large.url.slice('sqlite:'.length));
        const side =
          ({ port }: Service, count: number, { credentials }: typeof large, atLeast = 0) =>
          async () => {
            const requests = [requestText('GET', `/item-service/stores/${STORE}/items/{key}`, credentials)];
            // Each round reads other items, because items of an earlier round are in a cache.
            const keys = { count, skew: 0, seed: seed++ };
            const seconds = options.quick ? 0.3 : 2;
            const measured = await generator.run({ port, connections: 32, seconds, atLeast, requests, keys });
            return measured.answered / measured.seconds;
          };
        const warmUp = options.quick ? 100 : 40_000;
        if (services.length === 2) await side(least, sizes[0]!, small, warmUp)();
        await side(service, size, large, warmUp)();
        const result = await interleaved(
          options.quick ? 1 : 5,
          side(service, size, large),
          side(least, sizes[0]!, small),
        );
        const series = 'item read, uniform';
        if (services.length === 2) options.plot({ series, size: sizes[0]!, cost: 1e6 / result.counterpart });
        options.plot({ series, size, cost: 1e6 / result.value });
        const where = isInMemory
          ? 'in the memory of the system'
          : 'larger than the memory of the machine, so the disk is read';
        const note = `uniform over ${size} items of 2.5 KB, other items each round, ${where}; against the same over ${sizes[0]}`;
        results.push(shown({ name: `item read, ${size} items`, engine: 'sqlite', unit: 'req/s', note, ...result }));
      }
      return results;
    } finally {
      await Promise.all([generator.stop(), ...services.map((service) => service.stop())]);
    }
  },
};

/**
 * Reads the file into the system's cache, as after a day of service. Returns false if the file is too large for the
 * memory.
 */
async function warmed(file: string): Promise<boolean> {
  if (statSync(file).size > totalmem() / 2) return false;
  await once(createReadStream(file, { highWaterMark: 8_388_608 }).resume(), 'close');
  return true;
}
