/** Checks of deploy/compose: docker-compose reads the files, with the sample of their settings filled in. */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadConfig } from '../../src/platform/config.ts';
import { type Check, DEPLOY, hasTool, must, outputOf, ran } from './check.ts';

const FOLDER = join(DEPLOY, 'compose');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));

interface Project {
  services: Record<string, { image: string; environment?: Record<string, string>; read_only?: boolean; user?: string }>;
}

export const COMPOSE: readonly Check[] = [
  {
    name: 'compose',
    tools: ['docker-compose'],
    run: async (scratch) => {
      for (const name of FILES) copyFileSync(join(FOLDER, name), join(scratch, name));
      const read = (file: string) => ran('docker-compose', ['--file', file, 'config'], { cwd: scratch });
      for (const file of FILES) {
        const { code, err } = await read(file);
        must(code !== 0 && err.includes('.env.example'), `${file} without .env does not say what to do: ${err}`);
      }
      writeFileSync(join(scratch, '.env'), filledIn(readFileSync(join(FOLDER, '.env.example'), 'utf8')));
      for (const file of FILES) {
        const { services } = parse(
          await outputOf('docker-compose', ['--file', file, 'config'], { cwd: scratch }),
        ) as Project;
        for (const [name, service] of Object.entries(services)) {
          if (!service.image.startsWith('backroom')) continue;
          // The code of the service validates the settings of its container.
          loadConfig(service.environment ?? {});
          must(service.read_only === true, `${name} of ${file} can write to its root`);
        }
      }
      return `${FILES.join(', ')}${hasTool('dockerd') ? '' : '; not started, for there is no Docker engine'}`;
    },
  },
];

/** Returns a sample of settings with a secret for each empty setting. */
export function filledIn(sample: string): string {
  let count = 0;
  return sample.replaceAll(/=$/gm, () => {
    count += 1;
    return `=${SECRET}${String(count).padStart(4, '0')}`;
  });
}

const SECRET = '9f1c07d2e85b46a3b0c4d69e17f85a2390bd4c6e1f7a08d35c92e4b6f10a';
