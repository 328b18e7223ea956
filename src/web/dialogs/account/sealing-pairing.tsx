// The steps in which the key goes from one device to another: waiting, choosing, comparing words, and reading a picture by the camera.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useApp } from '../../parts/app-context.ts';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';
import { CameraPicture } from './camera-picture.tsx';
import { First, Frame, type Of } from './sealing-frame.tsx';
import own from './sealing.module.css';

/** Where another device does something first. */
export function Wait({
  title,
  lead,
  cancels,
  children,
}: {
  readonly title: string;
  readonly lead: string;
  readonly cancels: boolean;
  readonly children?: ReactNode;
}) {
  const app = useApp();
  return (
    <>
      <Frame title={title} lead={lead}>
        {children}
        <progress className={own.progress} max={100} aria-label="Waiting" />
      </Frame>
      <div className={styles.actions}>
        <First onClick={() => app.closeDialog()}>Cancel</First>
        {cancels && (
          <Button onClick={() => app.answer('sealing', { action: 'unlock' })}>Use my recovery code</Button>
        )}
      </div>
    </>
  );
}

/** Devices that ask for the key. */
export function Choose({ step }: { readonly step: Of<'choose'> }) {
  const app = useApp();
  const hasCamera = useHasCamera();
  const devices = step.devices ?? [];
  if (devices.length === 0)
    return (
      <Wait
        title="Give the key to another device"
        lead="No device asks for it yet. On the new device, run “Get the key from another device” from the command palette."
        cancels={false}
      />
    );
  return (
    <>
      <Frame
        title="Give the key to another device"
        lead="Choose the device in front of you. If you aren’t setting one up just now, choose none: somebody else may have your password."
      />
      <div className={styles.actions}>
        {devices.map(({ id, name, at }, index) => {
          const Kind = index === 0 ? First : Button;
          return (
            <Kind key={id} onClick={() => app.answer('sealing', { action: 'choose', id })}>
              {name}, asked at {new Date(at).toLocaleTimeString('en-US')}
            </Kind>
          );
        })}
        {hasCamera && (
          <Button onClick={() => app.answer('sealing', { action: 'scan' })}>Use the camera instead</Button>
        )}
        <Button onClick={() => app.closeDialog()}>Cancel</Button>
      </div>
    </>
  );
}

/** Has the focus while words are to be compared: a key that was meant for something else gives nothing away. */
function Differ({ isFirst }: { readonly isFirst: boolean }) {
  const app = useApp();
  const Kind = isFirst ? First : Button;
  return (
    <Kind kind="danger" onClick={() => app.answer('sealing', { action: 'different' })}>
      They differ
    </Kind>
  );
}

/** The words of both devices. */
export function Compare({ step, busy }: { readonly step: Of<'compare'>; readonly busy: boolean }) {
  const app = useApp();
  return (
    <>
      <Frame
        title="Compare the words"
        lead={
          step.gives
            ? 'Look at the other device. It has to show the same three words. Then it gets the key.'
            : step.isConfirmed
              ? 'Confirm the words on your other device, too. Then this one gets the key.'
              : 'Look at your other device. It has to show the same three words. Confirm them on both.'
        }
      >
        <ol className={own.code} aria-label="Words to compare">
          {step.words.map((word, index) => (
            <li key={index}>{word}</li>
          ))}
        </ol>
        <p className={styles.rule}>
          As a number: {step.digits.slice(0, 3)} {step.digits.slice(3)}
        </p>
      </Frame>
      <div className={styles.actions}>
        {step.gives ? (
          <>
            <Button
              kind="primary"
              aria-disabled={busy}
              onClick={() => app.answer('sealing', { action: 'same' })}
            >
              {busy ? 'One moment' : 'Same words: give the key'}
            </Button>
            <Differ isFirst />
          </>
        ) : (
          <>
            {step.isConfirmed ? (
              <First onClick={() => app.closeDialog()}>Cancel</First>
            ) : (
              <Button kind="primary" onClick={() => app.answer('sealing', { action: 'same' })}>
                Same words
              </Button>
            )}
            <Differ isFirst={!step.isConfirmed} />
          </>
        )}
      </div>
    </>
  );
}

/** Whether there is a camera that may be asked for. */
function useHasCamera(): boolean {
  const [has, setHas] = useState(false);
  useEffect(() => {
    let isHere = true;
    // Where pages may not ask for it, as without HTTPS, there is no such object.
    const devices = navigator.mediaDevices as MediaDevices | undefined;
    void devices?.enumerateDevices().then(
      (all) => isHere && setHas(all.some(({ kind }) => kind === 'videoinput')),
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, []);
  return has;
}

/** This device asks for the key. */
export function AskOther({ step }: { readonly step: Of<'askOther'> }) {
  return (
    <Wait
      title="Get the key from another device"
      lead="On a device that is unlocked, run “Give the key to another device” from the command palette, and choose this one. With a camera it can read this picture instead."
      cancels
    >
      <CameraPicture text={step.picture} label="Picture for the camera of the other device" />
    </Wait>
  );
}

const NO_CAMERA = 'The camera can’t be used here. Choose the device from the list.';

/** The camera looks for the picture of the other device. */
export function Scan({ step }: { readonly step: Of<'scan'> }) {
  const app = useApp();
  const video = useRef<HTMLVideoElement>(null);
  const [isBlind, setBlind] = useState(false);
  const error = isBlind ? NO_CAMERA : step.error;
  useEffect(() => {
    const shown = video.current;
    if (shown === null) return undefined;
    const ending = new AbortController();
    import('../../platform/qr.ts')
      .then(({ readPictures }) => readPictures(shown, ending.signal))
      .then(
        (text) => app.answer('sealing', { action: 'read', text }),
        () => !ending.signal.aborted && setBlind(true),
      );
    return () => ending.abort();
    // After a picture that is of no use the camera looks for another one.
  }, [app, step.error]);
  return (
    <>
      <Frame
        title="Read the picture"
        lead="Hold the camera to the picture on the other device. It shows one in “Get the key from another device”."
      >
        <video ref={video} className={own.camera} muted playsInline aria-label="What the camera sees" />
        {error !== null && (
          <p className={styles.error} role="alert">
            {error}
          </p>
        )}
      </Frame>
      <div className={styles.actions}>
        <First onClick={() => app.answer('sealing', { action: 'give' })}>Choose from the list</First>
        <Button onClick={() => app.closeDialog()}>Cancel</Button>
      </div>
    </>
  );
}
