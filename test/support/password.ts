import { scryptSync } from 'node:crypto';

/** Whether a stored text `scrypt.<N>.<r>.<p>.<salt>.<hash>` is that of a password, as anybody can compute it who reads the format. */
export function isPassword(password: string, stored: string): boolean {
  const [name, N, r, p, salt = '', hash = ''] = stored.split('.');
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: 64 * 1024 * 1024 };
  const expected = Buffer.from(hash, 'base64url');
  const actual = scryptSync(password.normalize('NFC'), Buffer.from(salt, 'base64url'), expected.length, cost);
  return name === 'scrypt' && expected.length >= 32 && actual.equals(expected);
}
