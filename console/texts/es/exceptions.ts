/** Spanish: exceptions of a node. */
const plural = new Intl.PluralRules('es');
const count = (n: number, one: string, many: string) => `${n} ${plural.select(n) === 'one' ? one : many}`;

export const exceptions = {
  tabs: {
    orders: 'Pedidos',
    held: 'Mercancía retenida',
    counts: 'Recuentos',
    requests: 'Reasignar',
    holds: 'Artículos bloqueados',
  },
  groups: {
    PICK: 'Preparar ahora',
    IN_WORK: 'En curso',
    PACK: 'Empaquetar',
    CHECK_IN: 'Registrar llegada',
    DELIVER: 'Repartir',
    BRING_BACK: 'Devolver al estante',
    PIN: 'PIN bloqueado',
    SOON: 'Vencen pronto',
    COLLECT: 'Llamar al cliente',
  },
  groupHints: {
    PICK: 'Nadie ha empezado. Prepárelo, déselo a alguien o rechácelo.',
    IN_WORK: 'Empezado, pero con retraso. Pregunte, tómelo o páselo a otro.',
    PACK: 'La mercancía espera en la mesa.',
    CHECK_IN: 'Las cajas han llegado, o deberían.',
    DELIVER: 'Mercancía que espera el reparto.',
    BRING_BACK: 'Mercancía que vuelve a su estante.',
    PIN: 'Demasiados PIN erróneos. Compruebe quién es y desbloquee.',
    SOON: 'A tiempo si se hace en 15 minutos.',
    COLLECT: 'Listo, pero nadie vino a tiempo.',
  },
  pickNow: 'Preparar ahora',
  giveTo: 'Dar a…',
  giveTitle: (what: string) => `Dar ${what} a`,
  isFree: 'no tiene nada',
  noPeople: 'Nadie más trabaja aquí',
  noPeopleHint: 'Un gerente añade personas en Personas.',
  takeOver: 'Tomarlo',
  unlock: 'Desbloquear el PIN',
  bringBack: 'Devolver',
  call: (phone: string) => `Llamar a ${phone}`,
  showAll: (n: number) => `Ver los ${n}`,
  notDeclined: 'Alguien fue más rápido: el pedido ya está preparado o anulado.',
  noneLate: 'No hay retrasos',
  noneLateHint: 'Aquí no hay nada que hacer. Aquí aparecen los pedidos con retraso y los que vencen en 15 minutos.',
  noneHeld: 'No hay nada retenido',
  noneHeldHint:
    'Aquí no hay nada que hacer. Aquí aparecen las unidades que sobran, no se anunciaron o son dudosas, hasta que alguien decide.',
  heldHint: 'Buenas, dañadas o de vuelta con el transportista: decida y el envío se podrá cerrar.',
  decided: (number: string, what: string) => `Decidido: ${number}. ${what}`,
  noneRequests: 'No hay reasignaciones abiertas',
  noneRequestsHint:
    'Aquí no hay nada que hacer. Aquí aparecen las unidades que esta tienda rechazó, hasta que otro centro las atienda.',
  noneHolds: 'No hay artículos bloqueados',
  noneHoldsHint:
    'Aquí no hay nada que hacer. Un artículo rechazado por no encontrarse queda bloqueado hasta que se sepa que hay existencias.',
  chosen: (n: number) => count(n, 'pedido elegido', 'pedidos elegidos'),
  decline: 'Rechazar',
  declineTitle: (n: number) => `¿Rechazar ${count(n, 'pedido', 'pedidos')}?`,
  declineHint:
    'Solo pedidos que nadie ha empezado a preparar. El sistema que gestiona cada pedido decide qué otro centro lo atiende.',
  declined: (n: number) => count(n, 'pedido rechazado', 'pedidos rechazados'),
  reason: 'Motivo',
  reasons: {
    CancelMXOutOfStock: 'Agotado',
    CancelInventoryDiscrepancy: 'Existencias incorrectas',
    CancelMXPickDecline: 'No podemos prepararlo a tiempo',
    CancelGeneric: 'Otro motivo',
  },
  requestHint:
    'El sistema de gestión de pedidos responde con otro centro. Si nadie puede atender las unidades, anúlelas aquí.',
  nobody: 'Nadie puede atenderlas',
  free: 'Desbloquear',
  approveHint:
    'Si duda de un número, cuente el artículo otra vez. Después apruebe ambos recuentos, primero el más antiguo.',
  approved: (title: string) => `Aprobado: ${title}. Las existencias han cambiado`,
  countsTitle: 'Recuentos',
  toApprove: (n: number) => `${count(n, 'recuento', 'recuentos')} por aprobar`,
};
