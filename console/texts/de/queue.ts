import type { Messages } from '../messages.ts';

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

/** German texts for orders that wait for pick. */
export const queue: Messages['queue'] = {
  dueFirst: 'Zuerst fällig',
  title: 'Picken',
  sub: (type, orders) => `${type} · ${orders}`,
  takeNext: (n) => `Die nächsten ${n} nehmen`,
  takeOne: 'Diesen Auftrag nehmen',
  without: (name, more) => (more === 0 ? `ohne ${name}` : `ohne ${name} und ${more} weitere`),
  pick: (n) => `${count(n, 'Auftrag', 'Aufträge')} picken`,
  chosen: (n, units) => `${n} gewählt · ${units}`,
  giveTo: 'Geben an …',
  given: (name) => `An ${name} gegeben`,
  clear: 'Keinen wählen',
  choose: (name) => `Auftrag von ${name} wählen`,
  most: (n) => `Höchstens ${n} Aufträge in einem Gang`,
  otherStore: 'Anderer Webshop: eigener Schein',
  otherCurrency: 'Andere Währung: eigener Schein',
  otherType: 'Andere Art: bekommt einen eigenen Schein',
  taken: (n) => `${count(n, 'Auftrag wird', 'Aufträge werden')} gerade gepickt`,
  empty: 'Hier ist nichts zu picken',
  emptyHint: 'Neue Aufträge erscheinen hier von selbst.',
  noQueue: 'Warteschlange wählen',
  needsNetwork: 'Aufträge nehmen geht nur mit Netz',
  store: (id) => `Webshop ${id}`,
  more: (n) => `${n} weitere, später fällig`,
  away: 'Arbeiten Sie an den Scheinen auf diesem Gerät weiter.',
  awayNone: 'Aufträge, die Sie mit Netz übernehmen, können Sie ohne Netz picken.',
};
