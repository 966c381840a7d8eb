/**
 * The part of `npm run verify` that fails if the console is larger than its limits. With `--json`, the script prints
 * the sizes and their limits, for `npm run bench:console`.
 */
import { consoleSizes } from './console-size.ts';

const bars = await consoleSizes();
if (process.argv.includes('--json')) console.log(JSON.stringify(bars));
else
  for (const { name, value, unit, bar, met, note } of bars) {
    if (met) continue;
    console.error(
      `${name}: ${value} ${unit} (${note}), at most ${bar}. Load what is not needed at once with import().`,
    );
    process.exitCode = 1;
  }
