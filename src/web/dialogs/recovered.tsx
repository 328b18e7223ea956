// Changes that could not be carried out anywhere, with their content, until the person deals with them: made again or let
// go, by button or by one key on the item.
import type { KeyboardEvent } from 'react';
import type { DialogView, RecoveredView } from '#client/view.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import styles from './dialog.module.css';

function focusIn(item: Element | null): void {
  item?.querySelector('button')?.focus();
}

/** Arrow keys go from item to item; A applies again, D lets go. */
function onItemKey(event: KeyboardEvent<HTMLLIElement>, act: (action: 'again' | 'drop') => void): void {
  const item = event.currentTarget;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === 'a') act('again');
  else if (event.key === 'd' || event.key === 'Delete') act('drop');
  else if (event.key === 'ArrowDown') focusIn(item.nextElementSibling);
  else if (event.key === 'ArrowUp') focusIn(item.previousElementSibling);
  else return;
  event.preventDefault();
}

export function RecoveredList({ items }: { readonly items: readonly RecoveredView[] }) {
  const app = useApp();
  return (
    <>
      <p className={styles.rule}>
        On an item <Keys caps={['A']} /> makes the change again, <Keys caps={['D']} /> lets it go.
      </p>
      <ul className={styles.list}>
        {items.map((item) => {
          const act = (action: 'again' | 'drop') => {
            if (action === 'drop' || item.canApply) app.submitDialog({ action, seq: String(item.seq) });
          };
          return (
            <li
              key={item.seq}
              className={styles.item}
              data-ph="recovered-item"
              onKeyDown={(event) => onItemKey(event, act)}
            >
              <div className={styles.itemText}>
                {item.about}
                <p className={styles.detail}>
                  {item.what}. {item.reason}
                </p>
              </div>
              {item.canApply && (
                <button type="button" className={styles.button} onClick={() => act('again')}>
                  Apply again
                </button>
              )}
              <button type="button" className={styles.button} onClick={() => act('drop')}>
                Let go
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

export function Recovered({
  dialog,
}: {
  readonly dialog: Extract<DialogView, { readonly type: 'recovered' }>;
}) {
  const app = useApp();
  const everything = dialog.items.map(({ about }) => about).join('\n');
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>Recovered changes</h2>
        <p className={styles.rule}>
          These changes could not be made. Their content is kept here until you let it go.
        </p>
      </div>
      <RecoveredList items={dialog.items} />
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
