/**
 * Writes contract/client.d.ts, the types of a client, from contract/openapi.json. The file is not committed: `npm ci`,
 * `generate`, `verify` and `build` create it. Run scripts/openapi.ts first if the contract has changed.
 */
import { writeFileSync } from 'node:fs';

const FILE = new URL('../contract/client.d.ts', import.meta.url);

// The generation of the types needs development packages. An installation without these packages compiles no code, so
// it does not need the types.
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
