/**
 * Transmits an ASN of 1,000 lines. The counterpart parses the same text and inserts the same rows in one transaction.
 */
import { Client } from '../support/client.ts';
import { copyOf, filledWithItems } from '../support/data.ts';
import { serveHere } from '../support/in-process.ts';
import { itemKey } from '../support/keys.ts';
import { startBackroom } from '../support/processes.ts';
import { Replayer, recorded, type Statement } from '../support/recorder.ts';
import { atLeast, interleaved, type Scenario } from '../support/scenario.ts';
import { operatorAsn } from '../support/shipments.ts';

const PATH = '/poasn-manager-service/sellers/BENCH/poasn/create';

export const asn: Scenario = {
  name: 'asn',
  async run(options) {
    const lines = options.quick ? 50 : 1_000;
    const rounds = options.quick ? 1 : 9;
    const perRound = options.quick ? 2 : 6;
    const warmUp = options.quick ? 1 : 20;
    const filled = await filledWithItems(options.folder, options.quick ? 200 : 1_000);
    const ours = copyOf(filled, 'asn-ours');
    const byHand = copyOf(filled, 'asn-by-hand');
    const messages = Array.from({ length: warmUp + rounds * perRound }, (_, n) => message(n, lines));
    const inserts = await insertsOf(copyOf(filled, 'asn-recorded'), messages);
    const service = await startBackroom(ours.url);
    const client = await Client.open(service.port, ours.credentials);
    const replayer = new Replayer(byHand.file);
    try {
      let sent = 0;
      const transmit = async (count: number) => {
        const began = performance.now();
        for (let n = 0; n < count; n++) await client.send('POST', PATH, messages[sent++]!);
        return count / ((performance.now() - began) / 1000);
      };
      let made = 0;
      const insert = async (count: number) => {
        const began = performance.now();
        for (let n = 0; n < count; n++) {
          JSON.parse(messages[made]!);
          replayer.run(inserts[made++]!);
        }
        return count / ((performance.now() - began) / 1000);
      };
      await transmit(warmUp);
      await insert(warmUp);
      const result = await interleaved(
        rounds,
        () => transmit(perRound),
        () => insert(perRound),
      );
      options.say(`  ${result.value.toFixed(1)} against ${result.counterpart.toFixed(1)} messages/s`);
      const note = `one caller, messages of ${Math.round(messages[0]!.length / 1024)} KB; against JSON.parse and one insert for each row (shipment, lines, event) in one transaction, synchronous=FULL`;
      return [atLeast(0.4, { name: `ASN of ${lines} lines`, engine: 'sqlite', unit: 'messages/s', note, ...result })];
    } finally {
      client.close();
      replayer.close();
      await service.stop();
    }
  },
};

function message(n: number, lines: number): string {
  return operatorAsn(
    `ASN-${String(n).padStart(6, '0')}`,
    Array.from({ length: lines }, (_, line) => ({
      cartonId: `003401234500${String(n * 1_000 + (line >> 2)).padStart(8, '0')}`,
      clientItemId: itemKey(line % 200).slice(3),
      units: 1 + (line % 24),
    })),
  );
}

/** Returns the inserts of the service for the messages, one for each row. */
async function insertsOf(
  copy: { url: string; credentials: Record<string, string> },
  messages: readonly string[],
): Promise<Statement[][]> {
  const here = await serveHere(copy.url);
  const client = await Client.open(here.port, copy.credentials);
  try {
    const transactions = await recorded(async () => {
      for (const text of messages) await client.send('POST', PATH, text);
    });
    return transactions.map((statements) => statements.filter(({ text }) => /^insert/.test(text)));
  } finally {
    client.close();
    await here.stop();
  }
}
