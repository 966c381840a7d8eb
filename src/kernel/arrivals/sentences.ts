/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../../platform/message/sentence.ts';

export const say = sentences({
  '{userId} received held units of item {itemId}; another user must approve them.': {
    de: '{userId} hat gesperrte Stücke von Artikel {itemId} angenommen; eine andere Person muss sie freigeben.',
    es: '{userId} recibió unidades retenidas del artículo {itemId}; debe aprobarlas otra persona.',
  },
  'the request approves {units} {units|unit|units} of item {itemId}, but only {held} {held|is|are} held; approve at most {held}':
    {
      de: 'die Anfrage gibt {units} Stück von Artikel {itemId} frei, gesperrt {held|ist|sind} aber nur {held}; geben Sie höchstens {held} frei',
      es: 'la solicitud aprueba {units} {units|unidad|unidades} del artículo {itemId}, pero solo hay {held} {held|retenida|retenidas}; apruebe como máximo {held}',
    },
  'all announced units of the carton were already counted, so it cannot be received whole; if it has more units, count them':
    {
      de: 'der Karton ist schon vollständig gezählt und kann nicht als Ganzes angenommen werden; hat er mehr Stücke, zählen Sie sie',
      es: 'la caja ya se contó entera y no se puede recibir como un todo; si tiene más unidades, cuéntelas',
    },
  '{short} {short|unit|units} too few': {
    de: '{short} zu wenig',
    es: '{short} de menos',
  },
  '{over} {over|unit|units} too many': {
    de: '{over} zu viel',
    es: '{over} de más',
  },
  '{damaged} damaged {damaged|unit|units}': {
    de: '{damaged} beschädigt',
    es: '{damaged} con daños',
  },
  ' of carton {cartonId}': {
    de: ' von Karton {cartonId}',
    es: ' de la caja {cartonId}',
  },
  'item {itemId}{where} has {units}; add a reason to `reasons`': {
    de: 'Artikel {itemId}{where}: {units}; nennen Sie einen Grund',
    es: 'artículo {itemId}{where}: {units}; indique un motivo',
  },
  'the shipment has no carton {cartonId}; send one of its cartons': {
    de: 'die Lieferung hat keinen Karton {cartonId}; nennen Sie einen ihrer Kartons',
    es: 'la entrega no tiene la caja {cartonId}; indique una de sus cajas',
  },
  'the shipment has no item {itemId}; send one of its items': {
    de: 'die Lieferung hat keinen Artikel {itemId}; nennen Sie einen ihrer Artikel',
    es: 'la entrega no tiene el artículo {itemId}; indique uno de sus artículos',
  },
  'carton {cartonId} has no item {itemId}; send one of its items': {
    de: 'Karton {cartonId} hat keinen Artikel {itemId}; nennen Sie einen seiner Artikel',
    es: 'la caja {cartonId} no tiene el artículo {itemId}; indique uno de sus artículos',
  },
  'One line needs a reason: {message}.': {
    de: 'Eine Position braucht einen Grund: {message}.',
    es: 'Una línea necesita un motivo: {message}.',
  },
  '{count} lines need a reason, for example: {message}.': {
    de: '{count} Positionen brauchen einen Grund, zum Beispiel: {message}.',
    es: '{count} líneas necesitan un motivo, por ejemplo: {message}.',
  },
  '{units} {units|unit is|units are} held and not decided, for example of item {itemId}; approve them as `good`, `damaged` or `refused`, then close.':
    {
      de: '{units} Stück {units|ist|sind} gesperrt und nicht entschieden, zum Beispiel von Artikel {itemId}; entscheiden Sie, ob sie gut, beschädigt oder abgelehnt sind, und schließen Sie dann ab.',
      es: 'Hay {units} {units|unidad retenida|unidades retenidas} sin decidir, por ejemplo del artículo {itemId}; decida si están bien, dañadas o rechazadas, y cierre después.',
    },
  ' of seller {sellerId}': {
    de: ' von Verkäufer {sellerId}',
    es: ' del vendedor {sellerId}',
  },
  'Node {nodeId} has no {type} {number}{whose}.': {
    de: 'Am Standort {nodeId} gibt es keine Lieferung {type} {number}{whose}.',
    es: 'El centro {nodeId} no tiene {type} {number}{whose}.',
  },
  'BLIND {number} is already used; give these goods another number.': {
    de: 'BLIND {number} ist schon vergeben; geben Sie dieser Ware eine andere Nummer.',
    es: 'BLIND {number} ya está en uso; dé otro número a esta mercancía.',
  },
  '{type} {number} is {state}, but only an EXPECTED shipment can be voided or replaced; receive its goods, and close it with its differences.':
    {
      de: '{type} {number} ist {state}, und nur eine erwartete Lieferung (EXPECTED) kann gelöscht oder ersetzt werden; nehmen Sie ihre Ware an, und schließen Sie sie mit ihren Abweichungen ab.',
      es: '{type} {number} está {state}, y solo se puede anular o sustituir si está EXPECTED; reciba su mercancía y ciérrelo con sus diferencias.',
    },
  '{type} {number} has no receipt {corrects}; send the id of one of its receipts': {
    de: '{type} {number} hat keine Annahme {corrects}; nennen Sie eine seiner Annahmen',
    es: '{type} {number} no tiene ninguna recepción {corrects}; indique una de las suyas',
  },
  'ASN {listed} announces goods of PO {number}; receive them with the ASN, or send unannounced: true to receive them with the PO.':
    {
      de: 'ASN {listed} kündigt Ware der PO {number} an: Nehmen Sie sie dort an, oder als nicht angekündigt.',
      es: 'El ASN {listed} anuncia mercancía del PO {number}: recíbala allí, o como no anunciada.',
    },
  'carton {cartonId}': {
    de: 'Karton {cartonId}',
    es: 'la caja {cartonId}',
  },
  'send the cartonId of its carton, or send unannounced: true to accept it': {
    de: 'nennen Sie ihren Karton, oder nehmen Sie sie als nicht angekündigt an',
    es: 'indique su caja o acéptelo como no anunciado',
  },
  'send unannounced: true to accept it at this node': {
    de: 'nehmen Sie sie als nicht angekündigt an, wenn sie bleibt',
    es: 'acéptelo como no anunciado si se queda',
  },
  'Item {itemId} is not announced in {where}; {hint}.': {
    de: 'Artikel {itemId} ist in {where} nicht angekündigt; {hint}.',
    es: 'El artículo {itemId} no está anunciado en {where}; {hint}.',
  },
  'item {itemId} has only {state} {kind} {state|unit|units}, so {delta} is not possible; take back at most {state}': {
    de: '{kind} von Artikel {itemId} ist {state}, und {delta} macht es kleiner als null; nehmen Sie höchstens {state} zurück',
    es: '{kind} del artículo {itemId} es {state}, y {delta} lo deja bajo cero; retire como máximo {state}',
  },
  ' `refusals` lists {n} more {n|error|errors}.': {
    de: ' {n} {n|weiterer Fehler steht|weitere Fehler stehen} in `refusals`.',
    es: ' `refusals` indica {n} {n|error|errores} más.',
  },
  'Nothing was changed in {type} {number} ({status}): {reason}.': {
    de: 'An {type} {number} ({status}) wurde nichts geändert: {reason}.',
    es: 'No se cambió nada en {type} {number} ({status}): {reason}.',
  },
  '{count} sellers use {type} {number}; add ?sellerId= with one of {sellerIds}.': {
    de: '{count} Verkäufer haben eine Lieferung {type} {number}; wählen Sie den Verkäufer: {sellerIds}.',
    es: '{count} vendedores tienen {type} {number}; elija el vendedor: {sellerIds}.',
  },
  '{type} {number} was voided during this request; nothing was booked. Read the shipment, then send the request again.':
    {
      de: '{type} {number} wurde währenddessen gelöscht; nichts wurde gebucht. Sehen Sie nach und versuchen Sie es erneut.',
      es: '{type} {number} se anuló mientras tanto; no se registró nada. Consúltelo y vuelva a intentarlo.',
    },
  'Carton {cartonId} was received by {userId} at {since} (receipt {receiptId}); correct that receipt if it is wrong.': {
    de: 'Karton {cartonId} wurde von {userId} um {since} angenommen (Annahme {receiptId}); korrigieren Sie diese Annahme, wenn sie falsch ist.',
    es: 'La caja {cartonId} la recibió {userId} a las {since} (recepción {receiptId}); corrija esa recepción si es errónea.',
  },
  '{userId} has been counting carton {cartonId} since {since}; count its items one by one, or wait.': {
    de: '{userId} zählt Karton {cartonId} seit {since}; zählen Sie seine Stücke, oder warten Sie.',
    es: '{userId} está contando la caja {cartonId} desde {since}; cuente sus piezas o espere.',
  },
  'Carton {cartonId}': {
    de: 'Karton {cartonId}',
    es: 'La caja {cartonId}',
  },
  '{name} is announced for node {nodeId}; forward it, or send unannounced: true to accept it here.': {
    de: '{name} ist für Standort {nodeId} angekündigt; leiten Sie ihn weiter, oder nehmen Sie ihn hier als nicht angekündigt an.',
    es: '{name} está anunciada para el centro {nodeId}; reenvíela o acéptela aquí como no anunciada.',
  },
  '{type} {number} of this node announces the carton, so receive it with that shipment': {
    de: '{type} {number} dieses Standorts kündigt ihn an: Nehmen Sie ihn dort an',
    es: '{type} {number} de este centro la anuncia: recíbala allí',
  },
  '{name} is not announced by {type} {number}; {hint}.': {
    de: '{name} ist in {type} {number} nicht angekündigt; {hint}.',
    es: '{name} no está anunciada en {type} {number}; {hint}.',
  },
  '{count} other shipments announce carton {cartonId}; receive it with the shipment that it arrived with, or count its items one by one.':
    {
      de: '{count} andere Lieferungen kündigen Karton {cartonId} an; nehmen Sie ihn mit der Lieferung an, mit der er kam, oder zählen Sie seine Stücke.',
      es: 'Otros {count} envíos anuncian la caja {cartonId}; recíbala con el envío con que llegó o cuente sus piezas.',
    },
  'the goods were moved to the matched shipment': {
    de: 'ihre Ware wurde zu der Lieferung verschoben, der sie zugeordnet wurde',
    es: 'su mercancía pasó al envío con que se emparejó',
  },
  'the shipment is closed; reopen it first': {
    de: 'die Lieferung ist abgeschlossen; öffnen Sie sie zuerst wieder',
    es: 'el envío está cerrado; reábralo primero',
  },
  'the shipment is not closed': {
    de: 'die Lieferung ist nicht abgeschlossen',
    es: 'el envío no está cerrado',
  },
  'nothing was received yet; send a receipt first': {
    de: 'noch nichts wurde angenommen; nehmen Sie zuerst etwas an',
    es: 'aún no se recibió nada; reciba algo primero',
  },
  'goods were already received': {
    de: 'es wurde schon Ware angenommen',
    es: 'ya se recibió mercancía',
  },
});
