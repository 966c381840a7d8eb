/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  'A training buys no labels, because its orders are invented; enter a tracking number.': {
    de: 'Eine Schulung kauft keine Etiketten, weil ihre Aufträge erfunden sind; geben Sie eine Sendungsnummer ein.',
    es: 'Una formación no compra etiquetas, porque sus pedidos son inventados; introduzca un número de seguimiento.',
  },
  "'omsOrderId' does not match this order; send the value from the pack details, or leave it out": {
    de: "'omsOrderId' gehört nicht zu diesem Auftrag; senden Sie die aus den Daten zum Packen, oder lassen Sie sie weg",
    es: "'omsOrderId' no es de este pedido; envíe el de los datos de embalaje o no lo envíe",
  },
  'box {boxId} is in the message twice; send it once': {
    de: 'Karton {boxId} steht zweimal in der Nachricht; senden Sie ihn in einem Element',
    es: 'la caja {boxId} figura dos veces en el mensaje; envíela en un solo elemento',
  },
  "'packageId' does not match box {boxId}; leave it out": {
    de: "'packageId' gehört nicht zu Karton {boxId}; lassen Sie sie weg",
    es: "'packageId' no es el de la caja {boxId}; no lo envíe",
  },
  'no package is recorded yet; send the action CREATE': {
    de: 'noch ist kein Paket erfasst; senden Sie CREATE',
    es: 'aún no hay ningún paquete; envíe CREATE',
  },
  'the packages of the order are in the boxes {ids}': {
    de: 'seine Pakete sind in den Kartons {ids}',
    es: 'sus paquetes están en las cajas {ids}',
  },
  'the order has no package in box {boxId}; {message}': {
    de: 'der Auftrag hat kein Paket in Karton {boxId}; {message}',
    es: 'el pedido no tiene ningún paquete en la caja {boxId}; {message}',
  },
  'send the action MODIFY to change the box, or use another boxId': {
    de: 'senden Sie MODIFY, um ihn zu ändern, oder nehmen Sie eine andere Kartonnummer',
    es: 'envíe MODIFY para cambiarla o use otra boxId',
  },
  'box {boxId} is already recorded with other content; {message}': {
    de: 'Karton {boxId} ist schon mit anderem Inhalt erfasst; {message}',
    es: 'la caja {boxId} ya está registrada con otro contenido; {message}',
  },
  "'{field}' is missing; the action CREATE needs it": {
    de: "'{field}' fehlt; CREATE braucht es",
    es: "falta '{field}'; CREATE lo necesita",
  },
  "'unit' of {name} must be one of {known}, or an alias of one of them{didYouMean}": {
    de: "'unit' von {name} muss einer von {known} sein, oder ein anderer Name davon{didYouMean}",
    es: "'unit' de {name} debe ser uno de {known}, u otro nombre de uno{didYouMean}",
  },
  'the order has no line {webLineId}; send one of its lines: {list}': {
    de: 'der Auftrag hat keine Position {webLineId}; seine Positionen sind {list}',
    es: 'el pedido no tiene la línea {webLineId}; sus líneas son {list}',
  },
  'line {webLineId} is in this package twice; send it once with all its units': {
    de: 'Position {webLineId} steht zweimal in diesem Paket; senden Sie sie einmal mit allen Stücken',
    es: 'la línea {webLineId} figura dos veces en este paquete; envíela una vez con todas sus unidades',
  },
  "'itemId' does not match line {webLineId}; send {itemId}": {
    de: "'itemId' gehört nicht zu Position {webLineId}; senden Sie {itemId}",
    es: "'itemId' no es el de la línea {webLineId}; envíe {itemId}",
  },
  'item {itemId} of line {webLineId} ships alone (shipAlone), but box {boxId} also holds the lines {others}; put them into another box':
    {
      de: 'Artikel {itemId} von Position {webLineId} geht allein (shipAlone), in Karton {boxId} liegen aber auch die Positionen {others}; legen Sie sie in einen anderen Karton',
      es: 'el artículo {itemId} de la línea {webLineId} va solo (shipAlone), pero la caja {boxId} también tiene las líneas {others}; póngalas en otra caja',
    },
  'the order would have {count} packages, but an order can have at most {packagesMax}; use fewer boxes': {
    de: 'der Auftrag hätte {count} Pakete, erlaubt sind höchstens {packagesMax}. Nehmen Sie weniger Kartons',
    es: 'el pedido tendría {count} paquetes; el máximo es {packagesMax}. Use menos cajas',
  },
  'line {webLineId}': {
    de: 'Position {webLineId}',
    es: 'la línea {webLineId}',
  },
  '{units} {units|unit|units} of {name} would be in packages, but only {wanted} {wanted|is|are} to be packed; lower the quantity':
    {
      de: '{units} Stück von {name} wären in Paketen, zu verpacken sind aber nur {wanted}; verringern Sie die Menge',
      es: '{units} {units|unidad|unidades} de {name} estarían en paquetes, pero solo hay {wanted} por empaquetar; reduzca la cantidad',
    },
  'nodeId is {nodeId} in the query, but {nodeId2} in the body; send it in the body only': {
    de: 'die Abfrage hat nodeId {nodeId}, der Inhalt {nodeId2}; senden Sie sie nur im Inhalt',
    es: 'la consulta tiene nodeId {nodeId}, el cuerpo {nodeId2}; envíelo solo en el cuerpo',
  },
  '{name} is {fulfillmentType}; only SHIP_TO_HOME orders have a pack slip.': {
    de: '{name} ist vom Typ {fulfillmentType}; nur Aufträge vom Typ SHIP_TO_HOME haben einen Lieferschein.',
    es: '{name} es de tipo {fulfillmentType}; solo los pedidos SHIP_TO_HOME tienen nota de entrega.',
  },
  '{name} has status {status}; {nextStep}': {
    de: '{name} hat den Status {status}; {nextStep}',
    es: '{name} tiene el estado {status}; {nextStep}',
  },
  'the order is held until the street date of an item; pick the order after that date.': {
    de: 'er ist bis zum Verkaufsstart eines Artikels zurückgehalten und wird danach gepickt.',
    es: 'está retenido hasta el lanzamiento de un artículo y se prepara después.',
  },
  'first generate and confirm the pick ticket of the order.': {
    de: 'erstellen und bestätigen Sie zuerst seinen Schein.',
    es: 'genere y confirme antes su hoja.',
  },
  'confirm the pick ticket of the order first.': {
    de: 'bestätigen Sie zuerst seinen Schein.',
    es: 'confirme antes su hoja.',
  },
  'the order has no units to pack.': {
    de: 'er hat nichts zu verpacken.',
    es: 'no tiene unidades por empaquetar.',
  },
  'The order has no package {boxId}; pack it first.': {
    de: 'Der Auftrag hat kein Paket {boxId}; verpacken Sie es zuerst.',
    es: 'El pedido no tiene el paquete {boxId}; empaquételo primero.',
  },
  'Labels cannot be bought because LABEL_URL is not set; ask the operator to set it.': {
    de: 'Der Betreiber hat LABEL_URL nicht gesetzt; hier werden keine Etiketten gekauft.',
    es: 'El operador no ha configurado LABEL_URL; aquí no se compran etiquetas.',
  },
  'Labels can be bought only for SHIP_TO_HOME orders whose customer data is not anonymized.': {
    de: 'Etiketten gibt es nur für Pakete von Aufträgen des Typs SHIP_TO_HOME mit ihrer Adresse.',
    es: 'Solo tienen etiqueta los paquetes de pedidos SHIP_TO_HOME con su dirección.',
  },
  'The package already has the tracking number {trackingNumber}. This number is not from a label that was bought here for the present content of the package. To buy a label, void the package and create it again.':
    {
      de: 'Das Paket hat schon die Sendungsnummer {trackingNumber}, und sie gehört zu keinem Etikett, das hier für den jetzigen Inhalt des Pakets gekauft wurde; um ein Etikett zu kaufen, löschen Sie das Paket und legen Sie es neu an.',
      es: 'El paquete ya tiene el número de seguimiento {trackingNumber}, que no es de una etiqueta comprada aquí para el contenido actual del paquete; para comprar una etiqueta, anule el paquete y créelo de nuevo.',
    },
  'The order cannot be packed in its state, so no label was bought; `allowedActions` of the order lists the possible actions.':
    {
      de: 'Der Auftrag kann in seinem Status nicht verpackt werden, und kein Etikett wurde gekauft; `allowedActions` des Auftrags nennt die möglichen Aktionen.',
      es: 'El pedido no se puede empaquetar en su estado y no se compró ninguna etiqueta; `allowedActions` del pedido indica las acciones posibles.',
    },
  'Another request is buying this label; send your request again.': {
    de: 'Dieses Etikett wird gerade gekauft; versuchen Sie es gleich noch einmal.',
    es: 'Otra solicitud compra esta etiqueta; vuelva a intentarlo.',
  },
  'The carrier rejects the parcel: {message}. Nothing was bought.': {
    de: 'Der Versanddienst lehnt das Paket ab: {message}. Nichts wurde gekauft.',
    es: 'El transportista rechaza el paquete: {message}. No se compró nada.',
  },
  'The label was bought, but your label program responds that it does not have it. Ask the operator to check LABEL_URL. If it is right, and to buy another label before the order is shipped, void the package and create it again.':
    {
      de: 'Das Etikett wurde gekauft, aber Ihr Etikettenprogramm antwortet, dass es das Etikett nicht hat. Bitten Sie den Betreiber, LABEL_URL zu prüfen. Wenn sie richtig ist: Um vor dem Versand ein neues Etikett zu kaufen, löschen Sie das Paket und legen Sie es neu an.',
      es: 'La etiqueta se compró, pero su programa de etiquetas responde que no la tiene. Pida al operador que compruebe LABEL_URL. Si es correcta: para comprar otra antes del envío, anule el paquete y créelo de nuevo.',
    },
  'The label program cannot be reached. Nothing was bought; send the request again.': {
    de: 'Das Etikettenprogramm ist nicht erreichbar. Nichts wurde gekauft; versuchen Sie es erneut.',
    es: 'No se puede acceder al programa de etiquetas. No se compró nada; vuelva a intentarlo.',
  },
  'The label program rejects requests with status {status}. Nothing was bought. Ask the operator to check LABEL_URL, LABEL_SECRET and the clocks of both machines, then send the request again.':
    {
      de: 'Das Etikettenprogramm lehnt Anfragen mit dem Status {status} ab. Nichts wurde gekauft. Bitten Sie den Betreiber, LABEL_URL, LABEL_SECRET und die Uhren beider Rechner zu prüfen, und senden Sie die Anfrage dann noch einmal.',
      es: 'El programa de etiquetas rechaza las solicitudes con el estado {status}. No se compró nada. Pida al operador que compruebe LABEL_URL, LABEL_SECRET y los relojes de ambas máquinas, y envíe después la solicitud de nuevo.',
    },
  'The label program did not send a usable response, so the label may already be bought. Send the request again: the service first asks the program whether it has bought this label.':
    {
      de: 'Das Etikettenprogramm hat keine brauchbare Antwort gesendet; vielleicht ist das Etikett schon gekauft. Senden Sie die Anfrage noch einmal: Der Dienst fragt das Programm zuerst, ob es dieses Etikett gekauft hat.',
      es: 'El programa de etiquetas no envió una respuesta utilizable; quizá la etiqueta ya esté comprada. Envíe la solicitud de nuevo: el servicio pregunta primero al programa si ha comprado esta etiqueta.',
    },
  'The package changed while its label {trackingNumber} was bought. Cancel that label at the carrier, and buy a label for the changed package.':
    {
      de: 'Das Paket wurde geändert, während sein Etikett {trackingNumber} gekauft wurde. Stornieren Sie dieses Etikett beim Versanddienst, und kaufen Sie ein Etikett für das geänderte Paket.',
      es: 'El paquete cambió mientras se compraba su etiqueta {trackingNumber}. Anule esa etiqueta en el transportista y compre una etiqueta para el paquete modificado.',
    },
  '{order} is {fulfillmentType}; only {packedTypes} orders are packed.': {
    de: '{order} ist vom Typ {fulfillmentType}; verpackt werden nur Aufträge vom Typ {packedTypes}.',
    es: '{order} es de tipo {fulfillmentType}; solo se empaquetan pedidos {packedTypes}.',
  },
  'the order is held until the street date of an item; pick the order after that date': {
    de: 'er ist bis zum Verkaufsstart eines Artikels zurückgehalten und wird danach gepickt',
    es: 'está retenido hasta el lanzamiento de un artículo y se prepara después',
  },
  'first generate and confirm the pick ticket of the order': {
    de: 'erstellen und bestätigen Sie zuerst seinen Schein',
    es: 'genere y confirme antes su hoja',
  },
  'confirm the pick ticket of the order first': {
    de: 'bestätigen Sie zuerst seinen Schein',
    es: 'confirme antes su hoja',
  },
  'the order can be packed': {
    de: 'er kann verpackt werden',
    es: 'se puede empaquetar',
  },
  'check in the order first': {
    de: 'checken Sie ihn zuerst ein',
    es: 'regístrelo primero',
  },
  'hand the order over': {
    de: 'übergeben Sie ihn',
    es: 'entréguelo',
  },
  'all units are packed, and the packages cannot change any more; deliver the order': {
    de: 'alles ist verpackt, und seine Pakete lassen sich nicht mehr ändern; stellen Sie ihn zu',
    es: 'todas sus unidades están empaquetadas y sus paquetes ya no cambian; llévelo a domicilio',
  },
  'the packages are with the carrier and cannot change any more': {
    de: 'seine Pakete sind beim Versanddienst und lassen sich nicht mehr ändern',
    es: 'sus paquetes los tiene el transportista y ya no cambian',
  },
  'the units are with the customer': {
    de: 'seine Ware ist beim Kunden',
    es: 'sus unidades las tiene el cliente',
  },
  'the packages are delivered and cannot change any more': {
    de: 'seine Pakete sind zugestellt und lassen sich nicht mehr ändern',
    es: 'sus paquetes están entregados y ya no cambian',
  },
  '{goodsToReturn}; the order has no units to pack': {
    de: '{goodsToReturn}; er hat nichts zu verpacken',
    es: '{goodsToReturn}; no tiene unidades por empaquetar',
  },
  'the order has no units to pack': {
    de: 'er hat nichts zu verpacken',
    es: 'no tiene unidades por empaquetar',
  },
  'the order has no units to pack; another node can fulfill the units': {
    de: 'er hat nichts zu verpacken; ein anderer Standort kann ihn übernehmen',
    es: 'no tiene unidades por empaquetar; otro centro puede atenderlo',
  },
  'the order has no units to pack; another node fulfills the units': {
    de: 'er hat nichts zu verpacken; ein anderer Standort bearbeitet ihn',
    es: 'no tiene unidades por empaquetar; otro centro lo atiende',
  },
  'send a day as YYYY-MM-DD': {
    de: 'geben Sie einen Tag als JJJJ-MM-TT an',
    es: 'envíe un día como AAAA-MM-DD',
  },
  ' and ': {
    de: ' und ',
    es: ' y ',
  },
});
