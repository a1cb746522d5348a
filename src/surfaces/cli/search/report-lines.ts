/** The result of a search, as lines and as data. */
import { compareText } from '../../../schema/values/index.ts';
import { knownBy } from '../../../lab/search/index.ts';
import type { Catch, Decider, Judge, MomentCoverage, Statistics, Reach, Tally } from '../../../lab/search/index.ts';
import { count, grouped, shellWord, type Palette, reasonsOf, table, type Known } from '../../report/index.ts';
import { type Reported, also } from './files.ts';

/** The part of a search, or the parts that were merged. */
export interface Part {
  readonly index?: number;
  readonly of: number;
  readonly missing: readonly number[];
}

export interface Story {
  readonly name: string;
  readonly seed: number;
  readonly statistics: Statistics;
  readonly looked: SearchCoverage;
  readonly findings: readonly Reported[];
  /** What broke in built-in code alone. */
  readonly elsewhere: readonly Catch[];
  readonly judge: Judge;
  readonly moments: MomentCoverage;
  /** Failures that did not reproduce. */
  readonly lost: number;
  /** Expectations in the middle of the scenario, which are not checked. */
  readonly left: number;
  readonly interrupted: boolean;
  readonly seconds: number;
  readonly flags?: string | undefined;
  readonly part?: Part | undefined;
  readonly corpus?: { readonly folder: string; readonly added: number } | undefined;
  readonly merge?: string | undefined;
}

export function storyLines(story: Story, palette: Palette): readonly string[] {
  const { name, seed, statistics, findings, part, flags } = story;
  const headline =
    findings.length === 0
      ? palette.good(`✓ ${name}: nothing that was tried broke it`)
      : palette.bad(`✗ ${name}: ${count(findings.length, 'finding')}`);
  const which =
    part === undefined
      ? ''
      : part.index === undefined
        ? ` · ${count(part.of - part.missing.length, 'part')} of ${part.of}`
        : ` · part ${part.index} of ${part.of}`;
  return [
    `${headline}  ${palette.dim(`${count(statistics.runs, 'run')} · seed ${seed}${which}`)}`,
    ...findings.flatMap((reported, at) => findingLines(reported, at + 1, seenText(reported, statistics.runs), flags, palette)),
    ...elsewhereLines(story),
    '',
    ...verdictLines(story),
    ...searchCoverageLines(story.looked, palette),
    ...(story.looked.whole ? momentsTable(story.moments, palette) : []),
    ...restLines(story),
  ];
}

/** A finding as lines: its number, what broke by whose decision, its story, how often it was seen, and the commands that show it. */
export const findingLines = (
  { claim, words, file, told }: Pick<Reported, 'claim' | 'words' | 'file' | 'told'>,
  nth: number,
  seen: string | undefined,
  flags: string | undefined,
  palette: Palette,
): readonly string[] => [
  '',
  `  ${nth}  ${palette.strong(claim)}${told?.decider === undefined ? '' : palette.dim(`  by a decision of ${deciderText(told.decider)}`)}`,
  ...words.map((line) => `     ${line}`),
  ...(told === undefined || told.also.length === 0 ? [] : [`     the same breaks: ${told.also.join('; ')}`]),
  ...(told?.hint === undefined
    ? []
    : [`     what usually mends it: ${told.hint.idiom}: ${told.hint.text} (npx orchsim help ${told.hint.topic})`]),
  ...(seen === undefined ? [] : [palette.dim(`     ${seen}`)]),
  ...(file === undefined
    ? []
    : [
        `     see it again: npx orchsim run ${shellWord(file)}${also(flags)} -v`,
        `     on a page, opened where it breaks: npx orchsim run ${shellWord(file)}${also(flags)} --page ${shellWord(file.replace(/\.ya?ml$/, '.html'))}`,
      ]),
];

const deciderText = ({ controller, process, isMine }: Decider): string =>
  isMine ? `${controller} (yours)` : `${controller} (built in, ${process})`;

/** How many runs of an exhaustive search broke something in built-in code alone. */
export const elsewhereText = (runs: number): readonly string[] =>
  runs === 0 ? [] : [`  ${count(runs, 'run')} broke something in built-in code alone, which is no finding (--judge all makes it one)`];

