/**
 * Prints the cells whose responses differ from the table, of all operations or of the named ones: `node
 * proof/isolation/observe.ts readItem`. For a new operation, compare every printed line with the rules before you add
 * it to exceptions.ts.
 */
import { operations } from '../../src/service/operations.ts';
import { runCampaign } from '../campaign.ts';
import { inShort } from '../isolation.ts';
import { isAsked, kitOf, openBase, placesIn, requestOf, type Situation, WHO, WHOSE } from './cells.ts';
import { table } from './table.ts';

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
            const said = inShort(answer);
            if (said !== table[id]?.[place]?.[situation]) cells[situation] = said;
            if (answer.status >= 300 || call.method === 'GET') continue;
            await base.service.close();
            base = await openBase(work, kit, id);
          }
          if (Object.keys(cells).length > 0) rows[place] = cells;
        }
        await base.service.close();
        if (Object.keys(rows).length > 0) found[id] = rows;
      }
    },
  },
  { engine: 'sqlite', seed: 1, count: 1 },
);
process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
