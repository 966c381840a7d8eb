/** The signature of a release with a temporary key; openssl verifies it as a user of the release does. */
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { signSums } from '../scripts/deploy/sign.ts';

const folder = mkdtempSync(join(tmpdir(), 'backroom-signature-'));
afterAll(() => rmSync(folder, { recursive: true }));

const VERIFY = 'pkeyutl -verify -pubin -inkey SHA256SUMS.pub -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig'.split(' ');

it('the checksums of a release are signed with the named key, and a changed line does not verify', () => {
  const key = join(folder, 'key.pem');
  writeFileSync(key, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const sums = join(folder, 'SHA256SUMS');
  writeFileSync(sums, `${'5e'.repeat(32)}  backroom.tgz\n`);
  expect(signSums(folder, key)).toEqual(['SHA256SUMS.sig', 'SHA256SUMS.pub']);
  expect(execFileSync('openssl', VERIFY, { cwd: folder, encoding: 'utf8' })).toContain('Verified Successfully');
  writeFileSync(sums, `${'5f'.repeat(32)}  backroom.tgz\n`);
  expect(spawnSync('openssl', VERIFY, { cwd: folder }).status).not.toBe(0);
});

it('a key of another kind, or a public key, is named with the command that makes one', () => {
  const pairs = generateKeyPairSync('ed25519');
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const wrong = {
    public: pairs.publicKey.export({ type: 'spki', format: 'pem' }),
    curve: other.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    text: 'no key',
  };
  for (const [name, content] of Object.entries(wrong)) {
    writeFileSync(join(folder, name), content);
    expect(() => signSums(folder, join(folder, name))).toThrow('openssl genpkey -algorithm ed25519');
  }
});
