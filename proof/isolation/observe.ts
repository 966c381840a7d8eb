/**
 * Prints the table as the service answers it now: `node proof/isolation/observe.ts > table.new`, or only the rows of the operations
 * that are named behind it. For a new operation: read
 * every line of what it prints against the rules before it goes into table.json.
 */
import { operations } from '../../src/service/operations.ts';
import { runCampaign } from '../campaign.ts';
import { inShort } from '../isolation.ts';
import { isAsked, kitOf, openBase, placesIn, requestOf, type Situation, WHO, WHOSE } from './cells.ts';

const named = process.argv.slice(2);
const found: Record<string, Record<string, Partial<Record<Situation, string>>>> = {};
await runCampaign(
  {
    name: 'observe',
    unit: 'cells',
    count: 1,
    control: { planted: '', count: 0, bugs: [] },
    async run(work) {
      const kit = await kitOf(work);
      for (const { id } of operations.filter(
        (one) => isAsked(one.id) && (named.length === 0 || named.includes(one.id)),
      )) {
        const rows: (typeof found)[string] = {};
        let base = await openBase(work, kit, id);
        for (const place of placesIn(id, base.good)) {
          const cells: Partial<Record<Situation, string>> = {};
          for (const situation of [...WHOSE, ...WHO]) {
            const call = requestOf(kit, base, { operation: id, place }, situation);
            if (call === undefined) continue;
            const answer = await base.service.call(call);
            cells[situation] = inShort(answer);
            if (answer.status >= 300 || call.method === 'GET') continue;
            await base.service.close();
            base = await openBase(work, kit, id);
          }
          rows[place] = cells;
        }
        await base.service.close();
        found[id] = rows;
      }
    },
  },
  { engine: 'sqlite', seed: 1, count: 1 },
);
process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
