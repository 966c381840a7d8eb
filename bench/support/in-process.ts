/** Runs the service in this process, so that a scenario can record its statements. */
import { loadConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { systemPorts } from '../../src/platform/ports.ts';
import { openStore } from '../../src/platform/storage/db.ts';
import { createServer } from '../../src/service/server.ts';
import { OPERATOR_KEY } from './processes.ts';

/** Starts the service on a free port. */
export async function serveHere(url: string): Promise<{ port: number; stop: () => Promise<void> }> {
  const config = loadConfig({
    DATABASE_URL: url,
    BACKROOM_OPERATOR_KEY: OPERATOR_KEY,
    BACKROOM_SECRET: 'ab'.repeat(32),
    LOG_LEVEL: 'silent',
    PORT: '0',
  });
  const server = await createServer(config, systemPorts(createLog('silent')), await openStore(url));
  const address = await server.listen();
  return { port: Number(new URL(address).port), stop: () => server.close() };
}
