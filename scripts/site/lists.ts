// The lists that machines read: sitemap, robots, llms.txt, security.txt, and which addresses may be fetched ahead.
import { escapeHtml } from './html.ts';
import { twinPath } from './document.ts';

export interface Listed {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly isIndexed: boolean;
  /** Day on which its content changed last, as YYYY-MM-DD. */
  readonly changed: string | undefined;
}

export function sitemap(pages: readonly Listed[]): string {
  const entries = pages
    .filter(({ isIndexed }) => isIndexed)
    .map(
      ({ path, changed }) =>
        `<url><loc>%ORIGIN%${escapeHtml(path)}</loc>${changed ? `<lastmod>${changed}</lastmod>` : ''}</url>`,
    );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}

/**
 * What is not to be found says so itself (`noindex`), and must be read for that. Invitations are sent to people: programs that
 * show what is behind a link ask here first.
 */
export const robots = `User-agent: *
Disallow: /app
Disallow: /api/

Sitemap: %ORIGIN%/sitemap.xml
`;

export const securityText = `Contact: %ORIGIN%/contact
Expires: %EXPIRES%
Preferred-Languages: en
Canonical: %ORIGIN%/.well-known/security.txt
`;

/** https://llmstxt.org: what there is, one line each, with the address of its text. */
export function llmsText(pages: readonly Listed[]): string {
  const line = ({ path, title, description }: Listed) =>
    `- [${title.replace(/ · Posthaste( guides)?$/, '')}](%ORIGIN%${twinPath(path)}): ${description}`;
  const indexed = pages.filter(({ isIndexed }) => isIndexed);
  const isGuide = ({ path }: Listed) => path.startsWith('/guides/');
  return [
    '# Posthaste',
    '',
    '> A keyboard-driven, offline-first task manager. Each page below is markdown.',
    '',
    '## Pages',
    '',
    ...indexed.filter((page) => !isGuide(page)).map(line),
    '',
    '## Guides',
    '',
    ...indexed.filter(isGuide).map(line),
    '',
  ].join('\n');
}

/** Guides are fetched when somebody is about to open them; nothing with a token in it, no archive, no way into the app. */
export const speculationRules = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: '/*' },
          {
            not: {
              href_matches: [
                '/app*',
                '/a/*',
                '/invite*',
                '/reset-password*',
                '/purchase',
                '/go/*',
                '/download',
                '/confirm*',
                '/api/*',
                '/*.zip',
              ],
            },
          },
        ],
      },
      eagerness: 'moderate',
    },
  ],
});
