// Where dialogs stand that are not in the middle: a picker that is about one task beside its row, never over it; a page over the
// sheet, as large as that, so that the sidebar beside it stays to be seen.
import type { Id } from '#core/ids.ts';

/** A picker with all it offers is about this high. */
const ROOM_PX = 420;

/** Below the row that it is about where there is room, else above: never over it. In the middle when about none. */
export function placeBeside(popover: HTMLElement, about: Id | null): void {
  const row = about === null ? null : document.getElementById(`row-${about}`);
  const title = row && document.getElementById(`title-${about ?? ''}`);
  const box = row?.getBoundingClientRect();
  const room = box ? window.innerHeight - box.bottom : 0;
  popover.dataset['beside'] = !box ? '' : room >= Math.min(ROOM_PX, box.top) ? 'below' : 'above';
  if (!box) return;
  const left = Math.min(
    title?.getBoundingClientRect().left ?? box.left,
    window.innerWidth - popover.offsetWidth - 8,
  );
  popover.style.setProperty('--beside-x', `${Math.max(8, left - 12)}px`);
  popover.style.setProperty('--beside-y', `${box.bottom + 4}px`);
  popover.style.setProperty('--beside-end', `${window.innerHeight - box.top + 4}px`);
}

/** Keeps a page over the sheet until the returned function is called. On a phone, which has no sheet, the style says where. */
export function keepOverSheet(page: HTMLElement): () => void {
  const sheet = document.querySelector('[data-ph=sheet]');
  if (sheet === null) return () => undefined;
  const place = () => {
    const { left, top, right, bottom } = sheet.getBoundingClientRect();
    page.style.setProperty('--page-x', `${left}px`);
    page.style.setProperty('--page-y', `${top}px`);
    page.style.setProperty('--page-end', `${window.innerWidth - right}px`);
    page.style.setProperty('--page-foot', `${window.innerHeight - bottom}px`);
  };
  place();
  const watching = new ResizeObserver(place);
  watching.observe(sheet);
  watching.observe(document.documentElement);
  return () => watching.disconnect();
}

/** What was pressed beside a page, once that is gone. */
export function pressBeneath({
  clientX,
  clientY,
}: {
  readonly clientX: number;
  readonly clientY: number;
}): void {
  const press = new MouseEvent('click', { bubbles: true, cancelable: true, clientX, clientY });
  setTimeout(() => document.elementFromPoint(clientX, clientY)?.dispatchEvent(press));
}
