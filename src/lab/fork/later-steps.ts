/**
 * What of a scenario still applies after the moment of a fork: its operations and faults, at the instants of its run, and the expectations
 * about the settled state.
 */
import { type Expectation, type Item, type Step, type TargetRef, withoutNarration } from '../scenario/index.ts';
import type { Trace, World } from '../trace/index.ts';

type Writing = Extract<Step, { readonly verb: 'patch' | 'delete' | 'evict' | 'scale' }>;

/**
 * Returns operations and faults as steps with their instants, and the steps after the last of them. A write or start that had to be refused
 * is left out, because it may succeed in the fork. A missing target does not fail the fork.
 */
export function laterOperations(
  later: readonly Item[],
  { narrationSteps = [] }: Trace,
): { readonly operations: readonly Step[]; readonly rest: readonly Item[] } {
  const operations: Step[] = [];
  let behind = 0;
  for (const [index, { step, taken }] of later.entries()) {
    if (!DOES.has(step.verb)) continue;
    behind = index + 1;
    const narrationStep = narrationSteps.find((each) => each.taken === taken);
    if (narrationStep === undefined || step.verb === 'expectError' || step.verb === 'refusedStart') continue;
    operations.push({ ...bare(step), timing: { when: 'at', atMs: narrationStep.sinceStartMs } });
  }
  return { operations, rest: later.slice(behind) };
}

const DOES: ReadonlySet<string> = new Set<Step['verb']>([
  'apply',
  'create',
  'replace',
  'patch',
  'delete',
  'evict',
  'bind',
  'cordon',
  'uncordon',
  'scale',
  'drain',
  'fault',
  'expectError',
  'refusedStart',
]);
const isAboutOne = (step: Step): step is Step & Writing =>
  step.verb === 'patch' || step.verb === 'delete' || step.verb === 'evict' || step.verb === 'scale';

/** Removes notes, assertions and questions, which describe the original run. */
function bare(step: Step): Step {
  const rest = withoutNarration(step);
  return isAboutOne(rest) ? { ...rest, ignoreNotFound: true } : rest;
}

type ExpectStep = Extract<Step, { readonly verb: 'expect' }>;

export function retainedExpectations(later: readonly Item[], typed: Step | undefined, world: World): readonly ExpectStep[] {
  const wanted = typed === undefined ? [] : written(typed, world);
  const kept: ExpectStep[] = [];
  for (const { step } of later) {
    if (!CHECKS_ONLY.has(step.verb)) break;
    if (step.verb !== 'expect' || step.timing.when !== 'settled') continue;
    const expectations = step.expectations.filter((each) => !readsTime(each) && !wanted.some((one) => isAbout(each, one)));
    if (expectations.length > 0) kept.push({ verb: 'expect', timing: step.timing, expectations });
  }
  return kept;
}

const CHECKS_ONLY: ReadonlySet<string> = new Set<Step['verb']>(['note', 'expect', 'waitFor']);

/** The objects whose desired state a step changes: one object, or all of a kind. */
interface Wanted {
  readonly kind: string;
  readonly name?: string | undefined;
}

function written(typed: Step, world: World): readonly Wanted[] {
  const step = typed.verb === 'expectError' ? typed.action : typed;
  switch (step.verb) {
    case 'apply':
    case 'create':
    case 'replace':
      return step.objects.flatMap(({ object: { kind = '', metadata } }) => withOwned({ kind, name: nameIn(metadata) }, world));
    case 'patch':
    case 'delete':
    case 'evict':
    case 'bind':
    case 'cordon':
    case 'uncordon':
    case 'scale':
      return withOwned({ kind: step.target.kind, name: step.target.name }, world);
    default:
      return [];
  }
}

const nameIn = (metadata: Readonly<Record<string, unknown>> | undefined): string | undefined =>
  typeof metadata?.['name'] === 'string' ? metadata['name'] : undefined;

function withOwned(root: Wanted, world: World): readonly Wanted[] {
  const all = world.kinds().flatMap((kind) => world.list(kind));
  const owners = new Set(
    all
      .filter(({ kind, metadata }) => kind === root.kind && (root.name ?? metadata.name) === metadata.name)
      .map(({ metadata: { uid } }) => uid),
  );
  const kinds = new Set<string>();
  for (let before = -1; before !== owners.size;) {
    before = owners.size;
    for (const { kind, metadata } of all) {
      if (owners.has(metadata.uid) || metadata.ownerReferences?.some(({ uid }) => owners.has(uid)) !== true) continue;
      owners.add(metadata.uid);
      kinds.add(kind);
    }
  }
  return [root, ...[...kinds].map((kind) => ({ kind }))];
}

function isAbout(expectation: Expectation, { kind, name }: Wanted): boolean {
  const isIt = (target: Pick<TargetRef, 'kind' | 'name'>): boolean =>
    target.kind === kind && (name === undefined || target.name === undefined || target.name === name);
  switch (expectation.expect) {
    case 'match':
      return isIt({ kind: expectation.match.kind ?? '', ...named(nameIn(expectation.match.metadata)) });
    case 'absent':
      return isIt(expectation.target);
    case 'count':
      return isIt(expectation.of);
    case 'cel':
      return [...expectation.expression.cel.matchAll(/\b(?:objects?|events)\('([^'/]+)(?:\/(?:[^'/]+\/)?([^'/]+))?'/g)].some(
        ([, of = '', its]) => isIt({ kind: of, ...named(its) }),
      );
    default:
      return false;
  }
}

const named = (name: string | undefined) => (name === undefined ? {} : { name });

const readsTime = (expectation: Expectation): boolean =>
  expectation.expect === 'cel' && /\b(?:elapsed|now)\b/.test(expectation.expression.cel);
