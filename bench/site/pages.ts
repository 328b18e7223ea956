// The pages of the site that its figures are about: those that most visitors see.

export const PAGES: readonly string[] = [
  '/',
  '/pricing',
  '/guides',
  '/guides/hotkeys',
  '/guides/labels',
  '/guides/search-operators',
  '/changelog',
  '/measured',
  '/security',
];
