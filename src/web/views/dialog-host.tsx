// Shows the question or screen the app wants above the rest, in a native modal dialog. Contents are a lazy chunk.
import { lazy, Suspense, useLayoutEffect, useRef } from 'react';
import type { DialogView } from '#client/view.ts';
import { useApp } from '../parts/app-context.ts';
import { useSignal } from '../parts/use-signal.ts';
import styles from './dialog-host.module.css';
import { projectFocus } from './focus.ts';

/** Also called when idle, so that the first press does not wait for the network. */
export const loadDialogContent = () => import('../dialogs/content.tsx');

const Content = lazy(async () => ({ default: (await loadDialogContent()).DialogContent }));

const NAMES: Readonly<Record<DialogView['type'], string>> = {
  signIn: 'Sign in',
  signUp: 'Create an account',
  sessions: 'Signed-in devices',
  import: 'Import',
  export: 'Export',
  keys: 'Keys',
  recovered: 'Recovered changes',
  sync: 'Sync status',
  signOut: 'Sign out',
  otherAccount: 'Another account',
  confirm: 'Confirm',
};

const WIDE: ReadonlySet<DialogView['type']> = new Set(['keys', 'export', 'sync']);

export function DialogHost() {
  const app = useApp();
  const dialog = useSignal(app.view.dialog);
  const element = useRef<HTMLDialogElement>(null);
  const isOpen = dialog !== null;

  useLayoutEffect(() => {
    if (!isOpen || !element.current) return;
    element.current.showModal();
  }, [isOpen]);

  if (!dialog) return null;
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
      <div className={styles.paper}>
        <Suspense fallback={<div className={styles.waiting} />}>
          <Content dialog={dialog} onShown={() => projectFocus(app.view)} />
        </Suspense>
        <div id="announce-dialog" className="visually-hidden" role="status" aria-live="polite" />
      </div>
    </dialog>
  );
}
