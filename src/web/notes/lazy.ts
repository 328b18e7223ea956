// The door to what shows formatting in notes: only this is part of the first load. Brought when the app is idle; until it is
// there, and where it cannot be had, notes are plain text.
import { markdown } from '#client/markdown/lazy.ts';
import { createSignal } from '#client/app/signal.ts';

async function bring() {
  const [host, reading, { withBoxToggled }] = await Promise.all([
    import('./field-host.tsx'),
    import('./reading.tsx'),
    import('#core/markdown/reading.ts'),
    markdown.load(),
  ]);
  return { ...host, ...reading, withBoxToggled };
}

/** The notes field, the drawing of notes, and `withBoxToggled`, as the lazy chunks export them. */
export type NotesPart = Awaited<ReturnType<typeof bring>>;

/** Null while it is not there. */
export const notesPart = createSignal<NotesPart | null>(null);

/** Asked again, it tries again. */
export async function loadNotes(): Promise<void> {
  if (notesPart.get() !== null) return;
  try {
    notesPart.set(await bring());
  } catch {
    // Notes stay plain text; opening them again asks again.
    return;
  }
}
