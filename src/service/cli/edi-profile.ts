/** The part of a partner's profile that decides about syntax (docs/edi.md#check-a-file). */
import { readFileSync } from 'node:fs';
import { inEnglish } from '../../platform/message/sentence.ts';
import { compile } from '../../platform/message/validate.ts';
import { flag, list, object, oneOf, type Static, Type, text } from '../../platform/schema.ts';

const { Optional } = Type;
const level = Optional(oneOf(['ERROR', 'NOTE']));
const delimiter = Optional(
  text(1, 1, {
    pattern: '^[^A-Za-z0-9\\s]$',
    'x-hint': inEnglish('use a character that is no letter, digit or blank'),
  }),
);
const identity = Optional(object({ qualifier: text(2, 2), id: text(1, 15), group: Optional(text(2, 15)) }));

const PROFILE = object({
  usage: Optional(oneOf(['P', 'T'])),
  ours: identity,
  theirs: identity,
  versions: Optional(list(text(1, 12), { min: 1, max: 20 })),
  take: Optional(list(oneOf(['856', '850', '860', '997', '824']), { max: 5 })),
  answer: Optional(
    object({ ack: Optional(oneOf(['997', 'NONE'])), ta1: Optional(oneOf(['ON_ERROR', 'ALWAYS', 'NEVER'])) }),
  ),
  write: Optional(
    object({
      element: delimiter,
      component: delimiter,
      repetition: delimiter,
      segment: delimiter,
      newline: Optional(flag()),
      version: Optional(
        text(6, 12, { pattern: '^00[3-9]0[0-9]{2}', 'x-hint': inEnglish('write a version such as 004010') }),
      ),
    }),
  ),
  strict: Optional(
    object({
      segmentCount: level,
      controlNumbers: level,
      isaWidths: level,
      unknownSegments: level,
      checkDigits: level,
      hashTotal: level,
    }),
  ),
});

export type Profile = Static<typeof PROFILE>;

/** Reads a profile. Fields that say nothing about syntax are passed over. Throws an error that lists what is wrong. */
export function readProfile(file: string): Profile {
  const { errors, value } = compile(PROFILE)(JSON.parse(readFileSync(file, 'utf8')), { lenient: true });
  if (errors.length > 0)
    throw new Error(errors.map(({ pointer, message }) => `${pointer}: ${String(message)}`).join('; '));
  return value as Profile;
}
