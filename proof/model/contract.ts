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

/** Operations outside of the model, because their model would only copy the code. */
export const OUTSIDE: readonly string[] = [
  'uploadItems',
  // Labels need the operator's program, and reports of carriers change no order: test/packing/label.test.ts.
  'buyPackageLabel',
  'recordTracking',
  // Opens a sealed picture, which the hand-overs of the model lack: test/handover/proof.test.ts.
  'readHandOverProof',
  // Bulk exports: test/http/exports.test.ts compares them with the reads.
  'exportItems',
  'exportStock',
  'exportFulfillmentOrders',
  // The same as voiding and transmitting again, which the model has: test/receiving/replace.test.ts.
  'replaceInbound',
  // People and devices, and the history of other operations: test/people and test/orders/history test these.
  'changePassword',
  'changePin',
  'changePreferences',
  'createDeviceCode',
  // A test delivery needs a receiver: test/webhooks/test-delivery.test.ts has one.
  'testWebhook',
  // Addresses of printers and jobs for them: test/work/print.test.ts has a printer.
  'putPrinters',
  'getPrinters',
  'printLabels',
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
  'readWorkSettings',
  // Lists and settings for screens: test/work/orders, test/work/people, and test/provisioning/work-settings.
  'listNodeOrders',
  'listNodePeople',
  'readClientSettings',
  'revokeDevice',
  'signIn',
  'signOut',
  'startTraining',
  'unlockDevice',
  'unlockSession',
  // EDI: test/edi and the comparison with JSON there.
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
  // Messages to customers: test/contact has a mail server.
  'readCustomerContact',
  'contactCustomer',
  // Plans post through the writer of counts, which the model has: test/stock/count-plans.test.ts.
  'createCountPlan',
  'listCountPlans',
  'readCountPlan',
  'openCountPlan',
  'recordPlannedCount',
  'recountPlannedLines',
  'approveCountPlan',
  'discardCountPlan',
  // Writes nothing: test/returns/preview.test.ts compares it with the return that follows.
  'previewReturn',
  // The access log is written a moment after the reads that it records.
  'listAccessEvents',
  'listAllAccessEvents',
  // Views of other operations: the levels of events, and PUT of one node item many times.
  'listAvailability',
  'readManifest',
  'putNodeItems',
  // Passkeys need an authenticator: test/console/passkeys.test.ts has one.
  'registerPasskey',
  'addPasskey',
  'listPasskeys',
  'deletePasskey',
  'challengePasskey',
  'signInWithPasskey',
];

/** Finds the operation of a request by its method and path. */
export function operationOf(method: Method, url: string): Described | undefined {
  const path = url.split('?')[0]!;
  return patterns.find(([one, pattern]) => one.method === method && pattern.test(path))?.[0];
}

/** The error of a response; undefined if it conforms to the contract. */
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

/** The error of an event's data; undefined if it conforms. */
export function faultOfEvent({ type, data }: { type: string; data: unknown }): string | undefined {
  let validate = validators.get(type);
  if (validate === undefined) {
    const schema = `webhooks/${type}/post/requestBody/content/application~1json/schema/allOf/1/properties/data`;
    validate = ajv.compile({ $ref: `contract#/${schema}` });
    validators.set(type, validate);
  }
  return validate(data) ? undefined : `${type}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(data)}`;
}
