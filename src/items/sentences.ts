/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  'the catalog of the itemId belongs to no store of this key; use the key of a store with this catalog': {
    de: 'der Katalog der itemId gehört zu keinem Webshop dieses Schlüssels; nehmen Sie einen Schlüssel seines Webshops',
    es: 'el catálogo del itemId no es de ninguna tienda web de esta clave; use una clave de su tienda web',
  },
  'Item {itemId} of client {clientId} was not found; an itemId has the form <catalogId>-<clientItemId>.': {
    de: 'Artikel {itemId} des Mandanten {clientId} wurde nicht gefunden; eine itemId hat die Form <catalogId>-<clientItemId>.',
    es: 'No se encontró el artículo {itemId} de la empresa {clientId}; un itemId tiene la forma <catalogId>-<clientItemId>.',
  },
  'you have no access to this catalog; use a credential of a store that has it': {
    de: 'Sie haben auf diesen Katalog keinen Zugriff',
    es: 'no tiene acceso a este catálogo',
  },
  'send `next` of the previous page': {
    de: 'senden Sie `next` der vorigen Seite',
    es: 'envíe `next` de la página anterior',
  },
  'send a URL that begins with https://, http:// or data:image/': {
    de: 'senden Sie eine Adresse, die mit https://, http:// oder data:image/ beginnt',
    es: 'envíe una dirección que empiece por https://, http:// o data:image/',
  },
  'write the unit in lower case, for example lb': {
    de: 'schreiben Sie die Einheit klein, zum Beispiel lb',
    es: 'escriba la unidad en minúsculas, por ejemplo lb',
  },
});
