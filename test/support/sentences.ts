/** Compares a sentence with its English text in tests. */
import { expect } from 'vitest';
import { Sentence } from '../../src/platform/message/sentence.ts';

expect.addEqualityTesters([
  (a: unknown, b: unknown) => (a instanceof Sentence || b instanceof Sentence ? String(a) === String(b) : undefined),
]);
