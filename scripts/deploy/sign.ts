/**
 * The signature of a release: Ed25519 over the bytes of SHA256SUMS, with a private key of the person who builds the
 * release.
 */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from './check.ts';

/**
 * Signs the checksums of a folder. Writes `SHA256SUMS.sig` and the public key `SHA256SUMS.pub`, and returns both names.
 * The same key and checksums give the same bytes.
 * @throws `Fault` if the file is not a private Ed25519 key in PEM.
 */
export function signSums(folder: string, keyFile: string): string[] {
  const key = privateKeyIn(keyFile);
  must(
    key?.asymmetricKeyType === 'ed25519',
    `${keyFile} is not a private Ed25519 key; make one with: openssl genpkey -algorithm ed25519 -out KEY`,
  );
  writeFileSync(join(folder, 'SHA256SUMS.sig'), sign(null, readFileSync(join(folder, 'SHA256SUMS')), key));
  writeFileSync(join(folder, 'SHA256SUMS.pub'), createPublicKey(key).export({ type: 'spki', format: 'pem' }));
  return ['SHA256SUMS.sig', 'SHA256SUMS.pub'];
}

function privateKeyIn(file: string) {
  const text = readFileSync(file, 'utf8');
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
}
