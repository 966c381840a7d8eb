import type { Messages } from '../index.ts';

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

/** Aufträge, die auf das Kommissionieren warten. */
export const queue: Messages['queue'] = {
  title: 'Picken',
  sub: (type, orders) => `${type} · ${orders}`,
  takeNext: (n) => `Die nächsten ${n} nehmen`,
  takeNextHint: 'Die zuerst fälligen Aufträge in einem Gang',
  takeOne: 'Diesen Auftrag nehmen',
  pick: (n) => `${count(n, 'Auftrag', 'Aufträge')} picken`,
  chosen: (n, units) => `${n} gewählt · ${units}`,
  clear: 'Keinen wählen',
  choose: (name) => `Auftrag von ${name} wählen`,
  most: (n) => `Höchstens ${n} Aufträge in einem Gang`,
  otherStore: 'Anderer Webshop: bekommt einen eigenen Schein',
  otherType: 'Andere Art: bekommt einen eigenen Schein',
  onTicket: (id) => `auf Schein ${id}`,
  taken: (n) => `${count(n, 'Auftrag wird', 'Aufträge werden')} gerade gepickt`,
  empty: 'Hier ist nichts zu picken',
  emptyHint: 'Neue Aufträge erscheinen hier von selbst.',
  noQueue: 'Warteschlange wählen',
  needsNetwork: 'Aufträge nehmen geht nur mit Netz',
  making: 'Schein wird erstellt',
  store: (id) => `Webshop ${id}`,
  noName: 'Ohne Namen',
  more: (n) => `${n} weitere, später fällig`,
  keys: 'Tasten: T nimmt die nächsten Aufträge, Enter pickt die gewählten.',
};
