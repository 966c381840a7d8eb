/** JSON pointers (RFC 6901). */

/** Encodes a name as a step of a pointer. */
export function pointerStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Longest name in a pointer; a field with a longer name has the pointer of its object. */
const NAME_MAX = 200;

/** The pointer of a field of the object at `pointer`. */
export function below(pointer: string, name: string): string {
  return name.length > NAME_MAX ? pointer : `${pointer}/${pointerStep(name)}`;
}

/** The names in a pointer. */
export function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
