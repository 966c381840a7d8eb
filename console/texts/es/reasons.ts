import type { Messages } from '../messages.ts';

/** Motivos que tiene todo cliente si no indica otros. */
export const reasons: Messages['reasons'] = {
  IPD: 'Rechazado en la tienda',
  CancelMXOutOfStock: 'No está, agotado',
  CancelMXPickDecline: 'Rechazado al preparar',
  CancelMXCustomerAbandon: 'El cliente no lo recogió',
  CancelMXCreditCustomerRefusal: 'El cliente lo rechazó',
  CancelMXStoreInactivity: 'No se preparó a tiempo',
  CancelInventoryDiscrepancy: 'El stock era incorrecto',
  CancelCustomerInitiated: 'Anulado por el cliente',
  CancelGeneric: 'Otro motivo',
  STSProductReceivedDamagedExterior: 'El paquete llegó dañado',
  STSProductReceivedDamagedInterior: 'Producto dañado dentro del paquete',
  STSPackageNotReceived: 'El paquete no llegó',
  STSProductNotReceived: 'El producto no estaba en el paquete',
  STSWrongProductReceived: 'Había otro producto en el paquete',
};
