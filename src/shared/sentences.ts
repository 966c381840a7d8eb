/** German and Spanish translations of the sentences of this folder. The keys are the English templates. */
import { sentences } from '../platform/message/sentence.ts';

export const say = sentences({
  'send a language tag such as en or de-CH': {
    de: 'nehmen Sie ein Sprachkürzel wie en oder de-CH',
    es: 'envíe una etiqueta de idioma como en o de-CH',
  },
  'send a language tag such as en or de-CH, or an empty text for the language of the browser': {
    de: 'nehmen Sie ein Sprachkürzel wie en oder de-CH, oder einen leeren Text für die Sprache des Browsers',
    es: 'envíe una etiqueta de idioma como en o de-CH, o un texto vacío para el idioma del navegador',
  },
  "'{field}' is more than a day in the future; send the time at which it happened": {
    de: '„{field}“ liegt mehr als einen Tag in der Zukunft; senden Sie die Zeit, zu der es geschah',
    es: '«{field}» está más de un día en el futuro; envíe la hora en que ocurrió',
  },
  'modifyAssociateId and modifyAssociatedId are two names of one field, but have different values; send only one of them':
    {
      de: 'modifyAssociateId und modifyAssociatedId sind dasselbe Feld mit verschiedenen Werten; senden Sie eines davon, oder in beiden denselben Wert',
      es: 'modifyAssociateId y modifyAssociatedId son el mismo campo con valores distintos; envíe uno, o el mismo valor en ambos',
    },
  'the password is too common; choose another password, or one of at least {long} {long|character|characters}': {
    de: 'das Passwort ist eines der häufigsten; wählen Sie ein anderes, oder eines mit mindestens {long} Zeichen',
    es: 'la contraseña es de las más comunes; elija otra, o una de al menos {long} {long|carácter|caracteres}',
  },
  '{field} of {name} is missing, but units are canceled; send one of {limit}': {
    de: '{field} fehlt, obwohl Stücke storniert werden ({name}); nehmen Sie einen von {limit}',
    es: 'falta {field}, aunque se anulan unidades ({name}); envíe uno de {limit}',
  },
  '{field} {said} of {name} is not known': {
    de: '{field} {said} von {name} ist nicht bekannt',
    es: '{field} {said} de {name} no se conoce',
  },
  '{what}; send one of {limit}{didYouMean}': {
    de: '{what}; nehmen Sie einen von {limit}{didYouMean}',
    es: '{what}; envíe uno de {limit}{didYouMean}',
  },
  'use two capital letters': {
    de: 'nehmen Sie zwei Großbuchstaben',
    es: 'use dos letras mayúsculas',
  },
  'use three capital letters': {
    de: 'nehmen Sie drei Großbuchstaben',
    es: 'use tres letras mayúsculas',
  },
  'Held until street date': {
    de: 'Bis Verkaufsstart zurückgehalten',
    es: 'Retenido hasta su lanzamiento',
  },
  'Waiting for pick': {
    de: 'Wartet aufs Picken',
    es: 'Por preparar',
  },
  Picking: {
    de: 'Wird gepickt',
    es: 'En preparación',
  },
  'Waiting for pack': {
    de: 'Wartet auf Verpackung',
    es: 'Por empaquetar',
  },
  'Waiting for check-in': {
    de: 'Wartet auf Check-in',
    es: 'Pendiente de llegada',
  },
  'Ready for customer pickup': {
    de: 'Abholbereit',
    es: 'Listo para recoger',
  },
  'Waiting for delivery': {
    de: 'Wartet auf Zustellung',
    es: 'Por repartir',
  },
  Shipped: {
    de: 'Versandt',
    es: 'Enviado',
  },
  'Picked up': {
    de: 'Abgeholt',
    es: 'Recogido',
  },
  Delivered: {
    de: 'Zugestellt',
    es: 'Entregado a domicilio',
  },
  'Canceled, goods to return': {
    de: 'Storniert, Ware zurückräumen',
    es: 'Anulado, mercancía por devolver',
  },
  Canceled: {
    de: 'Storniert',
    es: 'Anulado',
  },
  'Returned for re-sourcing': {
    de: 'Zur Neuzuteilung zurückgegeben',
    es: 'Devuelto para reasignar',
  },
  'Re-sourced': {
    de: 'Neu zugeteilt',
    es: 'Reasignado',
  },
  '{status} {name}': {
    de: '{status} {name}',
    es: '{status} {name}',
  },
});
