import { expect, it } from 'vitest';
import { ofRecord, toCsv } from '../../console/ui/csv.ts';

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

it('a number that a spreadsheet would shorten begins with an apostrophe: SSCC, UPC with leading zero, long order number', () => {
  const kept = ['00340123456789012345', '0400000000411', '300000000000001', '1E5'].map(ofRecord);
  expect(kept).toEqual(["'00340123456789012345", "'0400000000411", "'300000000000001", "'1E5"]);
  const others = ['0', '21-TEE', '12345', '0.5', '2026-03-02', '', 12.5, 100_000_000_000];
  expect(others.map(ofRecord)).toEqual(others);
  expect(toCsv([kept.slice(0, 1)], 'en')).toBe("\ufeff'00340123456789012345\r\n");
});
