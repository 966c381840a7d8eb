/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  "'{field}' is missing; the outcome RESOURCE needs it": {
    de: "'{field}' fehlt; RESOURCE braucht es",
    es: "falta '{field}'; RESOURCE lo necesita",
  },
  "'{field}' is for the outcome RESOURCE only; remove it": {
    de: "'{field}' gilt nur für RESOURCE; entfernen Sie es",
    es: "'{field}' es solo para RESOURCE; quítelo",
  },
  "'reasonCode' is for the outcome CANCEL only; remove it": {
    de: "'reasonCode' gilt nur für CANCEL; entfernen Sie es",
    es: "'reasonCode' es solo para CANCEL; quítelo",
  },
  'there is no node {name} for these credentials; send another nodeId': {
    de: 'der Standort {name} ist für diesen Zugang nicht da; nennen Sie eine andere nodeId',
    es: 'no hay ningún centro {name} para estas credenciales; envíe otro nodeId',
  },
  'node {name} had these units before; send a nodeId other than {had}': {
    de: 'Standort {name} hatte diese Stücke schon; nehmen Sie keinen von {had}',
    es: 'el centro {name} ya tuvo estas unidades; no elija ninguno de {had}',
  },
  'node {name} does not fulfill {type} orders; send another nodeId': {
    de: 'Standort {name} bearbeitet {type} nicht; nehmen Sie einen anderen',
    es: 'el centro {name} no trabaja con {type}; elija otro',
  },
  'item {itemId} has no countryOfOrigin, which an order from {from} to another country needs; add it to the item, or send another nodeId':
    {
      de: 'Artikel {itemId} hat kein Ursprungsland, das ein Auftrag von {from} in ein anderes Land braucht; nehmen Sie einen anderen Standort',
      es: 'el artículo {itemId} no tiene país de origen, que un pedido de {from} a otro país necesita; elija otro centro',
    },
  'outcome RESOURCE (node {newNodeId}, order {newFulfillmentOrderId})': {
    de: 'RESOURCE am Standort {newNodeId} als Auftrag {newFulfillmentOrderId}',
    es: 'RESOURCE en el centro {newNodeId} como pedido {newFulfillmentOrderId}',
  },
  'The request is already closed with {what}; its outcome cannot be changed.': {
    de: 'Die Neuzuteilung ist schon mit {what} geschlossen; ihr Ausgang lässt sich nicht ändern.',
    es: 'La reasignación ya está cerrada con {what}; su resultado no se puede cambiar.',
  },
  'There is an order {orderId} already; nothing was changed. Choose another fulfillmentOrderId.': {
    de: 'Den Auftrag {orderId} gibt es schon; nichts wurde geändert. Wählen Sie eine andere fulfillmentOrderId.',
    es: 'Ya hay un pedido {orderId}; no se cambió nada. Elija otro fulfillmentOrderId.',
  },
  'The customer’s data of order {fulfillmentOrderId} is anonymized, so no order can be created from it; send CANCEL.': {
    de: 'Die Kundendaten von Auftrag {fulfillmentOrderId} sind anonymisiert, daraus lässt sich kein Auftrag machen; senden Sie CANCEL.',
    es: 'Los datos del cliente del pedido {fulfillmentOrderId} están anonimizados, así que no se puede crear otro pedido; envíe CANCEL.',
  },
  '{order} has {wanted} {wanted|unit|units} of line {webLineId} to pack, so {quantity} cannot be declined; nothing was declined.':
    {
      de: '{order} hat von Position {webLineId} {wanted} Stück zu verpacken, {quantity} können also nicht abgelehnt werden; nichts wurde abgelehnt.',
      es: '{order} tiene {wanted} {wanted|unidad|unidades} de la línea {webLineId} por empaquetar, así que no se pueden rechazar {quantity}; no se rechazó nada.',
    },
  '{order} is {state}, but units can be declined here only while the order waits for pack (1200); in other states, cancel them in the CONFIRM of the pick ticket or check-in.':
    {
      de: '{order} ist {state}; hier werden Stücke beim Packen (1200) abgelehnt, sonst beim Bestätigen des Scheins oder Check-ins.',
      es: '{order} está {state}; aquí se rechazan unidades al empaquetar (1200); si no, al confirmar su hoja o su llegada.',
    },
  'order {orderId} is in the message twice; send it once': {
    de: 'Auftrag {orderId} steht zweimal in der Nachricht; senden Sie ihn einmal',
    es: 'el pedido {orderId} figura dos veces en el mensaje; envíelo una sola vez',
  },
  'There is no fulfillment order {fulfillmentOrderId} at this node; check its id.': {
    de: 'Den Auftrag {fulfillmentOrderId} gibt es an diesem Standort nicht; prüfen Sie die Nummer.',
    es: 'No hay ningún pedido {fulfillmentOrderId} en este centro; compruebe el número.',
  },
  ', on pick ticket {pickTicketId}': {
    de: ', auf Schein {pickTicketId}',
    es: ', en la hoja {pickTicketId}',
  },
  '{order} is {state}{ticket}; only orders that wait for pick can be declined as a whole.': {
    de: '{order} ist {state}{ticket}; ganz abgelehnt werden nur Aufträge, die aufs Picken warten.',
    es: '{order} está {state}{ticket}; solo se rechazan enteros los pedidos que esperan preparación.',
  },
  'There is no hold on item {item} at node {node}.': {
    de: 'Standort {node} sperrt Artikel {item} nicht.',
    es: 'El centro {node} no bloquea el artículo {item}.',
  },
  'the request is {status}; only OPEN requests can be closed': {
    de: 'die Neuzuteilung ist {status}; nur offene (OPEN) können geschlossen werden',
    es: 'la reasignación está {status}; solo se cierran las abiertas (OPEN)',
  },
  'There is no re-source request {request} of store {store}; list the requests to find its id.': {
    de: 'Die Neuzuteilung {request} des Webshops {store} gibt es nicht; suchen Sie sie in der Liste.',
    es: 'No hay ninguna reasignación {request} de la tienda web {store}; búsquela en la lista.',
  },
});
