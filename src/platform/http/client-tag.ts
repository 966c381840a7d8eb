/** The form of a client id in keys and tokens, from which the service knows the client before it reads the database. */

/** The tag of a client id: every byte except letters, digits, `.` and `-` becomes `~` and two hexadecimal digits. */
export function clientTag(clientId: string): string {
  return Buffer.from(clientId, 'utf8').reduce((tag, byte) => {
    const char = String.fromCharCode(byte);
    return tag + (/[A-Za-z0-9.-]/.test(char) ? char : `~${byte.toString(16).padStart(2, '0')}`);
  }, '');
}

/** The client id of a tag. A tag with NUL, which PostgreSQL rejects, gives a text that is too long for a client id. */
export function clientOfTag(tag: string): string {
  const latin1 = tag.replace(/~([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return latin1.includes('\0') ? tag.padEnd(100, '~') : Buffer.from(latin1, 'latin1').toString('utf8');
}
