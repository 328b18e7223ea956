// How the person is shown to others: name, initials or emoji, color. client/sharing decides what may be saved.
import { useId, useLayoutEffect, useRef } from 'react';
import { personColorName, personColors } from '#core/people.ts';
import type { ProfileView } from '#client/sharing/sharing-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';
import own from './sharing.module.css';

function valuesOf(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') values[name] = value;
  return values;
}

type Person = NonNullable<ProfileView['person']>;

function Field({
  name,
  label,
  value,
  hint,
  profile,
}: {
  readonly name: 'name' | 'initials' | 'emoji';
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly profile: ProfileView;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const isWrong = profile.field === name;
  const { problem } = profile;
  useLayoutEffect(() => {
    if (isWrong) input.current?.focus();
  }, [isWrong, problem]);
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        ref={input}
        id={id}
        name={name}
        className={name === 'name' ? styles.input : `${styles.input} ${own.short}`}
        autoComplete={name === 'name' ? 'name' : 'off'}
        autoCapitalize={name === 'name' ? 'words' : 'off'}
        spellCheck={false}
        defaultValue={value}
        aria-invalid={isWrong}
        aria-describedby={
          [isWrong && 'profile-problem', hint !== undefined && `${id}-hint`].filter(Boolean).join(' ') ||
          undefined
        }
        {...(name === 'name' ? { 'data-first': '' } : {})}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.rule}>
          {hint}
        </p>
      )}
    </div>
  );
}

function Colors({ color }: { readonly color: string }) {
  const isOwn = !personColors.some((value) => value === color);
  const colors: readonly string[] = isOwn ? [...personColors, color] : personColors;
  return (
    <fieldset className={own.swatches}>
      <legend className={styles.label}>Color</legend>
      {colors.map((value) => (
        <input
          key={value}
          type="radio"
          name="color"
          value={value}
          aria-label={personColorName(value)}
          title={personColorName(value)}
          className={own.swatch}
          style={{ '--person': value } as React.CSSProperties}
          defaultChecked={value === color}
        />
      ))}
    </fieldset>
  );
}

function Form({ person, profile }: { readonly person: Person; readonly profile: ProfileView }) {
  const app = useApp();
  const { busy, problem, preview } = profile;
  const form = useRef<HTMLFormElement>(null);
  // It comes after the dialog, from the server.
  useLayoutEffect(() => {
    const name = form.current?.elements.namedItem('name');
    if (name instanceof HTMLInputElement) name.focus();
  }, []);
  return (
    <form
      ref={form}
      className={styles.form}
      aria-busy={busy}
      noValidate
      onInput={(event) => app.answer('profile', { action: 'draft', values: valuesOf(event.currentTarget) })}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) app.answer('profile', { action: 'save', values: valuesOf(event.currentTarget) });
      }}
    >
      {preview !== null && (
        <p className={own.preview} data-ph="profile-preview">
          <Avatar person={preview} size={40} />
          <bdi>{preview.name}</bdi>
        </p>
      )}
      <Field name="name" label="Name" value={person.name} profile={profile} />
      <Field
        name="initials"
        label="Initials"
        value={person.initials}
        hint="Two characters at most. Empty: those of your name."
        profile={profile}
      />
      <Field
        name="emoji"
        label="Emoji"
        value={person.emoji}
        hint="One, shown instead of the initials. Empty: none."
        profile={profile}
      />
      <Colors color={person.color} />
      {problem !== null && (
        <p id="profile-problem" className={styles.error} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.actions}>
        <Button type="submit" kind="primary" aria-disabled={busy}>
          {busy ? 'One moment' : 'Save'}
        </Button>
        <Button onClick={() => app.closeDialog()}>Cancel</Button>
      </div>
    </form>
  );
}

/** Draws the profile; its fields begin with what the server has. */
export function Profile({ profile }: { readonly profile: ProfileView }) {
  const app = useApp();
  const { person, problem } = profile;
  return (
    <div className={styles.form} data-ph="profile">
      <div>
        <h2 className={styles.title}>Your profile</h2>
        <p className={styles.rule}>
          This is how people in shared lists see you. Nobody else does. In a list where somebody had your
          color before you came, you have another one.
        </p>
      </div>
      {person !== null ? (
        <Form person={person} profile={profile} />
      ) : (
        <>
          <p className={problem === null ? styles.rule : styles.error} role="status">
            {problem ?? 'Asking the server…'}
          </p>
          <div className={styles.actions}>
            {problem !== null && (
              <Button kind="primary" isFirst onClick={() => app.answer('profile', { action: 'again' })}>
                Try again
              </Button>
            )}
            <Button isFirst={problem === null} onClick={() => app.closeDialog()}>
              Close
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
