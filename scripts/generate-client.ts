/**
 * Writes contract/client.d.ts, the types of a client, from contract/openapi.json. It is not committed: `npm ci`, `generate`, `verify` and
 * `build` make it. Run scripts/openapi.ts first if the contract has changed.
 */
import { writeFileSync } from 'node:fs';

const FILE = new URL('../contract/client.d.ts', import.meta.url);

// Without development packages there is nothing to compile.
if (isInstalled('openapi-typescript')) {
  const { clientTypes } = await import('./client-types.ts');
  writeFileSync(FILE, await clientTypes());
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
