/** The tour of the office: webhooks, retailers and access, people, and the clock of a sandbox. */
import type { Secrets } from '../town.ts';
import { type Stop, TOWN } from './stop.ts';

const NEXT = '/operator/v1/clients/NEXT';

/** A consumer reads the feed, and has a webhook. */
export function webhookStops(): Stop[] {
  return [
    { operationId: 'listEvents', path: '/operator/v1/events?types=order.*&limit=3' },
    {
      operationId: 'putWebhook',
      path: `${TOWN}/webhooks/orders`,
      body: { url: 'https://hooks.example.com/backroom', types: ['order.*'], enabled: false },
    },
    { operationId: 'getWebhook', path: `${TOWN}/webhooks/orders` },
    { operationId: 'listWebhooks', path: `${TOWN}/webhooks` },
    { operationId: 'rotateWebhookSecret', path: `${TOWN}/webhooks/orders/secret`, body: { overlapSeconds: 3600 } },
    { operationId: 'replayWebhook', path: `${TOWN}/webhooks/orders/replay`, body: { from: 1, to: 20 } },
    { operationId: 'listWebhookDeliveries', path: `${TOWN}/webhooks/orders/deliveries` },
    { operationId: 'deleteWebhook', path: `${TOWN}/webhooks/orders` },
  ];
}

/** An operator sets up another retailer, and gives access. */
export function operatorStops(spare: Secrets): Stop[] {
  const address = { line1: '5 Quay', city: 'Bristol', mainDivisionCode: 'RI', postalCode: '02809', countryCode: 'US' };
  const node = {
    name: 'Quay',
    nodeType: 'STORE',
    timeZone: 'America/New_York',
    address,
    phone: '+1 401 555 0303',
    openingHours: [{ dayOfWeek: 'MONDAY', opens: '09:00', closes: '18:00' }],
    holdLocations: ['A1'],
    fulfillmentTypes: ['STORE_PICK_UP'],
  };
  const store = { name: 'Next online', catalogId: '31', sellerId: 'NEXTS', storeCode: '001', currency: 'USD' };
  return [
    { operationId: 'putClient', path: NEXT, body: { name: 'Next Retailer', catalogIds: ['31'] } },
    { operationId: 'getClient', path: NEXT },
    { operationId: 'listClients', path: '/operator/v1/clients' },
    { operationId: 'putStore', path: `${NEXT}/stores/NEXT_US`, body: store },
    { operationId: 'getStore', path: `${NEXT}/stores/NEXT_US` },
    { operationId: 'listStores', path: `${NEXT}/stores` },
    { operationId: 'putNode', path: `${NEXT}/nodes/NEXT-Store001`, body: node },
    { operationId: 'getNode', path: `${NEXT}/nodes/NEXT-Store001` },
    { operationId: 'listNodes', path: `${NEXT}/nodes` },
    {
      operationId: 'putNodeItem',
      path: `${TOWN}/nodes/TOWN-Store001/items/21-DEMO-1`,
      body: { retailPrice: 24.99, pickLocation: 'AISLE-4', onHand: 6 },
    },
    { operationId: 'getNodeItem', path: `${TOWN}/nodes/TOWN-Store001/items/21-DEMO-1` },
    {
      operationId: 'createCredential',
      path: `${NEXT}/credentials`,
      body: { label: 'Order system', groups: ['intake'] },
    },
    { operationId: 'readMe', path: '/operator/v1/me' },
    { operationId: 'listAccessEvents', path: `${TOWN}/accessEvents?limit=5` },
    { operationId: 'listAllAccessEvents', path: '/operator/v1/accessEvents?limit=5' },
    { operationId: 'listCredentials', path: `${TOWN}/credentials` },
    { operationId: 'getCredential', path: `${TOWN}/credentials/${spare.credentialId}` },
    { operationId: 'revokeCredential', path: `${TOWN}/credentials/${spare.credentialId}` },
    {
      operationId: 'putUser',
      path: `${TOWN}/users/noor`,
      body: { name: 'Noor', password: 'tide-and-sand-7', role: 'associate', nodeIds: ['TOWN-Store001'] },
    },
    { operationId: 'getUser', path: `${TOWN}/users/noor` },
    { operationId: 'listUsers', path: `${TOWN}/users` },
  ];
}

/** What leads, managers and the operator do for people, with an operator key. */
export function peopleStops(): Stop[] {
  const person = { name: 'Otto Lind', password: 'correct horse battery' };
  const provider = `${TOWN}/identityProviders/entra`;
  const realm = {
    issuer: 'https://login.example.com/realms/shop',
    oidcClientId: 'backroom',
    clientSecret: 'a secret of the provider',
    roleClaim: '/roles',
    roles: { 'backroom-lead': 'lead', 'backroom-associate': 'associate' },
    createUsers: true,
    nodeIds: ['TOWN-Store001'],
  };
  return [
    { operationId: 'putPerson', path: '/operator/v1/people/otto', body: person },
    { operationId: 'getPerson', path: '/operator/v1/people/otto' },
    { operationId: 'listPeople', path: '/operator/v1/people' },
    { operationId: 'deletePerson', path: '/operator/v1/people/otto' },
    { operationId: 'givePin', path: `${TOWN}/users/ana/pin` },
    { operationId: 'giveBadge', path: `${TOWN}/users/ana/badge` },
    { operationId: 'endUserSessions', path: `${TOWN}/users/ana/sessions` },
    { operationId: 'createDeviceCode', path: `${TOWN}/nodes/TOWN-Store001/deviceCodes` },
    {
      operationId: 'putPrinters',
      path: `${TOWN}/nodes/TOWN-Store001/printers`,
      body: { printers: [{ printerId: 'desk', name: 'Packing desk', host: '192.168.20.7', dpi: 203 }] },
    },
    { operationId: 'getPrinters', path: `${TOWN}/nodes/TOWN-Store001/printers` },
    { operationId: 'listDevices', path: `${TOWN}/devices` },
    { operationId: 'putIdentityProvider', path: provider, body: realm },
    { operationId: 'getIdentityProvider', path: provider },
    { operationId: 'listIdentityProviders', path: `${TOWN}/identityProviders` },
    { operationId: 'deleteIdentityProvider', path: provider },
  ];
}

export function clockStops(): Stop[] {
  const path = '/operator/v1/sandbox/clock';
  return [
    { operationId: 'readClock', path },
    { operationId: 'advanceClock', path, body: { advanceBy: 3_600 } },
  ];
}
