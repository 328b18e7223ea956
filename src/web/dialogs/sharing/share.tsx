// Sharing a list: what becomes visible, then its link and its people. What an action does is client/sharing.
import { counted } from '#core/counted.ts';
import type { App } from '#client/app/app.ts';
import type { PersonKeys, PersonView, ShareAction, ShareView } from '#client/sharing/sharing-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { Keys } from '../../parts/keycap.tsx';
import { useSignal } from '../../parts/use-signal.ts';
import { keysIn } from '../../platform/input/options.ts';
import { Button } from '../button.tsx';
import { CloseButton } from '../close-button.tsx';
import styles from '../dialog.module.css';
import { KeyedButton, type KeyedButtonLook } from './keyed-button.tsx';
import { Offer } from './offer.tsx';
import own from './sharing.module.css';

const answer = (app: App, action: ShareAction) => app.answer('share', action);

function Act({ action, ...look }: KeyedButtonLook & { readonly action: ShareAction }) {
  const app = useApp();
  return <KeyedButton {...look} onClick={() => answer(app, action)} />;
}

function Cancel({ text }: { readonly text: string }) {
  const app = useApp();
  return (
    <Button data-option="" onClick={() => app.closeDialog()}>
      {text}
    </Button>
  );
}

function Problem({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <p className={styles.error} role="alert">
      {text}
    </p>
  );
}

function Moving({ share: { progress, isDecrypting, busy } }: { readonly share: ShareView }) {
  return (
    <>
      <p className={styles.rule} role="status">
        {isDecrypting
          ? 'The list is being decrypted. You can close this and go on working.'
          : 'The tasks are moving. You can close this and go on working.'}
      </p>
      <progress
        className={styles.progress}
        aria-label={isDecrypting ? 'Tasks decrypted' : 'Tasks moved'}
        {...(progress === null ? {} : { value: progress })}
        max={1}
      />
      <div className={styles.actions}>
        <Cancel text="Close" />
        {isDecrypting && <Act action={{ action: 'stop' }} text="Keep it encrypted" isBusy={busy !== null} />}
      </div>
    </>
  );
}

function Link({ share: { link, isKnown, problem, endsInAccount, busy } }: { readonly share: ShareView }) {
  const isBusy = busy !== null;
  if (!isKnown)
    return (
      <>
        <Problem text={problem} />
        {problem !== null && (
          <div className={own.buttons}>
            {endsInAccount && <Act action={{ action: 'account' }} text="Account" isBusy={isBusy} />}
            <Act
              action={{ action: 'again' }}
              command="sharing.again"
              text="Try again"
              kind="primary"
              isFirst
              isBusy={isBusy}
            />
          </div>
        )}
      </>
    );
  if (link === null)
    return (
      <>
        <p className={styles.rule}>There’s no link. Nobody can join until you make one.</p>
        <div className={own.buttons}>
          <Act
            key="days"
            action={{ action: 'days' }}
            command="sharing.newLink"
            text="New link"
            kind="primary"
            isFirst
            isBusy={isBusy}
          />
        </div>
      </>
    );
  return (
    <>
      <p className={own.link} data-ph="invite-link">
        {link.address}
      </p>
      <p className={styles.detail}>{link.text}</p>
      <div className={own.buttons}>
        <Act
          key="copy"
          action={{ action: 'copy' }}
          command="sharing.copyLink"
          text="Copy link"
          kind="primary"
          isFirst
          isBusy={isBusy}
        />
        <Act action={{ action: 'days' }} command="sharing.newLink" text="New link" isBusy={isBusy} />
        <Act action={{ action: 'endLink' }} command="sharing.endLink" text="End link" isBusy={isBusy} />
      </div>
    </>
  );
}

/** Whether somebody can read an encrypted list, and the words by which they are known. */
function Access({ keys, name }: { readonly keys: PersonKeys; readonly name: string }) {
  const app = useApp();
  const { account, text, words, canLetIn } = keys;
  return (
    <span className={own.keys} data-ph="person-keys">
      <span className={styles.detail}>{text}</span>
      {words !== null && (
        <span className={styles.detail}>
          Both of you should see these words in this order: <strong>{words}</strong>
        </span>
      )}
      {canLetIn && (
        <Button onClick={() => answer(app, { action: 'letIn', account })}>
          The words are the same: let in<span className="visually-hidden"> {name}</span>
        </Button>
      )}
    </span>
  );
}

function Person({
  person,
  keys,
  canChange,
}: {
  readonly person: PersonView;
  readonly keys: PersonKeys | null;
  readonly canChange: boolean;
}) {
  const app = useApp();
  const { account, name, isMe, isOwner } = person;
  const isHere = useSignal(app.view.others)?.here.has(account) === true;
  return (
    <li className={own.person} data-ph="person" {...(canChange ? { 'data-option': account } : {})}>
      <Avatar person={person} size={32} />
      <span className={own.who}>
        <bdi>{name}</bdi>
        {isMe && <span className={styles.detail}> (you)</span>}
        {isHere && <span className={own.here}>Here now</span>}
      </span>
      {canChange ? (
        <span className={own.buttons}>
          <Button onClick={() => answer(app, { action: 'handOver', account })}>
            Make owner<span className="visually-hidden">: {name}</span>
          </Button>
          <Button onClick={() => answer(app, { action: 'remove', account })}>
            Remove<span className="visually-hidden"> {name}</span>
          </Button>
        </span>
      ) : (
        <span className={styles.detail}>{isOwner ? 'Owner' : 'Member'}</span>
      )}
      {keys !== null && <Access keys={keys} name={name} />}
    </li>
  );
}

