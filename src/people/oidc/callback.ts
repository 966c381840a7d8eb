/** Path of the redirect URI, to which a provider sends the browser after the sign-in. */
export const CALLBACK = '/session/oidc/callback';
