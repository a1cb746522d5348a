/** `serve [PATH]`: serves a cluster over HTTP for kubectl and API clients, with its virtual time under `/sim/v1/`. */
import { formatInstant, parseInstant } from '../../../lab/scenario/index.ts';
import { LATEST_START_MS, present } from '../../../schema/values/index.ts';
import { once } from 'node:events';
import { createSession, createWorlds, kubeconfigFor, listen } from '../../http/index.ts';
import type { ClockMode, Credentials, Listening, Session } from '../../http/index.ts';
import { MAX_OBJECTS } from '../../../apiserver/handlers/index.ts';
import { shellWord } from '../../report/index.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import { BadInput } from '../exit.ts';
import type { Io } from '../io.ts';
import { readCount, readDomain, readRules, readSeed, readWord, RULES, ONE_SCENARIO } from '../options.ts';
import { withPage } from '../serve/page.ts';
import { accessFrom, readFile, writeKubeconfig, gateFor, securedBy } from '../serve/access.ts';
import { dumpIn, FROM } from '../dump.ts';
import { FORCE_TEXT, refuseOverwrite } from '../files.ts';
import { openAuditLog, requestLog } from '../serve/log.ts';
import { readWebhooks, WEBHOOK } from '../serve/webhooks.ts';
import { JOB_PODS_RUN_FOR, startFrom, type StartOptions } from '../serve/start.ts';

const MODES: readonly ClockMode[] = ['manual', 'auto', 'realtime'];
const FASTEST = 100_000;

const AFTER = `
How a pod ends: containers follow annotations of their pod, in seconds of virtual time.
  sim.orch.io/exit-after: "5"      they exit 5 s after they started; without it they run until the pod is deleted
                                   (pods of a Job, in a cluster without a scenario: ${JOB_PODS_RUN_FOR})
  sim.orch.io/exit-code: "1,1,0"   with these codes, one for each attempt, the last repeats; without it with 0
  sim.orch.io/start-delay: "2"     they start 2 s after the pod was scheduled; without it at once
  sim.orch.io/ready-delay: "3"     they are ready 3 s after that; without it at once
  sim.orch.io/term-delay: "20"     after a stop signal they take 20 s, at most the pod's grace period; without it no time
  sim.orch.io/term-code: "0"       and exit with this code; without it with 143
What a pod uses, for kubectl top and autoscalers: spec.cluster.usage of a scenario, or annotations.
  sim.orch.io/cpu: 250m            CPU usage
  sim.orch.io/memory: 100Mi        memory usage
Most of a template can be written in a scenario too: orchsim schema scenario, under spec.cluster.podBehaviors.

Authentication: with --auth, tokens of its file, tokens of service accounts (kubectl create token), certificates
that --client-ca signed. The kubeconfig logs in as the file's first member of system:masters, or, where it has none,
with a certificate of system:masters made at start.
`;

