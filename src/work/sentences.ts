/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  'zpl has {bytes} bytes in UTF-8; send at most {bytesMax} bytes in a job': {
    de: 'zpl hat {bytes} Bytes in UTF-8; erlaubt sind höchstens {bytesMax}, oder mehrere Druckaufträge',
    es: 'zpl tiene {bytes} bytes en UTF-8; el máximo es {bytesMax}, o varios trabajos de impresión',
  },
  'There is no printer {printerId} at node {nodeId}.': {
    de: 'Den Drucker {printerId} am Standort {nodeId} gibt es nicht.',
    es: 'No hay ninguna impresora {printerId} en el centro {nodeId}.',
  },
  'Printer {printerId}': {
    de: 'Der Drucker {printerId}',
    es: 'La impresora {printerId}',
  },
  '{printer} cannot be reached. Nothing was printed. Check that it is on and connected to the network.': {
    de: '{printer} ist nicht erreichbar. Nichts wurde gedruckt. Prüfen Sie, ob er an und im Netz ist.',
    es: 'No se puede acceder a {printer}. No se imprimió nada. Compruebe que está encendida y conectada a la red.',
  },
  'Another request prints printId {printId} now; send your request again.': {
    de: 'printId {printId} wird gerade gedruckt; versuchen Sie es gleich noch einmal.',
    es: 'Otra solicitud imprime ahora printId {printId}; vuelva a intentarlo.',
  },
  '{printer} is busy with earlier jobs. Nothing was printed. Check the printer, then send the labels again.': {
    de: '{printer} ist mit früheren Aufträgen beschäftigt. Nichts wurde gedruckt. Prüfen Sie den Drucker und senden Sie die Etiketten dann noch einmal.',
    es: '{printer} está ocupada con trabajos anteriores. No se imprimió nada. Compruebe la impresora y envíe las etiquetas de nuevo.',
  },
  '{printer} did not accept all labels. Check whether it is paused, open or out of paper, and which labels it printed.':
    {
      de: '{printer} hat nicht alle Etiketten genommen. Prüfen Sie, ob er angehalten, offen oder ohne Papier ist und welche Etiketten gedruckt wurden.',
      es: '{printer} no aceptó todas las etiquetas. Compruebe si está en pausa, abierta o sin papel, y cuáles imprimió.',
    },
  '{printer} has an address that is not allowed. Nothing was printed. Ask the operator to correct or allow the address.':
    {
      de: '{printer} hat eine Adresse, die nicht erlaubt ist. Nichts wurde gedruckt. Bitten Sie den Betreiber, die Adresse zu berichtigen oder zu erlauben.',
      es: '{printer} tiene una dirección no permitida. No se imprimió nada. Pida al operador que corrija o permita la dirección.',
    },
  'Carton {cartonId} of {type} {number}': {
    de: 'Karton {cartonId} von {type} {number}',
    es: 'Caja {cartonId} de {type} {number}',
  },
  'The carton is announced for node {nodeId}, not for this node.': {
    de: 'Der Karton ist für Standort {nodeId} angekündigt, nicht für diesen.',
    es: 'La caja está anunciada para el centro {nodeId}, no para este.',
  },
  '{count} shipments announce a carton with this code: {rows}.': {
    de: '{count} Lieferungen kündigen einen Karton mit diesem Code an: {rows}.',
    es: '{count} envíos anuncian una caja con este código: {rows}.',
  },
  'the carton is announced for node {nodeId}; forward it, or send unannounced: true to accept it here': {
    de: 'der Karton ist für Standort {nodeId} angekündigt; leiten Sie ihn weiter, oder nehmen Sie ihn als nicht angekündigt',
    es: 'la caja está anunciada para el centro {nodeId}; reenvíela o recíbala como no anunciada',
  },
  'a PO is received by item, without cartons': {
    de: 'eine PO wird nach Artikeln angenommen, ohne Kartons',
    es: 'un PO se recibe por artículo, sin cajas',
  },
  '{userId} received the carton at {since}; correct receipt {receiptId} if it is wrong': {
    de: '{userId} hat den Karton um {since} angenommen; korrigieren Sie Annahme {receiptId}, wenn sie falsch ist',
    es: '{userId} recibió la caja a las {since}; corrija la recepción {receiptId} si es errónea',
  },
  '{userId} has been counting the carton since {since}; count its items one by one, or wait': {
    de: '{userId} zählt den Karton seit {since}; zählen Sie seine Stücke, oder warten Sie',
    es: '{userId} cuenta la caja desde {since}; cuente sus piezas o espere',
  },
  '{type} {number}, {totalUnits} {totalUnits|unit|units}': {
    de: '{type} {number}, {totalUnits} Stück',
    es: '{type} {number}, {totalUnits} {totalUnits|unidad|unidades}',
  },
  'Order {webOrderId}, {fulfillmentType}': {
    de: 'Auftrag {webOrderId}, {fulfillmentType}',
    es: 'Pedido {webOrderId}, {fulfillmentType}',
  },
  'without a user': {
    de: 'ohne Person',
    es: 'sin usuario',
  },
  'of {userId}': {
    de: 'von {userId}',
    es: 'de {userId}',
  },
  'Pick ticket {pickTicketId} {of}, {totalQuantity} {totalQuantity|unit|units}': {
    de: 'Schein {pickTicketId} {of}, {totalQuantity} Stück',
    es: 'Hoja {pickTicketId} {of}, {totalQuantity} {totalQuantity|unidad|unidades}',
  },
  'Package {packageId} of order {webOrderId}': {
    de: 'Paket {packageId} von Auftrag {webOrderId}',
    es: 'Paquete {packageId} del pedido {webOrderId}',
  },
  'More than {count} packages have this tracking number; those of open orders are shown first.': {
    de: 'Mehr als {count} Pakete haben diese Sendungsnummer; die der offenen Aufträge stehen zuerst.',
    es: 'Más de {count} paquetes tienen este número de seguimiento; primero se muestran los de pedidos abiertos.',
  },
  'Hold location {text}': {
    de: 'Platz {text}',
    es: 'Lugar {text}',
  },
  'no order has goods at this location': {
    de: 'hier liegt von keinem Auftrag Ware',
    es: 'ningún pedido tiene mercancía aquí',
  },
  'Return {number}, {status}': {
    de: 'Retoure {number}, {status}',
    es: 'Devolución {number}, {status}',
  },
  'zpl must consist of ZPL labels, each from ^XA to ^XZ': {
    de: 'zpl müssen Etiketten in ZPL sein, jedes von ^XA bis ^XZ',
    es: 'zpl deben ser etiquetas ZPL, cada una de ^XA a ^XZ',
  },
  'the command {command} in `zpl` is not for labels; remove it. If it is part of a text, put ^FH before the text and write ^ as _5E and ~ as _7E':
    {
      de: 'der Befehl {command} in zpl ist nicht für Etiketten; entfernen Sie ihn. Gehört er zu einem Text, setzen Sie ^FH vor den Text und schreiben Sie ^ als _5E und ~ als _7E',
      es: 'el comando {command} de zpl no es para etiquetas; quítelo. Si es parte de un texto, ponga ^FH antes del texto y escriba ^ como _5E y ~ como _7E',
    },
  'zpl has a line end or another control character in a text; put line ends only before ^, and write a control character in a text as _ and its two hexadecimal digits after ^FH, such as _0D for a carriage return':
    {
      de: 'zpl hat ein Zeilenende oder ein anderes Steuerzeichen in einem Text; Zeilenenden sind nur vor ^ erlaubt; schreiben Sie ein Steuerzeichen in einem Text nach ^FH als _ mit seinen zwei hexadezimalen Ziffern, zum Beispiel _0D für einen Wagenrücklauf',
      es: 'zpl tiene un fin de línea u otro carácter de control en un texto; use fines de línea solo antes de ^, y escriba un carácter de control en un texto tras ^FH como _ y sus dos dígitos hexadecimales, por ejemplo _0D para un retorno de carro',
    },
  'zpl has ^PQ with {count}; print at most {copiesMax} copies of a label': {
    de: 'zpl hat ^PQ mit {count}; drucken Sie höchstens {copiesMax} Stück eines Etiketts',
    es: 'zpl tiene ^PQ con {count}; imprima como máximo {copiesMax} copias de una etiqueta',
  },
  'send `next` of the previous page, or leave it out': {
    de: 'senden Sie `next` der vorigen Seite, oder lassen Sie es weg',
    es: 'envíe `next` de la página anterior, o no lo envíe',
  },
});
