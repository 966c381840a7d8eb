/**
 * Serves https without a proxy. Browsers allow a service worker and the camera only over https
 * (docs/how-to/tls-in-the-store.md).
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { RequestListener, ServerOptions } from 'node:http';
import type { Server } from 'node:https';
import type { Logger } from 'pino';

const LOOK_EVERY_MS = 10_000;
const KEPT = 'the new certificate cannot be used; the previous certificate remains in use';

interface Files {
  cert: string;
  key: string;
}

/** Certificate and key from the files, and the end of the certificate in epoch milliseconds. */
interface Pair {
  cert: Buffer;
  key: Buffer;
  end: number;
}

/**
 * The certificate of the service. New connections use changed files: immediately after `reload`, otherwise within 10 s.
 * If certificate and key of the changed files do not match, the service logs this and keeps the previous certificate
 * and key.
 */
export class Certificate {
  readonly #files: Files;
  readonly #log: Pick<Logger, 'info' | 'error'>;
  #shown: Pair;
  #seen: string | undefined;
  #server: Server | undefined;

  /** @throws Error with the fix if the files cannot be read. */
  constructor(files: Files, log: Pick<Logger, 'info' | 'error'>) {
    this.#files = files;
    this.#log = log;
    this.#seen = stateOf(files);
    this.#shown = orSay(() => read(files));
  }

  /** End of the certificate for new connections, in epoch milliseconds. */
  get end(): number {
    return this.#shown.end;
  }

  /**
   * Creates a server with this certificate.
   * @throws Error with the fix if certificate and key do not match.
   */
  serve(options: ServerOptions, handler: RequestListener): Server {
    const https = process.getBuiltinModule('node:https');
    const server = orSay(() => https.createServer({ ...options, ...contextOf(this.#shown) }, handler));
    this.#server = server;
    let wasMissing = false;
    const timer = setInterval(() => {
      const now = stateOf(this.#files);
      // A file that is being replaced can be missing for a moment.
      const isMissing = now === undefined;
      if (now !== this.#seen && (!isMissing || wasMissing)) this.reload();
      wasMissing = isMissing;
    }, LOOK_EVERY_MS).unref();
    server.on('close', () => clearInterval(timer));
    return server;
  }

  /** Reads the files again, even if they have not changed. */
  reload(): void {
    this.#seen = stateOf(this.#files);
    try {
      const pair = read(this.#files);
      this.#server?.setSecureContext(contextOf(pair));
      this.#shown = pair;
      this.#log.info({ certificateEnds: new Date(pair.end).toISOString() }, 'certificate reloaded');
    } catch (error) {
      this.#log.error({ err: error, certificateEnds: new Date(this.end).toISOString() }, KEPT);
    }
  }
}

function contextOf({ cert, key }: Pair) {
  return { cert, key, minVersion: 'TLSv1.2' as const };
}

function read(files: Files): Pair {
  const [cert, key] = [readFileSync(files.cert), readFileSync(files.key)];
  return { cert, key, end: Date.parse(new X509Certificate(cert).validTo) };
}

function orSay<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw new Error(
      `TLS_CERT and TLS_KEY cannot be used: ${(error as Error).message}. Set both to readable PEM files that belong together.`,
      { cause: error },
    );
  }
}

/**
 * Returns a text that changes when one of the files changes; undefined if a file is missing, for example while it is
 * being replaced.
 */
function stateOf({ cert, key }: Files): string | undefined {
  try {
    return [cert, key].map((file) => `${statSync(file).mtimeMs} ${statSync(file).size} ${statSync(file).ino}`).join();
  } catch {
    return undefined;
  }
}
