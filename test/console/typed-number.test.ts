import { expect, it } from 'vitest';
import { asTyped, typedNumber } from '../../console/ui/typed-number.ts';

it.each([
  ['en', '1,250', undefined],
  ['en', '1.250', 1.25],
  ['de', '1.250', undefined],
  ['de', '1,250', 1.25],
  ['es', '12.500', undefined],
  ['de', '0.125', 0.125],
  ['en', '2,5', 2.5],
  ['de', '2.5', 2.5],
  ['de', ' 1250 ', 1250],
  ['en', '1,250.5', undefined],
])('a number with the sign of thousands is not read as a thousandth: %s %s', (language, text, value) => {
  expect(typedNumber(text, language)).toBe(value);
});

it.each(['en', 'de', 'es'])('a value of a scale or a box type is read as it is shown in %s', (language) => {
  for (const value of [1.125, 1250, 0.5, 12.5]) expect(typedNumber(asTyped(value, language), language)).toBe(value);
});
