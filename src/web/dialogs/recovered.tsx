// Changes that could not be carried out anywhere, with their content, until the person deals with them.
import type { DialogView } from '#client/view.ts';
import type { RecoveredItem } from '#sync/ports.ts';
import type { Verdict } from '#sync/operation.ts';
import { useApp } from '../parts/app-context.ts';
import styles from './dialog.module.css';

const REASONS: Partial<Record<Verdict, string>> = {
  gone: 'It was deleted for good before this change arrived.',
  cycle: 'It would have stood inside itself.',
  badparent: 'The place it should go to does not exist.',
  forbidden: 'It was not allowed.',
  invalid: 'It was not understood.',
  limit: 'It is too large.',
};

function contentOf({ operation }: RecoveredItem): string {
  if (operation.a === 'create') {
    const name = operation.fields['title'] ?? operation.fields['name'];
    return typeof name === 'string' && name !== '' ? name : `New ${operation.type}`;
  }
  if (operation.a === 'set')
    return typeof operation.value === 'string' ? operation.value : JSON.stringify(operation.value);
  return `${operation.a[0]?.toUpperCase() ?? ''}${operation.a.slice(1)}`;
}

export function Recovered({
  dialog,
}: {
  readonly dialog: Extract<DialogView, { readonly type: 'recovered' }>;
}) {
  const app = useApp();
  const everything = dialog.items.map(contentOf).join('\n');
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>Recovered changes</h2>
        <p className={styles.rule}>
          These changes could not be made. Their content is kept here until you let it go.
        </p>
      </div>
      <ul className={styles.list}>
        {dialog.items.map((item) => (
          <li key={item.operation.q} className={styles.item}>
            <div className={styles.itemText}>
              {contentOf(item)}
              <p className={styles.detail}>{REASONS[item.verdict] ?? item.verdict}</p>
            </div>
            <button
              type="button"
              className={styles.button}
              onClick={() => app.submitDialog({ action: 'drop', seq: String(item.operation.q) })}
            >
              Let go
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <button
          type="button"
          className={styles.button}
          onClick={() => void app.platform.copyText(everything)}
        >
          Copy all
        </button>
        <button type="button" className={styles.button} data-first="" onClick={() => app.closeDialog()}>
          Close
        </button>
      </div>
    </div>
  );
}
