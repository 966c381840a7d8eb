/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  'the line has no units: send `good`, `damaged` or `refused`': {
    de: 'die Zeile hat keine Stücke: nennen Sie gute, beschädigte oder abgelehnte',
    es: 'la línea no tiene unidades: indique buenas, dañadas o rechazadas',
  },
  '`to` is for good units only, and the line has no good units; leave `to` out': {
    de: 'to gilt nur für gute Stücke, und die Zeile hat keine; lassen Sie es weg',
    es: 'to es solo para unidades buenas, y la línea no tiene; quítelo',
  },
  'goods without papers belong to no store, but the credential has access only to some stores; send the request with a credential that has access to all stores':
    {
      de: 'Ware ohne Papiere gehört keinem Webshop, der Zugang hat aber nur auf einige Webshops Zugriff; senden Sie die Anfrage mit einem Zugang, der auf alle Webshops Zugriff hat',
      es: 'la mercancía sin papeles no es de ninguna tienda web, pero la credencial solo tiene acceso a algunas; envíe la solicitud con una credencial que tenga acceso a todas',
    },
  'the client has no seller {sellerId}; send the seller of one of its stores, or leave sellerId out': {
    de: 'den Verkäufer {sellerId} gibt es nicht; nehmen Sie den Verkäufer eines Webshops des Mandanten, oder lassen Sie ihn weg',
    es: 'no hay ningún vendedor {sellerId}; envíe el vendedor de una tienda web de la empresa, o no lo envíe',
  },
  'only goods without papers can be matched; `type` in the path must be BLIND': {
    de: 'zugeordnet wird nur Ware ohne Papiere: type im Pfad muss BLIND sein',
    es: 'solo se empareja mercancía sin papeles: type en la ruta debe ser BLIND',
  },
  '`type` in the path must be ASN or PO{didYouMean}': {
    de: 'type im Pfad muss ASN oder PO sein{didYouMean}',
    es: 'type en la ruta debe ser ASN o PO{didYouMean}',
  },
  '`type` in the path must be ASN, PO or BLIND{didYouMean}': {
    de: 'type im Pfad muss ASN, PO oder BLIND sein{didYouMean}',
    es: 'type en la ruta debe ser ASN, PO o BLIND{didYouMean}',
  },
  'this client': {
    de: 'diesem Mandanten',
    es: 'esta empresa',
  },
  'seller {sellerId}': {
    de: 'Verkäufer {sellerId}',
    es: 'el vendedor {sellerId}',
  },
  'There is no {type} {number} of {whose}.': {
    de: 'Die Lieferung {type} {number} von {whose} gibt es nicht.',
    es: 'No hay ningún {type} {number} de {whose}.',
  },
  'the receipt is empty: send cartons or lines': {
    de: 'die Annahme ist leer: nennen Sie Kartons oder Zeilen',
    es: 'la recepción está vacía: indique cajas o líneas',
  },
  'the receipt has {count} cartons and lines; send at most {entriesMax}': {
    de: 'die Annahme hat {count} Kartons und Zeilen; erlaubt sind höchstens {entriesMax}',
    es: 'la recepción tiene {count} cajas y líneas; el máximo es {entriesMax}',
  },
  'a correction must have no cartons; to take a carton back, send lines with negative quantities': {
    de: 'eine Korrektur hat nur Zeilen: nehmen Sie den Karton mit negativen Zeilen zurück',
    es: 'una corrección solo tiene líneas: retire la caja con líneas negativas',
  },
  '`to` is for good units only; leave `to` out': {
    de: 'to gilt nur für gute Stücke; lassen Sie es weg',
    es: 'to es solo para unidades buenas; quítelo',
  },
  'carton {id} is in the message twice, also at /cartons/{first}; send it once': {
    de: 'Karton {id} steht auch bei /cartons/{first}; senden Sie ihn einmal',
    es: 'la caja {id} también está en /cartons/{first}; envíela una sola vez',
  },
  'the line has no item: send itemId or clientItemId': {
    de: 'die Zeile hat keinen Artikel: nennen Sie itemId oder clientItemId',
    es: 'la línea no tiene artículo: envíe itemId o clientItemId',
  },
  'the line has no units; send a number other than 0 in `good`, `damaged`, `refused` or `held`': {
    de: 'die Zeile hat keine Stücke; senden Sie eine Zahl außer 0 in `good`, `damaged`, `refused` oder `held`',
    es: 'la línea no tiene unidades; envíe un número distinto de 0 en `good`, `damaged`, `refused` o `held`',
  },
  '{kind} is {line}; send 0 or more, or send the id of the corrected receipt in `corrects`': {
    de: '{kind} ist {line}; senden Sie 0 oder mehr, oder nennen Sie die Annahme, die korrigiert wird',
    es: '{kind} es {line}; envíe 0 o más, o indique la recepción que se corrige',
  },
  'the message already has carton {cartonId} as a whole, at /cartons/{scanned}; send either the carton or its lines': {
    de: 'Karton {cartonId} steht schon als Ganzes in der Nachricht, bei /cartons/{scanned}; senden Sie entweder den Karton oder seine Zeilen',
    es: 'la caja {cartonId} ya está entera en el mensaje, en /cartons/{scanned}; envíe la caja o sus líneas',
  },
  'there is no item {name}; put it into the catalog first, or correct clientItemId': {
    de: 'den Artikel {name} gibt es nicht; legen Sie ihn zuerst im Katalog an, oder berichtigen Sie clientItemId',
    es: 'no hay ningún artículo {name}; añádalo antes al catálogo o corrija clientItemId',
  },
  '{name} is in {count} catalogs; send itemId instead, one of {found}': {
    de: '{name} ist ein Artikel in {count} Katalogen; nennen Sie die itemId, eine von {found}',
    es: '{name} es un artículo de {count} catálogos; envíe itemId, uno de {found}',
  },
  'there is no item {itemId}; put it into the catalog first, or correct itemId': {
    de: 'den Artikel {itemId} gibt es nicht; legen Sie ihn zuerst im Katalog an, oder berichtigen Sie itemId',
    es: 'no hay ningún artículo {itemId}; añádalo antes al catálogo o corrija itemId',
  },
  'clientItemId {clientItemId} does not match itemId {itemId}; send only one of them': {
    de: 'clientItemId {clientItemId} passt nicht zu itemId {itemId}; senden Sie nur eine davon',
    es: 'clientItemId {clientItemId} no corresponde a itemId {itemId}; envíe solo uno',
  },
  'a PO has no cartons; send lines without cartonId': {
    de: 'eine PO hat keine Kartons: senden Sie Zeilen ohne cartonId',
    es: 'un PO no tiene cajas: envíe líneas sin cartonId',
  },
  'nothing was received yet; send a receipt first': {
    de: 'noch nichts wurde angenommen; nehmen Sie zuerst etwas an',
    es: 'aún no se recibió nada; reciba algo primero',
  },
  'no units are held': {
    de: 'kein Stück ist gesperrt',
    es: 'no hay unidades retenidas',
  },
  'held units must be approved first': {
    de: 'gesperrte Stücke müssen zuerst entschieden werden',
    es: 'antes hay que decidir las unidades retenidas',
  },
  'There is no {type} {number} that is still expected; list the expected shipments with GET {path}': {
    de: 'Eine Lieferung {type} {number}, die noch erwartet wird, gibt es nicht.',
    es: 'No hay ningún {type} {number} que aún se espere.',
  },
  '`after` must be `next` of the previous page': {
    de: '`after` muss der Wert next der vorigen Seite sein',
    es: '`after` debe ser el valor next de la página anterior',
  },
});
