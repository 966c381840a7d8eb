/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  'the pick ticket is assigned to user {userId}; ask that user or a lead to correct it': {
    de: 'der Schein gehört {userId}; diese Person oder die Leitung korrigiert ihn',
    es: 'la hoja es de {userId}; la corrige esa persona o un responsable',
  },
  'item {id} is in the message twice; send it once': {
    de: 'Artikel {id} steht zweimal in der Nachricht; nennen Sie ihn einmal',
    es: 'el artículo {id} figura dos veces en el mensaje; indíquelo una sola vez',
  },
  'the ticket has no item {id}; send one of its items, 1 to {count}': {
    de: 'der Schein hat keinen Artikel {id}; seine Artikel sind 1 bis {count}',
    es: 'la hoja no tiene el artículo {id}; sus artículos son 1 a {count}',
  },
  'item {id}': {
    de: 'Artikel {id}',
    es: 'el artículo {id}',
  },
  'pickedQuantity of {name} is {picked}, but the ticket has {quantity} {quantity|unit|units} of the item; send at most {quantity}':
    {
      de: 'von {name} sollen {picked} Stück gefunden sein, auf dem Schein sind aber nur {quantity}',
      es: 'de {name} se indican {picked} encontradas, pero la hoja tiene {quantity} {quantity|unidad|unidades}',
    },
  'pickedQuantity and canceledQuantity of {name} sum to {n}, but must sum to its quantity, {quantity}; correct one of them':
    {
      de: 'gefundene und fehlende Stücke von {name} ergeben {n}; zusammen müssen es {quantity} sein',
      es: 'las unidades encontradas y faltantes de {name} suman {n}; deben sumar {quantity}',
    },
  'the ticket has no item {id}; remove it': {
    de: 'der Schein hat keinen Artikel {id}; entfernen Sie ihn',
    es: 'la hoja no tiene el artículo {id}; quítelo',
  },
  'the item': {
    de: 'der Artikel',
    es: 'el artículo',
  },
  'item {id} ({itemId}) is missing; send every item of the ticket': {
    de: 'Artikel {id} ({itemId}) fehlt; senden Sie alle Artikel des Scheins',
    es: 'falta el artículo {id} ({itemId}); envíe todos los artículos de la hoja',
  },
  'itemId does not match {name}; send {itemId}': {
    de: '{name} des Scheins ist {itemId}; senden Sie seine itemId',
    es: '{name} de la hoja es {itemId}; envíe su itemId',
  },
  'itemId in itemDetails differs from itemId of the item; send the same value in both': {
    de: 'itemId in itemDetails weicht von itemId des Artikels ab; senden Sie in beiden denselben Wert',
    es: 'itemId en itemDetails difiere del itemId del artículo; envíe el mismo valor en ambos',
  },
  '`quantity` of {name} is {quantity} on the ticket; send this value or leave `quantity` out': {
    de: 'die Menge von {name} ist auf dem Schein {quantity}; senden Sie diese, oder lassen Sie sie weg',
    es: 'la cantidad de {name} en la hoja es {quantity}; envíe esa o no la envíe',
  },
  '{name} has neither pickedQuantity nor canceledQuantity; send one or both': {
    de: '{name} hat weder pickedQuantity noch canceledQuantity; senden Sie eines davon oder beide',
    es: '{name} no tiene pickedQuantity ni canceledQuantity; envíe uno o ambos',
  },
  'pickedQuantity and canceledQuantity of {name} sum to {sum}, but must sum to its quantity, {quantity}; correct one of them':
    {
      de: 'gefundene und fehlende Stücke von {name} ergeben {sum}; zusammen müssen es {quantity} sein',
      es: 'las unidades encontradas y faltantes de {name} suman {sum}; deben sumar {quantity}',
    },
  'pickedQuantity and canceledQuantity of {name} sum to {sum}, but the ticket has only {quantity} {quantity|unit|units} of the item; lower one of these quantities':
    {
      de: 'pickedQuantity und canceledQuantity von {name} sind zusammen {sum}, auf dem Schein {quantity|ist|sind} aber nur {quantity} Stück; senken Sie einen Wert',
      es: 'pickedQuantity y canceledQuantity de {name} suman {sum}, pero la hoja solo tiene {quantity} {quantity|unidad|unidades}; reduzca un valor',
    },
  'order {orderId} is in the message twice; send it once': {
    de: 'Auftrag {orderId} steht zweimal in der Nachricht; nennen Sie ihn einmal',
    es: 'el pedido {orderId} figura dos veces en el mensaje; indíquelo una sola vez',
  },
  'there is no order {orderId} of this store and node; check the id or leave it out': {
    de: 'den Auftrag {orderId} gibt es in dieser Filiale nicht; prüfen Sie die Nummer, oder lassen Sie ihn weg',
    es: 'no hay ningún pedido {orderId} en esta tienda; compruebe el número o no lo incluya',
  },
  'fulfillment types': {
    de: 'Typen',
    es: 'tipos de pedido',
  },
  'the orders have several {plural}, listed here with the ids of the orders: {listed}; generate a separate pick ticket for each value':
    {
      de: 'die Aufträge haben verschiedene {plural}, hier mit ihren Aufträgen: {listed}; erstellen Sie für jede Art einen Schein',
      es: 'los pedidos difieren en {plural}, aquí con sus pedidos: {listed}; genere una hoja para cada caso',
    },
  'queueId is {queueId}, but these orders are on other queues: {listed}; send the orders of one queue, with its queueId':
    {
      de: 'queueId ist {queueId}, diese Aufträge sind aber in anderen Warteschlangen: {listed}; senden Sie die Aufträge einer Warteschlange mit ihrer queueId',
      es: 'queueId es {queueId}, pero estos pedidos están en otras colas: {listed}; envíe los pedidos de una sola cola, con su queueId',
    },
  ' {n} more {n|order|orders} cannot be picked either.': {
    de: ' {n} {n|weiterer Auftrag kann|weitere Aufträge können} auch nicht gepickt werden.',
    es: ' {n|Otro|Otros} {n} {n|pedido|pedidos} tampoco se {n|puede|pueden} preparar.',
  },
  '{sentences}{more} No ticket was generated; leave these orders out, or wait until they can be picked.': {
    de: '{sentences}{more} Es wurde kein Schein erstellt; lassen Sie diese Aufträge weg, oder warten Sie, bis sie gepickt werden können.',
    es: '{sentences}{more} No se generó ninguna hoja; deje fuera estos pedidos o espere a que se puedan preparar.',
  },
  '{sentences}{more} No ticket was generated; leave these orders out.': {
    de: '{sentences}{more} Es wurde kein Schein erstellt; lassen Sie diese Aufträge weg.',
    es: '{sentences}{more} No se generó ninguna hoja; deje fuera estos pedidos.',
  },
  'Order {fulfillmentOrderId}': {
    de: 'Auftrag {fulfillmentOrderId}',
    es: 'El pedido {fulfillmentOrderId}',
  },
  '{name} has been on pick ticket {pickTicketId} of user {userId} since {since}; confirm or reset that ticket first.': {
    de: '{name} ist seit {since} auf Schein {pickTicketId} von {userId}: Bestätigen Sie diesen Schein zuerst, oder geben Sie ihn zurück.',
    es: '{name} está en la hoja {pickTicketId} de {userId} desde {since}: confirme o devuelva antes esa hoja.',
  },
  '{name} is held until {until}; its status is {status} ({description}).': {
    de: '{name} ist bis {until} zurückgehalten; der Status ist {status} ({description}).',
    es: '{name} está retenido hasta {until}; su estado es {status} ({description}).',
  },
  '{name} is SHIP_TO_STORE, and such orders are checked in, not picked; its status is {status} ({description}).': {
    de: '{name} ist vom Typ SHIP_TO_STORE; solche Aufträge werden eingecheckt, nicht gepickt; der Status ist {status} ({description}).',
    es: '{name} es de tipo SHIP_TO_STORE; esos pedidos se registran, no se preparan; su estado es {status} ({description}).',
  },
  '{name} no longer waits for pick; its status is {status} ({description}).': {
    de: '{name} wartet nicht mehr aufs Picken; der Status ist {status} ({description}).',
    es: '{name} ya no espera preparación; su estado es {status} ({description}).',
  },
  "'action' must be one of {pickTicketActions}{didYouMean}": {
    de: "'action' muss einer von {pickTicketActions} sein{didYouMean}",
    es: "'action' debe ser uno de {pickTicketActions}{didYouMean}",
  },
  'the pick ticket is assigned to user {userId}; ask a lead to reset it or to take it over': {
    de: 'der Schein gehört {userId}; die Leitung gibt ihn zurück oder übernimmt ihn',
    es: 'la hoja es de {userId}; un responsable la devuelve o la toma',
  },
  'the ticket has no order {id}; remove it': {
    de: 'der Schein hat keinen Auftrag {id}; entfernen Sie ihn',
    es: 'la hoja no tiene el pedido {id}; quítelo',
  },
  'order {id} is in the message twice; send it once': {
    de: 'Auftrag {id} steht zweimal in der Nachricht; nennen Sie ihn einmal',
    es: 'el pedido {id} figura dos veces en el mensaje; indíquelo una sola vez',
  },
  currencies: {
    de: 'Währungen',
    es: 'monedas',
  },
  '{named} and {n} more': {
    de: '{named} und {n} weitere',
    es: '{named} y {n} más',
  },
});
