/** German texts for items, search and one item. */
export const items = {
  search: 'Wörter oder Code',
  none: 'Kein Artikel gefunden',
  noneHint: 'Suchen Sie mit weniger Wörtern oder scannen Sie den Code.',
  noneYet: 'Noch kein Artikel',
  noneYetHint: 'Artikel kommen aus Ihren Systemen oder aus einer Datei unter Importe im Büro.',
  several: 'Mehrere Artikel haben diesen Code. Welcher ist es?',
};

export const item = {
  title: 'Artikel',
  liesHere: 'liegt hier',
  noPlace: 'kein Platz',
  blocked: 'An diesem Standort nicht angeboten',
  blockedSince: (reason: string, at: string) => `${reason}, seit ${at}`,
  free: 'Freigeben',
  sku: 'SKU',
  brand: 'Marke',
  color: 'Farbe',
  size: 'Größe',
  type: 'Art',
  onHand: 'Gemeldeter Bestand',
  streetDate: 'Verkaufsstart',
  hazard: 'Gefahrgut',
  codes: 'Codes',
  noCodes: 'Kein Code vorhanden. Suchen Sie den Artikel über seine Nummer.',
  parts: 'Besteht aus',
};
