/**
 * Runs a loop of known work at an interval and reports its processor time. Like the tests, the loop allocates many
 * objects.
 */
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';

const everyMs = workerData as number;
const rows = Array.from({ length: 4_000 }, (_none, index) => ({
  id: index,
  name: `row ${index}`,
  tags: ['a', 'b', index],
}));

function work(): string {
  const text = JSON.stringify(rows);
  const copy = JSON.parse(text) as typeof rows;
  copy.sort((a, b) => b.name.localeCompare(a.name, 'en'));
  return createHash('sha256').update(text).update(String(copy[0]!.id)).digest('hex');
}

// V8 compiles the code during the first runs, so they are not measured.
for (let warm = 0; warm < 30; warm += 1) work();
setInterval(() => {
  const before = process.threadCpuUsage();
  for (let round = 0; round < 3; round += 1) work();
  const { user, system } = process.threadCpuUsage(before);
  parentPort!.postMessage((user + system) / 1000);
}, everyMs);
