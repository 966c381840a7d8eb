/**
 * Releases of the console as a deployment creates them. Every file with a hash in its name has a new name in each
 * release. The files of older releases are gone.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourcesFingerprint } from '../../../scripts/console.ts';
import { PACKAGE_ROOT } from '../../../src/platform/version.ts';
import type { File } from '../../../town/console/proxy.ts';
import type { Console } from './browser.ts';

const TYPES: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  html: 'text/html',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
};

export interface Releases {
  /** Replaces the served release with release `n`. `without` returns true for files that are missing. */
  deploy: (n: number, options?: { without?: (name: string) => boolean; retired?: boolean; policy?: string }) => void;
  /** Names of the files of release `n`. */
  names: (n: number) => string[];
}

/** Returns the files of the bundle that the service built for its page. */
function firstRelease(): Map<string, Buffer> {
  const folder = join(PACKAGE_ROOT, 'node_modules/.cache/console', sourcesFingerprint());
  const own = readdirSync(folder).filter((name) => !/\.(?:gz|br|json)$/.test(name));
  return new Map(own.map((name) => [name, readFileSync(join(folder, name))]));
}

/** Serves releases of the console through the proxy of `desk`, with the policy of the service's own page. */
export async function openReleases(desk: Console): Promise<Releases> {
  const page = await desk.town.server.app.inject({ method: 'GET', url: '/console/' });
  const first = firstRelease();
  const policy = String(page.headers['content-security-policy']);
  const hashes = [...first.keys()].flatMap((name) => /-([\w-]{8})\.\w+$/.exec(name)?.[1] ?? []);
  const renamed = (text: string, n: number) =>
    hashes.reduce((all, hash) => all.replaceAll(hash, `${n}${hash.slice(1, 7)}${n}`), text);
  const content = (name: string, bytes: Buffer, n: number) => {
    if (!/\.(?:js|css|html|webmanifest)$/.test(name)) return bytes;
    const text = renamed(bytes.toString('utf8'), n);
    return name === 'worker.js' ? text.replace(/[0-9a-f]{12}/, String(n).repeat(12)) : text;
  };
  return {
    names: (n) => [...first.keys()].map((name) => renamed(name, n)),
    deploy: (n, options = {}) => {
      const files = new Map<string, File>();
      for (const [name, bytes] of first) {
        const type = TYPES[name.split('.').at(-1)!] ?? 'application/octet-stream';
        files.set(renamed(name, n), { type, body: content(name, bytes, n) });
      }
      const index = { ...files.get('index.html')!, headers: { 'content-security-policy': options.policy ?? policy } };
      desk.proxy.mount('/console/', (name) => {
        if (options.without?.(name) === true) return undefined;
        if (name === '' || name === 'index.html') return index;
        return files.get(name === 'worker.js' && options.retired === true ? 'retire.js' : name);
      });
    },
  };
}
