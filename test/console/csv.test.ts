import { expect, it } from 'vitest';
import { toCsv } from '../../console/ui/csv.ts';

it('a cell that a spreadsheet would run as a formula begins with an apostrophe, in every CSV of the console', () => {
  const formula = '=HYPERLINK("http://evil.example","x")';
  const rows = [[formula, 3], ['+1', -2], ['@x', '-y'], ['\tz', 'a,b'], []];
  expect(toCsv(rows, 'en')).toBe(
    `\ufeff"'=HYPERLINK(""http://evil.example"",""x"")",3\r\n'+1,-2\r\n'@x,'-y\r\n'\tz,"a,b"\r\n\r\n`,
  );
});

it.each(['de', 'es'])('a CSV in the language %s has semicolons and decimal commas', (language) => {
  const rows = [
    ['Größe', 'a;b'],
    [12.5, '12.5'],
  ];
  expect(toCsv(rows, language)).toBe('\ufeffGröße;"a;b"\r\n12,5;12.5\r\n');
});
