/** Texts of the identity providers. */
export const providers = {
  noRoles: 'Without roles, people keep the role that they have here.',
  claim: 'Value of the claim',
  role: 'Role',
  add: 'New provider',
  removeTitle: (id: string) => `Delete "${id}"?`,
  removeHint:
    'Everyone who signed in with it is signed out at once, and its links to people are deleted. This cannot be undone.',
  issuer: 'Issuer',
  clientId: 'Client id at the provider',
  secret: 'Client secret',
  secretStays: 'Empty: it stays as it is. It is never shown.',
  roleClaim: 'Claim with the role',
  roleClaimHint: 'A JSON pointer into the ID token, such as /roles or /realm_access/roles',
  roles: 'Roles',
  scopes: 'Scopes',
  createUsers: 'Make a person at the first sign-in',
  nodes: 'Nodes of people made so',
  redirect: 'Redirect URI to register there:',
  emptyTitle: 'No providers yet',
  emptyHint: 'With a provider, people of the office sign in with their company account. Add the one of your company.',
};
