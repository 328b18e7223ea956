// The steps that put the app on a device whose browser has no question of its own for it.
import type { DialogView } from '#client/dialogs/dialog-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import own from './install.module.css';

type InstallDialog = Extract<DialogView, { readonly type: 'install' }>;

const WORDS = {
  share: {
    lead: 'On the Home Screen, Posthaste keeps its tasks, reminds you, and shows what’s due on its icon.',
    steps: [
      <>
        Tap <b>Share</b>, the square with an arrow that points up. It may be behind <b>⋯</b>.
      </>,
      <>
        Choose <b>Add to Home Screen</b>. You may have to scroll.
      </>,
      <>
        Leave <b>Open as Web App</b> on, and tap <b>Add</b>.
      </>,
    ],
    after: 'Sign in there once. A Home Screen app starts with its own storage.',
  },
  dock: {
    lead: 'From the Dock, Posthaste opens in its own window, where the browser takes fewer keys.',
    steps: [
      <>
        In the menu bar choose <b>File</b>, then <b>Add to Dock…</b>
      </>,
      <>
        Choose <b>Add</b>.
      </>,
    ],
    after: 'Sign in there once. A Dock app starts with its own storage.',
  },
} as const;

export function Install({ dialog }: { readonly dialog: InstallDialog }) {
  const app = useApp();
  const { lead, steps, after } = WORDS[dialog.way];
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>Install the app</h2>
        <p className={styles.rule}>{lead}</p>
      </div>
      <ol className={own.steps}>
        {steps.map((step, index) => (
          <li key={index}>{step}</li>
        ))}
      </ol>
      <p className={styles.rule}>{after}</p>
      <div className={styles.actions}>
        <Button isFirst onClick={() => app.closeDialog()}>
          Close
        </Button>
      </div>
    </div>
  );
}
