// Where a picker stands that is about one task: beside its row, never over it.
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
