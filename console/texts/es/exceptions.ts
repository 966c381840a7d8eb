/** Incidencias de un centro. */
const plural = new Intl.PluralRules('es');
const count = (n: number, one: string, many: string) => `${n} ${plural.select(n) === 'one' ? one : many}`;

export const exceptions = {
  tabs: { late: 'Con retraso', requests: 'Reasignar', holds: 'Bloqueados' },
  noneLate: 'No hay retrasos',
  noneLateHint: 'Aquí aparecen los pedidos con un paso retrasado o a punto de retrasarse.',
  noneRequests: 'No hay reasignaciones abiertas',
  noneRequestsHint: 'Aquí aparecen las unidades que esta tienda rechazó, hasta que otro centro las atienda.',
  noneHolds: 'No hay artículos bloqueados',
  noneHoldsHint: 'Un artículo rechazado por no encontrarse queda bloqueado hasta que se sepa que hay stock.',
  chosen: (n: number) => count(n, 'pedido elegido', 'pedidos elegidos'),
  decline: 'Rechazar',
  declineTitle: (n: number) => `¿Rechazar ${count(n, 'pedido', 'pedidos')}?`,
  declineHint:
    'Solo pedidos que nadie ha empezado a preparar. El sistema que gestiona cada pedido decide qué otro centro lo atiende.',
  declined: (n: number) => count(n, 'pedido rechazado', 'pedidos rechazados'),
  reason: 'Motivo',
  reasons: {
    CancelMXOutOfStock: 'Agotado',
    CancelInventoryDiscrepancy: 'El stock era incorrecto',
    CancelMXPickDecline: 'No podemos prepararlo a tiempo',
    CancelGeneric: 'Otro motivo',
  },
  requestHint:
    'El sistema de gestión de pedidos responde con otro centro. Si nadie puede atender las unidades, anúlelas aquí.',
  nobody: 'Nadie puede atenderlas',
  free: 'Desbloquear',
  alerts: {
    START_PICK_APPROACHING: 'Empezar pronto a preparar',
    START_PICK_EXPIRED: 'Preparación sin empezar',
    COMPLETE_PICK_APPROACHING: 'Terminar pronto la preparación',
    COMPLETE_PICK_EXPIRED: 'Preparación sin terminar',
    PACK_APPROACHING: 'Empacar pronto',
    PACK_EXPIRED: 'Sin empaquetar',
    CHECK_IN_APPROACHING: 'Registrar pronto la llegada',
    CHECK_IN_EXPIRED: 'Llegada sin registrar',
    CUSTOMER_PICKUP_APPROACHING: 'El cliente aún no ha venido',
    CUSTOMER_PICKUP_EXPIRED: 'Sin recoger',
    DELIVERY_APPROACHING: 'Repartir pronto',
    DELIVERY_EXPIRED: 'Sin repartir',
    REVERSE_PICK_APPROACHING: 'Devolver pronto al estante',
    REVERSE_PICK_EXPIRED: 'Sin devolver al estante',
  } as Record<string, string>,
};
