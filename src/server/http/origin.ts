// Whether a request that carries a cookie came from our own pages. Another site can make a browser send the cookie; it
// cannot make it send these headers.

/** The one origin whose pages may act with the cookie: the configured one, or the one the browser believes it is talking to. */
export function expectedOrigin(publicUrl: string | null, url: URL): string {
  return publicUrl ?? `http://${url.host}`;
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Why the request is refused; null when it is our own. */
export function originProblem(request: Request, expected: string): string | null {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  if (origin !== null && origin !== expected)
    return `This server is reached as ${expected}. Open that address, or set PUBLIC_URL to the address in use.`;
  const isSafe = SAFE_METHODS.has(request.method);
  // "none" is a person typing the address.
  if (site !== null && site !== 'same-origin' && !(isSafe && site === 'none'))
    return 'This address answers only to pages of its own.';
  if (!isSafe && site === null && origin === null) return 'The Origin header is missing.';
  return null;
}
