// Shows the question or screen the app wants above the rest, in a native modal dialog. Contents are a lazy chunk.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { createElement, useLayoutEffect, useRef } from 'react';
import { createSignal } from '#client/app/signal.ts';
import type { DialogType } from '#client/dialogs/dialog-view.ts';
import type { DialogContent } from '../dialogs/content.tsx';
import { useApp } from '../parts/app-context.ts';
import { useSignal } from '../parts/use-signal.ts';
import { keepOverSheet, placeBeside, pressBeneath } from './beside.ts';
import styles from './dialog-host.module.css';
import { firstIn, projectFocus } from './focus.ts';
import { turnAround } from './tab-stops.ts';

type Content = typeof DialogContent;

/** Drawn over the sheet, as a place is: beside the sidebar, without a scrim. */
const PAGES: ReadonlySet<DialogType> = new Set(['history', 'timeMachine', 'macroEditor']);

/** Not lazy(): an empty dialog would stand there for as long as React holds back what is loaded already. */
const content = createSignal<Content | null>(null);

/** Rejects when it cannot be loaded. The host is drawn only once it is here (rest-views.ts). */
export async function loadDialogContent(): Promise<void> {
  if (content.get() === null) content.set((await import('../dialogs/content.tsx')).DialogContent);
}

export function DialogHost() {
  const app = useApp();
  const dialog = useSignal(app.view.dialog);
  const loaded = useSignal(content);
  const element = useRef<HTMLDialogElement>(null);
  const isOpen = dialog !== null && loaded !== null;
  const about = dialog?.type === 'labels' ? dialog.picker.about : null;
  const isPage = dialog !== null && PAGES.has(dialog.type);

  useLayoutEffect(
    () => (isOpen && isPage && element.current ? keepOverSheet(element.current) : undefined),
    [isOpen, isPage],
  );
  useLayoutEffect(() => {
    if (!isOpen || !element.current) return;
    element.current.showModal();
    // The browser begins at the first button, which may be the dangerous one.
    firstIn(element.current).focus();
    projectFocus(app.view);
  }, [app, isOpen]);
  useLayoutEffect(() => {
    if (isOpen && element.current) placeBeside(element.current, about);
  }, [isOpen, about]);

  if (!dialog || loaded === null) return null;
  const frame = app.dialogFrame(dialog.type);
  return (
    <dialog
      ref={element}
      className={styles.dialog}
      aria-label={frame.name}
      data-ph="dialog"
      data-wide={frame.isWide === true ? '' : undefined}
      data-page={isPage ? '' : undefined}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Tab' || event.isDefaultPrevented()) return;
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        if (turnAround(event.currentTarget, event.shiftKey)) event.preventDefault();
      }}
      onCancel={(event) => {
        event.preventDefault();
        app.closeDialog();
      }}
      onClick={(event) => {
        if (event.target !== event.currentTarget) return;
        app.closeDialog();
        if (isPage) pressBeneath(event);
      }}
    >
      <div className={styles.paper} data-paper="" tabIndex={-1}>
        {createElement(loaded, { dialog, onShown: () => projectFocus(app.view) })}
        <div id="announce-dialog" className="visually-hidden" role="status" aria-live="polite" />
      </div>
    </dialog>
  );
}
