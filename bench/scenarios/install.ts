/** What a production install weighs: the packed package, installed into an empty folder without development dependencies. */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { below, type Scenario } from '../support/scenario.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const install: Scenario = {
  name: 'install',
  async run(options) {
    const folder = join(options.folder, 'install');
    mkdirSync(folder, { recursive: true });
    const npm = (args: readonly string[], cwd: string) =>
      execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const packed = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], ROOT)) as { filename: string }[];
    writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
    npm(['install', '--omit=dev', '--no-audit', '--no-fund', `./${packed[0]!.filename}`], folder);
    const modules = join(folder, 'node_modules');
    const heaviest = readdirSync(modules)
      .map((name) => ({ name, size: sizeOf(join(modules, name)) }))
      .sort((a, b) => b.size - a.size)
      .slice(0, 4)
      .map(({ name, size }) => `${name} ${size.toFixed(1)}`);
    const note = `node_modules of npm install --omit=dev of the packed package; heaviest: ${heaviest.join(', ')}`;
    return [below(100, { name: 'production install', engine: 'sqlite', value: sizeOf(modules), unit: 'MB', note })];
  },
};

/** Megabytes of the files below. */
function sizeOf(path: string): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size / 1e6;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
