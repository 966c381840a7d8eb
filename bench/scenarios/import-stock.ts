/**
 * Measures the speed and memory of `backroom import stock` with the opening stock of ten nodes. One file is sorted by
 * node, another file is sorted by item.
 */
import { once } from 'node:events';
import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../support/command.ts';
import { CLIENT, changeNode, copyOf, filledWithItems, NODE } from '../support/data.ts';
import { itemKey } from '../support/keys.ts';
import { MAIN, startBackroom } from '../support/processes.ts';
import { atMost, type Result, type Scenario, shown } from '../support/scenario.ts';

const NODES = Array.from({ length: 10 }, (_, n) => `BENCH-S${n}`);

/** Maximum ratio of the two memory figures. Two equal runs can differ by this factor. */
const FLAT = 1.25;

export const importStock: Scenario = {
  name: 'import-stock',
  async run(options) {
    const items = options.quick ? 200 : 100_000;
    const base = copyOf(await filledWithItems(options.folder, items), 'import-stock');
    const service = await startBackroom(base.url);
    for (const nodeId of NODES) await changeNode(service, NODE, { nodeId, stock: 'KEPT' }, nodeId);
    await service.stop();
    const file = join(options.folder, 'stock.csv');
    const results: Result[] = [];
    const peaks: number[] = [];
    for (const [order, count] of [
      ['nodes', items / 4],
      ['nodes', items],
      ['items', items],
    ] as const) {
      await writePlaces(file, order, count);
      const { url } = copyOf(base, 'import-stock-run');
      const samples: number[] = [];
      const began = performance.now();
      await run(MAIN, url, ['import', 'stock', file, '--client', CLIENT, '--json'], samples);
      const rows = count * NODES.length;
      const value = rows / ((performance.now() - began) / 1000);
      peaks.push(Math.max(...samples));
      options.say(`  ${rows} rows by ${order}: ${Math.round(value)} rows/s, ${Math.round(peaks.at(-1)!)} MB`);
      if (count < items) continue;
      const note = `${rows} item places of ${NODES.length} nodes in CSV, by ${order}, with the start of the process`;
      results.push(shown({ name: `import stock, by ${order}`, engine: 'sqlite', value, unit: 'rows/s', note }));
    }
    rmSync(file);
    const [small = 0, large = 0] = peaks;
    const note = `highest resident memory of an import of ${items * NODES.length} rows, against one of a quarter`;
    const measure = { value: large, unit: 'MB', counterpart: small, ratio: large / small, note };
    return [...results, atMost(FLAT, { name: 'import stock, memory', engine: 'sqlite', ...measure })];
  },
};

async function writePlaces(file: string, order: 'nodes' | 'items', items: number): Promise<void> {
  const out = createWriteStream(file);
  out.write('nodeId,itemId,place,quantity\n');
  for (let n = 0; n < items * NODES.length; n++) {
    const [node, item] =
      order === 'nodes' ? [Math.floor(n / items), n % items] : [n % NODES.length, Math.floor(n / NODES.length)];
    if (!out.write(`${NODES[node]},${itemKey(item)},,${1 + (n % 40)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}
