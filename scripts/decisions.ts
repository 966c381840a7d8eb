/**
 * Writes the tables of docs/decisions/README.md, one for each topic, from titles and statuses of the records. With
 * --check it writes nothing and exits with 1 if the tables are stale.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const FOLDER = new URL('../docs/decisions/', import.meta.url);
const INDEX = new URL('README.md', FOLDER);
const COMMAND = 'npx node scripts/decisions.ts';
const BEGIN = '<!-- table: records -->\n';
const END = '<!-- end -->\n';

/** The records of each topic, in reading order. */
const ROOMS: Record<string, string> = {
  Storage: '001 190 191 005 330 080 208 092 093 327',
  Messages: '002 127 132 129 004 192 202 003 334 336',
  'Orders and tickets': '205 333 241 231 232',
  'Goods in and stock': '332 335 283 287 219',
  'People and access': '008 006 087 210 213 211 221 007 131 168 177 264 338',
  Console: '262 261 270 250',
  Operations: '123 085 088 311 312 298 071 322',
  'Proof and speed': '009 024 331 125 315 090 173',
  Build: '206 098 186 304 337',
};

const records = new Map(
  readdirSync(FOLDER)
    .filter((file) => /^\d{3}-.+\.md$/.test(file))
    .map((file) => [file.slice(0, 3), rowOf(file)]),
);
const listed = Object.values(ROOMS).flatMap((numbers) => numbers.split(' '));
const homeless = [...records.keys()].filter((number) => !listed.includes(number));
if (homeless.length > 0) throw new Error(`scripts/decisions.ts has no topic for ${homeless.join(', ')}`);

const tables = Object.entries(ROOMS).map(([room, numbers]) => {
  const rows = numbers.split(' ').flatMap((number) => records.get(number) ?? []);
  return `### ${room}\n\n| record | decision | status |\n|---|---|---|\n${rows.join('')}\n`;
});
const page = readFileSync(INDEX, 'utf8');
const fresh = `${page.slice(0, page.indexOf(BEGIN))}${BEGIN}\n${tables.join('')}${page.slice(page.indexOf(END))}`;
if (!process.argv.includes('--check')) writeFileSync(INDEX, fresh);
else if (fresh !== page) {
  console.error(`docs/decisions/README.md does not list every record under its title and status. Run: ${COMMAND}`);
  process.exitCode = 1;
}

function rowOf(file: string): string {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  const title = /^# (\d{3}) (.+)$/m.exec(text);
  if (title?.[1] !== file.slice(0, 3))
    throw new Error(`docs/decisions/${file} must begin with "# ${file.slice(0, 3)} Title"`);
  const status = /^\W*Status\W+(in force|replaced by \d{3})\b/im.exec(text);
  if (status === null)
    throw new Error(`docs/decisions/${file} needs the line "**Status:** in force since DATE" or "replaced by NNN"`);
  return `| [${title[1]}](${file}) | ${title[2] ?? ''} | ${status[1]!.toLowerCase()} |\n`;
}
