/** Spanish texts for the settings of a client that users can only read. */
export const settingsShown = {
  readOnly: 'Puede leer estos ajustes. El operador los cambia.',
  late: 'Tiempo hasta que un paso se retrasa',
  lateHint: 'Se cuenta desde que un pedido llega al paso.',
  counter: 'En el mostrador',
  pinRule: 'Un pedido con PIN lo necesita',
  yes: 'Sí',
  no: 'No',
  returnDays: 'Los artículos pueden volver durante',
  blind: 'Artículos sin comprobante',
  blindKinds: {
    HOLD: 'quedan en espera para un responsable',
    ALLOW: 'van al lugar de su estado',
    REFUSE: 'no se aceptan',
  },
  returnReasons: 'Motivos de las devoluciones',
  conditions: 'Estados de los artículos devueltos',
  noTargets: 'Todavía no hay objetivos.',
};
