/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from './message/sentence.ts';

export const say = sentences({
  'The service is checking too many passwords and PINs at the moment; this attempt does not count. Try again in a second.':
    {
      de: 'Der Dienst prüft gerade zu viele Passwörter und PINs; dieser Versuch zählt nicht. Versuchen Sie es in einer Sekunde noch einmal.',
      es: 'El servicio está comprobando demasiadas contraseñas y PIN en este momento; este intento no cuenta. Vuelva a intentarlo en un segundo.',
    },
  'The credentials are unknown, revoked or expired; ask the operator for new ones.': {
    de: 'Die Zugangsdaten sind unbekannt, widerrufen oder abgelaufen; bitten Sie den Betreiber um neue.',
    es: 'Las credenciales no existen, se revocaron o caducaron; pida otras al operador.',
  },
  'The request has no session; sign in with POST /session.': {
    de: 'Sie sind nicht angemeldet; melden Sie sich an.',
    es: 'No ha iniciado sesión; inicie sesión.',
  },
  'the operation needs a key of the operator, but the apiKey belongs to a client': {
    de: 'dafür ist ein Schlüssel des Betreibers nötig, der apiKey gehört einem Mandanten',
    es: 'la operación necesita una clave del operador, y la apiKey es de una empresa',
  },
  'the operation needs a key of the operator, but the access token belongs to a client': {
    de: 'dafür ist ein Schlüssel des Betreibers nötig, das Zugriffstoken gehört einem Mandanten',
    es: 'la operación necesita una clave del operador, y el token de acceso es de una empresa',
  },
  'Send the apiKey header with the key supplied by the operator.': {
    de: 'Senden Sie den Header apiKey mit dem Schlüssel, den Sie vom Betreiber haben.',
    es: 'Envíe la cabecera apiKey con la clave que le dio el operador.',
  },
  'The access token has expired; get another token with POST /oauth/token.': {
    de: 'Das Zugriffstoken ist abgelaufen; holen Sie mit POST /oauth/token ein neues.',
    es: 'El token de acceso ha caducado; pida otro con POST /oauth/token.',
  },
  'Send Authorization: Basic with the user name and password of a credential.': {
    de: 'Senden Sie Authorization: Basic mit Benutzername und Passwort eines Zugangs.',
    es: 'Envíe Authorization: Basic con el usuario y la contraseña de una credencial.',
  },
  'Send Authorization: Basic with the user name and password of the same credential as apiKey.': {
    de: 'Senden Sie Authorization: Basic mit Benutzername und Passwort desselben Zugangs wie apiKey.',
    es: 'Envíe Authorization: Basic con el usuario y la contraseña de la misma credencial que apiKey.',
  },
  'Send Authorization: Bearer with an operator key.': {
    de: 'Senden Sie Authorization: Bearer mit einem Schlüssel des Betreibers.',
    es: 'Envíe Authorization: Bearer con una clave del operador.',
  },
  'Send the apiKey header, or Authorization: Bearer with an access token or an operator key.': {
    de: 'Senden Sie den Header apiKey, oder Authorization: Bearer mit einem Zugriffstoken oder einem Schlüssel des Betreibers.',
    es: 'Envíe la cabecera apiKey, o Authorization: Bearer con un token de acceso o una clave del operador.',
  },
  'the path names another client, but {who} belongs to client {clientId}; send {clientId} in the path': {
    de: 'der Pfad nennt einen anderen Mandanten, {who} gehört aber zum Mandanten {clientId}; senden Sie {clientId} im Pfad',
    es: 'la ruta nombra otra empresa, pero {who} es de la empresa {clientId}; envíe {clientId} en la ruta',
  },
  'the operation needs the permission {asked}, and your role {role} does not have it': {
    de: 'dafür ist die Berechtigung {asked} nötig, und Ihre Rolle {role} hat sie nicht',
    es: 'la operación necesita el permiso {asked}, y su rol {role} no lo tiene',
  },
  'the operation needs a key of group {needed}; this key has {has}; ask the operator for another key': {
    de: 'dafür ist ein Schlüssel der Gruppe {needed} nötig; dieser hat {has}; bitten Sie den Betreiber um einen anderen',
    es: 'la operación necesita una clave del grupo {needed}; esta tiene {has}; pida otra al operador',
  },
  'the operation concerns the whole client, but {who} has access only to some of its stores or nodes; send the request {another} to the whole client':
    {
      de: 'das betrifft den ganzen Mandanten, aber {who} hat nur auf einige seiner Webshops oder Standorte Zugriff; senden Sie die Anfrage {another} auf den ganzen Mandanten',
      es: 'la operación afecta a toda la empresa, pero {who} solo tiene acceso a algunas de sus tiendas web o centros; envíe la solicitud {another} a toda la empresa',
    },
  'stock belongs to all stores of the client, but {who} has access only to some of them; send the request {another} to all stores':
    {
      de: 'der Bestand gehört allen Webshops des Mandanten, aber {who} hat nur auf einige davon Zugriff; senden Sie die Anfrage {another} auf alle Webshops',
      es: 'las existencias son de todas las tiendas web de la empresa, pero {who} solo tiene acceso a algunas; envíe la solicitud {another} a todas las tiendas web',
    },
  'the operation concerns all nodes of the client, but {who} has access only to some of them; send the request {another} to all nodes':
    {
      de: 'das betrifft alle Standorte des Mandanten, aber {who} hat nur auf einige davon Zugriff; senden Sie die Anfrage {another} auf alle Standorte',
      es: 'la operación afecta a todos los centros de la empresa, pero {who} solo tiene acceso a algunos; envíe la solicitud {another} a todos los centros',
    },
  'this user': {
    de: 'dieser Benutzer',
    es: 'este usuario',
  },
  'this key': {
    de: 'dieser Schlüssel',
    es: 'esta clave',
  },
  "identifiers are case-sensitive, and {who}'s client has the {kind} {similar}; send {similar}": {
    de: 'Groß- und Kleinschreibung zählen, und der Mandant hat {kind} {similar}; senden Sie {similar}',
    es: 'se distinguen mayúsculas y minúsculas, y la empresa tiene {kind} {similar}; envíe {similar}',
  },
  "{who}'s client has no such store, node or seller; check the id": {
    de: 'der Mandant hat diesen Webshop, Standort oder Verkäufer nicht; prüfen Sie den Namen',
    es: 'la empresa no tiene esa tienda web, ese centro ni ese vendedor; compruebe el identificador',
  },
  '{who} is limited to {kind} {ids}': {
    de: '{who} gilt nur für {kind} {ids}',
    es: '{who} solo vale para {kind} {ids}',
  },
  'There is no store {storeId}; create it with PUT {path}': {
    de: 'Den Webshop {storeId} gibt es nicht; legen Sie ihn zuerst an.',
    es: 'No hay ninguna tienda web {storeId}; créela primero.',
  },
  'There is no seller {sellerId}; create a web store with this sellerId with PUT {path}': {
    de: 'Den Verkäufer {sellerId} gibt es nicht; legen Sie zuerst einen Webshop mit ihm an.',
    es: 'No hay ningún vendedor {sellerId}; cree primero una tienda web con él.',
  },
  'There is no client {clientId}; create it with PUT {path}': {
    de: 'Den Mandanten {clientId} gibt es nicht; legen Sie ihn zuerst an.',
    es: 'No hay ninguna empresa {clientId}; créela primero.',
  },
  'There is no node {nodeId}; create it with PUT {path}': {
    de: 'Den Standort {nodeId} gibt es nicht; legen Sie ihn zuerst an.',
    es: 'No hay ningún centro {nodeId}; créelo primero.',
  },
  'this operation has no body; send the request without a body': {
    de: 'hier gehört kein Inhalt dazu; senden Sie die Anfrage ohne',
    es: 'esta operación no lleva cuerpo; envíe la solicitud sin él',
  },
  'a JSON body is required; send it with Content-Type: application/json': {
    de: 'ein Inhalt in JSON fehlt; senden Sie ihn mit Content-Type: application/json',
    es: 'falta un cuerpo JSON; envíelo con Content-Type: application/json',
  },
  'Send the file as {x12Types}; the request has Content-Type {type}.': {
    de: 'Senden Sie die Datei als {x12Types}; die Anfrage hat Content-Type {type}.',
    es: 'Envíe el archivo como {x12Types}; la solicitud tiene Content-Type {type}.',
  },
  'The body has a Content-Encoding; send the body without Content-Encoding.': {
    de: 'Der Inhalt hat eine Content-Encoding; senden Sie ihn ohne.',
    es: 'El cuerpo tiene Content-Encoding; envíelo sin ella.',
  },
  'the body is not valid JSON: {message}': {
    de: 'der Inhalt ist kein gültiges JSON: {message}',
    es: 'el cuerpo no es JSON válido: {message}',
  },
  'the body is not accepted: {message}': {
    de: 'der Inhalt wird nicht angenommen: {message}',
    es: 'el cuerpo no se acepta: {message}',
  },
  'Send the CSV file as multipart/form-data in the part "filename", as curl does with -F filename=@items.csv; the request has {part}.':
    {
      de: 'Senden Sie die CSV-Datei als multipart/form-data im Teil "filename", wie curl mit -F filename=@items.csv; die Anfrage hat {part}.',
      es: 'Envíe el archivo CSV como multipart/form-data en la parte "filename", como hace curl con -F filename=@items.csv; la solicitud tiene {part}.',
    },
  'the form has further parts; send one CSV file in the part "filename" and no other part': {
    de: 'das Formular hat weitere Teile; senden Sie eine CSV-Datei im Teil "filename" und keinen anderen Teil',
    es: 'el formulario tiene más partes; envíe un archivo CSV en la parte "filename" y ninguna otra',
  },
  'the form has no file; send one CSV file in the part "filename"': {
    de: 'das Formular hat keine Datei; senden Sie eine CSV-Datei im Teil "filename"',
    es: 'el formulario no tiene ningún archivo; envíe un archivo CSV en la parte "filename"',
  },
  'the body is not a complete multipart/form-data message; send it with all its boundaries': {
    de: 'der Inhalt ist nicht vollständiges multipart/form-data; senden Sie ihn mit allen Trennzeilen (boundary)',
    es: 'el cuerpo no es multipart/form-data completo; envíelo con todos sus separadores (boundary)',
  },
  'line {line} begins a record whose last quoted cell does not end; close the cell with a quote': {
    de: 'in Zeile {line} beginnt ein Datensatz, dessen letzte Zelle in Anführungszeichen nicht endet; schließen Sie sie mit einem Anführungszeichen',
    es: 'en la línea {line} empieza un registro cuya última celda entre comillas no termina; ciérrela con una comilla',
  },
  'line {line} begins a record with a quote in the wrong place; quote the whole cell, and double each quote inside it':
    {
      de: 'in Zeile {line} beginnt ein Datensatz mit einem Anführungszeichen an falscher Stelle; setzen Sie die ganze Zelle in Anführungszeichen, und verdoppeln Sie jedes darin',
      es: 'en la línea {line} empieza un registro con una comilla fuera de lugar; ponga toda la celda entre comillas y duplique cada comilla dentro de ella',
    },
  'a spreadsheet has shortened the number to {cell}; format the column as text, enter the whole number, and save again':
    {
      de: 'eine Tabellenkalkulation hat die Zahl auf {cell} gekürzt; formatieren Sie die Spalte als Text, geben Sie die ganze Zahl ein, und speichern Sie erneut',
      es: 'una hoja de cálculo ha abreviado el número a {cell}; dé a la columna el formato de texto, escriba el número completo y guarde de nuevo',
    },
  'Send the body as {accepted}; the request has {part}.': {
    de: 'Senden Sie den Inhalt als {accepted}; die Anfrage hat {part}.',
    es: 'Envíe el cuerpo como {accepted}; la solicitud tiene {part}.',
  },
  'Content-Type {type}': {
    de: 'Content-Type {type}',
    es: 'Content-Type {type}',
  },
  'The body is not in UTF-8; send it in UTF-8.': {
    de: 'Der Inhalt ist nicht in UTF-8; senden Sie ihn in UTF-8.',
    es: 'El cuerpo no está en UTF-8; envíelo en UTF-8.',
  },
  'The Outbox-Ticket of the queued work is no longer valid; the user who queued the work must sign in again.': {
    de: 'Die Berechtigung der wartenden Arbeit gilt nicht mehr; die Person, der sie gehört, muss sich wieder anmelden.',
    es: 'El permiso del trabajo en espera ya no vale; su dueño debe volver a iniciar sesión.',
  },
  'The session has ended; sign in again with POST /session.': {
    de: 'Die Sitzung ist beendet; melden Sie sich wieder an.',
    es: 'La sesión ha terminado; vuelva a iniciar sesión.',
  },
  'The device is locked; unlock it with POST /session/unlock.': {
    de: 'Das Gerät ist gesperrt; entsperren Sie es.',
    es: 'El dispositivo está bloqueado; desbloquéelo.',
  },
  'You have signed in with a one-time PIN; choose your own PIN with PUT /session/pin first.': {
    de: 'Sie haben sich mit einer Einmal-PIN angemeldet; wählen Sie zuerst Ihre eigene.',
    es: 'Ha entrado con un PIN de un solo uso; elija antes el suyo.',
  },
  'Your account cannot be read or changed in a training; end the training with DELETE /session/training first.': {
    de: 'Ihr Konto kann in einer Übung weder gelesen noch geändert werden; beenden Sie die Übung zuerst.',
    es: 'Su cuenta no se puede leer ni cambiar en unas prácticas; termínelas primero.',
  },
  'This operation needs a sign-in within the last 15 minutes; sign in again with POST /session.': {
    de: 'Dafür müssen Sie sich in den letzten 15 Minuten angemeldet haben; melden Sie sich noch einmal an.',
    es: 'Esta operación necesita haber iniciado sesión en los últimos 15 minutos; vuelva a entrar.',
  },
  'The request is not valid.': {
    de: 'Die Anfrage ist nicht gültig.',
    es: 'La solicitud no es válida.',
  },
  'The request has one error: {message}': {
    de: 'Die Anfrage hat einen Fehler: {message}',
    es: 'La solicitud tiene un error: {message}',
  },
  'The request has {total} errors; the first: {message}': {
    de: 'Die Anfrage hat {total} Fehler; der erste: {message}',
    es: 'La solicitud tiene {total} errores; el primero: {message}',
  },
  'The database failed during the change, so the change may or may not be stored. Read the resource, or send the request again with the same Idempotency-Key.':
    {
      de: 'Die Datenbank ist während der Änderung ausgefallen; vielleicht ist sie gespeichert, vielleicht nicht. Sehen Sie nach, oder senden Sie dieselbe Anfrage noch einmal.',
      es: 'La base de datos falló durante el cambio, así que puede estar hecho o no. Compruébelo, o envíe la misma solicitud de nuevo.',
    },
  'The database is not available now; nothing was changed. Try again.': {
    de: 'Die Datenbank ist gerade nicht erreichbar; nichts wurde geändert. Versuchen Sie es erneut.',
    es: 'La base de datos no está disponible ahora; no se cambió nada. Vuelva a intentarlo.',
  },
  'An unexpected error occurred; the service logged it with this request id.': {
    de: 'Ein unerwarteter Fehler ist aufgetreten; der Dienst hat ihn mit dieser Anfrage-ID im Protokoll.',
    es: 'Se produjo un error inesperado; el servicio lo registró con este ID de solicitud.',
  },
  'The request did not arrive in time; send it again.': {
    de: 'Die Anfrage kam nicht rechtzeitig an; senden Sie sie noch einmal.',
    es: 'La solicitud no llegó a tiempo; envíela de nuevo.',
  },
  'The body exceeds the limit of this operation (see docs/operating.md); send it in parts.': {
    de: 'Der Inhalt ist größer, als hier erlaubt ist; senden Sie ihn in Teilen.',
    es: 'El cuerpo supera el límite de esta operación; envíelo por partes.',
  },
  'A segment of the path is too long; send a shorter identifier.': {
    de: 'Ein Teil des Pfads ist zu lang; nehmen Sie eine kürzere Nummer.',
    es: 'Una parte de la ruta es demasiado larga; use un identificador más corto.',
  },
  'The connection ended before the body was complete; nothing was changed. Send the request again.': {
    de: 'Die Verbindung endete vor dem Inhalt; nichts wurde geändert. Senden Sie die Anfrage noch einmal.',
    es: 'La conexión terminó antes que el cuerpo; no se cambió nada. Envíe la solicitud de nuevo.',
  },
  '{method} is not allowed on this path; use {allow}.': {
    de: '{method} ist auf diesem Pfad nicht erlaubt; nehmen Sie {allow}.',
    es: '{method} no se permite en esta ruta; use {allow}.',
  },
  'The Host header of the request does not name this machine; use http://127.0.0.1, or set PUBLIC_URL, or set TRUST_PROXY if a proxy sends the request.':
    {
      de: 'Der Host der Anfrage ist kein Name dieses Rechners; nehmen Sie http://127.0.0.1, oder setzen Sie PUBLIC_URL, oder TRUST_PROXY, wenn ein Proxy die Anfrage sendet.',
      es: 'El Host de la solicitud no es un nombre de esta máquina; use http://127.0.0.1, o configure PUBLIC_URL, o TRUST_PROXY si un proxy envía la solicitud.',
    },
  'Idempotency-Key is sent twice or has invalid characters; send it once, with 1 to 255 visible ASCII characters': {
    de: 'Idempotency-Key kommt zweimal vor oder hat ungültige Zeichen; senden Sie ihn einmal, mit 1 bis 255 sichtbaren ASCII-Zeichen',
    es: 'Idempotency-Key va dos veces o tiene caracteres no válidos; envíelo una vez, con 1 a 255 caracteres ASCII visibles',
  },
  'The first request with this Idempotency-Key is still running; send it again in a second.': {
    de: 'Die erste Anfrage läuft noch; senden Sie sie gleich noch einmal.',
    es: 'La primera solicitud aún está en curso; envíela de nuevo en un segundo.',
  },
  'This Idempotency-Key was used with another body; send a new key with a new message.': {
    de: 'Dieser Idempotency-Key wurde mit anderem Inhalt verwendet; senden Sie eine neue Nachricht mit neuem Schlüssel.',
    es: 'Este Idempotency-Key se usó con otro cuerpo; envíe una clave nueva con un mensaje nuevo.',
  },
  'this operation does not compare revisions, so If-Match would not protect the change; remove the header': {
    de: 'hier werden keine Fassungen verglichen, If-Match würde die Änderung also nicht schützen; lassen Sie den Header weg',
    es: 'esta operación no compara revisiones, así que If-Match no protegería el cambio; quite la cabecera',
  },
  'If-Match must be the ETag of the last response, such as "7", or up to {revisionsMax} ETags with commas between them; send them as you received them':
    {
      de: 'If-Match hat das ETag der letzten Antwort, wie "7", oder bis zu {revisionsMax} davon mit Kommas; senden Sie es, wie Sie es bekommen haben',
      es: 'If-Match lleva el ETag de la última respuesta, como "7", o hasta {revisionsMax} con comas; envíelo tal como lo recibió',
    },
  'The resource has revision {revision}, not the revision in If-Match; nothing was changed. Read the resource again, then decide whether to change it.':
    {
      de: 'Jemand anders hat das inzwischen geändert (Fassung {revision}); nichts wurde geändert. Sehen Sie es sich noch einmal an und entscheiden Sie neu.',
      es: 'Alguien lo cambió mientras tanto (revisión {revision}); no se cambió nada. Vuelva a consultarlo y decida de nuevo.',
    },
  'The service is overloaded; nothing was changed. Send the request again after Retry-After.': {
    de: 'Der Dienst ist ausgelastet; nichts wurde geändert. Versuchen Sie es gleich noch einmal.',
    es: 'El servicio está sobrecargado; no se cambió nada. Vuelva a intentarlo en un momento.',
  },
  'modifyAssociateId names another user; leave it out, and the service sets it to your login': {
    de: 'modifyAssociateId ist eine andere Person; lassen Sie das Feld weg, der Dienst setzt Ihre eigene Anmeldung',
    es: 'modifyAssociateId es otra persona; no lo envíe y el servicio pone su propio usuario',
  },
  'userId names another user, and only leads can assign work to other users; leave it out, and the service sets it to your login':
    {
      de: 'userId ist eine andere Person, und nur die Leitung kann Arbeit an andere geben; lassen Sie das Feld weg, der Dienst setzt Ihre eigene Anmeldung',
      es: 'userId es otra persona, y solo los responsables asignan trabajo a otros; no lo envíe y el servicio pone su propio usuario',
    },
  'userId names another user; leave it out, and the service sets it to your login': {
    de: 'userId ist eine andere Person; lassen Sie das Feld weg, der Dienst setzt Ihre eigene Anmeldung',
    es: 'userId es otra persona; no lo envíe y el servicio pone su propio usuario',
  },
  '{name} in the path is empty; send 1 to {max} {max|character|characters}': {
    de: '{name} im Pfad ist leer; nehmen Sie 1 bis {max} Zeichen',
    es: '{name} en la ruta está vacío; use de 1 a {max} {max|carácter|caracteres}',
  },
  '{name} in the path has {length} {length|character|characters}; send at most {max}': {
    de: '{name} im Pfad hat {length} Zeichen; nehmen Sie höchstens {max}',
    es: '{name} en la ruta tiene {length} {length|carácter|caracteres}; use como máximo {max}',
  },
  '{name} in the path begins or ends with white space; remove it': {
    de: '{name} im Pfad beginnt oder endet mit einem Leerzeichen; entfernen Sie es',
    es: '{name} en la ruta empieza o termina con espacios; quítelos',
  },
  '{name} in the path {problem}': {
    de: '{name} im Pfad {problem}',
    es: '{name} en la ruta {problem}',
  },
  "'{name}' is in the query several times; send it once": {
    de: "'{name}' steht mehrmals in der Abfrage; senden Sie es einmal",
    es: "'{name}' está varias veces en la consulta; envíelo una sola vez",
  },
  '{value} is in the list twice, also at {first}; send it once': {
    de: '{value} steht schon in der Liste (bei {first}); senden Sie es einmal',
    es: '{value} ya está en la lista (en {first}); envíelo una sola vez',
  },
  '{name} in the path must be UTF-8 text without NUL or lone surrogates': {
    de: '{name} im Pfad muss Text in UTF-8 sein, ohne NUL und halbe Zeichen',
    es: '{name} en la ruta debe ser texto UTF-8 sin NUL ni caracteres a medias',
  },
  'unknown query parameter {name}; this operation has no query parameters, so leave it out': {
    de: 'unbekannter Parameter {name}; hier gibt es keinen, lassen Sie ihn weg',
    es: 'parámetro desconocido {name}; esta operación no tiene ninguno, quítelo',
  },
  '{name} must be text without NUL or lone surrogates': {
    de: '{name} muss Text ohne NUL und halbe Zeichen sein',
    es: '{name} debe ser texto sin NUL ni caracteres a medias',
  },
  "'{old}' is the old name of '{now}'; send only '{now}'": {
    de: "'{old}' ist der alte Name von '{now}'; senden Sie nur '{now}'",
    es: "'{old}' es el nombre antiguo de '{now}'; envíe solo '{now}'",
  },
  'This credential exceeds its rate for request bodies over 64 KiB': {
    de: 'Von diesem Zugang kommen zu viele Bytes in Inhalten über 64 KiB',
    es: 'Esta credencial envía demasiados bytes en cuerpos de más de 64 KiB',
  },
  'Too many sign-ins have failed from this address': {
    de: 'Zu viele Anmeldungen von dieser Adresse sind fehlgeschlagen',
    es: 'Fallaron demasiados inicios de sesión desde esta dirección',
  },
  'This credential sends too many requests': {
    de: 'Von diesem Zugang kommen zu viele Anfragen',
    es: 'Esta credencial envía demasiadas solicitudes',
  },
  'The credentials are not valid, and too many sign-ins have failed from this address or under this credential': {
    de: 'Die Zugangsdaten sind nicht gültig, und zu viele Anmeldungen von dieser Adresse oder mit diesem Zugang sind fehlgeschlagen',
    es: 'Las credenciales no son válidas, y fallaron demasiados inicios de sesión desde esta dirección o con esta credencial',
  },
  '{what}; try again in {wait} s.': {
    de: '{what}; versuchen Sie es in {wait} s erneut.',
    es: '{what}; vuelva a intentarlo en {wait} s.',
  },
  'client {clientId}': {
    de: 'des Mandanten {clientId}',
    es: 'la empresa {clientId}',
  },
  'A session is valid only for requests of the console’s own pages; send Sec-Fetch-Site: same-origin (browsers do), or Origin with the value of PUBLIC_URL.':
    {
      de: 'Eine Sitzung gilt nur für Anfragen der eigenen Seiten der Konsole; senden Sie Sec-Fetch-Site: same-origin (das tun Browser), oder Origin mit dem Wert von PUBLIC_URL.',
      es: 'Una sesión solo vale para solicitudes de las páginas de la consola; envíe Sec-Fetch-Site: same-origin (los navegadores lo hacen), u Origin con el valor de PUBLIC_URL.',
    },
  "; did you mean '{near}'?": {
    de: "; meinten Sie '{near}'?",
    es: "; ¿quería decir '{near}'?",
  },
  "'{name}' must be a unit of {kind}: {symbols}, or an alias of one of them{hint} (got {got})": {
    de: "'{name}' muss eine Einheit für {kind} sein: {symbols}, oder ein anderer Name davon{hint} (erhalten: {got})",
    es: "'{name}' debe ser una unidad de {kind}: {symbols}, u otro nombre de una de ellas{hint} (recibido: {got})",
  },
  '{field} differs from {name} in the {where}; send the same value in both': {
    de: '{field} weicht von {name} ({where}) ab; senden Sie in beiden denselben Wert',
    es: '{field} difiere de {name} ({where}); envíe el mismo valor en ambos',
  },
  'a valid date-time of 1970 to 9999 with a UTC offset, like 2026-01-31T08:30:00+00:00': {
    de: 'ein gültiger Zeitpunkt von 1970 bis 9999 mit Zeitzone, wie 2026-01-31T08:30:00+00:00,',
    es: 'una fecha y hora válida de 1970 a 9999 con su desfase UTC, como 2026-01-31T08:30:00+00:00',
  },
  'a valid date of 1970 to 9999, like 2026-01-31': {
    de: 'ein gültiges Datum von 1970 bis 9999, wie 2026-01-31,',
    es: 'una fecha válida de 1970 a 9999, como 2026-01-31',
  },
  'a valid date of 1970 to 9999, like 2026-01-31, or a date-time with a UTC offset, like 2026-01-31T08:30:00Z': {
    de: 'ein gültiges Datum von 1970 bis 9999, wie 2026-01-31, oder ein Zeitpunkt mit Zeitzone, wie 2026-01-31T08:30:00Z,',
    es: 'una fecha válida de 1970 a 9999, como 2026-01-31, o una fecha y hora con desfase UTC, como 2026-01-31T08:30:00Z',
  },
  'has too many digits; send at most 15 digits': {
    de: 'hat zu viele Ziffern; erlaubt sind höchstens 15',
    es: 'tiene demasiadas cifras; el máximo es 15',
  },
  'must be a whole number of at least {minimum}; send `next` of the previous page': {
    de: 'muss eine ganze Zahl ab {minimum} sein, wie `next` einer Seite sie hat',
    es: 'debe ser un número entero desde {minimum}, como lo tiene `next` de una página',
  },
  'must be a whole number from {minimum} to {maximum}': {
    de: 'muss eine ganze Zahl von {minimum} bis {maximum} sein',
    es: 'debe ser un número entero de {minimum} a {maximum}',
  },
  'is not a valid date of 1970 to 9999; correct the year, month or day': {
    de: 'ist kein gültiges Datum von 1970 bis 9999; korrigieren Sie Jahr, Monat oder Tag',
    es: 'no es una fecha válida de 1970 a 9999; corrija el año, el mes o el día',
  },
  'must be {wanted}': {
    de: 'muss {wanted} sein',
    es: 'debe ser {wanted}',
  },
  'must be {list}': {
    de: 'muss {list} sein',
    es: 'debe ser {list}',
  },
  'must be one of {list}': {
    de: 'muss einer von {list} sein',
    es: 'debe ser uno de {list}',
  },
  'is empty; send at least {characters}': {
    de: 'ist leer; senden Sie mindestens {characters}',
    es: 'está vacío; envíe al menos {characters}',
  },
  'is too short; send at least {characters}': {
    de: 'ist zu kurz; senden Sie mindestens {characters}',
    es: 'es demasiado corto; envíe al menos {characters}',
  },
  'has {codePoints} {codePoints|character|characters}; send at most {characters}': {
    de: 'hat {codePoints} Zeichen; erlaubt sind höchstens {characters}',
    es: 'tiene {codePoints} {codePoints|carácter|caracteres}; envíe como máximo {characters}',
  },
  'must match the pattern {pattern}': {
    de: 'muss dem Muster {pattern} entsprechen',
    es: 'debe seguir el patrón {pattern}',
  },
  'is not accepted; {hint}': {
    de: 'wird nicht angenommen; {hint}',
    es: 'no se acepta; {hint}',
  },
  'must be {formatForms}{dateTimeHint}': {
    de: 'muss {formatForms} sein{dateTimeHint}',
    es: 'debe ser {formatForms}{dateTimeHint}',
  },
  'must be at least {minimum}': {
    de: 'muss mindestens {minimum} sein',
    es: 'debe ser al menos {minimum}',
  },
  'must be at most {maximum}': {
    de: 'darf höchstens {maximum} sein',
    es: 'debe ser como máximo {maximum}',
  },
  'must be more than {exclusiveMinimum}': {
    de: 'muss mehr als {exclusiveMinimum} sein',
    es: 'debe ser mayor que {exclusiveMinimum}',
  },
  'must be less than {exclusiveMaximum}': {
    de: 'muss weniger als {exclusiveMaximum} sein',
    es: 'debe ser menor que {exclusiveMaximum}',
  },
  'has {elements}; send at least {minItems}': {
    de: 'hat {elements}; senden Sie mindestens {minItems}',
    es: 'tiene {elements}; envíe al menos {minItems}',
  },
  'has {elements}; send at most {maxItems}': {
    de: 'hat {elements}; senden Sie höchstens {maxItems}',
    es: 'tiene {elements}; envíe como máximo {maxItems}',
  },
  'has {count} fields; send at least {minProperties}': {
    de: 'hat {count} Felder; senden Sie mindestens {minProperties}',
    es: 'tiene {count} campos; envíe al menos {minProperties}',
  },
  'has {count} fields; send at most {maxProperties}': {
    de: 'hat {count} Felder; senden Sie höchstens {maxProperties}',
    es: 'tiene {count} campos; envíe como máximo {maxProperties}',
  },
  '{name} is missing{inside}; add it': {
    de: '{name} fehlt{inside}; ergänzen Sie es',
    es: 'falta {name}{inside}; añádalo',
  },
  'remove it': {
    de: 'entfernen Sie es',
    es: 'quítelo',
  },
  'did you mean {near}?': {
    de: 'meinten Sie {near}?',
    es: '¿quería decir {near}?',
  },
  'unknown field {name}{inside}; {hint}': {
    de: 'unbekanntes Feld {name}{inside}; {hint}',
    es: 'campo desconocido {name}{inside}; {hint}',
  },
  'must have one of the forms that /docs lists for this field': {
    de: 'muss eine der Formen haben, die /docs für dieses Feld nennt',
    es: 'debe tener una de las formas que /docs indica para este campo',
  },
  '{subject} {requirement} (got {echo})': {
    de: '{subject} {requirement} (erhalten: {echo})',
    es: '{subject} {requirement} (recibido: {echo})',
  },
  'true or false': {
    de: 'wahr oder falsch',
    es: 'verdadero o falso',
  },
  'a whole number': {
    de: 'eine ganze Zahl',
    es: 'un número entero',
  },
  'an object': {
    de: 'ein Objekt',
    es: 'un objeto',
  },
  'the message': {
    de: 'die Nachricht',
    es: 'el mensaje',
  },
  'element {last}': {
    de: 'Element {last}',
    es: 'el elemento {last}',
  },
  'element {last} of {parent}': {
    de: 'Element {last} von {parent}',
    es: 'el elemento {last} de {parent}',
  },
  ' in {subject}': {
    de: ' in {subject}',
    es: ' en {subject}',
  },
  '{count} {count|character|characters}': {
    de: '{count} Zeichen',
    es: '{count} {count|carácter|caracteres}',
  },
  '{count} {count|element|elements}': {
    de: '{count} {count|Element|Elemente}',
    es: '{count} {count|elemento|elementos}',
  },
  'must not be {text}, because URL clients remove it from a path; send another identifier': {
    de: 'darf nicht {text} sein, das ist ein Schritt eines Pfads; nehmen Sie eine andere Nummer',
    es: 'no puede ser {text}, que es un paso de una ruta; envíe otro identificador',
  },
  'has the invisible character U+{code}; remove it': {
    de: 'hat das unsichtbare Zeichen U+{code}; entfernen Sie es',
    es: 'tiene el carácter invisible U+{code}; quítelo',
  },
  'must be a number': {
    de: 'muss eine Zahl sein',
    es: 'debe ser un número',
  },
  'must have at most {integer} {integer|digit|digits} before the point': {
    de: 'darf höchstens {integer} {integer|Stelle|Stellen} vor dem Komma haben',
    es: 'debe tener como máximo {integer} {integer|cifra entera|cifras enteras}',
  },
  'must be a whole number': {
    de: 'muss eine ganze Zahl sein',
    es: 'debe ser un número entero',
  },
  'must have at most {fraction} {fraction|digit|digits} after the point': {
    de: 'darf höchstens {fraction} {fraction|Stelle|Stellen} nach dem Komma haben',
    es: 'debe tener como máximo {fraction} {fraction|decimal|decimales}',
  },
  'must be at least {min}': {
    de: 'muss mindestens {min} sein',
    es: 'debe ser al menos {min}',
  },
  'must be at most {max}': {
    de: 'darf höchstens {max} sein',
    es: 'debe ser como máximo {max}',
  },
  '; write T between the day and the time': {
    de: '; schreiben Sie T zwischen Tag und Uhrzeit',
    es: '; escriba T entre el día y la hora',
  },
  '; add Z or the offset, like +00:00': {
    de: '; ergänzen Sie Z oder die Zeitzone, wie +00:00',
    es: '; añada Z o el desfase, como +00:00',
  },
  '1 character': {
    de: '1 Zeichen',
    es: '1 carácter',
  },
  '1 element': {
    de: '1 Element',
    es: '1 elemento',
  },
  'a list': {
    de: 'eine Liste',
    es: 'una lista',
  },
  'a number': {
    de: 'eine Zahl',
    es: 'un número',
  },
  'a string': {
    de: 'ein Text',
    es: 'un texto',
  },
  ' or ': {
    de: ' oder ',
    es: ' o ',
  },
  'is not as documented': {
    de: 'ist nicht wie beschrieben',
    es: 'no es como se documenta',
  },
  '{subject} {message}; send it as documented': {
    de: '{subject} {message}; senden Sie es wie beschrieben',
    es: '{subject} {message}; envíelo como se documenta',
  },
  'send a whole number from {min} to {max}': {
    de: 'nehmen Sie eine ganze Zahl von {min} bis {max}',
    es: 'envíe un número entero de {min} a {max}',
  },
  'send {next} of the previous page, or 0': {
    de: 'senden Sie {next} der vorigen Seite, oder 0',
    es: 'envíe {next} de la página anterior, o 0',
  },
  'send a whole number from 0 to {max}': {
    de: 'nehmen Sie eine ganze Zahl von 0 bis {max}',
    es: 'envíe un número entero de 0 a {max}',
  },
  'remove the white space at the start or end': {
    de: 'entfernen Sie das Leerzeichen am Anfang oder Ende',
    es: 'quite los espacios del principio o del final',
  },
  'Access to the resource is denied: {because}.': {
    de: 'Sie haben darauf keinen Zugriff: {because}.',
    es: 'No tiene acceso a esto: {because}.',
  },
  'Access to the resource is denied.': {
    de: 'Sie haben darauf keinen Zugriff.',
    es: 'No tiene acceso a esto.',
  },
  'as a user who has access': {
    de: 'als Benutzer mit Zugriff',
    es: 'como un usuario con acceso',
  },
  'with a key that has access': {
    de: 'mit einem Schlüssel mit Zugriff',
    es: 'con una clave con acceso',
  },
  none: {
    de: 'keine',
    es: 'ninguno',
  },
  store: {
    de: 'den Webshop',
    es: 'la tienda web',
  },
  node: {
    de: 'den Standort',
    es: 'el centro',
  },
  seller: {
    de: 'den Verkäufer',
    es: 'el vendedor',
  },
  path: {
    de: 'Pfad',
    es: 'la ruta',
  },
  query: {
    de: 'Abfrage',
    es: 'la consulta',
  },
  'The client already has the maximum of {openOfClient} running exports; wait until an export has ended.': {
    de: '{openOfClient} Exporte des Mandanten sind offen; warten Sie, bis einer zu Ende ist.',
    es: 'Hay {openOfClient} exportaciones de la empresa abiertas; espere a que termine una.',
  },
  'no Content-Type': {
    de: 'keinen Content-Type',
    es: 'ningún Content-Type',
  },
  'the operator': {
    de: 'des Betreibers',
    es: 'el operador',
  },
  'There is no {name} {id} of {owner}.': {
    de: 'Es gibt {name} {id} {owner} nicht.',
    es: 'No existe {name} {id} de {owner}.',
  },
  webhook: {
    de: 'den Webhook',
    es: 'el webhook',
  },
  'identity provider': {
    de: 'den Anmeldedienst',
    es: 'el proveedor de acceso',
  },
  'EDI partner': {
    de: 'den EDI-Partner',
    es: 'el socio EDI',
  },
  person: {
    de: 'die Person',
    es: 'la persona',
  },
});
