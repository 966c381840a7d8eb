import type { Messages } from '../messages.ts';

/** Gründe, die jeder Mandant hat, wenn er nichts anderes sagt. */
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
