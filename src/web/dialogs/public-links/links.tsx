// The public links of a list: all of them, one with what visitors may do, its public name, and questions. What an action does is
// client/public-links.
import { useLayoutEffect, useRef } from 'react';
import { counted } from '#core/counted.ts';
import type { App } from '#client/app/app.ts';
import type { LinksAction, LinksView, LinkView } from '#client/public-links/links-view.ts';
import { logoBytes, logoPixels, publicNameCodePoints } from '#wire/public-links.ts';
import { useApp } from '../../parts/app-context.ts';
import { Keys } from '../../parts/keycap.tsx';
import { keysIn } from '../../platform/input/options.ts';
import { asSmallPng } from '../../platform/pictures.ts';
import { Button } from '../button.tsx';
import { CloseButton } from '../close-button.tsx';
import styles from '../dialog.module.css';
import { Decrypting } from '../sharing/decrypting.tsx';
import { KeyedButton, type KeyedButtonLook } from '../sharing/keyed-button.tsx';
import shared from '../sharing/sharing.module.css';
import own from './links.module.css';

const answer = (app: App, action: LinksAction) => app.answer('publicLinks', action);

function Act({ action, ...look }: KeyedButtonLook & { readonly action: LinksAction }) {
  const app = useApp();
  return <KeyedButton {...look} onClick={() => answer(app, action)} />;
}

function Problem({ links }: { readonly links: LinksView }) {
  const { problem, endsInAccount, busy } = links;
  if (problem === null) return null;
  const isBusy = busy !== null;
  return (
    <>
      <p className={styles.error} role="alert">
        {problem}
      </p>
      <div className={shared.buttons}>
        {endsInAccount && <Act action={{ action: 'account' }} text="Account" kind="primary" isFirst />}
        {!endsInAccount && (
          <Act
            action={{ action: 'again' }}
            command="publish.again"
            text="Try again"
            kind="primary"
            isFirst
            isBusy={isBusy}
          />
        )}
      </div>
    </>
  );
}

function Offer({ links }: { readonly links: LinksView }) {
  const app = useApp();
  const { tasks, decrypting, problem, busy } = links;
  return (
    <>
      <ul className={shared.lines}>
        <Decrypting time={decrypting} />
        <li>
          Anyone with the link sees {tasks === 0 ? 'the tasks' : <strong>{counted(tasks, 'task')}</strong>}{' '}
          with notes, dates and subtasks, in the browser and without an account.
        </li>
        <li>They never see labels unless you allow it, and never people, comments, files or history.</li>
        <li>At first they can only look. You choose what else they can do, and you can end it anytime.</li>
        {decrypting !== null && (
          <li>
            Or keep the list encrypted: it becomes a shared list with a key of its own, which is in the
            address of the link. The server can’t read it, and whoever has the address can.
          </li>
        )}
      </ul>
      {problem !== null && <Problem links={links} />}
      <div className={styles.actions}>
        <Act
          action={{ action: 'create' }}
          command="publish.new"
          text="Create link"
          kind="primary"
          isFirst={problem === null}
          isBusy={busy !== null}
        />
        {decrypting !== null && (
          <Act action={{ action: 'keep' }} text="Keep this list encrypted" isBusy={busy !== null} />
        )}
        <Button data-option="" onClick={() => app.closeDialog()}>
          Cancel
        </Button>
      </div>
    </>
  );
}

function Moving({ links: { progress, isDecrypting, busy } }: { readonly links: LinksView }) {
  const app = useApp();
  return (
    <>
      <p className={styles.rule} role="status">
        {isDecrypting
          ? 'The list is being decrypted. You can close this and go on working.'
          : 'The list gets an address of its own. You can close this and go on working.'}
      </p>
      <progress
        className={styles.progress}
        aria-label={isDecrypting ? 'Tasks decrypted' : 'Tasks moved'}
        {...(progress === null ? {} : { value: progress })}
        max={1}
      />
      <div className={styles.actions}>
        <Button data-option="" isFirst onClick={() => app.closeDialog()}>
          Close
        </Button>
        {isDecrypting && <Act action={{ action: 'stop' }} text="Keep it encrypted" isBusy={busy !== null} />}
      </div>
    </>
  );
}

