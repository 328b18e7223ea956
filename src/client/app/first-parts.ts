// The parts that run from the first screen on.
import { searching } from '../search/searching.ts';
import { smartLists } from '../search/smart-lists.ts';
import { sortedLists } from '../sorting/part.ts';
import { taskEntry } from '../entry/part.ts';
import { resumedTitle } from '../text/resumed-title.ts';
import { orphanedTyping } from '../text/orphaned-typing.ts';
import { reminders } from '../reminders/part.ts';
import { teaching } from '../teaching/part.ts';
import { mouseOff } from '../keys/hardcore.ts';
import { recoveredExpiry } from '../dialogs/answers.ts';
import { appDialogs } from '../dialogs/app-dialogs.ts';
import type { Part } from './part.ts';

/**
 * In the order in which they hear of a change: smart lists read the index that search keeps. A part belongs here if its
 * hooks are needed before the first screen has been idle for a moment; every other one is in loading/rest-parts.ts.
 */
export const firstParts: readonly Part[] = [
  searching,
  smartLists,
  sortedLists,
  taskEntry,
  resumedTitle,
  orphanedTyping,
  reminders,
  teaching,
  mouseOff,
  recoveredExpiry,
  appDialogs,
];
