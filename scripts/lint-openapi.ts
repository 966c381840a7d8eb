/**
 * Lints contract/openapi.json by the recommended rules of Redocly and Spectral; a warning fails like an error.
 * Telemetry is off.
 */
import { spawnSync } from 'node:child_process';

const DOCUMENT = 'contract/openapi.json';
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const redocly = run('redocly', ['lint', DOCUMENT, '--format', 'json', '--max-problems', '1000']);
const { problems } = JSON.parse(redocly.slice(redocly.indexOf('{'))) as { problems: Problem[] };
for (const { severity, ruleId, message, location } of problems)
  console.error(`redocly ${severity} ${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`);
const spectral = JSON.parse(run('spectral', ['lint', DOCUMENT, '--format', 'json', '--quiet'])) as Result[];
for (const { code, message, path } of spectral) console.error(`spectral ${code}: ${message} at ${path.join('.')}`);
if (problems.length + spectral.length > 0) process.exitCode = 1;

interface Problem {
  severity: string;
  ruleId: string;
  message: string;
  location: { pointer?: string }[];
}

interface Result {
  code: string;
  message: string;
  path: string[];
}

function run(name: string, args: readonly string[]): string {
  const { stdout, stderr, error } = spawnSync(process.execPath, [`node_modules/.bin/${name}`, ...args], {
    env,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  if (error !== undefined) throw error;
  if (stdout.trim() === '') throw new Error(`${name} failed:\n${stderr}`);
  return stdout;
}
