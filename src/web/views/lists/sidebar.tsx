// Lists and folders as a tree: one tab stop, drawn flat, renamed in place.
// The rows keep what they drew by themselves; for the rest the React compiler's caching would cost more than it saves.
'use no memo';

import { memo, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { Id } from '#core/ids.ts';
import type { App } from '#client/app/app.ts';
import type { SidebarRowView } from '#client/app/view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Brand } from '../../parts/brand.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Ring } from '../../parts/ring.tsx';
import { useSignal } from '../../parts/use-signal.ts';
import { isField } from '../../platform/input/fields.ts';
import { projectFocus } from '../focus.ts';
import { lateSidebarRows } from '../../late/late-views.ts';
import { restViews } from '../rest-views.ts';
import styles from './sidebar.module.css';

function NameInput({ row, app }: { readonly row: SidebarRowView; readonly app: App }) {
  return (
    <input
      className={styles.input}
      type="text"
      aria-label="List name"
      autoComplete="off"
      defaultValue={row.name}
      onInput={(event) => app.draftName(row.id, event.currentTarget.value)}
    />
  );
}

/** Commands that open these lists; their keys are shown. */
const OPENS: Readonly<Partial<Record<SidebarRowView['kind'], string>>> = {
  today: 'go.today',
  upcoming: 'go.upcoming',
  inbox: 'go.inbox',
};

/** Keys that are only seen: a row is named by its list and its count. */
function OwnKeys({ caps = [] }: { readonly caps: readonly string[] | undefined }) {
  return (
    <span className={styles.keys} aria-hidden="true">
      {caps.map((cap, index) => (
        <span key={index} className={styles.cap} data-cap={cap} />
      ))}
    </span>
  );
}

const SidebarRow = memo(function SidebarRow({ row }: { readonly row: SidebarRowView }) {
  const app = useApp();
  const opens = OPENS[row.kind];
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (row.cursor && app.view.focus.get().pane === 'sidebar') {
      projectFocus(app.view);
      element.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [app, row]);
  return (
    <div
      ref={element}
      id={`side-${row.id}`}
      className={styles.row}
      role="treeitem"
      tabIndex={row.cursor ? 0 : -1}
      aria-level={row.level}
      aria-posinset={row.posInSet}
      aria-setsize={row.setSize}
      aria-expanded={row.expanded ?? undefined}
      aria-selected={row.open}
      aria-current={row.open ? 'page' : undefined}
      aria-labelledby={`side-name-${row.id} side-count-${row.id} side-people-${row.id}`}
      data-side={row.id}
      data-ph="list"
      data-ph-state={row.archived ? 'archived' : undefined}
      data-ph-open={row.open ? '' : undefined}
      style={{ paddingInlineStart: `calc(8px + ${Math.min(row.level, 8) - 1} * 16px)` }}
    >
      <span
        className={styles.icon}
        data-kind={row.kind}
        style={{ '--ph-label': row.color } as React.CSSProperties}
      >
        {row.kind === 'list' ? (
          <Ring share={row.progress} />
        ) : (
          row.kind !== 'label' && <Icon name={row.kind === 'folder' ? 'chevron' : row.kind} />
        )}
      </span>
      <span id={`side-name-${row.id}`} className={styles.name} hidden={row.renaming}>
        {row.name || 'Untitled'}
      </span>
      {row.people > 0 && (
        // The number is drawn by the style sheet: the words of the name say it.
        <span
          className={styles.people}
          data-people={row.people}
          data-unread={row.unread || undefined}
          aria-hidden="true"
        >
          <Icon name="people" size={12} />
        </span>
      )}
      {row.renaming && <NameInput key={row.id} row={row} app={app} />}
      {/* What is seen and what is said must read alike, so the words need a space between them. */}{' '}
      {row.bookmarked && row.kind !== 'bookmark' && (
        <span className={styles.icon}>
          <Icon name="bookmark" size={12} />
          <span className="visually-hidden">bookmarked</span>
        </span>
      )}
      {opens !== undefined && <OwnKeys caps={app.keysOf(opens)[0]} />}
      {row.openCount !== 0 && (
        <span id={`side-count-${row.id}`} className={styles.count}>
          {/* Drawn by the style sheet: of the words of the name, the other number is the one that is seen. */}
          {row.lateCount > 0 && <span className={styles.late} data-late={row.lateCount} />}
          {row.openCount ?? '…'}
          <span className="visually-hidden"> open{row.lateCount > 0 && `, ${row.lateCount} overdue`}</span>
        </span>
      )}
      {row.people > 0 && (
        // Last: what is seen, name and number, must be said in one piece.
        <span id={`side-people-${row.id}`} className="visually-hidden">
          , shared by {row.people}
          {row.unread && ', changed by others'}
        </span>
      )}
    </div>
  );
});

