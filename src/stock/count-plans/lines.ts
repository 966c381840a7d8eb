/** Checks the lines of a count plan in messages. */
import type { FieldErrors } from '../../platform/message/field-errors.ts';
import { say } from '../sentences.ts';

/** The valid part of a line in a message. */
interface SentLine {
  itemId?: string | undefined;
  place?: string | undefined;
}

/** Adds an error for each line that a message repeats. */
export function checkLines(
  lines: readonly (SentLine | undefined)[],
  errors: FieldErrors,
  list: 'lines' | 'add' | 'remove' = 'lines',
): void {
  const seen = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    if (line?.itemId === undefined || errors.isBad(`/${list}/${index}/place`)) continue;
    const key = `${line.itemId}\n${line.place ?? 'SHELF'}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    else {
      const message = say('/{list}/{first} already has {itemId} with the same place; send each item and place once', {
        list,
        first,
        itemId: JSON.stringify(line.itemId),
      });
      errors.add(`/${list}/${index}`, 'duplicate', message);
    }
  }
}
