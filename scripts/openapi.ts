/**
 * Writes contract/openapi.json from the operations table and the responses to the examples. With --check it writes
 * nothing and exits with 1 if the file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { openApiText } from './openapi-text.ts';

const FILE = new URL('../contract/openapi.json', import.meta.url);
const COMMAND = 'npx node scripts/openapi.ts';

const text = await openApiText();
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (committed() !== text) {
  console.error(`contract/openapi.json does not show the operations of src/service/operations.ts. Run: ${COMMAND}`);
  process.exitCode = 1;
}

function committed(): string {
  try {
    return readFileSync(FILE, 'utf8');
  } catch {
    return '';
  }
}
