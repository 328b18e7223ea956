// The screen: lists, outline, notes and status around each other, layers above, and the projections that have no
// picture of their own (focus, title, announcements).
// Small: the React compiler's caching would cost more than it saves.
'use no memo';

import { useEffect, useLayoutEffect, useRef } from 'react';
import type { App } from '#client/app/app.ts';
import { useApp } from '../parts/app-context.ts';
import { AppContext } from '../parts/app-context.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { useSignal } from '../parts/use-signal.ts';
import { Empty } from './empty.tsx';
import { projectCaret, projectFocus } from './focus.ts';
import styles from './frame.module.css';
import { Header } from './header.tsx';
import { lateAnnouncement, lateHeader } from '../late/late-views.ts';
import { restViews } from './rest-views.ts';
import { Outline } from './outline.tsx';
import { Sidebar } from './lists/sidebar.tsx';
import { StatusBar } from './status/status-bar.tsx';

function Focus() {
  const app = useApp();
  const focus = useSignal(app.view.focus);
  useLayoutEffect(() => {
    projectFocus(app.view);
    projectCaret(app.view);
  }, [app, focus]);
  return null;
}

function DocumentTitle() {
  const { title } = useSignal(lateHeader(useApp().view.header));
  return <title>{title ? `${title} – Posthaste` : 'Posthaste'}</title>;
}

function Announcements() {
  const { text, n } = useSignal(lateAnnouncement(useApp().view.announcement));
  useEffect(() => {
    // Nothing outside of a modal dialog is heard while it is open.
    const region = document.getElementById('announce-dialog') ?? document.getElementById('announce-polite');
    // A repeat must differ to be said again.
    if (region) region.textContent = text === '' ? '' : `${text}${n % 2 === 0 ? '' : '\u00a0'}`;
  }, [text, n]);
  return null;
}

const THUMB: readonly (readonly [icon: IconName, name: string, command: string])[] = [
  ['today', 'Today', 'go.today'],
  ['upcoming', 'Upcoming', 'go.upcoming'],
  ['inbox', 'Inbox', 'go.inbox'],
  ['search', 'Search', 'search.open'],
  ['menu', 'Browse', 'view.sidebar'],
];
const HOLD_MS = 350;

/** A tap makes a task; held, it shows what else can be made. */
function AddButton() {
  const app = useApp();
  const hold = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isHeld = useRef(false);
  const release = ({ currentTarget }: React.PointerEvent<HTMLElement>) => {
    clearTimeout(hold.current);
    delete currentTarget.dataset['held'];
    // Shown while it is still pressed, the release would close it.
    if (isHeld.current) setTimeout(() => document.getElementById('add-menu')?.showPopover());
  };
  return (
    <button
      type="button"
      className={styles.add}
      aria-label="New task"
      data-command="task.createBelow"
      onPointerDown={({ currentTarget }) => {
        isHeld.current = false;
        hold.current = setTimeout(() => {
          isHeld.current = true;
          currentTarget.dataset['held'] = '';
        }, HOLD_MS);
      }}
      onPointerUp={release}
      // Browsers take a finger away that was held for long: it was held all the same.
      onPointerCancel={release}
      onContextMenu={(event) => event.preventDefault()}
      onClick={() => isHeld.current || app.run('task.createBelow')}
    >
      <Icon name="plus" size={24} />
    </button>
  );
}

/** Thumbs reach the bottom edge; keys do not need it. */
function PhoneBar() {
  const app = useApp();
  const current = useSignal(app.view.current);
  const isBrowsing = useSignal(app.view.sidebar.visible);
  return (
    <nav className={styles.phoneBar} aria-label="Main commands">
      {THUMB.map(([icon, name, command]) => (
        <button
          key={command}
          type="button"
          className={styles.phoneButton}
          data-command={command}
          aria-current={command === current ? 'page' : undefined}
          aria-expanded={command === 'view.sidebar' ? isBrowsing : undefined}
          onClick={() => app.run(command)}
        >
          <Icon name={icon} size={20} />
          {name}
        </button>
      ))}
      <AddButton />
    </nav>
  );
}

/** Widths that the person gave the panes: from the first picture on. What changes them is separator.tsx. */
function keptWidths({ platform }: App): React.CSSProperties {
  const kept = ['sidebar', 'notes'].flatMap((pane) => {
    const width = Number(platform.preferences.get(`width.${pane}`));
    return width > 0 ? [[`--ph-${pane}`, `${width}rem`]] : [];
  });
  return Object.fromEntries(kept) as React.CSSProperties;
}

/** The root component of a running app. Views that load later appear once `restViews` has them. */
export function Frame({ app }: { readonly app: App }) {
  const later = useSignal(restViews);
  return (
    <AppContext value={app}>
      <div className={styles.frame} data-ph="app" style={keptWidths(app)}>
        {later && <later.Alarm />}
        <div className={styles.sheet} data-ph="sheet" />
        <Sidebar />
        <Header />
        {later && <later.Lesson />}
        {later && <later.SearchLine />}
        <main className={styles.main} aria-labelledby="outline-title">
          <Outline />
          <Empty />
        </main>
        {later && <later.Beside />}
        <StatusBar />
        {later && <later.Reminder />}
        <PhoneBar />
        {later && <later.Thumbs />}
        <div hidden>
          <span id="complete-word">Complete</span>
          <span id="completed">completed</span>
          <span id="completed-and">completed,</span>
          <span id="outline-hint">
            Arrow keys move, Enter edits, Tab indents. F6 goes to the next pane, Escape then Tab leaves,
            Control M makes Tab move focus.
          </span>
        </div>
      </div>
      {later && <later.Palette />}
      {later && <later.DialogHost />}
      <DocumentTitle />
      <Announcements />
      <Focus />
    </AppContext>
  );
}
