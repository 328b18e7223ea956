// All pages, drawn to markup: what the build calls. Knows neither files nor the document around a page.
import MiniSearch from 'minisearch';
import type { ReactNode } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { guideList, legacyGuides } from './content/guide-list.ts';
import { alivePages } from './pages/alive.tsx';
import { apiReferencePage } from './pages/api-reference.tsx';
import { guidePages } from './pages/guides.tsx';
import { searchSections } from './search-sections.ts';
import { landingPage } from './pages/landing.tsx';
import { plainPages } from './pages/plain.tsx';
import { securityPage } from './pages/security.tsx';
import { smallPages } from './pages/small.tsx';
import { Frame } from './parts/frame.tsx';
import { indexOptions } from './search-options.ts';
import type { Page, SiteWorld } from './world.ts';

export interface DrawnPage extends Pick<Page, 'path' | 'title' | 'description' | 'structured'> {
  readonly markup: string;
  readonly outcomes: Readonly<Record<string, string>>;
  readonly isIndexed: boolean;
  readonly isSecret: boolean;
  readonly isAlive: boolean;
}

export interface DrawnSite {
  readonly pages: readonly DrawnPage[];
  /** For MiniSearch, ready to be loaded. */
  readonly searchIndex: string;
  readonly guides: typeof guideList;
  readonly legacyGuides: typeof legacyGuides;
}

function draw(page: Page): DrawnPage {
  // What React takes over must be drawn with its seams.
  const markupOf = page.isAlive ? renderToString : renderToStaticMarkup;
  const framed = (body: ReactNode) => markupOf(<Frame path={page.path}>{body}</Frame>);
  return {
    path: page.path,
    title: page.title,
    description: page.description,
    ...(page.structured ? { structured: page.structured } : {}),
    markup: framed(page.body),
    outcomes: Object.fromEntries(
      Object.entries(page.outcomes ?? {}).map(([name, body]) => [name, framed(body)]),
    ),
    isIndexed: page.isIndexed ?? true,
    isSecret: page.isSecret ?? false,
    isAlive: page.isAlive ?? false,
  };
}

function searchIndexOf(world: SiteWorld): string {
  const index = new MiniSearch(indexOptions);
  index.addAll(searchSections(world.texts).map((section) => ({ ...section })));
  return JSON.stringify(index);
}

export function drawSite(world: SiteWorld): DrawnSite {
  const pages = [
    landingPage(world),
    ...guidePages(world),
    ...plainPages(world),
    securityPage(),
    ...alivePages(world),
    ...smallPages(),
    apiReferencePage(),
  ];
  return { pages: pages.map(draw), searchIndex: searchIndexOf(world), guides: guideList, legacyGuides };
}
