/** Files of other kinds that partners send by mistake, and the advice in the finding. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readBody } from '../../src/platform/x12/tokens.ts';
import { fileOf } from './support.ts';

/** Returns the bytes of a file as another program writes them. */
const bytesOf = (text: string, encoding: BufferEncoding = 'latin1') => Buffer.from(text, encoding);
const EBCDIC_START = Buffer.from('c9e2c15cf0f05c40404040404040404040', 'hex');

it.each([
  ['EDIFACT', bytesOf('UNB+UNOA:1+A+B'), 'EDIFACT'],
  ['XML', bytesOf('<Order/>'), 'XML'],
  ['an HTML page', bytesOf('<!DOCTYPE html><html><title>502 Bad Gateway</title>'), 'error page of a gateway'],
  ['UTF-16 without a mark', bytesOf(fileOf(), 'utf16le'), 'UTF-16'],
  ['UTF-16 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), bytesOf(fileOf(), 'utf16le')]), 'iconv -f UTF-16'],
  ['JSON', bytesOf('[1]'), 'JSON'],
  ['a file in quotes', bytesOf(JSON.stringify(fileOf())), 'quotation mark'],
  ['a file without ISA', bytesOf('GS*SH*A*B~'), 'Its ISA segment is missing'],
  ['a cut ISA', bytesOf('ISA*00*'), '16 elements'],
  ['a file that is compressed', gzipSync(fileOf()), 'gunzip FILE'],
  ['a ZIP archive', bytesOf('PK\x03\x04\x14\0'), 'ZIP'],
  ['bzip2', bytesOf('BZh91AY'), 'Uncompress it first'],
  ['xz', bytesOf('\xfd7zXZ\0'), 'Uncompress it first'],
  ['Zstandard', bytesOf('\x28\xb5\x2f\xfd'), 'Uncompress it first'],
  ['PDF', bytesOf('%PDF-1.7'), 'PDF'],
  ['UTF-16 of the other order', bytesOf(fileOf(), 'utf16le').swap16(), 'UTF-16'],
  ['UTF-16 of the other order with a mark', bytesOf(`\ufeff${fileOf()}`, 'utf16le').swap16(), 'UTF-16'],
  ['a certificate', bytesOf('-----BEGIN CERTIFICATE-----'), 'PKCS #7'],
  ['a response of HTTP', bytesOf('HTTP/1.1 200 OK\r\n'), 'without headers'],
  ['TRADACOMS', bytesOf('STX=ANA:1'), 'TRADACOMS'],
  ['EBCDIC', EBCDIC_START, 'iconv -f IBM1047'],
  ['Base64', bytesOf(Buffer.from(fileOf()).toString('base64')), 'base64 -d FILE'],
  ['PGP', bytesOf('-----BEGIN PGP MESSAGE-----\n'), 'PGP'],
  ['PKCS #7', bytesOf('0\x82\x05\xd2\x06\x09'), 'PKCS #7'],
  [
    'a message of AS2',
    bytesOf(`AS2-From: A\r\nContent-Type: application/edi-x12\r\n\r\n${fileOf()}`),
    'without headers',
  ],
  ['small letters', bytesOf(fileOf().toLowerCase()), 'capital letters'],
  ['X12 behind other bytes', bytesOf(`Sent by FTP\n${fileOf()}`), 'Leave out the 12 bytes before the ISA segment'],
  ['binary data', Buffer.from(Array.from({ length: 200 }, (_, at) => (at * 7) % 256 || 1)), 'binary data'],
  ['plain words', bytesOf('Hello'), 'Begin the file with an ISA segment'],
  ['nothing', bytesOf(''), 'The file is empty. Check that the program that writes the file has closed it.'],
  ['only white space', bytesOf(' \r\n'), 'The file is empty. Check that the program'],
  [
    'words of other kinds in the middle',
    bytesOf('See UNB, <html> and 0\x82: From: no one'),
    'Begin the file with an ISA segment',
  ],
  ['words with many blanks', bytesOf('a b c d e f g h'), 'Begin the file with an ISA segment'],
  ['a header of several words', bytesOf('Content-Length: 5'), 'without headers'],
  ['one control character of ten', bytesOf('\x01bcdefghij'), 'Begin the file with an ISA segment'],
])('%s: the fix says what it is and what to do', async (_, content, hint) => {
  const body = await readBody(content);
  if (!('noEnvelope' in body)) throw new Error('an envelope was found');
  expect(`${body.noEnvelope.message}. ${body.noEnvelope.cure}`).toContain(hint);
});
