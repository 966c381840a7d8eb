import { checkDigit } from '../../src/shared/gs1.ts';

/** Returns an SSCC of the town's suppliers, with its check digit. */
export function sscc(number: number): string {
  const body = `0034012${String(number).padStart(10, '0')}`;
  return body + checkDigit(body);
}
