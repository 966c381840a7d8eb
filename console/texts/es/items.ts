/** Spanish texts for items, search and one item. */
export const items = {
  search: 'Palabras o código',
  none: 'Ningún artículo encontrado',
  noneHint: 'Pruebe con menos palabras o escanee el código.',
  noneYet: 'Todavía no hay artículos',
  noneYetHint: 'Los artículos llegan de sus sistemas o de un archivo en Importaciones, en la oficina.',
  several: 'Varios artículos tienen este código. ¿Cuál es?',
};

export const item = {
  title: 'Artículo',
  liesHere: 'está aquí',
  noPlace: 'sin lugar',
  blocked: 'No se ofrece en este centro',
  blockedSince: (reason: string, at: string) => `${reason}, desde: ${at}`,
  free: 'Desbloquear',
  sku: 'SKU',
  brand: 'Marca',
  color: 'Color',
  size: 'Tamaño',
  type: 'Tipo',
  onHand: 'Existencias comunicadas',
  streetDate: 'Lanzamiento',
  hazard: 'Peligroso',
  codes: 'Códigos',
  noCodes: 'No tiene código. Búsquelo por su número.',
  parts: 'Se compone de',
};
