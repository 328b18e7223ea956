// Changes that could not be carried out, and texts that others replaced, with their content: made again, let go or copied,
// by button or by one key on the item.
import type { DialogView } from '#client/dialogs/dialog-view.ts';
import type { RecoveredAction, RecoveredView } from '#client/sync-status/status-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import own from './recovered.module.css';
import { keysIn } from '../platform/input/options.ts';

type Shown = 'recovered' | 'sync';
type Decision = RecoveredAction['action'];

function Sides({ sides }: { readonly sides: NonNullable<RecoveredView['sides']> }) {
  const nothing = <span className={styles.detail}>Nothing</span>;
  return (
    <dl className={own.sides} data-ph="recovered-sides">
      <div>
        <dt className={styles.detail}>Mine</dt>
        <dd className={own.text}>{sides.mine || nothing}</dd>
      </div>
      <div>
        <dt className={styles.detail}>Theirs, {sides.by}</dt>
        <dd className={own.text}>{sides.theirs || nothing}</dd>
      </div>
    </dl>
  );
}

function Item({ dialog, item }: { readonly dialog: Shown; readonly item: RecoveredView }) {
  const app = useApp();
  const act = (action: Decision) => {
    if (action !== 'again' || item.canApply) app.answer(dialog, { action, seq: item.seq });
  };
  const isConflict = item.sides !== null;
  return (
    <li className={own.item} data-ph="recovered-item" data-option={item.seq}>
      <div className={styles.itemText}>
        {item.about}
        <p className={styles.detail}>
          {item.list === null ? item.what : `${item.what}, in “${item.list}”`}. {item.reason} {item.kept}.
        </p>
        {item.sides && <Sides sides={item.sides} />}
      </div>
      <div className={own.buttons}>
        {item.canApply && (
          <Button onClick={() => act('again')}>{isConflict ? 'Keep mine' : 'Apply again'}</Button>
        )}
        <Button onClick={() => act('drop')}>{isConflict ? 'Keep theirs' : 'Discard'}</Button>
        <Button onClick={() => act('copy')}>Copy</Button>
      </div>
    </li>
  );
}

/** `dialog`: the one that it stands in. */
export function RecoveredList({
  dialog,
  items,
}: {
  readonly dialog: Shown;
  readonly items: readonly RecoveredView[];
}) {
  const app = useApp();
  return (
    <>
      <p className={`${styles.rule} ${own.byKey}`}>
        On an item <Keys caps={app.keysOf('recovered.again')[0]} /> applies the change again (keeps mine),{' '}
        <Keys caps={app.keysOf('recovered.drop')[0]} /> discards it (keeps theirs),{' '}
        <Keys caps={app.keysOf('recovered.copy')[0]} /> copies it.
      </p>
      <ul className={styles.list} data-options="" {...keysIn('dialog.recovered', 'list')}>
        {items.map((item) => (
          <Item key={item.seq} dialog={dialog} item={item} />
        ))}
      </ul>
      {items.length > 1 && items.some(({ canApply }) => canApply) && (
        <div className={styles.actions}>
          <Button onClick={() => app.answer(dialog, { action: 'again' })}>Apply all again</Button>
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
          These changes couldn’t be applied, or the text has changed since. We keep them for 30 days.
        </p>
      </div>
      <RecoveredList dialog="recovered" items={dialog.items} />
      <div className={styles.actions}>
        <Button onClick={() => app.answer('recovered', { action: 'copy' })}>Copy all</Button>
        <Button isFirst onClick={() => app.closeDialog()}>
          Close
        </Button>
      </div>
    </div>
  );
}
