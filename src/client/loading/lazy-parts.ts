// Every lazy part of the app, in the order in which idle time loads them: parts with typing first, then views, then
// rarely used ones. Loaded with the commands. A test checks that none is missing.
import { lazyBlocks } from '../blocks/lazy.ts';
import { lazyCalendars, lazyOthers } from '../calendar/lazy.ts';
import { lazyClearing } from '../clearing/part.ts';
import { lazyCustomCss } from '../custom-css/lazy.ts';
import { lazyDetails } from '../commands/details.ts';
import { lazyDetaching } from '../sync-status/detaching-lazy.ts';
import { lazyDocuments, lazyImport, lazyUnsent } from '../transfer/documents-lazy.ts';
import type { LazyPart } from './lazy-part.ts';
import { entryPart } from '../entry/part.ts';
import { lazyFiles } from '../files/lazy.ts';
import { lazyHistory, lazyTimeMachine } from '../history/lazy.ts';
import { lazyKeys } from '../keys/lazy.ts';
import { lazyLabels } from '../labels/lazy.ts';
import { languagePart } from '../search/language.ts';
import { lazyAnswers } from '../dialogs/answers.ts';
import { lazyRuns } from '../macro-runs/lazy.ts';
import { lazyMacros } from '../macros/lazy.ts';
import { lazyTrial } from '../macros/trial/lazy.ts';
import { lazyMail } from '../mail/lazy.ts';
import { markdown } from '../markdown/lazy.ts';
import { pickers } from '../pickers/lazy.ts';
import { lazyPlan } from '../plan/lazy.ts';
import { lazyPlanning } from '../planning/lazy.ts';
import { lazyPublicLinks } from '../public-links/lazy.ts';
import { lazyReminders } from '../reminders/part.ts';
import { lazyReplacing } from '../replacing/lazy.ts';
import { lazySafety } from '../safety/lazy.ts';
import { lazySealing } from '../sealing/lazy.ts';
import { lazySettings } from '../settings/lazy.ts';
import { lazySharing } from '../sharing/lazy.ts';
import { sortingPart } from '../sorting/part.ts';
import { lazyTakingBack } from '../taking-back/lazy.ts';
import { lazyTeaching } from '../teaching/part.ts';
import { lazyComments } from '../together/lazy.ts';
import { lazyWeek } from '../week/lazy.ts';
import { trashPart } from '../trash/trash-lazy.ts';

/** The lazy parts, in the order of loading. */
export const lazyParts: readonly LazyPart<unknown>[] = [
  pickers,
  languagePart,
  entryPart,
  lazyLabels,
  ...lazyAnswers,
  lazySettings,
  lazyKeys,
  lazyReplacing,
  lazyDetails,
  sortingPart,
  lazyClearing,
  lazyBlocks,
  markdown,
  lazyFiles,
  lazySafety,
  lazySealing,
  lazyTimeMachine,
  lazyHistory,
  lazyMail,
  lazyCalendars,
  lazyOthers,
  lazyWeek,
  lazyPlanning,
  lazyPlan,
  lazyMacros,
  lazyTrial,
  lazyRuns,
  lazySharing,
  lazyPublicLinks,
  lazyTakingBack,
  lazyComments,
  trashPart,
  lazyReminders,
  lazyTeaching,
  lazyCustomCss,
  lazyDetaching,
  lazyDocuments,
  lazyImport,
  lazyUnsent,
];

/** Two at a time: a key pressed meanwhile finds the network and the processor free for its own part. */
export async function loadLazyParts(): Promise<void> {
  const waiting = lazyParts.values();
  const bring = async (): Promise<void> => {
    for (const part of waiting)
      // Opening the part tries again, and reports the failure.
      await part.load().catch(() => undefined);
  };
  await Promise.all([bring(), bring()]);
}
