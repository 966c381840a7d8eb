/**
 * CSV of rows as spreadsheets of the user's language open it. Without the byte order mark, Excel reads UTF-8 as the code
 * page of Windows. Where the decimal sign is a comma, it expects semicolons between columns.
 * A cell that a spreadsheet would run as a formula starts with an apostrophe.
 */
export function toCsv(rows: readonly (readonly (string | number)[])[], language: string): string {
  const decimalSign = (1.5).toLocaleString(language)[1]!;
  const separator = decimalSign === ',' ? ';' : ',';
  const cell = (value: string | number) => {
    if (typeof value === 'number') return String(value).replace('.', decimalSign);
    const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `\ufeff${rows.map((row) => `${row.map(cell).join(separator)}\r\n`).join('')}`;
}