function PublicPage({ isBusy }: { readonly isBusy: boolean }) {
  return (
    <section className={own.part} aria-label="Public links">
      <h3 className={styles.groupTitle}>Public page</h3>
      <p className={styles.rule}>For anyone with its link, in the browser and without an account.</p>
      <div className={own.buttons}>
        <Act
          action={{ action: 'publicLinks' }}
          command="sharing.publicLinks"
          text="Public links"
          isBusy={isBusy}
        />
      </div>
    </section>
  );
}

function Sheet({ share }: { readonly share: ShareView }) {
  const app = useApp();
  const { people, keys, isOwner, busy } = share;
  const isBusy = busy !== null;
  return (
    <>
      <section className={own.part} aria-label="Invitation link">
        <h3 className={styles.groupTitle}>Link to join</h3>
        <Link share={share} />
      </section>
      {keys === null ? (
        <PublicPage isBusy={isBusy} />
      ) : (
        <section className={own.part} aria-label="Encryption">
          <h3 className={styles.groupTitle}>End-to-end encrypted</h3>
          <p className={styles.rule}>
            Only its people can read this list. To be sure that nobody stands between you and somebody,
            compare the words that both of you see here.
          </p>
        </section>
      )}
      <section className={own.part} aria-label="People">
        <h3 className={styles.groupTitle}>
          {people.length === 1 ? 'Only you so far' : counted(people.length, 'person', 'people')}
        </h3>
        <ul className={own.people}>
          {people.map((person) => (
            <Person
              key={person.account}
              person={person}
              keys={keys?.find(({ account }) => account === person.account) ?? null}
              canChange={isOwner && !person.isMe}
            />
          ))}
        </ul>
        {isOwner && people.length > 1 && (
          <p className={`${styles.rule} ${own.byKey}`}>
            On a person <Keys caps={app.keysOf('sharing.handOver')[0]} /> hands the list over,{' '}
            <Keys caps={app.keysOf('sharing.remove')[0]} /> removes.
          </p>
        )}
      </section>
      <div className={styles.actions}>
        <Act action={{ action: 'profile' }} text="Your profile" isBusy={isBusy} />
        {isOwner && (
          <Act
            action={{ action: 'private' }}
            command="sharing.makePrivate"
            text="Make private"
            isBusy={isBusy}
          />
        )}
        <Act
          action={{ action: 'leave' }}
          command="sharing.leave"
          text="Leave list"
          kind="danger"
          isBusy={isBusy}
        />
      </div>
    </>
  );
}

const DAYS: readonly (readonly [days: number | null, text: string])[] = [
  [1, '1 day'],
  [7, '7 days'],
  [30, '30 days'],
  [null, 'Until I end it'],
];

function Days({ share: { link } }: { readonly share: ShareView }) {
  return (
    <>
      <p className={styles.rule}>
        How long should the new link work?{link !== null && ' The present one stops working right away.'}
      </p>
      <div className={styles.actions}>
        {DAYS.map(([days, text]) => (
          <Act
            key={text}
            action={{ action: 'newLink', days }}
            text={text}
            isFirst={days === 30}
            isBusy={false}
          />
        ))}
        <Act action={{ action: 'back' }} text="Back" isBusy={false} />
      </div>
    </>
  );
}

function Question({ share: { question, busy } }: { readonly share: ShareView }) {
  if (question === null) return null;
  const { lines, verb, way } = question;
  const [only = '', ...more] = lines;
  return (
    <>
      {more.length === 0 ? (
        <p className={own.line}>{only}</p>
      ) : (
        <ul className={own.lines}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        <Act
          key="back"
          action={{ action: 'back' }}
          text={verb === null ? 'Back' : 'Keep as it is'}
          isFirst
          isBusy={false}
        />
        {way !== null && <Act action={{ action: way }} text="Make private" isBusy={busy !== null} />}
        {verb !== null && <Act action={{ action: 'yes' }} text={verb} kind="danger" isBusy={busy !== null} />}
      </div>
    </>
  );
}

const STEPS = { offer: Offer, sheet: Sheet, days: Days, question: Question } as const;

/** Draws the step of the share dialog that is on. */
export function Share({ share }: { readonly share: ShareView }) {
  const { step, list, question, busy, said } = share;
  const Step = step === 'moving' ? null : STEPS[step];
  return (
    <div
      className={styles.form}
      data-ph="share"
      data-options=""
      aria-busy={busy !== null}
      {...keysIn('dialog.share', 'list')}
    >
      <div className={own.head}>
        <h2 className={styles.title}>
          {step === 'question' && question !== null ? (
            question.title
          ) : (
            <>
              Share “<bdi>{list}</bdi>”
            </>
          )}
        </h2>
        <CloseButton />
      </div>
      {Step === null ? <Moving share={share} /> : <Step key={step} share={share} />}
      <p
        className={said?.isError ? styles.error : own.said}
        role="status"
        hidden={busy === null && said === null}
      >
        {busy ?? said?.text}
      </p>
    </div>
  );
}
