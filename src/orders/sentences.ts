/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  "orders cannot be searched by 'pinNumber' because the client requires PINs at the hand-over (setting pin.required); search by customer or webOrderId":
    {
      de: 'nach der PIN lässt sich nicht suchen, weil der Mandant sie bei der Übergabe verlangt (Einstellung pin.required); suchen Sie nach Kunde oder Bestellnummer',
      es: 'no se puede buscar por PIN porque la empresa lo exige en la entrega (ajuste pin.required); busque por cliente o número de pedido web',
    },
  '{order} ({status}) has no units to cancel: units that the customer has or did not take, or that the node declined, cannot be canceled.':
    {
      de: '{order} ({status}) hat kein Stück, das storniert werden kann: Stücke, die der Kunde hat oder nicht annahm oder die der Standort abgelehnt hat, können nicht storniert werden.',
      es: '{order} ({status}) no tiene unidades que se puedan anular: las unidades que el cliente tiene o no aceptó, o que el centro rechazó, no se pueden anular.',
    },
  '{order} ({status}) has no units to cancel on the lines of the message: units that the customer has or did not take, or that the node declined, cannot be canceled.':
    {
      de: '{order} ({status}) hat auf den genannten Positionen kein Stück, das storniert werden kann: Stücke, die der Kunde hat oder nicht annahm oder die der Standort abgelehnt hat, können nicht storniert werden.',
      es: '{order} ({status}) no tiene en las líneas indicadas unidades que se puedan anular: las unidades que el cliente tiene o no aceptó, o que el centro rechazó, no se pueden anular.',
    },
  '{order} has {asked} {asked|unit|units} of line {webLineId} in an open re-source request. Nothing was canceled.{others} To cancel the units of the request, close it with CANCEL; to cancel the whole order, send the message without lines.':
    {
      de: '{order}: {asked} Stück der Position {webLineId} sind in einer offenen Neuzuteilung. Nichts wurde storniert.{others} Um diese Stücke zu stornieren, schließen Sie die Neuzuteilung mit CANCEL; um den ganzen Auftrag zu stornieren, senden Sie ihn ohne Positionen.',
      es: '{order}: {asked} {asked|unidad|unidades} de la línea {webLineId} {asked|está|están} en una reasignación abierta. No se anuló nada.{others} Para anular estas unidades, cierre la reasignación con CANCEL; para anular el pedido completo, envíelo sin líneas.',
    },
  ' To cancel only the other units of the line, send quantity {most}.': {
    de: ' Um nur die anderen Stücke der Position zu stornieren, senden Sie die Menge {most}.',
    es: ' Para anular solo las demás unidades de la línea, envíe la cantidad {most}.',
  },
  '{order} has {ordered} {ordered|unit|units} on line {webLineId}, and at most {most} of them can be canceled ({canceledSoFar} already are); the others are declined, rejected or with the customer. Nothing was canceled; send a lower quantity.':
    {
      de: '{order}: Von Position {webLineId} können höchstens {most} von {ordered} Stück storniert werden ({canceledSoFar} sind es schon); die anderen sind abgelehnt, verweigert oder beim Kunden. Nichts wurde storniert; nehmen Sie eine kleinere Menge.',
      es: '{order}: de la línea {webLineId} se pueden anular como máximo {most} de {ordered} {ordered|unidad|unidades} ({canceledSoFar} ya lo están); las demás están rechazadas o las tiene el cliente. No se anuló nada; elija una cantidad menor.',
    },
  'the message changes nothing; send at least one of {fields}': {
    de: 'die Nachricht ändert nichts; senden Sie mindestens eines von {fields}',
    es: 'el mensaje no cambia nada; envíe al menos uno de {fields}',
  },
  "'remove' has {field} twice; send it once": {
    de: "'remove' nennt {field} zweimal; nennen Sie es einmal",
    es: "'remove' tiene {field} dos veces; indíquelo una sola vez",
  },
  "the message both sets and removes '{field}'; do only one of the two": {
    de: "die Nachricht hat '{field}' neu und entfernt es zugleich; senden Sie eines davon",
    es: "el mensaje tiene un '{field}' nuevo y a la vez lo quita; envíe una de las dos cosas",
  },
  "'pickupDeadline' is in the past (now is {now}); send a later time, or cancel the order": {
    de: 'die Abholfrist liegt in der Vergangenheit (jetzt ist {now}); wählen Sie eine spätere, oder stornieren Sie den Auftrag',
    es: 'el plazo de recogida ya pasó (ahora es {now}); elija uno posterior o anule el pedido',
  },
  "without 'pickupDeadline' the order would expire now, because the deadline of the client's SLA has passed ({at}); send a later 'pickupDeadline', or cancel the order":
    {
      de: 'ohne Abholfrist würde der Auftrag sofort verfallen, denn die übliche Frist ist vorbei ({at}); wählen Sie eine spätere, oder stornieren Sie den Auftrag',
      es: 'sin plazo de recogida el pedido vencería ahora, porque el plazo habitual ya pasó ({at}); elija uno posterior o anule el pedido',
    },
  "'pickupDeadline' is more than {deadlineDaysMax} {deadlineDaysMax|day|days} away; send an earlier time": {
    de: 'die Abholfrist liegt mehr als {deadlineDaysMax} {deadlineDaysMax|Tag|Tage} in der Zukunft; wählen Sie eine frühere',
    es: 'el plazo de recogida está a más de {deadlineDaysMax} {deadlineDaysMax|día|días}; elija uno anterior',
  },
  "'giftMessageLines' needs 'giftMessage'; send 'giftMessage' too, or put giftMessage into 'remove'": {
    de: "'giftMessageLines' braucht 'giftMessage'; senden Sie auch 'giftMessage', oder entfernen Sie den Text mit 'remove'",
    es: "'giftMessageLines' necesita 'giftMessage'; envíe también 'giftMessage', o quite el texto con 'remove'",
  },
  'the order has no line {webLineId}; send one of its lines': {
    de: 'der Auftrag hat keine Position {webLineId}; nennen Sie eine seiner Positionen',
    es: 'el pedido no tiene la línea {webLineId}; indique una de las suyas',
  },
  'item {itemId} has no countryOfOrigin, which an order from {from} to {to} needs; add it to the item': {
    de: 'Artikel {itemId} hat kein Ursprungsland, das ein Auftrag von {from} nach {to} braucht; ergänzen Sie es beim Artikel',
    es: 'el artículo {itemId} no tiene país de origen, que un pedido de {from} a {to} necesita; añádalo al artículo',
  },
  '{never}; this order is {type}': {
    de: '{never}; dieser Auftrag ist {type}',
    es: '{never}; este pedido es {type}',
  },
  'the order is {status}; its {change} can be changed only in status {named}': {
    de: 'der Auftrag ist {status}; {change} lässt sich nur bei {named} ändern',
    es: 'el pedido está {status}; {change} solo se puede cambiar en {named}',
  },
  'the customer’s data is anonymized': {
    de: 'die Daten des Kunden sind anonymisiert',
    es: 'los datos del cliente están anonimizados',
  },
  '{tracked} of its packages {tracked|has a tracking number|have tracking numbers}, so the printed labels would be wrong; void these packages first':
    {
      de: '{tracked} Pakete haben Sendungsnummern, und ihre Etiketten wären falsch; löschen Sie diese Pakete zuerst',
      es: '{tracked} paquetes tienen número de seguimiento y sus etiquetas serían erróneas; anule antes esos paquetes',
    },
  'no unit of the order is in the store': {
    de: 'kein Stück des Auftrags ist in der Filiale',
    es: 'ninguna unidad del pedido está en la tienda',
  },
  'every order has a contact': {
    de: 'jeder Auftrag hat eine Kontaktperson',
    es: 'todo pedido tiene un contacto',
  },
  'only SHIP_TO_HOME and ASSOCIATE_DELIVERY orders go to an address': {
    de: 'nur Aufträge vom Typ SHIP_TO_HOME und ASSOCIATE_DELIVERY gehen an eine Adresse',
    es: 'solo los pedidos SHIP_TO_HOME y ASSOCIATE_DELIVERY van a una dirección',
  },
  'only orders that are handed to a person can have a proxy': {
    de: 'nur bei Aufträgen, die einer Person übergeben werden, darf jemand anders abholen',
    es: 'solo los pedidos que se entregan a una persona pueden tener una persona autorizada',
  },
  'only orders that are collected in the store have a PIN': {
    de: 'nur Aufträge, die in der Filiale abgeholt werden, haben eine PIN',
    es: 'solo los pedidos que se recogen en la tienda tienen PIN',
  },
  'only SHIP_TO_HOME orders have a carrier': {
    de: 'nur Aufträge vom Typ SHIP_TO_HOME haben einen Versanddienst',
    es: 'solo los pedidos SHIP_TO_HOME tienen transportista',
  },
  'every order can have a gift message': {
    de: 'jeder Auftrag kann eine Grußbotschaft haben',
    es: 'todo pedido puede tener un mensaje de regalo',
  },
  'only orders that are collected in the store have a pickup deadline': {
    de: 'nur Aufträge, die in der Filiale abgeholt werden, haben eine Abholfrist',
    es: 'solo los pedidos que se recogen en la tienda tienen plazo de recogida',
  },
  'every order can be moved': {
    de: 'jeder Auftrag kann umgelagert werden',
    es: 'todo pedido se puede mover',
  },
  '{order} already has the maximum of {destinationsMax} destinations. The new shipping address needs an additional destination, because the billing or the ship-from address also uses the present destination; nothing was changed. Cancel the order, and send it again with the new address and another fulfillmentOrderId.':
    {
      de: '{order} hat schon die Höchstzahl von {destinationsMax} Zielen. Die neue Lieferadresse braucht ein zusätzliches Ziel, weil auch die Rechnungs- oder die Absenderadresse das jetzige Ziel verwendet; nichts wurde geändert. Stornieren Sie den Auftrag, und senden Sie ihn mit der neuen Adresse und einer anderen fulfillmentOrderId noch einmal.',
      es: '{order} ya tiene el máximo de {destinationsMax} destinos. La nueva dirección de envío necesita un destino más, porque la dirección de facturación o la de origen también usa el destino actual; no se cambió nada. Cancele el pedido y envíelo de nuevo con la dirección nueva y otro fulfillmentOrderId.',
    },
  '{order} already has the maximum of {notesMax} notes; nothing was changed. Send the change without a note.': {
    de: '{order} hat {notesMax} Notizen, mehr geht nicht; nichts wurde geändert. Ändern Sie ihn ohne Notiz.',
    es: '{order} tiene {notesMax} notas, el máximo; no se cambió nada. Cámbielo sin nota.',
  },
  '{order}: line {webLineId} already has {instructionsMax} instructions; nothing was changed. Name other lines in `giftMessageLines`.':
    {
      de: '{order}: Position {webLineId} hat {instructionsMax} Anweisungen, mehr geht nicht; nichts wurde geändert. Nennen Sie andere Positionen in `giftMessageLines`.',
      es: '{order}: la línea {webLineId} tiene {instructionsMax} instrucciones, el máximo; no se cambió nada. Indique otras líneas en `giftMessageLines`.',
    },
  '{order} was not changed. {reasons}.': {
    de: '{order} wurde nicht geändert. {reasons}.',
    es: '{order} no se cambió. {reasons}.',
  },
  '{order} has no goods to move: {block}.': {
    de: '{order} hat keine Ware zum Umlagern: {block}.',
    es: '{order} no tiene mercancía que mover: {block}.',
  },
  'an unknown location': {
    de: 'einem unbekannten Platz',
    es: 'un lugar desconocido',
  },
  '{order} is at {there}, not at {from}; nothing was moved. Check where the goods are, then send the request again without `from`.':
    {
      de: '{order} liegt auf {there}, nicht auf {from}; nichts wurde umgelagert. Prüfen Sie, wo die Ware liegt, und senden Sie die Anfrage noch einmal ohne `from`.',
      es: '{order} está en {there}, no en {from}; no se movió nada. Compruebe dónde está la mercancía y envíe la solicitud de nuevo sin `from`.',
    },
  'there is no state {unknown}; send one of {orderStates}': {
    de: 'den Status {unknown} gibt es nicht; die Status sind {orderStates}',
    es: 'no hay ningún estado {unknown}; los estados son {orderStates}',
  },
  '`after` must be `next` of the previous page': {
    de: '`after` muss der Wert next der vorigen Seite sein',
    es: '`after` debe ser el valor next de la página anterior',
  },
  'quantities cannot be changed here; to lower them, cancel units with .../cancel, and for more units create another order':
    {
      de: 'Mengen werden hier nicht geändert: weniger Stück mit Stornieren, mehr mit einem weiteren Auftrag',
      es: 'aquí no se cambian cantidades: para menos unidades anule, para más envíe otro pedido',
    },
  'every order can have notes': {
    de: 'jeder Auftrag kann Notizen haben',
    es: 'todo pedido puede tener notas',
  },
  contact: {
    de: 'der Kontakt',
    es: 'el contacto',
  },
  shippingAddress: {
    de: 'die Lieferadresse',
    es: 'la dirección de envío',
  },
  proxy: {
    de: 'die benannte Person',
    es: 'la persona autorizada',
  },
  pin: {
    de: 'die PIN',
    es: 'el PIN',
  },
  carrier: {
    de: 'der Versanddienst',
    es: 'el transportista',
  },
  giftMessage: {
    de: 'die Grußbotschaft',
    es: 'el mensaje de regalo',
  },
  pickupDeadline: {
    de: 'die Abholfrist',
    es: 'el plazo de recogida',
  },
  note: {
    de: 'die Notiz',
    es: 'la nota',
  },
  holdLocation: {
    de: 'der Platz',
    es: 'el lugar',
  },
});
