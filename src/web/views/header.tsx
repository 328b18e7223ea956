// What is open: its trail, its name, how much is in it, and the pointer's way to the commands people reach for first.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import type { HeaderView } from '#client/app/view.ts';
import { countOf } from '#client/outline/count-words.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { useSignal } from '../parts/use-signal.ts';
import { lateHeader } from '../late/late-views.ts';
import { restViews } from './rest-views.ts';
import styles from './header.module.css';

function ToolButton({
  icon,
  name,
  command,
  on = '',
}: {
  readonly icon: IconName;
  readonly name: string;
  readonly command: string;
  /** Where it is to be seen; absent: everywhere. */
  readonly on?: string | undefined;
}) {
  const app = useApp();
  return (
    <button
      type="button"
      className={`${styles.tool} ${on}`}
      aria-label={name}
      title={name}
      data-command={command}
      onClick={() => app.run(command)}
    >
      <Icon name={icon} />
    </button>
  );
}

function Trail({ trail }: Pick<HeaderView, 'trail'>) {
  const app = useApp();
  if (trail.length === 0) return null;
  return (
    <ol className={styles.trail}>
      {trail.map((step) => (
        <li key={step.id} className={styles.step}>
          <button
            type="button"
            className={styles.stepButton}
            onClick={() => app.run('go.list', { list: step.id })}
          >
            {step.name}
          </button>
          <Icon name="chevron" size={12} />
        </li>
      ))}
    </ol>
  );
}

/** What else there is to say of the place, and the command that it leads to. */
function Fact({
  'data-ph': mark,
  command,
  text,
}: {
  readonly 'data-ph': string;
  readonly command: string;
  readonly text: string;
}) {
  const app = useApp();
  return (
    <button
      type="button"
      className={styles.away}
      data-ph={mark}
      data-command={command}
      onClick={() => app.run(command)}
    >
      {text}
    </button>
  );
}

export function Header() {
  const app = useApp();
  const header = useSignal(lateHeader(app.view.header));
  const { snoozed, unstarted, showsSnoozed } = header.away;
  const visit = useSignal(app.view.visit);
  const later = useSignal(restViews);
  // Its first line leads there.
  const isListed = useSignal(app.view.sidebar.visible);
  return (
    <header className={styles.header} data-ph="header">
      <ToolButton icon="sidebar" name="Show or hide the lists" command="view.sidebar" on={styles.wide} />
      {visit > 0 && <ToolButton icon="back" name="Back" command="go.back" on={styles.narrow} />}
      <div className={styles.place}>
        <Trail trail={header.trail} />
        <h1
          id="outline-title"
          className={styles.title}
          data-large={header.kind === 'search' ? undefined : ''}
        >
          {header.title || 'Untitled'}
        </h1>
        <span className="visually-hidden">{countOf(header)}</span>
        {(snoozed > 0 || showsSnoozed) && (
          <Fact
            data-ph="snoozed"
            command="view.snoozed"
            text={showsSnoozed ? 'Hide snoozed' : `${snoozed} snoozed`}
          />
        )}
        {unstarted > 0 && (
          <Fact data-ph="unstarted" command="view.unstarted" text={`${unstarted} not started`} />
        )}
        {header.sorted !== '' && (
          <Fact data-ph="sorted" command="list.sort" text={`Sorted by ${header.sorted}`} />
        )}
      </div>
      {later && <later.People />}
      <div className={styles.tools}>
        <ToolButton icon="plus" name="New task" command="task.createBelow" on={styles.tablet} />
        {!isListed && <ToolButton icon="search" name="Search" command="search.open" on={styles.wide} />}
        <ToolButton icon="notes" name="Show or hide the notes" command="notes.toggle" on={styles.wide} />
        <ToolButton icon="week" name="Calendar" command="calendar.show" />
        <ToolButton icon="keyboard" name="Keys" command="help.keys" on={styles.keyed} />
        <ToolButton icon="more" name="Commands" command="palette.open" />
      </div>
    </header>
  );
}
