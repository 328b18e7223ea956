// What is different in the desktop client: what a browser can't do there goes to the program around the page (src/desktop), which says what the system
// hands it. Loaded there alone.
import type { App } from '#client/app/app.ts';
import { followMenus, type MenusSaid } from './menus.ts';
import { parseId } from '#core/ids.ts';
import { selectedFileName } from '#client/links/selected.ts';
import type { NotificationPort } from '#client/reminders/port.ts';
import { reloadPage, updates } from '../updates.ts';

type Said =
  | { readonly type: 'selected'; readonly text: string }
  | { readonly type: 'notice'; readonly task: string; readonly title: string; readonly body: string }
  | { readonly type: 'withdraw'; readonly task: string }
  | { readonly type: 'who'; readonly name: string }
  | MenusSaid
  | { readonly type: 'done' | 'look' | 'install' };

/** As the first script of the page gives it (src/desktop/page/bridge.ts). */
interface Desktop {
  say(message: Said): void;
  onChosen(listener: (task: string) => void): () => void;
  onQuick(open: () => void): void;
  onRun(listener: (command: string) => void): () => void;
  onUpdate(heard: (version: string) => void): void;
}

const HIDDEN = { title: 'Reminder', body: '' };

/** Notes of the system: the program may always show them, and the system asks its person. */
function notices(desktop: Desktop, port: NotificationPort): Partial<NotificationPort> {
  const isLookedAt = () => document.visibilityState === 'visible' && document.hasFocus();
  return {
    permission: () => 'granted',
    ask: () => Promise.resolve('granted'),
    // The server need not know this device: the program runs while its reminders ring.
    subscribe: () => Promise.resolve(null),
    show({ task, title, body }) {
      if (!isLookedAt())
        desktop.say({ type: 'notice', task, ...(port.showsTitles ? { title, body } : HIDDEN) });
    },
    shown: () => Promise.resolve([]),
    close: (task) => desktop.say({ type: 'withdraw', task }),
  };
}

/** The small window has quick entry and nothing else: it goes with it. */
function keepQuick(app: App, desktop: Desktop): () => void {
  document.documentElement.dataset['phQuick'] = '';
  const { dialog } = app.view;
  let wasOpen = false;
  desktop.onQuick(() => app.run('task.quickEntry'));
  return dialog.subscribe(() => {
    const isOpen = dialog.get() !== null;
    if (wasOpen && !isOpen) desktop.say({ type: 'done' });
    wasOpen = isOpen;
  });
}

/** Newer versions come from the program, not from the service worker of a browser. */
function takeUpdates(app: App, desktop: Desktop): void {
  desktop.onUpdate((version) => updates.ready.set(`Install version ${version}`));
  Object.assign(app.platform, {
    reload() {
      const isReady = updates.ready.get() !== '';
      desktop.say({ type: isReady ? 'install' : 'look' });
      if (!isReady) reloadPage();
    },
  });
}

/** Ends what was begun with the app before, which is gone. */
let leave: () => void = () => undefined;

/** Menus name commands that come with the rest of the app. */
async function bringMenus(app: App, desktop: Desktop, ends: (() => void)[]): Promise<void> {
  let isGone = false;
  ends.push(() => (isGone = true));
  await app.loadRest();
  if (!isGone) ends.push(followMenus(app, (menus) => desktop.say(menus)));
}

/** Brings the app together with the program around it. */
export async function followDesktop(app: App): Promise<void> {
  leave();
  const { desktop } = window as unknown as { readonly desktop: Desktop };
  const { platform } = app;
  const saveFile = platform.saveFile.bind(platform);
  platform.saveFile = (name, type, text) =>
    name === selectedFileName ? desktop.say({ type: 'selected', text }) : saveFile(name, type, text);
  Object.assign(platform.notifications, notices(desktop, platform.notifications));
  Object.assign(platform.install, { way: () => 'installed', takeLinks: null });
  takeUpdates(app, desktop);
  const ends = [
    desktop.onChosen((id) => {
      const task = parseId(id);
      if (task !== null)
        void app.engine.loaded().then(() => app.run('reminder.answer', { task, answer: 'open' }));
    }),
    desktop.onRun((command) => app.run(command)),
  ];
  leave = () => {
    for (const end of ends) end();
  };
  if (new URLSearchParams(location.search).has('quick')) {
    ends.push(keepQuick(app, desktop));
    return;
  }
  desktop.say({ type: 'who', name: platform.account.email ?? '' });
  await bringMenus(app, desktop, ends);
}
