/** Ausnahmen eines Standorts. */
const plural = new Intl.PluralRules('de');
const count = (n: number, one: string, many: string) => `${n} ${plural.select(n) === 'one' ? one : many}`;

export const exceptions = {
  tabs: { late: 'Überfällig', requests: 'Neuzuteilung', holds: 'Gesperrt' },
  noneLate: 'Nichts ist überfällig',
  noneLateHint: 'Hier erscheinen Aufträge, deren Schritt überfällig ist oder es bald wird.',
  noneRequests: 'Keine offene Neuzuteilung',
  noneRequestsHint: 'Hier erscheint, was diese Filiale abgelehnt hat, bis ein anderer Standort es übernimmt.',
  noneHolds: 'Kein Artikel ist gesperrt',
  noneHoldsHint: 'Ein Artikel, der als nicht gefunden abgelehnt wurde, ist gesperrt, bis wieder Bestand bekannt ist.',
  chosen: (n: number) => `${count(n, 'Auftrag', 'Aufträge')} gewählt`,
  decline: 'Ablehnen',
  declineTitle: (n: number) => `${count(n, 'Auftrag', 'Aufträge')} ablehnen?`,
  declineHint:
    'Nur Aufträge, deren Kommissionierung noch nicht begonnen hat. Das Auftragssystem entscheidet, welcher Standort sie stattdessen übernimmt.',
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
  alerts: {
    START_PICK_APPROACHING: 'Kommissionierung bald beginnen',
    START_PICK_EXPIRED: 'Kommissionierung nicht begonnen',
    COMPLETE_PICK_APPROACHING: 'Kommissionierung bald abschließen',
    COMPLETE_PICK_EXPIRED: 'Kommissionierung nicht abgeschlossen',
    PACK_APPROACHING: 'Bald verpacken',
    PACK_EXPIRED: 'Nicht verpackt',
    CHECK_IN_APPROACHING: 'Check-in bald fällig',
    CHECK_IN_EXPIRED: 'Kein Check-in',
    CUSTOMER_PICKUP_APPROACHING: 'Noch nicht abgeholt, Frist endet bald',
    CUSTOMER_PICKUP_EXPIRED: 'Nicht abgeholt',
    DELIVERY_APPROACHING: 'Bald zustellen',
    DELIVERY_EXPIRED: 'Nicht zugestellt',
    REVERSE_PICK_APPROACHING: 'Bald zurückräumen',
    REVERSE_PICK_EXPIRED: 'Nicht zurückgeräumt',
  } as Record<string, string>,
};
