/** Checks the responses and events of every sequence against the contract. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer, Method } from '../../town/call.ts';
import { closed, type Described, described, faultOfAnswer } from '../fuzz/document.ts';

const patterns = described.map((operation): [Described, RegExp] => [
  operation,
  new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
]);

/** Ids of the operations that commands have called. */
export const asked = new Set<string>();

/**
 * Operations without a command in the model. A comment in the list gives the reason for the operations below it, and in
 * most cases names the test. The first operation is not in the model, because its model would only copy the code.
 */
export const OUTSIDE: readonly string[] = [
  'uploadItems',
  // A label needs the operator's program. Tracking reports of carriers change no order. See test/packing/label.test.ts.
  'buyPackageLabel',
  'recordTracking',
  // This operation opens a sealed picture. The hand-overs of the model have no picture: see
  // test/handover/proof.test.ts.
  'readHandOverProof',
  // Bulk exports. test/http/exports.test.ts compares them with the reads.
  'exportItems',
  'exportStock',
  'exportFulfillmentOrders',
  // This operation has the effect of a void and a new transmission, and the model has both: see
  // test/receiving/replace.test.ts.
  'replaceInbound',
  // Operations of users and devices: see test/people.
  'changePassword',
  'changePin',
  'changePreferences',
  'createDeviceCode',
  // A test delivery needs a receiver: see test/webhooks/test-delivery.test.ts.
  'testWebhook',
  // Addresses and jobs of printers: see test/work/print.test.ts, which has a printer.
  'putPrinters',
  'getPrinters',
  'printLabels',
  // More operations of users and devices: see test/people.
  'deletePerson',
  'endTraining',
  'endUserSessions',
  'enrollDevice',
  'getPerson',
  'giveBadge',
  'givePin',
  'listDevices',
  'listPeople',
  'lockSession',
  'putPerson',
  'readSession',
  // Lists and settings for screens: see test/work/orders, test/work/people and test/provisioning/work-settings.
  'listNodeOrders',
  'listNodePeople',
  'readClientSettings',
  'readWorkSettings',
  // More operations of users and devices: see test/people.
  'revokeDevice',
  'signIn',
  'signOut',
  'startTraining',
  'unlockDevice',
  'unlockSession',
  // EDI: see test/edi, and the comparison of EDI with JSON in the campaign `edi`.
  'putEdiPartner',
  'readEdiPartner',
  'listEdiPartners',
  'deleteEdiPartner',
  'receiveEdi',
  'listEdiInterchanges',
  'readEdiInterchange',
  'readEdiContent',
  'reprocessEdi',
  'takeEdi',
  // Messages to customers: see test/contact, which has a mail server.
  'readCustomerContact',
  'contactCustomer',
  // Count plans are posted by the code that posts counts, and the model has counts: see test/stock/count-plans.test.ts.
  'createCountPlan',
  'listCountPlans',
  'readCountPlan',
  'openCountPlan',
  'recordPlannedCount',
  'changePlannedLines',
  'recountPlannedLines',
  'approveCountPlan',
  'discardCountPlan',
  // A preview writes nothing. test/returns/preview.test.ts compares the preview with the return that follows.
  'previewReturn',
  // The service writes an access-log entry a moment after the read that the entry records, so the model cannot predict
  // the list.
  'listAccessEvents',
  'listAllAccessEvents',
  // Other views of operations in the model. `listAvailability` shows the same levels as the events, `readManifest` lists
  // shipped packages, and `putNodeItems` is many PUTs of one node item.
  'listAvailability',
  'readManifest',
  'putNodeItems',
  // Passkeys need an authenticator: see test/console/passkeys.test.ts.
  'registerPasskey',
  'addPasskey',
  'listPasskeys',
  'deletePasskey',
  'challengePasskey',
  'signInWithPasskey',
];

/** Returns the operation of a request by its method and path; undefined if no operation has them. */
export function operationOf(method: Method, url: string): Described | undefined {
  const path = url.split('?')[0]!;
  return patterns.find(([one, pattern]) => one.method === method && pattern.test(path))?.[0];
}

/** Returns how a response violates the contract; undefined if it conforms. */
export function faultOf(method: Method, url: string, { status, headers, text }: Answer): string | undefined {
  const operation = operationOf(method, url);
  if (operation === undefined) return `${method} ${url} is not in the contract`;
  asked.add(operation.id);
  const fault = faultOfAnswer(operation, status, headers['content-type'], text);
  return fault && `${operation.id}: ${fault}`;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, code: { optimize: false } });
const document = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')) as object;
ajv.addSchema({ $id: 'contract', ...closed(document) });
const validators = new Map<string, ValidateFunction>();

/** Returns how the data of an event violates the contract; undefined if it conforms. */
export function faultOfEvent({ type, data }: { type: string; data: unknown }): string | undefined {
  let validate = validators.get(type);
  if (validate === undefined) {
    const schema = `webhooks/${type}/post/requestBody/content/application~1json/schema/allOf/1/properties/data`;
    validate = ajv.compile({ $ref: `contract#/${schema}` });
    validators.set(type, validate);
  }
  return validate(data) ? undefined : `${type}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(data)}`;
}
