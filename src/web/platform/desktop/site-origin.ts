// Where the pages of the server are that the app works with: links to them are for other people and other programs.

/** Its origin: that of the page, but in the desktop client, whose pages are its own and name the server. */
export function siteOrigin(): string {
  const named = document.querySelector<HTMLMetaElement>('meta[name="posthaste-server"]')?.content ?? '';
  return named === '' ? location.origin : named;
}
