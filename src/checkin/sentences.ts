/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  '{name} is held until {until} ({state}); check it in after that.': {
    de: '{name} ist bis {until} zurückgehalten ({state}); checken Sie ihn danach ein.',
    es: '{name} está retenido hasta {until} ({state}); regístrelo después.',
  },
  'Fulfillment order {fulfillmentOrderId} is already checked in ({state}), and its check-in can no longer change; read the check-in details to see the confirmed quantities.':
    {
      de: 'Auftrag {fulfillmentOrderId} ist schon eingecheckt ({state}), und sein Check-in lässt sich nicht mehr ändern; die bestätigten Mengen stehen im Check-in.',
      es: 'El pedido {fulfillmentOrderId} ya está registrado ({state}) y su registro ya no cambia; las cantidades confirmadas están en sus datos de llegada.',
    },
  'Fulfillment order {fulfillmentOrderId} is {fulfillmentType}; only SHIP_TO_STORE orders are checked in. Look for the order on the queues of its type.':
    {
      de: 'Auftrag {fulfillmentOrderId} ist vom Typ {fulfillmentType}; eingecheckt werden nur Aufträge vom Typ SHIP_TO_STORE. Suchen Sie ihn in der Warteschlange seines Typs.',
      es: 'El pedido {fulfillmentOrderId} es de tipo {fulfillmentType}; solo se registran pedidos SHIP_TO_STORE. Búsquelo en la cola de su tipo.',
    },
  'the order has no such package; send one of its packages: {ids}': {
    de: 'das Paket gehört nicht zum Auftrag; seine Pakete sind {ids}',
    es: 'el pedido no tiene ese paquete; sus paquetes son {ids}',
  },
  'the package is in the message twice; send it once': {
    de: 'das Paket steht zweimal in der Liste; nennen Sie es einmal',
    es: 'el paquete figura dos veces; indíquelo una sola vez',
  },
  "'holdLocation' is missing; the action CONFIRM needs the location of the goods": {
    de: "'holdLocation' fehlt; zum Bestätigen gehört der Platz, an dem die Ware wartet",
    es: "falta 'holdLocation'; para confirmar hace falta el lugar donde espera la mercancía",
  },
  "'checkInPackages' is empty; list the packages to save, or send 'holdLocation'": {
    de: "'checkInPackages' ist leer; nennen Sie die Pakete, die gespeichert werden sollen, oder senden Sie 'holdLocation'",
    es: "'checkInPackages' está vacío; indique los paquetes que se guardan o envíe 'holdLocation'",
  },
  "'{name}' does not match this order; send the value from the check-in details, or leave it out": {
    de: "'{name}' weicht vom Wert dieses Auftrags ab; senden Sie den Wert aus dem Check-in oder lassen Sie ihn weg",
    es: "'{name}' difiere del valor de este pedido; envíe el de los datos de llegada o no lo envíe",
  },
  "'trackingNumber' does not match this package; leave it out": {
    de: "'trackingNumber' gehört nicht zu diesem Paket; lassen Sie sie weg",
    es: "'trackingNumber' no es de este paquete; no lo envíe",
  },
  'the package has no such line; send one of its lines: {lines}': {
    de: 'das Paket hat diese Position nicht; seine Positionen sind {lines}',
    es: 'el paquete no tiene esa línea; sus líneas son {lines}',
  },
  'the line is in this package twice; send it once': {
    de: 'die Position steht zweimal in diesem Paket; nennen Sie sie einmal',
    es: 'la línea figura dos veces en este paquete; indíquela una sola vez',
  },
  "'itemId' does not match the line; send {itemId}": {
    de: "'itemId' gehört nicht zu dieser Position; senden Sie {itemId}",
    es: "'itemId' no es el de la línea; envíe {itemId}",
  },
  "'quantity' must be {quantity}, the units of the line in the package": {
    de: "'quantity' muss die Menge des Pakets sein: {quantity}",
    es: "'quantity' debe ser la del paquete: {quantity}",
  },
  "'checkInQuantity' and 'checkInCanceledQuantity' are {sum} together, but the package has {quantity}; lower one of them":
    {
      de: "'checkInQuantity' und 'checkInCanceledQuantity' ergeben zusammen {sum}, das Paket hat aber {quantity}; verringern Sie eine Menge",
      es: "'checkInQuantity' y 'checkInCanceledQuantity' suman {sum}, pero el paquete tiene {quantity}; reduzca una cantidad",
    },
  "'checkInQuantity' and 'checkInCanceledQuantity' are {sum} together; in a CONFIRM the sum must be {quantity}": {
    de: "'checkInQuantity' und 'checkInCanceledQuantity' ergeben zusammen {sum}; zum Bestätigen muss die Summe {quantity} sein",
    es: "'checkInQuantity' y 'checkInCanceledQuantity' suman {sum}; para confirmar, la suma debe ser {quantity}",
  },
  'line {webLineId}': {
    de: 'Position {webLineId}',
    es: 'la línea {webLineId}',
  },
  'package {name} is missing and has no saved quantities; add it': {
    de: 'Paket {name} fehlt in der Liste und hat keine gespeicherten Mengen; nennen Sie es',
    es: 'el paquete {name} no figura y no tiene cantidades guardadas; indíquelo',
  },
  'line {webLineId} of package {name}': {
    de: 'Position {webLineId} von Paket {name}',
    es: 'la línea {webLineId} del paquete {name}',
  },
  '{where} is missing, and only {sum} of its {quantity} {quantity|unit|units} {sum|is|are} confirmed or canceled so far; add the line':
    {
      de: '{where} fehlt in der Liste, und von {quantity} Stück {sum|ist|sind} bisher {sum} erfasst; nennen Sie sie',
      es: '{where} no figura, y de {quantity|su|sus} {quantity} {quantity|unidad|unidades} hay {sum} {sum|registrada|registradas}; indíquela',
    },
});
