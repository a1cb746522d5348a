/** Reads a scenario file: returns all problems with their positions, or scenarios that are ready to run. */
import type { Domain } from '../../apiserver/machinery/index.ts';
import type { DumpSource, FaultCall, SourcedManifest } from './values.ts';
import type { SnapshotFile } from '../snapshot/index.ts';
import type { Scenario, ScenarioFrom } from './types.ts';
import { type Position, inReadingOrder, showValue, type Problem, positionOf, readYaml, type Located } from '../../schema/yaml/index.ts';
import { check } from './check.ts';
import { checkChoices } from './choice-format.ts';
import { checkFaults, checkLessons, checkMachines, checkProcesses, checkTimes } from './check-scenario.ts';
import { checkPatches } from './check-patches.ts';
import { compileScenario, type RawScenario } from './compile.ts';
import { memberAt, note, Reading, type CheckContext } from './context.ts';
import { withDefinitions } from './definitions-in.ts';
import type { Vocabulary } from './fields.ts';
import { SCENARIO, SCENARIO_API_VERSION, SCENARIO_KIND } from './format.ts';
import { domainOfManifests, plainScenario } from './plain.ts';
import { gatesOf, judgeDocuments, judgeSteps } from './judge.ts';
import { checkInvariants } from './read-expression.ts';
import { readFrom, vocabularyBeside } from './read-from.ts';
import { readManifest } from './read-manifests.ts';

/** The valid names, and the origin of the file, for messages and relative paths. */
export interface ParseOptions extends Vocabulary {
  readonly file: string;
  /** Returns the text of the file `path` that the file `from` names; undefined: there is none. Absent: files cannot name others. */
  readonly readFile?: (path: string, from: string) => string | undefined;
  /** Returns the texts of a dump, the path of a file or folder; undefined: it cannot be read. */
  readonly readDump?: (path: string) => readonly SnapshotFile[] | undefined;
  /** The names of manifests without a scenario; absent: orch.io. */
  readonly domain?: Domain;
  /** The dump with which every scenario of the text begins, in place of its own; paths are relative to the working directory. */
  readonly from?: DumpSource;
  /** The name of the scenario that is made from manifests without one; absent: they make none. */
  readonly plain?: string;
}

const contextOf = (options: ParseOptions, documents: readonly Located[], problems: readonly Problem[]): CheckContext => ({
  vocabulary: withDefinitions(options, documents),
  problems: [...problems],
  readFile: options.readFile,
  readDump: options.readDump,
  from: options.from,
  domain: options.domain,
  written: [],
  places: new WeakMap(),
});

/** Reads the only scenario of a text. */
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

/** Reads all scenarios of a text (at least one); the manifests of the text belong to each of them. */
export function parseScenarios(
  text: string,
  options: ParseOptions,
): { readonly scenarios: readonly Scenario[]; readonly plain?: true } | { readonly problems: readonly Problem[] } {
  const { documents, problems: malformed } = readYaml(text, options.file);
  const base = contextOf(options, documents, malformed);
  // Manifests without a scenario determine the domain themselves.
  const isPlain = options.plain !== undefined && !documents.some(isScenario);
  const context = isPlain ? { ...base, domain: domainOfManifests(documents.map((one) => memberAt(one, 'apiVersion')?.plain)) } : base;
  const scenario = documents.find(isScenario);
  const beside: CheckContext = { ...context, allowUnknown: documents.some(allowsUnknown), domain: domainOf(scenario) ?? context.domain };
  const manifests: SourcedManifest[] = [];
  const raw: { readonly read: RawScenario; readonly at: Reading; readonly from: ScenarioFrom | undefined }[] = [];
  const names = new Map<string, Position>();
  let scenarioCount = 0;
  // A file of something else altogether is told in one line below.
  const isForeign = !documents.some((document) => isScenario(document) || isObject(document));
  for (const document of isForeign ? [] : documents) {
    if (!isScenario(document)) {
      manifests.push(...readManifest(new Reading(document, '', beside)));
      continue;
    }
    scenarioCount++;
    checkName(document, names, context);
    const allowUnknown = allowsUnknown(document);
    const stated = domainOf(document);
    const from = readFrom(document, stated, context);
    const domain = stated ?? from?.snapshot.domain;
    const own: CheckContext = {
      ...context,
      vocabulary: vocabularyBeside(context.vocabulary, from),
      allowUnknown,
      domain,
      startsMayFail: expectsRefusedStart(document),
      gates: gatesOf(document),
      written: [],
    };
    const at = new Reading(document, '', own);
    const read = check(SCENARIO, at);
    judgeSteps(at);
    if (read === undefined) continue;
    const plain = new Reading(document, '', context);
    checkTimes(read, plain);
    checkChoices(plain);
    checkPatches(at);
    checkInvariants(plain);
    raw.push({ read, at: plain, from });
  }
  judgeDocuments(scenario, beside);
  if (scenarioCount === 0 && options.plain !== undefined && manifests.length > 0 && context.problems.length === 0)
    return { scenarios: [plainScenario(options.plain, manifests, context.domain ?? 'k8s.io')], plain: true };
  // Where manifests alone are accepted, their problems are enough.
  const saysEnough =
    options.plain !== undefined && context.problems.length > 0 && documents.every((one) => memberAt(one, 'kind') !== undefined);
  if (scenarioCount === 0 && malformed.length === 0 && !saysEnough)
    note(
      context,
      documents[0] ?? { file: options.file, line: 1, col: 1 },
      '',
      `a document with apiVersion: ${SCENARIO_API_VERSION} and kind: ${SCENARIO_KIND}`,
      documents.length === 0
        ? 'nothing'
        : manifests.length === 0
          ? isForeign
            ? showValue(documents[0]?.plain)
            : 'only other documents'
          : 'only manifests (named by itself, the file is run as it is)',
    );
  const scenarios = raw.map(({ read, at, from }) => {
    const scenario = compileScenario(read, manifests, context.places, from);
    for (const checkOf of [checkProcesses, checkMachines, checkFaults, checkLessons]) checkOf(scenario, at);
    return scenario;
  });
  return context.problems.length > 0 ? { problems: inReadingOrder(context.problems) } : { scenarios };
}

