/** Checks of PUTs that the schema does not have: the id in the path, and repeated values of a list. */
import type { FieldError } from '../message/field-errors.ts';
import { identifierProblem } from '../message/identifiers.ts';
import { quote } from '../message/words.ts';
import { say } from '../sentences.ts';

/**
 * Returns the errors of the identifier in the path of a PUT: its length, white space at its ends, hidden characters
 * (docs/interface.md#identifiers). A PUT can create the resource. Reads need no such check, because no resource has
 * such an id.
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
      message: say('{name} in the path is empty; send 1 to {max} {max|character|characters}', { name, max }),
    });
  }
  if (length > max) {
    errors.push({
      pointer,
      rule: 'maxLength',
      limit: max,
      message: say('{name} in the path has {length} {length|character|characters}; send at most {max}', {
        name,
        length,
        max,
      }),
    });
  }
  if (id !== id.trim()) {
    errors.push({
      pointer,
      rule: 'pattern',
      message: say('{name} in the path begins or ends with white space; remove it', { name }),
    });
  }
  const problem = identifierProblem(id);
  if (problem !== undefined)
    errors.push({ pointer, rule: 'format', message: say('{name} in the path {problem}', { name, problem }) });
  return errors;
}

/**
 * Returns an error for each repeated value of a list. An undefined value is unreadable and gets no error. If `values`
 * are normalized for the comparison, `sent` has the values as the caller sent them.
 */
export function repeatErrors(
  pointer: string,
  values: readonly (string | undefined)[] = [],
  sent = values,
): FieldError[] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    return first === index || value === undefined
      ? []
      : [
          {
            pointer: `${pointer}/${index}`,
            rule: 'uniqueItems',
            message: say('{value} is in the list twice, also at {first}; send it once', {
              value: quote(sent[index] ?? value),
              first: `${pointer}/${first}`,
            }),
          },
        ];
  });
}
