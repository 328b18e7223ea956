// Changes that could not be carried out, and texts that others replaced, with their content: made again, let go or copied,
// by button or by one key on the item.
import type { KeyboardEvent } from 'react';
import type { DialogView } from '#client/dialog-view.ts';
import type { RecoveredView } from '#client/sync-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import own from './recovered.module.css';

function focusIn(item: Element | null): void {
  item?.querySelector('button')?.focus();
}

type Decision = 'again' | 'drop' | 'copy';

const KEYS: Readonly<Record<string, Decision>> = { a: 'again', d: 'drop', Delete: 'drop', c: 'copy' };

/** Arrow keys go from item to item; a letter decides. */
function onItemKey(event: KeyboardEvent<HTMLLIElement>, act: (action: Decision) => void): void {
  const item = event.currentTarget;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const decision = KEYS[event.key];
  if (decision) {
    // What is decided goes; the focus stays in the list.
    if (decision !== 'copy') focusIn(item.nextElementSibling ?? item.previousElementSibling);
    act(decision);
  } else if (event.key === 'ArrowDown') focusIn(item.nextElementSibling);
  else if (event.key === 'ArrowUp') focusIn(item.previousElementSibling);
  else return;
  event.preventDefault();
}

function Sides({ sides }: { readonly sides: NonNullable<RecoveredView['sides']> }) {
  const nothing = <span className={styles.detail}>Nothing</span>;
  return (
    <dl className={own.sides} data-ph="recovered-sides">
      <div className={own.side}>
        <dt className={styles.detail}>Mine</dt>
        <dd className={own.text}>{sides.mine || nothing}</dd>
      </div>
      <div className={own.side}>
        <dt className={styles.detail}>Theirs, {sides.by}</dt>
        <dd className={own.text}>{sides.theirs || nothing}</dd>
      </div>
    </dl>
  );
}

function Item({ item }: { readonly item: RecoveredView }) {
  const app = useApp();
  const act = (action: Decision) => {
    if (action !== 'again' || item.canApply) app.submitDialog({ action, seq: String(item.seq) });
  };
  const isConflict = item.sides !== null;
  return (
    <li className={own.item} data-ph="recovered-item" onKeyDown={(event) => onItemKey(event, act)}>
      <div className={styles.itemText}>
        {item.about}
        <p className={styles.detail}>
          {item.what}. {item.reason} {item.kept}.
        </p>
        {item.sides && <Sides sides={item.sides} />}
      </div>
      <div className={own.buttons}>
        {item.canApply && (
          <Button onClick={() => act('again')}>{isConflict ? 'Keep mine' : 'Apply again'}</Button>
        )}
        <Button onClick={() => act('drop')}>{isConflict ? 'Keep theirs' : 'Let go'}</Button>
        <Button onClick={() => act('copy')}>Copy</Button>
      </div>
    </li>
  );
}

export function RecoveredList({ items }: { readonly items: readonly RecoveredView[] }) {
  const app = useApp();
  return (
    <>
      <p className={`${styles.rule} ${own.byKey}`}>
        On an item <Keys caps={['A']} /> makes the change again (keeps mine), <Keys caps={['D']} /> lets it go
        (keeps theirs), <Keys caps={['C']} /> copies it.
      </p>
      <ul className={styles.list}>
        {items.map((item) => (
          <Item key={item.seq} item={item} />
        ))}
      </ul>
      {items.length > 1 && items.some(({ canApply }) => canApply) && (
        <div className={styles.actions}>
          <Button onClick={() => app.submitDialog({ action: 'again' })}>Apply all again</Button>
        </div>
      )}
    </>
  );
}

export function Recovered({
  dialog,
}: {
  readonly dialog: Extract<DialogView, { readonly type: 'recovered' }>;
}) {
  const app = useApp();
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>Recovered changes</h2>
        <p className={styles.rule}>
          These changes could not be made, or another text took their place. They are kept for 30 days.
        </p>
      </div>
      <RecoveredList items={dialog.items} />
      <div className={styles.actions}>
        <Button onClick={() => app.submitDialog({ action: 'copy' })}>Copy all</Button>
        <Button isFirst onClick={() => app.closeDialog()}>
          Close
        </Button>
      </div>
    </div>
  );
}
