/** Imprimir etiquetas y tarjetas. */
export const print = {
  kind: 'Qué imprimir',
  kinds: {
    place: 'Lugares',
    tote: 'Cubetas',
    item: 'Artículos',
    carton: 'Cajas (SSCC)',
    commands: 'Tarjetas de órdenes',
  },
  codes: 'Códigos, uno por línea',
  codesHint: 'Cada línea es una etiqueta.',
  nothing: 'Introduzca primero un código.',
  tooMany: (max: number) => `Como máximo ${max} etiquetas a la vez.`,
  wrongSscc: (code: string) => `${code} no es un SSCC: tiene 18 dígitos y el último es el de control.`,
  wrongCode: (code: string, max: number) => `${code}: como máximo ${max} letras, cifras y signos sin acentos.`,
  zpl: 'Impresora de etiquetas (ZPL)',
  resolution: 'Resolución de la impresora',
  download: 'Guardar como ZPL',
  paper: 'Papel para documentos en este dispositivo',
  paperHint: 'En él se imprimen listas, albaranes, avisos y recibos.',
  papers: { A4: 'A4', LETTER: 'Letter', LABEL: 'Etiqueta 100 × 150 mm', RECEIPT: 'Rollo de recibos 80 mm' },
};
