// Where every change is: this device's copy, what waits to be sent, what was refused, what happened to the disk.
import type { DialogView } from '#client/dialogs/dialog-view.ts';
import type { DevicesView, SyncStatusView } from '#client/sync-status/status-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { RecoveredList } from './recovered.tsx';
import own from './sync-status.module.css';

function Facts({ facts }: { readonly facts: SyncStatusView['facts'] }) {
  return (
    <dl className={own.facts}>
      {facts.map(({ name, text, tone }) => (
        <div key={name} className={own.fact}>
          <dt className={own.name}>{name}</dt>
          <dd className={own.value} data-tone={tone} data-ph="sync-fact">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Devices({ devices }: { readonly devices: DevicesView }) {
  const { list, more, note } = devices;
  return (
    <section aria-label="Your devices">
      <h3 className={styles.groupTitle}>Your devices</h3>
      <ul className={own.devices} data-ph="devices">
        {list.map(({ number, name, heard, change, state, tone, isHere }) => (
          <li key={isHere ? 'here' : number} className={own.device} data-ph="device">
            <span className={own.about}>{name}</span>
            <span className={own.value} data-tone={tone}>
              {state}
            </span>
            <span className={styles.detail}>
              {heard}. {change}.
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={styles.detail}>and {more} more</p>}
      {note !== null && <p className={styles.detail}>{note}</p>}
    </section>
  );
}

function Unsent({ status }: { readonly status: SyncStatusView }) {
  const { unsent, unsentCount } = status;
  if (unsentCount === 0) return null;
  const rest = unsentCount - unsent.length;
  return (
    <section aria-label="Waiting to be sent">
      <h3 className={styles.groupTitle}>
        {status.isOff ? 'Waiting for cloud sync to be on' : 'Waiting to be sent'}: {unsentCount}
      </h3>
      <ol className={own.changes} data-ph="unsent">
        {unsent.map(({ seq, what, about }) => (
          <li key={seq} className={own.change}>
            <span className={own.what}>{what}</span>
            <span className={own.about}>{about}</span>
          </li>
        ))}
      </ol>
      {rest > 0 && <p className={styles.detail}>and {rest} more</p>}
    </section>
  );
}

function Kept({ kept }: { readonly kept: SyncStatusView['kept'] }) {
  const app = useApp();
  if (kept.length === 0) return null;
  return (
    <section aria-label="Other accounts">
      <h3 className={styles.groupTitle}>Copies of other accounts on this device</h3>
      <ul className={styles.list}>
        {kept.map(({ id, email, waiting }) => (
          <li key={id} className={styles.item}>
            <div className={styles.itemText}>
              {email}
              <p className={styles.detail}>
                {waiting === 0
                  ? 'Everything synced'
                  : `${waiting} unsynced. Sign in as this account to sync them.`}
              </p>
            </div>
            {waiting > 0 && (
              <Button onClick={() => app.run('sync.downloadKept', { copy: id })}>Download</Button>
            )}
            <Button kind="danger" onClick={() => app.run('sync.dropKept', { copy: id })}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Notices({ notices }: { readonly notices: SyncStatusView['notices'] }) {
  const app = useApp();
  return notices.map(({ id, text, tone, isDamage }) => (
    <div key={id} className={styles.error} data-tone={tone}>
      <p>{text}</p>
      <div className={styles.actions}>
        {isDamage === true && (
          <Button onClick={() => app.run('sync.downloadDamaged')}>Download damaged data</Button>
        )}
        <Button onClick={() => app.run('notice.dismiss', { notice: id })}>Got it</Button>
      </div>
    </div>
  ));
}

export function SyncStatus({ dialog }: { readonly dialog: Extract<DialogView, { readonly type: 'sync' }> }) {
  const app = useApp();
  const { status } = dialog;
  const { recovered, hasAccount, isOff, hasUnsent } = status;
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>Sync status</h2>
        <p className={styles.rule} data-ph="sync-headline">
          {status.headline}
        </p>
      </div>
      <Notices notices={status.notices} />
      <Facts facts={status.facts} />
      {status.devices && <Devices devices={status.devices} />}
      <Unsent status={status} />
      {recovered.length > 0 && (
        <section aria-label="Refused changes">
          <h3 className={styles.groupTitle}>Refused or replaced: {recovered.length}</h3>
          <RecoveredList dialog="sync" items={recovered} />
        </section>
      )}
      <Kept kept={status.kept} />
      <div className={styles.actions}>
        <Button isFirst onClick={() => app.closeDialog()}>
          Close
        </Button>
        {hasAccount && (
          <Button onClick={() => app.run(isOff ? 'sync.enable' : 'application.sync')}>
            {isOff ? 'Enable cloud sync' : 'Sync now'}
          </Button>
        )}
        {(hasUnsent || !hasAccount) && (
          <button type="button" className={styles.link} onClick={() => app.run('sync.download')}>
            {hasAccount ? 'Download unsynced changes' : 'Download everything'}
          </button>
        )}
      </div>
    </div>
  );
}
