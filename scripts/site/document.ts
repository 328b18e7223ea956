// The document around a page: what stands in its head. Addresses are written without the origin, which only the server
// knows: %ORIGIN% stands for it.
import { escapeHtml } from './html.ts';

export interface Assets {
  /** The script that runs before the first paint. It stands in every page, and so does the style sheet: nothing is waited for. */
  readonly head: string;
  /** Addresses of a script and of all that it imports, itself first. */
  readonly page: readonly string[];
  readonly island: readonly string[];
  readonly style: string;
  readonly fonts: readonly string[];
}

export interface DocumentPage {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly markup: string;
  readonly isIndexed: boolean;
  readonly isSecret: boolean;
  readonly isAlive: boolean;
  readonly hasTwin: boolean;
  readonly structured?: readonly Readonly<Record<string, unknown>>[];
  /** Address of the picture for shared links. */
  readonly picture: { readonly src: string; readonly width: number; readonly height: number };
}

/** In JSON-LD addresses are absolute as well. */
function withOrigin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOrigin);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => [
      key,
      ['url', 'item', 'logo', 'thumbnailUrl', 'contentUrl'].includes(key) && typeof inside === 'string'
        ? `%ORIGIN%${inside}`
        : withOrigin(inside),
    ]),
  );
}

/** A block of data, not of script: nothing in it may end the element. */
const dataBlock = (value: unknown) =>
  `<script type="application/ld+json">${JSON.stringify(withOrigin(value)).replaceAll('<', '\\u003c')}</script>`;

export function twinPath(path: string): string {
  return path === '/' ? '/index.md' : `${path}.md`;
}

export function documentOf(page: DocumentPage, assets: Assets): string {
  const title = escapeHtml(page.title);
  const description = escapeHtml(page.description);
  const address = `%ORIGIN%${page.path}`;
  // What an invitation says is in the rest of its address: a link to it that is shared has to keep that. And the page for what is not
  // there stands at every address but its own.
  const hasAddress = !page.isAlive && page.path !== '/404' && page.path !== '/partner';
  const meta = (name: string, content: string) => `<meta name="${name}" content="${content}">`;
  const property = (name: string, content: string) => `<meta property="${name}" content="${content}">`;
  return [
    '<!doctype html>',
    '<html lang="en" dir="ltr">',
    '<head>',
    '<meta charset="utf-8">',
    `<title>${title}</title>`,
    meta('viewport', 'width=device-width, initial-scale=1'),
    meta('description', description),
    meta('color-scheme', 'light dark'),
    // It fetches the others, when the page has been seen.
    `<script data-page="${assets.page.join(' ')}"${page.isAlive ? ` data-island="${assets.island.join(' ')}"` : ''}>${assets.head}</script>`,
    ...assets.fonts.map(
      (href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`,
    ),
    `<style>${assets.style}</style>`,
    ...(hasAddress ? [`<link rel="canonical" href="${address}">`] : []),
    ...(page.isIndexed ? [] : [meta('robots', 'noindex, follow')]),
    ...(page.isSecret ? [meta('referrer', 'no-referrer')] : []),
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    '<link rel="alternate" type="application/atom+xml" title="Posthaste changelog" href="/changelog.atom">',
    ...(page.hasTwin ? [`<link rel="alternate" type="text/markdown" href="${twinPath(page.path)}">`] : []),
    '<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff">',
    '<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#131519">',
    property('og:type', 'website'),
    property('og:site_name', 'Posthaste'),
    property('og:title', title),
    property('og:description', description),
    ...(hasAddress ? [property('og:url', address)] : []),
    property('og:image', `%ORIGIN%${page.picture.src}`),
    property('og:image:width', String(page.picture.width)),
    property('og:image:height', String(page.picture.height)),
    property('og:image:alt', title),
    meta('twitter:card', 'summary_large_image'),
    ...(page.structured ?? []).map(dataBlock),
    '</head>',
    `<body>${page.markup}</body>`,
    '</html>',
    '',
  ].join('\n');
}