/** Reads a fault that stands alone, as the `fault` of a step: its name with its subject, and its parameters beside it. */
export function parseFault(text: string, options: ParseOptions): { readonly fault: FaultCall } | { readonly problems: readonly Problem[] } {
  const { documents, problems } = readYaml(text, options.file);
  const context = contextOf(options, documents, problems);
  const [document, ...more] = documents;
  if (more.length > 0) note(context, more[0] as Located, '', 'one fault', `${documents.length} documents`);
  // A text that is malformed has its own problem.
  if (document === undefined && problems.length === 0)
    note(context, { file: options.file, line: 1, col: 1 }, '', 'a mapping with the name of a fault', 'nothing');
  const fault = document && check({ type: 'fault' }, new Reading(document, '', context));
  return fault === undefined || context.problems.length > 0 ? { problems: inReadingOrder(context.problems) } : { fault };
}

function expectsRefusedStart(document: Located): boolean {
  const steps = memberAt(document, 'spec', 'steps');
  return steps?.shape === 'list' && steps.items.some((item) => memberAt(item, 'expectError', 'start') !== undefined);
}

/** Reads the objects of a file of manifests. */
export const parseManifests = (
  text: string,
  options: ParseOptions,
): { readonly manifests: readonly SourcedManifest[] } | { readonly problems: readonly Problem[] } =>
  parseManifestFiles([{ file: options.file, text }], { ...options, strict: true });

/** Objects of files, with the number of those of each kind that this server lacks. */
export interface Manifests {
  readonly manifests: readonly SourcedManifest[];
  readonly domain: Domain;
  readonly foreign: ReadonlyMap<string, number>;
}

/**
 * Reads the objects of several files, which may define kinds for each other. Unless `strict`, objects of kinds and groups that this server
 * lacks are left out, and counted.
 */
export function parseManifestFiles(
  files: readonly SnapshotFile[],
  options: Omit<ParseOptions, 'file'> & { readonly strict?: boolean },
): Manifests | { readonly problems: readonly Problem[] } {
  const read = files.map(({ file, text }) => readYaml(text, file));
  const documents = read.flatMap((each) => each.documents);
  const objects = options.strict === true ? documents : documents.flatMap(itemsIn);
  const stated = options.domain ?? (options.strict === true ? 'orch.io' : undefined);
  const domain = stated ?? domainOfManifests(objects.map((one) => memberAt(one, 'apiVersion')?.plain));
  const context: CheckContext = {
    ...contextOf(
      { ...options, file: '' },
      documents,
      read.flatMap((each) => each.problems),
    ),
    domain,
  };
  const foreign = new Map<string, number>();
  const isForeign = options.strict === true ? () => false : foreignTo(context, domain);
  const manifests = objects.flatMap((document) => {
    if (!isForeign(document)) return readManifest(new Reading(document, '', context));
    const kind = String(memberAt(document, 'kind')?.plain);
    foreign.set(kind, (foreign.get(kind) ?? 0) + 1);
    return [];
  });
  judgeDocuments(undefined, context);
  return context.problems.length > 0 ? { problems: inReadingOrder(context.problems) } : { manifests, domain, foreign };
}

const itemsIn = (document: Located): readonly Located[] => {
  const items = memberAt(document, 'items');
  return memberAt(document, 'kind')?.plain === 'List' && items?.shape === 'list' ? items.items.flatMap(itemsIn) : [document];
};

/** Whether an object is of a kind and a group that the server has not. */
function foreignTo({ vocabulary }: CheckContext, domain: Domain): (document: Located) => boolean {
  const registry = vocabulary.kindsOf?.(domain);
  const groupOf = (apiVersion: string): string => apiVersion.split('/')[0] ?? '';
  const groups = new Set(registry?.list().map((kind) => groupOf(registry.apiVersionOf(kind))));
  return (document) => {
    const [kind, version] = [memberAt(document, 'kind')?.plain, memberAt(document, 'apiVersion')?.plain];
    return (
      typeof kind === 'string' &&
      typeof version === 'string' &&
      version.includes('.') &&
      (!vocabulary.kinds.includes(kind) || !DOMAINS.some((each) => groupOf(version).endsWith(`.${each}`))) &&
      !groups.has(groupOf(version))
    );
  };
}

/** Whether a document is meant as a scenario: its kind or its apiVersion is enough, so that a misspelling of the other is reported. */
function isScenario(document: Located): boolean {
  if (document.shape !== 'map') return false;
  const { apiVersion, kind } = document.plain;
  return kind === SCENARIO_KIND || (typeof apiVersion === 'string' && apiVersion.startsWith('scenario.'));
}

const isObject = (document: Located): boolean => ['apiVersion', 'kind'].some((mark) => memberAt(document, mark) !== undefined);

const DOMAINS: readonly Domain[] = ['k8s.io', 'orch.io'];

const domainOf = (document: Located | undefined): Domain | undefined =>
  DOMAINS.find((domain) => domain === memberAt(document, 'spec', 'domain')?.plain);

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
