// The button that closes a dialog which has no other answer.
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import styles from './dialog.module.css';

/** `icon`: `back` where the dialog is a page. */
export function CloseButton({ icon = 'close' }: { readonly icon?: 'close' | 'back' }) {
  const app = useApp();
  return (
    <button
      type="button"
      className={styles.close}
      aria-label="Close"
      data-close=""
      onClick={() => app.closeDialog()}
    >
      <Icon name={icon} />
    </button>
  );
}
