/**
 * A constant load during the bench: one process per core that computes continuously, so that the bench gets half of
 * each core.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The program of one load process. It ends when its parent process has ended, even if the parent was killed. */
const BURN = `const parent = process.ppid;
while (process.ppid === parent) for (let i = 0; i < 1e6; i += 1) Math.sqrt(Math.random());`;

/** Starts the load. Returns a function that ends it. */
export function startBusy(cores = availableParallelism()): () => void {
  const burners: ChildProcess[] = [];
  for (let core = 0; core < cores; core += 1) {
    burners.push(spawn(process.execPath, ['-e', BURN], { stdio: 'ignore' }));
  }
  return () => {
    for (const burner of burners) burner.kill('SIGKILL');
  };
}
