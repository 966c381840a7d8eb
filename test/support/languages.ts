/** Programming languages installed on this machine, for tests of the programs in the documentation. */
import { spawnSync } from 'node:child_process';

/** Returns whether the command of a language is installed. Tests skip samples of languages that are not installed. */
export function hasLanguage(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}
