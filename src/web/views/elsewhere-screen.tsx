// Stands in for the app while another tab has it: in browsers where tabs cannot work side by side, and in a tab of an older
// version. The focus is on the heading, so that a key meant for the task that was being typed presses nothing.
import { counted } from '#core/counted.ts';
import { useEffect, useRef } from 'react';
import { Mark } from '../parts/brand.tsx';
import styles from './screens.module.css';

interface ElsewhereProps {
  readonly isNewer: boolean;
  readonly isTaking: boolean;
  /** Changes made in this tab that no disk has yet. */
  readonly unsaved: number;
  readonly onTake: () => void;
  readonly onDownload: () => void;
}

const OTHER = {
  title: 'Posthaste is open in another tab',
  text: 'Press Tab, then Enter, to use it here. The other tab saves everything first.',
  button: 'Use it here',
};
const NEWER = {
  title: 'A newer version of Posthaste is open in another tab',
  text: 'Press Tab, then Enter, to load it here.',
  button: 'Load the new version',
};

/** `onTake` asks for the app here, or for the newer version; `onDownload` saves the unsaved changes. */
export function ElsewhereScreen({ isNewer, isTaking, unsaved, onTake, onDownload }: ElsewhereProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const words = isNewer ? NEWER : OTHER;
  return (
    <main className={styles.screen}>
      <title>Posthaste</title>
      <Mark size={40} />
      <h1 ref={heading} tabIndex={-1} className={styles.title}>
        {words.title}
      </h1>
      <p className={styles.text}>{words.text}</p>
      <button
        type="button"
        className={styles.button}
        onClick={onTake}
        aria-disabled={isTaking || (isNewer && unsaved > 0)}
      >
        {isTaking ? 'One moment' : words.button}
      </button>
      {unsaved > 0 && (
        <>
          <p className={styles.text} role="status">
            {counted(unsaved, 'change')} made here couldn’t be saved and {unsaved === 1 ? 'is' : 'are'} moving
            to the other tab. Keep this tab open until this line is gone.
          </p>
          <button type="button" className={styles.link} onClick={onDownload}>
            Download {unsaved === 1 ? 'it' : 'them'} as a file
          </button>
        </>
      )}
    </main>
  );
}
