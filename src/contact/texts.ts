/** The texts of messages to customers in three languages. A client's own texts replace them (docs/contact.md). */
import type { MessageKind } from '../kernel/messages.ts';
import type { ContactLanguage, ContactText } from '../shared/client-settings.ts';

/** Values that replace the names in braces in a text, for example `{order}`. */
export interface TextValues {
  /** Name of the customer. */
  name: string;
  /** Number of the order at the web store. */
  order: string;
  /** Name of the store or warehouse. */
  place: string;
  /** Address of the store or warehouse, in one line. */
  address: string;
  /**
   * Day and time at which the pickup ends, in the language of the text and the time zone of the node. Empty if the
   * pickup has no end.
   */
  until: string;
  /** Name of the sender. */
  sender: string;
}

const TEXTS: Readonly<Record<ContactLanguage, Readonly<Record<MessageKind, ContactText>>>> = {
  en: {
    READY: {
      subject: 'Your order {order} is ready',
      text: 'Hello {name},\n\nyour order {order} is ready at {place}, {address}. Please collect it by {until}.\n\n{sender}',
    },
    PARTLY_READY: {
      subject: 'A part of your order {order} is ready',
      text: 'Hello {name},\n\na part of your order {order} is ready at {place}, {address}. The other items are not available there. Please collect it by {until}.\n\n{sender}',
    },
    LATE: {
      subject: 'Your order {order} takes longer',
      text: 'Hello {name},\n\nyour order {order} takes longer than we promised. We are sorry.\n\n{sender}',
    },
    REMINDER: {
      subject: 'Your order {order} waits for you',
      text: 'Hello {name},\n\nyour order {order} waits for you at {place}, {address}. We keep it until {until}.\n\n{sender}',
    },
  },
  de: {
    READY: {
      subject: 'Ihre Bestellung {order} liegt bereit',
      text: 'Guten Tag {name},\n\nIhre Bestellung {order} liegt bereit: {place}, {address}. Bitte holen Sie sie bis {until} ab.\n\n{sender}',
    },
    PARTLY_READY: {
      subject: 'Ein Teil Ihrer Bestellung {order} liegt bereit',
      text: 'Guten Tag {name},\n\nein Teil Ihrer Bestellung {order} liegt bereit: {place}, {address}. Die anderen Artikel sind dort nicht verfügbar. Bitte holen Sie sie bis {until} ab.\n\n{sender}',
    },
    LATE: {
      subject: 'Ihre Bestellung {order} dauert länger',
      text: 'Guten Tag {name},\n\nIhre Bestellung {order} dauert länger als versprochen. Das tut uns leid.\n\n{sender}',
    },
    REMINDER: {
      subject: 'Ihre Bestellung {order} wartet auf Sie',
      text: 'Guten Tag {name},\n\nIhre Bestellung {order} wartet auf Sie: {place}, {address}. Wir halten sie bis {until} bereit.\n\n{sender}',
    },
  },
  es: {
    READY: {
      subject: 'Su pedido {order} está listo',
      text: 'Hola, {name}:\n\nSu pedido {order} está listo en {place}, {address}. Recójalo hasta el {until}.\n\n{sender}',
    },
    PARTLY_READY: {
      subject: 'Una parte de su pedido {order} está lista',
      text: 'Hola, {name}:\n\nUna parte de su pedido {order} está lista en {place}, {address}. Los demás artículos no están disponibles allí. Recójala hasta el {until}.\n\n{sender}',
    },
    LATE: {
      subject: 'Su pedido {order} tarda más',
      text: 'Hola, {name}:\n\nSu pedido {order} tarda más de lo prometido. Lo sentimos.\n\n{sender}',
    },
    REMINDER: {
      subject: 'Su pedido {order} le espera',
      text: 'Hola, {name}:\n\nSu pedido {order} le espera en {place}, {address}. Lo guardamos hasta el {until}.\n\n{sender}',
    },
  },
};

/** Returns the day and the time of an instant in a time zone, in the form of the texts. */
export function dayAndTime(language: ContactLanguage, timeZone: string, at: number): string {
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(at);
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone }).format(at);
  const joined = { en: `${day}, ${time}`, de: `${day}, ${time} Uhr`, es: `${day} a las ${time}` };
  return joined[language];
}

/**
 * Returns the text of a kind of message with its values filled in. If the client has no own text, this is the text of
 * this file in the given language.
 */
export function textOf(
  kind: MessageKind,
  { language, texts }: { language: ContactLanguage; texts: Partial<Record<MessageKind, ContactText>> },
  values: TextValues,
): ContactText {
  const { subject, text } = texts[kind] ?? TEXTS[language][kind];
  const byName = new Map<string, string>(Object.entries(values));
  const filled = (template: string) =>
    template.replaceAll(/\{(\w+)\}/g, (written, name: string) => byName.get(name) ?? written);
  // A line break in a name becomes a space; in a mail, it would begin another header.
  return { subject: filled(subject).replaceAll(/\s+/g, ' '), text: filled(text) };
}
