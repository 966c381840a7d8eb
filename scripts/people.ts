/**
 * Writes the table of docs/people.md from src/platform/roles.ts, between the markers of the page. With --check it
 * writes nothing and exits with 1 if the page is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { PERMISSIONS } from '../src/platform/ctx.ts';
import { PERMISSION_MEANINGS, ROLE_PERMISSIONS, ROLES, type Role } from '../src/platform/roles.ts';

const FILE = new URL('../docs/people.md', import.meta.url);
const COMMAND = 'npx node scripts/people.ts';

const has = (role: Role, permission: string) => (ROLE_PERMISSIONS[role] as readonly string[]).includes(permission);
const TABLES: Record<string, () => string[][]> = {
  roles: () => [
    ['permission', 'allows', ...ROLES],
    ...PERMISSIONS.map((permission) => [
      `\`${permission}\``,
      PERMISSION_MEANINGS[permission],
      ...ROLES.map((role) => (has(role, permission) ? 'x' : '')),
    ]),
  ],
};

const page = readFileSync(FILE, 'utf8');
const fresh = Object.entries(TABLES).reduce(fill, page);
if (!process.argv.includes('--check')) writeFileSync(FILE, fresh);
else if (fresh !== page) {
  console.error(`docs/people.md does not show the table of roles. Run: ${COMMAND}`);
  process.exitCode = 1;
}

function fill(text: string, [name, rows]: [string, () => string[][]]): string {
  const between = new RegExp(String.raw`(<!-- table: ${name} -->\n)[\s\S]*?(<!-- end -->)`);
  if (!between.test(text)) throw new Error(`docs/people.md has no markers for the table ${name}`);
  return text.replace(between, (_all, start: string, end: string) => `${start}\n${markdown(rows())}\n\n${end}`);
}

function markdown([head = [], ...rows]: string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
