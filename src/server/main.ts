// The server process: environment, signals, exit codes. `Posthaste is ready at <url>` is printed once requests are
// answered. SIGTERM and SIGINT shut it down cleanly, a second signal at once. When another database server
// takes over, everything is opened anew in the same process. An uncaught defect ends it too.
import { setTimeout as delay } from 'node:timers/promises';
import { readConfig, type Config } from './config.ts';
import { createLogger, errorDetail } from './observe/log.ts';
import { systemClock } from './clock.ts';
import { NodeRefusedError, OtherDatabaseError } from './data/presence.ts';
import { setUpBlock } from './observe/setup.ts';
import { USUAL_DRAIN_MS } from './http/leaving.ts';
import { startServer, type RunningServer } from './server.ts';

const EXIT_FAILED = 1;
const EXIT_CONFIGURATION = 2;
const SHUTDOWN_MS = 15_000;
const DEFECT_DRAIN_MS = 5_000;
/** After another database server took over: how long until the first try to begin anew, the longest until the next, and of all. */
const FIRST_AGAIN_MS = 500;
const LONGEST_AGAIN_MS = 10_000;
const GIVES_UP_MS = 300_000;

/** Variables for features that this version does not have: setting one must not appear to work. */
const WITHOUT_EFFECT: Readonly<Partial<Record<keyof Config, string>>> = {
  filesHost: 'FILES_HOST',
};

function configuration(): Config {
  const result = readConfig(process.env);
  if (result.ok) return result.value;
  for (const problem of result.problem) console.error(problem);
  console.error('Nothing was started. See docs/configuration.md for all settings.');
  process.exit(EXIT_CONFIGURATION);
}

function reason(error: unknown, config: Config): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const isMail = (error as { port?: unknown } | null)?.port === config.mailPort && config.mailPort !== 0;
  const [name, port] = isMail ? ['MAIL_PORT', config.mailPort] : ['PORT', config.port];
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use. Set ${name} to another one, or stop what uses it.`;
  if (code === 'EACCES')
    return `This user isn't allowed to listen on port ${port} or write to ${config.dataDir}.`;
  if (code === 'EADDRNOTAVAIL')
    return `This machine doesn't have the address ${config.host}. Set HOST to one it has.`;
  return error instanceof Error ? error.message : String(error);
}

function stopWith(
  running: RunningServer,
  options: { readonly code: number; readonly withinMs: number },
): void {
  const late = setTimeout(() => process.exit(EXIT_FAILED), options.withinMs);
  late.unref();
  running.close().then(
    () => process.exit(options.code),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : String(error));
      process.exit(EXIT_FAILED);
    },
  );
}

/** How long a server may go on answering before it begins to shut down. */
const longestDrainMs = ({ drainMs, databaseUrl }: Config) =>
  drainMs ?? (databaseUrl === null ? 0 : USUAL_DRAIN_MS);

async function main(): Promise<void> {
  process.umask(0o077);
  const config = configuration();
  const write = (line: string) => void process.stdout.write(line);
  const log = createLogger({ level: config.logLevel, clock: systemClock, write });
  let running: RunningServer | undefined;
  let isStopping = false;

  const defect = (event: string) => (error: unknown) => {
    log.error(event, errorDetail(error));
    // State may be broken: acknowledged data is on disk, so finish and exit.
    if (!running || isStopping) process.exit(EXIT_FAILED);
    isStopping = true;
    stopWith(running, { code: EXIT_FAILED, withinMs: DEFECT_DRAIN_MS });
  };
  process.on('uncaughtException', defect('uncaught_exception'));
  process.on('unhandledRejection', defect('unhandled_rejection'));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping || !running) process.exit(EXIT_FAILED);
      isStopping = true;
      stopWith(running, { code: 0, withinMs: SHUTDOWN_MS + longestDrainMs(config) });
    });
  }

  const start = async (settings: Config) => {
    const started = await startServer(settings, { write });
    void started.failed.then((error) => {
      if (!(error instanceof OtherDatabaseError) || isStopping) return defect('database_failed')(error);
      log.error('database_changed', errorDetail(error));
      running = undefined;
      void beginAnew(started, settings);
    });
    return started;
  };
  /** Nothing is answered meanwhile. Servers of one database do not all come back at the same moment. */
  const beginAnew = async (ended: RunningServer, settings: Config) => {
    // Connections to a machine that is gone end only when their patience does.
    const late = setTimeout(() => process.exit(EXIT_FAILED), SHUTDOWN_MS);
    await ended.close().catch((error: unknown) => log.error('not_closed', errorDetail(error)));
    clearTimeout(late);
    const givesUpAt = performance.now() + GIVES_UP_MS;
    for (let waitMs = FIRST_AGAIN_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_AGAIN_MS)) {
      await delay(waitMs * (1 + Math.random()));
      try {
        running = await start({ ...settings, port: ended.port });
        console.log(`Posthaste is ready at ${running.url}`);
        return;
      } catch (error) {
        log.error('not_started', errorDetail(error));
        if (error instanceof NodeRefusedError || performance.now() > givesUpAt) {
          console.error(reason(error, config));
          process.exit(EXIT_FAILED);
        }
      }
    }
  };

  try {
    running = await start(config);
  } catch (error) {
    console.error(reason(error, config));
    process.exit(EXIT_FAILED);
  }
  for (const [key, name] of Object.entries(WITHOUT_EFFECT))
    if (config[key as keyof Config] !== null)
      console.error(`${name} is set, but this version doesn't use it.`);
  if (running.mailPort !== null)
    console.log(`Mail for ${config.mailDomain} is received on port ${running.mailPort}`);
  console.log(setUpBlock(config));
  if ((await running.services.readiness.state()) === 'read only')
    console.error(
      "The server can't write (is the disk full?). It can still read, and people can sign in and out.",
    );
  console.log(`Posthaste is ready at ${running.url}`);
}

await main();
