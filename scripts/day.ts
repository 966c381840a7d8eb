/**
 * `npm run day -- --data DIR [--json] [--date YYYY-MM-DD|all] [--to-the-end]`: plays a trading day on real data, over
 * HTTP only. With `--to-the-end` it plays the orders of the day from intake to their end. The exit code is 1 if the
 * units do not add up.
 */
import { parseArgs } from 'node:util';
import { type DayResult, runDay } from './day/run.ts';
import { type EndResult, runToTheEnd } from './day/to-the-end.ts';

const USAGE = 'Usage: npm run day -- --data DIR [--json] [--date YYYY-MM-DD|all] [--to-the-end]';

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) return 2;
  try {
    const input = {
      data: options.data,
      ...(options.date !== undefined && { date: options.date }),
      say: (line: string) => void process.stderr.write(`${line}\n`),
    };
    const result = options.toTheEnd ? await runToTheEnd(input) : await runDay(input);
    if (options.json) console.log(JSON.stringify(result.summary));
    else for (const line of 'tally' in result ? describe(result) : describeEnd(result)) console.log(line);
    for (const fault of result.faults) process.stderr.write(`The accounts do not agree: ${fault}\n`);
    return result.faults.length === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

interface Options {
  data: string;
  json: boolean;
  date: string | undefined;
  toTheEnd: boolean;
}

function readOptions(): Options | undefined {
  const fail = (why: string) => {
    process.stderr.write(`${why}\n${USAGE}\n`);
    return undefined;
  };
  try {
    const { values } = parseArgs({
      options: {
        data: { type: 'string' },
        json: { type: 'boolean', default: false },
        date: { type: 'string' },
        'to-the-end': { type: 'boolean', default: false },
      },
    });
    if (values.data === undefined) {
      fail('--data is missing.');
      return;
    }
    if (values.date !== undefined && !/^(?:all|\d{4}-\d\d-\d\d)$/.test(values.date)) {
      fail('--date must be a day or all.');
      return;
    }
    return { data: values.data, json: values.json, date: values.date, toTheEnd: values['to-the-end'] };
  } catch (error) {
    fail((error as Error).message);
    return;
  }
}

function describe({ summary, date, tally, items, nodes }: DayResult): string[] {
  const { rowsRead, rowsImported, rowsRefused, units, received, stock, operations } = summary;
  const list = (counts: Record<string, number>) => Object.entries(counts).map(([name, count]) => `  ${name}: ${count}`);
  return [
    `Stores: ${nodes.rowsImported} of ${nodes.rowsRead}; rows with an item: ${items.rowsImported} of ${items.rowsRead}`,
    `Invoice lines: ${rowsRead} read, ${rowsImported} imported, ${rowsRead - rowsImported} rejected`,
    ...list(rowsRefused),
    `Trading day ${date}: ${tally.tickets} tickets (${tally.shortTickets} short), ${tally.packSlips} pack slips, ${tally.checkIns} check-ins`,
    `Units: ${units.in} in = ${units.picked} picked + ${units.declined} declined + ${units.open} open`,
    `Received: ${received.cartons} cartons in ${received.stores} stores: ${received.announced} announced + ${received.over} over = ${received.good} good + ${received.damaged} damaged + ${received.refused} rejected + ${received.short} short`,
    `Stock of ${stock.stores} stores: ${stock.shelf} on the shelf, ${stock.staged} staged, ${stock.damaged} damaged, ${stock.reserved} reserved; ${stock.behind} picked that were never received`,
    'Operations:',
    ...list(operations),
  ];
}

function describeEnd({ summary }: EndResult): string[] {
  const { date, orders, ended, units, operations } = summary;
  const list = (counts: Record<string, number>) => Object.entries(counts).map(([name, count]) => `  ${name}: ${count}`);
  const out = units.shipped + units.pickedUp + units.delivered;
  return [
    `Trading day ${date}: ${orders} orders, those of re-sourcing included, ended as`,
    ...list(ended),
    `Units: ${units.in} in + ${units.resourced} re-sourced = ${out} to customers (${units.shipped} shipped, ${units.pickedUp} picked up, ${units.delivered} delivered) + ${units.refused} rejected + ${units.returned} brought back + ${units.declined} declined + ${units.canceled} canceled + ${units.open} open`,
    'Calls by operation:',
    ...list(operations),
  ];
}