function Entry({ link, isFirst }: { readonly link: LinkView; readonly isFirst: boolean }) {
  const app = useApp();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isFirst) button.current?.focus();
  }, [isFirst]);
  return (
    <li>
      <button
        ref={button}
        type="button"
        className={own.entry}
        data-ph="public-link"
        data-option={link.id}
        onClick={() => answer(app, { action: 'open', link: link.id })}
      >
        <span className={own.entryName}>
          <bdi>{link.name}</bdi>
          {link.ending !== '' && <span className={styles.detail}>…{link.ending}</span>}
          {link.isPaused && <span className={own.paused}>Paused</span>}
          {link.isEnded && <span className={own.paused}>Ended</span>}
        </span>
        <span className={styles.detail}>{link.may}</span>
        <span className={styles.detail}>{link.use}</span>
      </button>
    </li>
  );
}

function Sheet({ links }: { readonly links: LinksView }) {
  const app = useApp();
  if (!links.isKnown) return <Problem links={links} />;
  const isEmpty = links.links.length === 0;
  return (
    <>
      {isEmpty ? (
        <p className={styles.rule}>There’s no public link. Nobody but the people in this list sees it.</p>
      ) : (
        <ul className={own.entries} aria-label="Public links">
          {links.links.map((link, at) => (
            <Entry key={link.id} link={link} isFirst={at === 0} />
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        <Act
          action={{ action: 'create' }}
          command="publish.new"
          text="New link"
          kind="primary"
          isFirst={isEmpty}
          isBusy={links.busy !== null}
        />
      </div>
      {!isEmpty && (
        <p className={`${styles.rule} ${shared.byKey}`}>
          On a link <Keys caps={app.keysOf('publish.copy')[0]} /> copies,{' '}
          <Keys caps={app.keysOf('publish.pause')[0]} /> pauses, <Keys caps={app.keysOf('publish.end')[0]} />{' '}
          deletes.
        </p>
      )}
    </>
  );
}

function Permissions({ link, isBusy }: { readonly link: LinkView; readonly isBusy: boolean }) {
  const app = useApp();
  return (
    <fieldset className={own.may}>
      <legend className={styles.groupTitle}>Visitors can look, and</legend>
      {link.permissions.map(({ permission, name, isOn, command }) => (
        <button
          key={permission}
          type="button"
          className={own.permission}
          aria-pressed={isOn}
          aria-disabled={isBusy || !link.isMine}
          data-option=""
          onClick={() => answer(app, { action: 'may', permission })}
        >
          {name}
          <Keys caps={app.keysOf(command)[0]} />
        </button>
      ))}
    </fieldset>
  );
}

function Logo({ link, isBusy }: { readonly link: LinkView; readonly isBusy: boolean }) {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  async function take(file: File): Promise<void> {
    const png = await asSmallPng(file, { pixels: logoPixels, bytes: logoBytes });
    answer(app, png.ok ? { action: 'logo', png: png.value } : { action: 'noPicture', problem: png.problem });
  }
  return (
    <>
      {link.logo !== null && <img className={own.logo} src={link.logo} alt="Logo" />}
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        hidden
        aria-label="Logo"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) void take(file);
          currentTarget.value = '';
        }}
      />
      <Button data-option="" aria-disabled={isBusy} onClick={() => input.current?.click()}>
        {link.logo === null ? 'Add a logo' : 'Change logo'}
      </Button>
      {link.logo !== null && <Act action={{ action: 'noLogo' }} text="Remove logo" isBusy={isBusy} />}
    </>
  );
}

function One({ links: { link, busy, list } }: { readonly links: LinksView }) {
  if (link === null) return null;
  const isBusy = busy !== null;
  return (
    <>
      {link.address === null ? (
        <p className={styles.error}>{link.missing}</p>
      ) : (
        <p className={shared.link} data-ph="public-address">
          {link.address}
        </p>
      )}
      <p className={styles.detail}>
        {link.isPaused && <strong>Paused. </strong>}
        {link.use}
        {link.note !== null && ` ${link.note}`}
      </p>
      <div className={shared.buttons}>
        <Act
          action={{ action: 'copy' }}
          command="publish.copy"
          text="Copy link"
          kind="primary"
          isFirst
          isBusy={isBusy}
        />
        {link.isMine && (
          <Act
            action={{ action: 'pause' }}
            command="publish.pause"
            text={link.isPaused ? 'Resume' : 'Pause'}
            isBusy={isBusy}
          />
        )}
      </div>
      <Permissions link={link} isBusy={isBusy} />
      {link.isEncrypted && (
        <p className={styles.rule}>
          The address has the key of this list: whoever has all of it can read the list, and the server can’t.
          Links have no name or logo of their own here, and never show labels.
        </p>
      )}
      {link.isMine && !link.isEncrypted && (
        <section className={shared.part} aria-label="What visitors see on top">
          <h3 className={styles.groupTitle}>
            {link.publicName === '' ? (
              <>
                Visitors see the name “<bdi>{list}</bdi>”
              </>
            ) : (
              <>
                Visitors see the name “<bdi>{link.publicName}</bdi>”
              </>
            )}
          </h3>
          <div className={shared.buttons}>
            <Act action={{ action: 'name' }} command="publish.name" text="Public name" isBusy={isBusy} />
            <Logo link={link} isBusy={isBusy} />
          </div>
        </section>
      )}
      <div className={styles.actions}>
        <Act action={{ action: 'back' }} text="All links" />
        {link.isMine && (
          <>
            <Act
              action={{ action: 'undo' }}
              command="publish.undo"
              text="Take back changes"
              isBusy={isBusy}
            />
            <Act
              action={{ action: 'end' }}
              command="publish.end"
              text="Delete link"
              kind="danger"
              isBusy={isBusy}
            />
          </>
        )}
      </div>
    </>
  );
}

function Name({ links: { link, list } }: { readonly links: LinksView }) {
  const app = useApp();
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const name = new FormData(event.currentTarget).get('name');
        answer(app, { action: 'save', values: { name: typeof name === 'string' ? name : '' } });
      }}
    >
      <div className={styles.field}>
        <label className={styles.label} htmlFor="public-name">
          Public name
        </label>
        <input
          id="public-name"
          name="name"
          className={styles.input}
          autoComplete="off"
          maxLength={publicNameCodePoints * 2}
          defaultValue={link?.publicName ?? ''}
          placeholder={list}
          autoFocus
          data-first=""
          aria-describedby="public-name-rule"
        />
        <p id="public-name-rule" className={styles.rule}>
          Visitors see it instead of the list’s own name. Empty: they see that.
        </p>
      </div>
      <div className={styles.actions}>
        <Button type="submit" kind="primary">
          Save
        </Button>
        <Button onClick={() => answer(app, { action: 'back' })}>Back</Button>
      </div>
    </form>
  );
}

