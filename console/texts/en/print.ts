/** Printing labels and cards. */
export const print = {
  kind: 'What to print',
  kinds: { place: 'Places', tote: 'Totes', item: 'Items', carton: 'Cartons (SSCC)', commands: 'Command cards' },
  codes: 'Codes, one a line',
  codesHint: 'Each line becomes a label.',
  nothing: 'Enter a code first.',
  tooMany: (max: number) => `At most ${max} labels at once.`,
  wrongSscc: (code: string) => `${code} is no SSCC: it has 18 digits, the last one is its check digit.`,
  wrongCode: (code: string, max: number) => `${code}: at most ${max} letters, digits and signs without accents.`,
  zpl: 'Label printer (ZPL)',
  resolution: 'Resolution of the printer',
  download: 'Save as ZPL',
  paper: 'Paper for documents on this device',
  paperHint: 'Pick lists, packing slips, tickets and receipts are printed on it.',
  papers: { A4: 'A4', LETTER: 'Letter', LABEL: 'Label 100 × 150 mm', RECEIPT: 'Receipt roll 80 mm' },
};
