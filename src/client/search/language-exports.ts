// The search language as one file of the bundle; language.ts loads it.
export { Language } from '../query/language.ts';
export { OpenSmart } from '../query/open-smart.ts';
export { create, editQuery, save, why } from '../query/smart-actions.ts';
export { noRanges, rangesOf } from './highlight.ts';
