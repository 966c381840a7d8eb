/**
 * Writes every generated file. With --check, it only prints which committed files are stale, and exits with 1 if there
 * are any.
 */
import { spawnSync } from 'node:child_process';

const GENERATORS = [
  'schema-dump',
  'row-types',
  'openapi',
  'states',
  'codes',
  'event-types',
  'interface',
  'decisions',
  'people',
];
/** Generators of files that are not committed. */
const MADE_ONLY = ['generate-client'];
const check = process.argv.includes('--check');
const failed = [...GENERATORS, ...(check ? [] : MADE_ONLY)].filter((name) => {
  const args = [`scripts/${name}.ts`, ...(check ? ['--check'] : [])];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) {
  console.error(`${failed.join(', ')}: ${check ? 'stale; run `npm run generate` and commit the result' : 'failed'}`);
  process.exitCode = 1;
}
