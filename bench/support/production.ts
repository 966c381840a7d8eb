/** A production install: the packed package, installed into an empty folder without development dependencies. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Production {
  /** The folder `node_modules` of the install. */
  modules: string;
  /** The executable. */
  main: string;
}

/**
 * Creates the install below `folder`, or uses an existing install. npm takes packages from the registry or from its
 * cache.
 */
export function productionInstall(folder: string): Production {
  const place = join(folder, 'install');
  const modules = join(place, 'node_modules');
  const production = { modules, main: join(modules, 'backroom-fulfillment', 'dist', 'main.js') };
  if (existsSync(production.main)) return production;
  mkdirSync(place, { recursive: true });
  const npm = (args: readonly string[], cwd: string) =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  // npm prints the output of the build before the JSON.
  const said = npm(['pack', '--json', '--pack-destination', place], ROOT);
  const [, fileName = ''] = /"filename": "([^"]+)"/.exec(said) ?? [];
  writeFileSync(join(place, 'package.json'), '{"private": true}\n');
  npm(['install', '--omit=dev', '--no-audit', '--no-fund', `./${fileName}`], place);
  return production;
}
