/** What the contract says of answers and of events: whatever a sequence comes to, they hold to it. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { closed, type Described, described, faultOfAnswer } from '../fuzz/document.ts';
import type { Answer, Method } from '../service.ts';

const patterns = described.map((operation): [Described, RegExp] => [
  operation,
  new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
]);

/** Operations that a command has asked, by id. */
export const asked = new Set<string>();

/** Operations of which a model would say nothing that is not a copy of the code. */
export const OUTSIDE: readonly string[] = [
  'uploadItems',
  // People, their devices and what only reads what others did: test/people, test/orders/history.
  'changePassword',
  'changePin',
  'changePreferences',
  'createDeviceCode',
  // Addresses of printers, and what a printer takes: test/work/print.test.ts has one.
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
  'revokeDevice',
  'signIn',
  'signOut',
  'startTraining',
  'unlockDevice',
  'unlockSession',
  // The access log is written a moment after the reads that it tells of.
  'listAccessEvents',
  'listAllAccessEvents',
  // An authenticator signs what they take: test/console/passkeys.test.ts has one.
  'registerPasskey',
  'addPasskey',
  'listPasskeys',
  'deletePasskey',
  'challengePasskey',
  'signInWithPasskey',
];

/** The operation that a request asks for. */
export function operationOf(method: Method, url: string): Described | undefined {
  const path = url.split('?')[0]!;
  return patterns.find(([one, pattern]) => one.method === method && pattern.test(path))?.[0];
}

/** What is wrong with an answer; undefined when nothing is. */
export function faultOf(method: Method, url: string, { status, headers, text }: Answer): string | undefined {
  const operation = operationOf(method, url);
  if (operation === undefined) return `${method} ${url} is in no contract`;
  asked.add(operation.id);
  const fault = faultOfAnswer(operation, status, headers['content-type'], text);
  return fault && `${operation.id}: ${fault}`;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, code: { optimize: false } });
const document = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')) as object;
ajv.addSchema({ $id: 'contract', ...closed(document) });
const validators = new Map<string, ValidateFunction>();

/** What is wrong with the data of an event. */
export function faultOfEvent({ type, data }: { type: string; data: unknown }): string | undefined {
  let validate = validators.get(type);
  if (validate === undefined) {
    const schema = `webhooks/${type}/post/requestBody/content/application~1json/schema/properties/data`;
    validate = ajv.compile({ $ref: `contract#/${schema}` });
    validators.set(type, validate);
  }
  return validate(data) ? undefined : `${type}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(data)}`;
}
