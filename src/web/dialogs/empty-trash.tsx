// Emptying the trash for good: how much goes, and that it does not come back. The safe answer has focus.
import { counted } from '#core/counted.ts';
import type { DialogView } from '#client/dialog-view.ts';
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
        app.submitDialog({});
      }}
    >
      <div>
        <h2 className={styles.title}>Remove {counted(count, 'thing')} in the trash for good?</h2>
        <p className={styles.rule}>
          {count === 1 ? 'It goes' : 'They go'} with everything in {count === 1 ? 'it' : 'them'}
          {hasAccount ? ', on all your devices' : ''}. This cannot be undone.
        </p>
      </div>
      <p role="status" className={error === null ? styles.rule : styles.error}>
        {error ?? (busy ? 'Removing…' : '')}
      </p>
      <div className={styles.actions}>
        <Button type="submit" kind="danger" disabled={busy}>
          Remove for good
        </Button>
        <Button isFirst onClick={() => app.closeDialog()}>
          {busy ? 'Close' : 'Cancel'}
        </Button>
      </div>
    </form>
  );
}
