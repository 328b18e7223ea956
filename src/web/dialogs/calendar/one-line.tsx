// The form of a step that asks for one line: a name, an address, a time in words.
import { useId } from 'react';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';

interface OneLineLook {
  readonly label: string;
  /** What may be typed. */
  readonly rule: string;
  /** What the button does. */
  readonly verb: string;
  readonly maxLength: number;
  readonly initial?: string;
  /** What is being done meanwhile, which the dialog says below; null: nothing. */
  readonly busy?: string | null;
  readonly send: (text: string) => void;
  readonly back: () => void;
}

/** Has the focus as soon as it is there. */
export function OneLine(look: OneLineLook) {
  const { label, rule, verb, maxLength, initial = '', busy = null, send, back } = look;
  const id = useId();
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const text = new FormData(event.currentTarget).get('text');
        send(typeof text === 'string' ? text : '');
      }}
    >
      <div className={styles.field}>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        <input
          id={id}
          name="text"
          className={styles.input}
          autoComplete="off"
          spellCheck={false}
          maxLength={maxLength}
          defaultValue={initial}
          autoFocus
          data-first=""
          aria-describedby={`${id}-rule`}
        />
        <p id={`${id}-rule`} className={styles.rule}>
          {rule}
        </p>
      </div>
      <div className={styles.actions}>
        <Button type="submit" kind="primary" aria-disabled={busy !== null}>
          {verb}
        </Button>
        <Button onClick={back}>Back</Button>
      </div>
    </form>
  );
}
