/** Receives a carton of 20 lines over HTTP. The counterpart runs the same statements in one transaction. */
import { Client } from '../support/client.ts';
import { CLIENT, changeNode, copyOf, filledWithItems } from '../support/data.ts';
import { serveHere } from '../support/in-process.ts';
import { startBackroom } from '../support/processes.ts';
import { Replayer, recorded } from '../support/recorder.ts';
import { atLeast, type BenchOptions, interleaved, type Result, type Scenario } from '../support/scenario.ts';
import { asnMessage, asnNumber, cartonId, DEPOT, TRANSMIT } from '../support/shipments.ts';

const SIZE = { cartons: 1, lines: 20 };

export const receipt: Scenario = {
  name: 'receipt',
  async run(options) {
    const results: Result[] = [];
    for (const stock of ['NOT_KEPT', 'KEPT'] as const) results.push(await compared(options, stock));
    return results;
  },
};

async function compared(options: BenchOptions, stock: 'NOT_KEPT' | 'KEPT'): Promise<Result> {
  const rounds = options.quick ? 1 : 9;
  const perRound = options.quick ? 3 : 50;
  // The first few hundred receipts take three times as long, because V8 has not compiled the code yet.
  const warmUp = options.quick ? 2 : 1_000;
  const count = warmUp + rounds * perRound;
  const name = `receipt-${stock.toLowerCase()}`;
  const base = copyOf(await filledWithItems(options.folder, 200), `${name}-ours`);
  const filling = await startBackroom(base.url);
  const announcing = await Client.open(filling.port, base.credentials);
  await changeNode(filling, DEPOT, { stock });
  for (let n = 0; n < count; n++) await announcing.send('POST', TRANSMIT, asnMessage(n, SIZE));
  announcing.close();
  await filling.stop();
  const byHand = copyOf(base, `${name}-by-hand`);
  const transactions = await record(copyOf(base, `${name}-recorded`), count);
  const statements = transactions[0]!.reduce((sum, transaction) => sum + transaction.length, 0);

  const service = await startBackroom(base.url);
  const client = await Client.open(service.port, base.credentials);
  const replayer = new Replayer(byHand.file);
  try {
    let ours = 0;
    const oursFor = async (times: number) => {
      const began = performance.now();
      for (let n = 0; n < times; n++) await receive(client, ours++);
      return times / ((performance.now() - began) / 1000);
    };
    let bare = 0;
    let bareCpu = 0;
    const bareFor = async (times: number) => {
      const began = performance.now();
      const cpu = process.cpuUsage();
      for (let n = 0; n < times; n++) for (const transaction of transactions[bare++]!) replayer.run(transaction);
      const { user, system } = process.cpuUsage(cpu);
      bareCpu += user + system;
      return times / ((performance.now() - began) / 1000);
    };
    await oursFor(warmUp);
    await bareFor(warmUp);
    const cpu = service.cpu();
    bareCpu = 0;
    const result = await interleaved(
      rounds,
      () => oursFor(perRound),
      () => bareFor(perRound),
    );
    options.say(
      `  ${stock}: ${Math.round(result.value)} against ${Math.round(result.counterpart)} receipts/s, ratios ${result.ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`,
    );
    // CPU time of the service process only, without the client's cost of sending.
    const cpuOf = [(service.cpu() - cpu) * 1e6, bareCpu].map((us) => Math.round(us / (rounds * perRound)));
    const note = `one caller, one scan of a whole carton, ${cpuOf[0]} us of CPU against ${cpuOf[1]}; against its ${statements} statements by hand in one transaction, synchronous=FULL`;
    const title = `receipt of a carton of 20 lines${stock === 'KEPT' ? ', stock kept' : ''}`;
    return atLeast(0.5, { name: title, engine: 'sqlite', unit: 'receipts/s', note, ...result });
  } finally {
    client.close();
    replayer.close();
    await service.stop();
  }
}

async function receive(client: Client, n: number): Promise<void> {
  await client.send('POST', `/operator/v1/clients/${CLIENT}/nodes/${DEPOT}/inbound/ASN/${asnNumber(n)}/receipts`, {
    receiptId: `r${n}`,
    userId: 'Ada',
    cartons: [{ cartonId: cartonId(n, 0), as: 'GOOD' }],
  });
}

/** Records the transactions of each receipt. */
async function record(copy: { url: string; credentials: Record<string, string> }, count: number) {
  const here = await serveHere(copy.url);
  const client = await Client.open(here.port, copy.credentials);
  try {
    const all = [];
    for (let n = 0; n < count; n++) all.push(await recorded(() => receive(client, n)));
    return all;
  } finally {
    client.close();
    await here.stop();
  }
}
