/** `drive PATH -- COMMAND…`: runs a scenario with programs as its operators. */
import { redacted, traceLines, formatSince } from '../../../lab/trace/index.ts';
import { drive, type Driven, type Command } from '../../drive/index.ts';
import { explain, factsLine, failureLines, lintWarningLines, runLine, runsJson, summarize } from '../../report/index.ts';
import { defineCommand, type OptionsOf } from '../command.ts';
import {
  checkInCluster,
  DRIVE_OPTIONS,
  readCommands,
  readDrive,
  SERVED_OPTIONS,
  undrivableLines,
  servedScenario,
  driveCommand,
} from '../drive/options.ts';
import { EXIT, exitCodeOf } from '../exit.ts';
import { FORCE_TEXT, refuseOverwrite, writeWhole, openWhole } from '../files.ts';
import { fitted, type Io } from '../io.ts';
import { loadOne, underRules, type LoadedScenario } from '../load.ts';
import { ONE_SCENARIO, readRules, readSeed, RULES } from '../options.ts';
import { timelineSink } from '../run/sinks.ts';

const AFTER = `
The command gets a kubeconfig of its own: in KUBECONFIG, and wherever its words have {kubeconfig}; {server}, {token} and {name} are replaced
too. Several commands are separated by --and. Examples:
  orchsim drive scenario.yaml --domain k8s.io -- ./my-operator --kubeconfig={kubeconfig}
  orchsim drive scenario.yaml --replicas 2 --timers 2s -- ./my-operator --leader-elect
  orchsim drive scenario.yaml --trace run.jsonl -- node one.mjs --and node two.mjs
orchsim help operators says how time passes, and which faults there are.
`;

const options = [
  ...DRIVE_OPTIONS,
  ['-v, --verbose', 'a timeline, with the lines of the programs; -vv also deliveries', 0],
  ...SERVED_OPTIONS,
  ['--seed <n>', "instead of the scenario's own"],
  ONE_SCENARIO,
  RULES,
  ['--trace <file>', 'writes every entry as a JSON line, and beside it the log of each program with virtual times, FILE.NAME.log'],
  ['--force', `with --trace: ${FORCE_TEXT}`],
  ['--show-secrets', 'timelines and traces hold what Secrets hold, instead of <redacted 1> and so on'],
  ['--json', 'the result as JSON'],
] as const;
type Options = OptionsOf<typeof options>;

export const command = defineCommand({
  arguments: [
    ['<path>', 'a scenario'],
    ['[command...]', 'after --: the program and its arguments'],
  ],
  options,
  after: AFTER,
  act: ({ io }, given, path, words) => run(path, words, given, io),
});

async function run(path: string, words: readonly string[], given: Options, io: Io): Promise<number> {
  const loaded = underRules(loadOne(path, io, given.scenario), readRules(given.rules));
  const scenario = servedScenario(loaded, given);
  const { replicas, ...how } = readDrive(given, scenario, io.cwd);
  const commands = readCommands(words, scenario, replicas, io.cwd);
  checkInCluster(how, commands);
  const seed = given.seed === undefined ? scenario.seed : readSeed(given.seed);
  if (given.trace !== undefined && !given.force) refuseOverwrite(given.trace, '--trace', io.cwd);
  const logs = given.trace === undefined ? undefined : openLogs(given.trace, commands, io);
  const timeline = given.verbose > 0 && !given.json ? timelineSink(io, scenario, given.verbose, given.showSecrets) : undefined;
  try {
    const driven = await undrivableLines(() =>
      drive({
        ...how,
        scenario,
        seed,
        commands,
        definitions: loaded.plugins.definitions,
        cwd: io.cwd,
        signal: io.stop ?? io.interruption?.(),
        onEntry: (entry, step) => timeline?.({ type: 'entry', entry, step }),
        onLine(client, text, _stream, at) {
          logs?.line(client, text, at);
          if (timeline !== undefined) io.out(`${io.palette.dim(`${' '.repeat(11)}${client} prints: ${text}`)}\n`);
        },
      }),
    );
    if (given.trace !== undefined) writeTrace(driven, given.trace, given.showSecrets, io);
    return report(driven, { loaded, words, logs }, given, io);
  } finally {
    logs?.close();
  }
}

function writeTrace({ run: { trace, scenario, seed } }: Driven, path: string, showSecrets: boolean, { cwd }: Io): void {
  if (trace === undefined) return;
  const { name, startAt, domain } = scenario;
  const lines = traceLines({ trace: 'orchsim/v1', scenario: name, seed, startAt, domain }, showSecrets ? trace : redacted(trace));
  writeWhole({ option: '--trace', path, cwd }, `${[...lines].join('\n')}\n`);
}

interface Reported {
  readonly loaded: LoadedScenario;
  readonly words: readonly string[];
  readonly logs: ReturnType<typeof openLogs> | undefined;
}

function report({ run, complaints, cost, interrupted }: Driven, { loaded, words, logs }: Reported, given: Options, io: Io): number {
  const code = interrupted ? EXIT.interrupted : exitCodeOf([run.verdict]);
  const summary = summarize(run, loaded.file, loaded.flags);
  const shown = run.trace === undefined ? undefined : redacted(run.trace);
  const explanations = shown === undefined ? [] : run.failures.map((failure) => explain(shown, failure));
  const { palette } = io;
  if (given.json) {
    io.out(runsJson([{ run: summary, explanations, tookMs: cost.totalMs }], code));
    return code;
  }
  const more = [loaded.flags ?? [], given.trace === undefined ? '--trace run.jsonl' : []].flat();
  const again = driveCommand(loaded.file, words, given, more);
  io.out(
    fitted(
      [
        runLine(summary, palette),
        ...lintWarningLines(summary, palette),
        factsLine(summary, palette),
        palette.dim(
          `  ready after ${(cost.readyMs / 1000).toFixed(2)} s and ${cost.requests} requests; ${(cost.totalMs / 1000).toFixed(2)} s in all`,
        ),
        ...complaints.map((complaint) => palette.warn(`  ${complaint}`)),
        ...run.failures.flatMap((failure, at) => failureLines(summary, failure, explanations[at], palette)),
        ...(run.failures.length === 0 ? [] : ['', `  see it again: ${palette.strong(again)}`]),
        ...(given.trace === undefined ? [] : [`  the trace is ${given.trace}, the log ${logs?.paths.join(', ') ?? ''}`]),
        ...(interrupted ? ['  interrupted: the scenario did not come to its end'] : []),
      ],
      io,
    ),
  );
  return code;
}

const MOST_BYTES = 64 * 1024 * 1024;

/** Opens the logs: of the trace `run.jsonl` and the program my-operator, `run.my-operator.log`. */
function openLogs(trace: string, programs: readonly Command[], { cwd }: Pick<Io, 'cwd'>) {
  const logs = programs.map(({ name }) => [name, `${trace.replace(/\.[a-z]+$/i, '')}.${name}.log`] as const);
  const files = new Map(logs.map(([name, path]) => [name, { ...openWhole({ option: '--trace', path, cwd }), bytes: 0 }]));
  return {
    paths: logs.map(([, path]) => path),
    line(client: string, text: string, at: number): void {
      const file = files.get(client);
      const line = `${formatSince(at).padStart(9)}  ${text}\n`;
      if (file === undefined || file.bytes > MOST_BYTES) return;
      file.bytes += line.length;
      file.write(file.bytes > MOST_BYTES ? 'the log is cut here: it has 64 MiB\n' : line);
    },
    close(): void {
      for (const { close } of files.values()) close();
    },
  };
}
