// One step of the account's safety: a form with a title, its fields, what went wrong, and the way back.
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import type { SafetyForm } from '#client/safety/safety-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';

function valuesOf(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') values[name] = value;
  return values;
}

interface StepProps {
  readonly title: string;
  readonly lead: string;
  readonly action: SafetyForm;
  readonly label: string;
  readonly busy: boolean;
  readonly error: string | null;
  readonly isDangerous?: boolean;
  readonly children: ReactNode;
}

/** Sends its fields, by name, as the dialog's answer `action`. After an error its first field is focused. */
export function Step({ title, lead, action, label, busy, error, isDangerous = false, children }: StepProps) {
  const app = useApp();
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const field = form.current?.querySelector<HTMLElement>('input, [data-first]');
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
  }, [error, action]);
  return (
    <form
      ref={form}
      className={styles.form}
      aria-busy={busy}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        app.answer('safety', { action, values: valuesOf(event.currentTarget) });
      }}
    >
      <div>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.rule}>{lead}</p>
      </div>
      {children}
      {error !== null && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <div className={styles.actions}>
        <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} aria-disabled={busy}>
          {busy ? 'One moment' : label}
        </Button>
        <Button onClick={() => app.answer('safety', { action: 'back' })}>Back</Button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autoComplete: string;
  readonly hint?: string;
  readonly isNumeric?: boolean;
  /** What it begins with. */
  readonly value?: string;
}

/** A labeled input of a step. `name` is its key in the answer; `hint` stands below it. */
export function Field({
  name,
  label,
  type = 'text',
  autoComplete,
  hint,
  isNumeric = false,
  value,
}: FieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className={styles.input}
        name={name}
        type={type}
        autoComplete={autoComplete}
        autoCapitalize="off"
        spellCheck={false}
        defaultValue={value}
        {...(isNumeric ? { inputMode: 'numeric' as const } : {})}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.rule}>
          {hint}
        </p>
      )}
    </div>
  );
}
