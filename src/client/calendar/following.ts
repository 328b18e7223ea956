// Follows what this device keeps of the calendars, for what shows it: read again when the server says that events changed.
import type { Program } from '../app/program.ts';
import type { KeptCalendars } from './port.ts';

/** Calls back with what is kept whenever it has changed. Returns the unsubscription. */
export function followKept(program: Program, changed: (kept: KeptCalendars) => void): () => void {
  let stop: (() => void) | null = null;
  let isOver = false;
  program.platform.account.live().then(
    (live) => {
      if (isOver) return;
      const port = live.calendars();
      stop = port.listen(() => {
        void port.kept().then((kept) => {
          if (!isOver && kept !== null) program.act(() => changed(kept));
        });
      });
    },
    // Part of the app is missing; who shows it says so.
    () => undefined,
  );
  return () => {
    isOver = true;
    stop?.();
  };
}
