/** Path and body must agree (design 5): a member that names the same thing as the path must say the same. */
import type { Fault } from './validate.ts';

/**
 * Faults of members that differ from the path. `pairs` maps a JSON pointer to `[said, expected, nameInPath]`; a member
 * that is not there (undefined) agrees.
 */
export function disagreements(
  pairs: Record<string, readonly [said: unknown, expected: string, name: string]>,
): Fault[] {
  return Object.entries(pairs).flatMap(([pointer, [said, expected, name]]) =>
    said === undefined || said === expected
      ? []
      : [
          {
            pointer,
            rule: 'path-mismatch',
            message: `${pointer.slice(pointer.lastIndexOf('/') + 1)} differs from ${name} in the path; send the same value in both`,
          },
        ],
  );
}
