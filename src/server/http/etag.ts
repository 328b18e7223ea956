// Whether a client has what it asks for already, by the tags it names. Proxies mark tags as weak when they change the encoding, and
// name several; for reading a body both are as good.

export function isHeld(ifNoneMatch: string | null | undefined, etag: string): boolean {
  if (ifNoneMatch === null || ifNoneMatch === undefined) return false;
  // Our tags have no comma.
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
