// Six things that a key does, each as a small animation in a column of 250 px, at most 440 px high. They are drawn by the
// style sheet; whoever wants no motion sees their last frame.
import type { ReactNode } from 'react';
import { LiteralCaps } from './keys.tsx';

interface Moment {
  readonly keys: string;
  readonly title: string;
  readonly text: string;
  readonly scene: ReactNode;
  readonly guide: string;
}

function Row({ children, className = '' }: { readonly children: ReactNode; readonly className?: string }) {
  return (
    <div className={`mini-row ${className}`}>
      <span className="mini-box" />
      {children}
    </div>
  );
}

const MOMENTS: readonly Moment[] = [
  {
    keys: 'Ctrl+Enter',
    title: 'Write it down',
    text: 'A new task, right below where you are, with the cursor in it.',
    guide: 'hotkeys',
    scene: (
      <>
        <Row>Water the plants</Row>
        <Row className="scene-new">
          <span className="scene-typed">Oil the gate</span>
        </Row>
        <Row className="scene-push">Defrost the freezer</Row>
      </>
    ),
  },
  {
    keys: 'd',
    title: 'Say when',
    text: 'Type a date as you would say it. You see what it means before you choose it.',
    guide: 'snoozing',
    scene: (
      <>
        <Row>
          Ask for a proof <span className="mini-due scene-late">Fri 27 Nov</span>
        </Row>
        <div className="mini-field">
          <span className="scene-typed">next fri 5pm</span>
        </div>
        <div className="mini-choice scene-late">Friday 27 November, 17:00</div>
      </>
    ),
  },
  {
    keys: 's',
    title: 'Not now',
    text: 'Snoozed tasks leave, and come back at their minute. Due dates stay as they were.',
    guide: 'snoozing',
    scene: (
      <>
        <Row>Write the opening page</Row>
        <Row className="scene-leave">Repair the machine</Row>
        <Row className="scene-up">Renew the box</Row>
      </>
    ),
  },
  {
    keys: 'Mod+L',
    title: 'Mark it',
    text: 'Labels in groups where one replaces the other, each with a key of its own.',
    guide: 'labels',
    scene: (
      <>
        <Row>
          Call the printer <span className="mini-label scene-late">Phone</span>
        </Row>
        <Row>Order shelves</Row>
        <Row>Finish the atlas</Row>
      </>
    ),
  },
  {
    keys: '/',
    title: 'Find it',
    text: 'Search as you type, with operators when you need them. Keep a search as a list.',
    guide: 'search-operators',
    scene: (
      <>
        <div className="mini-field">
          <span className="scene-typed">due:&lt;=friday</span>
        </div>
        <Row className="scene-late">Write the opening page</Row>
        <Row className="scene-late">Ask for a proof</Row>
      </>
    ),
  },
  {
    keys: 'Mod+Z',
    title: 'Take it back',
    text: 'Two hundred steps, also after a restart, and never over what somebody else did since.',
    guide: 'command-palette',
    scene: (
      <>
        <Row>Measure the boxes</Row>
        <Row className="scene-return">Label every box</Row>
        <Row>Order four more</Row>
      </>
    ),
  },
];

export function Moments() {
  return (
    <section className="moments" aria-labelledby="moments-title">
      <h2 id="moments-title">Six keys for the first day</h2>
      <ul>
        {MOMENTS.map(({ keys, title, text, scene, guide }) => (
          <li key={title}>
            <div className="mini" aria-hidden="true" data-animated="">
              {scene}
            </div>
            <h3>
              <LiteralCaps keys={keys} /> {title}
            </h3>
            <p>{text}</p>
            <p>
              <a className="more" href={`/guides/${guide}`}>
                Read the guide<span className="visually-hidden">: {title}</span>
              </a>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
