// Shows the question or screen the app wants above the rest, in a native modal dialog. Contents are a lazy chunk.
// Drawn seldom: the compiler's bookkeeping would weigh more than it saves.
'use no memo';

import { createElement, useEffect, useLayoutEffect, useRef } from 'react';
import { createSignal } from '#client/signal.ts';
import type { DialogView } from '#client/view.ts';
import type { DialogContent } from '../dialogs/content.tsx';
import { useApp } from '../parts/app-context.ts';
import { useSignal } from '../parts/use-signal.ts';
import { placeBeside } from './beside.ts';
import styles from './dialog-host.module.css';
import { firstIn, projectFocus } from './focus.ts';

type Content = typeof DialogContent;

/** Not lazy(): an empty dialog would stand there for as long as React holds back what is loaded already. */
const content = createSignal<Content | 'failed' | null>(null);

/** Also called when idle, so that the first press does not wait for the network. */
export async function loadDialogContent(): Promise<void> {
  if (typeof content.get() === 'function') return;
  try {
    content.set((await import('../dialogs/content.tsx')).DialogContent);
  } catch {
    // A dialog that was asked for says so; the next one tries again.
    content.set('failed');
  }
}

function Failed() {
  const app = useApp();
  return (
    <div className={styles.failed}>
      <p role="alert">This could not be loaded. Check the connection and try again.</p>
      <button type="button" className={styles.close} data-first="" onClick={() => app.closeDialog()}>
        Close
      </button>
    </div>
  );
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
  const isAsked = dialog !== null;
  const isOpen = isAsked && loaded !== null;
  const about = dialog?.type === 'labels' ? dialog.picker.about : null;

  useEffect(() => {
    if (!isAsked) return;
    if (content.get() === 'failed') content.set(null);
    void loadDialogContent();
  }, [isAsked]);
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
        {loaded === 'failed' ? (
          <Failed />
        ) : (
          createElement(loaded, { dialog, onShown: () => projectFocus(app.view) })
        )}
        <div id="announce-dialog" className="visually-hidden" role="status" aria-live="polite" />
      </div>
    </dialog>
  );
}
