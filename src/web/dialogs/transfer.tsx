// Data coming in and going out: progress and problems of an import, the text of an export.
import type { DialogView, ImportPreviewView } from '#client/dialogs/dialog-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import own from './import-preview.module.css';

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

/** What would come, before any of it does. */
export function ImportPreview({ preview }: { readonly preview: ImportPreviewView }) {
  const app = useApp();
  const { fileName, lines, sample, more } = preview;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        app.answer('importPreview', { action: 'import' });
      }}
    >
      <h2 className={styles.title}>Import {fileName}?</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <ul className={own.sample} aria-label="The first of them">
        {sample.map(({ title, level, isDone }, index) => (
          <li
            key={`${index}.${title}`}
            className={own.line}
            data-done={isDone ? '' : undefined}
            style={{ '--level': level } as React.CSSProperties}
          >
            {title === '' ? '(no title)' : title}
            {isDone && <span className="visually-hidden">, completed</span>}
          </li>
        ))}
        {more > 0 && <li className={own.line}>and {more} more</li>}
      </ul>
      <div className={styles.actions}>
        <button type="submit" className={`${styles.button} ${styles.primary}`} data-first="">
          Import
        </button>
        <button type="button" className={styles.button} onClick={() => app.closeDialog()}>
          Cancel
        </button>
      </div>
    </form>
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
