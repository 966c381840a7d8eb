/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  'Count {countId} was rejected by {userId}; nothing was changed. Count its rejected items again.': {
    de: '{userId} hat die Zählung {countId} abgelehnt; nichts wurde geändert. Zählen Sie ihre abgelehnten Artikel noch einmal.',
    es: '{userId} rechazó el conteo {countId}; no se cambió nada. Cuente de nuevo sus artículos rechazados.',
  },
  'Count {countId} is already posted and cannot be rejected; nothing was changed. To correct the stock, count its items again.':
    {
      de: 'Die Zählung {countId} ist schon gebucht und kann nicht abgelehnt werden; nichts wurde geändert. Um den Bestand zu berichtigen, zählen Sie ihre Artikel noch einmal.',
      es: 'El conteo {countId} ya está registrado y no se puede rechazar; no se cambió nada. Para corregir las existencias, cuente de nuevo sus artículos.',
    },
  'Count {newer} of {itemId} is already posted, and it is newer than count {countId}; nothing was changed. Reject count {countId}.':
    {
      de: 'Die Zählung {newer} von {itemId} ist schon gebucht und neuer als die Zählung {countId}; nichts wurde geändert. Lehnen Sie die Zählung {countId} ab.',
      es: 'El conteo {newer} de {itemId} ya está registrado y es más reciente que el conteo {countId}; no se cambió nada. Rechace el conteo {countId}.',
    },
  'Count {newer} of {itemId} was posted after the item was counted for plan {planId}; nothing was changed. Request a new count of the line, and approve the plan after this count.':
    {
      de: 'Die Zählung {newer} von {itemId} wurde gebucht, nachdem der Artikel für den Plan {planId} gezählt wurde; nichts wurde geändert. Lassen Sie die Zeile noch einmal zählen, und geben Sie den Plan nach dieser Zählung frei.',
      es: 'El conteo {newer} de {itemId} se registró después de contar el artículo para el plan {planId}; no se cambió nada. Haga contar la línea otra vez y apruebe el plan después de ese conteo.',
    },
  'Count {countId} of {itemId} was made before the node began to keep stock again; nothing was changed. Reject the count.':
    {
      de: 'Die Zählung {countId} von {itemId} ist aus der Zeit, bevor der Standort wieder Bestand führte; nichts wurde geändert. Lehnen Sie die Zählung ab.',
      es: 'El conteo {countId} de {itemId} es anterior al momento en que el centro volvió a llevar existencias; no se cambió nada. Rechace el conteo.',
    },
  'Item {itemId} was counted for plan {planId} before the node began to keep stock again; nothing was changed. Discard the plan, or request a new count of the line.':
    {
      de: 'Der Artikel {itemId} wurde für den Plan {planId} gezählt, bevor der Standort wieder Bestand führte; nichts wurde geändert. Verwerfen Sie den Plan, oder lassen Sie die Zeile noch einmal zählen.',
      es: 'El artículo {itemId} se contó para el plan {planId} antes de que el centro volviera a llevar existencias; no se cambió nada. Descarte el plan o haga contar la línea otra vez.',
    },
  'There is no count {countId} at node {nodeId}.': {
    de: 'Die Zählung {countId} am Standort {nodeId} gibt es nicht.',
    es: 'No hay ningún conteo {countId} en el centro {nodeId}.',
  },
  'revision {revision} of {name} does not exist yet; its stock level has revision {current}. Send the revision from the stock response':
    {
      de: 'Fassung {revision} von {name} gibt es noch nicht; der Bestand hat Fassung {current}. Senden Sie die Fassung, die angezeigt wurde',
      es: 'la revisión {revision} de {name} aún no existe; su nivel tiene la revisión {current}. Envíe la que se mostraba',
    },
  'revision {revision} of {name} is too old because the moves up to revision {gone} were deleted; count again': {
    de: 'Fassung {revision} von {name} ist zu alt: Bewegungen bis {gone} sind gelöscht; zählen Sie noch einmal',
    es: 'la revisión {revision} de {name} es demasiado antigua: los movimientos hasta {gone} se borraron; cuente de nuevo',
  },
  'revision {revision} of {name} is too old because the node began to keep stock again at revision {since}; count again':
    {
      de: 'Fassung {revision} von {name} ist zu alt: der Standort führt seit Fassung {since} wieder Bestand; zählen Sie noch einmal',
      es: 'la revisión {revision} de {name} es demasiado antigua: el centro volvió a llevar existencias en la revisión {since}; cuente de nuevo',
    },
  'bins is missing; the rule BINS needs the first characters of pick locations': {
    de: 'die Regel BINS braucht Plätze; nennen Sie die Anfänge der Platznummern',
    es: 'la regla BINS necesita ubicaciones; indique cómo empiezan',
  },
  'the rule {type} does not use bins; leave bins out, or send the rule BINS': {
    de: 'die Regel {type} hat keine Plätze; lassen Sie sie weg, oder nehmen Sie die Regel BINS',
    es: 'la regla {type} no lleva ubicaciones; quítelas o use la regla BINS',
  },
  'the rule {type} finds no item at the node; send another rule': {
    de: 'die Regel {type} findet am Standort keinen Artikel; nehmen Sie eine andere',
    es: 'la regla {type} no encuentra ningún artículo en el centro; use otra',
  },
  'Count plan {planId} does not allow this action: {blocked}. Nothing was changed.': {
    de: 'Der Zählplan {planId} lässt sich so nicht ändern: {blocked}. Nichts wurde geändert.',
    es: 'El plan de conteo {planId} no se puede cambiar así: {blocked}. No se cambió nada.',
  },
  '{itemId} at {place}': {
    de: '{itemId} in {place}',
    es: '{itemId} en {place}',
  },
  '{name} is not a line of the plan; send only lines of the plan, and count other items without a plan': {
    de: '{name} ist keine Zeile des Plans; nennen Sie Zeilen des Plans, und zählen Sie anderes ohne ihn',
    es: '{name} no es una línea del plan; envíe líneas del plan y cuente lo demás sin él',
  },
  '{name} is counted already by {userId}; leave the line out': {
    de: '{name} ist schon von {userId} gezählt; lassen Sie die Zeile weg',
    es: '{name} ya lo contó {userId}; quite la línea',
  },
  '{userId} counted {name} first; another user must count it again': {
    de: '{userId} hat {name} zuerst gezählt; nachzählen muss eine andere Person',
    es: '{userId} contó {name} primero; otra persona vuelve a contar',
  },
  'There is no count plan {planId} at node {nodeId}.': {
    de: 'Den Zählplan {planId} am Standort {nodeId} gibt es nicht.',
    es: 'No hay ningún plan de conteo {planId} en el centro {nodeId}.',
  },
  'the plan has no lines; add items first': {
    de: 'der Plan hat keine Zeilen; fügen Sie zuerst Artikel hinzu',
    es: 'el plan no tiene líneas; añada antes artículos',
  },
  'only a draft can be changed; discard the plan and create a new one': {
    de: 'nur ein Entwurf lässt sich ändern; verwerfen Sie den Plan, und legen Sie einen neuen an',
    es: 'solo se puede cambiar un borrador; descarte el plan y cree otro',
  },
  'the plan would have {n} lines, but a plan has at most {most}; add fewer lines': {
    de: 'der Plan hätte {n} Zeilen; fügen Sie weniger hinzu, ein Plan hat höchstens {most}',
    es: 'el plan tendría {n} líneas; añada menos, un plan tiene como máximo {most}',
  },
  'the message changes no line; send add or remove': {
    de: 'die Nachricht ändert keine Zeile; senden Sie add oder remove',
    es: 'el mensaje no cambia ninguna línea; envíe add o remove',
  },
  'is also in /add/{first}; send the line only in add or only in remove': {
    de: 'steht auch in /add/{first}; senden Sie die Zeile nur in add oder nur in remove',
    es: 'también está en /add/{first}; envíe la línea solo en add o solo en remove',
  },
  '/{list}/{first} already has {itemId} with the same place; send each item and place once': {
    de: '/{list}/{first} hat schon {itemId} mit demselben Platz; senden Sie Artikel und Platz einmal',
    es: '/{list}/{first} ya tiene {itemId} con el mismo lugar; envíe cada artículo y lugar una sola vez',
  },
  'the plan is a draft; open it first': {
    de: 'der Plan ist ein Entwurf; öffnen Sie ihn zuerst',
    es: 'el plan es un borrador; ábralo primero',
  },
  'not every line is counted; count the other lines first': {
    de: 'nicht alle Zeilen sind gezählt; zählen Sie zuerst die anderen',
    es: 'no todas las líneas están contadas; cuente antes las demás',
  },
  'all lines are counted; approve the plan, or request a new count of lines': {
    de: 'alle Zeilen sind gezählt; geben Sie den Plan frei, oder lassen Sie Zeilen noch einmal zählen',
    es: 'todas las líneas están contadas; apruebe el plan, o haga contar líneas otra vez',
  },
  'the plan is approved; create a new plan': {
    de: 'der Plan ist freigegeben; legen Sie einen neuen an',
    es: 'el plan está aprobado; cree otro',
  },
  'the client has no item {name}; send the itemId of one of its items': {
    de: 'den Artikel {name} des Mandanten gibt es nicht; senden Sie seine itemId',
    es: 'no hay ningún artículo {name} de la empresa; envíe su itemId',
  },
  '/lines/{first} already has {name} with the same place; send each item and place once': {
    de: '/lines/{first} hat schon {name} mit demselben Platz; senden Sie Artikel und Platz einmal',
    es: '/lines/{first} ya tiene {name} con el mismo lugar; envíe cada artículo y lugar una sola vez',
  },
  'Node {nodeId} keeps no stock; nothing was posted. Set stock to KEPT with PUT of the node first.': {
    de: 'Standort {nodeId} führt keinen Bestand; nichts wurde gebucht. Stellen Sie den Bestand des Standorts zuerst auf „geführt“.',
    es: 'El centro {nodeId} no lleva existencias; no se registró nada. Active antes las existencias del centro.',
  },
  'the client has no item {itemId}; send the itemId of one of its items': {
    de: 'den Artikel {itemId} des Mandanten gibt es nicht; senden Sie seine itemId',
    es: 'no hay ningún artículo {itemId} de la empresa; envíe su itemId',
  },
  '`from` and `to` are both {to}; send two different places': {
    de: '`from` und `to` sind beide {to}; nehmen Sie zwei verschiedene Plätze',
    es: '`from` y `to` son ambos {to}; indique dos lugares distintos',
  },
  '{from} and {to} are both outside the node; send a place of the node as one of them': {
    de: '{from} und {to} liegen beide außerhalb des Standorts; nehmen Sie für einen davon einen Platz des Standorts',
    es: '{from} y {to} están fuera del centro; indique para uno un lugar del centro',
  },
  ' without an order': {
    de: ' ohne Auftrag',
    es: ' sin pedido',
  },
  ' without an open decision': {
    de: ' ohne offene Entscheidung',
    es: ' sin decisión pendiente',
  },
  'quantity is {quantity}, but {from} has {units} {units|unit|units} of {itemId}{which}; move at most {units}, or count the item first':
    {
      de: 'die Menge ist {quantity}, {from} hat aber {units} Stück von {itemId}{which}; nehmen Sie höchstens {units}, oder zählen Sie den Artikel zuerst',
      es: 'la cantidad es {quantity}, pero {from} tiene {units} {units|unidad|unidades} de {itemId}{which}; mueva como máximo {units} o cuente antes el artículo',
    },
  'quantity is {quantity}, but all staged units of {itemId} belong to orders and move with them; hand the orders over, or bring their units back':
    {
      de: 'die Menge ist {quantity}, aber alle bereitgestellten Stück von {itemId} gehören zu Aufträgen und bewegen sich mit ihnen; geben Sie die Aufträge aus, oder bringen Sie die Stücke zurück',
      es: 'la cantidad es {quantity}, pero todas las unidades preparadas de {itemId} son de pedidos y se mueven con ellos; entregue los pedidos o devuelva sus unidades al estante',
    },
  'quantity is {quantity}, but {waiting} held {waiting|unit|units} of {itemId} {waiting|waits|wait} for a decision; decide on {waiting|it|them} first ({where}{others}){or}':
    {
      de: 'die Menge ist {quantity}, aber {waiting} {waiting|gesperrtes|gesperrte} Stück von {itemId} {waiting|wartet|warten} auf eine Entscheidung; entscheiden Sie zuerst darüber ({where}{others}){or}',
      es: 'la cantidad es {quantity}, pero {waiting} {waiting|unidad retenida|unidades retenidas} de {itemId} {waiting|espera|esperan} una decisión; decida primero ({where}{others}){or}',
    },
  ', or move at most {units}': {
    de: ', oder nehmen Sie höchstens {units}',
    es: ' o mueva como máximo {units}',
  },
  ' and {n} more': {
    de: ' und {n} weitere',
    es: ' y {n} más',
  },
  'There is no item {itemId} of client {clientId}.': {
    de: 'Den Artikel {itemId} des Mandanten {clientId} gibt es nicht.',
    es: 'No hay ningún artículo {itemId} de la empresa {clientId}.',
  },
  'send a whole number, 0 or more, with at most 15 digits': {
    de: 'nehmen Sie eine ganze Zahl ab 0 mit höchstens 15 Ziffern',
    es: 'envíe un número entero, 0 o más, de 15 cifras como máximo',
  },
  '`after` is {after}, but the last position of the client is {head}; send at most {head}. If the service was restored from a backup, read the stock of all nodes, then continue with after={head}':
    {
      de: '`after` ist {after}, die letzte Position des Mandanten aber {head}; senden Sie höchstens {head}. Wurde der Dienst aus einer Sicherung wiederhergestellt, lesen Sie den Bestand aller Standorte, und machen Sie mit after={head} weiter',
      es: '`after` es {after}, pero la última posición de la empresa es {head}; envíe como máximo {head}. Si el servicio se restauró de una copia, lea las existencias de todos los centros y continúe con after={head}',
    },
  '`after` is {after}, but the last number of the node is {last}; send at most {last}. If the service was restored from a backup, compare your levels with those of the node, then continue with after={last}':
    {
      de: '`after` ist {after}, die letzte Nummer des Standorts aber {last}; senden Sie höchstens {last}. Wurde der Dienst aus einer Sicherung wiederhergestellt, vergleichen Sie die Bestände, und machen Sie mit after={last} weiter',
      es: '`after` es {after}, pero el último número del centro es {last}; envíe como máximo {last}. Si el servicio se restauró de una copia, compare los niveles y continúe con after={last}',
    },
  '`after` is {after}, and events up to position {gone} are no longer kept. Read the stock of all nodes, then continue with after={gone}.':
    {
      de: '`after` ist {after}, Ereignisse bis Position {gone} sind aber nicht mehr gespeichert. Lesen Sie den Bestand aller Standorte, und machen Sie mit after={gone} weiter.',
      es: '`after` es {after}, pero los eventos hasta la posición {gone} ya no se guardan. Lea las existencias de todos los centros y continúe con after={gone}.',
    },
  '`after` is {after}, but transactions up to {gone} are deleted. Compare your levels with those of the node, then continue with after={gone}.':
    {
      de: '`after` ist {after}, Bewegungen bis {gone} sind aber gelöscht. Vergleichen Sie die Bestände, und machen Sie mit after={gone} weiter.',
      es: '`after` es {after}, pero los movimientos hasta {gone} están borrados. Compare los niveles y continúe con after={gone}.',
    },
  '`after` must be the last `next` of a stock export': {
    de: '`after` muss das letzte next eines Bestandsexports sein',
    es: '`after` debe ser el último next de una exportación de existencias',
  },
});
