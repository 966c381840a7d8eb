/** Escanear o buscar cualquier cosa. */
export const find = {
  title: 'Buscar',
  startTitle: 'Escanee o escriba',
  startHint:
    'Un pedido, una hoja de preparación, una caja, un número de seguimiento, un lugar o el código de un artículo.',
  nothing: (code: string) => `No hay nada con «${code}»`,
  nothingHint: 'Revise el código. Puede ser de otra tienda o no estar anunciado.',
  reads: 'El código contiene',
  kinds: {
    CARTON: 'Caja',
    SHIPMENT: 'Envío',
    ITEM: 'Artículo',
    ORDER: 'Pedido',
    TICKET: 'Hoja de preparación',
    PACKAGE: 'Paquete',
    PLACE: 'Lugar',
  },
  warnings: {
    CHECK_DIGIT: 'El dígito de control es incorrecto',
    AMBIGUOUS: 'El código se puede leer de dos maneras',
    MALFORMED: 'El código está incompleto',
    DUPLICATE_CARTON: 'Esta caja está anunciada dos veces',
    ELSEWHERE: 'Pertenece a otro centro',
    TOO_MANY: 'Hay más resultados de los que se muestran',
  } as Record<string, string>,
  readKinds: {
    SSCC: 'Número de caja (SSCC)',
    GTIN: 'Número de artículo (GTIN)',
    CONTENT: 'Contenido (GTIN)',
    LOT: 'Lote',
    EXPIRY: 'Caducidad',
    SERIAL: 'Número de serie',
    COUNT: 'Unidades',
    NET_WEIGHT: 'Peso neto',
  } as Record<string, string>,
};
