/** Limits ZPL to label commands. Commands that configure the printer or store data in it are rejected. */

import type { Sentence } from '../platform/message/sentence.ts';
import { quote } from '../platform/message/words.ts';
import { say } from './sentences.ts';

/**
 * The allowed label commands. `^A0` to `^AZ` are fonts, `^B0` to `^BZ` bar codes. No command for settings of the
 * printer begins with `^A` or `^B`.
 */
const ALLOWED =
  /^\^(?:XA|XZ|FO|FT|FD|FS|FH|FB|FR|FN|FV|FW|FX|CF|CI|BY|GB|GC|GD|GE|GF|GS|PW|LL|LH|LT|LR|LS|PQ|PO|PM|A[0-9A-Z@]|B[0-9A-Z])/;

/** Maximum number of copies of one label. */
const COPIES_MAX = 500;

/** Returns the error of a print job, or undefined. */
export function zplError(zpl: string): Sentence | undefined {
  if (!/^\s*\^XA/.test(zpl) || !/\^XZ\s*$/.test(zpl)) {
    return say('zpl must consist of ZPL labels, each from ^XA to ^XZ');
  }
  for (const { 0: sign, index } of zpl.matchAll(/[\^~]/g)) {
    const command = zpl.slice(index, index + 3);
    if (sign === '~' || !ALLOWED.test(command)) {
      return say(
        'the command {command} in `zpl` is not for labels; remove it. If it is part of a text, put ^FH before the text and write ^ as _5E and ~ as _7E',
        { command: JSON.stringify(command) },
      );
    }
  }
  // The address can belong to another service, which would read a line of text as a command of its protocol. So each line
  // with text must begin with `^`.
  const isText = (line: string) => !/^ *(?:\^|$)/.test(line);
  if (/(?![\r\n])\p{Cc}/u.test(zpl) || zpl.split(/[\r\n]/).some(isText)) {
    return say(
      'zpl has a line end or another control character in a text; put line ends only before ^, and write a control character in a text as _ and its two hexadecimal digits after ^FH, such as _0D for a carriage return',
    );
  }
  for (const [, copies = ''] of zpl.matchAll(/\^PQ\s*([^,^]*)/g)) {
    const count = copies.trim();
    if (count !== '' && !(/^\d{1,3}$/.test(count) && Number(count) <= COPIES_MAX)) {
      return say('zpl has ^PQ with {count}; print at most {copiesMax} copies of a label', {
        count: quote(count),
        copiesMax: COPIES_MAX,
      });
    }
  }
  return undefined;
}
