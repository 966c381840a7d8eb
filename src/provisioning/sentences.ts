/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  '{word} is in both lists, add and delete; keep it in one of them': {
    de: '{word} ist auch ein Wort für die andere Richtung; behalten Sie es in einer der beiden Listen',
    es: '{word} también es una palabra para la otra operación; déjela en una de las dos listas',
  },
  '{value} is not in settings.{of} ({known}); send one of these': {
    de: '{value} ist nicht in settings.{of} ({known}); nehmen Sie einen davon',
    es: '{value} no está en settings.{of} ({known}); use uno de estos',
  },
  'approachingMinutes ({approachingMinutes}) must be less than expiredMinutes ({expiredMinutes})': {
    de: 'approachingMinutes ({approachingMinutes}) muss kleiner sein als expiredMinutes ({expiredMinutes})',
    es: 'approachingMinutes ({approachingMinutes}) debe ser menor que expiredMinutes ({expiredMinutes})',
  },
  'expiresAt is in the past; send a later time, or leave expiresAt out': {
    de: 'expiresAt liegt in der Vergangenheit; nehmen Sie einen späteren Zeitpunkt, oder lassen Sie expiresAt weg',
    es: 'expiresAt ya pasó; elija un momento posterior o no envíe expiresAt',
  },
  'you can grant only groups whose permissions you have yourself, not {more}; leave these groups out': {
    de: 'Sie können nur Gruppen vergeben, die Sie selbst haben, nicht {more}; lassen Sie diese Gruppen weg',
    es: 'solo puede conceder grupos que usted tiene, no {more}; no envíe estos grupos',
  },
  'you can give access only to {what} to which you have access; send {name} with values from this list: {own}': {
    de: 'Sie können nur {what} vergeben, auf die Sie selbst Zugriff haben; senden Sie {name} mit Werten aus dieser Liste: {own}',
    es: 'solo puede dar acceso a {what} si usted también lo tiene; envíe {name} con valores de esta lista: {own}',
  },
  'There is no credential {credentialId} of client {clientId}.': {
    de: 'Den Zugang {credentialId} des Mandanten {clientId} gibt es nicht.',
    es: 'No hay ninguna credencial {credentialId} de la empresa {clientId}.',
  },
  'There is no client {clientId}.': {
    de: 'Den Mandanten {clientId} gibt es nicht.',
    es: 'No hay ninguna empresa {clientId}.',
  },
  'Node {nodeId} has no data of item {itemId}.': {
    de: 'Standort {nodeId} hat keine Daten zu Artikel {itemId}.',
    es: 'El centro {nodeId} no tiene datos del artículo {itemId}.',
  },
  'There is no user {userId} of client {clientId}.': {
    de: 'Den Benutzer {userId} des Mandanten {clientId} gibt es nicht.',
    es: 'No hay ningún usuario {userId} de la empresa {clientId}.',
  },
  'the client has no identity provider {providerId}; create it first or leave it out': {
    de: '{providerId} ist kein Anmeldedienst des Mandanten; legen Sie ihn zuerst an, oder lassen Sie ihn weg',
    es: '{providerId} no es un proveedor de acceso de la empresa; créelo primero o no lo envíe',
  },
  'the origin of logoUrl, {origin}, is not in settings.imageOrigins; add it there': {
    de: 'die Herkunft von logoUrl, {origin}, steht nicht in settings.imageOrigins; nehmen Sie sie dort auf',
    es: 'el origen de logoUrl, {origin}, no está en settings.imageOrigins; añádalo ahí',
  },
  'the identity is in the list twice; send it once': {
    de: 'das Konto steht schon in der Liste; senden Sie es einmal',
    es: 'la identidad ya está en la lista; envíela una sola vez',
  },
  'The account {subject} of identity provider {providerId} is linked to another user; remove it from that user first.':
    {
      de: 'Das Konto {subject} des Anmeldedienstes {providerId} ist mit einer anderen Person verbunden; lösen Sie zuerst diese Verbindung.',
      es: 'La cuenta {subject} del proveedor {providerId} está vinculada a otro usuario; quite antes ese vínculo.',
    },
  'issuer is not an https url; send a url such as https://login.example.com/realms/shop': {
    de: 'issuer ist keine https-URL; nehmen Sie eine wie https://login.example.com/realms/shop',
    es: 'issuer no es una URL https; use una como https://login.example.com/realms/shop',
  },
  'issuer must not have a user name, password, query or fragment; leave them out': {
    de: 'issuer darf weder Benutzer noch Passwort, Abfrage oder Fragment haben; lassen Sie sie weg',
    es: 'issuer no puede tener usuario, contraseña, consulta ni fragmento; quítelos',
  },
  'issuer must be an https url; http is allowed only in trials, with an http PUBLIC_URL on loopback': {
    de: 'issuer muss eine https-URL sein; http ist nur bei Versuchen erlaubt, wenn PUBLIC_URL http auf dem eigenen Rechner ist',
    es: 'issuer debe ser una URL https; http solo se permite en pruebas, con PUBLIC_URL http en la propia máquina',
  },
  'issuer has an address that is not public; send an issuer with a public address. Other addresses are allowed only in trials, with an http PUBLIC_URL on loopback':
    {
      de: 'issuer hat eine Adresse, die nicht öffentlich ist; senden Sie einen issuer mit öffentlicher Adresse. Andere Adressen sind nur bei Versuchen erlaubt, wenn PUBLIC_URL http auf dem eigenen Rechner ist',
      es: 'issuer tiene una dirección que no es pública; envíe un issuer con una dirección pública. Otras direcciones solo se permiten en pruebas, con PUBLIC_URL http en la propia máquina',
    },
  'clientId in the path is reserved for trainings; choose another clientId': {
    de: 'dieser Name ist für Übungen reserviert; wählen Sie einen anderen',
    es: 'este identificador está reservado para prácticas; elija otro',
  },
  '{queue} and {other} have the same id; give each queue its own id': {
    de: '{queue} und {other} haben denselben Namen; geben Sie jeder Warteschlange einen eigenen',
    es: '{queue} y {other} tienen el mismo identificador; dé uno propio a cada cola',
  },
  'Catalog {catalogId} is in use by store {storeId}; keep it in catalogIds.': {
    de: 'Der Katalog {catalogId} wird vom Webshop {storeId} verwendet; behalten Sie ihn in catalogIds.',
    es: 'El catálogo {catalogId} lo usa la tienda web {storeId}; déjelo en catalogIds.',
  },
  'Catalog {catalogId} has items, for example {itemId}; keep it in catalogIds or delete its items first.': {
    de: 'Der Katalog {catalogId} hat Artikel, zum Beispiel {itemId}; behalten Sie ihn in catalogIds, oder löschen Sie zuerst seine Artikel.',
    es: 'El catálogo {catalogId} tiene artículos, por ejemplo {itemId}; déjelo en catalogIds o borre antes sus artículos.',
  },
  'Pick ticket {pickTicketId} is open, so settings.queueIds cannot change; confirm or reset the ticket first.': {
    de: 'Die Pickliste {pickTicketId} ist offen, daher lässt sich settings.queueIds nicht ändern; bestätigen Sie sie zuerst, oder setzen Sie sie zurück.',
    es: 'La hoja de recogida {pickTicketId} está abierta, así que settings.queueIds no puede cambiar; confírmela o restablézcala antes.',
  },
  'Orders are on the queues of this client; change settings.queueIds when all queues are empty.': {
    de: 'Der Mandant hat Aufträge in seinen Warteschlangen; ändern Sie settings.queueIds, wenn alle leer sind.',
    es: 'Hay pedidos en las colas de esta empresa; cambie settings.queueIds cuando todas estén vacías.',
  },
  'clientSecret is missing; a new identity provider needs a secret': {
    de: 'clientSecret fehlt; ein neuer Anmeldedienst braucht eines',
    es: 'falta clientSecret; un proveedor de acceso nuevo lo necesita',
  },
  'clientSecret is missing; send the secret for the new issuer or oidcClientId': {
    de: 'clientSecret fehlt; ein anderer issuer oder eine andere oidcClientId braucht ein eigenes',
    es: 'falta clientSecret; otro issuer u oidcClientId necesita el suyo',
  },
  'roles is missing or empty; with roleClaim, send at least one value of the claim with its role': {
    de: 'roles fehlt oder ist leer; roleClaim braucht mindestens einen Wert mit seiner Rolle',
    es: 'falta roles o está vacío; roleClaim necesita al menos un valor con su rol',
  },
  'roleClaim is missing; send the JSON pointer to the roles in the ID token': {
    de: 'roleClaim fehlt; nennen Sie den JSON-Pointer der Rollen im ID-Token',
    es: 'falta roleClaim; envíe el puntero JSON a los roles en el token de identidad',
  },
  'createUsers needs roleClaim and roles, which set the role of new users; add both fields, or leave createUsers out': {
    de: 'createUsers braucht roleClaim und roles: neue Personen bekommen daraus ihre Rolle',
    es: 'createUsers necesita roleClaim y roles: los usuarios nuevos reciben de ahí su rol',
  },
  'The client has {providersMax} identity providers already; delete one that is no longer needed.': {
    de: 'Der Mandant hat schon {providersMax} Anmeldedienste; löschen Sie einen, der nicht mehr gebraucht wird.',
    es: 'La empresa ya tiene {providersMax} proveedores de acceso; borre uno que ya no haga falta.',
  },
  'There is no item {itemId} of client {clientId}; create the item first, or correct itemId. Its form is <catalogId>-<clientItemId>.':
    {
      de: 'Den Artikel {itemId} des Mandanten {clientId} gibt es nicht; legen Sie ihn zuerst an, oder berichtigen Sie itemId. Die Form ist <catalogId>-<clientItemId>.',
      es: 'No hay ningún artículo {itemId} de la empresa {clientId}; créelo primero o corrija itemId. Su forma es <catalogId>-<clientItemId>.',
    },
  'item {itemId} is in the message twice; send it once': {
    de: 'Artikel {itemId} steht zweimal in der Nachricht; senden Sie ihn einmal',
    es: 'el artículo {itemId} figura dos veces en el mensaje; envíelo una sola vez',
  },
  'timeZone must be a zone of the IANA database, for example Europe/Lisbon': {
    de: 'die Zeitzone muss eine der IANA-Datenbank sein, zum Beispiel Europe/Berlin',
    es: 'la zona horaria debe ser de la base de datos IANA, por ejemplo Europe/Madrid',
  },
  'this span of {dayOfWeek} overlaps the span at index {other}; merge them': {
    de: 'diese Zeit am {dayOfWeek} überschneidet sich mit der bei {other}; fassen Sie beide zusammen',
    es: 'este tramo de {dayOfWeek} se solapa con el de {other}; únalos',
  },
  'another node': {
    de: 'einem anderen Standort',
    es: 'otro centro',
  },
  'node {holder}': {
    de: 'Standort {holder}',
    es: 'el centro {holder}',
  },
  'The receivingWarehouseId {warehouse} is taken by {whose} of the client; choose another.': {
    de: 'Die receivingWarehouseId {warehouse} ist von {whose} des Mandanten belegt; wählen Sie eine andere.',
    es: 'El receivingWarehouseId {warehouse} lo usa {whose} de la empresa; elija otro.',
  },
  "catalogId must be one of the client's catalogs: {catalogIds}": {
    de: 'catalogId muss einer der Kataloge des Mandanten sein: {catalogIds}',
    es: 'catalogId debe ser uno de los catálogos de la empresa: {catalogIds}',
  },
  '{currency} is not a currency code of ISO 4217; send a code such as EUR or USD': {
    de: '{currency} ist keine Währung nach ISO 4217; nehmen Sie eine wie EUR oder USD',
    es: '{currency} no es una moneda de ISO 4217; use una como EUR o USD',
  },
  'The storeId {storeId} is taken in this installation; choose another.': {
    de: 'Die storeId {storeId} ist in dieser Installation vergeben; wählen Sie eine andere.',
    es: 'El storeId {storeId} ya está en uso en esta instalación; elija otro.',
  },
  'The sellerId {sellerId} is taken in this installation; choose another.': {
    de: 'Die sellerId {sellerId} ist in dieser Installation vergeben; wählen Sie eine andere.',
    es: 'El sellerId {sellerId} ya está en uso en esta instalación; elija otro.',
  },
  'another store': {
    de: 'einem anderen Webshop',
    es: 'otra tienda web',
  },
  'store {holder}': {
    de: 'Webshop {holder}',
    es: 'la tienda web {holder}',
  },
  'The storeCode {storeCode} of seller {sellerId} is taken by {whose}; choose another.': {
    de: 'Der storeCode {storeCode} des Verkäufers {sellerId} ist von {whose} belegt; wählen Sie einen anderen.',
    es: 'El storeCode {storeCode} del vendedor {sellerId} lo usa {whose}; elija otro.',
  },
  'Store {storeId} has orders or inbound shipments, so its {changed} cannot change; create a new store.': {
    de: 'Der Webshop {storeId} hat Aufträge oder Lieferungen, {changed} lässt sich also nicht ändern; legen Sie einen neuen an.',
    es: 'La tienda web {storeId} tiene pedidos o llegadas, así que no se puede cambiar {changed}; cree una nueva.',
  },
  'lease, system and names with a colon are reserved for the service; choose another name': {
    de: 'lease, system und Namen mit Doppelpunkt gehören dem Dienst; wählen Sie einen anderen Namen',
    es: 'lease, system y los nombres con dos puntos son del servicio; elija otro nombre',
  },
  'password is missing; a new user needs a password, or identities to sign in with': {
    de: 'das Passwort fehlt; eine neue Person braucht eines, oder Konten zum Anmelden',
    es: 'falta la contraseña; un usuario nuevo la necesita, o identidades con que entrar',
  },
  'you cannot change your own user; ask another manager': {
    de: 'Sie können sich nicht selbst ändern; bitten Sie eine andere Person mit dieser Rolle',
    es: 'no puede cambiar su propio usuario; pídaselo a otro gerente',
  },
  'you can grant only roles and nodes that you have yourself': {
    de: 'Sie können nur Rollen und Standorte vergeben, die Sie selbst haben',
    es: 'solo puede conceder roles y centros que usted tiene',
  },
  'send an IP address or a host name, without a port': {
    de: 'nehmen Sie eine IP-Adresse oder einen Hostnamen, ohne Port',
    es: 'envíe una dirección IP o un nombre de host, sin puerto',
  },
  'send the ISO 4217 code of the currency in three capital letters, such as EUR': {
    de: 'senden Sie den ISO-4217-Code der Währung in drei Großbuchstaben, zum Beispiel EUR',
    es: 'envíe el código ISO 4217 de la moneda en tres letras mayúsculas, por ejemplo EUR',
  },
  'remove hyphens, and white space at the start and end; in an itemId, the hyphen separates catalogId and clientItemId':
    {
      de: 'ohne Bindestriche und ohne Leerzeichen an den Enden; eine itemId ist catalogId-clientItemId',
      es: 'sin guiones ni espacios en los extremos; un itemId es catalogId-clientItemId',
    },
  'send an https url such as https://login.example.com/realms/shop': {
    de: 'nehmen Sie eine https-URL wie https://login.example.com/realms/shop',
    es: 'envíe una URL https como https://login.example.com/realms/shop',
  },
  'send each scope as an element of its own, without spaces': {
    de: 'nennen Sie Scopes einzeln, ohne Leerzeichen',
    es: 'envíe los scopes uno a uno, sin espacios',
  },
  'send a JSON pointer into the ID token, such as /roles or /realm_access/roles': {
    de: 'nennen Sie einen JSON-Pointer in das ID-Token, wie /roles oder /realm_access/roles',
    es: 'envíe un puntero JSON al token de identidad, como /roles o /realm_access/roles',
  },
  'send the address of a picture, such as https://images.example.com/logo.svg': {
    de: 'nehmen Sie die Adresse eines Bildes, wie https://images.example.com/logo.svg',
    es: 'envíe la dirección de una imagen, como https://images.example.com/logo.svg',
  },
  'send an origin such as https://images.example.com: scheme and host in lower case, no path': {
    de: 'nehmen Sie einen Ursprung wie https://images.example.com: Schema und Host klein, kein Pfad',
    es: 'envíe un origen como https://images.example.com: esquema y host en minúsculas, sin ruta',
  },
  'send an address such as service@example.com': {
    de: 'nehmen Sie eine Adresse wie service@example.com',
    es: 'envíe una dirección como service@example.com',
  },
  'send hh:mm from 00:00 to 24:00': {
    de: 'geben Sie hh:mm von 00:00 bis 24:00 an',
    es: 'envíe hh:mm de 00:00 a 24:00',
  },
  'send the ISO 3166 code of the country in two capital letters, such as US': {
    de: 'senden Sie den ISO-3166-Code des Landes in zwei Großbuchstaben, zum Beispiel US',
    es: 'envíe el código ISO 3166 del país en dos letras mayúsculas, por ejemplo US',
  },
  'the address of a printer must be private; send a private address, or ask the operator to add this address to PRINTER_ALLOW':
    {
      de: 'die Adresse eines Druckers muss privat sein; nehmen Sie eine private, oder bitten Sie den Betreiber, diese in PRINTER_ALLOW aufzunehmen',
      es: 'la dirección de una impresora debe ser privada; use una privada o pida al operador que añada esta a PRINTER_ALLOW',
    },
  'the port of a printer must be 9100 to 9109 or 6101 (raw printing); send one of these, or ask the operator to add the address of the printer to PRINTER_ALLOW':
    {
      de: 'der Port eines Druckers muss 9100 bis 9109 oder 6101 sein; nehmen Sie einen davon, oder bitten Sie den Betreiber, die Adresse des Druckers in PRINTER_ALLOW aufzunehmen',
      es: 'el puerto de una impresora debe ser 9100 a 9109 o 6101; use uno de ellos o pida al operador que añada la dirección de la impresora a PRINTER_ALLOW',
    },
  "'{name}' has {digits} digits after the point; round it to at most {max}": {
    de: '{name} hat {digits} Nachkommastellen; runden Sie auf höchstens {max}',
    es: '{name} tiene {digits} decimales; redondéelo a {max} como máximo',
  },
  'the login {userId} belongs to a user with a role or nodes that you do not have; choose another login, or ask a manager who has them':
    {
      de: 'der Benutzername {userId} gehört zu einem Benutzer mit einer Rolle oder Standorten, die Sie nicht haben; wählen Sie einen anderen, oder fragen Sie eine Führungskraft, die sie hat',
      es: 'el usuario {userId} ya existe y tiene un rol o centros que usted no tiene; elija otro, o pregunte a un responsable que los tenga',
    },
  'weightUnit is missing; a weight needs a unit, such as kg': {
    de: 'ein Gewicht braucht seine Einheit; senden Sie weightUnit, wie kg',
    es: 'un peso necesita su unidad; envíe weightUnit, como kg',
  },
  'closes must be later than opens; send a span past midnight as two spans': {
    de: 'die Schließzeit muss nach der Öffnungszeit liegen; teilen Sie Zeiten über Mitternacht in zwei',
    es: 'el cierre debe ser posterior a la apertura; divida en dos un tramo que pase de medianoche',
  },
  'the client has no store {id}; create it first or leave it out': {
    de: '{id} ist kein Webshop des Mandanten; legen Sie ihn zuerst an, oder lassen Sie ihn weg',
    es: '{id} no es una tienda web de la empresa; créela primero o no la envíe',
  },
  'the client has no node {id}; create it first or leave it out': {
    de: '{id} ist kein Standort des Mandanten; legen Sie ihn zuerst an, oder lassen Sie ihn weg',
    es: '{id} no es un centro de la empresa; créelo primero o no lo envíe',
  },
  stores: {
    de: 'Webshops',
    es: 'tiendas web',
  },
  nodes: {
    de: 'Standorte',
    es: 'centros',
  },
});
