// The files of a task: a list to open, save and remove, and a picture when one is open. What an answer does is client/files.
import { useLayoutEffect, useRef } from 'react';
import type { AttachmentView, FilesView } from '#client/files/files-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { Button } from './button.tsx';
import own from './attachments.module.css';
import styles from './dialog.module.css';

function stateOf({ size, unsent }: AttachmentView): string {
  if (!unsent) return size;
  if (unsent.type === 'waiting') return `${size}, only on this device so far`;
  if (unsent.type === 'sending') return `${size}, ${Math.round(unsent.share * 100)} % sent`;
  return `${size}, not sent: ${unsent.message}`;
}

function Item({ item, isFirst }: { readonly item: AttachmentView; readonly isFirst: boolean }) {
  const app = useApp();
  const { id, name, picture, unsent } = item;
  const press = (action: 'open' | 'save' | 'remove' | 'retry') => () => app.answer('files', { action, id });
  return (
    <li className={styles.item}>
      {picture === null ? (
        <span className={own.thumb} aria-hidden="true">
          <Icon name="attachment" />
        </span>
      ) : (
        <img className={own.thumb} src={picture} alt="" />
      )}
      <div className={styles.itemText}>
        {name}
        <p className={styles.detail} data-tone={unsent?.type === 'refused' ? 'error' : undefined}>
          {stateOf(item)}
        </p>
        {unsent?.type === 'sending' && (
          <progress className={styles.progress} value={unsent.share} max={1} aria-label={`Sending ${name}`} />
        )}
      </div>
      {picture !== null && (
        <Button isFirst={isFirst} aria-label={`Show ${name}`} onClick={press('open')}>
          Show
        </Button>
      )}
      {unsent?.type === 'refused' && (
        <Button aria-label={`Send ${name} again`} onClick={press('retry')}>
          Send again
        </Button>
      )}
      <Button isFirst={isFirst && picture === null} aria-label={`Save ${name}`} onClick={press('save')}>
        Save
      </Button>
      <Button aria-label={`Remove ${name}`} onClick={press('remove')}>
        Remove
      </Button>
    </li>
  );
}

function Shown({ item }: { readonly item: AttachmentView }) {
  const app = useApp();
  const back = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => back.current?.focus(), []);
  return (
    <div className={styles.form}>
      <h2 className={styles.title}>{item.name}</h2>
      <img className={own.picture} src={item.picture ?? ''} alt={item.name} />
      <div className={styles.actions}>
        <Button ref={back} onClick={() => app.answer('files', { action: 'back' })}>
          Back
        </Button>
        <Button onClick={() => app.answer('files', { action: 'save', id: item.id })}>Save</Button>
      </div>
    </div>
  );
}

export function Attachments({ files }: { readonly files: FilesView }) {
  const app = useApp();
  const { title, items, shown, busy, said } = files;
  if (shown) return <Shown item={shown} />;
  return (
    <div className={styles.form} aria-busy={busy}>
      <div>
        <h2 className={styles.title}>Attachments</h2>
        <p className={styles.rule}>{title}</p>
      </div>
      {said && (
        <p className={said.isError ? styles.error : styles.rule} role="status">
          {said.text}
        </p>
      )}
      {items.length === 0 ? (
        <p className={styles.rule}>
          No files yet. Press Enter to choose one. You can paste a file or picture onto the task, or drop it
          on its row.
        </p>
      ) : (
        <ul className={styles.list}>
          {items.map((item, index) => (
            <Item key={item.id} item={item} isFirst={index === 0} />
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        <Button
          kind="primary"
          isFirst={items.length === 0}
          aria-disabled={busy}
          onClick={() => app.answer('files', { action: 'attach' })}
        >
          {busy ? 'One moment' : 'Attach a file'}
        </Button>
        <Button onClick={() => app.closeDialog()}>Close</Button>
      </div>
    </div>
  );
}
