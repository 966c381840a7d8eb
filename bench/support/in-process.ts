/** The service in this process, for what must be seen from inside: its statements. */
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { systemPorts } from '../../src/ports.ts';
import { createServer } from '../../src/server.ts';
import { openStore } from '../../src/storage/db.ts';
import { OPERATOR_KEY } from './processes.ts';

/** Listens on a free port. */
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