/** What stands between the bookmarks and the labels. */
const LISTS: readonly string[] = ['list', 'folder', 'smart'] satisfies readonly SidebarRowView['kind'][];

/** The row under a pointer; null in a name that is being written. */
function rowAt(target: EventTarget): HTMLElement | null {
  return target instanceof Element && !isField(target) ? target.closest<HTMLElement>('[data-side]') : null;
}

function Heading({ text }: { readonly text: string }) {
  return (
    <div className={styles.heading} aria-hidden="true">
      {text}
    </div>
  );
}

/** The lists at the side; draws nothing while they are hidden. */
export function Sidebar() {
  const app = useApp();
  const rows = useSignal(lateSidebarRows(app.view.sidebar.rows));
  const isVisible = useSignal(app.view.sidebar.visible);
  const later = useSignal(restViews);
  if (!isVisible) return null;
  const drawn = (row: SidebarRowView) => <SidebarRow key={row.id} row={row} />;
  const section = (kind: SidebarRowView['kind'], text: string) => {
    const found = rows.filter((row) => row.kind === kind);
    return (
      found.length > 0 && (
        <div role="group" aria-label={text}>
          <Heading text={text} />
          {found.map(drawn)}
        </div>
      )
    );
  };
  const lists = rows.filter(({ kind }) => LISTS.includes(kind));
  return (
    <>
      <div className={styles.scrim} aria-hidden="true" onClick={() => app.run('view.sidebar')} />
      <nav className={styles.sidebar} aria-label="Lists" data-ph="sidebar">
        <Brand />
        <button
          type="button"
          className={`${styles.action} ${styles.search}`}
          data-command="search.open"
          onClick={() => app.run('search.open')}
        >
          <Icon name="search" />
          <span className={styles.name}>Search</span>
          <OwnKeys caps={app.keysOf('search.open')[0]} />
        </button>
        <div
          id="sidebar"
          className={styles.tree}
          role="tree"
          tabIndex={-1}
          aria-label="Lists"
          onPointerDown={(event) => {
            const { target, nativeEvent, currentTarget: tree } = event;
            const row = rowAt(target);
            if (!row || event.button !== 0 || event.pointerType === 'touch') return;
            const id = row.dataset['side'] as Id;
            restViews.get()?.followListPress({ app, tree, id, event: nativeEvent });
          }}
          onMouseDown={(event) => {
            if (!isField(event.target)) event.preventDefault();
          }}
          onClick={(event) => {
            const row = rowAt(event.target);
            if (row) app.pressSidebarRow(row.dataset['side'] as Id);
          }}
          onDoubleClick={() => app.run('list.rename')}
        >
          {rows.filter(({ kind }) => kind in OPENS).map(drawn)}
          {section('bookmark', 'Bookmarks')}
          {lists.length > 0 && <Heading text="Lists" />}
          {lists.map(drawn)}
          {section('label', 'Labels')}
        </div>
        {later && <later.SignedOut />}
        <div className={styles.foot}>
          <FootButton icon="plus" name="New task" command="task.createBelow" />
          <FootButton icon="list" name="New list" command="list.create" />
          <TrashButton />
          <FootButton icon="settings" name="Settings" command="settings.open" />
          {later && <later.Account />}
        </div>
        {later && <later.Separator pane="sidebar" />}
      </nav>
    </>
  );
}

function FootButton({
  name,
  command,
  isOpen = false,
  icon,
}: {
  readonly name: string;
  readonly command: string;
  readonly isOpen?: boolean;
  readonly icon: IconName;
}) {
  const app = useApp();
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={name}
      title={name}
      aria-current={isOpen ? 'page' : undefined}
      data-command={command}
      onClick={() => app.run(command)}
    >
      <Icon name={icon} />
    </button>
  );
}

function TrashButton() {
  const { header } = useApp().view;
  const isOpen = useSyncExternalStore(header.subscribe, () => header.get().kind === 'trash');
  return <FootButton icon="trash" name="Trash" command="go.trash" isOpen={isOpen} />;
}
