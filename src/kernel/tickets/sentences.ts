/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../../platform/message/sentence.ts';

export const say = sentences({
  'holdLocation was {holdLocation}': {
    de: 'der Platz war {holdLocation}',
    es: 'el lugar era {holdLocation}',
  },
  'item {id} had pickedQuantity {picked} and canceledQuantity {canceled}': {
    de: 'Artikel {id}: {picked} gefunden und {canceled} fehlend',
    es: 'artículo {id}: {picked} encontradas y {canceled} faltantes',
  },
  'item {id} had cancellationReasonCode {reason}': {
    de: 'Artikel {id}: Grund {reason}',
    es: 'artículo {id}: motivo {reason}',
  },
  'userId or a location in orderHoldLocations was different, or the ticket was corrected since and has this content now':
    {
      de: 'die Person war eine andere, oder ein Platz eines Auftrags, oder der Schein wurde seitdem korrigiert und hat jetzt diesen Inhalt',
      es: 'la persona era otra, o un lugar de un pedido, o la hoja se corrigió después y ahora tiene este contenido',
    },
  'the order is now on another pick ticket, {pickTicketId}': {
    de: 'er ist jetzt auf einem anderen Schein, {pickTicketId}',
    es: 'ahora está en otra hoja, {pickTicketId}',
  },
  'the customer’s data is anonymized': {
    de: 'die Daten seines Kunden sind anonymisiert',
    es: 'los datos de su cliente están anonimizados',
  },
  'units of the order were handed over, or the customer did not take them': {
    de: 'Stücke davon wurden übergeben, oder der Kunde hat sie nicht genommen',
    es: 'se entregaron unidades, o el cliente no las quiso',
  },
  'units of the order were canceled after the pick, and a reverse pick ticket brings them back to the shelf': {
    de: 'Stücke davon wurden nach dem Picken storniert, und ein Rückräumschein räumt sie zurück',
    es: 'se anularon unidades después de prepararlas, y una hoja las devuelve al estante',
  },
  'the order is {status}': {
    de: 'er ist {status}',
    es: 'está {status}',
  },
  'units of the order are in packages': {
    de: 'Stücke davon sind in Paketen',
    es: 'hay unidades en paquetes',
  },
  'units of the order were declined during packing': {
    de: 'Stücke davon wurden beim Packen abgelehnt',
    es: 'se rechazaron unidades al empaquetar',
  },
  'the re-source request of its declined units was accepted or canceled': {
    de: 'die Neuzuteilung seiner abgelehnten Stücke wurde angenommen oder storniert',
    es: 'la reasignación de sus unidades rechazadas se aceptó o se anuló',
  },
  'scan {undoes} is already undone by scan {other}; leave this scan out': {
    de: 'Scan {undoes} ist schon durch Scan {other} zurückgenommen; lassen Sie diesen Scan weg',
    es: 'el escaneo {undoes} ya lo deshizo el escaneo {other}; no envíe este escaneo',
  },
  'scanId {scanId} was saved with other content; give a new scan a new id': {
    de: 'scanId {scanId} wurde mit anderem Inhalt gespeichert; geben Sie einem neuen Scan eine neue Nummer',
    es: 'scanId {scanId} se guardó con otro contenido; dé otro identificador al escaneo nuevo',
  },
  'the scan must name its item by either id or code; send one of them': {
    de: 'der Scan muss seinen Artikel mit id oder mit code nennen; senden Sie eines von beiden',
    es: 'el escaneo debe nombrar su artículo con id o con code; envíe uno de los dos',
  },
  'a scan that undoes another scan must have no quantities and no reason; remove them': {
    de: 'ein Scan, der einen anderen zurücknimmt, hat keine eigenen Mengen',
    es: 'un escaneo que deshace otro no tiene cantidades propias',
  },
  'scan {undo} undoes another scan, so it cannot be undone; send a new scan for the unit': {
    de: 'Scan {undo} nimmt einen anderen zurück und kann nicht selbst zurückgenommen werden; senden Sie einen neuen Scan für das Stück',
    es: 'el escaneo {undo} deshace otro, así que no se puede deshacer; envíe un escaneo nuevo para la unidad',
  },
  'a scan cannot undo itself; send the scanId of an earlier scan in `undoes`': {
    de: 'ein Scan kann sich nicht selbst zurücknehmen; senden Sie die scanId eines früheren Scans in `undoes`',
    es: 'un escaneo no puede deshacerse a sí mismo; envíe en `undoes` el scanId de un escaneo anterior',
  },
  'the scan has no units: send a pickedQuantity or canceledQuantity above 0': {
    de: 'der Scan hat keine Stücke: Senden Sie pickedQuantity oder canceledQuantity größer als 0',
    es: 'el escaneo no tiene unidades: envíe pickedQuantity o canceledQuantity mayor que 0',
  },
  'the scan': {
    de: 'der Scan',
    es: 'el escaneo',
  },
  '{code} is component {itemId} ({itemDesc}) of item {id}, the bundle {itemId2}; pick all components, then scan the bundle or send id {id}':
    {
      de: '{code} ist der Teil {itemId} ({itemDesc}) von Artikel {id}, dem Set {itemId2}; scannen Sie das Set, sobald alle Teile da sind',
      es: '{code} es la parte {itemId} ({itemDesc}) del artículo {id}, el conjunto {itemId2}; escanee el conjunto cuando estén todas las partes',
    },
  'there is no scan {undoes} on the ticket; if you send that scan later, add the id or code of its item to this scan': {
    de: 'der Schein hat keinen Scan {undoes}; kommt dieser Scan später, senden Sie auch seinen Artikel oder Code',
    es: 'la hoja no tiene el escaneo {undoes}; si ese escaneo llega después, añada su artículo o código',
  },
  '{value} is not an item of this ticket; put the unit back and scan the next unit': {
    de: '{value} steht nicht auf diesem Schein; legen Sie das Stück zurück und scannen Sie das nächste',
    es: '{value} no está en esta hoja; devuelva la unidad y escanee la siguiente',
  },
  'item {id} ({itemId}) has {quantity} {quantity|unit|units} to pick, but with this scan {n} would be picked or canceled; put the extra units back':
    {
      de: 'von Artikel {id} ({itemId}) sind {quantity} Stück zu picken, und das macht {n}; legen Sie den Rest zurück',
      es: 'del artículo {id} ({itemId}) hay {quantity} {quantity|unidad|unidades} por preparar, y con esto son {n}; devuelva el resto',
    },
  'There is no pick ticket {pickTicketId} of this store and node; check its id.': {
    de: 'Den Schein {pickTicketId} gibt es in dieser Filiale nicht; prüfen Sie die Nummer.',
    es: 'No hay ninguna hoja {pickTicketId} en esta tienda; compruebe el número.',
  },
  'Another request changed the ticket at the same time, so this request changed nothing. Try again.': {
    de: 'Der Schein wurde gerade von jemand anderem geändert; nichts wurde geändert. Versuchen Sie es erneut.',
    es: 'Otra solicitud cambió la hoja a la vez; no se cambió nada. Vuelva a intentarlo.',
  },
  'the orders have {items} different items, but a ticket has at most {itemsMax}; send fewer orders': {
    de: 'die Aufträge haben {items} verschiedene Artikel, ein Schein aber höchstens {itemsMax}; nehmen Sie weniger Aufträge',
    es: 'los pedidos tienen {items} artículos distintos, pero una hoja tiene como máximo {itemsMax}; elija menos pedidos',
  },
  'The pick ticket is closed ({stateOfTicket}); generate a new ticket for orders that still wait for pick.': {
    de: 'Der Schein ist geschlossen ({stateOfTicket}); erstellen Sie einen neuen für Aufträge, die noch warten.',
    es: 'La hoja está cerrada ({stateOfTicket}); genere otra para los pedidos que aún esperan.',
  },
  'The pick ticket is assigned to user {userId}; take it over first, with fromUserId {userId}.': {
    de: 'Der Schein gehört {userId}; übernehmen Sie ihn zuerst.',
    es: 'La hoja es de {userId}; tómela primero.',
  },
  'The pick ticket is assigned to user {userId}, not to {userId2}; send fromUserId {userId}.': {
    de: 'Der Schein gehört {userId}, nicht {userId2}; sehen Sie nach, wer ihn jetzt hat.',
    es: 'La hoja es de {userId}, no de {userId2}; compruebe quién la tiene ahora.',
  },
  'the ticket has no user to take it over from; open it with the userId of its next user': {
    de: 'der Schein gehört niemandem; die nächste Person kann ihn öffnen',
    es: 'la hoja no es de nadie; la siguiente persona puede abrirla',
  },
  'The pick ticket was not taken over: {reason}.': {
    de: 'Der Schein wurde nicht übernommen: {reason}.',
    es: 'La hoja no se tomó: {reason}.',
  },
  'The pick ticket was reset, so it cannot be confirmed; generate a new ticket for its orders.': {
    de: 'Der Schein wurde zurückgegeben und kann nicht bestätigt werden; erstellen Sie einen neuen für seine Aufträge.',
    es: 'La hoja se devolvió, así que no se puede confirmar; genere otra para sus pedidos.',
  },
  'The pick ticket is confirmed, so it cannot be reset; its orders have continued with their next step.': {
    de: 'Der Schein ist bestätigt und kann nicht zurückgegeben werden; seine Aufträge sind schon im nächsten Schritt.',
    es: 'La hoja está confirmada, así que no se puede devolver; sus pedidos siguen con el paso siguiente.',
  },
  'The pick ticket was not corrected: {whyNotConfirmed}.': {
    de: 'Der Schein wurde nicht korrigiert: {whyNotConfirmed}.',
    es: 'La hoja no se corrigió: {whyNotConfirmed}.',
  },
  'the ticket is {stateOfTicket}; only a confirmed pick ticket can be corrected': {
    de: 'er ist {stateOfTicket}; nur ein bestätigter Schein kann korrigiert werden',
    es: 'está {stateOfTicket}; solo se corrige una hoja confirmada',
  },
  'a reverse pick ticket cannot be corrected': {
    de: 'es ist ein Rückräumschein; nur andere Scheine können korrigiert werden',
    es: 'es una hoja de devolución al estante; solo se corrigen otras hojas',
  },
  '; and {n} more': {
    de: '; und {n} weitere',
    es: '; y {n} más',
  },
  'The reverse pick ticket is confirmed already, with other content: {shown}{more}. It cannot be corrected; count the stock of its items.':
    {
      de: 'Der Rückräumschein ist schon mit anderem Inhalt bestätigt: {shown}{more}. Er kann nicht korrigiert werden; zählen Sie den Bestand seiner Artikel.',
      es: 'La hoja de devolución al estante ya está confirmada con otro contenido: {shown}{more}. No se puede corregir; cuente las existencias de sus artículos.',
    },
  'The pick ticket is confirmed already, with other content: {shown}{more}. Correct it with POST {path}': {
    de: 'Der Schein ist schon mit anderem Inhalt bestätigt: {shown}{more}. Korrigieren Sie den bestätigten Schein.',
    es: 'La hoja ya está confirmada con otro contenido: {shown}{more}. Corrija la hoja confirmada.',
  },
  'Order {id}: {what}': {
    de: 'Auftrag {id}: {what}',
    es: 'Pedido {id}: {what}',
  },
  'The pick ticket was not corrected, because later steps depend on its CONFIRM (item {itemNumbers}). {reasons}.': {
    de: 'Der Schein wurde nicht korrigiert, weil spätere Schritte auf seiner Bestätigung beruhen (Artikel {itemNumbers}). {reasons}.',
    es: 'La hoja no se corrigió, porque pasos posteriores dependen de su confirmación (artículo {itemNumbers}). {reasons}.',
  },
  'the ticket is {state}; the action {action} is allowed only while the ticket is {states}': {
    de: 'der Schein ist {state}; {action} geht nur, solange er {states} ist',
    es: 'la hoja está {state}; {action} solo es posible mientras está {states}',
  },
  ' or ': {
    de: ' oder ',
    es: ' o ',
  },
  open: {
    de: 'Öffnen',
    es: 'abrirla',
  },
  saveProgress: {
    de: 'Scannen',
    es: 'escanear',
  },
  takeOver: {
    de: 'Übernehmen',
    es: 'tomarla',
  },
  CONFIRM: {
    de: 'Bestätigen',
    es: 'confirmarla',
  },
  RESET: {
    de: 'Zurückgeben',
    es: 'devolverla',
  },
  NEW: {
    de: 'neu',
    es: 'nueva',
  },
  IN_PROGRESS: {
    de: 'in Arbeit',
    es: 'en curso',
  },
  CONFIRMED: {
    de: 'bestätigt',
    es: 'confirmada',
  },
  '{reset}': {
    de: 'zurückgegeben',
    es: 'devuelta',
  },
  'the order is not on a pick ticket': {
    de: 'er ist auf keinem Schein',
    es: 'no está en ninguna hoja',
  },
});
