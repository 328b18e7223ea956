// Six things that a key does: a column of 250 px, at most 440 px high, to choose one from, and beside it a short recording of the
// app. Still pictures of their ends until a script plays them; people who want no motion play them with the button. On a phone,
// four gestures, drawn.
import { Icon } from './mark.tsx';
import { KeysOf } from './keys.tsx';
import { Recording } from './recording.tsx';
import type { SiteWorld } from '../world.ts';

interface Moment {
  /** The command whose keys stand there. */
  readonly command: string;
  readonly title: string;
  readonly text: string;
  /** Name of the recording. */
  readonly film: string;
  /** What it shows. */
  readonly shows: string;
  readonly guide: string;
}

const MOMENTS: readonly Moment[] = [
  {
    command: 'task.createBelow',
    title: 'Add it',
    text: 'A new task opens right where you are. Type, hit Return, keep going.',
    guide: 'hotkeys',
    film: 'capture',
    shows: 'A list. Ctrl+Enter adds a row below the selected one, and “Oil the gate” is typed in.',
  },
  {
    command: 'task.due',
    title: 'Date it',
    text: 'Type it the way you’d say it. You see the date before you commit to it.',
    guide: 'start-dates',
    film: 'date',
    shows:
      'A field asks when. “next fri 5pm” is typed and read as Friday at 17:00, which then shows on the task.',
  },
  {
    command: 'task.snooze',
    title: 'Snooze it',
    text: 'Out of sight until you want it back. The due date doesn’t move.',
    guide: 'snoozing',
    film: 'snooze',
    shows: 'A field asks when it should come back. “mon” is typed, and the task leaves the list.',
  },
  {
    command: 'label.pick',
    title: 'Label it',
    text: 'Put labels in a group and only one sticks. Labels can have keys of their own, too.',
    guide: 'labels',
    film: 'label',
    shows: 'The labels of a task. “ph” finds Phone, and Enter puts it on the task.',
  },
  {
    command: 'search.open',
    title: 'Find it',
    text: 'Search as you type, with operators when you need them. Save a search as a list.',
    guide: 'search-operators',
    film: 'search',
    shows: 'The search line. “due:<=friday” shows the tasks due by Friday.',
  },
  {
    command: 'edit.undo',
    title: 'Take it back',
    text: 'Undo your last 200 steps, even after a restart. It never undoes someone else’s work.',
    guide: 'command-palette',
    film: 'undo',
    shows: 'A task is deleted, and Ctrl+Z brings it back to its place.',
  },
];

/** One beside the other: the key large, what it does, and the recording. */
function Stage({ moment, world }: { readonly moment: Moment; readonly world: SiteWorld }) {
  return (
    <div className="stage" data-moment={moment.film}>
      <div className="stage-picture">
        <Recording world={world} width={250} height={300} {...moment} />
      </div>
      <div className="stage-words">
        <p className="stage-key">
          <KeysOf world={world} id={moment.command} />
        </p>
        <h3>{moment.title}</h3>
        <p>{moment.text}</p>
        <p>
          <a className="more" href={`/guides/${moment.guide}`}>
            Read the guide<span className="visually-hidden">: {moment.title}</span> <Icon name="arrow" />
          </a>
        </p>
      </div>
    </div>
  );
}

interface Gesture {
  readonly title: string;
  readonly text: string;
  /** How the row in the middle of the picture stands. */
  readonly look: 'right' | 'left' | 'date' | 'add';
}

const GESTURES: readonly Gesture[] = [
  {
    title: 'Swipe to finish',
    text: 'Swipe right to complete a task. Every swipe has a button, too.',
    look: 'right',
  },
  { title: 'Swipe to snooze', text: 'Swipe left and it’s gone until the time you pick.', look: 'left' },
  {
    title: 'Type a date',
    text: '“fri 5pm” works here, too. You see the date before you set it.',
    look: 'date',
  },
  { title: 'Pull to add', text: 'Pull the list down, or tap the plus. Type and you’re done.', look: 'add' },
];

function Sketch({ look }: { readonly look: Gesture['look'] }) {
  const row = (title: string) => (
    <span className="sketch-row">
      <span className="demo-box" /> {title}
    </span>
  );
  return (
    <div className={`sketch sketch-${look}`} aria-hidden="true">
      <strong>Household</strong>
      {look === 'add' ? row('Oil the gate') : null}
      {row('Water the plants')}
      <span className="sketch-under">
        {look === 'left' ? <Icon name="clock" size={20} /> : null}
        {look === 'right' ? <Icon name="check" size={20} /> : null}
        {row('Call the plumber')}
      </span>
      {row('Sweep the stairs')}
      {look === 'date' ? (
        <span className="sketch-sheet">
          <span>fri 5pm</span>
          <b>Friday, 5:00 PM</b>
        </span>
      ) : null}
      {look === 'add' ? (
        <span className="demo-plus">
          <Icon name="plus" size={20} />
        </span>
      ) : null}
    </div>
  );
}

/** The section “Six keys and you’re fluent” of the front page; on a phone, four gestures. */
export function Moments({ world }: { readonly world: SiteWorld }) {
  return (
    <section className="band band-sunken moments" aria-labelledby="moments-title">
      <h2 id="moments-title">
        <span className="for-keys">Six keys and you’re fluent.</span>
        <span className="for-fingers">Just as quick under your thumb.</span>
      </h2>
      <p className="lead for-keys">Learn these today. The palette teaches you the rest.</p>
      <div className="moments-keys for-keys">
        <fieldset className="six-keys">
          <legend className="visually-hidden">Six keys</legend>
          {MOMENTS.map(({ film, title, command }, index) => (
            <label key={film}>
              <input
                className="visually-hidden"
                type="radio"
                name="moment"
                value={film}
                defaultChecked={index === 0}
              />
              <span className="six-cap">
                <KeysOf world={world} id={command} />
              </span>{' '}
              {title}
            </label>
          ))}
        </fieldset>
        {MOMENTS.map((moment) => (
          <Stage key={moment.film} moment={moment} world={world} />
        ))}
      </div>
      <ul className="gestures for-fingers" tabIndex={0} aria-label="Four gestures">
        {GESTURES.map(({ title, text, look }) => (
          <li key={look}>
            <Sketch look={look} />
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
