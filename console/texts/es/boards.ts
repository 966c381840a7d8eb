/** Spanish texts for boards of a node. */
export const boards = {
  node: 'Centro',
  noNode: 'Ningún centro todavía',
  noNodeHint: 'El operador añade los centros.',
  day: 'Día',
  span: 'Días',
  days: (n: number) => (n === 1 ? 'un día' : `${n} días`),
  wall: 'Pantalla de pared',
  leaveWall: 'Salir de la pantalla de pared',
  before: (days: number, value: string) =>
    days === 1 ? `el día anterior: ${value}` : `los ${days} días antes: ${value}`,
  atMost: (value: string) => `${value} como máximo`,
  atLeast: (value: string) => `${value} como mínimo`,
  ordersIn: 'Pedidos nuevos',
  unitsPicked: 'Unidades preparadas',
  late: 'Se retrasaron',
  lateNow: (n: number) => `${n} con retraso ahora`,
  short: 'Faltantes',
  linesPerHour: 'Líneas por hora',
  oldest: 'Pedido más antiguo:',
  since: (at: string) => `desde: ${at}`,
  byHour: 'Por hora',
  byUser: 'Por persona',
  hour: 'Hora',
  user: 'Persona',
  lines: 'Líneas',
  nobody: 'Nadie ha preparado nada todavía',
  nobodyHint: 'Las cifras aparecen con la primera hoja confirmada.',
  csv: 'Exportar como CSV',
  /** `at` is undefined if the shown day is in the past. */
  asOf: (at: string | undefined, zone: string) =>
    `${at === undefined ? '' : `Actualizado: ${at}. `}Días y horas de ${zone}.`,
  plot: (hour: number, units: number) =>
    `Pedidos nuevos y unidades preparadas por hora; máximo a las ${hour}:00 con ${units} unidades`,
};
