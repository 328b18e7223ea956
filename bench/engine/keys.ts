// From a key, or a character typed into a field, to the visible rows: the app's own share of a keystroke.
import type { Distribution } from '../statistics.ts';
import { SEARCH_PREFIX, searchKey } from '../tasks.ts';
import { timeSteps } from './measure.ts';
import { type HeadlessApp, keyInput } from './subject.ts';

function press({ app }: HeadlessApp, spelled: string, inText = false): void {
  if (!app.key(keyInput(spelled, inText))) throw new Error(`The app did not take ${spelled}.`);
}

function timeCreate(subject: HeadlessApp, count: number): Distribution {
  press(subject, 'Control+Enter');
  const { app } = subject;
  const typed = (at: number): void => {
    const focus = app.view.focus.get();
    if (focus.pane !== 'outline' || focus.id === null || focus.edit === null)
      throw new Error('Nothing is being edited.');
    app.draftTitle(focus.id, `made ${at}`, 6);
  };
  const result = timeSteps(count, () => press(subject, 'Enter', true), typed);
  press(subject, 'Escape', true);
  return result;
}

function timeSearch(subject: HeadlessApp, taskCount: number, count: number): Distribution {
  const { app } = subject;
  press(subject, '/');
  const result = timeSteps(
    count,
    (at) => app.searchInput(searchKey(at, taskCount).query),
    (at) => {
      if (searchKey(at, taskCount).isFirst) app.searchInput(SEARCH_PREFIX);
    },
  );
  app.run('search.close');
  return result;
}

function timePalette(subject: HeadlessApp, count: number): Distribution {
  const { app } = subject;
  const words = ['complete', 'move', 'list', 'undo', 'inspect'];
  press(subject, 'Control+k');
  const result = timeSteps(count, (at) => {
    const word = words[Math.floor(at / 4) % words.length] ?? '';
    app.paletteInput(word.slice(0, (at % 4) + 1));
  });
  app.run('palette.close');
  return result;
}

/** Each interaction by name; the app is left as it was but for what the keys did. */
export function timeKeys(
  subject: HeadlessApp,
  taskCount: number,
  count: number,
): ReadonlyMap<string, Distribution> {
  const down = (): void => press(subject, 'ArrowDown');
  return new Map([
    ['move', timeSteps(count, down)],
    ['toggle', timeSteps(count, () => press(subject, ' '), down)],
    ['create', timeCreate(subject, count)],
    [
      'indent',
      timeSteps(
        count,
        (at) => press(subject, at % 2 === 0 ? 'Tab' : 'Shift+Tab'),
        (at) => at % 2 === 0 && down(),
      ),
    ],
    ['move task', timeSteps(count, (at) => press(subject, at % 20 < 10 ? 'Alt+ArrowDown' : 'Alt+ArrowUp'))],
    [
      'undo',
      timeSteps(
        count,
        () => press(subject, 'Control+z'),
        () => press(subject, ' '),
      ),
    ],
    ['search key', timeSearch(subject, taskCount, count)],
    ['palette key', timePalette(subject, count)],
  ]);
}
