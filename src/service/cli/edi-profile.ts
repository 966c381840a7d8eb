/** Reads the profile of a partner for `edi check`. Every field is optional (docs/edi.md#check-a-file). */
import { readFileSync } from 'node:fs';
import { parseJson } from '../../platform/message/json.ts';
import { compile } from '../../platform/message/validate.ts';
import { EdiProfilePart } from '../edi/partner-schema.ts';

/** Reads a profile; unknown fields are ignored. Throws an error that lists all problems. */
export function readProfile(file: string): EdiProfilePart {
  const { errors, value } = compile(EdiProfilePart)(parseJson(readFileSync(file, 'utf8')), { lenient: true });
  if (errors.length > 0)
    throw new Error(errors.map(({ pointer, message }) => `${pointer}: ${String(message)}`).join('; '));
  return value as EdiProfilePart;
}
