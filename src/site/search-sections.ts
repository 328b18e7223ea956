// What the guide search finds: each guide, with the words that people have for its subject, and each section of it.
import { lexer, type Tokens } from 'marked';
import { guides } from '#client/palette/guides.ts';
import { guideList } from './content/guide-list.ts';
import { readHeading } from './markdown/slug.ts';
import type { SearchSection } from './world.ts';

const wordsOf = (raw: string) =>
  raw.replaceAll(/\[\[[^\]]*\]\]|[`*_#>|]|^::.*$/gm, ' ').replaceAll(/\s+/g, ' ');

const namesOf = (id: string) => (guides.find(([known]) => known === id)?.[2] ?? []).join(', ');

/** `texts`: of each guide, by its id. */
export function searchSections(texts: Readonly<Record<string, string>>): readonly SearchSection[] {
  return guideList.flatMap((guide) => {
    const page = `/guides/${guide.id}`;
    const sections = [{ id: page, heading: '', text: guide.summary, names: namesOf(guide.id) }];
    for (const token of lexer(texts[guide.id] ?? '')) {
      if (token.type === 'heading' && (token as Tokens.Heading).depth === 2) {
        const { id, text } = readHeading((token as Tokens.Heading).text);
        sections.push({ id: `${page}#${id}`, heading: wordsOf(text).trim(), text: '', names: '' });
        continue;
      }
      const last = sections.at(-1);
      if (last) last.text += ` ${wordsOf(token.raw)}`;
    }
    return sections.map((section) => ({ ...section, guide: guide.title, status: guide.status }));
  });
}
