// Data coming in and going out: progress and problems of an import, the text of an export.
import type { DialogView } from '#client/dialogs/dialog-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

export function Import({ dialog }: { readonly dialog: Extract<DialogView, { readonly type: 'import' }> }) {
  const app = useApp();
  const percent = Math.round(dialog.progress * 100);
  const isVain = !dialog.busy && percent === 0;
  return (
    <div className={styles.form}>
      <h2 className={styles.title}>
        {dialog.busy ? 'Importing' : isVain ? 'Nothing was imported' : 'Import finished'}
      </h2>
      {!isVain && (
        <progress className={styles.progress} max={100} value={percent} aria-label="Import progress" />
      )}
      {dialog.problems.length > 0 && (
        <ul className={styles.problems} aria-label="Problems">
          {dialog.problems.map((problem, index) => (
            <li key={`${index}.${problem}`}>{problem}</li>
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        <Button isFirst onClick={() => app.closeDialog()}>
          {dialog.busy ? 'Continue in the background' : 'Close'}
        </Button>
      </div>
    </div>
  );
}

export function Export({ dialog }: { readonly dialog: Extract<DialogView, { readonly type: 'export' }> }) {
  const app = useApp();
  return (
    <div className={styles.form}>
      <h2 className={styles.title}>Export</h2>
      <textarea
        className={styles.text}
        aria-label="Exported text"
        readOnly
        value={dialog.text}
        spellCheck={false}
      />
      <div className={styles.actions}>
        <Button
          kind="primary"
          isFirst
          onClick={() => {
            app.platform.saveFile(dialog.fileName, 'text/plain', dialog.text);
            app.closeDialog();
          }}
        >
          Save as {dialog.fileName}
        </Button>
        <Button onClick={() => void app.platform.copyText(dialog.text)}>Copy</Button>
        <Button onClick={() => app.closeDialog()}>Close</Button>
      </div>
    </div>
  );
}
