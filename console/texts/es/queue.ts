import type { Messages } from '../messages.ts';

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

/** Spanish texts for orders that wait for pick. */
export const queue: Messages['queue'] = {
  dueFirst: 'Vence primero',
  title: 'Preparar',
  sub: (type, orders) => `${type} · ${orders}`,
  takeNext: (n) => `Tomar los próximos ${n}`,
  takeOne: 'Tomar este pedido',
  without: (name, more) => (more === 0 ? `sin ${name}` : `sin ${name} y ${more} más`),
  pick: (n) => `Preparar ${count(n, 'pedido', 'pedidos')}`,
  chosen: (n, units) => `${count(n, 'elegido', 'elegidos')} · ${units}`,
  giveTo: 'Dar a…',
  given: (name) => `Dado a ${name}`,
  clear: 'No elegir ninguno',
  choose: (name) => `Elegir el pedido de ${name}`,
  most: (n) => `Como máximo ${n} pedidos en una ronda`,
  otherStore: 'Otra tienda web: hoja propia',
  otherCurrency: 'Otra moneda: hoja propia',
  otherType: 'Otro tipo: lleva su propia hoja',
  taken: (n) => `${count(n, 'pedido se está', 'pedidos se están')} preparando`,
  empty: 'Aquí no hay nada que preparar',
  emptyHint: 'Los pedidos nuevos aparecen aquí solos.',
  noQueue: 'Elija una cola',
  needsNetwork: 'Para tomar pedidos hace falta la red',
  store: (id) => `Tienda web ${id}`,
  more: (n) => `${n} más, vencen después`,
  away: 'Siga con las hojas de este dispositivo.',
  awayNone: 'Las hojas que tome con red se pueden preparar sin red.',
};
