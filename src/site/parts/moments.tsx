// Six things that a key does, each as a short recording of the app in a column of 250 px, at most 440 px high. Still pictures of
// their ends until a script plays them; whoever wants no motion plays them by the button.
import { PlayPause } from './mark.tsx';
import { KeysOf } from './keys.tsx';
import type { SiteWorld } from '../world.ts';

const SIZE = { width: 250, height: 300 } as const;

interface Moment {
  /** The command whose keys stand there. */
  readonly command: string;
  /** Which of its ways the recording shows, when it is not the first. */
  readonly way?: number;
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
    text: 'A new task, right below where you are, with the cursor in it.',
    guide: 'hotkeys',
    film: 'capture',
    shows: 'A list. Ctrl and Enter make a row below the chosen one; “Oil the gate” is typed into it.',
  },
  {
    command: 'task.due',
    title: 'Say when',
    text: 'Type a date as you would say it. You see what it means before you choose it.',
    guide: 'start-dates',
    film: 'date',
    shows:
      'A field asks when. “next fri 5pm” is typed and read as Friday at 17:00, which then stands behind the task.',
  },
  {
    command: 'task.snooze',
    title: 'Not now',
    text: 'Snoozed tasks leave, and come back at their minute. Due dates stay as they were.',
    guide: 'snoozing',
    film: 'snooze',
    shows: 'A field asks until when. “mon” is typed, and the task leaves the list.',
  },
  {
    command: 'label.pick',
    title: 'Mark it',
    text: 'Labels in groups where one replaces the other, each with a key of its own.',
    guide: 'labels',
    film: 'label',
    shows: 'The labels of a task. “ph” finds Phone, and Enter puts it on the task.',
  },
  {
    command: 'search.open',
    way: 1,
    title: 'Find it',
    text: 'Search as you type, with operators when you need them. Keep a search as a list.',
    guide: 'search-operators',
    film: 'search',
    shows: 'The search line. “due:<=friday” leaves the tasks that are due by Friday.',
  },
  {
    command: 'edit.undo',
    title: 'Take it back',
    text: 'Two hundred steps, also after a restart, and never over what somebody else did since.',
    guide: 'command-palette',
    film: 'undo',
    shows: 'A task is deleted, and Ctrl and Z bring it back to its place.',
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

export function Moments({ world }: { readonly world: SiteWorld }) {
  return (
    <section className="moments" aria-labelledby="moments-title">
      <h2 id="moments-title">Six keys for the first day</h2>
      <ul>
        {MOMENTS.map((moment) => (
          <li key={moment.title}>
            <Recording moment={moment} world={world} />
            <h3>
              <KeysOf world={world} id={moment.command} way={moment.way ?? 0} /> {moment.title}
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
