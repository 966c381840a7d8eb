/**
 * Writes contract/client.d.ts, the types of a client, from contract/openapi.json. With --check it writes nothing and exits
 * 1 when the file is stale. Run scripts/openapi.ts first.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTs, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const DOCUMENT = new URL('../contract/openapi.json', import.meta.url);
const FILE = new URL('../contract/client.d.ts', import.meta.url);
const COMMAND = 'npx node scripts/generate-client.ts';

const text = `${COMMENT_HEADER}${astToString(await openapiTs(DOCUMENT, { silent: true }))}`;
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (committed() !== text) {
  console.error(`contract/client.d.ts does not show contract/openapi.json. Run: ${COMMAND}`);
  process.exitCode = 1;
}

function committed(): string {
  try {
    return readFileSync(FILE, 'utf8');
  } catch {
    return '';
  }
}
