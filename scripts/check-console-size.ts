/** Fails when the console is larger than its bars: part of `npm run verify`. */
import { consoleSizes } from './console-size.ts';

for (const { name, value, unit, bar, met, note } of await consoleSizes()) {
  if (met) continue;
  console.error(`${name}: ${value} ${unit} (${note}), at most ${bar}. Load what is not needed at once with import().`);
  process.exitCode = 1;
}
