// Finds sections of the guides. Its own chunk: it is loaded when somebody searches.
import MiniSearch from 'minisearch';
import { indexOptions, searchGuides } from '../search-options.ts';

export interface Found {
  readonly address: string;
  readonly guide: string;
  readonly heading: string;
  readonly isPlanned: boolean;
}

export interface Finder {
  find(query: string, most: number): readonly Found[];
}

export async function openFinder(): Promise<Finder> {
  const response = await fetch('/guide-index.json');
  if (!response.ok) throw new Error(`The index answered ${response.status}`);
  const index = MiniSearch.loadJSON(await response.text(), indexOptions);
  return {
    find: (query, most) =>
      searchGuides(index, query)
        .slice(0, most)
        .map(({ id, guide, heading, status }) => ({
          address: String(id),
          guide: String(guide),
          heading: String(heading),
          isPlanned: status === 'planned',
        })),
  };
}
