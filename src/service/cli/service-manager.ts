/**
 * What `serve` tells systemd (docs/decisions/300): that it serves, that it still lives, that it stops. Node cannot write to a
 * datagram socket of the file system, so systemd's own program carries each word. Elsewhere nothing happens.
 */
import { execFile } from 'node:child_process';
import type { Logger } from 'pino';

export interface ServiceManager {
  /** The service listens; from now on its life is shown within each half of the watchdog's time. */
  ready: () => void;
  /** The service finishes what it has, and shows no more that it lives. */
  stopping: () => void;
}

const SILENT: ServiceManager = { ready: () => undefined, stopping: () => undefined };

/** Who is told: the manager that `NOTIFY_SOCKET` names; nobody where there is none. */
export function serviceManager(env: NodeJS.ProcessEnv, log: Pick<Logger, 'error'>): ServiceManager {
  if (!env['NOTIFY_SOCKET']) return SILENT;
  let timer: NodeJS.Timeout | undefined;
  let hasFailed = false;
  const say = (...words: string[]) => {
    execFile('systemd-notify', words, { env, timeout: PATIENCE_MS }, (error) => {
      if (error !== null && !hasFailed) log.error({ err: error }, CANNOT_TELL);
      hasFailed = error !== null;
    });
  };
  const every = watchdogMs(env);
  return {
    ready: () => {
      say('--ready');
      if (every !== undefined) timer = setInterval(() => say('WATCHDOG=1'), every / 2).unref();
    },
    stopping: () => {
      clearInterval(timer);
      say('STOPPING=1');
    },
  };
}

const PATIENCE_MS = 10_000;
const CANNOT_TELL =
  'systemd-notify failed, so systemd does not learn that the service lives and will restart it; see "If it does not start" in docs/how-to/run-with-systemd.md';

/** How long systemd waits for a sign of life, in milliseconds; undefined: it does not wait for one of this process. */
function watchdogMs(env: NodeJS.ProcessEnv): number | undefined {
  const micros = Number(env['WATCHDOG_USEC']);
  const isMeant = env['WATCHDOG_PID'] === undefined || Number(env['WATCHDOG_PID']) === process.pid;
  return micros > 0 && isMeant ? micros / 1_000 : undefined;
}
