// Every part of the app that is loaded when it is first wanted.
import { loadClearing } from '#client/clearing/door.ts';
import { loadDetails } from '#client/commands/details.ts';
import { loadLinks } from '#client/commands/links.ts';
import { entryPart } from '#client/entry/door.ts';
import { loadKeyEditor } from '#client/keys/door.ts';
import { loadLabels } from '#client/labels/door.ts';
import { loadLanguage } from '#client/language.ts';
import { laterPart } from '#client/later.ts';
import { loadLedger } from '#client/ledger.ts';
import { pickers } from '#client/pickers/door.ts';
import { loadReminders } from '#client/reminders/door.ts';
import { loadSettings } from '#client/settings/door.ts';
import { loadTeaching } from '#client/teaching/door.ts';
import { loadFirstRun } from '#client/teaching/first-run-door.ts';

export async function loadEverything(): Promise<void> {
  await Promise.all([
    laterPart.load(),
    loadKeyEditor(),
    loadLedger(),
    loadLabels(),
    loadDetails(),
    loadSettings(),
    loadClearing(),
    pickers.load(),
    entryPart.load(),
    loadLanguage(),
    loadLinks(),
    loadReminders(),
    loadTeaching(),
    loadFirstRun(),
  ]);
}
