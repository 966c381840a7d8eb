/** Makes every generated file; with --check only says which are stale, and exits 1. */
import { spawnSync } from 'node:child_process';

const GENERATORS = [
  'schema-dump',
  'openapi',
  'generate-client',
  'states',
  'codes',
  'event-types',
  'interface',
  'decisions',
  'people',
];
const check = process.argv.includes('--check');
const failed = GENERATORS.filter((name) => {
  const args = [`scripts/${name}.ts`, ...(check ? ['--check'] : [])];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) {
  console.error(`${failed.join(', ')}: ${check ? 'stale; run `npm run generate` and commit the result' : 'failed'}`);
  process.exitCode = 1;
}
