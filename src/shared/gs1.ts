/**
 * Reads the text of a bar code: GTIN, SSCC, GS1 element strings and GS1 Digital Links (docs/decisions/250). The
 * functions are pure and have no dependencies, because the service and the console both use them.
 */

/** Kind of a part of a code. `TEXT` is the whole code; `OTHER` is any other element, with its identifier. */
type ReadKind = 'SSCC' | 'GTIN' | 'CONTENT' | 'LOT' | 'EXPIRY' | 'SERIAL' | 'COUNT' | 'NET_WEIGHT' | 'OTHER' | 'TEXT';

/**
 * A part of a code. A GTIN has 14 digits, an expiry is a date (`2026-12-30`), a net weight is in kg with its decimals.
 */
export interface CodeRead {
  kind: ReadKind;
  value: string;
}

/**
 * `CHECK_DIGIT`: the code was misread or generated wrongly. `AMBIGUOUS`: the scanner probably dropped separators.
 * `MALFORMED`: a part violates the rules of GS1.
 */
type CodeWarningKind = 'CHECK_DIGIT' | 'AMBIGUOUS' | 'MALFORMED';

interface CodeWarning {
  code: CodeWarningKind;
  description: string;
}

export interface CodeReading {
  /** The scanned code, without control characters and surrounding spaces. */
  code: string;
  /** The parts, in the order of the code; the last part is the `TEXT`. Empty if there is no code. */
  reads: CodeRead[];
  warnings: CodeWarning[];
}

/** FNC1, as scanners send it. */
const SEPARATOR = '\x1d';
/** Visible characters that scanners can be configured to send as the separator. */
const SHOWN_SEPARATORS = /␝|<GS>|\{GS\}/g;
const SYMBOLOGY = /^\][A-Za-z][0-9A-Za-z]/;
/**
 * Symbology identifiers of GS1-128, DataBar, DataMatrix, QR and DotCode with a leading FNC1: the data of these codes
 * are elements.
 */
const ELEMENT_SYMBOLOGIES = new Set([']C1', ']e0', ']e1', ']e2', ']d2', ']Q3', ']J1']);
const PARENTHESISED = /^\(\d{2,4}\)/;

/** The rules for the data of a GS1 identifier. */
interface Element {
  kind: ReadKind;
  /** Number of digits of the data, if it is fixed. */
  length?: number;
  /** Maximum number of characters of the data, if their number varies. */
  most?: number;
  isNumeric?: boolean;
}

const VARIABLE: Readonly<Record<string, Element>> = {
  10: { kind: 'LOT', most: 20 },
  21: { kind: 'SERIAL', most: 20 },
  30: { kind: 'COUNT', most: 8, isNumeric: true },
  37: { kind: 'COUNT', most: 8, isNumeric: true },
};
const FIXED: Readonly<Record<string, Element>> = {
  '00': { kind: 'SSCC', length: 18 },
  '01': { kind: 'GTIN', length: 14 },
  '02': { kind: 'CONTENT', length: 14 },
  '03': { kind: 'OTHER', length: 14 },
  11: { kind: 'OTHER', length: 6 },
  12: { kind: 'OTHER', length: 6 },
  13: { kind: 'OTHER', length: 6 },
  15: { kind: 'OTHER', length: 6 },
  16: { kind: 'OTHER', length: 6 },
  17: { kind: 'EXPIRY', length: 6 },
  20: { kind: 'OTHER', length: 2 },
};
/**
 * Identifiers of three digits, and identifiers of four digits whose last digit is the number of decimals. The first two
 * digits of such an identifier determine the length of its data.
 */
const FIXED_LONGER: readonly [prefix: RegExp, element: Element][] = [
  [/^310[0-5]/, { kind: 'NET_WEIGHT', length: 6 }],
  [/^3[1-6]\d\d/, { kind: 'OTHER', length: 6 }],
  [/^41\d/, { kind: 'OTHER', length: 13 }],
];

/**
 * Reads a code. It never throws: an unreadable part causes a warning and is contained only in the read of kind `TEXT`.
 *
 * @param year the present year: years of two digits are within 50 years of it.
 */
