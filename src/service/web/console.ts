/**
 * Serves the console at `/console/` from built files, with their compressed forms beside them. Browsers cache files
 * with a hash in their name forever; they request the page and its service worker each time. The package has the files
 * in `dist/console`; a checkout bundles them at the first request (docs/decisions/270).
 */

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../platform/config.ts';
import { readJson } from '../../platform/json-column.ts';
import type { Store } from '../../platform/storage/db.ts';
import { PACKAGE_ROOT } from '../../platform/version.ts';
import { isThisMachine } from './this-machine.ts';

/** Returns the Content-Security-Policy. `images` are the origins of item pictures. */
function policy(images: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "font-src 'self'",
    ["img-src 'self' data: blob:", ...images].join(' '),
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types console',
  ].join('; ');
}

/** A user whom the sign-in page offers, with the password. Only a demo has such users. */
export interface TryPerson {
  role: string;
  clientId?: string;
  userId: string;
  name: string;
  password: string;
}

/** Registers `/console/`. `tryPeople` returns the users of a demo; undefined without a demo. */
export function registerConsole(
  app: FastifyInstance,
  store: Store,
  { consoleCache }: Pick<Config, 'consoleCache'>,
  tryPeople: () => readonly TryPerson[] | undefined = () => undefined,
): void {
  const packed = join(PACKAGE_ROOT, 'dist/console');
  const isPacked = import.meta.url.includes('/dist/');
  let folder: Promise<string> | undefined;
  app.get('/console', (_request, reply) => reply.redirect('console/', 308));
  app.get('/console/demo-people', (request, reply) => {
    const people = tryPeople();
    if (people === undefined || !isThisMachine(request)) {
      reply.callNotFound();
      return reply;
    }
    return reply.header('cache-control', 'no-store').send({ people });
  });
  app.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: isPacked ? packed : PACKAGE_ROOT,
      serve: false,
      preCompressed: true,
    });
    scope.get('/console/*', async (request, reply) => {
      folder ??= isPacked ? Promise.resolve(packed) : bundle();
      const root = await folder.catch((error: unknown) => {
        folder = undefined;
        throw error;
      });
      const asked = (request.params as { '*': string })['*'];
      const name = fileOf(asked, consoleCache);
      if (
        !/^[\w.-]+$/.test(name) ||
        name.startsWith('.') ||
        /\.(?:gz|br|json)$/.test(name) ||
        !existsSync(join(root, name))
      ) {
        reply.callNotFound();
        return reply;
      }
      const isKept = /-[\w-]{8}\.\w+$/.test(name);
      reply.header('cache-control', isKept ? 'public, max-age=31536000, immutable' : 'no-cache');
      if (name === 'index.html') {
        reply.header('content-security-policy', policy(await imageOrigins(store)));
        if (tryPeople() !== undefined && isThisMachine(request)) {
          const page = readFileSync(join(root, name), 'utf8');
          return reply.type('text/html; charset=utf-8').send(page.replace('</head>', `${DEMO_MARK}</head>`));
        }
      }
      return reply.sendFile(name, root, { cacheControl: false });
    });
  });
}

/**
 * A page with this mark requests the users of the demo. The page itself does not contain them, because browsers may
 * cache the page.
 */
const DEMO_MARK = '<meta name="backroom-demo" content="people">';

/** Returns the name of the file for a requested path. */
function fileOf(asked: string, consoleCache: boolean): string {
  if (asked === '') return 'index.html';
  // Browsers regularly request their service worker. Without `consoleCache` they get the script `retire.js`, which
  // removes the worker.
  return asked === 'worker.js' && !consoleCache ? 'retire.js' : asked;
}

/** Bundles the console of a checkout at the first request, once for each state of its sources. Returns the folder. */
async function bundle(): Promise<string> {
  // The path is computed, so that the package does not include `scripts/console.ts` and its bundler.
  const path = pathToFileURL(join(PACKAGE_ROOT, 'scripts/console.ts')).href;
  const { buildConsole, sourcesFingerprint } = (await import(path)) as {
    buildConsole: (out: string) => Promise<void>;
    sourcesFingerprint: () => string;
  };
  const out = join(PACKAGE_ROOT, 'node_modules/.cache/console', sourcesFingerprint());
  if (existsSync(join(out, 'index.html'))) return out;
  const draft = `${out}.${process.pid}`;
  mkdirSync(dirname(out), { recursive: true });
  await buildConsole(draft);
  try {
    renameSync(draft, out);
  } catch (error) {
    // Another process has bundled the same files.
    if (!existsSync(join(out, 'index.html'))) throw error;
    rmSync(draft, { recursive: true });
  }
  return out;
}

/** Returns the origins of item pictures of all clients, because the page is the same for all clients. */
async function imageOrigins(store: Store): Promise<readonly string[]> {
  // Crosses tenants: the page is loaded before a sign-in.
  const rows = await store.read((db) => db.selectFrom('clients').select('settings').execute());
  const origins = rows.flatMap(({ settings }) => readJson(settings).imageOrigins ?? []);
  return [...new Set(origins)].sort();
}
