import type { BundleMessages } from '../messages.ts';

export const contact: BundleMessages['desk']['contact'] = {
  title: 'Nachrichten an den Kunden',
  none: 'Noch keine Nachricht.',
  nothing:
    'Zum jetzigen Status passt keine Nachricht. Rufen Sie den Kunden an oder schreiben Sie ihm; die Daten stehen beim Auftrag.',
  cannot: 'Sie dürfen die Nachrichten lesen. Kundenservice, Manager und Mitarbeiter senden sie.',
  act: 'Senden',
  ask: (kind) => `Senden: ${kind}`,
  hint: 'Diesen Text bekommt der Kunde, mit seinem Namen statt der Punkte. Ihr System oder der Mailserver sendet ihn.',
  kinds: {
    READY: 'Abholbereit',
    PARTLY_READY: 'Teilweise abholbereit',
    LATE: 'Es dauert länger',
    REMINDER: 'Erinnerung',
  },
  states: {
    TOLD: 'an Ihr System übergeben, das sie sendet',
    WAITING: 'wartet auf den Versand',
    SENDING: 'wird gesendet',
    SENT: 'per E-Mail gesendet',
    FAILED: 'nicht gesendet',
  },
  failures: {
    NO_ADDRESS: 'der Auftrag hat keine E-Mail-Adresse',
    TOO_LATE: 'zu spät, weil sich der Auftrag geändert hatte oder kein Mailserver verfügbar war',
    REJECTED: 'der Mailserver hat sie abgelehnt; prüfen Sie die E-Mail-Adresse',
    OUTCOME_UNKNOWN: 'ob sie gesendet wurde, ist nicht bekannt',
  },
};
