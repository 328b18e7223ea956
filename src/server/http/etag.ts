// Compares a client's ETags with ours. Proxies mark tags as weak when they change the encoding, and list several; for
// reading a body both are equivalent.

/** Whether an If-None-Match header contains the tag, so that 304 is the answer. */
export function isHeld(ifNoneMatch: string | null | undefined, etag: string): boolean {
  if (ifNoneMatch === null || ifNoneMatch === undefined) return false;
  // Our tags have no comma.
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
