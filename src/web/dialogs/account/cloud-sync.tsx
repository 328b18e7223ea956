// Turning cloud sync off on this device, turning it on again with the list of what goes, and the copies kept of that.
import { counted } from '#core/counted.ts';
import type { DialogView } from '#client/dialogs/dialog-view.ts';
import type { SafetyCopyAction, DetachedView, SafetyCopyView } from '#client/sync-status/status-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Button } from '../button.tsx';
import own from './cloud-sync.module.css';
import styles from '../dialog.module.css';

type Of<T extends DialogView['type']> = { readonly dialog: Extract<DialogView, { readonly type: T }> };

function Problem({ error }: { readonly error: string | null }) {
  return error === null ? null : (
    <p className={styles.error} role="alert">
      {error}
    </p>
  );
}

/** Asks before turning cloud sync off. Unsent changes can be sent first. */
export function DisableSync({ dialog }: Of<'disableSync'>) {
  const app = useApp();
  const { waiting, sending, error } = dialog;
  return (
    <div className={styles.form}>
      <h2 className={styles.title}>Disable cloud sync on this device?</h2>
      <ul className={own.points}>
        <li>Nothing you write leaves this device, and nothing new reaches it.</li>
        <li>
          Turning it back on first removes everything you create or change while it’s off. A copy stays here
          for 30 days.
        </li>
        <li>What’s on the server stays there, and your other devices keep syncing.</li>
      </ul>
      {waiting > 0 && (
        <p data-ph="disable-waiting">
          {counted(waiting, 'change')} {waiting === 1 ? 'has' : 'have'} not reached the server yet. Send{' '}
          {waiting === 1 ? 'it' : 'them'} first, or keep {waiting === 1 ? 'it' : 'them'} waiting until you
          turn cloud sync back on.
        </p>
      )}
      <Problem error={error} />
      <div className={styles.actions}>
        <Button kind="primary" isFirst onClick={() => app.closeDialog()}>
          Keep cloud sync on
        </Button>
        {waiting > 0 && (
          <Button aria-disabled={sending} onClick={() => app.answer('disableSync', { action: 'send' })}>
            {sending ? 'Sending…' : `Send ${counted(waiting, 'change')}, then disable`}
          </Button>
        )}
        <Button kind="danger" onClick={() => app.answer('disableSync', { action: 'now' })}>
          {waiting === 0 ? 'Disable cloud sync' : 'Disable now'}
        </Button>
      </div>
    </div>
  );
}

function Part({ part }: { readonly part: DetachedView['parts'][number] }) {
  const { name, count, items } = part;
  return (
    <details className={own.part} data-ph="detached-part">
      <summary className={own.summary}>
        {name}: {count}
      </summary>
      <ul className={own.names}>
        {items.map((item, index) => (
          <li key={`${index} ${item}`}>{item}</li>
        ))}
        {count > items.length && <li>and {count - items.length} more</li>}
      </ul>
    </details>
  );
}

/** Shows what turning cloud sync on removes from this device, and asks. */
export function EnableSync({ dialog }: Of<'enableSync'>) {
  const app = useApp();
  const { lost, busy, error } = dialog;
  const lists = lost.lists.map(({ name, count }) => `${name} (${count})`).join(', ');
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>Enable cloud sync on this device?</h2>
        <p className={styles.rule}>
          Everything created or changed here since {lost.since} is removed from your tasks first. A copy stays
          on this device for 30 days, under “Safety copies.”
        </p>
      </div>
      <section aria-label="What is removed">
        {lost.parts.map((part) => (
          <Part key={part.name} part={part} />
        ))}
        {lost.others > 0 && <p className={own.part}>Marks, settings and records: {lost.others}</p>}
        {lists !== '' && <p className={styles.detail}>In {lists}</p>}
      </section>
      {lost.waiting > 0 && (
        <p className={styles.rule}>
          {counted(lost.waiting, 'change')} from before {lost.waiting === 1 ? 'is' : 'are'} kept and sent.
        </p>
      )}
      <Problem error={error} />
      <div className={styles.actions}>
        <Button kind="primary" isFirst onClick={() => app.closeDialog()}>
          Keep cloud sync off
        </Button>
        <Button onClick={() => app.answer('enableSync', { action: 'download' })}>Download a copy</Button>
        <Button
          kind="danger"
          aria-disabled={busy}
          onClick={() => app.answer('enableSync', { action: 'enable' })}
        >
          {busy ? 'Enabling…' : 'Remove these and enable'}
        </Button>
      </div>
    </div>
  );
}

function Copy({ copy }: { readonly copy: SafetyCopyView }) {
  const app = useApp();
  const { id, span, count, daysLeft } = copy;
  const act = (action: SafetyCopyAction['action']) => app.answer('safetyCopies', { action, copy: id });
  return (
    <li className={styles.item} data-ph="safety-copy">
      <div className={styles.itemText}>
        {span}
        <p className={styles.detail}>
          {counted(count, 'change')}, kept for {daysLeft === 1 ? '1 more day' : `${daysLeft} more days`}
        </p>
      </div>
      <div className={styles.actions}>
        <Button onClick={() => act('restore')}>Apply them again</Button>
        <Button onClick={() => act('download')}>Download</Button>
        <Button kind="danger" onClick={() => act('drop')}>
          Delete
        </Button>
      </div>
    </li>
  );
}

/** Lists the safety copies. Each can be applied again, downloaded or deleted. */
export function SafetyCopies({ dialog }: Of<'safetyCopies'>) {
  const app = useApp();
  const { copies } = dialog;
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>Safety copies</h2>
        <p className={styles.rule}>
          {copies.length === 0
            ? 'None yet. Changes you make while cloud sync is off stay here for 30 days after you turn it back on.'
            : 'Changes you made while cloud sync was off. Apply them again to sync them like any others.'}
        </p>
      </div>
      <ul className={styles.list}>
        {copies.map((copy) => (
          <Copy key={copy.id} copy={copy} />
        ))}
      </ul>
      <div className={styles.actions}>
        <Button isFirst onClick={() => app.closeDialog()}>
          Close
        </Button>
      </div>
    </div>
  );
}
