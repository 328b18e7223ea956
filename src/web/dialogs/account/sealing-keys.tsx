// The steps of the dialog of encryption where keys are concerned: the overview with the devices that have the key, a new key, forgetting it.
import { useApp } from '../../parts/app-context.ts';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';
import { First, Frame, listed, type Of, type SealingPress } from './sealing-frame.tsx';
import own from './sealing.module.css';

/** The question before a new key is made. */
export function Rotate({ step }: { readonly step: Of<'rotate'> }) {
  const app = useApp();
  const dropped = new Intl.ListFormat('en-US').format(step.dropped);
  return (
    <>
      <Frame
        title="Make a new key?"
        lead="Do this when you lost a device that has the key, or somebody may have seen your code. Everything is encrypted anew, and whoever has only the old key can’t read what you write from then on."
      >
        <ul className={own.facts}>
          <li>
            <b>You get a new recovery code.</b> The old one opens nothing any more.
          </li>
          <li>
            <b>Your other devices need the new key.</b> Until they have it they show what is new as “Locked”
            and keep your changes to themselves.
          </li>
          {dropped !== '' && (
            <li>
              <b>No longer works:</b> {dropped}. Set this up again afterwards.
            </li>
          )}
          {step.kept.length > 0 && (
            <li>
              <b>Encrypted lists get new keys, too:</b> {listed(step.kept)}. Their invitation links end
              {step.published.length > 0 && <>, and the public links of {listed(step.published)}</>}. Send new
              ones.
            </li>
          )}
          <li>
            <b>It can’t take back</b> what a lost device has already stored. Sign it out under “Devices”, too.
          </li>
        </ul>
      </Frame>
      <div className={styles.actions}>
        <First kind="primary" onClick={() => app.answer('sealing', { action: 'next' })}>
          Show my new code
        </First>
        <Button onClick={() => app.closeDialog()}>Cancel</Button>
      </div>
    </>
  );
}

/** The question before a device forgets the key. */
export function Forget({ step, busy }: { readonly step: Of<'forget'>; readonly busy: boolean }) {
  const app = useApp();
  const whole =
    'until this device gets the key again: by your recovery code, or from another device. Nothing is lost. What you did here can’t be undone then.';
  const lead = step.isOn
    ? `Your tasks are locked here ${whole}`
    : step.kept.length > 0
      ? `Encryption is off, so your own tasks stay readable. ${listed(step.kept)} ${step.kept.length === 1 ? 'is' : 'are'} locked here ${whole}`
      : 'Encryption is off, so your tasks stay readable. What is still locked needs your recovery code then.';
  return (
    <>
      <Frame title="Forget the key on this device?" lead={lead}>
        {step.isOffline === true && (
          <p className={styles.rule}>
            You’re offline. The key goes from this device right away, and you need a connection to unlock it
            again. Your other devices can’t be told, so they still list this one.
          </p>
        )}
        {step.isOnly && (
          <p className={styles.error}>
            No other device says that it has the key. Check that you have your recovery code: without it{' '}
            {step.isOn
              ? 'your tasks are gone.'
              : 'what is still locked opens no more on any device of yours.'}
          </p>
        )}
      </Frame>
      <div className={styles.actions}>
        <First onClick={() => app.closeDialog()}>Keep the key</First>
        <Button kind="danger" aria-disabled={busy} onClick={() => app.answer('sealing', { action: 'next' })}>
          Forget the key
        </Button>
      </div>
    </>
  );
}

/** The devices with the key, and what else opens it. */
function Keys({ step }: { readonly step: Of<'overview'> }) {
  const said = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
  const ways = ['your recovery code'];
  if (step.hasPassphrase) ways.push('your passphrase');
  if (step.hasPasskey) ways.push('your passkeys');
  return (
    <>
      <h3 className={own.heading}>Devices with the key</h3>
      <ul className={own.facts} aria-label="Devices with the key">
        {step.devices.map((device, index) => (
          <li key={index}>
            <b>{device.isThis ? `${device.name} (this device)` : device.name}</b>: {device.how},{' '}
            {said.format(device.at)}
          </li>
        ))}
      </ul>
      <p className={styles.rule}>
        Each device adds itself here when it gets the key. One that you signed out or reset may still be
        listed. To unlock a new device, use{' '}
        {new Intl.ListFormat('en-US', { type: 'disjunction' }).format(ways)}.
      </p>
    </>
  );
}

