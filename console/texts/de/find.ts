/** Irgendetwas scannen oder suchen. */
export const find = {
  title: 'Suchen',
  startTitle: 'Scannen oder tippen',
  startHint:
    'Ein Auftrag, ein Kommissionierschein, ein Karton, eine Sendungsnummer, ein Platz oder der Code eines Artikels.',
  nothing: (code: string) => `Nichts gefunden zu „${code}“`,
  nothingHint: 'Prüfen Sie den Code. Er gehört vielleicht zu einer anderen Filiale oder ist nicht angekündigt.',
  reads: 'Der Code enthält',
  kinds: {
    CARTON: 'Karton',
    SHIPMENT: 'Lieferung',
    ITEM: 'Artikel',
    ORDER: 'Auftrag',
    TICKET: 'Kommissionierschein',
    PACKAGE: 'Paket',
    PLACE: 'Platz',
  },
  warnings: {
    CHECK_DIGIT: 'Die Prüfziffer ist falsch',
    AMBIGUOUS: 'Der Code ist nicht eindeutig lesbar',
    MALFORMED: 'Der Code ist unvollständig',
    DUPLICATE_CARTON: 'Dieser Karton ist doppelt angekündigt',
    ELSEWHERE: 'Gehört zu einem anderen Standort',
    TOO_MANY: 'Es gibt mehr Treffer als angezeigt',
  } as Record<string, string>,
  readKinds: {
    SSCC: 'Kartonnummer (SSCC)',
    GTIN: 'Artikelnummer (GTIN)',
    CONTENT: 'Inhalt (GTIN)',
    LOT: 'Charge',
    EXPIRY: 'Haltbar bis',
    SERIAL: 'Seriennummer',
    COUNT: 'Stück',
    NET_WEIGHT: 'Nettogewicht',
  } as Record<string, string>,
};
