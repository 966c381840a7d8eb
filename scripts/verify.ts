/**
 * `npm run verify`: runs every check that is not a test, two at a time, the longest first. When a check ends, the
 * script prints the output of this check. All checks run; the exit code is 1 if one failed. The types of the contract
 * are generated first, because several checks read them.
 */
import { spawn, spawnSync } from 'node:child_process';

/** Name and command of each check; `node` is the Node of this script, other programs are in node_modules. */
const CHECKS: readonly (readonly [name: string, command: string])[] = [
  // This command checks every source with the compiler options of the nearest tsconfig.json above it.
  ['types and rules', 'oxlint'],
  ['openapi', 'node scripts/lint-openapi.ts'],
  ['generated files', 'node scripts/generate.ts --check'],
  ['statements', 'node test/contract/check-statements.ts --names'],
  ['unused code', 'knip --no-progress'],
  ['rooms', 'depcruise src town test proof bench scripts console --config .dependency-cruiser.cjs'],
  ['format', 'biome ci .'],
  ['citations', 'node scripts/check-citations.ts'],
  ['size of the console', 'node scripts/check-console-size.ts'],
];
const AT_ONCE = 2;

spawnSync(process.execPath, ['scripts/generate-client.ts'], { stdio: 'inherit' });
const waiting = [...CHECKS];
const failed: string[] = [];
await Promise.all(Array.from({ length: AT_ONCE }, runNext));
console.log(failed.length === 0 ? `${CHECKS.length} checks passed` : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function runNext(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    const [name, command] = check;
    const began = performance.now();
    const { code, output } = await run(command);
    if (code !== 0) failed.push(name);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${command}), ${seconds} s\n${output}`.trimEnd());
  }
}

/** Runs a command. npm has added node_modules/.bin to the PATH. */
function run(command: string): Promise<{ code: number; output: string }> {
  const child = spawn(command.replace(/^node /, `"${process.execPath}" `), {
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}
