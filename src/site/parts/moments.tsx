// Six things that a key does: a column of 250 px, at most 440 px high, to choose one from, and beside it a short recording of the
// app on a computer, close up. Still pictures until a script plays them; people who want no motion play them with the button. On a phone, six gestures
// instead, each with a recording of the app on a phone.
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
      'A field asks when. “next fri 5pm” is typed and read as Friday at 5:00 PM, which then shows on the task.',
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
        <Recording world={world} width={644} height={362} {...moment} film={`moment-${moment.film}`} />
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
  /** Name of the recording. */
  readonly film: string;
  /** What it shows. */
  readonly shows: string;
}

const GESTURES: readonly Gesture[] = [
  {
    title: 'Swipe to finish',
    text: 'Swipe right to complete a task. Every swipe has a button, too.',
    film: 'finish',
    shows:
      'A list. “Call the plumber” is swiped to the right, “Complete” shows under it, and it’s checked off.',
  },
  {
    title: 'Swipe to snooze',
    text: 'Swipe left and it’s gone until the time you pick.',
    film: 'snooze',
    shows:
      '“Defrost the freezer” is swiped to the left. A sheet asks until when. “Tomorrow” is tapped, and the task leaves the list.',
  },
  {
    title: 'Type a date',
    text: '“fri 5pm” works here, too. You see the date before you set it.',
    film: 'date',
    shows:
      'A task is opened and its due date tapped. “fri 5pm” is typed and read as Friday at 5:00 PM, which then shows on the task.',
  },
  {
    title: 'Pull to add',
    text: 'Pull the list down, or tap the plus. Type and you’re done.',
    film: 'add',
    shows: 'The list is pulled down, “Let go to add a task” shows above it, and “Oil the gate” is typed in.',
  },
  {
    title: 'Find it',
    text: 'Search every list as you type, offline, too.',
    film: 'search',
    shows: 'Search is tapped. “shelves” shows two tasks from another list.',
  },
  {
    title: 'Take it back',
    text: 'Undo is one tap away. It never undoes someone else’s work.',
    film: 'undo',
    shows: '“Put the trash out” is checked off. “Undo” is tapped, and the task is open again.',
  },
];

/** The section “Six keys and you’re fluent” of the front page; on a phone, six gestures. */
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
      <ul className="gestures for-fingers" tabIndex={0} aria-label="Six gestures">
        {GESTURES.map(({ film, ...gesture }) => (
          <li key={film}>
            <Recording world={world} film={`gesture-${film}`} width={250} height={320} isLate {...gesture} />
            <h3>{gesture.title}</h3>
            <p>{gesture.text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
