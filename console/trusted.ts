/** The page's one policy for script addresses: Trusted Types let nothing else name a script. */

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

/** The address of a script that lies beside the page, as browsers take it. @throws TypeError for any other address */
export function scriptUrl(url: string): string {
  // The type of the DOM library is a text; where the browser has Trusted Types it is an object with that text.
  return (policy === undefined ? own(url) : policy.createScriptURL(url)) as string;
}
