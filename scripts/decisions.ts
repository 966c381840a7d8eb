/**
 * Writes the table of docs/decisions/README.md from the titles of the pages. With --check it writes nothing and exits 1 when
 * the table is stale.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const FOLDER = new URL('../docs/decisions/', import.meta.url);
const INDEX = new URL('README.md', FOLDER);
const COMMAND = 'npx node scripts/decisions.ts';
const HEAD = '|---|---|\n';

const rows = readdirSync(FOLDER)
  .filter((file) => /^\d{3}-.+\.md$/.test(file))
  .sort()
  .map((file) => {
    const title = /^# (\d{3}) (.+)$/m.exec(readFileSync(new URL(file, FOLDER), 'utf8'));
    if (title?.[1] !== file.slice(0, 3))
      throw new Error(`docs/decisions/${file} must begin with "# ${file.slice(0, 3)} Title"`);
    return `| [${title[1]}](${file}) | ${title[2] ?? ''} |\n`;
  });

const page = readFileSync(INDEX, 'utf8');
const fresh = page.slice(0, page.indexOf(HEAD) + HEAD.length) + rows.join('');
if (!process.argv.includes('--check')) writeFileSync(INDEX, fresh);
else if (fresh !== page) {
  console.error(`docs/decisions/README.md does not list every page under its title. Run: ${COMMAND}`);
  process.exitCode = 1;
}
