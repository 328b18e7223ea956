// One question with one dangerous answer. The safe one has focus.
import type { DialogView } from '#client/dialogs/dialog-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

export function Confirm({ dialog }: { readonly dialog: Extract<DialogView, { readonly type: 'confirm' }> }) {
  const app = useApp();
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        app.answer('confirm', { action: 'confirm' });
      }}
    >
      <h2 className={styles.title}>{dialog.text}</h2>
      {dialog.detail !== undefined && <p className={styles.lead}>{dialog.detail}</p>}
      <div className={styles.actions}>
        <Button type="submit" kind="primary">
          {dialog.action}
        </Button>
        <Button isFirst onClick={() => app.closeDialog()}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
