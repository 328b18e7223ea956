// The server process: environment in, signals, exit codes. `Posthaste is ready at <url>` is printed when requests are
// answered. SIGTERM and SIGINT end it in good order, a second signal at once. A defect nobody caught ends it too.
import { readConfig, type Config } from './config.ts';
import { createLogger, errorDetail } from './observe/log.ts';
import { systemClock } from './clock.ts';
import { startServer, type RunningServer } from './server.ts';

const EXIT_FAILED = 1;
const EXIT_CONFIGURATION = 2;
const SHUTDOWN_MS = 15_000;
const DEFECT_DRAIN_MS = 5_000;

/** Variables for parts that this version does not have: setting one must not look as if it did something. */
const WITHOUT_EFFECT: Readonly<Partial<Record<keyof Config, string>>> = {
  filesHost: 'FILES_HOST',
};

function configuration(): Config {
  const result = readConfig(process.env);
  if (result.ok) return result.config;
  for (const problem of result.problems) console.error(problem);
  console.error('Nothing was started. docs/configuration.md lists what can be set.');
  process.exit(EXIT_CONFIGURATION);
}

function reason(error: unknown, config: Config): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const isMail = (error as { port?: unknown } | null)?.port === config.mailPort && config.mailPort !== 0;
  const [name, port] = isMail ? ['MAIL_PORT', config.mailPort] : ['PORT', config.port];
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use already. Set ${name} to another one, or stop what uses it.`;
  if (code === 'EACCES') return `This user may not listen on port ${port} or write to ${config.dataDir}.`;
  if (code === 'EADDRNOTAVAIL')
    return `This machine does not have the address ${config.host}. Set HOST to one it has.`;
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

async function main(): Promise<void> {
  process.umask(0o077);
  const config = configuration();
  const write = (line: string) => void process.stdout.write(line);
  const log = createLogger({ level: config.logLevel, clock: systemClock, write });
  let running: RunningServer | undefined;
  let isStopping = false;

  const defect = (event: string) => (error: unknown) => {
    log.error(event, errorDetail(error));
    // State may be broken: what is acknowledged is on disk, so finish and leave.
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
      stopWith(running, { code: 0, withinMs: SHUTDOWN_MS });
    });
  }

  try {
    running = await startServer(config, { write });
    void running.failed.then(defect('database_failed'));
  } catch (error) {
    console.error(reason(error, config));
    process.exit(EXIT_FAILED);
  }
  for (const [key, name] of Object.entries(WITHOUT_EFFECT))
    if (config[key as keyof Config] !== null)
      console.error(`${name} is set, but this version has no use for it.`);
  if (running.mailPort !== null)
    console.log(`Mail for ${config.mailDomain} is received on port ${running.mailPort}`);
  console.log(`Posthaste is ready at ${running.url}`);
}

await main();
