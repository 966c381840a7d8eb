/** A known load beside the bench: one process for each core that computes all the time, so that everybody gets half of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** It ends with the process that started it, however that ended. */
const BURN = `const parent = process.ppid;
while (process.ppid === parent) for (let i = 0; i < 1e6; i += 1) Math.sqrt(Math.random());`;

/** Starts the load; the function that is returned ends it. */
export function startBusy(cores = availableParallelism()): () => void {
  const burners: ChildProcess[] = [];
  for (let core = 0; core < cores; core += 1) {
    burners.push(spawn(process.execPath, ['-e', BURN], { stdio: 'ignore' }));
  }
  return () => {
    for (const burner of burners) burner.kill('SIGKILL');
  };
}
