// The forms of the pages. Each works without scripts: it is posted, and the answer is a page that says what became of it.
// With scripts the same words appear in place (scripts/forms.ts).
import { formTexts } from '../content/form-texts.ts';
import { Icon } from './mark.tsx';

/** What can become of a form posted without scripts. A page is drawn for each. */
export const formOutcomes = ['sent', 'email-missing', 'email-invalid', 'failed'] as const;
/** One of `formOutcomes`; forms take undefined for a page on which nothing was sent yet. */
export type FormOutcome = (typeof formOutcomes)[number];

function Problem({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <p className="form-problem" id={id} data-problem="" role="alert">
      {text === '' ? null : (
        <>
          <Icon name="warning" /> {text}
        </>
      )}
    </p>
  );
}

const PROBLEMS: Readonly<Record<FormOutcome, string>> = {
  sent: '',
  'email-missing': formTexts.emailMissing,
  'email-invalid': formTexts.emailInvalid,
  failed: formTexts.failed,
};

const problemOf = (outcome: FormOutcome | undefined) => (outcome === undefined ? '' : PROBLEMS[outcome]);

/** One address and a button: the newsletter, and the affiliates' form, which stands twice on its page. */
export function SignUpForm({
  list,
  place = 'only',
  outcome,
}: {
  readonly list: 'affiliate' | 'newsletter';
  readonly place?: string;
  readonly outcome?: FormOutcome;
}) {
  const id = `${list}-${place}`;
  const done = list === 'affiliate' ? formTexts.submitted : formTexts.joined;
  const problem = problemOf(outcome);
  const isSent = outcome === 'sent';
  return (
    <form
      className="sign-up"
      method="post"
      action={list === 'affiliate' ? '/guides/affiliates' : '/newsletter'}
      noValidate
      data-sign-up={list}
      data-call={list === 'affiliate' ? '/api/affiliate_sign_ups' : '/api/newsletter_signups'}
      data-done={done}
    >
      <label htmlFor={id}>Email</label>
      <div className="form-row">
        <input
          id={id}
          name="email"
          type="email"
          autoComplete="email"
          inputMode="email"
          maxLength={320}
          aria-describedby={`${id}-problem`}
          aria-invalid={problem === '' ? undefined : true}
          disabled={isSent}
        />
        <button className="button button-primary" type="submit" disabled={isSent}>
          <span data-label="">{isSent ? done : list === 'affiliate' ? 'Submit' : 'Join'}</span>
        </button>
      </div>
      <Problem id={`${id}-problem`} text={problem} />
    </form>
  );
}

/** A letter to the person who runs this server. The browser checks that nothing is missing. */
export function ContactForm({ outcome }: { readonly outcome?: FormOutcome }) {
  if (outcome === 'sent')
    return (
      <p className="notice" role="status">
        <Icon name="check" /> We got your message. We’ll answer by email.
      </p>
    );
  const problem =
    outcome === 'email-missing'
      ? 'Enter an email and a message. Go back to get your text.'
      : outcome === 'email-invalid'
        ? `${formTexts.emailInvalid}. Go back to get your text.`
        : problemOf(outcome);
  const described = { 'aria-describedby': 'contact-problem' } as const;
  return (
    <form className="contact-form" method="post" action="/contact" data-contact="" data-call="/api/contact">
      <label htmlFor="contact-email">Your email</label>
      <input
        id="contact-email"
        name="email"
        type="email"
        autoComplete="email"
        maxLength={320}
        required
        {...described}
      />
      <label htmlFor="contact-subject">Subject</label>
      <input id="contact-subject" name="subject" type="text" maxLength={200} required {...described} />
      <label htmlFor="contact-message">Message</label>
      <textarea id="contact-message" name="message" rows={8} maxLength={10_000} required {...described} />
      <div>
        <button className="button button-primary" type="submit">
          <span data-label="">Send</span>
        </button>
      </div>
      <Problem id="contact-problem" text={problem} />
    </form>
  );
}

/** Asks for the letter that lets one choose a new password. */
export function ForgotPasswordForm({ outcome }: { readonly outcome?: FormOutcome }) {
  const problem = problemOf(outcome);
  return (
    <form method="post" action="/forgot-password" className="contact-form">
      <label htmlFor="forgot-email">Email</label>
      <input
        id="forgot-email"
        name="email"
        type="email"
        autoComplete="email"
        maxLength={320}
        required
        aria-describedby="forgot-problem"
        aria-invalid={problem === '' ? undefined : true}
      />
      <div>
        <button className="button button-primary" type="submit">
          Send the link
        </button>
      </div>
      <Problem id="forgot-problem" text={problem} />
    </form>
  );
}
