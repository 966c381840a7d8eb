/** The size of a production install. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { productionInstall } from '../support/production.ts';
import { below, type Scenario } from '../support/scenario.ts';

export const install: Scenario = {
  name: 'install',
  async run(options) {
    const { modules } = productionInstall(options.folder);
    const heaviest = readdirSync(modules)
      .map((name) => ({ name, size: sizeOf(join(modules, name)) }))
      .sort((a, b) => b.size - a.size)
      .slice(0, 4)
      .map(({ name, size }) => `${name} ${size.toFixed(1)}`);
    const note = `node_modules of npm install --omit=dev of the packed package; heaviest: ${heaviest.join(', ')}`;
    return [below(100, { name: 'production install', engine: 'sqlite', value: sizeOf(modules), unit: 'MB', note })];
  },
};

/** Returns the size of the files below a folder, in MB. */
function sizeOf(path: string): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size / 1e6;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
