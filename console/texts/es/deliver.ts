import type { Messages } from '../messages.ts';

const units = (n: number) => (n === 1 ? '1 unidad' : `${n} unidades`);

/** Spanish texts for delivery by an associate. */
export const deliver: Messages['deliver'] = {
  title: 'Repartir',
  waiting: (n) => `${n} ${n === 1 ? 'pedido' : 'pedidos'} por repartir`,
  empty: 'Nada por repartir',
  emptyHint: 'Aquí aparecen las entregas empaquetadas. En Inicio se ve qué espera en otro lugar.',
  call: 'Llamar',
  received: '¿Quién lo recibió?',
  main: (n) => `${units(n)} ${n === 1 ? 'entregada' : 'entregadas'}`,
  mainRefuse: (n) => `Registrar ${units(n)} ${n === 1 ? 'rechazada' : 'rechazadas'}`,
  notHome: 'No hay nadie',
  notHomeTitle: 'No había nadie en casa',
  notHomeHint: 'La mercancía vuelve con usted. El pedido queda en la lista para el próximo reparto.',
  notHomeMain: 'Registrar el intento',
  notHomeDone: 'Registrado: nadie en casa',
  notHomeBring: (place) => `Devuelva la mercancía a ${place}.`,
  done: 'Entregado',
  doneRest: (n, place) =>
    `${units(n)} ${n === 1 ? 'queda' : 'quedan'} para más tarde. Devuelva la mercancía a ${place}.`,
  rest: 'Entregar el resto ahora',
  next: 'Siguiente entrega',
  needsNetwork: 'Registrar una entrega necesita la red',
  needsNetworkHint: 'Las direcciones se pueden leer. Regístrela cuando haya red, antes de la siguiente puerta.',
};
