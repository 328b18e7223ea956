// Runs the app on the current profile while this tab has its turn: opens the copy, draws it, and starts again when the
// profile changes (signing up, in or out). Not here: what anything looks like, and whose turn it is.
import { createElement } from 'react';
import type { Root } from 'react-dom/client';
import type { App } from '#client/app.ts';
import { createApp } from '#client/create-app.ts';
import { createEngine } from '#sync/engine.ts';
import type { Engine } from '#sync/replica-types.ts';
import { createAccountPort } from './platform/account-port.ts';
import { adopt, forget } from './platform/adoption.ts';
import { BrowserStorage } from './platform/indexeddb.ts';
import { listenToKeys } from './platform/key-events.ts';
import { watchMoments } from './platform/moments.ts';
import { createPlatform } from './platform/platform.ts';
import {
  type AccountBinding,
  boundProfile,
  databaseName,
  localProfile,
  type Profile,
  type ProfileStore,
} from './platform/profile.ts';
import { createBrowserTransport } from './platform/transport.ts';
import { clock, newId, random, timers, whenIdle } from './platform/world.ts';
import { Frame } from './views/frame.tsx';
import { closeDrawer } from './views/sidebar.tsx';

export interface Session {
  /** Writes everything and stops. */
  close(): Promise<void>;
}

interface SessionPorts {
  readonly root: Root;
  readonly profiles: ProfileStore;
  /** Called with every app that starts running. */
  readonly onApp: (app: App) => void;
}

interface Running {
  readonly app: App;
  stop(): Promise<void>;
}

function openEngine(profile: Profile): Engine {
  const { binding } = profile;
  const storage = new BrowserStorage({ name: databaseName(profile.id), idle: whenIdle });
  const transport = binding ? createBrowserTransport() : null;
  const identity = { scope: binding?.scope ?? profile.localScope, account: binding?.account ?? 0 };
  return createEngine({ storage, transport, clock, timers, random }, identity);
}

/** What an account on this device must take in before anything else is done. */
async function finishAdoption(engine: Engine, profile: Profile, profiles: ProfileStore): Promise<void> {
  if (!profile.adopts) return;
  await engine.loaded();
  await adopt(engine, profile.adopts);
  profiles.save({ ...profile, adopts: null });
  await forget(profile.adopts);
}

export async function startSession({ root, profiles, onApp }: SessionPorts): Promise<Session> {
  let changing: Promise<void> = Promise.resolve();
  let running = await run(profiles.load());

  async function run(profile: Profile): Promise<Running> {
    const engine = openEngine(profile);
    await engine.open();
    await finishAdoption(engine, profile, profiles);
    const account = createAccountPort({
      binding: profile.binding,
      onBound: (binding) => bind(profile, binding),
      onLeft: () => leave(profile),
    });
    const app = createApp({ engine, platform: createPlatform(account) });
    closeDrawer(app);
    root.render(createElement(Frame, { app, key: profile.id }));
    const stops = [listenToKeys(app), watchMoments(app)];
    onApp(app);
    return {
      app,
      async stop() {
        for (const stop of stops) stop();
        await app.close();
      },
    };
  }

  /** The app is replaced after the call that asked for it has been answered. */
  function change(next: () => Promise<Profile>): void {
    const exchange = async (before: Promise<void>): Promise<void> => {
      await before;
      await running.stop();
      running = await run(await next());
    };
    changing = exchange(changing);
  }

  function bind(profile: Profile, binding: AccountBinding): void {
    if (profile.binding) {
      // The same account again: its session had ended.
      profiles.save({ ...profile, binding });
      running.app.engine.nudge();
      return;
    }
    const bound = boundProfile(profile, binding, newId);
    profiles.save(bound);
    change(() => Promise.resolve(bound));
    void navigator.storage?.persist?.();
  }

  function leave(profile: Profile): void {
    const fresh = localProfile(newId);
    profiles.save(fresh);
    change(async () => {
      await forget(profile);
      return fresh;
    });
  }

  return {
    async close() {
      await changing;
      await running.stop();
    },
  };
}
