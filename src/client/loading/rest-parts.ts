// The parts that start once the first screen has been idle for a moment. A new capability usually belongs here.
import type { Part } from '../app/part.ts';
import { keptEntryPart } from '../entry/kept-entry.ts';
import { givenLater } from '../macros/given.ts';
import { taskClipboard } from '../transfer/task-clipboard.ts';
import { timeBlocks } from '../blocks/part.ts';
import { automaticClearing } from '../clearing/part.ts';
import { listClearing } from '../clearing/list-clearing.ts';
import { customCssPart } from '../custom-css/part.ts';
import { desktopClient } from '../desktop/part.ts';
import { askedAbout } from '../dialogs/asked-about.ts';
import { exPart } from '../vim/ex.ts';
import { labelsBesideLists } from '../labels/beside-lists.ts';
import { strayLabelsPart } from '../labels/stray-labels.ts';
import { deletedLists } from '../sync-status/deleted-lists.ts';
import { sharedPlaces } from '../outline/shared-places.ts';
import { plansWhereOffered } from '../plan/part.ts';
import { planning } from '../planning/part.ts';
import { presence } from '../presence/part.ts';
import { macroRuns } from '../macro-runs/part.ts';
import { macros } from '../macros/part.ts';
import { ownLayer } from '../own-layer/part.ts';
import { calendar } from '../calendar/part.ts';
import { printing } from '../printing/part.ts';
import { publicLinks } from '../public-links/part.ts';
import { sealing } from '../sealing/part.ts';
import { sharing } from '../sharing/part.ts';
import { takingBack } from '../taking-back/part.ts';
import { unreadMarks } from '../unread/part.ts';
import { together } from '../together/part.ts';
import { followedFiles } from '../files/part.ts';
import { importing } from '../importing/part.ts';
import { weekPane } from '../week/part.ts';
import { lockedNamesakes } from '../labels/locked-namesakes.ts';

/** In the order in which they hear of a change, after those of the first screen (app/first-parts.ts). */
export const restParts: readonly Part[] = [
  askedAbout,
  sharedPlaces,
  ownLayer,
  automaticClearing,
  timeBlocks,
  listClearing,
  deletedLists,
  taskClipboard,
  givenLater,
  exPart,
  keptEntryPart,
  labelsBesideLists,
  strayLabelsPart,
  sharing,
  presence,
  unreadMarks,
  takingBack,
  together,
  publicLinks,
  calendar,
  weekPane,
  planning,
  followedFiles,
  importing,
  macros,
  macroRuns,
  printing,
  customCssPart,
  sealing,
  plansWhereOffered,
  desktopClient,
  lockedNamesakes,
];
