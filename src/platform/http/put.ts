/** Errors that every PUT of a resource by its id may find. */
import type { FieldError } from '../message/field-errors.ts';
import { quote } from '../message/words.ts';

/**
 * Errors of an identifier of the path that a PUT would make: its length and the white space at its ends (docs/interface.md#identifiers).
 * Reads need no such check, there is nothing under such an id.
 */
export function pathIdErrors(name: string, id: string, max: number): FieldError[] {
  const pointer = `path:${name}`;
  const length = Array.from(id).length;
  const errors: FieldError[] = [];
  if (length === 0) {
    errors.push({
      pointer,
      rule: 'minLength',
      limit: 1,
      message: `${name} in the path is empty; send 1 to ${max} characters`,
    });
  }
  if (length > max) {
    errors.push({
      pointer,
      rule: 'maxLength',
      limit: max,
      message: `${name} in the path has ${length} characters; send at most ${max}`,
    });
  }
  if (id !== id.trim()) {
    errors.push({
      pointer,
      rule: 'pattern',
      message: `${name} in the path is not accepted; remove the white space at its start or end`,
    });
  }
  return errors;
}

/** An error for each value that stands in a list a second time; values that are not readable are undefined. */
export function repeatErrors(pointer: string, values: readonly (string | undefined)[] = []): FieldError[] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    return first === index || value === undefined
      ? []
      : [
          {
            pointer: `${pointer}/${index}`,
            rule: 'uniqueItems',
            message: `${quote(value)} stands in the list already (at ${first}); send it once`,
          },
        ];
  });
}
