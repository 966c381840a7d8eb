/**
 * `serve` notifies systemd (docs/how-to/run-with-systemd.md#what-the-unit-does) that it is ready, alive or stopping.
 * Node cannot write to a Unix datagram socket, so the program systemd-notify sends each message. Without systemd there
 * are no notifications.
 */
import { execFile } from 'node:child_process';
import type { Logger } from 'pino';

export interface ServiceManager {
  /**
   * Reports that the service is ready. From then on, the service sends two heartbeats in each interval of the watchdog.
   */
  ready: () => void;
  /** Reports that the service is stopping, and ends the heartbeats. */
  stopping: () => void;
}

const SILENT: ServiceManager = { ready: () => undefined, stopping: () => undefined };

/** Returns the service manager at `NOTIFY_SOCKET`; without that variable, a service manager that does nothing. */
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
  'systemd-notify failed, so systemd gets no heartbeats and will restart the service; see "If it does not start" in docs/how-to/run-with-systemd.md';

/** Returns the watchdog interval in milliseconds; undefined if systemd expects no heartbeats from this process. */
function watchdogMs(env: NodeJS.ProcessEnv): number | undefined {
  const micros = Number(env['WATCHDOG_USEC']);
  const isMeant = env['WATCHDOG_PID'] === undefined || Number(env['WATCHDOG_PID']) === process.pid;
  return micros > 0 && isMeant ? micros / 1_000 : undefined;
}
