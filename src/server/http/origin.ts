// Checks that a request with a cookie came from our own pages. Another site can make a browser send the cookie; it cannot
// make it send these headers.

/** The one origin whose pages may use the cookie: the configured one, or the one in the request. */
export function expectedOrigin(publicUrl: string | null, url: URL): string {
  return publicUrl ?? `http://${url.host}`;
}

/** Whether a host name leads to this machine for every resolver; the owner of any other name can point it here. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Why the request is refused; null: it is from our own pages. */
export function originProblem(request: Request, expected: string): string | null {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  if (origin !== null && origin !== expected)
    return `This server's address is ${expected}. Open that address, or set PUBLIC_URL to the one you use.`;
  const isSafe = SAFE_METHODS.has(request.method);
  // "none" is a person typing the address.
  if (site !== null && site !== 'same-origin' && !(isSafe && site === 'none'))
    return 'This address only answers its own pages.';
  if (!isSafe && site === null && origin === null) return 'The Origin header is missing.';
  return null;
}
