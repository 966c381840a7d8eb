/** Programming languages installed on this machine, for tests of the programs in the documentation. */
import { spawnSync } from 'node:child_process';

/** Whether the command of a language is installed. Tests skip the samples of a language that is not. */
export function hasLanguage(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}
