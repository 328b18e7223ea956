// How the guides are indexed and searched: the build and the browser must agree.
import type MiniSearch from 'minisearch';
import type { Options, SearchResult } from 'minisearch';
import type { SearchSection } from './world.ts';

/** Words of questions, which say nothing of what is asked about. */
const IDLE = new Set(
  'a an and are as can do does for from how i in is it me my of on or that the this to what when where why with you your'.split(
    ' ',
  ),
);
/** What is not there yet stands behind what is, unless it is named. */
const PLANNED = 0.6;

/** Titles and other names weigh more than text; sections of planned guides rank lower. */
export const indexOptions: Options<SearchSection> = {
  fields: ['guide', 'names', 'heading', 'text'],
  storeFields: ['guide', 'heading', 'status'],
  processTerm: (term) => {
    const word = term.toLowerCase();
    return IDLE.has(word) ? null : word;
  },
  searchOptions: {
    boost: { names: 6, guide: 4, heading: 2 },
    prefix: (term) => term.length > 1,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    weights: { prefix: 0.6, fuzzy: 0.2 },
    boostDocument: (_id, _term, stored) => (stored?.['status'] === 'planned' ? PLANNED : 1),
  },
};

/** Sections with all words, else with any of them. */
export function searchGuides(index: MiniSearch<SearchSection>, query: string): readonly SearchResult[] {
  const all = index.search(query, { combineWith: 'AND' });
  return all.length > 0 ? all : index.search(query, { combineWith: 'OR' });
}
