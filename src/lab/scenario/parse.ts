/** Reads a scenario file: every problem at once with its place, or scenarios ready to run. */
import type { Scenario, SourcedManifest } from './types.ts';
import { type Position, inReadingOrder, showValue, type Problem, positionOf, readYaml, type Located } from '../../grammar/yaml/index.ts';
import { check } from './check.ts';
import { checkFaults } from './check-faults.ts';
import { checkPatches } from './check-patches.ts';
import { checkTimes } from './check-times.ts';
import { compileScenario, type RawScenario } from './compile.ts';
import { memberAt, note, type CheckContext } from './context.ts';
import type { Vocabulary } from './fields.ts';
import { SCENARIO, SCENARIO_API_VERSION, SCENARIO_KIND } from './format.ts';
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
  const raw: { readonly read: RawScenario; readonly document: Located }[] = [];
  const names = new Map<string, Position>();
  let scenarioCount = 0;
  for (const document of documents) {
    if (!isScenario(document)) {
      manifests.push(...readManifest(document, '', { ...context, allowUnknown: documents.some(allowsUnknown) }, false));
      continue;
    }
    scenarioCount++;
    checkName(document, names, context);
    const allowUnknown = allowsUnknown(document);
    const read = check(SCENARIO, document, '', { ...context, allowUnknown });
    if (read === undefined) continue;
    checkTimes(read, document, context);
    if (!allowUnknown) checkPatches(document, context);
    raw.push({ read, document });
  }
  if (scenarioCount === 0 && malformed.length === 0)
    note(
      context,
      documents[0] ?? { file: options.file, line: 1, col: 1 },
      '',
      `a document with apiVersion: ${SCENARIO_API_VERSION} and kind: ${SCENARIO_KIND}`,
      documents.length === 0 ? 'nothing' : 'only other documents',
    );
  const scenarios = raw.map(({ read, document }) => {
    const scenario = compileScenario(read, manifests, context.places);
    checkFaults(scenario, document, context);
    return scenario;
  });
  return context.problems.length > 0 ? { problems: inReadingOrder(context.problems) } : { scenarios };
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

const allowsUnknown = (document: Located): boolean =>
  isScenario(document) && memberAt(document, 'spec', 'allowUnknownFields')?.plain === true;

function checkName(document: Located, names: Map<string, Position>, context: CheckContext): void {
  const name = memberAt(document, 'metadata', 'name');
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
