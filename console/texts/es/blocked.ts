import type { BlockedMessages } from '../messages.ts';

/**
 * Spanish texts that say why the state of an order prevents an action, and what to do next. CONFIRMED and RESET are the
 * outcomes of a pick ticket.
 */
export const blocked: BlockedMessages = {
  why: '¿Por qué?',
  states: {
    1000: 'Su fecha de lanzamiento no ha llegado. Hasta entonces no hay nada que hacer.',
    1100: 'Está por preparar. Tómelo de la cola en la pantalla de inicio.',
    1150: 'Está en preparación. Espere a que se confirme su hoja.',
    1200: 'Está por empaquetar. Ábralo en «Empaquetar».',
    1300: 'Su mercancía aún no se ha registrado. Ábralo en «Registrar llegada».',
    1400: 'Espera a su cliente. Ábralo en «Entregar».',
    1500: 'Está por repartir. Ábralo en «Repartir».',
    3700: 'Ya se envió. No hay nada más que hacer.',
    3800: 'El cliente ya lo recogió. No hay nada más que hacer.',
    3900: 'El cliente ya lo recibió. No hay nada más que hacer.',
    8000: 'Está anulado. Devuelva la mercancía al estante: ábralo en «Buscar».',
    9000: 'Está anulado. No hay nada más que hacer.',
    9100: 'No se pudo completar aquí y espera a otra tienda. Aquí no hay nada que hacer.',
    9200: 'Otra tienda se encarga de él. Aquí no hay nada que hacer.',
    CONFIRMED: 'Esta hoja ya está confirmada. No hay nada que tomar.',
    RESET: 'Esta hoja se devolvió. Sus pedidos están de nuevo en su cola.',
  },
};
