/** Where providers send a browser back to: registered there as redirect URI. */
export const CALLBACK = '/session/oidc/callback';