export function readCode(text: string, year: number): CodeReading {
  const code = clean(text);
  const symbology = SYMBOLOGY.exec(code)?.[0];
  const content = symbology === undefined ? code : code.slice(symbology.length);
  const chunks = content.split(SEPARATOR).filter((chunk) => chunk !== '');
  const reader = new Reader(year);
  if (chunks.length > 0) {
    readContent(reader, { symbology, chunks, isSeparated: content.includes(SEPARATOR) });
    reader.reads.push({ kind: 'TEXT', value: chunks.join(SEPARATOR).trim() });
  }
  return { code, reads: reader.reads, warnings: reader.warnings };
}

interface Content {
  symbology: string | undefined;
  /** The parts between separators. */
  chunks: string[];
  /** Whether the scanner transmits separators. */
  isSeparated: boolean;
}

function readContent(reader: Reader, { symbology, chunks, isSeparated }: Content): void {
  const text = chunks.join('');
  if (PARENTHESISED.test(text)) readParenthesised(reader, text);
  else if (/^https?:\/\//i.test(text)) readDigitalLink(reader, text);
  else if (symbology === ']E0' || symbology === ']E3') readPlainNumber(reader, text.slice(0, 13));
  else if (isSeparated || (symbology !== undefined && ELEMENT_SYMBOLOGIES.has(symbology))) {
    readElements(reader, chunks, isSeparated);
  } else if (/^\d+$/.test(text) && isPlainLength(text.length)) readPlainNumber(reader, text);
  else if (symbology === undefined && looksLikeElements(text)) readElements(reader, chunks, isSeparated);
}

/** Removes control characters, except the separator, and surrounding spaces. */
function clean(text: string): string {
  const kept = Array.from(text.replace(SHOWN_SEPARATORS, SEPARATOR)).filter((character) => {
    const point = character.codePointAt(0)!;
    return character === SEPARATOR || (point >= 0x20 && (point < 0x7f || point > 0x9f) && point !== 0xfeff);
  });
  return kept.join('').trim();
}

/**
 * Whether a text without FNC1 and symbology identifier has elements: it must be an SSCC with its identifier, or begin
 * with a GTIN whose check digit is correct.
 */
function looksLikeElements(text: string): boolean {
  return /^00\d{18}$/.test(text) || (/^0[12]\d{14}/.test(text) && hasCheckDigit(text.slice(2, 16)));
}

function isPlainLength(length: number): boolean {
  return length === 8 || length === 12 || length === 13 || length === 14 || length === 18;
}

/** Reads a number without identifier: 8, 12, 13 or 14 digits are a GTIN, 18 an SSCC. */
function readPlainNumber(reader: Reader, digits: string): void {
  if (!/^\d+$/.test(digits) || !isPlainLength(digits.length)) return;
  if (digits.length === 18) {
    reader.number('SSCC', digits);
    return;
  }
  const expanded = digits.length === 8 && !hasCheckDigit(digits) ? expandUpcE(digits) : undefined;
  reader.number('GTIN', (expanded ?? digits).padStart(14, '0'));
}

/** Expands a UPC-E of 8 digits to its 12 digits; undefined if its first digit or its check digit is wrong. */
function expandUpcE(digits: string): string | undefined {
  if (digits[0] !== '0' && digits[0] !== '1') return undefined;
  const [a = '', b = '', c = '', d = '', e = '', f = ''] = digits.slice(1, 7);
  const body =
    f <= '2'
      ? `${a}${b}${f}0000${c}${d}${e}`
      : f === '3'
        ? `${a}${b}${c}00000${d}${e}`
        : f === '4'
          ? `${a}${b}${c}${d}00000${e}`
          : `${a}${b}${c}${d}${e}0000${f}`;
  const expanded = `${digits[0]}${body}${digits[7]!}`;
  return hasCheckDigit(expanded) ? expanded : undefined;
}

/** Reads `(01)04012345678901(10)ABC`: the text below a code, as users type it. */
function readParenthesised(reader: Reader, text: string): void {
  const parts = text.split(/\((\d{2,4})\)/);
  for (let at = 1; at < parts.length; at += 2) reader.element(parts[at]!, parts[at + 1]!.trim());
}

/** Reads `https://any.host/01/04012345678901/10/ABC?17=261230`: the path has the keys, the query the attributes. */
function readDigitalLink(reader: Reader, link: string): void {
  const [address = '', query = ''] = link.split('#', 1)[0]!.split('?', 2);
  const segments = address.split('/').slice(3).map(decode);
  const first = segments.findIndex(
    (segment, at) => /^0[0-2]$/.test(segment) && /^\d{8,18}$/.test(segments[at + 1] ?? ''),
  );
  if (first === -1) return;
  for (let at = first; at + 1 < segments.length && /^\d{2,4}$/.test(segments[at]!); at += 2) {
    reader.element(segments[at]!, segments[at + 1]!);
  }
  for (const attribute of query.split(/[&;]/)) {
    const [identifier = '', value = ''] = attribute.split('=', 2).map(decode);
    if (/^\d{2,4}$/.test(identifier)) reader.element(identifier, value);
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Reads consecutive elements; elements of variable length end at a separator or at the end of the code. */
function readElements(reader: Reader, chunks: string[], isSeparated: boolean): void {
  const used = new Set<string>();
  for (const chunk of chunks) {
    for (let rest = chunk; rest !== ''; ) {
      const found = elementAt(rest);
      if (found === undefined) {
        // GS1 fixes no length for such an identifier, so its data ends at a separator or at the end of the code.
        reader.other(rest);
        break;
      }
      const { identifier, element } = found;
      const data = rest.slice(identifier.length);
      used.add(identifier);
      if (element.length === undefined && !isSeparated && mayHideElements(data, used)) {
        reader.warn(
          'AMBIGUOUS',
          `The data after (${identifier}) may be one element or several, because the scanner dropped the separator (FNC1). Set the scanner to send it as GS`,
        );
        return;
      }
      const value = data.slice(0, element.length);
      reader.element(identifier, value);
      rest = data.slice(value.length);
    }
  }
}

function elementAt(text: string): { identifier: string; element: Element } | undefined {
  const two = text.slice(0, 2);
  const known = FIXED[two] ?? VARIABLE[two];
  if (known !== undefined) return { identifier: two, element: known };
  for (const [prefix, element] of FIXED_LONGER) {
    const identifier = prefix.exec(text)?.[0];
    if (identifier !== undefined) return { identifier, element };
  }
  return undefined;
}

/** Whether the data of an element of variable length can also be a shorter value, followed by further elements. */
function mayHideElements(data: string, used: ReadonlySet<string>): boolean {
  // The search goes from the end to the beginning. `begins` collects each place from which the data can be split into
  // elements. Data that is longer than any code must be several elements.
  if (data.length > LONGEST_CODE) return true;
  const begins = new Set<number>([data.length]);
  for (let at = data.length - 3; at >= 1; at -= 1) {
    const found = elementAt(data.slice(at));
    if (found === undefined || used.has(found.identifier)) continue;
    const { identifier, element } = found;
    const from = at + identifier.length;
    const ends =
      element.length !== undefined
        ? [from + element.length]
        : Array.from({ length: element.most! }, (_, index) => from + index + 1);
    if (ends.some((end) => begins.has(end) && isPossible(element, data.slice(from, end)))) begins.add(at);
  }
  return begins.size > 1;
}

/** Number of characters of the longest GS1 code (longer DataMatrix and QR codes contain only links). */
const LONGEST_CODE = 128;

/** Whether form, check digit and date of the data fit the element. */
function isPossible({ kind, length, isNumeric }: Element, data: string): boolean {
  if ((length !== undefined || isNumeric === true) && !/^\d+$/.test(data)) return false;
  if (kind === 'SSCC' || kind === 'GTIN' || kind === 'CONTENT') return hasCheckDigit(data);
  return kind !== 'EXPIRY' || dateOf(data, 2000) !== undefined;
}

/** Collects the parts and warnings of a code. */
class Reader {
  readonly reads: CodeRead[] = [];
  readonly warnings: CodeWarning[] = [];
  readonly #year: number;

  constructor(year: number) {
    this.#year = year;
  }

  warn(code: CodeWarningKind, description: string): void {
    this.warnings.push({ code, description });
  }

  /** Adds a GTIN or SSCC, with a warning for a wrong check digit. */
  number(kind: 'SSCC' | 'GTIN' | 'CONTENT', digits: string): void {
    this.reads.push({ kind, value: digits });
    if (hasCheckDigit(digits)) return;
    const right = checkDigit(digits.slice(0, -1));
    this.warn(
      'CHECK_DIGIT',
      `The check digit of ${digits} is ${digits.at(-1)!} instead of ${right}; scan the code again`,
    );
  }

  /** Adds an element that the table does not have. `value` is its identifier and data, unchanged. */
  other(value: string): void {
    this.reads.push({ kind: 'OTHER', value });
  }

  element(identifier: string, data: string): void {
    const found = elementAt(identifier);
    const kind = found?.identifier === identifier ? found.element.kind : 'OTHER';
    const value = kind === 'OTHER' ? `${identifier}${data}` : this.#valueOf(kind, identifier, data);
    if (value === undefined || data === '') {
      this.warn('MALFORMED', `(${identifier}) cannot have the value ${JSON.stringify(data.slice(0, 40))}`);
    } else if (kind === 'SSCC' || kind === 'GTIN' || kind === 'CONTENT') {
      this.number(kind, value);
    } else {
      this.reads.push({ kind, value });
    }
  }

  #valueOf(kind: ReadKind, identifier: string, data: string): string | undefined {
    switch (kind) {
      case 'SSCC':
        return /^\d{18}$/.test(data) ? data : undefined;
      case 'GTIN':
      case 'CONTENT':
        // Users and links often leave out the leading zeros.
        return /^(\d{8}|\d{12,14})$/.test(data) ? data.padStart(14, '0') : undefined;
      case 'EXPIRY':
        return dateOf(data, this.#year);
      case 'COUNT':
        return /^\d{1,8}$/.test(data) ? String(Number(data)) : undefined;
      case 'NET_WEIGHT':
        return /^\d{6}$/.test(data) ? withDecimals(data, Number(identifier[3])) : undefined;
      default:
        return data.length <= VARIABLE[identifier]!.most! ? data : undefined;
    }
  }
}

function withDecimals(digits: string, decimals: number): string {
  const whole = digits.slice(0, digits.length - decimals).replace(/^0+(?=\d)/, '');
  return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
}

/** Returns YYMMDD as a date; day 00 means the last day of the month. */
function dateOf(digits: string, now: number): string | undefined {
  if (!/^\d{6}$/.test(digits)) return undefined;
  const [shortYear, month, day] = [0, 2, 4].map((at) => Number(digits.slice(at, at + 2))) as [number, number, number];
  // GS1 General Specifications, 7.12: a two-digit year that would be 51 to 99 years ahead belongs to the previous
  // century. A year that would be 50 to 99 years behind belongs to the next century.
  const ahead = shortYear - (now % 100);
  const century = now - (now % 100) + (ahead >= 51 ? -100 : ahead <= -50 ? 100 : 0);
  const year = century + shortYear;
  if (month < 1 || month > 12) return undefined;
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day > last) return undefined;
  const two = (number: number) => String(number).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day === 0 ? last : day)}`;
}

/** The check digit for the other digits of a GTIN or SSCC. */
export function checkDigit(body: string): string {
  let sum = 0;
  for (let at = 0; at < body.length; at += 1) sum += Number(body[body.length - 1 - at]) * (at % 2 === 0 ? 3 : 1);
  return String((10 - (sum % 10)) % 10);
}

/** Whether the last digit of a GTIN or SSCC is the correct check digit. */
export function hasCheckDigit(digits: string): boolean {
  return /^\d{2,}$/.test(digits) && checkDigit(digits.slice(0, -1)) === digits.at(-1);
}

/** Normalizes a code. A number loses its leading zeros, so that GTINs of 8, 12, 13 and 14 digits are equal. */
export function codeForm(code: string): string {
  const plain = code.trim();
  return /^\d+$/.test(plain) ? plain.replace(/^0+(?=\d)/, '') : plain;
}
