// Which parts of the screen are drawn one frame behind the key: what tells about a change, not the change itself. What is the
// only answer to a key (a chord begun, a refusal, another place) is drawn at once.
import type { HeaderView, SidebarRowView, StatusView } from '#client/app/view.ts';
import { late } from './late-signal.ts';

/** A write takes some 10 ms; a longer one is said. */
const SAID_MS = 100;

/** The header; its numbers are late. */
export const lateHeader = late<HeaderView>((next, shown) => {
  if (next === shown) return null;
  const isSamePlace = next.title === shown.title && next.kind === shown.kind && next.sorted === shown.sorted;
  return isSamePlace ? 'painted' : 'none';
});

const NUMBERS: ReadonlySet<string> = new Set<keyof SidebarRowView>([
  'openCount',
  'lateCount',
  'progress',
  'unread',
]);

/** Whether two rows of the sidebar differ in numbers at most. */
function isSameRow(a: SidebarRowView, b: SidebarRowView | undefined): boolean {
  if (a === b) return true;
  if (b === undefined) return false;
  for (const key of Object.keys(a) as (keyof SidebarRowView)[])
    if (a[key] !== b[key] && !NUMBERS.has(key)) return false;
  return true;
}

/** The rows of the sidebar; their numbers are late. */
export const lateSidebarRows = late<readonly SidebarRowView[]>((next, shown) => {
  if (next === shown) return null;
  const isSame = next.length === shown.length && next.every((row, index) => isSameRow(row, shown[index]));
  return isSame ? 'painted' : 'none';
});

/** Whether a message is all that a key did: one that offers to take something back tells of what is seen elsewhere. */
const isOnlyAnswer = ({ message }: StatusView) => message !== null && message.text !== '' && !message.undo;

/** The status line without the state of synchronization. */
export const lateStatus = late<StatusView>((next, shown) => {
  if (next === shown) return null;
  const isUrgent =
    next.recording !== shown.recording ||
    next.tabMovesFocus !== shown.tabMovesFocus ||
    next.pending.join() !== shown.pending.join() ||
    next.hints.length !== shown.hints.length ||
    (next.message !== shown.message && isOnlyAnswer(next));
  if (isUrgent) return 'none';
  const isSame =
    next.mode === shown.mode && next.selected === shown.selected && next.message === shown.message;
  return isSame ? null : 'painted';
});

/**
 * The status line's state of synchronization. "Synced" is gone at once when it no longer holds; "Only on this device" says
 * where things are, which is true while a change is being written, too.
 */
export const lateSync = late<StatusView>(({ sync: next }, { sync: shown }) => {
  if (next === shown || (next.type === 'local' && shown.type === 'local')) return null;
  if (shown.type === 'synced') return 'none';
  const isBrief = next.type === 'unsaved' && !next.failing && shown.type === 'local';
  return isBrief ? SAID_MS : 'painted';
});

/** What screen readers are told. */
export const lateAnnouncement = late<{ readonly text: string; readonly n: number }>((next, shown) =>
  next === shown ? null : 'painted',
);
