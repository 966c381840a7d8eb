/**
 * Writes the table of types at the end of docs/events.md. With --check it writes nothing and exits with 1 if the table
 * is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../src/events/types.ts';

const PAGE = new URL('../docs/events.md', import.meta.url);
const COMMAND = 'npx node scripts/event-types.ts';
const MARK = `<!-- types: written by \`${COMMAND}\` -->\n`;

const rows = EVENT_TYPE_NAMES.map((name) => `| \`${name}\` | ${EVENT_TYPES[name].says} |\n`);
const page = readFileSync(PAGE, 'utf8');
const fresh = `${page.slice(0, page.indexOf(MARK) + MARK.length)}\n| type | when |\n|---|---|\n${rows.join('')}`;
if (!process.argv.includes('--check')) writeFileSync(PAGE, fresh);
else if (fresh !== page) {
  console.error(`docs/events.md does not have every type of event. Run: ${COMMAND}`);
  process.exitCode = 1;
}
