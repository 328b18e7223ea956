// What becomes of somebody's tasks, in short: where they are, who can read them, how long they are kept. The legal text is
// texts/privacy.md; test/browser/site-links.test.ts holds the periods of both to each other.
import type { ReactNode } from 'react';
import type { Page } from '../world.ts';

function Answer({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="card">
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}

/** The name of a part, and beside it what there is to say. */
function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="side-by-side">
      <h2>{title}</h2>
      <div className="prose">{children}</div>
    </section>
  );
}

const KEPT: readonly (readonly [what: string, howLong: string])[] = [
  ['Trash', '30 days'],
  ['Backups of what you deleted', '35 more days'],
  ['History of changes', 'At most 400 days, so you can undo'],
  ['Sign-in log', '90 days, with only the first part of the network address'],
  ['A deleted account', 'Erased 7 days after you ask'],
];

/** Who gets at what while encryption is on: the threats in plain words. */
const WITH_ENCRYPTION: readonly (readonly [who: string, what: string])[] = [
  [
    'Someone who copies the database or a backup',
    'How many tasks there are, how they’re nested, which label is on which task, which details a task has, when they change, how big they are and, if you turn that on, when reminders ring. No titles, notes, names, dates or files.',
  ],
  [
    'Whoever runs the server',
    'The same, plus email and what programs without the key send, at the moment it arrives. They could hold tasks back, bring back an older text, or write in a program’s name. They can’t read what your devices write, or change it unseen.',
  ],
  [
    'Someone with your password',
    'The same as a copy of the database. They could also delete tasks. The key has nothing to do with your password.',
  ],
  ['Someone with your password and your recovery code', 'Everything. Make a new key as soon as you notice.'],
  [
    'A program with a token of yours',
    'The same as a copy of the database, and what it writes itself. The command line and agents on a machine that you gave the key read everything, and encrypt what they write there.',
  ],
  [
    'Someone with the whole address of an encrypted list’s public link',
    'The tasks of that list, until you delete the link or the list gets a new key.',
  ],
  ['Someone at a device of yours that’s unlocked, or at a machine with the key', 'Everything that’s on it.'],
  [
    'Someone who copies the disk of your device',
    'Everything, if they get the whole of it: the app encrypts what it keeps in the browser, but browsers keep the key for it on the same disk. Encrypt the disk itself.',
  ],
  [
    'The code of the web app',
    'Everything: it comes from the server each time you load it, and you trust it not to send your key away.',
  ],
  ['You, without a device and without the recovery code', 'Nothing. Nobody can help you then.'],
];

function Table({ label, rows }: { readonly label: string; readonly rows: typeof KEPT }) {
  return (
    <div className="table" tabIndex={0} role="group" aria-label={label}>
      <table>
        <tbody>
          {rows.map(([what, said]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td>{said}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Security() {
  return (
    <div className="page security">
      <h1>Your tasks are yours.</h1>
      <p className="lead">
        Where they live, who can read them, and what happens when you delete them. The legal version is in{' '}
        <a href="/privacy">Privacy</a>.
      </p>
      <div className="answers">
        <Answer title="They live on your device">
          Without an account, your tasks never leave it. With one, the server keeps a copy so your other
          devices can have it. That’s the only thing we use it for.
        </Answer>
        <Answer title="No trackers">
          No analytics services, no ads, no third-party fonts or scripts. We count page views by day, and skip
          that if your browser asks us to.
        </Answer>
        <Answer title="Or run the server yourself">
          One process on your hardware, MIT licensed. Your tasks, your disk, your backups.
        </Answer>
      </div>
      <Part title="Who can read them">
        <p>
          You can, on every device you’re signed in on. The server’s copy isn’t end-to-end encrypted unless
          you <a href="/guides/encryption">turn that on</a>, so whoever runs the server could read it. If
          that’s too many people, encrypt it, <a href="/guides/disabling-cloud-sync">turn sync off</a> or run
          your own server.
        </p>
        <p>
          One limit worth knowing: the web app’s code comes from the server, so you’re trusting that server’s
          code.
        </p>
      </Part>
      <Part title="With encryption on">
        <p>
          Who learns what, once you’ve turned <a href="/guides/encryption">encryption</a> on. It covers what’s
          yours alone, and lists you share with “Keep this list encrypted.” Other shared lists aren’t
          encrypted, and a list with a public link is only if you keep it so: then its key is in the part of
          the address that browsers never send.
        </p>
        <Table label="Who learns what with encryption on" rows={WITH_ENCRYPTION} />
      </Part>
      <Part title="How long we keep things">
        <Table label="How long we keep things" rows={KEPT} />
      </Part>
      <Part title="How we know it holds">
        <p>
          Our tests kill the server while devices write, 50 times in a row, and put it back to old backups.
          Nothing it had confirmed may be missing. In the source, <code>docs/reliability.md</code> lists every
          promise with the test that checks it.
        </p>
      </Part>
      <Part title="Found a hole?">
        <p>
          Please tell us first. <a href="/.well-known/security.txt">security.txt</a> says where.
        </p>
      </Part>
    </div>
  );
}

/** `/security`. */
export function securityPage(): Page {
  return {
    path: '/security',
    title: 'Security and privacy · Posthaste',
    description: 'Where your tasks live, who can read them, and what happens when you delete them.',
    body: <Security />,
  };
}
