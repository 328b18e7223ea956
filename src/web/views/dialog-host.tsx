// Shows the question or screen the app wants above the rest, in a native modal dialog. Contents are a lazy chunk.
// Drawn seldom: the compiler's bookkeeping would weigh more than it saves.
'use no memo';

import { createElement, useLayoutEffect, useRef } from 'react';
import { createSignal } from '#client/signal.ts';
import type { DialogView } from '#client/dialog-view.ts';
import type { DialogContent } from '../dialogs/content.tsx';
import { useApp } from '../parts/app-context.ts';
import { useSignal } from '../parts/use-signal.ts';
import { placeBeside } from './beside.ts';
import styles from './dialog-host.module.css';
import { firstIn, projectFocus } from './focus.ts';

type Content = typeof DialogContent;

/** Not lazy(): an empty dialog would stand there for as long as React holds back what is loaded already. */
const content = createSignal<Content | null>(null);

/** Rejects when it cannot be loaded. The host is drawn only once it is here (later.ts). */
export async function loadDialogContent(): Promise<void> {
  if (content.get() === null) content.set((await import('../dialogs/content.tsx')).DialogContent);
}

const NAMES: Readonly<Record<DialogView['type'], string>> = {
  signIn: 'Sign in',
  signUp: 'Create an account',
  sessions: 'Signed-in devices',
  import: 'Import',
  importPreview: 'Import',
  export: 'Export',
  keys: 'Keys',
  cheatSheet: 'Cheat sheet of keys',
  firstRun: 'Get started',
  details: 'Details',
  labels: 'Labels',
  labelManager: 'Labels and groups',
  settings: 'Settings',
  safety: 'Account',
  files: 'Attachments',
  listMail: 'E-mail address of the list',
  quickEntry: 'Quick entry',
  replace: 'Find and replace',
  history: 'History',
  timeMachine: 'Time machine',
  recovered: 'Recovered changes',
  install: 'Install the app',
  sync: 'Sync status',
  emptyTrash: 'Empty trash now',
  signOut: 'Sign out',
  disableSync: 'Disable cloud sync',
  enableSync: 'Enable cloud sync',
  safetyCopies: 'Safety copies',
  otherAccount: 'Another account',
  confirm: 'Confirm',
};

const WIDE: ReadonlySet<DialogView['type']> = new Set([
  'keys',
  'cheatSheet',
  'export',
  'sync',
  'history',
  'timeMachine',
  'labelManager',
  'settings',
  'safety',
  'replace',
  'files',
]);

export function DialogHost() {
  const app = useApp();
  const dialog = useSignal(app.view.dialog);
  const loaded = useSignal(content);
  const element = useRef<HTMLDialogElement>(null);
  const isOpen = dialog !== null && loaded !== null;
  const about = dialog?.type === 'labels' ? dialog.picker.about : null;

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
  return (
    <dialog
      ref={element}
      className={styles.dialog}
      aria-label={NAMES[dialog.type]}
      data-ph="dialog"
      data-wide={WIDE.has(dialog.type) ? '' : undefined}
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault();
        app.closeDialog();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) app.closeDialog();
      }}
    >
      <div className={styles.paper} data-paper="" tabIndex={-1}>
        {createElement(loaded, { dialog, onShown: () => projectFocus(app.view) })}
        <div id="announce-dialog" className="visually-hidden" role="status" aria-live="polite" />
      </div>
    </dialog>
  );
}
