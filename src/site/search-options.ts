// How the guides are indexed and searched: the build and the browser must agree.
import type { Options } from 'minisearch';
import type { SearchSection } from './world.ts';

export const indexOptions: Options<SearchSection> = {
  fields: ['guide', 'heading', 'text'],
  storeFields: ['guide', 'heading'],
  searchOptions: {
    boost: { guide: 3, heading: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 3 ? 0.2 : false),
    combineWith: 'AND',
  },
};