function elsewhereLines({ elsewhere, statistics: { runs } }: Story): readonly string[] {
  if (elsewhere.length === 0) return [];
  return [
    '',
    '  in built-in code alone, so it is no finding (--judge all makes it one):',
    ...elsewhere.map(({ cause: { claim, controller, message }, seen, firstRun }) => {
      const by = controller === undefined ? '' : `, by ${controller}`;
      return `     ${claim}${by}: ${message.split('\n')[0] ?? ''} (in ${seen} of ${count(runs, 'run')}, first in run ${firstRun})`;
    }),
  ];
}

/** Whose failures count, and how much of what was possible was tried. */
function verdictLines({ moments, judge, findings }: Pick<Story, 'moments' | 'judge' | 'findings'>): readonly string[] {
  const { controllers, moments: many, kinds, single, pairs } = moments;
  const whose =
    controllers.length === 0
      ? 'everything, as no controller here is yours'
      : judge === 'all'
        ? `everything (--judge all), ${controllers.join(', ')} included`
        : `your expectations and invariants, and ${controllers.join(', ')}; built-in code apart (--judge all)`;
  const places = `${count(many, 'moment')} of ${controllers.length === 0 ? 'all controllers' : controllers.join(', ')}`;
  const triedPairs = `pairs of moments: ${grouped(pairs.tried)} of ${grouped(pairs.of)} tried`;
  const isWhole = single.tried === single.of;
  const end =
    findings.length > 0
      ? `tried so far: ${grouped(single.tried)} of ${grouped(single.of)} single faults (${count(kinds, 'kind')} at ${places})`
      : isWhole
        ? `no fault of these ${count(kinds, 'kind')} at any of ${places} broke it`
        : `no fault that was tried broke it: ${grouped(single.tried)} of ${grouped(single.of)} single faults (${count(kinds, 'kind')} at ${places})`;
  return [`  judged: ${whose}`, ...(many === 0 ? [] : [`  ${end}; ${triedPairs}`])];
}

function seenText({ file, seen, firstRun, shrinks }: Reported, runs: number): string {
  const first = firstRun > 0 ? `first in run ${firstRun}` : 'first in a run of the corpus';
  const reduced = shrinks === undefined ? (file === undefined ? '' : '; not reduced') : `; reduced in ${count(shrinks, 'run')}`;
  return `seen in ${seen} of ${count(runs, 'run')}, ${first}${reduced}`;
}

function restLines({
  statistics: { replayed, stuck, kept },
  lost,
  left,
  interrupted,
  seconds,
  corpus,
  part,
  merge,
}: Story): readonly string[] {
  return [
    ...(left === 0
      ? []
      : [`  not checked: ${count(left, 'expectation')} in the middle of the scenario, about an instant that any delay moves`]),
    ...(stuck === 0 ? [] : [`  ${count(stuck, 'run')} ended early, because a step failed`]),
    ...(lost === 0 ? [] : [`  ${count(lost, 'failure')} did not reproduce from its choices alone`]),
    ...(corpus === undefined
      ? []
      : [`  corpus ${corpus.folder}: ${count(replayed, 'run')} replayed first; ${corpus.added} of ${kept.size} new runs were added`]),
    ...(part === undefined || part.missing.length === 0
      ? []
      : [`  missing: ${count(part.missing.length, 'part')} of ${part.of}: ${part.missing.join(', ')}`]),
    ...(interrupted ? [`  interrupted after ${seconds.toFixed(0)} s`] : []),
    ...(merge === undefined ? [] : [`  findings are reduced when the parts are merged: ${merge}`]),
  ];
}

export function storyDocument(story: Story, exitCode: number): unknown {
  const { name, seed, statistics, looked, findings, elsewhere, judge, moments, lost, left, interrupted, part, corpus } = story;
  const { reach } = looked;
  return {
    exitCode,
    scenario: name,
    seed,
    runs: statistics.runs,
    ...(part === undefined ? {} : { part }),
    ...(interrupted ? { interrupted } : {}),
    judge,
    findings: findings.map(({ claim, choices, words, file, seen, firstRun, shrinks, told }) => ({
      claim,
      ...told,
      words,
      choices,
      file,
      seen,
      firstRun,
      shrinks,
    })),
    elsewhere: elsewhere.map(({ cause: { claim, controller, message }, seen, firstRun }) => ({
      claim,
      controller,
      message,
      seen,
      firstRun,
    })),
    looked: {
      moments,
      reasons: [...statistics.reached.keys()].sort(compareText),
      sources: sourcesOf(looked),
      curve: reach.curve,
      kept: statistics.kept.size,
      stuck: statistics.stuck,
      lost,
      faults: Object.fromEntries(doneBy(reach.tried)),
      tried: reach.tried,
      untried: reach.untried,
      neverAtStake: reach.idle,
      notAsked: left,
      ...(corpus === undefined ? {} : { corpus: { ...corpus, replayed: statistics.replayed } }),
    },
  };
}