function overviewLead({ isOn, isOpen, isOutdated, kept, hasKeys }: Of<'overview'>): string {
  const OFF = 'Your tasks aren’t encrypted. The server can read them.';
  if (!isOn && kept.length === 0) return OFF;
  if (!isOn && !hasKeys) return `${OFF} ${listed(kept)} can’t be opened without an encrypted account.`;
  if (!isOn)
    return isOpen
      ? `${OFF} Encrypted all the same: ${listed(kept)}. This device has the key you had. A new device needs your recovery code, or the key from this one.`
      : `${OFF} Encrypted all the same: ${listed(kept)}. This device needs the key you had to open that.`;
  if (isOutdated) return OUTDATED;
  return isOpen
    ? 'Your tasks are encrypted, and this device can read them. A new device needs your recovery code, or the key from this one.'
    : 'Your tasks are encrypted, and this device is locked.';
}

export const OUTDATED =
  'Another device made a new key. This device shows what was written since as “Locked”, and keeps your changes until it has the new key. Get it from that device, or type the new recovery code. If you didn’t make a new key, don’t type anything: ask who runs this server.';

/** What can be done where this device has the key. */
function OpenActions({ step }: { readonly step: Of<'overview'> }) {
  const app = useApp();
  const press = (action: SealingPress) => () => app.answer('sealing', { action });
  return (
    <>
      <Button onClick={press('give')}>Give the key to another device</Button>
      <Button onClick={press('newCode')}>New recovery code</Button>
      <Button onClick={press('passphrase')}>
        {step.hasPassphrase ? 'Change the passphrase' : 'Set a passphrase'}
      </Button>
      {step.hasPassphrase && <Button onClick={press('removePassphrase')}>Remove the passphrase</Button>}
      {step.knowsPasskeys && <Button onClick={press('addPasskey')}>Unlock by a passkey, too</Button>}
      {step.hasPasskey && <Button onClick={press('removePasskeys')}>Remove passkeys</Button>}
      {step.isOn && <Button onClick={press('rotate')}>Make a new key</Button>}
      {step.isOn && <Button onClick={press('turnOff')}>Turn off encryption</Button>}
    </>
  );
}

/** How encryption is, and what can be done about it. */
export function Overview({ step }: { readonly step: Of<'overview'> }) {
  const app = useApp();
  // Lists that stay encrypted need the key although nothing else does.
  const isUsed = step.isOn || (step.hasKeys && step.kept.length > 0);
  const press = (action: SealingPress) => () => app.answer('sealing', { action });
  return (
    <>
      <Frame title="Encryption" lead={overviewLead(step)}>
        {step.shared.length > 0 && (
          <p className={styles.rule}>Not encrypted, because others can read them: {listed(step.shared)}.</p>
        )}
        {step.said !== null && (
          <p className={styles.rule} role="status">
            {step.said}
          </p>
        )}
        {step.warning !== null && (
          <p className={styles.error} role="alert">
            {step.warning}
          </p>
        )}
        {isUsed && step.isOpen && <Keys step={step} />}
      </Frame>
      <div className={styles.actions}>
        <First onClick={() => app.closeDialog()}>Close</First>
        {!step.isOn && <Button onClick={press('turnOn')}>Encrypt everything</Button>}
        {isUsed && !step.isOpen && <Button onClick={press('unlock')}>Unlock</Button>}
        {isUsed && !step.isOpen && <Button onClick={press('ask')}>Get the key from another device</Button>}
        {isUsed && step.isOpen && <OpenActions step={step} />}
        {(step.isOpen || step.isOutdated) && <Button onClick={press('forget')}>Forget the key here</Button>}
      </div>
    </>
  );
}
