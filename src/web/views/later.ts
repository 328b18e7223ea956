// The door to the views that the first screen does without: loaded when idle, or when a command first needs them.
import { createSignal, type Signal } from '#client/signal.ts';
import type { Alarm } from './alarm.tsx';
import type { DialogHost } from './dialog-host.tsx';
import type { Lesson } from './lesson.tsx';
import type { followPress } from './dragging.ts';
import type { Notes } from './notes.tsx';
import type { Palette } from './palette.tsx';
import type { SearchLine } from './search-line.tsx';
import type { Separator } from './separator.tsx';

interface LaterViews {
  readonly Alarm: typeof Alarm;
  readonly DialogHost: typeof DialogHost;
  readonly Lesson: typeof Lesson;
  readonly followPress: typeof followPress;
  readonly Notes: typeof Notes;
  readonly Palette: typeof Palette;
  readonly SearchLine: typeof SearchLine;
  readonly Separator: typeof Separator;
}

const loaded = createSignal<LaterViews | null>(null);

/** Null while they are not here. */
export const laterViews: Signal<LaterViews | null> = loaded;

/** Rejects when they cannot be loaded; asking again tries again. */
export async function loadViews(): Promise<void> {
  if (loaded.get() !== null) return;
  const [
    { Alarm },
    { DialogHost },
    { Lesson },
    { Notes },
    { Palette },
    { SearchLine },
    { Separator },
    { followPress },
  ] = await Promise.all([
    import('./alarm.tsx'),
    import('./dialog-host.tsx'),
    import('./lesson.tsx'),
    import('./notes.tsx'),
    import('./palette.tsx'),
    import('./search-line.tsx'),
    import('./separator.tsx'),
    import('./dragging.ts'),
  ]);
  loaded.set({ Alarm, DialogHost, followPress, Lesson, Notes, Palette, SearchLine, Separator });
}
