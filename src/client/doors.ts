// Every door of the app, in the order in which what is behind them is brought while nothing else is done: what is typed into
// first, then what is looked at, then what is seldom wanted. Loaded with the commands. A test sees that none is missing.
import { clearingDoor } from './clearing/door.ts';
import { detailsDoor } from './commands/details.ts';
import { detachingDoor } from './detaching-door.ts';
import { documentsDoor, importDoor, tableDoor, unsentDoor } from './documents-door.ts';
import type { Door } from './door.ts';
import { entryPart } from './entry/door.ts';
import { filesDoor } from './files/door.ts';
import { historyDoor, timeMachineDoor } from './history/door.ts';
import { keysDoor } from './keys/door.ts';
import { labelsDoor } from './labels/door.ts';
import { languagePart } from './language.ts';
import { ledgerDoors } from './ledger.ts';
import { mailDoor } from './mail/door.ts';
import { markdown } from './markdown/door.ts';
import { pickers } from './pickers/door.ts';
import { remindersDoor } from './reminders/door.ts';
import { replacingDoor } from './replacing/door.ts';
import { safetyDoor } from './safety/door.ts';
import { settingsDoor } from './settings/door.ts';
import { sortingPart } from './sorting/door.ts';
import { teachingDoor } from './teaching/door.ts';
import { firstRunDoor } from './teaching/first-run-door.ts';
import { trashPart } from './trash-door.ts';

export const doors: readonly Door<unknown>[] = [
  pickers,
  languagePart,
  entryPart,
  labelsDoor,
  ...ledgerDoors,
  settingsDoor,
  keysDoor,
  replacingDoor,
  detailsDoor,
  sortingPart,
  clearingDoor,
  markdown,
  filesDoor,
  safetyDoor,
  timeMachineDoor,
  historyDoor,
  mailDoor,
  trashPart,
  remindersDoor,
  teachingDoor,
  firstRunDoor,
  detachingDoor,
  documentsDoor,
  importDoor,
  unsentDoor,
  tableDoor,
];

/** Two at a time: a key that comes meanwhile finds the network and the processor free for what it wants. */
export async function loadDoors(): Promise<void> {
  const waiting = doors.values();
  const bring = async (): Promise<void> => {
    for (const door of waiting)
      // Whoever goes through it tries again, and hears of it.
      await door.load().catch(() => undefined);
  };
  await Promise.all([bring(), bring()]);
}
