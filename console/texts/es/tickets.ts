import type { Messages } from '../messages.ts';

/** Spanish texts for lists of tickets. */
export const tickets: Messages['tickets'] = {
  mine: 'Mías',
  all: 'Todas',
  others: 'De otras personas',
  of: (name) => `la tiene ${name}`,
  nobody: 'libre',
  from: (place) => `Devolver desde ${place}`,
  none: 'No hay ninguna hoja abierta',
  noneMine: 'No tiene ninguna hoja abierta',
  noneHint: 'Tome pedidos de una cola; la hoja aparece entonces aquí.',
  noneBack: 'Nada que devolver',
  noneBackHint: 'Aquí aparece la mercancía preparada de pedidos anulados.',
  onDevice: 'En este dispositivo',
};
