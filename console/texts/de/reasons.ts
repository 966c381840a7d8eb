import type { Messages } from '../messages.ts';

/** German: the default reasons of a client. */
export const reasons: Messages['reasons'] = {
  IPD: 'In der Filiale abgelehnt',
  CancelMXOutOfStock: 'Nicht da, ausverkauft',
  CancelMXPickDecline: 'Beim Picken abgelehnt',
  CancelMXCustomerAbandon: 'Vom Kunden nicht abgeholt',
  CancelMXCreditCustomerRefusal: 'Vom Kunden abgelehnt',
  CancelMXStoreInactivity: 'Nicht rechtzeitig bearbeitet',
  CancelInventoryDiscrepancy: 'Bestand war falsch',
  CancelCustomerInitiated: 'Vom Kunden storniert',
  CancelGeneric: 'Anderer Grund',
  STSProductReceivedDamagedExterior: 'Paket beschädigt angekommen',
  STSProductReceivedDamagedInterior: 'Ware im Paket beschädigt',
  STSPackageNotReceived: 'Paket nicht angekommen',
  STSProductNotReceived: 'Ware war nicht im Paket',
  STSWrongProductReceived: 'Andere Ware war im Paket',
};

/** German: the reasons as stores call them, by step. */
export const stepReasons: Messages['stepReasons'] = {
  pick: {
    CancelMXOutOfStock: 'Nicht im Regal',
    CancelInventoryDiscrepancy: 'Weniger da, als das System sagt',
    CancelMXPickDecline: 'Kaputt oder schmutzig',
    CancelGeneric: 'Anderer Grund',
  },
  pack: {
    IPD: 'Kaputt',
    CancelMXOutOfStock: 'Fehlt',
    CancelInventoryDiscrepancy: 'Falscher Artikel geholt',
    CancelGeneric: 'Anderer Grund',
  },
  checkIn: {
    STSProductReceivedDamagedInterior: 'Ware in der Verpackung beschädigt',
    STSProductReceivedDamagedExterior: 'Paket beschädigt angekommen',
    STSWrongProductReceived: 'Anderer Artikel im Paket',
    STSProductNotReceived: 'Artikel war nicht im Paket',
    STSPackageNotReceived: 'Paket ist nicht angekommen',
  },
  refuse: {
    CancelMXCreditCustomerRefusal: 'Gefällt dem Kunden nicht',
    IPD: 'Beschädigt',
    CancelCustomerInitiated: 'Der Kunde braucht es nicht mehr',
    CancelGeneric: 'Anderer Grund',
  },
};
