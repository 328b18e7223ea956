// The door to reminders outside the page: what must answer at once is here (permission is asked while a key is being
// answered), the rest is loaded when it is needed (notifications.ts).
import type { App } from '#client/app/app.ts';
import type { NotificationPermission, NotificationPort } from '#client/reminders/port.ts';
import type { Preferences } from './storage/preferences.ts';
import { loadWhenIdle } from './world.ts';

const TITLES = 'noticeTitles';
const load = () => import('./notifications.ts');

function permissionNow(): NotificationPermission {
  if (!('Notification' in window) || !('serviceWorker' in navigator)) return 'unsupported';
  return Notification.permission === 'default' ? 'ask' : Notification.permission;
}

function isLookedAt(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}

function complain(error: unknown): void {
  console.warn('Reminder notifications don’t work now.', error);
}

/** `hasAccount`: there is a server that may send reminders. */
export function createNotifications(preferences: Preferences, hasAccount: () => boolean): NotificationPort {
  const titles = () => preferences.get(TITLES) !== 'hidden';
  return {
    permission: permissionNow,
    async ask() {
      if (permissionNow() === 'ask') await Notification.requestPermission();
      return permissionNow();
    },
    async subscribe() {
      if (!hasAccount() || permissionNow() !== 'granted') return null;
      return (await load()).subscribe(titles());
    },
    get showsTitles() {
      return titles();
    },
    showTitles: (shows) => preferences.set(TITLES, shows ? 'shown' : 'hidden'),
    show(notice) {
      if (isLookedAt() || permissionNow() !== 'granted') return;
      load()
        .then(({ showNotice }) => showNotice(notice, titles()))
        .catch(complain);
    },
    async shown() {
      return permissionNow() === 'granted' ? (await load()).shownNotices() : [];
    },
    close(task) {
      if (permissionNow() !== 'granted') return;
      load()
        .then(({ closeNotice }) => closeNotice(task))
        .catch(complain);
    },
    badge(count) {
      if (!('setAppBadge' in navigator)) return;
      const set = count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count);
      // Only an installed app has one.
      set.catch(() => undefined);
    },
  };
}

/** What the person does about notices reaches the app from when it is idle on. The returned function stops it. */
export function answerNotices(app: App): () => void {
  let stop = (): void => undefined;
  const end = loadWhenIdle(load, ({ followNotices }) => {
    if (permissionNow() === 'granted') stop = followNotices(app);
  });
  return () => {
    end();
    stop();
  };
}