export interface SearchCoverage {
  readonly reach: Reach;
  readonly runs: number;
  readonly known: Known;
  readonly whole: boolean;
}

/** Reasons in the sources of the active controllers: given ones and missing ones. */
function sourcesOf({ reach: { reasons }, known }: Pick<SearchCoverage, 'reach' | 'known'>): ReturnType<typeof reasonsOf>['reasons'] {
  const atWork = new Set(reasons.map(({ controller }) => controller));
  const given = reasons.flatMap(({ controller, said }) => said.map((reason) => [controller, reason, 1] as const));
  return reasonsOf(given, known).reasons.filter(({ of }) => atWork.has(of));
}

function searchCoverageLines(coverage: SearchCoverage, palette: Palette): readonly string[] {
  const { reach, runs, whole } = coverage;
  const said = reach.reasons.reduce((sum, each) => sum + each.said.length, 0);
  const { tried, untried } = reach;
  const sources = sourcesOf(coverage);
  const given = sources.reduce((sum, { taken }) => sum + taken.length, 0);
  const missed = sources.flatMap(({ of, missed: never }) => never.map((reason) => `${of}: ${reason}`));
  const lastNewRun = reach.curve.at(-1)?.run ?? 0;
  return [
    `  ${count(runs, 'run')} reached ${count(said, 'reason')} of ${count(reach.reasons.length, 'controller')}: half of them by run ${knownBy(reach, 0.5)}, 90 % by run ${knownBy(reach, 0.9)}, the last new one in run ${lastNewRun}`,
    ...(!whole || sources.length === 0
      ? []
      : [
          `  ${given} of ${count(given + missed.length, 'reason')} in the sources of these controllers were given${missed.length === 0 ? '' : `; not: ${missed.join(' | ')}`}`,
        ]),
    ...(whole ? [`  faults: ${tried.length === 0 ? 'none' : doneText(tried)}`] : []),
    ...(!whole || untried.length === 0
      ? []
      : [
          `  ${tried.length} of ${tried.length + untried.length} pairs of a fault and a target were tried; not: ${untried
            .map(({ injectedFault, whom }) => `${injectedFault} (${whom})`)
            .join(', ')}`,
        ]),
    ...(whole && tried.length > 0 ? triedTable(tried, palette) : []),
    ...(runs - lastNewRun < runs / 4 ? ['  new reasons were still being reached at the end: a larger --budget may find more'] : []),
    ...(reach.idle.length === 0 ? [] : [`  not exercised in any run: ${reach.idle.join(', ')}`]),
  ];
}

const momentsTable = ({ rows }: MomentCoverage, palette: Palette): readonly string[] =>
  rows.length === 0
    ? []
    : table([
        ['    FAULT', 'TO', 'MOMENTS TRIED', 'OF'].map((head) => palette.dim(head)),
        ...rows.map(({ injectedFault, whom, tried, of }) => [
          `    ${injectedFault}`,
          whom,
          tried === 0 ? palette.dim('·') : String(tried),
          String(of),
        ]),
      ]);

function doneBy(tried: readonly Tally[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const one of tried) times.set(one.injectedFault, (times.get(one.injectedFault) ?? 0) + one.times);
  return new Map([...times].sort(([a], [b]) => compareText(a, b)));
}

const doneText = (tried: readonly Tally[]): string =>
  [...doneBy(tried)].map(([injectedFault, times]) => `${injectedFault} ${times}`).join(', ');

function triedTable(tried: readonly Tally[], palette: Palette): readonly string[] {
  return table([
    ['    FAULT', 'TO', 'TIMES', 'BROKE', 'NEW REASON', 'NOTHING NEW'].map((head) => palette.dim(head)),
    ...tried.map(({ injectedFault, whom, times, broke, news, nothing }) => [
      `    ${injectedFault}`,
      whom,
      ...[times, broke, news, nothing].map((n) => (n === 0 ? palette.dim('·') : String(n))),
    ]),
  ]);
}
