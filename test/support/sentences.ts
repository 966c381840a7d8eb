/** Lets a test compare a sentence with its English text. */
import { expect } from 'vitest';
import { Sentence } from '../../src/platform/message/sentence.ts';

expect.addEqualityTesters([
  (a: unknown, b: unknown) => (a instanceof Sentence || b instanceof Sentence ? String(a) === String(b) : undefined),
]);
