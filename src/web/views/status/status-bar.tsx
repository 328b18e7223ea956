// The line at the bottom: mode, selection, keys begun, what just happened, and where the data is.
// Small: the React compiler's caching would cost more than it saves.
'use no memo';

import { counted } from '#core/counted.ts';
import type { SyncState } from '#sync/replica/replica-types.ts';
import { useApp } from '../../parts/app-context.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Keys } from '../../parts/keycap.tsx';
import { useSignal } from '../../parts/use-signal.ts';
import { lateStatus, lateSync } from '../../late/late-views.ts';
import { type LaterViews, restViews } from '../rest-views.ts';
import { Message } from './message.tsx';
import styles from './status-bar.module.css';

interface SyncText {
  readonly icon: IconName;
  readonly text: string;
  /** Left out of sight where there is little room; "Sync status" says it too. */
  readonly detail?: string;
  readonly tone: 'calm' | 'wait' | 'bad';
}

/** Why changes wait although the server is there. */
const TROUBLES = {
  full: 'The server is full',
  failing: 'Server not accepting changes',
  locked: 'Locked',
} as const;

/** Never claims more than is known: "saved here" is the disk's word, "synced" the server's. */
function syncText(sync: SyncState, later: LaterViews): SyncText {
  switch (sync.type) {
    case 'synced':
      return { icon: 'cloud', text: 'Synced', tone: 'calm' };
    case 'onDevice':
      if (sync.trouble !== undefined) {
        const text = TROUBLES[sync.trouble];
        const detail = sync.waiting === 0 ? '' : ` · ${counted(sync.waiting, 'change')} waiting`;
        return { icon: 'warning', text, detail, tone: 'wait' };
      }
      if (!sync.online && sync.asking !== true) {
        const text = sync.waiting === 0 ? 'Offline' : `Offline · ${counted(sync.waiting, 'change')} waiting`;
        return { icon: 'offline', text, tone: 'wait' };
      }
      return {
        icon: 'cloud',
        text: sync.waiting === 0 ? 'Saved here' : `Syncing ${counted(sync.waiting, 'change')}`,
        tone: 'wait',
      };
    case 'unsaved':
      if (sync.failing)
        return {
          icon: 'warning',
          text: `${counted(sync.waiting, 'change')} not saved`,
          detail: ' (storage is failing)',
          tone: 'bad',
        };
      return { icon: 'device', text: 'Saving', tone: 'calm' };
    case 'local':
      return { icon: 'device', text: 'Only on this device', tone: 'calm' };
    case 'signedOut':
    case 'outdated':
    case 'volatile': {
      const text = sync.type === 'volatile' ? 'Not saved' : 'Not synced';
      return { icon: 'warning', tone: 'bad', ...(later?.troubleText(sync) ?? { text }) };
    }
    case 'detached':
      return { icon: 'offline', text: 'Cloud sync is off', tone: 'wait' };
    case 'loading':
      return { icon: 'device', text: loadingText(sync.progress), tone: 'calm' };
  }
}

const numbers = new Intl.NumberFormat('en');

function loadingText(progress: (SyncState & { readonly type: 'loading' })['progress']): string {
  if (progress === undefined) return 'Loading';
  const of = progress.total === null ? '' : ` of ${numbers.format(progress.total)}`;
  return `Loading ${numbers.format(progress.read)}${of}`;
}

/** What helps most in this state. */
function remedyOf(sync: SyncState): string {
  if (sync.type === 'signedOut') return 'account.signIn';
  return sync.type === 'outdated' && sync.which === 'app' ? 'application.reload' : 'application.syncStatus';
}

function Sync() {
  const app = useApp();
  const { sync } = useSignal(lateSync(app.view.status));
  const { icon, text, detail = '', tone } = syncText(sync, useSignal(restViews));
  const content = (
    <>
      <Icon name={icon} size={14} />
      <span>
        {text}
        {detail !== '' && <span className={styles.detail}>{detail}</span>}
      </span>
    </>
  );
  return (
    <button
      type="button"
      className={styles.sync}
      data-tone={tone}
      data-ph="sync"
      tabIndex={-1}
      onClick={() => app.run(remedyOf(sync))}
    >
      {content}
    </button>
  );
}

/** The line at the bottom of the app. */
export function StatusBar() {
  const app = useApp();
  const status = useSignal(lateStatus(app.view.status));
  const later = useSignal(restViews);
  return (
    <section className={styles.bar} aria-label="Status" data-ph="status">
      <span className={styles.mode} data-mode={status.mode}>
        {status.mode}
      </span>
      {status.selected > 1 && <span className={styles.part}>{status.selected} selected</span>}
      {status.recording && <span className={styles.recording}>Recording {status.recording}</span>}
      {status.tabMovesFocus && <span className={styles.part}>Tab moves focus</span>}
      {status.pending.length > 0 && (
        <span className={styles.pending} data-ph="chord">
          <Keys caps={status.pending} />
          <span aria-hidden="true">…</span>
        </span>
      )}
      <Message status={status} />
      {later && <later.UpdateButton />}
      <Sync />
      {later && <later.KeyHints hints={status.hints} />}
    </section>
  );
}
