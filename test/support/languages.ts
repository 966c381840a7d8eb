/** Languages of this machine, for tests of programs in the documentation. */
import { spawnSync } from 'node:child_process';

/** Whether the command of a language is here; on a machine without it its samples are not run. */
export function hasLanguage(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}
