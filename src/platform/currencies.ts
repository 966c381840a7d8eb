/**
 * Currencies of ISO 4217 by the digits of their minor unit, as data. Sums are rounded to these digits
 * (docs/api.md#money).
 */

/** Currency codes by the number of digits after the decimal point. */
const BY_MINOR_DIGITS: Record<0 | 2 | 3 | 4, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY
    COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
    JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO
    NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS
    TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const MINOR_DIGITS = new Map(
  Object.entries(BY_MINOR_DIGITS).flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code) => [code, Number(digits)] as const),
  ),
);

/** Whether a code is a currency of ISO 4217. */
export function isCurrency(code: string): boolean {
  return MINOR_DIGITS.has(code);
}

/** Digits of the currency's minor unit: 2 for USD, 0 for JPY, 3 for KWD; 2 for an unknown code. */
export function minorDigits(currency: string): number {
  return MINOR_DIGITS.get(currency) ?? 2;
}
