/** German texts for printing labels and cards. */
export const print = {
  kind: 'Was gedruckt wird',
  kinds: { place: 'Plätze', tote: 'Behälter', item: 'Artikel', carton: 'Kartons (SSCC)', commands: 'Befehlskarten' },
  codes: 'Codes, einer je Zeile',
  codesHint: 'Jede Zeile wird ein Etikett.',
  nothing: 'Geben Sie zuerst einen Code ein.',
  tooMany: (max: number) => `Höchstens ${max} Etiketten auf einmal.`,
  wrongSscc: (code: string) => `${code} ist keine SSCC: Sie hat 18 Ziffern, die letzte ist die Prüfziffer.`,
  wrongCode: (code: string, max: number) =>
    `${code}: höchstens ${max} Buchstaben, Ziffern und Zeichen ohne Umlaute und Akzente.`,
  zpl: 'Etikettendrucker (ZPL)',
  printer: 'Etikettendrucker',
  printOn: 'Auf diesem Drucker drucken',
  sent: 'An den Drucker gesendet',
  resolution: 'Auflösung des Druckers',
  download: 'Als ZPL speichern',
  paper: 'Papier für Belege auf diesem Gerät',
  paperHint: 'Picklisten, Lieferscheine, Abholscheine und Belege werden darauf gedruckt.',
  papers: { A4: 'A4', LETTER: 'Letter', LABEL: 'Etikett 100 × 150 mm', RECEIPT: 'Bonrolle 80 mm' },
};
