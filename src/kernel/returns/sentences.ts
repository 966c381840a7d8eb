/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../../platform/message/sentence.ts';

export const say = sentences({
  'the return has no line {position}; send one of its lines, 1 to {count}': {
    de: 'die Retoure hat die Positionen 1 bis {count}, nicht {position}; nennen Sie eine davon',
    es: 'la devolución tiene las líneas 1 a {count}, no {position}; indique una de ellas',
  },
  ' (held at node {nodeId})': {
    de: ' (gesperrt am Standort {nodeId})',
    es: ' (retenida en el centro {nodeId})',
  },
  'line {position}{at}': {
    de: 'Position {position}{at}',
    es: 'la línea {position}{at}',
  },
  'line {position} has an order already; send a line without an order': {
    de: 'Position {position} hat schon einen Auftrag; nennen Sie eine Position ohne Auftrag',
    es: 'la línea {position} ya tiene pedido; indique una línea sin pedido',
  },
  'the order line has item {itemId}, but the units are of item {itemId2}; send the webLineId of a line with item {itemId2}':
    {
      de: 'die Position des Auftrags ist Artikel {itemId}, die Stücke sind Artikel {itemId2}; nennen Sie eine Position mit Artikel {itemId2}',
      es: 'la línea del pedido es el artículo {itemId}, las unidades son el artículo {itemId2}; indique una línea con el artículo {itemId2}',
    },
  'line {webLineId} of order {fulfillmentOrderId}': {
    de: 'Position {webLineId} von Auftrag {fulfillmentOrderId}',
    es: 'la línea {webLineId} del pedido {fulfillmentOrderId}',
  },
  'the order belongs to store {storeId}; return its goods in that store': {
    de: 'der Auftrag gehört zum Webshop {storeId}; nehmen Sie ihn dort zurück',
    es: 'el pedido es de la tienda web {storeId}; devuélvalo allí',
  },
  '{handedOver} {handedOver|unit|units} of {name} {handedOver|was|were} handed over, not {units}; send at most {max}': {
    de: 'von {name} {handedOver|wurde|wurden} {handedOver} Stück übergeben, nicht {units}; möglich sind höchstens {max}',
    es: 'de {name} {handedOver|se entregó|se entregaron} {handedOver} {handedOver|unidad|unidades}, no {units}; como máximo {max}',
  },
  '{left} {left|unit|units} of {name} can still be returned, not {units}: {cameBack} {cameBack|was|were} returned already and {comingBack} {comingBack|is|are} on the way':
    {
      de: 'von {name} können noch {left} Stück zurückkommen, nicht {units}: {cameBack} kamen zurück, {comingBack} sind unterwegs',
      es: 'de {name} aún pueden volver {left} {left|unidad|unidades}, no {units}: {cameBack} volvieron y {comingBack} están en camino',
    },
  'item {itemId} is excluded from returns by the setting returns.excluded': {
    de: 'Artikel {itemId} ist nach der Einstellung returns.excluded von Retouren ausgenommen',
    es: 'el artículo {itemId} está excluido de devoluciones por el ajuste returns.excluded',
  },
  '{name} could be returned until {until}; after that, a lead can accept the return with overrideReason': {
    de: '{name} konnte bis {until} zurückgegeben werden; die Leitung kann eine Ausnahme machen',
    es: '{name} se podía devolver hasta {until}; un responsable puede hacer una excepción',
  },
  ' (and {n} more {n|error|errors} in `lines`)': {
    de: ' (und {n} {n|weiterer|weitere} Fehler in `lines`)',
    es: ' (y {n} {n|error|errores} más en `lines`)',
  },
  '{pointer}: {message}{more}; nothing was changed.': {
    de: '{pointer}: {message}{more}; nichts wurde geändert.',
    es: '{pointer}: {message}{more}; no se cambió nada.',
  },
  'the client accepts no returns without an order; send fulfillmentOrderId and webLineId for item {itemId}': {
    de: 'der Mandant nimmt nichts ohne Auftrag zurück; nennen Sie den Auftrag von Artikel {itemId}',
    es: 'la empresa no acepta nada sin su pedido; indique el pedido del artículo {itemId}',
  },
  'the customer keeps all units of line {line}; leave its exchange out': {
    de: 'der Kunde behält alle Stücke von Position {line}; lassen Sie ihren Umtausch weg',
    es: 'el cliente se queda con todas las unidades de la línea {line}; omita su cambio',
  },
  'the return has no line {line}; send one of its lines, 1 to {count}': {
    de: 'die Retoure hat die Positionen 1 bis {count}, nicht {line}; nennen Sie eine davon',
    es: 'la devolución tiene las líneas 1 a {count}, no {line}; indique una de ellas',
  },
  'the return has no line {position}; send one of its lines, 1 to {count}, or itemId': {
    de: 'die Retoure hat die Positionen 1 bis {count}, nicht {position}; nennen Sie eine davon oder den Artikel',
    es: 'la devolución tiene las líneas 1 a {count}, no {position}; indique una de ellas o el artículo',
  },
  'the return has no receipt {corrects} that can be corrected; send the id of one of its receipts that is not a correction':
    {
      de: 'die Retoure hat keine Annahme {corrects}, die korrigiert werden kann; nennen Sie eine ihrer Annahmen, keine Korrektur',
      es: 'la devolución no tiene ninguna recepción {corrects} que se pueda corregir; indique una de sus recepciones, no una corrección',
    },
  'line {position} ({disposition}, receipt {receiptId})': {
    de: 'Position {position} ({disposition}, Annahme {receiptId})',
    es: 'línea {position} ({disposition}, recepción {receiptId})',
  },
  'Nothing was changed in return {number} ({status}): {reason}.': {
    de: 'An Retoure {number} ({status}) wurde nichts geändert: {reason}.',
    es: 'No se cambió nada en la devolución {number} ({status}): {reason}.',
  },
  'Return {number} must be received at node {nodeIds}, not at {nodeId}; nothing was changed. Send the request for node {nodeIds}.':
    {
      de: 'Retoure {number} wird am Standort {nodeIds} angenommen, nicht an {nodeId}; nichts wurde geändert. Senden Sie die Anfrage für diesen Standort.',
      es: 'La devolución {number} se recibe en el centro {nodeIds}, no en {nodeId}; no se cambió nada. Envíe la solicitud para ese centro.',
    },
  'The return expects {open} {open|unit|units} of item {itemId} at this node, not {quantity}.': {
    de: 'Die Retoure erwartet hier {open} Stück von Artikel {itemId}, nicht {quantity}.',
    es: 'La devolución espera aquí {open} {open|unidad|unidades} del artículo {itemId}, no {quantity}.',
  },
  ' `refusals` lists {n} more {n|line|lines} with too many units.': {
    de: ' {n} {n|weitere Zeile|weitere Zeilen} mit zu vielen Stücken {n|steht|stehen} in `refusals`.',
    es: ' `refusals` indica {n} {n|línea|líneas} más con demasiadas unidades.',
  },
  '{description}{more} Nothing was changed. Count the units of return {number} again, or send the receipt with over: true.':
    {
      de: '{description}{more} Nichts wurde geändert. Zählen Sie die Stücke der Retoure {number} noch einmal, oder nehmen Sie sie trotzdem an.',
      es: '{description}{more} No se cambió nada. Cuente de nuevo las unidades de la devolución {number} o recíbala de todos modos.',
    },
  'the request takes {units} {units|unit|units} of {where}, which has only {limit}; take at most {limit}': {
    de: '{units} Stück von {where} sollen weg, es gibt aber nur {limit}; möglich sind höchstens {limit}',
    es: 'se toman {units} {units|unidad|unidades} de {where}, pero solo hay {limit}; como máximo {limit}',
  },
  '{userId} booked a receipt of return {number}, and the refunds of the return would sum to more than {limit}; another user must match the units.':
    {
      de: '{userId} hat an Retoure {number} mitgebucht, und ihre Erstattungen wären mehr als {limit}; eine andere Person muss die Ware zuordnen.',
      es: '{userId} registró una recepción de la devolución {number}, y sus reembolsos sumarían más de {limit}; debe asignar las unidades otra persona.',
    },
  '{userId} booked a receipt of return {number}, and the refunds of the return would sum to more than {limit}; another user must decide on the units.':
    {
      de: '{userId} hat an Retoure {number} mitgebucht, und ihre Erstattungen wären mehr als {limit}; eine andere Person muss über die Ware entscheiden.',
      es: '{userId} registró una recepción de la devolución {number}, y sus reembolsos sumarían más de {limit}; debe decidir sobre las unidades otra persona.',
    },
  '{userId} booked a receipt of return {number}, and the refunds of the return sum to more than {limit}; another user must close the return.':
    {
      de: '{userId} hat an Retoure {number} mitgebucht, und ihre Erstattungen sind mehr als {limit}; eine andere Person muss sie abschließen.',
      es: '{userId} registró una recepción de la devolución {number}, y sus reembolsos suman más de {limit}; debe cerrarla otra persona.',
    },
  'the return is closed; reopen it first': {
    de: 'die Retoure ist abgeschlossen; öffnen Sie sie zuerst wieder',
    es: 'la devolución está cerrada; reábrala primero',
  },
  'only a closed return can be reopened': {
    de: 'nur eine abgeschlossene Retoure kann wieder geöffnet werden',
    es: 'solo se puede reabrir una devolución cerrada',
  },
  'the return is closed': {
    de: 'die Retoure ist abgeschlossen',
    es: 'la devolución está cerrada',
  },
  'the return is {how}; if goods arrive anyway, send a receipt': {
    de: 'die Retoure ist {how}; kommt trotzdem Ware an, nehmen Sie sie an',
    es: 'la devolución está {how}; si llega mercancía de todos modos, recíbala',
  },
  'nothing was received yet; send a receipt first': {
    de: 'noch nichts wurde angenommen; nehmen Sie zuerst etwas an',
    es: 'aún no se recibió nada; reciba algo primero',
  },
  'goods were already received': {
    de: 'es wurde schon Ware angenommen',
    es: 'ya se recibió mercancía',
  },
  'there is no receipt to correct': {
    de: 'es gibt keine Annahme, die korrigiert werden kann',
    es: 'no hay ninguna recepción que corregir',
  },
  'no unit is held': {
    de: 'kein Stück ist gesperrt',
    es: 'ninguna unidad está retenida',
  },
  'all units of the return have an order already': {
    de: 'die Retoure hat kein Stück ohne Auftrag',
    es: 'la devolución no tiene unidades sin pedido',
  },
  canceled: {
    de: 'storniert',
    es: 'anulada',
  },
  expired: {
    de: 'abgelaufen',
    es: 'caducada',
  },
  'Store {storeId} has a return {number} already; nothing was changed. Send another number, or leave it out.': {
    de: 'Der Webshop {storeId} hat schon eine Retoure {number}; nichts wurde geändert. Nehmen Sie eine andere Nummer, oder lassen Sie sie weg.',
    es: 'La tienda web {storeId} ya tiene una devolución {number}; no se cambió nada. Use otro número o no lo envíe.',
  },
});
