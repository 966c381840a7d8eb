import type { Messages } from '../messages.ts';

/** Spanish: the default reasons of a client. */
export const reasons: Messages['reasons'] = {
  IPD: 'Rechazado en la tienda',
  CancelMXOutOfStock: 'No está, agotado',
  CancelMXPickDecline: 'Rechazado al preparar',
  CancelMXCustomerAbandon: 'El cliente no lo recogió',
  CancelMXCreditCustomerRefusal: 'El cliente lo rechazó',
  CancelMXStoreInactivity: 'No se preparó a tiempo',
  CancelInventoryDiscrepancy: 'Existencias incorrectas',
  CancelCustomerInitiated: 'Anulado por el cliente',
  CancelGeneric: 'Otro motivo',
  STSProductReceivedDamagedExterior: 'El paquete llegó dañado',
  STSProductReceivedDamagedInterior: 'Producto dañado dentro del paquete',
  STSPackageNotReceived: 'El paquete no llegó',
  STSProductNotReceived: 'El producto no estaba en el paquete',
  STSWrongProductReceived: 'Había otro producto en el paquete',
};

/** Spanish: names of the reasons in the words of stores, by the step of the work. */
export const stepReasons: Messages['stepReasons'] = {
  pick: {
    CancelMXOutOfStock: 'No está en el estante',
    CancelInventoryDiscrepancy: 'Hay menos de lo que dice el sistema',
    CancelMXPickDecline: 'Roto o sucio',
    CancelGeneric: 'Otro motivo',
  },
  pack: {
    IPD: 'Roto',
    CancelMXOutOfStock: 'Falta',
    CancelInventoryDiscrepancy: 'Se recogió otro artículo',
    CancelGeneric: 'Otro motivo',
  },
  checkIn: {
    STSProductReceivedDamagedInterior: 'Producto dañado dentro del paquete',
    STSProductReceivedDamagedExterior: 'El paquete llegó dañado',
    STSWrongProductReceived: 'Había otro producto en el paquete',
    STSProductNotReceived: 'El producto no estaba en el paquete',
    STSPackageNotReceived: 'El paquete no llegó',
  },
  refuse: {
    CancelMXCreditCustomerRefusal: 'No le gusta al cliente',
    IPD: 'Está dañado',
    CancelCustomerInitiated: 'El cliente ya no lo necesita',
    CancelGeneric: 'Otro motivo',
  },
};
