// While the editor of keys is open, the controls of the page behind it carry the keys that press them. They lie in the top
// layer, above the dialog's veil, and are only for the eye: the editor itself says the same in words.
import { useEffect, useRef, useState } from 'react';
import type { App } from '#client/app/app.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import own from './key-editor.module.css';

interface Badge {
  readonly id: string;
  readonly caps: readonly string[];
  readonly left: number;
  readonly top: number;
}

function isSeen(control: Element, box: DOMRect, dialog: DOMRect | undefined): boolean {
  if (box.width === 0 || box.height === 0 || !control.checkVisibility()) return false;
  const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const isUnder =
    dialog !== undefined &&
    middle.x > dialog.left &&
    middle.x < dialog.right &&
    middle.y > dialog.top &&
    middle.y < dialog.bottom;
  return !isUnder && middle.x > 0 && middle.y > 0 && middle.x < innerWidth && middle.y < innerHeight;
}

const NEAR_PX = 56;
const LOWER_PX = 22;
const EDGE_PX = 4;
const ICON_PX = 12;
const CAP_PX = 10;

/** Beside each other they stand at several heights, so that none hides another. */
function badges(app: App): readonly Badge[] {
  const placed: Badge[] = [];
  const dialog = document.querySelector('dialog[open]')?.getBoundingClientRect();
  for (const control of document.querySelectorAll('[data-command]')) {
    const command = control.getAttribute('data-command') ?? '';
    const caps = app.keysInOutline(command)[0];
    const box = control.getBoundingClientRect();
    if (!caps || !isSeen(control, box, dialog)) continue;
    // Behind the words of a wide control, below an icon: neither is covered.
    const isWide = box.width > 2 * NEAR_PX;
    // A control at the side reaches under the dialog: there its key stands before the edge.
    const isBeside = dialog !== undefined && box.bottom > dialog.top && box.left < dialog.left;
    const end = isBeside ? Math.min(box.right, dialog.left) : box.right;
    const wanted = isWide ? end - NEAR_PX : box.left + box.width / 2 - ICON_PX;
    const left = Math.max(EDGE_PX, Math.min(wanted, innerWidth - NEAR_PX));
    let top = Math.max(EDGE_PX, isWide ? box.top + box.height / 2 - CAP_PX : box.bottom - CAP_PX);
    const isClose = (other: Badge) =>
      Math.abs(other.left - left) < NEAR_PX && Math.abs(other.top - top) < LOWER_PX;
    while (placed.some(isClose)) top += LOWER_PX;
    placed.push({ id: command, caps, left, top });
  }
  return placed;
}

/** The same places with the keys of now. */
function renewed(app: App, shown: readonly Badge[]): readonly Badge[] {
  return shown.flatMap((badge) => {
    const caps = app.keysInOutline(badge.id)[0];
    return caps ? [{ ...badge, caps }] : [];
  });
}

/** `keys`: another value whenever some may have changed. */
export function KeyBadges({ keys }: { readonly keys: unknown }) {
  const app = useApp();
  const layer = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<readonly Badge[]>([]);
  // After the dialog, which lies in the top layer too, and after its picture: the key that opened it waits for no measuring.
  useEffect(() => {
    const draw = () => setShown(badges(app));
    const forget = app.platform.after(0, () => {
      draw();
      layer.current?.showPopover();
    });
    window.addEventListener('resize', draw);
    return () => {
      forget();
      window.removeEventListener('resize', draw);
    };
  }, [app]);
  useEffect(() => app.platform.after(0, () => setShown((before) => renewed(app, before))), [app, keys]);
  return (
    <div ref={layer} popover="manual" className={own.badges} aria-hidden="true" data-ph="key-badges">
      {shown.map(({ id, caps, left, top }) => (
        <span key={id} className={own.badge} style={{ left: `${left}px`, top: `${top}px` }}>
          <Keys caps={caps} />
        </span>
      ))}
    </div>
  );
}
