/** German texts for EDI findings by their codes. */
import type { FindingWords } from '../messages.ts';

export const findings: FindingWords = {
  NO_ENVELOPE: ['Die Datei ist nicht X12', 'Beginnen Sie die Datei mit einem ISA-Segment mit 16 Elementen.'],
  ISA_WIDTH: [
    'Ein Element des ISA hat die falsche Breite',
    'Füllen Sie jedes Element des ISA auf seine feste Breite auf.',
  ],
  DELIMITER: [
    'Ein Trennzeichen ist nicht brauchbar',
    'Nehmen Sie vier verschiedene Trennzeichen, die weder Buchstabe noch Ziffer noch Leerzeichen sind.',
  ],
  CUT: ['Die Datei ist abgeschnitten', 'Senden Sie die ganze Datei noch einmal, mit SE, GE und IEA am Ende.'],
  NUMBER_DIFFERS: [
    'Die Kontrollnummern am Anfang und am Ende sind verschieden',
    'Schreiben Sie dieselbe Kontrollnummer an den Anfang und an das Ende.',
  ],
  COUNT_DIFFERS: ['Eine Anzahl ist falsch', 'Zählen Sie neu; ist die Anzahl richtig, ging etwas verloren.'],
  NUMBER_REPEATED: ['Die Kontrollnummer wurde schon benutzt', 'Benutzen Sie jede Kontrollnummer nur einmal.'],
  TRAILING_BYTES: ['Hinter dem IEA stehen noch Zeichen', 'Beenden Sie die Datei nach dem IEA-Segment.'],
  UNKNOWN_SET: [
    'Diese Art von Nachricht ist nicht vereinbart',
    'Senden Sie nur die vereinbarten Arten von Nachrichten.',
  ],
  WRONG_GROUP: [
    'Die Nachricht ist in der falschen Gruppe',
    'Legen Sie jede Nachricht in eine Gruppe ihrer Art: 856 in SH, 850 in PO, 860 in PC.',
  ],
  VERSION: ['Diese Version ist nicht vereinbart', 'Senden Sie in GS08 eine der vereinbarten Versionen.'],
  UNKNOWN_SEGMENT: [
    'Dieses Segment gibt es in der Nachricht nicht',
    'Lassen Sie das Segment weg, und prüfen Sie seine Kennung.',
  ],
  UNEXPECTED_SEGMENT: [
    'Das Segment steht an der falschen Stelle',
    'Setzen Sie das Segment an seinen Platz, oder ergänzen Sie das Segment, zu dem es gehört.',
  ],
  MISSING_SEGMENT: ['Ein Segment fehlt', 'Ergänzen Sie das Segment.'],
  TOO_MANY: [
    'Ein Segment oder Element ist zu viel',
    'Senden Sie es nur so oft wie erlaubt; lassen Sie überzählige Elemente weg.',
  ],
  MISSING_ELEMENT: ['Ein Element fehlt', 'Füllen Sie das Element aus.'],
  TOO_SHORT: ['Der Wert ist zu kurz', 'Senden Sie mindestens die kleinste Länge.'],
  TOO_LONG: ['Der Wert ist zu lang', 'Senden Sie höchstens die größte Länge.'],
  CHARACTER: [
    'Ein Zeichen ist nicht erlaubt',
    'Senden Sie nur erlaubte Zeichen, in Zahlen nur Ziffern und einen Dezimalpunkt. Beenden Sie jedes Segment mit seinem Trennzeichen.',
  ],
  CODE: ['Der Code ist nicht erlaubt', 'Senden Sie einen der erlaubten Codes.'],
  DATE: ['Das Datum ist ungültig', 'Senden Sie ein Datum des Kalenders als JJJJMMTT.'],
  TIME: ['Die Uhrzeit ist ungültig', 'Senden Sie die Uhrzeit als HHMM oder HHMMSS.'],
  HL_PARENT: ['HL02 nennt keine frühere Ebene', 'Nennen Sie in HL02 die HL01 einer früheren, höheren Ebene.'],
  HL_LEVEL: ['Die Ebene in HL03 ist unbekannt', 'Benutzen Sie die Ebenen S, O, T, P und I.'],
  HL_REPEATED: ['Zwei HL haben dieselbe Nummer', 'Nummerieren Sie die HL-Segmente mit 1, 2, 3 und so weiter.'],
  HASH_TOTAL: ['Die Summe in CTT ist falsch', 'Zählen Sie neu; ist die Summe richtig, ging etwas verloren.'],
  CHECK_DIGIT: ['Die Prüfziffer ist falsch', 'Berichtigen Sie die Nummer; ihre letzte Ziffer ist eine Prüfziffer.'],
  NO_PARTNER: [
    'Kein Partner hat diese Kennungen, oder ein anderer Partner hat die Datei gesendet',
    'Gibt es den Partner noch nicht, legen Sie ihn an, und verarbeiten Sie die Datei noch einmal. Sonst klären Sie, wer sie gesendet hat.',
  ],
  NO_ITEM_ID: ['Die Zeile nennt keinen Artikel', 'Senden Sie eine Artikelnummer mit einem vereinbarten Qualifier.'],
  ITEM_NOT_FOUND: [
    'Diesen Artikel gibt es nicht',
    'Berichtigen Sie die Artikelnummer, oder nehmen Sie den Artikel in den Katalog auf.',
  ],
  AMBIGUOUS_ITEM: [
    'Mehrere Artikel haben diesen Barcode',
    'Senden Sie eine Nummer, die nur ein Artikel des Katalogs hat.',
  ],
  UNIT: ['Diese Einheit ist nicht vereinbart', 'Senden Sie Stück (EA) oder eine Einheit mit vereinbarter Stückzahl.'],
  FRACTION: ['Die Menge ist keine ganze Stückzahl', 'Senden Sie eine Menge, die ganze Stücke ergibt.'],
  QUANTITY: [
    'Die Menge ist ungültig',
    'Senden Sie eine Menge von 1 bis 99.999 Stück; die Mengen der Filialen müssen sie ergeben.',
  ],
  PRICE_BASIS: [
    'Die Basis des Preises ist keine Stückzahl; der Preis gilt für eine Einheit der Zeile',
    'Prüfen Sie die Kosten. Bitten Sie den Partner, den Preis eines Stücks mit der Basis PE zu senden.',
  ],
  STORE_NOT_FOUND: ['Diesen Webshop gibt es nicht', 'Berichtigen Sie den Ort im Profil des Partners.'],
  WAREHOUSE_NOT_FOUND: ['Dieses Lager gibt es nicht', 'Berichtigen Sie den Ort im Profil des Partners.'],
  NO_LOCATION: [
    'Der Empfangsort ist nicht vereinbart',
    'Senden Sie ein N1 mit dem vereinbarten Code des Empfangsorts, oder ergänzen Sie ihn im Profil.',
  ],
  ORDER_NOT_FOUND: [
    'Diese Bestellung gibt es nicht',
    'Berichtigen Sie die Nummer, oder senden Sie die Bestellung als 850 mit Zweck 00.',
  ],
  NUMBER_TAKEN: [
    'Die Nummer hat schon einen anderen Inhalt',
    'Nehmen Sie eine andere Nummer, oder stornieren Sie die erste.',
  ],
  NO_COST: [
    'Der Einstandspreis fehlt',
    'Senden Sie den Preis in der Bestellung, oder vereinbaren Sie einen Preis im Profil.',
  ],
  NO_TRAILER: [
    'Der Anhänger fehlt',
    'Senden Sie den Anhänger in TD303 oder den Frachtbrief in REF BM, oder ergänzen Sie ihn im Profil.',
  ],
  NO_DATE: ['Der Tag der Ankunft fehlt', 'Senden Sie den Tag der Lieferung in einem DTM mit vereinbartem Qualifier.'],
  NO_CARTON: [
    'Der Karton fehlt oder ist unklar',
    'Senden Sie die Nummer des Kartons in MAN, ein Pack für jede Position.',
  ],
  NUMBER_LENGTH: ['Die Nummer passt nicht', 'Nehmen Sie eine Nummer mit höchstens 15 Zeichen.'],
  PURPOSE: ['Der Zweck passt nicht', 'Senden Sie den passenden Zweck: 00 neu, 05 Ersatz, 01 Storno.'],
  BEGUN: ['Es wurde schon Ware angenommen', 'Lassen Sie es, wie es ist: Ware wurde schon angenommen.'],
  SUPERSEDED: [
    'Eine spätere Nachricht des Partners gilt',
    'Senden Sie die Nachricht unter neuer Kontrollnummer noch einmal, falls sie noch stimmt.',
  ],
  TOO_MANY_LINES: ['Die Nachricht hat zu viele Zeilen', 'Senden Sie höchstens 20.000 Zeilen in einer Nachricht.'],
  CARTON_ALREADY_ANNOUNCED: ['Der Karton ist schon angekündigt', 'Geben Sie jedem Karton eine eigene Nummer.'],
  INVALID_VALUE: ['Der Wert kann nicht gespeichert werden', 'Senden Sie einen Wert, den der Empfänger speichern kann.'],
  NUMBER_KNOWN: [
    'Die Nummer ist mit demselben Inhalt bekannt',
    'Senden Sie jede Nummer einmal; nichts wurde geändert.',
  ],
  ACK_UNKNOWN: [
    'Bestätigt wird etwas, das nicht gesendet wurde',
    'Bestätigen Sie, was Ihnen gesendet wurde, mit dessen Kontrollnummern.',
  ],
};
