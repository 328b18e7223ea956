// Emptying the trash for good: how much goes, and that it does not come back. The safe answer has focus.
import { counted } from '#core/counted.ts';
import type { DialogView } from '#client/dialogs/dialog-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

export function EmptyTrash({
  dialog,
}: {
  readonly dialog: Extract<DialogView, { readonly type: 'emptyTrash' }>;
}) {
  const app = useApp();
  const { count, hasAccount, busy, error } = dialog;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        app.answer('emptyTrash', { action: 'confirm' });
      }}
    >
      <div>
        <h2 className={styles.title}>Permanently delete {counted(count, 'item')} in the trash?</h2>
        <p className={styles.rule}>
          {count === 1 ? 'It goes' : 'They go'} with everything in {count === 1 ? 'it' : 'them'}
          {hasAccount ? ', on all your devices' : ''}. You can’t undo this.
        </p>
      </div>
      <p role="status" className={error === null ? styles.rule : styles.error}>
        {error ?? (busy ? 'Deleting…' : '')}
      </p>
      <div className={styles.actions}>
        <Button type="submit" kind="danger" disabled={busy}>
          Delete permanently
        </Button>
        <Button isFirst onClick={() => app.closeDialog()}>
          {busy ? 'Close' : 'Cancel'}
        </Button>
      </div>
    </form>
  );
}
