/** Limits ZPL to label commands. Commands that configure the printer or store data in it are rejected. */

/**
 * The allowed label commands. `^A0` to `^AZ` are fonts, `^B0` to `^BZ` bar codes. Commands for settings of the printer
 * begin with other letters.
 */
const ALLOWED =
  /^\^(?:XA|XZ|FO|FT|FD|FS|FH|FB|FR|FN|FV|FW|FX|CF|CI|BY|GB|GC|GD|GE|GF|GS|PW|LL|LH|LT|LR|LS|PQ|PO|PM|A[0-9A-Z@]|B[0-9A-Z])/;

/** Returns the error of a print job, or undefined. */
export function zplError(zpl: string): string | undefined {
  if (!/^\s*\^XA/.test(zpl) || !/\^XZ\s*$/.test(zpl)) {
    return 'must be labels of ZPL, each from ^XA to ^XZ';
  }
  for (const { 0: sign, index } of zpl.matchAll(/[\^~]/g)) {
    const command = zpl.slice(index, index + 3);
    if (sign === '~' || !ALLOWED.test(command)) {
      return `has ${JSON.stringify(command)}, which is no label command; remove it, and write ^ and ~ in texts as _5E and _7E after ^FH`;
    }
  }
  return undefined;
}
