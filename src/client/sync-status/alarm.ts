// The one prominent line above everything, while something endangers unsaved changes. Derived again for every draw; the
// worst problem wins. Ordinary states (offline, waiting) are left to the status line.
import { counted } from '#core/counted.ts';
import type { SyncFacts, SyncState } from '#sync/replica/replica-types.ts';
import type { Notice } from '../app/device.ts';
import type { AlarmView } from '../app/view.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const DETAILS = { title: 'Details', command: 'application.syncStatus', args: {} } as const;
const DOWNLOAD = { title: 'Download unsynced changes', command: 'sync.download', args: {} } as const;

export interface AlarmFacts {
  readonly state: SyncState;
  readonly facts: Pick<SyncFacts, 'pending' | 'heardAt' | 'unsaved'>;
  readonly notices: readonly Notice[];
  readonly now: number;
  /** Enough time has passed since the start for a server to answer. */
  readonly isSettled: boolean;
}

function volatileAlarm(state: Extract<SyncState, { type: 'volatile' }>): AlarmView {
  const start = 'Not saved. This browser blocks storage here.';
  const actions = [DOWNLOAD, DETAILS];
  if (state.detached) {
    const enable = { title: 'Enable cloud sync', command: 'sync.enable', args: {} };
    const text = `${start} Cloud sync is off. You lose everything when this tab closes.`;
    return { tone: 'danger', text, actions: [enable, ...actions] };
  }
  if (!state.account) {
    const signUp = { title: 'Create an account', command: 'account.signUp', args: {} };
    const text = `${start} You lose everything when this tab closes. Create an account to keep it.`;
    return { tone: 'danger', text, actions: [signUp, ...actions] };
  }
  if (state.signedOut) {
    const signIn = { title: 'Sign in', command: 'account.signIn', args: {} };
    return {
      tone: 'danger',
      text: `${start} Sign in again to sync your changes.`,
      actions: [signIn, ...actions],
    };
  }
  const { waiting } = state;
  const verb = waiting === 1 ? 'is' : 'are';
  const rest =
    waiting === 0
      ? 'Changes go straight to the server. Keep this tab open until they’re there.'
      : `${counted(waiting, 'change')} ${verb} only in this tab. Keep it open until the server has them.`;
  return { tone: 'danger', text: `${start} ${rest}`, actions };
}

function failingAlarm(count: number): AlarmView {
  const text = `${counted(count, 'change')} not saved. This device’s storage may be full. Keep this window open while we keep trying.`;
  return { tone: 'danger', text, actions: [DOWNLOAD, DETAILS] };
}

function noticeAlarm(notice: Notice): AlarmView {
  const seen = notice.offers === undefined ? 'Got it' : 'Not now';
  const dismiss = { title: seen, command: 'notice.dismiss', args: { notice: notice.id } };
  const damaged = { title: 'Download damaged data', command: 'sync.downloadDamaged', args: {} };
  const install = { title: 'Install', command: 'application.install', args: {} };
  const plan = { title: 'Plan and payment', command: 'plan.open', args: {} };
  const offered = { install: [install], plan: [plan] };
  const first = notice.isDamage === true ? [damaged] : notice.offers ? offered[notice.offers] : [];
  const actions = [...first, dismiss];
  return { tone: notice.tone, text: notice.text, actions };
}

const span = (ms: number) => {
  const days = Math.floor(ms / DAY_MS);
  return days < 2 ? `${Math.floor(ms / HOUR_MS)} hours` : `${days} days`;
};

function overdueAlarm({ state, facts, now }: AlarmFacts): AlarmView | null {
  const [oldest] = facts.pending;
  if (!oldest || now - oldest.t < DAY_MS) return null;
  const { length } = facts.pending;
  const text = `Not synced for ${span(now - oldest.t)}. ${counted(length, 'change')} ${length === 1 ? 'is' : 'are'} only on this device.`;
  const signIn = { title: 'Sign in', command: 'account.signIn', args: {} };
  const retry = { title: 'Try now', command: 'application.sync', args: {} };
  const first = state.type === 'signedOut' ? signIn : retry;
  return { tone: 'danger', text, actions: [first, DOWNLOAD, DETAILS] };
}

/** Null while all is well. */
export function alarmOf(known: AlarmFacts): AlarmView | null {
  const { state, facts, notices, isSettled } = known;
  if (state.type === 'volatile') return volatileAlarm(state);
  if (state.type === 'unsaved' && state.failing) return failingAlarm(Math.max(state.waiting, facts.unsaved));
  const notice =
    notices.find(({ tone }) => tone === 'danger') ??
    notices.find(({ tone }) => tone === 'warn') ??
    notices[0];
  if (notice) return noticeAlarm(notice);
  return isSettled && state.type !== 'detached' ? overdueAlarm(known) : null;
}
