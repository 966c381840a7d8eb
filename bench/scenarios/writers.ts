/**
 * Sixteen concurrent writers, whose requests share commits. The counterpart is one client, with a commit for each
 * request.
 */
import { CLIENT, copyOf, filledWithItems, NODE, requestText } from '../support/data.ts';
import { OPERATOR_KEY, startBackroom, startGenerator } from '../support/processes.ts';
import { atLeast, interleaved, type Scenario } from '../support/scenario.ts';

export const writers: Scenario = {
  name: 'writers',
  async run(options) {
    const items = options.quick ? 1_000 : 10_000;
    const { url } = copyOf(await filledWithItems(options.folder, items), 'writers');
    const service = await startBackroom(url);
    const generator = startGenerator();
    try {
      // The smallest write: it changes one row and records its event.
      const path = `/operator/v1/clients/${CLIENT}/nodes/${NODE}/items/{key}`;
      const requests = Array.from({ length: 50 }, (_, index) =>
        requestText('PUT', path, { authorization: `Bearer ${OPERATOR_KEY}` }, JSON.stringify({ onHand: index })),
      );
      const keys = { count: items, skew: 0, seed: 4 };
      const side =
        (connections: number, atLeast = 0) =>
        async () => {
          const seconds = options.quick ? 0.3 : 2;
          const measured = await generator.run({ port: service.port, connections, seconds, atLeast, requests, keys });
          if (Object.keys(measured.others).length > 0) throw new Error(`responses: ${JSON.stringify(measured.others)}`);
          return measured.answered / measured.seconds;
        };
      await side(16, options.quick ? 100 : 15_000)();
      const rounds = await interleaved(options.quick ? 1 : 5, side(16), side(1));
      options.say(`  ${Math.round(rounds.value)} against ${Math.round(rounds.counterpart)} writes/s`);
      const note = 'PUT of a node item by 16 connections, against 1 connection with a commit for each request';
      return [atLeast(5, { name: '16 clients writing at once', engine: 'sqlite', unit: 'writes/s', note, ...rounds })];
    } finally {
      await Promise.all([generator.stop(), service.stop()]);
    }
  },
};
