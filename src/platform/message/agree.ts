/**
 * Path and body must agree (docs/interface.md#path-and-body): a field with the name of a variable of the path or query
 * must have the same value. The rule applies to operations without `ownAgreement`, to the message and to the objects
 * directly in it.
 */

import { say } from '../sentences.ts';
import type { FieldError } from './field-errors.ts';
import { below } from './pointer.ts';
import { isRecord } from './record.ts';

/**
 * Other spellings of identifiers in bodies: the queue search can spell nodeId as modeId
 * (docs/interface.md#search-a-queue).
 */
const OTHER_SPELLINGS: Record<string, readonly string[]> = { nodeId: ['modeId'] };

/** Errors of fields that differ from the path or the query. The schema checks fields that are not strings. */
export function disagreements(
  body: unknown,
  path: Record<string, string>,
  query: Record<string, unknown>,
): FieldError[] {
  const variables = [
    ...Object.entries(path).map(([name, value]) => ({ name, value, where: say('path') })),
    ...Object.entries(query).map(([name, value]) => ({ name, value, where: say('query') })),
  ];
  return objectsOf(body).flatMap(({ pointer, object }) =>
    variables.flatMap(({ name, value, where }) =>
      [name, ...(OTHER_SPELLINGS[name] ?? [])].flatMap((member) => {
        const said = Object.hasOwn(object, member) ? object[member] : undefined;
        if (typeof said !== 'string' || typeof value !== 'string') return [];
        return mismatch(`${pointer}/${member}`, said, value, name, where);
      }),
    ),
  );
}

/** Returns the error of a field that differs from the variable `name` of path or query; an empty list if they agree. */
export function mismatch(
  pointer: string,
  said: unknown,
  expected: string,
  name: string,
  where = say('path'),
): FieldError[] {
  if (said === undefined || said === expected) return [];
  const member = pointer.slice(pointer.lastIndexOf('/') + 1);
  const message = say('{field} differs from {name} in the {where}; send the same value in both', {
    field: member,
    name,
    where,
  });
  return [{ pointer, rule: 'path-mismatch', message }];
}

interface Place {
  pointer: string;
  object: Record<string, unknown>;
}

/** Returns the message and the objects directly in it; a list with one object counts as the object. */
function objectsOf(body: unknown): Place[] {
  if (!isRecord(body)) return [];
  const places: Place[] = [{ pointer: '', object: body }];
  for (const name of Object.keys(body)) {
    const value = body[name];
    const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : undefined;
    if (isRecord(value)) places.push({ pointer: below('', name), object: value });
    else if (isRecord(only)) places.push({ pointer: `${below('', name)}/0`, object: only });
  }
  return places;
}