const options = [
  ['--port <n>', 'the port; 0 for any free port', '8080'],
  ['--host <address>', 'the address to listen on', '127.0.0.1'],
  ['--domain <domain>', "orch.io or k8s.io; kubectl knows the second (default: the scenario's)"],
  RULES,
  [
    '--clock <mode>',
    'manual: time advances on request; auto: to the next event while clients wait; realtime: with the clock of the host',
    'auto',
  ],
  ['--speed <n>', 'virtual seconds for each second of a realtime clock', '1'],
  [
    '--start <instant>',
    "the start of virtual time: now, or such as 2024-03-01T00:00:00Z (default: the scenario's; with a realtime clock now)",
  ],
  ['--seed <n>', "instead of the scenario's own"],
  ONE_SCENARIO,
  ...FROM,
  ['--kubeconfig <file>', 'writes the configuration that clients need'],
  ['--force', `with --kubeconfig: ${FORCE_TEXT}`],
  ['--auth <file>', 'authorizes requests by roles and bindings; the file has lines token,user,uid,"group1,group2"'],
  ['--anonymous', 'with --auth: accepts requests without a token, as the anonymous user'],
  ['--allow-origin <url>', 'accepts requests from pages of this origin, such as http://localhost:3000; may be given several times', []],
  WEBHOOK,
  ['--max-objects <n>', `the limit of stored objects, Events excluded (default: the scenario's, or ${MAX_OBJECTS})`],
  [
    '--tls <mode>',
    'on: HTTPS only; both: also plain HTTP on the same port; off (default: both with --auth; on with --auth and a public address; else off)',
  ],
  ['--tls-cert <file>', 'the server certificate with its chain; without it, one is made at start'],
  ['--tls-key <file>', 'its key'],
  ['--tls-ca <file>', 'the CA for the kubeconfig (default: the certificate itself)'],
  ['--client-ca <file>', 'accepts client certificates that it signed: common name = user, organisations = groups'],
  [
    '--audit-log <file>',
    'writes a line of audit.k8s.io/v1 for each request that reaches the cluster, up to its first reset; import reads them',
  ],
  ['--compat', 'also answers requests of later releases that v1.24 does not know: kubectl auth whoami, lists as watches'],
  ['--log-level <level>', 'trace, debug, info (a line a request), warn, error or silent', 'warn'],
  ['--json', 'prints address, token and kubeconfig as JSON in one line, for tests in other languages'],
] as const;
type Options = OptionsOf<typeof options>;

export const command = defineCommand({
  arguments: [['[path]', 'a scenario, which is run to its end first; without one, three nodes and nothing on them, or the dump of --from']],
  options,
  after: AFTER,
  act: ({ io }, given, path) => run(path, given, io),
});

