// The edge between two panes, moved by pointer or arrow keys. Widths follow the text size and are kept on this device.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { memo, useLayoutEffect, useRef } from 'react';
import type { App } from '#client/app/app.ts';
import { useApp } from '../../parts/app-context.ts';
import styles from './separator.module.css';

interface Pane {
  readonly label: string;
  /** All widths in rem. */
  readonly usual: number;
  readonly least: number;
  readonly most: number;
  /** Whether the pane grows as its edge moves to the right. */
  readonly grows: 1 | -1;
}

const PANES = {
  sidebar: { label: 'List width', usual: 15, least: 10, most: 30, grows: 1 },
  notes: { label: 'Notes width', usual: 23.75, least: 15, most: 50, grows: -1 },
} as const satisfies Record<string, Pane>;

const STEP = 1;
const TWICE_MS = 500;

const remInPixels = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

/** The width lives in the frame's style: neither pane renders while its edge moves. */
function createEdge(app: App, name: keyof typeof PANES, handle: HTMLElement) {
  const pane: Pane = PANES[name];
  const key = `width.${name}`;
  const kept = Number(app.platform.preferences.get(key) ?? pane.usual);
  let width = pane.usual;

  function show(next: number): void {
    width = Math.min(pane.most, Math.max(pane.least, Number.isFinite(next) ? next : pane.usual));
    handle.closest<HTMLElement>('[data-ph=app]')?.style.setProperty(`--ph-${name}`, `${width}rem`);
    handle.setAttribute('aria-valuenow', String(Math.round(width)));
  }
  const keep = () => app.platform.preferences.set(key, String(width));
  show(kept);

  return {
    moveBy: (rem: number) => show(width + rem * pane.grows),
    toEnd: (isRight: boolean) => show(isRight === pane.grows > 0 ? pane.most : pane.least),
    reset: () => show(pane.usual),
    keep,
  };
}

function listen(handle: HTMLElement, edge: ReturnType<typeof createEdge>, signal: AbortSignal): void {
  let enteredAt = Number.NEGATIVE_INFINITY;
  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    ArrowLeft: () => edge.moveBy(-STEP),
    ArrowRight: () => edge.moveBy(STEP),
    Home: () => edge.toEnd(false),
    End: () => edge.toEnd(true),
    Enter(event) {
      if (event.timeStamp - enteredAt < TWICE_MS) edge.reset();
      enteredAt = event.timeStamp;
    },
  };
  handle.addEventListener(
    'keydown',
    (event) => {
      const act = keys[event.key];
      if (!act) return;
      event.preventDefault();
      act(event);
      edge.keep();
    },
    { signal },
  );
  handle.addEventListener(
    'pointerdown',
    (event) => {
      event.preventDefault();
      handle.setPointerCapture(event.pointerId);
    },
    { signal },
  );
  handle.addEventListener(
    'pointermove',
    (event) => {
      if (handle.hasPointerCapture(event.pointerId)) edge.moveBy(event.movementX / remInPixels());
    },
    { signal },
  );
  handle.addEventListener('pointerup', () => edge.keep(), { signal });
  handle.addEventListener(
    'dblclick',
    () => {
      edge.reset();
      edge.keep();
    },
    { signal },
  );
}

/** Stands in the pane whose edge it is. */
export const Separator = memo(function Separator({ pane }: { readonly pane: keyof typeof PANES }) {
  const app = useApp();
  const element = useRef<HTMLDivElement>(null);
  const { label, least, most, usual } = PANES[pane];
  useLayoutEffect(() => {
    const handle = element.current;
    if (!handle) return undefined;
    const listening = new AbortController();
    listen(handle, createEdge(app, pane, handle), listening.signal);
    return () => listening.abort();
  }, [app, pane]);
  return (
    <div
      ref={element}
      className={styles.separator}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={usual}
      data-pane={pane}
    />
  );
});
