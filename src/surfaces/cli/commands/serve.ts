/** `serve [PATH]`: a cluster over HTTP, as kubectl and API clients know it, with its virtual time under `/sim/v1/`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSession, kubeconfigFor, listen, type ClockMode, type Listening, type SessionOptions } from '../../http/index.ts';
import { MAX_OBJECTS } from '../../../apiserver/verbs/index.ts';
import type { CommandModule } from '../command.ts';
import { BadInput, EXIT } from '../exit.ts';
import type { Io } from '../io.ts';
import { readCount, readDomain, readRules, readSeed, RULES_TEXT } from '../options.ts';
import { accessFrom, type AuthOptions } from '../serve/auth.ts';
import { gateFor, severalTimes, type GateArguments } from '../serve/gate.ts';
import { requestLog } from '../serve/log.ts';
import { startFrom } from '../serve/start.ts';

interface Options extends AuthOptions, GateArguments {
  readonly port: string;
  readonly host: string;
  readonly domain?: string;
  readonly rules?: string;
  readonly clock: string;
  readonly speed: string;
  readonly seed?: string;
  readonly scenario?: string;
  readonly kubeconfig?: string;
  readonly logLevel: string;
  readonly json?: boolean;
  readonly maxObjects?: string;
}

const MODES: readonly ClockMode[] = ['manual', 'auto', 'realtime'];
const FASTEST = 100_000;

export const serve: CommandModule = {
  define(command, { io, action }) {
    command
      .argument('[path]', 'a scenario, which is run to its end first; without one, three nodes and nothing on them')
      .option('--port <n>', 'where to listen; 0 for any free port', '8080')
      .option('--host <address>', 'on which address', '127.0.0.1')
      .option('--domain <domain>', "orch.io or k8s.io; kubectl knows the second (default: the scenario's)")
      .option('--rules <mode>', RULES_TEXT)
      .option(
        '--clock <mode>',
        'manual: time moves when it is told to; auto: to the next event while clients wait; realtime: by itself',
        'auto',
      )
      .option('--speed <n>', 'virtual seconds a second of a realtime clock', '1')
      .option('--seed <n>', "instead of the scenario's own")
      .option('--scenario <name>', 'the scenario of this name, where a file has several')
      .option('--kubeconfig <file>', 'writes the configuration that clients need')
      .option('--auth <file>', 'judges access by roles and bindings; the file has lines token,user,uid,"group1,group2"')
      .option('--anonymous', 'with --auth: lets requests without a token in, as nobody in particular')
      .option(
        '--allow-origin <url>',
        'lets pages of this origin ask, such as http://localhost:3000; may be given several times',
        severalTimes,
        [],
      )
      .option('--max-objects <n>', `how many objects there may be, Events apart (default: the scenario's, or ${MAX_OBJECTS})`)
      .option('--log-level <level>', 'trace, debug, info (a line a request), warn, error or silent', 'warn')
      .option('--json', 'says where it listens as JSON')
      .action(action((path: string | undefined, options: Options) => run(path, options, io)));
  },
};

async function run(path: string | undefined, options: Options, io: Io): Promise<number> {
  const { kubeconfig, json } = options;
  const clock = MODES.find((mode) => mode === options.clock);
  if (clock === undefined) throw new BadInput(`--clock: expected one of ${MODES.join(', ')}, found ${JSON.stringify(options.clock)}`);
  const speed = Number(options.speed);
  if (!(speed > 0 && speed <= FASTEST))
    throw new BadInput(`--speed: expected a number above 0 and at most ${FASTEST}, found ${JSON.stringify(options.speed)}`);
  const port = readPort(options.port);
  const gate = gateFor(options);
  const log = requestLog(options.logLevel, io);
  const auth = accessFrom(options, (file) => readFile(file, io));
  let listening: Listening | undefined;
  const sessionOptions: SessionOptions = {
    start: startFrom(
      path,
      {
        ...(options.domain === undefined ? {} : { domain: readDomain(options.domain) }),
        rules: readRules(options.rules),
        ...(options.seed === undefined ? {} : { seed: readSeed(options.seed) }),
        ...(options.maxObjects === undefined ? {} : { maxObjects: readCount('--max-objects', options.maxObjects) }),
        ...(options.scenario === undefined ? {} : { name: options.scenario }),
        ...(clock === 'realtime' ? { startAt: Math.floor(Date.now() / 1000) * 1000 } : {}),
      },
      io.cwd,
    ),
    clock,
    speed,
    watched: () => (listening?.streams ?? 0) > 0,
    onReset: () => {
      listening?.endStreams();
    },
    ...(auth === undefined ? {} : { access: auth.access }),
  };
  const session = createSession(sessionOptions);
  for (const trouble of session.current.start.troubles) io.err(`${trouble}\n`);
  try {
    listening = await listen(session.answer, {
      port,
      host: options.host,
      gate,
      onServed: log.served,
      onFailure: log.failed,
    });
  } catch (error) {
    session.stop();
    throw new BadInput(`--port: ${error instanceof Error ? error.message : String(error)}`);
  }
  const server = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${listening.port}`;
  if (kubeconfig !== undefined) writeKubeconfig(resolve(io.cwd, kubeconfig), kubeconfigFor(server, auth?.adminToken));
  const { names } = session.current.start.cluster;
  if (json === true)
    io.out(
      `${JSON.stringify({ server, port: listening.port, clock, domain: names.domain, ...(kubeconfig === undefined ? {} : { kubeconfig }) })}\n`,
    );
  else
    io.out(
      `${server} serves ${session.current.start.scenario ?? 'a cluster'} (names of ${names.domain}, clock ${clock}${clock === 'realtime' ? ` at ${speed}x` : ''}); ${kubeconfig === undefined ? '' : `KUBECONFIG=${kubeconfig}; `}Ctrl-C ends it\n`,
    );
  await untilStopped(io);
  session.stop();
  await listening.close();
  return EXIT.held;
}

function readPort(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 0 && port <= 65_535)) throw new BadInput(`--port: expected a whole number from 0 to 65535, found ${JSON.stringify(text)}`);
  return port;
}

function readFile(file: string, { cwd }: Io): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new BadInput(`${file}: it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function writeKubeconfig(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    throw new BadInput(`--kubeconfig: ${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A signal of the terminal, or of whoever runs the command. */
function untilStopped({ stop }: Io): Promise<void> {
  return new Promise((done) => {
    if (stop?.aborted === true) {
      done();
      return;
    }
    stop?.addEventListener(
      'abort',
      () => {
        done();
      },
      { once: true },
    );
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        done();
      });
  });
}
