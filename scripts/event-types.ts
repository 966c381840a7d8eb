/**
 * Writes the table of types at the end of docs/events.md, and the list of types of the console. With --check it writes
 * nothing and exits with 1 if one of them is stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../src/events/types.ts';

const PAGE = new URL('../docs/events.md', import.meta.url);
const COMMAND = 'npx node scripts/event-types.ts';
const MARK = `<!-- types: written by \`${COMMAND}\` -->\n`;

const rows = EVENT_TYPE_NAMES.map((name) => `| \`${name}\` | ${EVENT_TYPES[name].says} |\n`);
const page = readFileSync(PAGE, 'utf8');
const fresh = `${page.slice(0, page.indexOf(MARK) + MARK.length)}\n| type | when |\n|---|---|\n${rows.join('')}`;
const list = new URL('../console/office/event-types.ts', import.meta.url);
const source = `/** The types of events, for the form of webhooks. Written by \`${COMMAND}\`. */
export const EVENT_TYPES: Readonly<Record<string, string>> = {
${EVENT_TYPE_NAMES.map((name) => property(name, EVENT_TYPES[name].says)).join('')}};
`;

for (const [file, before, after] of [
  [PAGE, page, fresh],
  [list, readIfThere(list), source],
] as const) {
  if (before === after) continue;
  if (!process.argv.includes('--check')) writeFileSync(file, after);
  else {
    console.error(`${file.pathname.split('/').slice(-2).join('/')} does not have every type of event. Run: ${COMMAND}`);
    process.exitCode = 1;
  }
}

/** Returns a property as the formatter writes it, at most 120 characters wide. */
function property(name: string, says: string): string {
  const quoted = says.includes("'") ? JSON.stringify(says) : `'${says}'`;
  const line = `  '${name}': ${quoted},`;
  return line.length <= 120 ? `${line}\n` : `  '${name}':\n    ${quoted},\n`;
}

function readIfThere(file: URL): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
