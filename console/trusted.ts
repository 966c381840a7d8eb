/** The page's only policy for script addresses. Trusted Types reject scripts from any other source. */

interface Policy {
  createScriptURL: (url: string) => unknown;
}

interface WithTrustedTypes {
  trustedTypes?: { createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => Policy };
}

function own(url: string): string {
  const { origin, pathname } = new URL(url, document.baseURI);
  const folder = new URL('./', document.baseURI).pathname;
  if (origin !== location.origin || !pathname.startsWith(folder))
    throw new TypeError(`${url} is no script of the console`);
  return url;
}

const policy = (globalThis as WithTrustedTypes).trustedTypes?.createPolicy('console', { createScriptURL: own });

/**
 * Returns the address of a script in the page's folder or below it, in the type that the browser requires.
 * @throws TypeError for any other address
 */
export function scriptUrl(url: string): string {
  // The DOM types of TypeScript expect a string. In browsers with Trusted Types, the value is a TrustedScriptURL
  // object.
  return (policy === undefined ? own(url) : policy.createScriptURL(url)) as string;
}
