/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  '`failure` is only for the outcome FAILED; leave it out': {
    de: 'failure gilt nur für den Ausgang FAILED; lassen Sie es weg',
    es: 'failure es solo para el resultado FAILED; quítelo',
  },
  'the refund was canceled; if you have paid it, set the payment off against the next refund of the order': {
    de: 'sie wurde storniert; falls Sie sie bezahlt haben, verrechnen Sie die Zahlung mit der nächsten Erstattung des Auftrags',
    es: 'se anuló; si lo ha pagado, descuente el pago del siguiente reembolso del pedido',
  },
  'There is no refund {refundId}; list the refunds with GET {path}': {
    de: 'Die Erstattung {refundId} gibt es nicht.',
    es: 'No hay ningún reembolso {refundId}.',
  },
  'Refund {id} was not changed: {why}.': {
    de: 'Erstattung {id} wurde nicht geändert: {why}.',
    es: 'El reembolso {id} no se cambió: {why}.',
  },
  'send exactly one of {names}; the message has {part}': {
    de: 'senden Sie genau eines von {names}; die Nachricht hat {part}',
    es: 'envíe exactamente uno de {names}; el mensaje tiene {part}',
  },
  'the client has no node {expectedNodeId}; send the nodeId of one of its nodes': {
    de: 'den Standort {expectedNodeId} des Mandanten gibt es nicht; senden Sie seine nodeId',
    es: 'no hay ningún centro {expectedNodeId} de la empresa; envíe su nodeId',
  },
  'expiresAt is in the past; send a later time': {
    de: 'expiresAt ist vorbei; nehmen Sie einen Zeitpunkt in der Zukunft',
    es: 'expiresAt ya pasó; elija un momento futuro',
  },
  'the message has returnId and goods; send returnId alone, or storeId and lines': {
    de: 'die Nachricht hat returnId und Ware; senden Sie nur returnId, oder storeId und Zeilen',
    es: 'el mensaje tiene returnId y mercancía; envíe solo returnId, o storeId y líneas',
  },
  '{name} is missing; send storeId and lines, or returnId': {
    de: '{name} fehlt; senden Sie storeId und Zeilen, oder returnId',
    es: 'falta {name}; envíe storeId y líneas, o returnId',
  },
  'neither position nor itemId': {
    de: 'weder Position noch Artikel',
    es: 'ni posición ni artículo',
  },
  'both position and itemId': {
    de: 'Position und Artikel',
    es: 'posición y artículo',
  },
  'the line has {both}; send one of them': {
    de: 'die Zeile hat {both}; senden Sie eines davon',
    es: 'la línea tiene {both}; envíe uno de los dos',
  },
  'a line of a correction needs `position`; send `position` instead of `itemId`': {
    de: 'eine Zeile einer Korrektur braucht position; senden Sie position statt itemId',
    es: 'una línea de una corrección necesita position; envíe position en vez de itemId',
  },
  '`quantity` is {quantity}, but must be negative in a receipt with `corrects`; send a negative number, or leave `corrects` out':
    {
      de: 'die Menge ist {quantity}, eine Korrektur nimmt aber Stücke zurück; senden Sie eine negative Menge, oder lassen Sie corrects weg',
      es: 'la cantidad es {quantity}, pero una corrección retira unidades; envíe una cantidad negativa o quite corrects',
    },
  '`quantity` is {quantity}; send 1 or more, or name the receipt to correct in `corrects`': {
    de: 'die Menge ist {quantity}; senden Sie 1 oder mehr, oder nennen Sie die Annahme, die korrigiert wird',
    es: 'la cantidad es {quantity}; envíe 1 o más, o indique la recepción que se corrige',
  },
  'a key of the group `fulfillment`': {
    de: 'einen Schlüssel der Gruppe `fulfillment`',
    es: 'una clave del grupo `fulfillment`',
  },
  'the permission `fulfillment.read`': {
    de: 'die Berechtigung `fulfillment.read`',
    es: 'el permiso `fulfillment.read`',
  },
  'a search by `customer` needs {what}; search by a number instead': {
    de: 'eine Suche mit `customer` braucht {what}; suchen Sie stattdessen nach einer Nummer',
    es: 'una búsqueda por `customer` necesita {what}; busque en su lugar por un número',
  },
  'a key of the group `supervise`': {
    de: 'einen Schlüssel der Gruppe `supervise`',
    es: 'una clave del grupo `supervise`',
  },
  'the permission `supervise`': {
    de: 'die Berechtigung `supervise`',
    es: 'el permiso `supervise`',
  },
  'overrideReason needs {what}; leave it out, or ask a lead': {
    de: 'overrideReason braucht {what}; lassen Sie es weg, oder bitten Sie die Leitung',
    es: 'overrideReason necesita {what}; quítelo o pídaselo a un responsable',
  },
  'there is no order {id}; send the fulfillmentOrderId of an order of the client': {
    de: 'den Auftrag {id} gibt es nicht; nennen Sie einen Auftrag des Mandanten',
    es: 'no hay ningún pedido {id}; indique un pedido de la empresa',
  },
  'order {id} has no line {webLineId}; send a webLineId of the order': {
    de: 'Auftrag {id} hat keine Position {webLineId}; nennen Sie eine Position des Auftrags',
    es: 'el pedido {id} no tiene la línea {webLineId}; indique una línea del pedido',
  },
  'the client has no reasons; leave `reason` out': {
    de: 'der Mandant hat keine Gründe; lassen Sie `reason` weg',
    es: 'la empresa no tiene motivos; no envíe `reason`',
  },
  'the client has no reason {reason}; send one of {codes}, or leave `reason` out': {
    de: '{reason} ist kein Grund des Mandanten; nehmen Sie einen von {codes}, oder lassen Sie `reason` weg',
    es: '{reason} no es un motivo de la empresa; use uno de {codes}, o no envíe `reason`',
  },
  '`note` is missing; the reason {code} needs a note, so describe the reason in `note`': {
    de: 'der Grund {code} braucht eine Notiz; sagen Sie ihn in Worten',
    es: 'el motivo {code} necesita una nota; dígalo con palabras',
  },
  'the client has no condition {condition}; send one of {codes}': {
    de: '{condition} ist kein Zustand des Mandanten; nehmen Sie einen von {codes}',
    es: '{condition} no es un estado de la empresa; use uno de {codes}',
  },
  'the line has neither condition nor disposition; send one of them': {
    de: 'die Zeile hat weder Zustand noch Verbleib; nennen Sie eines davon',
    es: 'la línea no tiene estado ni destino; indique uno de los dos',
  },
  'the client has no item {itemId}; send the itemId of one of its items': {
    de: 'den Artikel {itemId} des Mandanten gibt es nicht; senden Sie seine itemId',
    es: 'no hay ningún artículo {itemId} de la empresa; envíe su itemId',
  },
  '`after` must be `next` of the previous page': {
    de: '`after` muss next der vorigen Seite sein',
    es: '`after` debe ser next de la página anterior',
  },
  'Store {storeId} has no return {number}.': {
    de: 'Der Webshop {storeId} hat keine Retoure {number}.',
    es: 'La tienda web {storeId} no tiene ninguna devolución {number}.',
  },
  'There is no return with the id {returnId}; paths of a node have the returnId, not the number.': {
    de: 'Eine Retoure mit der ID {returnId} gibt es nicht; Pfade eines Standorts haben die returnId, nicht die Nummer.',
    es: 'No hay ninguna devolución con el id {returnId}; las rutas de un centro llevan returnId, no el número.',
  },
  'Return {number} was removed.': {
    de: 'Die Retoure {number} wurde entfernt.',
    es: 'La devolución {number} se eliminó.',
  },
  'the client has no store {storeId}; send the storeId of one of its stores': {
    de: 'den Webshop {storeId} des Mandanten gibt es nicht; nennen Sie seine storeId',
    es: 'no hay ninguna tienda web {storeId} de la empresa; envíe su storeId',
  },
  'you have no access to store {storeId}; send a store that you have access to': {
    de: 'Sie haben keinen Zugang zum Webshop {storeId}; nehmen Sie einen eigenen',
    es: 'no tiene acceso a la tienda web {storeId}; use una de las suyas',
  },
  'webLineId needs its order; send fulfillmentOrderId too': {
    de: 'webLineId braucht ihren Auftrag; senden Sie auch fulfillmentOrderId',
    es: 'webLineId necesita su pedido; envíe también fulfillmentOrderId',
  },
  'the line has neither webLineId nor itemId; send webLineId with fulfillmentOrderId, or itemId': {
    de: 'die Zeile hat weder webLineId noch itemId; senden Sie webLineId mit fulfillmentOrderId, oder itemId',
    es: 'la línea no tiene webLineId ni itemId; envíe webLineId con fulfillmentOrderId, o itemId',
  },
  'line {webLineId} of the order is item {itemId}; send that itemId, or leave it out': {
    de: 'Position {webLineId} des Auftrags ist Artikel {itemId}; senden Sie diese itemId, oder lassen Sie sie weg',
    es: 'la línea {webLineId} del pedido es el artículo {itemId}; envíe ese itemId o no lo envíe',
  },
  'order {fulfillmentOrderId} has no item {itemId}; send an item of the order, or leave the order out': {
    de: 'Auftrag {fulfillmentOrderId} hat keinen Artikel {itemId}; nennen Sie einen Artikel des Auftrags, oder lassen Sie den Auftrag weg',
    es: 'el pedido {fulfillmentOrderId} no tiene el artículo {itemId}; indique un artículo del pedido o no envíe el pedido',
  },
  'the refund is DONE and cannot change; only the same content can be sent again': {
    de: 'sie ist erledigt (DONE) und bleibt so; senden Sie denselben Inhalt wie zuvor',
    es: 'está hecho (DONE) y así queda; envíe el mismo contenido que antes',
  },
  none: {
    de: 'keines',
    es: 'ninguno',
  },
  'line {line} has two exchanges in this message; send only one': {
    de: 'Position {line} hat in dieser Nachricht noch einen Umtausch; nennen Sie einen',
    es: 'la línea {line} tiene otro cambio en este mensaje; indique uno',
  },
  'the return of this message has at most {count} {count|line|lines}; send a line number from 1 to {count}': {
    de: 'die Retoure dieser Nachricht hat höchstens {count} {count|Position|Positionen}; senden Sie eine Positionsnummer von 1 bis {count}',
    es: 'la devolución de este mensaje tiene como máximo {count} {count|línea|líneas}; envíe un número de línea de 1 a {count}',
  },
});
