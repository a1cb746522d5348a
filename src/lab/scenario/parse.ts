/** Reads a scenario file: every problem at once with its place, or scenarios ready to run. */
import { formatDurationMs } from '../../grammar/values/index.ts';
import type { Scenario, SourcedManifest } from './types.ts';
import {
  type Position,
  inReadingOrder,
  joinPath,
  showValue,
  type Problem,
  positionOf,
  readYaml,
  type Located,
} from '../../grammar/yaml/index.ts';
import { check } from './check.ts';
import { compileScenario, type RawScenario } from './compile.ts';
import { note, type CheckContext } from './context.ts';
import type { Vocabulary } from './fields.ts';
import { SCENARIO, SCENARIO_API_VERSION, SCENARIO_KIND } from './format.ts';
import { checkInvariants } from './read-invariants.ts';
import { readManifest } from './read-manifests.ts';

export interface ParseOptions extends Vocabulary {
  /** How messages name the text. */
  readonly file: string;
  /**
   * The text of a file that the one named `from` refers to, `path` as it says; undefined if there is none. Absent: files cannot refer to
   * others.
   */
  readonly readFile?: (path: string, from: string) => string | undefined;
}

/** The one scenario of a text. */
export function parseScenario(
  text: string,
  options: ParseOptions,
): { readonly scenario: Scenario } | { readonly problems: readonly Problem[] } {
  const parsed = parseScenarios(text, options);
  if ('problems' in parsed) return parsed;
  const [scenario, second] = parsed.scenarios;
  if (scenario !== undefined && second === undefined) return { scenario };
  const at = second?.source ?? { file: options.file, line: 1, col: 1 };
  return { problems: [{ ...at, path: '', expected: 'one scenario', found: `${parsed.scenarios.length}` }] };
}

/** All scenarios of a text (at least one); the plain manifests beside them belong to each. */
export function parseScenarios(
  text: string,
  options: ParseOptions,
): { readonly scenarios: readonly Scenario[] } | { readonly problems: readonly Problem[] } {
  const { documents, problems: malformed } = readYaml(text, options.file);
  const context: CheckContext = { vocabulary: options, problems: [...malformed], readFile: options.readFile, places: new WeakMap() };
  const manifests: SourcedManifest[] = [];
  const raw: RawScenario[] = [];
  const names = new Map<string, Position>();
  let scenarioCount = 0;
  for (const document of documents) {
    if (!isScenario(document)) {
      manifests.push(...readManifest(document, '', context, false));
      continue;
    }
    scenarioCount++;
    checkName(document, names, context);
    const read = check(SCENARIO, document, '', context);
    if (read === undefined) continue;
    checkTimes(read, document, context);
    checkInvariants(at(document, 'spec', 'invariants'), context);
    raw.push(read);
  }
  if (scenarioCount === 0 && malformed.length === 0)
    note(
      context,
      documents[0] ?? { file: options.file, line: 1, col: 1 },
      '',
      `a document with apiVersion: ${SCENARIO_API_VERSION} and kind: ${SCENARIO_KIND}`,
      documents.length === 0 ? 'nothing' : 'only other documents',
    );
  if (context.problems.length > 0) return { problems: inReadingOrder(context.problems) };
  return { scenarios: raw.map((each) => compileScenario(each, manifests, context.places)) };
}

/** The objects of a file of plain manifests. */
export function parseManifests(
  text: string,
  options: ParseOptions,
): { readonly manifests: readonly SourcedManifest[] } | { readonly problems: readonly Problem[] } {
  const { documents, problems } = readYaml(text, options.file);
  const context: CheckContext = { vocabulary: options, problems: [...problems], readFile: options.readFile, places: new WeakMap() };
  const manifests = documents.flatMap((document) => readManifest(document, '', context, false));
  return context.problems.length > 0 ? { problems: inReadingOrder(context.problems) } : { manifests };
}

/** Meant as a scenario: either mark will do, so that a misspelt other one is reported as such. */
function isScenario(document: Located): boolean {
  if (document.shape !== 'map') return false;
  const { apiVersion, kind } = document.plain;
  return kind === SCENARIO_KIND || (typeof apiVersion === 'string' && apiVersion.startsWith('scenario.'));
}

function checkName(document: Located, names: Map<string, Position>, context: CheckContext): void {
  const name = at(document, 'metadata', 'name');
  if (name === undefined || typeof name.plain !== 'string') return;
  const first = names.get(name.plain);
  if (first === undefined) names.set(name.plain, positionOf(name));
  else
    note(
      context,
      name,
      'metadata.name',
      'a name that no other scenario of the file has',
      `${showValue(name.plain)} (also at line ${first.line})`,
    );
}

const at = (node: Located | undefined, ...path: readonly string[]): Located | undefined =>
  path.reduce((inner: Located | undefined, key) => (inner?.shape === 'map' ? inner.entries.get(key)?.value : undefined), node);

/**
 * Times that contradict one another: a step after the end, a range upside down. A step whose time has passed is none: it starts at once, as
 * recorded bursts do.
 */
function checkTimes({ spec }: RawScenario, document: Located, context: CheckContext): void {
  const steps = at(document, 'spec', 'steps');
  if (steps?.shape === 'list') {
    for (const [index, item] of steps.items.entries()) {
      const node = at(item, 'at');
      const time = node === undefined ? undefined : check({ type: 'duration', description: '' }, node, '', { ...context, problems: [] });
      if (node === undefined || time === undefined) continue;
      const path = joinPath(`spec.steps[${index}]`, 'at');
      if (spec.until !== undefined && time > spec.until)
        note(context, node, path, `a time before the run ends (until: ${formatDurationMs(spec.until)})`, formatDurationMs(time));
    }
  }
  for (const name of ['api', 'watch'] as const) {
    const range = spec.cluster?.latency?.[name];
    const node = at(document, 'spec', 'cluster', 'latency', name);
    if (typeof range === 'object' && range.min > range.max && node !== undefined)
      note(
        context,
        node,
        `spec.cluster.latency.${name}`,
        'min not above max',
        `${formatDurationMs(range.min)} and ${formatDurationMs(range.max)}`,
      );
  }
}