function Question({ links: { question, busy } }: { readonly links: LinksView }) {
  if (question === null) return null;
  return (
    <>
      <ul className={shared.lines}>
        {question.lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div className={styles.actions}>
        {!question.isNew && <Act action={{ action: 'back' }} text="Keep as it is" isFirst />}
        {question.answers.map(({ text, minutes }) => (
          <Act
            key={text}
            action={{ action: 'yes', minutes }}
            text={text}
            kind={question.isNew ? 'primary' : 'danger'}
            isFirst={question.isNew}
            isBusy={busy !== null}
          />
        ))}
        {question.isNew && <Act action={{ action: 'back' }} text="Cancel" />}
      </div>
    </>
  );
}

const STEPS = { offer: Offer, moving: Moving, sheet: Sheet, link: One, name: Name, question: Question };

/** Draws the step of the dialog that is on. */
export function PublicLinks({ links }: { readonly links: LinksView }) {
  const { step, list, question, busy, said, link } = links;
  const Step = STEPS[step];
  return (
    <div
      className={styles.form}
      data-ph="public-links"
      data-options=""
      aria-busy={busy !== null}
      {...keysIn('dialog.publicLinks', 'list')}
    >
      <div className={shared.head}>
        <h2 className={styles.title}>
          {step === 'question' && question !== null ? (
            question.title
          ) : (
            <>
              {step === 'link' || step === 'name' ? 'Public link to' : 'Public links to'} “
              <bdi>{(step === 'link' ? link?.name : undefined) ?? list}</bdi>”
            </>
          )}
        </h2>
        <CloseButton />
      </div>
      <Step key={step} links={links} />
      <p
        className={said?.isError ? styles.error : shared.said}
        role="status"
        hidden={busy === null && said === null}
      >
        {busy ?? said?.text}
      </p>
    </div>
  );
}
