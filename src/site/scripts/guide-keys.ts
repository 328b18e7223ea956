// The keys of the guides, while nothing on the page has the focus: `/` goes to the search, `[` and `]` to the
// neighbours. Small enough not to wait for the scripts of the page.
import { remember, remembered } from './storage.ts';

const OFF = 'posthaste.guideKeysOff';

/** Whether they are answered: a visitor can switch them off (guide-help.ts). */
export function areKeysOn(): boolean {
  return typeof remembered(OFF) !== 'string';
}

export function setKeysOn(isOn: boolean): void {
  remember(OFF, isOn ? null : '1');
}

/** Whether a key belongs to the page: nothing has the focus, no modifier but Shift, and the keys are on. */
export function isFree(event: KeyboardEvent): boolean {
  const isModified = event.ctrlKey || event.metaKey || event.altKey;
  return document.activeElement === document.body && !isModified && areKeysOn();
}

export function answerGuideKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (!isFree(event)) return;
    if (event.key === '/') {
      const field = document.querySelector<HTMLElement>('[data-guide-search] input');
      if (!field) return;
      event.preventDefault();
      field.focus();
    }
    const way = event.key === '[' ? 'prev' : event.key === ']' ? 'next' : null;
    if (way) document.querySelector<HTMLAnchorElement>(`[data-neighbours] a[rel=${way}]`)?.click();
  });
}

/** An old address with the guide behind the sign: `/guides#labels`. The server knows older names, and those that are none. */
export function followGuideHash(): void {
  if (location.pathname !== '/guides') return;
  const follow = () => {
    const id = location.hash.slice(1);
    const isHere = document.getElementById(id) !== null;
    if (/^[a-z-]+$/.test(id) && !isHere) location.replace(`/guides/${id}`);
  };
  follow();
  addEventListener('hashchange', follow);
}
