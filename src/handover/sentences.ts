/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  '{name} does not match this order; send the value from the customer pickup details': {
    de: '{name} gehört nicht zu diesem Auftrag; senden Sie es wie in den Daten der Übergabe',
    es: '{name} no es de este pedido; envíelo tal como está en los datos de la entrega',
  },
  'notAtHome means that nothing was delivered; send notAtHome without lines': {
    de: 'notAtHome heißt, dass nichts zugestellt wurde; senden Sie es ohne Positionen',
    es: 'notAtHome indica que no se entregó nada; envíelo sin líneas',
  },
  'the order has no PIN; leave pinNumber out': {
    de: 'der Auftrag hat keine PIN; lassen Sie pinNumber weg',
    es: 'el pedido no tiene PIN; no envíe pinNumber',
  },
  'the order has no PIN; send another verificationMethod': {
    de: 'der Auftrag hat keine PIN; wählen Sie eine andere Art der Prüfung',
    es: 'el pedido no tiene PIN; elija otra forma de verificación',
  },
  'a delivery has no PIN; send another verificationMethod': {
    de: 'eine Lieferung hat keine PIN; wählen Sie eine andere Art der Prüfung',
    es: 'una entrega a domicilio no tiene PIN; elija otra forma de verificación',
  },
  'pinNumber is missing; the order has a PIN, so send the PIN that the person gives you': {
    de: 'die PIN fehlt: Der Auftrag hat eine PIN, die die Person nennen muss',
    es: 'falta el PIN: el pedido tiene un PIN que la persona debe decir',
  },
  'verificationMethod is PIN, but pinNumber is missing; send the PIN that the person gives you': {
    de: 'geprüft wird mit PIN; geben Sie die PIN ein, die die Person nennt',
    es: 'la verificación es por PIN; escriba el PIN que dice la persona',
  },
  '{order} cannot be handed over until {until} because too many wrong PINs were sent; wait, or ask a lead to unlock the PIN.':
    {
      de: '{order} kann bis {until} nicht übergeben werden, oder bis die PIN entsperrt ist: Sie war zu oft falsch.',
      es: '{order} no se puede entregar hasta {until} o hasta que se desbloquee: su PIN fue incorrecto demasiadas veces.',
    },
  '{attemptsLeft} {attemptsLeft|attempt|attempts} left': {
    de: 'verbleibende Versuche: {attemptsLeft}',
    es: 'intentos restantes: {attemptsLeft}',
  },
  'the PIN is locked until {until}': {
    de: 'sie ist bis {until} gesperrt',
    es: 'está bloqueado hasta {until}',
  },
  'The PIN is wrong and nothing was handed over; {next}.': {
    de: 'Die PIN ist falsch, und nichts wurde übergeben; {next}.',
    es: 'El PIN es incorrecto y no se entregó nada; {next}.',
  },
  '`proof` is missing; the client requires a proof of each hand-over, so send `proof` with kind {kinds}': {
    de: 'der Mandant verlangt bei jeder Übergabe einen Nachweis; senden Sie ihn ({kinds})',
    es: 'la empresa pide una prueba en cada entrega; envíela ({kinds})',
  },
  'the client requires no proof of hand-overs; leave `proof` out': {
    de: 'der Mandant verlangt keinen Nachweis der Übergabe; lassen Sie ihn weg',
    es: 'la empresa no pide prueba de las entregas; no la envíe',
  },
  'the client requires a proof of kind {kinds}; send this kind': {
    de: 'der Mandant verlangt einen Nachweis der Art {kinds}',
    es: 'la empresa pide una prueba de tipo {kinds}',
  },
  'the picture has {count} bytes; send at most {bytesMax}': {
    de: 'das Bild hat {count} Bytes, erlaubt sind höchstens {bytesMax}',
    es: 'la imagen tiene {count} bytes; el máximo es {bytesMax}',
  },
  '`data` is not a {mediaType} picture in base64; send the bytes of the file in base64': {
    de: 'data ist kein Bild vom Typ {mediaType} in Base64; senden Sie die Bytes der Datei in Base64',
    es: 'data no es una imagen {mediaType} en base64; envíe los bytes del archivo en base64',
  },
  'Order {orderId} has no hand-over {handOverId} with a proof; send the handOverId of an event order.handedOver that has a proof.':
    {
      de: 'Zu Auftrag {orderId} gibt es keinen Nachweis der Übergabe {handOverId}; die Nummer steht im Ereignis order.handedOver.',
      es: 'El pedido {orderId} no tiene prueba de la entrega {handOverId}; el identificador está en el evento order.handedOver.',
    },
  'the order has no line {name}; send one of its lines: {list}': {
    de: 'der Auftrag hat keine Position {name}; seine Positionen sind {list}',
    es: 'el pedido no tiene la línea {name}; sus líneas son {list}',
  },
  'line {name} is in the message twice; send it once': {
    de: 'Position {name} steht zweimal in der Nachricht; nennen Sie sie einmal',
    es: 'la línea {name} figura dos veces en el mensaje; indíquela una sola vez',
  },
  'the lines neither hand over nor cancel a unit; send {handed} or canceledQuantity above 0': {
    de: 'die Positionen übergeben und stornieren kein Stück; senden Sie {handed} oder canceledQuantity über 0',
    es: 'las líneas no entregan ni anulan ninguna unidad; envíe {handed} o canceledQuantity mayor que 0',
  },
  'line {webLineId}': {
    de: 'Position {webLineId}',
    es: 'la línea {webLineId}',
  },
  'itemId does not match {name}; send {itemId}': {
    de: 'itemId gehört nicht zu {name}; der Artikel ist {itemId}',
    es: 'itemId no es el de {name}, que es {itemId}',
  },
  'backroomPickedQuantity of {name} must be {picked}, the number of its picked units': {
    de: 'backroomPickedQuantity von {name} muss {picked} sein, die gepickte Menge',
    es: 'backroomPickedQuantity de {name} debe ser {picked}, lo preparado',
  },
  '{name} has neither {field} nor canceledQuantity; send one or both': {
    de: '{name} hat weder {field} noch canceledQuantity; senden Sie eines davon oder beide',
    es: '{name} no tiene {field} ni canceledQuantity; envíe uno o ambos',
  },
  '{field} and canceledQuantity of {name} are {sum} together, but only {wanted} {wanted|unit remains|units remain}; lower one of them':
    {
      de: '{field} und canceledQuantity von {name} ergeben zusammen {sum}; gewünscht sind noch {wanted} Stück',
      es: '{field} y canceledQuantity de {name} suman {sum}; aún {wanted|se quiere|se quieren} {wanted} {wanted|unidad|unidades}',
    },
  'verificationMethod must be one of {list}{didYouMean}': {
    de: 'verificationMethod muss einer von {list} sein{didYouMean}',
    es: 'verificationMethod debe ser uno de {list}{didYouMean}',
  },
  'the order has no proxy; send CUSTOMER in {field}, or leave {field} out': {
    de: 'der Auftrag nennt keine andere Person; senden Sie CUSTOMER in {field}, oder lassen Sie {field} weg',
    es: 'el pedido no nombra a otra persona; envíe CUSTOMER en {field} o no envíe {field}',
  },
  'the order is held until the street date of an item; wait for that date': {
    de: 'er ist bis zum Verkaufsstart eines Artikels zurückgehalten; warten Sie bis dahin',
    es: 'está retenido hasta el lanzamiento de un artículo; espere hasta esa fecha',
  },
  'first generate and confirm the pick ticket of the order': {
    de: 'erstellen und bestätigen Sie zuerst seinen Schein',
    es: 'genere y confirme antes su hoja',
  },
  'confirm the pick ticket of the order first': {
    de: 'bestätigen Sie zuerst seinen Schein',
    es: 'confirme antes su hoja',
  },
  'the order must be packed, and is not handed over in the store': {
    de: 'er muss verpackt werden und wird nicht in der Filiale übergeben',
    es: 'debe empaquetarse y no se entrega en la tienda',
  },
  'check in the order first': {
    de: 'checken Sie ihn zuerst ein',
    es: 'regístrelo primero',
  },
  'the order can be handed over': {
    de: 'er kann übergeben werden',
    es: 'se puede entregar',
  },
  'the order must be delivered, and is not handed over in the store': {
    de: 'er muss zugestellt werden und wird nicht in der Filiale übergeben',
    es: 'debe llevarse a domicilio y no se entrega en la tienda',
  },
  'the units are with the carrier': {
    de: 'seine Ware ist beim Versanddienst',
    es: 'sus unidades las tiene el transportista',
  },
  'the order has no units left to hand over': {
    de: 'er hat nichts mehr, das übergeben werden kann',
    es: 'no le quedan unidades por entregar',
  },
  'the units were delivered': {
    de: 'seine Ware ist zugestellt',
    es: 'sus unidades están entregadas',
  },
  'no unit of the order is in the store; another node can fulfill the order': {
    de: 'seine Ware ist nicht in der Filiale; ein anderer Standort kann ihn übernehmen',
    es: 'ninguna de sus unidades está en la tienda; otro centro puede atenderlo',
  },
  'no unit of the order is in the store; another node fulfills the order': {
    de: 'seine Ware ist nicht in der Filiale; ein anderer Standort bearbeitet ihn',
    es: 'ninguna de sus unidades está en la tienda; otro centro lo atiende',
  },
  'pack the order first': {
    de: 'verpacken Sie ihn zuerst',
    es: 'empaquételo primero',
  },
  'the order must be handed over in the store, and is not delivered': {
    de: 'er muss in der Filiale übergeben werden und wird nicht zugestellt',
    es: 'debe entregarse en la tienda y no se lleva a domicilio',
  },
  'the order can be delivered': {
    de: 'er kann zugestellt werden',
    es: 'se puede llevar a domicilio',
  },
  'the units are with the customer': {
    de: 'seine Ware ist beim Kunden',
    es: 'sus unidades las tiene el cliente',
  },
  'the order has no units left to deliver': {
    de: 'er hat nichts mehr, das zugestellt werden kann',
    es: 'no le quedan unidades por llevar',
  },
  '{order} already has a hand-over {id} with other content; send a new hand-over with a new id.': {
    de: '{order} hat schon eine Übergabe {id} mit anderem Inhalt; senden Sie eine neue Übergabe mit neuer Nummer.',
    es: '{order} ya tiene una entrega {id} con otro contenido; envíe una entrega nueva con otro identificador.',
  },
  'the PIN is not locked now': {
    de: 'sie ist jetzt nicht gesperrt',
    es: 'ahora no está bloqueado',
  },
  'the PIN unlocks itself at {until}': {
    de: 'sie entsperrt sich um {until} von selbst',
    es: 'se desbloquea solo a las {until}',
  },
  'The PIN of {order} was unlocked {unlocks} {unlocks|time|times} and no correct PIN has been sent since, so it cannot be unlocked again; {next}.':
    {
      de: 'Die PIN wurde {unlocks} Mal entsperrt und seitdem nie richtig genannt ({order}); sie lässt sich nicht noch einmal entsperren, und {next}.',
      es: 'El PIN se desbloqueó {unlocks} {unlocks|vez|veces} sin que después se dijera bien ({order}), y no se puede desbloquear otra vez; {next}.',
    },
  '{order} has no PIN, so there is nothing to unlock.': {
    de: '{order} hat keine PIN; es gibt nichts zu entsperren.',
    es: '{order} no tiene PIN, así que no hay nada que desbloquear.',
  },
  'send standard base64 (with + and /, not - and _), without line breaks and without the prefix data:': {
    de: 'senden Sie Standard-Base64 (mit + und /, nicht - und _), ohne Zeilenumbrüche und ohne den Anfang data:',
    es: 'envíe base64 estándar (con + y /, no - y _), sin saltos de línea y sin el prefijo data:',
  },
  ' or ': {
    de: ' oder ',
    es: ' o ',
  },
});
