/**
 * Runs as JUnit XML, for continuous integration: a suite a file, a case a scenario. Times are virtual seconds, so that the bytes depend on
 * the seed alone.
 */
import { formatParts } from '../../lab/trace/index.ts';
import type { ExplainedRun } from './json.ts';
import { replayCommand } from './explain.ts';

// Control characters have no place in XML at all, not even escaped.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

const escape = (text: string): string =>
  text
    .replace(FORBIDDEN, '�')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
const body = (text: string): string =>
  text.replace(FORBIDDEN, '�').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function testCase({ run, explanations }: ExplainedRun): string {
  const open = `    <testcase name="${escape(run.scenario)}" classname="${escape(run.file)}" time="${seconds(run.lengthMs)}"`;
  if (run.failures.length === 0) return `${open}/>\n`;
  const failures = run.failures.map((failure, at) => {
    const lines = [
      failure.message,
      ...failure.detail,
      ...(explanations[at]?.waits ?? []),
      ...(explanations[at]?.chain ?? []).map(formatParts),
      `see it again: ${replayCommand(run.file, run.seed, run.flags)}`,
    ];
    return `      <failure type="${failure.kind}" message="${escape(failure.invariant === undefined ? failure.message : `${failure.invariant}: ${failure.message}`)}">${body(lines.join('\n'))}</failure>\n`;
  });
  return `${open}>\n${failures.join('')}    </testcase>\n`;
}

export function junit(runs: readonly ExplainedRun[]): string {
  const files = [...new Set(runs.map(({ run }) => run.file))];
  const suites = files.map((file) => {
    const own = runs.filter(({ run }) => run.file === file);
    const failed = own.filter(({ run }) => run.verdict !== 'held').length;
    const time = seconds(own.reduce((sum, { run }) => sum + run.lengthMs, 0));
    return `  <testsuite name="${escape(file)}" tests="${own.length}" failures="${failed}" errors="0" time="${time}">\n${own.map(testCase).join('')}  </testsuite>\n`;
  });
  const failed = runs.filter(({ run }) => run.verdict !== 'held').length;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="orchsim" tests="${runs.length}" failures="${failed}" errors="0">\n${suites.join('')}</testsuites>\n`;
}
