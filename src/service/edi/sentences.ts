/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../../platform/message/sentence.ts';

export const say = sentences({
  // Findings about the syntax are in English only, because the partner reads them.
  '{what}. {fix}': {
    de: 'Die Datei ist nicht X12; sie muss mit einem ISA-Segment mit 16 Elementen beginnen. Genauer, auf Englisch: {what}. {fix}',
    es: 'El archivo no es X12; debe empezar con un segmento ISA de 16 elementos. En detalle, en inglés: {what}. {fix}',
  },
  '{waiting} {waiting|interchange|interchanges} for partner {partnerId} {waiting|is|are} WAITING; fetch {waiting|it|them} first (takeEdi).':
    {
      de: '{waiting} Übertragungen für Partner {partnerId} warten noch; holen Sie sie zuerst ab (takeEdi).',
      es: '{waiting} intercambios para el socio {partnerId} están en espera; recójalos antes (takeEdi).',
    },
  'The service is still processing interchange {interchangeId} of partner {partnerId}. This takes at most a minute. Then delete the partner again.':
    {
      de: 'Die Übertragung {interchangeId} des Partners {partnerId} wird noch verarbeitet. Das dauert höchstens eine Minute. Löschen Sie den Partner danach erneut.',
      es: 'El intercambio {interchangeId} del socio {partnerId} aún se está procesando. Tarda un minuto como máximo. Después, elimine el socio otra vez.',
    },
  'partnerId in the path must have 1 to 30 letters, digits, periods, underscores or hyphens': {
    de: 'partnerId im Pfad braucht 1 bis 30 Buchstaben, Ziffern, Punkte, Unterstriche oder Bindestriche',
    es: 'partnerId en la ruta debe tener de 1 a 30 letras, cifras, puntos, guiones bajos o guiones',
  },
  'the client has no seller {sellerId}; send the seller of one of its stores': {
    de: 'den Verkäufer {sellerId} hat der Mandant nicht; nehmen Sie den Verkäufer eines seiner Webshops',
    es: 'la empresa no tiene el vendedor {sellerId}; use el vendedor de una de sus tiendas web',
  },
  'Another partner': {
    de: 'Ein anderer Partner',
    es: 'Otro socio',
  },
  'Partner {partnerId}': {
    de: 'Partner {partnerId}',
    es: 'El socio {partnerId}',
  },
  '{whose} already uses these ids and this usage; change that profile, or use other ids.': {
    de: '{whose} hat diese Kennungen und diese Verwendung; ändern Sie jenes Profil, oder nehmen Sie andere Kennungen.',
    es: '{whose} tiene estos identificadores y este uso; cambie ese perfil o use otros identificadores.',
  },
  '{name} is the same character as {first}; use four different characters': {
    de: '{name} ist dasselbe Zeichen wie {first}; nehmen Sie vier verschiedene',
    es: '{name} es el mismo carácter que {first}; use cuatro distintos',
  },
  'There is no interchange {id} of client {clientId}.': {
    de: 'Die Übertragung {id} des Mandanten {clientId} gibt es nicht.',
    es: 'No hay ningún intercambio {id} de la empresa {clientId}.',
  },
  'byte {nul} of the body is NUL, which an X12 file must not have; send a text file': {
    de: 'Byte {nul} des Inhalts ist NUL; eine X12-Datei hat keines',
    es: 'el byte {nul} del cuerpo es NUL; un archivo X12 no tiene ninguno',
  },
  'Interchange {interchangeId} is {status}, and none of its sets is REJECTED_RULES; only rejected content can be processed again.':
    {
      de: 'Die Übertragung {interchangeId} ist {status}, und keine ihrer Nachrichten wurde wegen ihres Inhalts abgelehnt.',
      es: 'El intercambio {interchangeId} está {status}, y ninguno de sus mensajes se rechazó por su contenido.',
    },
  'Interchange {interchangeId} belongs to partner {partnerId}, whose profile was deleted. Create the profile under this id again, or ask the partner to send the rejected content again.':
    {
      de: 'Die Übertragung {interchangeId} gehört zum Partner {partnerId}, dessen Profil gelöscht wurde. Legen Sie das Profil unter dieser Kennung wieder an, oder bitten Sie den Partner, den abgelehnten Inhalt erneut zu senden.',
      es: 'El intercambio {interchangeId} es del socio {partnerId}, cuyo perfil se eliminó. Vuelva a crear el perfil con este identificador, o pida al socio que envíe de nuevo el contenido rechazado.',
    },
  'The service has the same bytes already, as interchange {other}; use that interchange.': {
    de: 'Dieselben Bytes gibt es schon als Übertragung {other}; verwenden Sie jene.',
    es: 'Los mismos bytes ya existen como intercambio {other}; use ese intercambio.',
  },
  'Another interchange has used the control number {number} meanwhile; ask the partner to send the rejected content of interchange {interchangeId} again under a new control number.':
    {
      de: 'Eine andere Übertragung hat inzwischen die Kontrollnummer {number} benutzt; bitten Sie den Partner, den abgelehnten Inhalt der Übertragung {interchangeId} mit einer neuen Kontrollnummer erneut zu senden.',
      es: 'Entretanto, otro intercambio ha usado el número de control {number}; pida al socio que envíe de nuevo el contenido rechazado del intercambio {interchangeId} con un número de control nuevo.',
    },
  'The profile now rejects interchange {interchangeId} as a whole; change `strict` of the profile, or ask the partner to send the rejected content again.':
    {
      de: 'Das Profil lehnt die Übertragung {interchangeId} jetzt als Ganzes ab; ändern Sie `strict` des Profils, oder bitten Sie den Partner, den abgelehnten Inhalt erneut zu senden.',
      es: 'El perfil rechaza ahora el intercambio {interchangeId} por completo; cambie `strict` del perfil, o pida al socio que envíe de nuevo el contenido rechazado.',
    },
  'Another request is processing the interchange; read the interchange again.': {
    de: 'Die Übertragung wird gerade von einer anderen Anfrage geprüft; sehen Sie noch einmal nach.',
    es: 'Otra solicitud está evaluando el intercambio; vuelva a consultarlo.',
  },
  'The profile of the partner was changed at the same time; try again.': {
    de: 'Das Profil des Partners wurde gleichzeitig geändert; versuchen Sie es erneut.',
    es: 'El perfil del socio cambió a la vez; vuelva a intentarlo.',
  },
  'Another request is processing the same interchange; send the request again in a second.': {
    de: 'Dieselbe Übertragung wird gerade angenommen; senden Sie sie gleich noch einmal.',
    es: 'El mismo intercambio se está recibiendo ahora; envíelo de nuevo en un segundo.',
  },
  'Interchange {interchangeId} is from the partner; only interchanges with direction OUT can be recorded as fetched.': {
    de: 'Die Übertragung {interchangeId} kam vom Partner; abgeholt werden nur ausgehende (OUT).',
    es: 'El intercambio {interchangeId} vino del socio; solo se recogen los de salida (OUT).',
  },
  'send ASCII characters without spaces at the start or end': {
    de: 'nehmen Sie ASCII-Zeichen ohne Leerzeichen an den Enden',
    es: 'envíe caracteres ASCII sin espacios en los extremos',
  },
  'send two characters: digits or capital letters': {
    de: 'nehmen Sie zwei Ziffern oder Großbuchstaben',
    es: 'envíe dos cifras o letras mayúsculas',
  },
  'send 2 to 15 ASCII characters': {
    de: 'nehmen Sie 2 bis 15 ASCII-Zeichen',
    es: 'envíe de 2 a 15 caracteres ASCII',
  },
  'send one character that is not a letter, digit or space': {
    de: 'nehmen Sie ein Zeichen, das weder Buchstabe, Ziffer noch Leerzeichen ist',
    es: 'envíe un carácter que no sea letra, cifra ni espacio',
  },
  'send a version such as 004010 or 005010': {
    de: 'nehmen Sie eine Version wie 004010 oder 005010',
    es: 'envíe una versión como 004010 o 005010',
  },
  'send one digit or capital letter': {
    de: 'nehmen Sie eine Ziffer oder einen Großbuchstaben',
    es: 'envíe una cifra o letra mayúscula',
  },
  'send a version such as 004010': {
    de: 'nehmen Sie eine Version wie 004010',
    es: 'envíe una versión como 004010',
  },
  'send a qualifier such as 017': {
    de: 'nehmen Sie einen Qualifier wie 017',
    es: 'envíe un calificador como 017',
  },
});
