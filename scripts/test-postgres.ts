/**
 * `npm run test:postgres`: runs the whole suite on a temporary PostgreSQL that this script starts and removes.
 * Arguments are passed to vitest, for example `npm run test:postgres -- test/picking`. `--binaries npm` uses the
 * binaries of the npm package even if the system has others.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { PostgresServer } from '../town/postgres-server.ts';

const args = process.argv.slice(2);
const at = args.indexOf('--binaries');
const source = at < 0 ? 'any' : args.splice(at, 2)[1] === 'npm' ? 'npm' : 'any';

let tests: ChildProcess | undefined;
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stop.abort();
    tests?.kill(signal);
  });
}

const server = await PostgresServer.start({ source });
try {
  console.log(`${server.version} on ${server.url}`);
  process.exitCode = stop.signal.aborted ? 1 : await vitest();
} finally {
  await server.remove();
}

function vitest(): Promise<number> {
  const env = { ...process.env, TEST_DATABASE_URL: server.url, TEST_DATABASE_SOCKET: server.socketFolder ?? '' };
  return new Promise((resolve, reject) => {
    tests = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], { env, stdio: 'inherit' });
    tests.once('error', reject);
    tests.once('exit', (code) => resolve(code ?? 1));
  });
}
