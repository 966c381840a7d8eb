/** A process that migrates the database in argv[2] and reports the number of migrations that it applied itself. */
import { migrate } from '../../../src/service/migrate.ts';

const directory = process.argv[3] === undefined ? {} : { directory: new URL(process.argv[3]) };
const applied = await migrate(process.argv[2] ?? '', { now: () => 0, ...directory });
process.send?.(applied.length);
process.disconnect();
