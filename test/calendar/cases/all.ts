// Situations of calendar files, one each: those that public suites and trackers of calendar programs name.
import { dayCases, lengthCases } from './lengths.ts';
import { seriesCases } from './series.ts';
import { brokenCases, textCases } from './texts.ts';
import type { Case } from './words.ts';
import { clockCases, zoneCases } from './zones.ts';

/** Every situation. */
export const readingCases: readonly Case[] = [
  ...zoneCases,
  ...clockCases,
  ...dayCases,
  ...lengthCases,
  ...seriesCases,
  ...textCases,
  ...brokenCases,
];
