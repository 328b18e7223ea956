// The list on the front page that answers keys and says how long each took. Without scripts it is a picture of the app. On a phone
// it looks like the app there, and times taps.
import { KEY_LIMIT_MS, medianFigures } from '../content/figures.ts';
import type { SiteWorld } from '../world.ts';
import { commandOf, KeysOf } from './keys.tsx';
import { Icon, type IconName } from './mark.tsx';

interface DemoTask {
  readonly title: string;
  readonly level: 1 | 2;
  readonly due?: string;
  readonly isDone?: true;
  readonly label?: readonly [name: string, hue: 'teal' | 'orange' | 'green'];
}

const TASKS: readonly DemoTask[] = [
  { title: 'Plan the winter issue', level: 1, label: ['Writing', 'teal'] },
  { title: 'Pick the cover photo', level: 2, isDone: true },
  { title: 'Write the opening page', level: 2, due: 'Today' },
  { title: 'Ask the printer for a proof', level: 2, label: ['Phone', 'orange'], due: 'Tomorrow' },
  { title: 'Order envelopes', level: 2 },
  { title: 'Move the archive to the new shelves', level: 1, label: ['Home', 'green'] },
  { title: 'Measure the boxes', level: 2 },
  { title: 'Renew the P.O. box', level: 1, due: 'Next week' },
];

const LISTS: readonly (readonly [icon: IconName, name: string, count: string])[] = [
  ['today', 'Today', '3'],
  ['upcoming', 'Upcoming', '5'],
  ['inbox', 'Inbox', '4'],
  ['list', 'Winter issue', '8'],
  ['list', 'Ideas', '2'],
  ['list', 'Household', '6'],
];
const OPEN = 'Winter issue';

const TABS: readonly (readonly [icon: IconName, name: string])[] = [
  ['today', 'Today'],
  ['upcoming', 'Upcoming'],
  ['inbox', 'Inbox'],
  ['search', 'Search'],
];

/** Commands that the list answers, each with the word beside its keys. */
const COMMANDS = [
  ['task.complete', 'complete'],
  ['task.createBelow', 'add'],
  ['task.due', 'date'],
  ['task.snooze', 'snooze'],
  ['search.open', 'search'],
  ['edit.undo', 'undo'],
] as const;

function Rows() {
  return (
    <div
      className="demo-rows"
      role="listbox"
      aria-label="A list to try the keys on"
      tabIndex={0}
      data-early=""
    >
      {TASKS.map(({ title, level, due, isDone, label }, index) => (
        <div
          key={title}
          id={`demo-${index}`}
          role="option"
          aria-selected={index === 2}
          className={`demo-row level-${level}${isDone ? ' done' : ''}`}
        >
          <span className="demo-box" aria-hidden="true">
            <Icon name="check" size={12} />
          </span>
          <span className="demo-title">{title}</span>
          {label ? <span className={`demo-label hue-${label[1]}`}>{label[0]}</span> : null}
          {due ? <span className="demo-due">{due}</span> : null}
        </div>
      ))}
    </div>
  );
}

/** What was measured: ours until a visitor presses a key, then theirs. */
function Times({ world }: { readonly world: SiteWorld }) {
  return (
    <div className="demo-log">
      <p className="demo-log-head">
        Key to finished frame <span>full bar = {KEY_LIMIT_MS} ms</span>
      </p>
      <ol data-demo-times="">
        {medianFigures.map(({ command, ms }) => (
          <li key={command}>
            <span className="demo-cap">
              <KeysOf world={world} id={command} />
            </span>
            <svg viewBox={`0 0 ${KEY_LIMIT_MS} 6`} preserveAspectRatio="none" aria-hidden="true">
              <rect width={ms} height="6" />
            </svg>
            <span>
              <b>{ms}</b> ms
            </span>
          </li>
        ))}
      </ol>
      <p className="demo-sum" data-demo-sum="">
        These four are our test machine’s medians at 100,000 tasks. <b>Press a key</b> to see yours.
      </p>
    </div>
  );
}

function KeyLine({ world }: { readonly world: SiteWorld }) {
  return (
    <p className="demo-hint">
      <strong>This list is live. Click it, then:</strong>
      <span>
        <KeysOf world={world} id="cursor.down" /> <KeysOf world={world} id="cursor.up" /> move
      </span>
      {COMMANDS.map(([id, word]) => (
        <span key={id} data-demo-command={id} data-title={commandOf(world, id, 'The front page').title}>
          <span className="demo-caps">
            <KeysOf world={world} id={id} />
          </span>{' '}
          {word}
        </span>
      ))}
      <span>
        <KeysOf world={world} id="palette.open" /> palette
      </span>
      <span>
        <KeysOf world={world} id="outline.escape" /> leave
      </span>
    </p>
  );
}

/** The window of the app, live. */
export function Demo({ world }: { readonly world: SiteWorld }) {
  return (
    <div className="demo" data-demo="">
      <div className="demo-window">
        <span className="demo-airmail" aria-hidden="true" />
        <div className="demo-columns">
          <div className="demo-side" aria-hidden="true">
            {LISTS.map(([icon, name, count]) => (
              <span key={name} className={name === OPEN ? 'open' : undefined}>
                <Icon name={icon} /> {name} <em>{count}</em>
              </span>
            ))}
          </div>
          <div className="demo-main">
            <p className="demo-head" aria-hidden="true">
              {OPEN} <em>{TASKS.length}</em>
            </p>
            <Rows />
          </div>
          <Times world={world} />
        </div>
        <div className="demo-tabs" aria-hidden="true">
          {TABS.map(([icon, name]) => (
            <span key={name}>
              <Icon name={icon} size={20} /> {name}
            </span>
          ))}
          <span className="demo-plus">
            <Icon name="plus" size={20} />
          </span>
        </div>
        <KeyLine world={world} />
      </div>
      <p className="demo-tap" data-demo-tap="">
        It’s live. Tap a box and we’ll time it.
      </p>
      <p className="visually-hidden" role="status" data-demo-status="" />
    </div>
  );
}
