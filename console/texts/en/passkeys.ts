/** English texts for the user's own passkeys. */
export const passkeys = {
  title: 'Passkeys',
  about: 'With a passkey you sign in without a password: by fingerprint, face or the PIN of your computer.',
  none: 'No passkey yet',
  noneHint: 'Add one for each device that you sign in with.',
  add: 'Add passkey',
  name: 'Name',
  nameHint: 'So that you recognize it, for example: Laptop at the office',
  nameFirst: 'Enter a name',
  remove: 'Remove',
  removeHint: 'It will not sign you in any more. Your other ways to sign in stay.',
  notHere: 'This browser or this address has no passkeys',
  made: (at: string) => `Made ${at}`,
  used: (at: string) => `Last used ${at}`,
  removeOne: (name: string) => `Remove ${name}`,
};
