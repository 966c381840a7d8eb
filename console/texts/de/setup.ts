import type { BundleMessages } from '../messages.ts';

export const setup: BundleMessages['desk']['setup'] = {
  hint: 'Was noch fehlt, bevor der erste Auftrag kommen kann',
  progress: (done: number, all: number) => `${done} von ${all} Schritten sind erledigt`,
  allDone: 'Alles ist eingerichtet',
  allDoneHint: 'Aufträge können kommen. Hier geht es weiter, wenn ein Standort oder ein System dazukommt.',
  done: (n: number) => (n === 1 ? 'Erledigt' : `Erledigt: ${n}`),
  open: 'Öffnen',
  hiddenKeys:
    'Sie sehen keinen Schlüssel. Schlüssel mit mehr Rechten als Ihren sind verborgen: Fragen Sie zuerst den Betreiber.',
  steps: {
    client: { title: 'Ein Mandant', hint: 'Der Händler, dessen Filialen liefern.', action: 'Mandant anlegen' },
    store: {
      title: 'Ein Webshop',
      hint: 'Aufträge nennen ihn; er hat Katalog und Währung.',
      action: 'Webshop anlegen',
    },
    node: {
      title: 'Ein Standort',
      hint: 'Die Filiale oder das Lager, das pickt und packt.',
      action: 'Standort anlegen',
    },
    people: {
      title: 'Personen',
      hint: 'Zuerst eine Filialleitung; sie legt die anderen an.',
      action: 'Person anlegen',
    },
    devices: {
      title: 'Ein Gerät',
      hint: 'Ein Handgerät oder Tablet der Filiale: dort meldet man sich mit Ausweis und PIN an.',
      action: 'Gerät einrichten',
    },
    credential: {
      title: 'Ein Schlüssel für Ihr System',
      hint: 'Damit sendet Ihr Auftragssystem Artikel und Aufträge.',
      action: 'Schlüssel anlegen',
    },
    items: {
      title: 'Artikel',
      hint: 'Aufträge nennen Artikel, darum kommen diese zuerst.',
      action: 'Artikel importieren',
    },
    webhook: {
      title: 'Ein Webhook',
      hint: 'Sagt Ihrem System, was mit Aufträgen geschieht.',
      action: 'Webhook anlegen',
    },
    tested: {
      title: 'Der Webhook, getestet',
      hint: 'Ein echtes Ereignis geht an Ihren Empfänger, und Sie sehen seine Antwort.',
      action: 'Webhooks öffnen',
    },
  },
};
