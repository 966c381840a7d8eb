/** The city line of an address, in the order that is usual in its country. */

/** Countries that write the postal code before the city. */
const CODE_FIRST = new Set(
  'AT BE BG CH CY CZ DE DK EE ES FI FR GR HR HU IL IS IT LI LT LU MC MX NL NO PL PT RO RS SE SI SK TR'.split(' '),
);

interface City {
  city?: string | undefined;
  mainDivisionCode?: string | undefined;
  postalCode?: string | undefined;
  countryCode?: string | undefined;
}

/** Returns the city line: `Newport, RI 02840` in the United States, `20095 Hamburg` in Germany. */
export function cityLine({ city = '', mainDivisionCode = '', postalCode = '', countryCode = '' }: City): string {
  const line = (between: string, ...parts: string[]) => parts.filter((part) => part !== '').join(between);
  if (CODE_FIRST.has(countryCode)) return line(' ', postalCode, city, mainDivisionCode);
  return line(', ', city, line(' ', mainDivisionCode, postalCode));
}
