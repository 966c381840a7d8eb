import type { BlockedMessages } from '../messages.ts';

/**
 * German texts: why an action is not possible for an order in its state, and what to do next. CONFIRMED and RESET are
 * the outcomes of a pick ticket.
 */
export const blocked: BlockedMessages = {
  why: 'Warum?',
  states: {
    1000: 'Der Verkaufsstart steht noch aus. Bis dahin ist nichts zu tun.',
    1100: 'Er wartet aufs Picken. Nehmen Sie ihn auf der Startseite aus seiner Warteschlange.',
    1150: 'Er wird gepickt. Warten Sie, bis sein Schein bestätigt ist.',
    1200: 'Er wartet auf Verpackung. Öffnen Sie ihn unter „Verpacken“.',
    1300: 'Seine Ware ist noch nicht angenommen. Öffnen Sie ihn unter „Check-in“.',
    1400: 'Er wartet auf den Kunden. Öffnen Sie ihn unter „Übergabe“.',
    1500: 'Er wartet auf Zustellung. Öffnen Sie ihn unter „Zustellen“.',
    3700: 'Er ist versandt. Es ist nichts mehr zu tun.',
    3800: 'Der Kunde hat ihn abgeholt. Es ist nichts mehr zu tun.',
    3900: 'Der Kunde hat ihn erhalten. Es ist nichts mehr zu tun.',
    8000: 'Er ist storniert. Räumen Sie die Ware ins Regal zurück: Öffnen Sie ihn unter „Suchen“.',
    9000: 'Er ist storniert. Es ist nichts mehr zu tun.',
    9100: 'Er war hier nicht erfüllbar und wartet auf eine andere Filiale. Hier ist nichts zu tun.',
    9200: 'Eine andere Filiale übernimmt ihn. Hier ist nichts zu tun.',
    CONFIRMED: 'Dieser Schein ist schon bestätigt. Es gibt nichts zu übernehmen.',
    RESET: 'Dieser Schein wurde zurückgegeben. Seine Aufträge sind wieder in ihrer Warteschlange.',
  },
};
