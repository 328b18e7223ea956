// The dialog of custom CSS: one field, seen on the page as it is typed. What is kept, and when, is client/custom-css.
import type { CssEffect, CustomCssView } from '#client/custom-css/custom-css-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Keys } from '../../parts/keycap.tsx';
import { CSS_FIELD } from '../../platform/custom-css.ts';
import { keysIn } from '../../platform/input/options.ts';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';

const EFFECTS: Readonly<Record<CssEffect, string>> = {
  live: 'You see it as you type. It stays if you save it.',
  off: 'Custom CSS is off. Saving turns it on.',
  hides: 'This hides the dialog, so you don’t see it yet. It applies once you save it.',
  safe: 'You opened the app with “?safe”, so your CSS has no effect until you open it without.',
};

/** A text area for CSS, which applies as it is typed. */
export function CustomCss({ view }: { readonly view: CustomCssView }) {
  const app = useApp();
  const { text, effect, problem } = view;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        app.answer('customCss', { action: 'save' });
      }}
    >
      <h2 className={styles.title}>Custom CSS</h2>
      <textarea
        id={CSS_FIELD}
        className={styles.text}
        aria-label="CSS"
        aria-describedby="custom-css-status"
        aria-invalid={problem !== null}
        data-first=""
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        defaultValue={text}
        onInput={(event) => app.answer('customCss', { action: 'type', text: event.currentTarget.value })}
        {...keysIn('dialog.customCss')}
      />
      <p id="custom-css-status" role="status" className={problem === null ? styles.rule : styles.error}>
        {problem ?? EFFECTS[effect]}
      </p>
      <div className={styles.actions}>
        <Button kind="primary" type="submit" disabled={problem !== null}>
          Save <Keys caps={app.keysOf('css.save')[0]} />
        </Button>
        <Button onClick={() => app.closeDialog()}>Cancel</Button>
        <span className={styles.rule}>
          Turn it off anywhere: <Keys caps={app.keysOf('look.customCssOn')[0]} />
        </span>
      </div>
    </form>
  );
}
