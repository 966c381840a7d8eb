/** For a file that does not begin with ISA: recognizes the kind of the file by its first bytes, and returns the fix. */

/** Number of bytes that are searched for an ISA after other bytes. */
const SEARCHED = 65_536;
/** Share of control characters above which a file counts as binary. */
const BINARY = 0.1;

const COMPRESSED = 'It is compressed. Uncompress it first.';
const UTF_16 = 'It looks like UTF-16. Save it as plain text: iconv -f UTF-16 -t UTF-8 FILE';
const SIGNED = 'It looks encrypted or signed (PKCS #7). Decrypt it first.';
const HEADERS = 'It looks like a message of AS2, mail or HTTP. Send only the X12 part, without headers.';

/** Beginnings of files of other kinds (one character per byte), and the fix for each kind. */
const KINDS: readonly (readonly [beginning: string | RegExp, fix: string])[] = [
  ['\x1f\x8b', 'It is compressed (gzip). Uncompress it: gunzip FILE'],
  ['PK\x03\x04', 'It is a ZIP archive, or a file of Excel or Word. Send the X12 file in it.'],
  ['BZh', COMPRESSED],
  ['\xfd7zXZ', COMPRESSED],
  ['\x28\xb5\x2f\xfd', COMPRESSED],
  ['%PDF', 'It is a PDF. Send the data as X12.'],
  ['\xff\xfe', UTF_16],
  ['\xfe\xff', UTF_16],
  ['I\0S\0', UTF_16],
  ['\0I\0S', UTF_16],
  ['\xc9\xe2\xc1', 'It looks like EBCDIC. Transfer it as text, or convert it: iconv -f IBM1047 -t UTF-8 FILE'],
  ['-----BEGIN PGP', 'It is encrypted or signed (PGP). Decrypt it first.'],
  ['-----BEGIN', SIGNED],
  [/^0[\x80-\x84]/, SIGNED],
  [/^(?:MIME-Version|Content-[A-Za-z-]+|Received|From|AS2-[A-Za-z]+)\s*:|^HTTP\/\d/i, HEADERS],
  ['SVNB', 'It is Base64. Decode it: base64 -d FILE'],
  [/^UN[AB]/, 'It looks like EDIFACT, which this program does not read. Send X12.'],
  ['STX=', 'It looks like TRADACOMS, which this program does not read. Send X12.'],
  [
    /^<(?:!doctype html|html)/i,
    'It is an HTML page, such as the error page of a gateway. Open it to see what it says.',
  ],
  ['<', 'It looks like XML. Send X12.'],
  [/^[[{]/, 'It looks like JSON. Send X12.'],
  [/^["']/, 'It begins with a quotation mark. Send the X12 without quotes.'],
  [/^(?:GS|ST)[^A-Za-z0-9\s]/, 'Its ISA segment is missing. Send the file with its envelope, from ISA to IEA.'],
  [/^isa[^A-Za-z0-9\s]/i, 'Write the ids of segments in capital letters: ISA.'],
];

/**
 * Returns the fix for a file (one character per byte) that does not begin with ISA; undefined if its kind is unknown.
 */
export function fixOfKind(bytes: string): string | undefined {
  const start = bytes.slice(0, SEARCHED);
  if (start === '') return 'Check that the program that writes the file has closed it.';
  const kind = KINDS.find(([beginning]) =>
    typeof beginning === 'string' ? start.startsWith(beginning) : beginning.test(start),
  );
  if (kind !== undefined) return kind[1];
  const isa = start.search(/ISA([^A-Za-z0-9\s])..\1/);
  if (isa !== -1) return `Leave out the ${isa} bytes before the ISA segment.`;
  const controls = Array.from(start).filter((character) => character < ' ' && !/\s/.test(character)).length;
  return controls > start.length * BINARY
    ? 'It looks like binary data, perhaps encrypted. Send plain text.'
    : undefined;
}
