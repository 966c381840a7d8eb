/** Serves a page with parts of the console under the console's policy, for tests that need a browser but no service. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { PACKAGE_ROOT } from '../../../src/platform/version.ts';

const STYLES = ['ui/tokens.css', 'ui/base.css', 'ui/ui.css', 'scan/scan.css', 'print/print.css'];
const FONT =
  'node_modules/@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2';
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; require-trusted-types-for 'script'; trusted-types console";
export interface Lab {
  url: string;
  close: () => Promise<void>;
}

/** Bundles a module of this folder and serves a page that runs it. */
export async function openLab(module: string): Promise<Lab> {
  const build = await rolldown({
    input: { lab: join(import.meta.dirname, module) },
    platform: 'browser',
    cwd: PACKAGE_ROOT,
    moduleTypes: { '.wasm': 'asset' },
    transform: { target: 'es2022' },
  });
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    assetFileNames: '[name][extname]',
  });
  await build.close();
  const files = new Map<string, string | Uint8Array>([
    ['font.woff2', readFileSync(join(PACKAGE_ROOT, FONT))],
    [
      'lab.css',
      STYLES.map((file) => readFileSync(join(PACKAGE_ROOT, 'console', file), 'utf8'))
        .join('\n')
        .replace('FONT', 'font.woff2'),
    ],
    [
      '',
      '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Lab</title><link rel="stylesheet" href="lab.css"><link rel="icon" href="data:,"><body><div id="app"></div><script type="module" src="lab.js"></script>',
    ],
    ...output.map((file): [string, string | Uint8Array] => [
      file.fileName,
      file.type === 'chunk' ? file.code : file.source,
    ]),
  ]);
  const types: Record<string, string> = {
    js: 'text/javascript',
    css: 'text/css',
    wasm: 'application/wasm',
  };
  const server = createServer((request, response) => {
    const name = (request.url ?? '').replace(/^\/console\//, '').split('?')[0]!;
    const content = files.get(name);
    const type = types[name.split('.').at(-1)!] ?? 'text/html';
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': type, 'content-security-policy': POLICY });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/console/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
