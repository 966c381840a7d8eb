/** What of ZPL is printed for callers: a label, and nothing that sets up the printer or is kept in it. */

/** Commands of the format of a label. `^A0` to `^AZ` are fonts, `^B0` to `^BZ` bars; the printer's own settings begin otherwise. */
const ALLOWED =
  /^\^(?:XA|XZ|FO|FT|FD|FS|FH|FB|FR|FN|FV|FW|FX|CF|CI|BY|GB|GC|GD|GE|GF|GS|PW|LL|LH|LT|LR|LS|PQ|PO|PM|A[0-9A-Z@]|B[0-9A-Z])/;

/** What is wrong with a print job; undefined: nothing. */
export function zplFault(zpl: string): string | undefined {
  if (!/^\s*\^XA/.test(zpl) || !/\^XZ\s*$/.test(zpl)) {
    return 'must be labels of ZPL, each from ^XA to ^XZ';
  }
  for (const { 0: sign, index } of zpl.matchAll(/[\^~]/g)) {
    const command = zpl.slice(index, index + 3);
    if (sign === '~' || !ALLOWED.test(command)) {
      return `has ${JSON.stringify(command)}; labels are printed, nothing else: leave it out, and write ^ and ~ in texts as _5E and _7E after ^FH`;
    }
  }
  return undefined;
}
