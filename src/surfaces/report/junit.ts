/** Runs as JUnit XML: a suite for each file, a case for each scenario or seed. `time` is real, because dashboards add it up. */
import { formatParts } from '../../lab/trace/index.ts';
import type { ExplainedRun, Unread, Unrun } from './json.ts';
import { replayCommand, walkCommand } from './explain.ts';

// XML forbids control characters, even escaped. oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

const body = (text: string): string =>
  text.replace(FORBIDDEN, '�').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const escape = (text: string): string => body(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;');
const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/** A case of a suite: a run, or a run that did not take place. */
export interface JunitCase {
  readonly name: string;
  /** Milliseconds of real time; absent: none. */
  readonly tookMs?: number;
  /** Milliseconds of virtual time; absent: the case was not run. */
  readonly lengthMs?: number;
  /** Why the case could not be run. */
  readonly error?: { readonly message: string; readonly text: string };
  /** Absent or empty: the case held. */
  readonly failures?: readonly { readonly type: string; readonly message: string; readonly text: string }[];
  readonly skipped?: string;
  /** Text for `system-out`. */
  readonly says?: string;
}

export interface JunitSuite {
  /** The path of the scenario file. */
  readonly name: string;
  readonly cases: readonly JunitCase[];
  /** Text for `system-out` of the suite. */
  readonly says?: string;
}

function caseText(file: string, { name, tookMs = 0, lengthMs, error, failures = [], skipped, says }: JunitCase): string {
  const open = `    <testcase name="${escape(name)}" classname="${escape(file)}" time="${seconds(tookMs)}"`;
  if (skipped !== undefined) return `${open}>\n      <skipped message="${escape(skipped)}"/>\n    </testcase>\n`;
  const properties =
    lengthMs === undefined
      ? ''
      : `      <properties>\n        <property name="virtual-time" value="${seconds(lengthMs)}"/>\n      </properties>\n`;
  const broken =
    error === undefined ? '' : `      <error type="unreadable" message="${escape(error.message)}">${body(error.text)}</error>\n`;
  const reported = failures.map(
    ({ type, message, text }) => `      <failure type="${escape(type)}" message="${escape(message)}">${body(text)}</failure>\n`,
  );
  const said = says === undefined ? '' : `      <system-out>${body(says)}</system-out>\n`;
  return `${open}>\n${properties}${broken}${reported.join('')}${said}    </testcase>\n`;
}

const countsOf = (cases: readonly JunitCase[]): string => {
  const skipped = cases.filter((each) => each.skipped !== undefined).length;
  return `tests="${cases.length}" failures="${cases.filter(({ failures = [] }) => failures.length > 0).length}" errors="${cases.filter(({ error }) => error !== undefined).length}"${skipped === 0 ? '' : ` skipped="${skipped}"`}`;
};

/** Returns a complete document; it is valid after an interruption too. */
export function junitDocument(suites: readonly JunitSuite[]): string {
  const texts = suites.map(({ name, cases, says }) => {
    const time = seconds(cases.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0));
    const said = says === undefined ? '' : `    <system-out>${body(says)}</system-out>\n`;
    return `  <testsuite name="${escape(name)}" ${countsOf(cases)} time="${time}">\n${cases.map((each) => caseText(name, each)).join('')}${said}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="orchsim" ${countsOf(suites.flatMap(({ cases }) => cases))}>\n${texts.join('')}</testsuites>\n`;
}

/** `NAME OF THE INVARIANT: what broke`, or only this. */
export const messageOf = ({ invariant, message }: { readonly invariant?: string; readonly message: string }): string =>
  invariant === undefined ? message : `${invariant}: ${message}`;

function caseOf({ run, explanations, tookMs = 0 }: ExplainedRun): JunitCase {
  const failures = run.failures.map((failure, at) => ({
    type: failure.kind,
    message: messageOf(failure),
    text: [
      failure.message,
      ...failure.detail,
      ...(explanations[at]?.waits ?? []),
      ...(explanations[at]?.chain ?? []).map(formatParts),
      `see it again: ${replayCommand(run.file, run.seed, run.flags)}`,
    ].join('\n'),
  }));
  const { scenario: name, liveness, lengthMs } = run;
  if (liveness === undefined) return { name, tookMs, lengthMs, failures };
  const lines = [liveness.message, ...liveness.detail, `see it: ${walkCommand(run.file, run.seed, liveness, run.flags)}`];
  return { name, tookMs, lengthMs, failures, says: lines.join('\n') };
}

export const skippedCase = (name: string, skipped = 'interrupted before it was run'): JunitCase => ({ name, skipped });

/** Returns a suite for each file that could not be read. */
export const unreadSuites = (unread: readonly Unread[]): readonly JunitSuite[] =>
  unread.map(({ file, messages: [message = '', ...more] }) => ({
    name: file,
    cases: [{ name: file, error: { message, text: [message, ...more].join('\n') } }],
  }));

/** Returns the document that `run --format junit` prints. `why`: the reason of all cases that were not run. */
export function junit(runs: readonly ExplainedRun[], unrun: readonly Unrun[] = [], unread: readonly Unread[] = [], why?: string): string {
  const files = [...new Set([...runs.map(({ run }) => run.file), ...unrun.map(({ file }) => file)])];
  return junitDocument([
    ...files.map((name) => ({
      name,
      cases: [
        ...runs.filter(({ run }) => run.file === name).map(caseOf),
        ...unrun.filter(({ file }) => file === name).map(({ scenario }) => skippedCase(scenario, why)),
      ],
    })),
    ...unreadSuites(unread),
  ]);
}
