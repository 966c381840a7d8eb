import type { BundleMessages } from '../messages.ts';

export const setup: BundleMessages['desk']['setup'] = {
  hint: 'Lo que falta antes de que pueda entrar el primer pedido',
  progress: (done: number, all: number) => `${done} de ${all} pasos están hechos`,
  allDone: 'Todo está listo',
  allDoneHint: 'Ya pueden entrar pedidos. Vuelva aquí cuando se añada un centro o un sistema.',
  done: (n: number) => (n === 1 ? 'Hecho' : `Hecho: ${n}`),
  open: 'Abrir',
  hiddenKeys: 'No ve ninguna clave. Las que tienen más permisos que usted están ocultas: pregunte primero al operador.',
  steps: {
    client: { title: 'Una empresa', hint: 'El minorista cuyas tiendas sirven pedidos.', action: 'Crear una empresa' },
    store: {
      title: 'Una tienda web',
      hint: 'Los pedidos la nombran; tiene catálogo y moneda.',
      action: 'Crear una tienda',
    },
    node: { title: 'Un centro', hint: 'La tienda o el almacén que prepara y empaqueta.', action: 'Añadir un centro' },
    people: { title: 'Personas', hint: 'Primero un gerente, que añade a los demás.', action: 'Añadir una persona' },
    devices: {
      title: 'Un dispositivo',
      hint: 'Un terminal o tableta de la tienda: allí se entra con tarjeta y PIN.',
      action: 'Preparar un dispositivo',
    },
    credential: {
      title: 'Una clave para su sistema',
      hint: 'Con ella su sistema envía artículos y pedidos.',
      action: 'Crear una clave',
    },
    items: {
      title: 'Artículos',
      hint: 'Los pedidos nombran artículos, así que van primero.',
      action: 'Importar artículos',
    },
    webhook: {
      title: 'Un webhook',
      hint: 'Cuenta a su sistema qué pasa con los pedidos.',
      action: 'Añadir un webhook',
    },
    tested: {
      title: 'El webhook, probado',
      hint: 'Un evento real llega a su receptor, y usted ve la respuesta.',
      action: 'Abrir los webhooks',
    },
  },
};
