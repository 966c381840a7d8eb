/** Countries of the invoices, with the data for the destinations of orders. */

export interface Country {
  /** ISO 3166 alpha-2. */
  code: string;
  /** Cities, each with the pattern of a postal code; `#` is a digit. */
  cities: readonly (readonly [city: string, postalCode: string])[];
  /** Whether the tax of the retailer's country is charged (the European Union of 2010). */
  taxed: boolean;
}

const union = (code: string, ...cities: [string, string][]): Country => ({ code, cities, taxed: true });
const abroad = (code: string, ...cities: [string, string][]): Country => ({ code, cities, taxed: false });

/** Countries by their name in the data. `European Community` and `Unspecified` are not countries. */
export const COUNTRIES: Readonly<Record<string, Country>> = {
  'United Kingdom': union(
    'GB',
    ['London', 'N# #AB'],
    ['Manchester', 'M# #DE'],
    ['Leeds', 'LS# #FG'],
    ['Bristol', 'BS# #HJ'],
    ['Cardiff', 'CF# #LN'],
    ['Glasgow', 'G# #PQ'],
    ['Norwich', 'NR# #RS'],
    ['Belfast', 'BT# #TU'],
  ),
  Australia: abroad('AU', ['Sydney', '20##']),
  Austria: union('AT', ['Vienna', '1##0']),
  Bahrain: abroad('BH', ['Manama', '3##']),
  Belgium: union('BE', ['Brussels', '10##']),
  Brazil: abroad('BR', ['Recife', '50###-000']),
  Canada: abroad('CA', ['Ottawa', 'K1A #B#']),
  'Channel Islands': abroad('JE', ['Saint Helier', 'JE# #WX']),
  Cyprus: union('CY', ['Nicosia', '10##']),
  'Czech Republic': union('CZ', ['Prague', '1## ##']),
  Denmark: union('DK', ['Aarhus', '80##']),
  EIRE: union('IE', ['Dublin', 'D0#']),
  Finland: union('FI', ['Helsinki', '00##0']),
  France: union('FR', ['Lyon', '690##'], ['Nantes', '440##']),
  Germany: union('DE', ['Hamburg', '20###'], ['Leipzig', '04###']),
  Greece: union('GR', ['Athens', '10# ##']),
  'Hong Kong': abroad('HK', ['Kowloon', '']),
  Iceland: abroad('IS', ['Reykjavik', '1##']),
  Israel: abroad('IL', ['Haifa', '31#####']),
  Italy: union('IT', ['Turin', '101##']),
  Japan: abroad('JP', ['Osaka', '53#-00##']),
  Lebanon: abroad('LB', ['Beirut', '110# ####']),
  Lithuania: union('LT', ['Vilnius', '01###']),
  Malta: union('MT', ['Valletta', 'VLT 1###']),
  Netherlands: union('NL', ['Utrecht', '35## AB']),
  Norway: abroad('NO', ['Oslo', '01##']),
  Poland: union('PL', ['Gdansk', '80-###']),
  Portugal: union('PT', ['Porto', '4050-###']),
  RSA: abroad('ZA', ['Durban', '40##']),
  'Saudi Arabia': abroad('SA', ['Jeddah', '21###']),
  Singapore: abroad('SG', ['Singapore', '0#####']),
  Spain: union('ES', ['Valencia', '460##']),
  Sweden: union('SE', ['Uppsala', '75# ##']),
  Switzerland: abroad('CH', ['Basel', '40##']),
  USA: abroad('US', ['Portland', '972##']),
  'United Arab Emirates': abroad('AE', ['Dubai', '']),
};
