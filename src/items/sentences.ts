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
  'you have no access to this catalog; use a credential of a store with this catalog': {
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
  'the file has no records; send a header and at least one record': {
    de: 'die Datei hat keine Zeilen; senden Sie eine Kopfzeile und mindestens eine Zeile',
    es: 'el archivo no tiene filas; envíe un encabezado y al menos una fila',
  },
  "'itemId' is already on line {line}; send an item once": {
    de: "'itemId' steht schon in Zeile {line}; senden Sie einen Artikel nur einmal",
    es: "'itemId' ya está en la línea {line}; envíe cada artículo una sola vez",
  },
  'the file has {count} columns; send at most {max}, and use an import for wider files': {
    de: 'die Datei hat {count} Spalten; senden Sie höchstens {max}, und nutzen Sie für mehr den Befehl backroom import items',
    es: 'el archivo tiene {count} columnas; envíe como máximo {max}, y para más use el comando backroom import items',
  },
  'the record has {cells} cells, but the header has {columns}; quote cells that contain a separator': {
    de: 'die Zeile hat {cells} {cells|Zelle|Zellen}, die Kopfzeile aber {columns}; setzen Sie Zellen mit einem Trennzeichen in Anführungszeichen',
    es: 'la fila tiene {cells} {cells|celda|celdas}, pero el encabezado tiene {columns}; ponga entre comillas las celdas que contengan un separador',
  },
  'the file is not valid UTF-8; save it as UTF-8': {
    de: 'die Datei ist kein gültiges UTF-8; speichern Sie sie als UTF-8',
    es: 'el archivo no es UTF-8 válido; guárdelo como UTF-8',
  },
  'the file contains NUL characters; send a CSV text': {
    de: 'die Datei enthält NUL-Zeichen; senden Sie einen Text im Format CSV',
    es: 'el archivo contiene caracteres NUL; envíe un texto CSV',
  },
  'the file is not a CSV: {reason}': {
    de: 'die Datei ist kein CSV: {reason}',
    es: 'el archivo no es un CSV: {reason}',
  },
  'column {name} is in the header twice; keep one': {
    de: 'die Spalte {name} steht zweimal in der Kopfzeile; behalten Sie eine davon',
    es: 'la columna {name} está dos veces en el encabezado; deje solo una',
  },
  'unknown column {name}; {hint}': {
    de: 'unbekannte Spalte {name}; {hint}',
    es: 'columna desconocida {name}; {hint}',
  },
  'remove it, or name it by its path, like upcs.0.upc': {
    de: 'entfernen Sie sie, oder benennen Sie sie nach ihrem Pfad, wie upcs.0.upc',
    es: 'quítela, o llámela por su ruta, como upcs.0.upc',
  },
  'did you mean {near}?': {
    de: 'meinten Sie {near}?',
    es: '¿quería decir {near}?',
  },
  'The maximum record count of {max} has been exceeded': {
    de: 'Die Datei hat mehr als {max} Zeilen; teilen Sie sie auf',
    es: 'El archivo tiene más de {max} filas; divídalo',
  },
  'line {line}: {message}': {
    de: 'Zeile {line}: {message}',
    es: 'línea {line}: {message}',
  },
  "'clientId' must be {client}, the client of the item": {
    de: "'clientId' muss {client} sein, der Mandant des Artikels",
    es: "'clientId' debe ser {client}, la empresa del artículo",
  },
  "'catalogId' must be a catalog of the client: {catalogs}": {
    de: "'catalogId' muss ein Katalog des Mandanten sein: {catalogs}",
    es: "'catalogId' debe ser un catálogo de la empresa: {catalogs}",
  },
  "'itemId' must be <catalogId>-<clientItemId>, here {whole}": {
    de: "'itemId' muss <catalogId>-<clientItemId> sein, hier {whole}",
    es: "'itemId' debe ser <catalogId>-<clientItemId>, aquí {whole}",
  },
  "'countryOfOrigin' must be an ISO 3166 alpha-2 country code{hint}": {
    de: "'countryOfOrigin' muss ein Ländercode mit zwei Buchstaben nach ISO 3166 sein{hint}",
    es: "'countryOfOrigin' debe ser un código de país de dos letras según ISO 3166{hint}",
  },
  ', for example US': {
    de: ', zum Beispiel US',
    es: ', por ejemplo US',
  },
  "'{name}' must be one of {list}{hint} (got {got})": {
    de: "'{name}' muss einer von {list} sein{hint} (erhalten: {got})",
    es: "'{name}' debe ser uno de {list}{hint} (recibido: {got})",
  },
  "'{name}' is missing; an item of type {type} needs it": {
    de: "'{name}' fehlt; ein Artikel des Typs {type} braucht es",
    es: "falta '{name}'; un artículo de tipo {type} lo necesita",
  },
  "'min{what}' must be at most 'max{what}', which is {most}": {
    de: "'min{what}' darf höchstens 'max{what}' sein, also {most}",
    es: "'min{what}' debe ser como máximo 'max{what}', que es {most}",
  },
  "'dropShipSupplier' is missing; an item with dropShipped true needs it, with name, number and partNumber": {
    de: "'dropShipSupplier' fehlt; ein Artikel mit dropShipped true braucht es, mit name, number und partNumber",
    es: "falta 'dropShipSupplier'; un artículo con dropShipped true lo necesita, con name, number y partNumber",
  },
  "'eligibility' of {id} and '{flag}' are two names of one value; send the same value in both, or only one of them": {
    de: "'eligibility' von {id} und '{flag}' sind zwei Namen desselben Werts; senden Sie in beiden denselben Wert, oder nur eines davon",
    es: "'eligibility' de {id} y '{flag}' son dos nombres del mismo valor; envíe el mismo valor en ambos, o solo uno de ellos",
  },
  "'description' and 'descriptions' are two names of one field; send the same list in both, or only one of them": {
    de: "'description' und 'descriptions' sind zwei Namen desselben Felds; senden Sie in beiden dieselbe Liste, oder nur eines davon",
    es: "'description' y 'descriptions' son dos nombres del mismo campo; envíe la misma lista en ambos, o solo uno de ellos",
  },
  "'bundleItems' is for bundles only; set 'bundle' to true, or remove it": {
    de: "'bundleItems' ist nur für Sets; setzen Sie 'bundle' auf true, oder entfernen Sie es",
    es: "'bundleItems' es solo para conjuntos; ponga 'bundle' en true, o quítelo",
  },
  "element {index} of '{name}' has the same {keys} as element {first}; send only one of them": {
    de: "Element {index} von '{name}' hat in {keys} dasselbe wie Element {first}; senden Sie es nur einmal",
    es: "el elemento {index} de '{name}' tiene lo mismo en {keys} que el elemento {first}; envíelo una sola vez",
  },
  ' and ': {
    de: ' und ',
    es: ' y ',
  },
  'bundles can be nested at most {max} levels deep; use fewer levels in this bundle': {
    de: 'Sets können höchstens {max} Ebenen tief ineinander liegen; nehmen Sie diesem Set Ebenen',
    es: 'los conjuntos pueden anidarse hasta {max} niveles; quite niveles a este conjunto',
  },
  'bundle {id} cannot contain itself; remove it from its own contents': {
    de: 'das Set {id} kann sich nicht selbst enthalten; entfernen Sie es aus seinem eigenen Inhalt',
    es: 'el conjunto {id} no puede contenerse a sí mismo; quítelo de su propio contenido',
  },
  "'itemId' differs from {id}, the itemId of the bundle item; send the same value in both": {
    de: "'itemId' weicht von {id} ab, der itemId des Artikels im Set; senden Sie in beiden denselben Wert",
    es: "'itemId' difiere de {id}, el itemId del artículo del conjunto; envíe el mismo valor en ambos",
  },
  '{part} contains {bundle}, so the bundle would contain itself; remove one item from the contents of the other': {
    de: '{part} enthält {bundle}, das Set würde sich also selbst enthalten; entfernen Sie eines aus dem anderen',
    es: '{part} contiene {bundle}, así que el conjunto se contendría a sí mismo; quite uno del otro',
  },
  'the bundle has more than {max} parts, including the parts of nested bundles; remove some parts': {
    de: 'das Set hat mehr als {max} Teile, die Sets darin mitgezählt; entfernen Sie einige',
    es: 'el conjunto tiene más de {max} partes, contando los conjuntos que contiene; quite algunas',
  },
  'the item would have {count} custom attributes; the maximum is {max}. Delete some with operationType delete': {
    de: 'der Artikel hätte {count} eigene Attribute; erlaubt sind höchstens {max}. Löschen Sie einige mit operationType delete',
    es: 'el artículo tendría {count} atributos propios; el máximo es {max}. Borre algunos con operationType delete',
  },
  "'merge' and 'merged' are two names of one parameter; send only one of them, or the same value in both": {
    de: "'merge' und 'merged' sind zwei Namen desselben Parameters; senden Sie nur einen davon, oder in beiden denselben Wert",
    es: "'merge' y 'merged' son dos nombres del mismo parámetro; envíe solo uno, o el mismo valor en ambos",
  },
});