async function run(path: string | undefined, options: Options, io: Io): Promise<void> {
  const { kubeconfig } = options;
  const auditLog = options.auditLog === undefined ? undefined : openAuditLog(options.auditLog, options.force, io);
  if (kubeconfig !== undefined && !options.force) refuseOverwrite(kubeconfig, '--kubeconfig', io.cwd);
  const { clock, speed } = readClock(options);
  const port = readPort(options.port);
  const gate = gateFor(options.allowOrigin);
  const log = requestLog(options.logLevel, io);
  const read = (file: string): string => readFile(file, io);
  const auth = accessFrom(options.auth, options.anonymous, read);
  const secured = await securedBy(options, read);
  const given = present({ name: options.scenario, observing: auditLog?.observing, certificateAuthority: secured.signer });
  const start = startFrom(path, { ...readStart(options, clock), ...given }, { ...io, from: dumpIn(options) });
  // kubectl asks for a user name and a password where a server has HTTPS and the kubeconfig has no credentials.
  const openToken = secured.tls === undefined ? undefined : OPEN_TOKEN;
  const address = { is: '' };
  const configOf = (at: string, credentials: Credentials): string =>
    kubeconfigFor(`${address.is}${at}`, { ca: secured.credentials.ca, ...credentials });
  const worlds = createWorlds({
    open: (streams, others) =>
      createSession({
        start,
        clock,
        speed,
        compat: options.compat,
        worlds: others,
        watched: () => streams.open > 0,
        onReset: streams.end,
        ...(auth === undefined ? {} : { access: auth.access }),
      }),
    // With --auth, who asks for a world enters it with the same token; a certificate is not copied.
    kubeconfig: (at, token) => configOf(at, { token: auth === undefined ? openToken : token }),
  });
  const session = worlds.first;
  let listening: Listening;
  for (const trouble of session.current.start.troubles) io.err(`${trouble}\n`);
  try {
    listening = await listen(withPage(worlds.answer), {
      port,
      host: options.host,
      tls: secured.tls,
      gate,
      admit: worlds.admit,
      ...log,
    });
  } catch (error) {
    worlds.stop();
    throw new BadInput(`${isAboutHost(error) ? '--host' : '--port'}: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    const host = `${options.host.includes(':') ? `[${options.host}]` : options.host}:${listening.port}`;
    const server = (address.is = `${secured.tls === undefined ? 'http' : 'https'}://${host}`);
    const token = auth === undefined ? OPEN_TOKEN : auth.adminToken;
    const { client } = secured.credentials;
    const config = configOf('', token === undefined ? { client } : { token: auth === undefined ? openToken : token });
    if (kubeconfig !== undefined) writeKubeconfig(kubeconfig, config, io);
    const plain = secured.tls?.plainToo === true ? `http://${host}` : undefined;
    io.out(announced({ server, plain, port: listening.port, token, config }, session, options));
    await untilStopped(io);
  } finally {
    worlds.stop();
    await listening.close();
    auditLog?.close();
  }
}

/** Whether the error is about the address: this machine does not have it, or the name does not resolve. Other errors are about the port. */
const isAboutHost = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'].includes(String(error.code));

/** `plain`: the address that accepts plain HTTP as well; `token` authenticates an administrator, without it a certificate does. */
interface Address extends Readonly<Record<'server' | 'config', string>>, Readonly<Record<'plain' | 'token', string | undefined>> {
  readonly port: number;
}

/** Without --auth every request is accepted, with any token. */
const OPEN_TOKEN = 'orchsim';

function announced(
  { server, plain, port, token, config: text }: Address,
  { current: { start, clock } }: Session,
  { kubeconfig, json }: Options,
): string {
  const { domain } = start.cluster.names;
  if (json) {
    // A test in another language starts from this line: where to send requests, with which token, or the whole kubeconfig.
    const more = present({ plain, token, kubeconfig, kubeconfigText: text });
    return `${JSON.stringify({ server, port, clock: clock.mode, domain, ...more })}\n`;
  }
  const time = clock.mode === 'realtime' ? `realtime at ${clock.speed}x` : clock.mode;
  const config = kubeconfig === undefined ? '' : `KUBECONFIG=${shellWord(kubeconfig)}; `;
  const too = plain === undefined ? '' : ` (and ${plain})`;
  return `${server}${too} serves ${start.scenario ?? 'a cluster'} (names of ${domain}, clock ${time}); ${config}Ctrl-C ends it\n`;
}

function readClock({ clock, speed }: Options): { readonly clock: ClockMode; readonly speed: number } {
  const mode = readWord('--clock', clock, MODES);
  const times = Number(speed);
  if (!(times > 0 && times <= FASTEST))
    throw new BadInput(`--speed: expected a number above 0 and at most ${FASTEST}, found ${JSON.stringify(speed)}`);
  return { clock: mode, speed: times };
}

function readStart({ domain, rules, seed, start, maxObjects, webhook }: Options, clock: ClockMode): StartOptions {
  const startAt = start === undefined ? (clock === 'realtime' ? now() : undefined) : readInstant(start);
  return {
    ...(domain === undefined ? {} : { domain: readDomain(domain) }),
    rules: readRules(rules),
    webhooks: readWebhooks(webhook),
    ...(seed === undefined ? {} : { seed: readSeed(seed) }),
    ...(maxObjects === undefined ? {} : { maxObjects: readCount('--max-objects', maxObjects) }),
    ...(startAt === undefined ? {} : { startAt, ...(start === undefined ? { onlyEmpty: true } : {}) }),
  };
}

/** The time of the host, rounded down to seconds, in milliseconds. */
const now = (): number => Math.floor(Date.now() / 1000) * 1000;

export function readInstant(text: string): number {
  if (text === 'now') return now();
  const at = parseInstant(text);
  if (at === undefined)
    throw new BadInput(`--start: expected now or an instant such as 2024-03-01T00:00:00Z, found ${JSON.stringify(text)}`);
  if (at > LATEST_START_MS) throw new BadInput(`--start: expected an instant up to ${formatInstant(LATEST_START_MS)}, found ${text}`);
  return at;
}

function readPort(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 0 && port <= 65_535)) throw new BadInput(`--port: expected a whole number from 0 to 65535, found ${JSON.stringify(text)}`);
  return port;
}

const untilStopped = ({ stop }: Io): Promise<unknown> =>
  Promise.race([
    ...(stop === undefined ? [] : [stop.aborted ? undefined : once(stop, 'abort')]),
    once(process, 'SIGINT'),
    once(process, 'SIGTERM'),
  ]);
