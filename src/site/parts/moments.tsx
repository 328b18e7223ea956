// Six things that a key does, each as a short recording of the app in a column of 250 px, at most 440 px
// high. Still pictures of their ends until a script plays them; people who want no motion play them with the
// button.
import { PlayPause } from './mark.tsx';
import { KeysOf } from './keys.tsx';
import type { SiteWorld } from '../world.ts';

const SIZE = { width: 250, height: 300 } as const;

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
    title: 'Write it down',
    text: 'A new task opens right where you are. Type, hit Return, keep going.',
    guide: 'hotkeys',
    film: 'capture',
    shows: 'A list. Ctrl+Enter adds a row below the selected one, and “Oil the gate” is typed in.',
  },
  {
    command: 'task.due',
    title: 'Say when',
    text: 'Type a date the way you’d say it. You see what it means before you set it.',
    guide: 'start-dates',
    film: 'date',
    shows:
      'A field asks when. “next fri 5pm” is typed and read as Friday at 17:00, which then shows on the task.',
  },
  {
    command: 'task.snooze',
    title: 'Not now',
    text: 'Out of sight until you want it back. The due date doesn’t move.',
    guide: 'snoozing',
    film: 'snooze',
    shows: 'A field asks when it should come back. “mon” is typed, and the task leaves the list.',
  },
  {
    command: 'label.pick',
    title: 'Mark it',
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

function Recording({ moment, world }: { readonly moment: Moment; readonly world: SiteWorld }) {
  const file = (ending: string) => world.media[`moment-${moment.film}${ending}`];
  const play = `Play: ${moment.title}`;
  const [light, dark] = [file('.webp'), file('-dark.webp')];
  if (light === undefined || dark === undefined) return null;
  const still = (src: string, className: string) => (
    <img {...SIZE} src={src} className={className} alt={moment.shows} loading="lazy" decoding="async" />
  );
  return (
    <div className="film" data-film={file('.mp4')} data-film-dark={file('-dark.mp4')}>
      {still(light, 'in-light')}
      {still(dark, 'in-dark')}
      <button
        type="button"
        className="film-play"
        hidden
        aria-label={play}
        data-play-name={play}
        data-pause-name={`Pause: ${moment.title}`}
      >
        <PlayPause />
      </button>
    </div>
  );
}

/** The section “Six keys for the first day” of the front page. */
export function Moments({ world }: { readonly world: SiteWorld }) {
  return (
    <section className="moments" aria-labelledby="moments-title">
      <h2 id="moments-title">Six keys for your first day</h2>
      <ul>
        {MOMENTS.map((moment) => (
          <li key={moment.title}>
            <Recording moment={moment} world={world} />
            <h3>
              <KeysOf world={world} id={moment.command} /> {moment.title}
            </h3>
            <p>{moment.text}</p>
            <p>
              <a className="more" href={`/guides/${moment.guide}`}>
                Read the guide<span className="visually-hidden">: {moment.title}</span>
              </a>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
