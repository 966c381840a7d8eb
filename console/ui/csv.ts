import { decimalSign } from './typed-number.ts';

/**
 * Returns the rows as CSV for spreadsheets in the user's language. The byte order mark is for Excel, which otherwise
 * reads UTF-8 as the code page of Windows. If the decimal sign is a comma, Excel expects semicolons between columns.
 * A cell that a spreadsheet would run as a formula starts with an apostrophe.
 */
export function toCsv(rows: readonly (readonly (string | number)[])[], language: string): string {
  const sign = decimalSign(language);
  const separator = sign === ',' ? ';' : ',';
  const cell = (value: string | number) => {
    if (typeof value === 'number') return String(value).replace('.', sign);
    const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `\ufeff${rows.map((row) => `${row.map(cell).join(separator)}\r\n`).join('')}`;
}

/**
 * Returns a cell of a record. A text that a spreadsheet would read as another number, such as an SSCC, starts with an
 * apostrophe. Files to upload again do not use this, because the service would read the apostrophe.
 */
export function ofRecord(value: string | number): string | number {
  return typeof value === 'string' && /^(0\d+|\d{12,}|\d+E\d+)$/i.test(value) ? `'${value}` : value;
}
