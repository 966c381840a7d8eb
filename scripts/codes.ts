/**
 * Writes docs/codes.md, the tables of codes, from the tables that the service uses. With --check it writes nothing and
 * exits with 1 if the page is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { markdown, reference } from '../src/service/web/openapi/reference.ts';

const FILE = new URL('../docs/codes.md', import.meta.url);
const COMMAND = 'npx node scripts/codes.ts';

const HEAD = `# Codes

This page has the codes of messages, responses and events, except error codes, which are in [API conventions](api.md#errors).
\`${COMMAND}\` writes this page from the tables that the service uses; the OpenAPI document has the same tables.`;

const sections = reference().map(({ title, says, table }) => `## ${title}\n\n${says}\n\n${markdown(table)}`);
const fresh = `${[HEAD, ...sections].join('\n\n')}\n`;
if (!process.argv.includes('--check')) writeFileSync(FILE, fresh);
else if (committed() !== fresh) {
  console.error(`docs/codes.md does not show the tables of the service. Run: ${COMMAND}`);
  process.exitCode = 1;
}

function committed(): string {
  try {
    return readFileSync(FILE, 'utf8');
  } catch {
    return '';
  }
}
