// Stands in for the app while another tab has it, in browsers where tabs cannot work side by side.
import { useEffect, useRef } from 'react';
import { Mark } from '../parts/brand.tsx';
import styles from './screens.module.css';

interface ElsewhereProps {
  readonly isTaking: boolean;
  /** Changes made in this tab that no disk has yet. */
  readonly unsaved: number;
  readonly onTake: () => void;
  readonly onDownload: () => void;
}

export function ElsewhereScreen({ isTaking, unsaved, onTake, onDownload }: ElsewhereProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <main className={styles.screen}>
      <title>Posthaste</title>
      <Mark size={40} />
      <h1 className={styles.title}>Posthaste is open in another tab</h1>
      <p className={styles.text}>Press Enter to use it here. The other tab saves everything first.</p>
      <button ref={button} type="button" className={styles.button} onClick={onTake} aria-disabled={isTaking}>
        {isTaking ? 'One moment' : 'Use it here'}
      </button>
      {unsaved > 0 && (
        <>
          <p className={styles.text} role="status">
            {unsaved === 1 ? '1 change' : `${unsaved} changes`} made here could not be saved and{' '}
            {unsaved === 1 ? 'is' : 'are'} being handed to the other tab. Keep this one open until this line
            is gone.
          </p>
          <button type="button" className={styles.link} onClick={onDownload}>
            Download {unsaved === 1 ? 'it' : 'them'} as a file
          </button>
        </>
      )}
    </main>
  );
}
