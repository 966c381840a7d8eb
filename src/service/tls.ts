/** https of the service itself: handhelds get a service worker and the camera only over it (docs/how-to/tls-in-the-store.md). */
import { readFileSync, statSync } from 'node:fs';
import type { RequestListener, ServerOptions } from 'node:http';
import type { Server } from 'node:https';
import type { Ports } from '../platform/ports.ts';

const LOOK_EVERY_MS = 10_000;

interface Files {
  cert: string;
  key: string;
}

/**
 * A server with the certificate and key of the files. New files are taken for new connections within 10 s; files that do not fit
 * each other are logged, and the ones before stay in use.
 * @throws Error with what to do where the files cannot be used at the start.
 */
export function openHttps(files: Files, options: ServerOptions, handler: RequestListener, ports: Ports): Server {
  const https = process.getBuiltinModule('node:https');
  const server = (() => {
    try {
      return https.createServer({ ...options, ...read(files), minVersion: 'TLSv1.2' }, handler);
    } catch (error) {
      throw new Error(
        `TLS_CERT and TLS_KEY cannot be used: ${(error as Error).message}. Set both to readable PEM files that belong together.`,
        { cause: error },
      );
    }
  })();
  let seen = stateOf(files);
  const timer = setInterval(() => {
    const now = stateOf(files);
    if (now === seen || now === undefined) return;
    seen = now;
    try {
      server.setSecureContext({ ...read(files), minVersion: 'TLSv1.2' });
      ports.log.info('certificate read again');
    } catch (error) {
      ports.log.error({ err: error }, 'the new certificate cannot be used; the one before stays in use');
    }
  }, LOOK_EVERY_MS).unref();
  server.on('close', () => clearInterval(timer));
  return server;
}

function read({ cert, key }: Files): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(cert), key: readFileSync(key) };
}

/** Changes with either file; undefined while one is being replaced. */
function stateOf({ cert, key }: Files): string | undefined {
  try {
    return [cert, key].map((file) => `${statSync(file).mtimeMs} ${statSync(file).size} ${statSync(file).ino}`).join();
  } catch {
    return undefined;
  }
}
