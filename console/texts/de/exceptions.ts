/** German: exceptions of a node. */
const plural = new Intl.PluralRules('de');
const count = (n: number, one: string, many: string) => `${n} ${plural.select(n) === 'one' ? one : many}`;

export const exceptions = {
  tabs: { orders: 'Aufträge', held: 'Gesperrte Ware', requests: 'Neu zuteilen', holds: 'Gesperrte Artikel' },
  groups: {
    PICK: 'Jetzt picken',
    IN_WORK: 'In Arbeit',
    PACK: 'Verpacken',
    CHECK_IN: 'Check-in',
    DELIVER: 'Zustellen',
    BRING_BACK: 'Zurückräumen',
    PIN: 'PIN gesperrt',
    SOON: 'Bald fällig',
    COLLECT: 'Kunden anrufen',
  },
  groupHints: {
    PICK: 'Noch nicht begonnen. Picken, jemandem geben oder ablehnen.',
    IN_WORK: 'Begonnen, aber verspätet. Nachfragen, übernehmen oder weitergeben.',
    PACK: 'Die Ware wartet am Packtisch.',
    CHECK_IN: 'Die Kartons sind da oder sollten es sein.',
    DELIVER: 'Ware, die auf die Zustellung wartet.',
    BRING_BACK: 'Ware, die zurück ins Regal gehört.',
    PIN: 'Zu viele falsche PINs. Prüfen, wer da ist, dann entsperren.',
    SOON: 'Pünktlich, wenn es in 15 Minuten erledigt ist.',
    COLLECT: 'Bereit, aber nicht rechtzeitig abgeholt.',
  },
  pickNow: 'Jetzt picken',
  giveTo: 'Geben an …',
  giveTitle: (what: string) => `${what} geben an`,
  isFree: 'hat gerade nichts',
  noPeople: 'Sonst arbeitet hier niemand',
  noPeopleHint: 'Die Filialleitung legt Personen unter „Personen“ an.',
  takeOver: 'Übernehmen',
  unlock: 'PIN entsperren',
  bringBack: 'Zurückräumen',
  call: (phone: string) => `${phone} anrufen`,
  showAll: (n: number) => `Alle ${n} zeigen`,
  notDeclined: 'Jemand war schneller: Der Auftrag ist schon gepickt oder storniert.',
  noneLate: 'Nichts ist überfällig',
  noneLateHint: 'Hier ist nichts zu tun. Hier erscheinen Aufträge, die überfällig oder in 15 Minuten fällig sind.',
  noneHeld: 'Nichts ist gesperrt',
  noneHeldHint:
    'Hier ist nichts zu tun. Hier steht Ware, die zu viel, unangekündigt oder zweifelhaft ist, bis die Leitung entscheidet.',
  heldHint: 'Gut, beschädigt oder zurück an den Fahrer: erst entscheiden, dann lässt sich die Lieferung abschließen.',
  noneRequests: 'Keine offene Neuzuteilung',
  noneRequestsHint:
    'Hier ist nichts zu tun. Hier erscheint, was diese Filiale abgelehnt hat, bis ein anderer Standort es übernimmt.',
  noneHolds: 'Kein Artikel ist gesperrt',
  noneHoldsHint:
    'Hier ist nichts zu tun. Ein Artikel, der als nicht gefunden abgelehnt wurde, ist gesperrt, bis wieder Bestand bekannt ist.',
  chosen: (n: number) => `${count(n, 'Auftrag', 'Aufträge')} gewählt`,
  decline: 'Ablehnen',
  declineTitle: (n: number) => `${count(n, 'Auftrag', 'Aufträge')} ablehnen?`,
  declineHint:
    'Nur Aufträge, die noch niemand zu picken begonnen hat. Das Auftragssystem entscheidet, welcher Standort sie stattdessen übernimmt.',
  declined: (n: number) => `${count(n, 'Auftrag', 'Aufträge')} abgelehnt`,
  reason: 'Grund',
  reasons: {
    CancelMXOutOfStock: 'Ausverkauft',
    CancelInventoryDiscrepancy: 'Bestand war falsch',
    CancelMXPickDecline: 'Nicht rechtzeitig zu schaffen',
    CancelGeneric: 'Anderer Grund',
  },
  requestHint:
    'Das Auftragssystem antwortet mit einem anderen Standort. Wenn niemand die Ware liefern kann, stornieren Sie sie hier.',
  nobody: 'Niemand kann liefern',
  free: 'Freigeben',
};
