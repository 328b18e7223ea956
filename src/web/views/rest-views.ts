// The door to the views that the first screen does without: loaded when idle, or when a command first needs them.
import { createSignal, type Signal } from '#client/app/signal.ts';
import type { Alarm } from './alarm.tsx';
import type { DialogHost } from './dialog-host.tsx';
import type { EmptyDrawing } from '../parts/empty-drawing.tsx';
import type { Lesson } from './lesson.tsx';
import type { AddMenu } from './touch/add-menu.tsx';
import type { followListPress, followPress } from './touch/dragging.ts';
import type { followFinger } from './touch/finger.ts';
import type { Notes } from './notes.tsx';
import type { Palette } from './palette.tsx';
import type { SearchLine } from './search-line.tsx';
import type { Separator } from './touch/separator.tsx';
import type { TouchBar } from './touch/touch-bar.tsx';

interface RestViews {
  readonly AddMenu: typeof AddMenu;
  readonly Alarm: typeof Alarm;
  readonly DialogHost: typeof DialogHost;
  readonly EmptyDrawing: typeof EmptyDrawing;
  readonly Lesson: typeof Lesson;
  readonly followFinger: typeof followFinger;
  readonly followListPress: typeof followListPress;
  readonly followPress: typeof followPress;
  readonly Notes: typeof Notes;
  readonly Palette: typeof Palette;
  readonly SearchLine: typeof SearchLine;
  readonly Separator: typeof Separator;
  readonly TouchBar: typeof TouchBar;
}

const loaded = createSignal<RestViews | null>(null);

/** Null while they are not here. */
export const restViews: Signal<RestViews | null> = loaded;

/** Rejects when they cannot be loaded; asking again tries again. */
export async function loadViews(): Promise<void> {
  if (loaded.get() !== null) return;
  const parts = await Promise.all([
    import('./touch/add-menu.tsx'),
    import('./alarm.tsx'),
    // A dialog is drawn as soon as it is asked for: what is typed then is typed into it.
    import('./dialog-host.tsx').then(async (host) => {
      await host.loadDialogContent();
      return host;
    }),
    import('./touch/dragging.ts'),
    import('./touch/finger.ts'),
    import('./lesson.tsx'),
    import('./notes.tsx'),
    import('./palette.tsx'),
    import('./search-line.tsx'),
    import('./touch/separator.tsx'),
    import('./touch/touch-bar.tsx'),
    import('../parts/empty-drawing.tsx'),
  ]);
  const [
    { AddMenu },
    { Alarm },
    { DialogHost },
    { followListPress, followPress },
    { followFinger },
    { Lesson },
  ] = parts;
  const [, , , , , , { Notes }, { Palette }, { SearchLine }, { Separator }, { TouchBar }, { EmptyDrawing }] =
    parts;
  loaded.set({
    AddMenu,
    Alarm,
    DialogHost,
    EmptyDrawing,
    followFinger,
    followListPress,
    followPress,
    Lesson,
    Notes,
    Palette,
    SearchLine,
    Separator,
    TouchBar,
  });
}
