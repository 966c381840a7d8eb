/** Artículos: búsqueda y un artículo. */
export const items = {
  search: 'Palabras o código',
  none: 'Ningún artículo encontrado',
  noneHint: 'Pruebe con menos palabras o escanee el código.',
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
  onHand: 'Stock comunicado',
  streetDate: 'Lanzamiento',
  hazard: 'Peligroso',
  codes: 'Códigos',
  noCodes: 'No tiene código. Búsquelo por su número.',
  parts: 'Se compone de',
};
