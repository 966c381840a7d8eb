import { argon2Sync } from 'node:crypto';

/**
 * Returns whether the stored text `argon2id.<KiB>.<passes>.<lanes>.<salt>.<hash>` matches a password. It uses the
 * description of the format only, not the code of the service.
 */
export function isPassword(password: string, stored: string): boolean {
  const [name, memory, passes, parallelism, salt = '', hash = ''] = stored.split('.');
  const expected = Buffer.from(hash, 'base64url');
  const actual = argon2Sync('argon2id', {
    message: Buffer.from(password.normalize('NFC')),
    nonce: Buffer.from(salt, 'base64url'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return name === 'argon2id' && expected.length >= 32 && actual.equals(expected);
}
