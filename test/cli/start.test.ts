import { expect, it } from 'vitest';
import { makeCredentialId } from '../../src/platform/http/auth.ts';
import { createLog } from '../../src/platform/log.ts';
import { sandboxPorts } from '../../src/service/cli/demo.ts';
import { isPlainText } from '../../src/service/cli/doctor-machine.ts';

it('a sandbox has the same identifiers as every other sandbox, and its own keys', () => {
  const [one, two] = [sandboxPorts(createLog('silent')).ports, sandboxPorts(createLog('silent')).ports];
  expect([one.newId(), makeCredentialId(one.randomBytes)]).toEqual([two.newId(), makeCredentialId(two.randomBytes)]);
  for (const size of [12, 24, 32]) expect(one.randomBytes(size)).not.toEqual(two.randomBytes(size));
  expect([one.newId(), makeCredentialId(one.randomBytes)]).toEqual([two.newId(), makeCredentialId(two.randomBytes)]);
});

it('a start that is open in plain text logs a warning', () => {
  const tls = { cert: 'cert.pem', key: 'key.pem' };
  const warned = (host: string, trustProxy: string[] = []) => isPlainText({ host, trustProxy, tls: undefined });
  expect(['127.0.0.1', 'localhost', '::1'].map((host) => warned(host))).toEqual([false, false, false]);
  expect(['0.0.0.0', '::', '10.0.0.1'].map((host) => warned(host))).toEqual([true, true, true]);
  expect(warned('0.0.0.0', ['10.0.0.7'])).toBe(false);
  expect(isPlainText({ host: '0.0.0.0', trustProxy: [], tls })).toBe(false);
});
