/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  'the order has no unit to bring back to the shelf': {
    de: 'kein Stück des Auftrags muss zurückgeräumt werden',
    es: 'ninguna unidad del pedido espera volver al estante',
  },
  'the order has no open re-source request': {
    de: 'der Auftrag hat keine offene Neuzuteilung',
    es: 'el pedido no tiene ninguna reasignación abierta',
  },
  'no unit is left that can be canceled': {
    de: 'es gibt kein Stück mehr, das storniert werden kann',
    es: 'no queda ninguna unidad que se pueda anular',
  },
  'too many wrong PINs were sent; the PIN is locked until {pinLockedUntil}': {
    de: 'die PIN war zu oft falsch und ist bis {pinLockedUntil} gesperrt',
    es: 'el PIN fue incorrecto demasiadas veces; está bloqueado hasta {pinLockedUntil}',
  },
  'reverse pick ticket {pickTicketId}': {
    de: 'Rückräumschein {pickTicketId}',
    es: 'la hoja de devolución al estante {pickTicketId}',
  },
  'the order is {goodsToReturn}; bring its units back to the shelf with {ticket}': {
    de: 'der Auftrag ist {goodsToReturn}; räumen Sie ihn mit {ticket} zurück',
    es: 'el pedido está {goodsToReturn}; devuélvalo al estante con {ticket}',
  },
  ', on pick ticket {pickTicketId}': {
    de: ', auf Schein {pickTicketId}',
    es: ', en la hoja {pickTicketId}',
  },
  'the order is {status}{until}{held}; the action {action} is allowed only in status {states}': {
    de: 'der Auftrag ist {status}{until}{held}; {action} geht nur bei {states}',
    es: 'el pedido está {status}{until}{held}; {action} solo es posible en {states}',
  },
  '{field} {commandId} was used at another node, and nothing was changed; send a new request with a new id.': {
    de: '{field} {commandId} wurde schon an einem anderen Standort verwendet, und nichts wurde geändert; senden Sie eine neue Anfrage mit neuer Nummer.',
    es: '{field} {commandId} ya se usó en otro centro y no se cambió nada; envíe una solicitud nueva con otro identificador.',
  },
  '{field} {commandId} was used with other content, and nothing was changed; send a new request with a new id.': {
    de: '{field} {commandId} wurde schon mit anderem Inhalt verwendet, und nichts wurde geändert; senden Sie eine neue Anfrage mit neuer Nummer.',
    es: '{field} {commandId} ya se usó con otro contenido y no se cambió nada; envíe una solicitud nueva con otro identificador.',
  },
  "'name' of '{field}' has {words} words; send at most {nameWordsMax}": {
    de: "'name' von '{field}' hat {words} Wörter, erlaubt sind höchstens {nameWordsMax}",
    es: "'name' de '{field}' tiene {words} palabras; el máximo es {nameWordsMax}",
  },
  "'{end}' has no letter or digit; send a postal code": {
    de: "'{end}' hat weder Buchstabe noch Ziffer; geben Sie eine Postleitzahl ein",
    es: "'{end}' no tiene letras ni cifras; escriba un código postal",
  },
  "'from' of '{field}' is after 'to'; swap them": {
    de: "'from' von '{field}' liegt nach 'to'; vertauschen Sie beide",
    es: "'from' de '{field}' es posterior a 'to'; intercámbielos",
  },
  'the items of the lines {names} must ship together (shipTogether), but are in the boxes {ids}; put them into one box':
    {
      de: 'Artikel der Positionen {names} gehen zusammen (shipTogether), liegen aber in den Kartons {ids}',
      es: 'los artículos de las líneas {names} van juntos (shipTogether), pero están en las cajas {ids}',
    },
  'node {node} declined item {item} ({reason}) and accepts no new orders for it now; send another node, or wait until the hold ends':
    {
      de: 'Artikel {item} ist am Standort {node} gesperrt, der ihn abgelehnt hat ({reason}); nehmen Sie einen anderen Standort, oder warten Sie, bis die Sperre endet',
      es: 'el artículo {item} está bloqueado en el centro {node}, que lo rechazó ({reason}); elija otro centro o espere a que acabe el bloqueo',
    },
  'There is no fulfillment order {order} of store {store}; check its id.': {
    de: 'Den Auftrag {order} des Webshops {store} gibt es nicht; prüfen Sie die Nummer.',
    es: 'No hay ningún pedido {order} de la tienda web {store}; compruebe el número.',
  },
  'reasonCode {code} is not known; send one of {known}{hint}': {
    de: 'reasonCode {code} ist nicht bekannt; senden Sie einen von {known}{hint}',
    es: 'reasonCode {code} no se conoce; envíe uno de {known}{hint}',
  },
  'line {name} is in the message twice; send it once': {
    de: 'Position {name} steht zweimal in der Nachricht; senden Sie sie einmal',
    es: 'la línea {name} figura dos veces en el mensaje; envíela una sola vez',
  },
  'the order has no line {name}; send one of its lines: {names}': {
    de: 'der Auftrag hat keine Position {name}; seine Positionen sind {names}',
    es: 'el pedido no tiene la línea {name}; sus líneas son {names}',
  },
  'quantity {quantity} is more than the {ordered} {ordered|unit|units} that line {name} orders; send at most {ordered}':
    {
      de: 'Menge {quantity} ist mehr, als Position {name} bestellt; möglich sind höchstens {ordered} Stück',
      es: 'la cantidad {quantity} supera lo que pide la línea {name}; como máximo {ordered}',
    },
  "; did you mean '{near}'?": {
    de: "; meinten Sie '{near}'?",
    es: "; ¿quería decir '{near}'?",
  },
  "'{field}' must be one of {names}{hint} (got {queueId})": {
    de: "'{field}' muss einer von {names} sein{hint} (erhalten: {queueId})",
    es: "'{field}' debe ser uno de {names}{hint} (recibido: {queueId})",
  },
  'There is no fulfillment order {name} of store {where} at node {at}.': {
    de: 'Den Auftrag {name} des Webshops {where} gibt es am Standort {at} nicht.',
    es: 'No hay ningún pedido {name} de la tienda web {where} en el centro {at}.',
  },
  'Fulfillment order {fulfillmentOrderId}': {
    de: 'Auftrag {fulfillmentOrderId}',
    es: 'Pedido {fulfillmentOrderId}',
  },
  '{order} has status {status}; {next}.': {
    de: '{order} hat den Status {status}; {next}.',
    es: '{order} tiene el estado {status}; {next}.',
  },
  'all remaining units are canceled; bring them back to the shelf with the reverse pick ticket': {
    de: 'alle übrigen Stücke sind storniert; räumen Sie sie mit dem Rückräumschein zurück',
    es: 'todas las unidades restantes están anuladas; devuélvalas al estante con su hoja',
  },
  '{available} of {itemId} at {nodeId} ({wanted} wanted)': {
    de: '{available} von {itemId} am Standort {nodeId} (gewünscht: {wanted})',
    es: '{available} de {itemId} en {nodeId} (pedidas: {wanted})',
  },
  ' and {n} more {n|item|items}': {
    de: ' und {n} {n|weiterer|weitere} Artikel',
    es: ' y {n} {n|artículo|artículos} más',
  },
  'Too few units are available: {named}{others}. No order was created; send fewer units, or name another node.': {
    de: 'Der Standort verspricht nur verfügbare Stücke: {named}{others}. Nichts wurde übernommen; senden Sie weniger Stück, oder einen anderen Standort.',
    es: 'El centro solo promete unidades disponibles: {named}{others}. No se registró nada; envíe menos unidades u otro centro.',
  },
  generate: {
    de: 'Schein erstellen',
    es: 'generar la hoja',
  },
  confirm: {
    de: 'Bestätigen',
    es: 'confirmar',
  },
  reset: {
    de: 'Zurückgeben',
    es: 'devolver la hoja',
  },
  handOver: {
    de: 'Übergeben',
    es: 'entregar',
  },
  cancel: {
    de: 'Stornieren',
    es: 'anular',
  },
  bringBack: {
    de: 'Zurückräumen',
    es: 'devolver al estante',
  },
  pack: {
    de: 'Verpacken',
    es: 'empaquetar',
  },
  packSlip: {
    de: 'Lieferschein',
    es: 'la nota de entrega',
  },
  decline: {
    de: 'Ablehnen',
    es: 'rechazar',
  },
  resource: {
    de: 'Neu zuteilen',
    es: 'reasignar',
  },
  saveCheckIn: {
    de: 'Check-in speichern',
    es: 'guardar la llegada',
  },
  confirmCheckIn: {
    de: 'Check-in bestätigen',
    es: 'confirmar la llegada',
  },
  deliver: {
    de: 'Zustellen',
    es: 'repartir',
  },
});
