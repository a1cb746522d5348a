/** The result of a search, as lines and as data. */
import { compareText } from '../../../schema/values/index.ts';
import type { Statistics } from '../../../lab/search/index.ts';
import { count, shellWord, type Palette } from '../../report/index.ts';
import { type Reported, also } from './files.ts';
import { doneBy, searchCoverageLines, sourcesOf, type SearchCoverage } from './coverage-lines.ts';

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
    '',
    ...searchCoverageLines(story.looked, palette),
    ...restLines(story),
  ];
}

/** A finding as lines: its number, what broke, how often it was seen, and the command that shows it. */
export const findingLines = (
  { claim, words, file }: Pick<Reported, 'claim' | 'words' | 'file'>,
  nth: number,
  seen: string | undefined,
  flags: string | undefined,
  palette: Palette,
): readonly string[] => [
  '',
  `  ${nth}  ${palette.strong(claim)}`,
  ...words.map((line) => `     ${line}`),
  ...(seen === undefined ? [] : [palette.dim(`     ${seen}`)]),
  ...(file === undefined ? [] : [`     see it again: npx orchsim run ${shellWord(file)}${also(flags)} -v`]),
];

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
  const { name, seed, statistics, looked, findings, lost, left, interrupted, part, corpus } = story;
  const { reach } = looked;
  return {
    exitCode,
    scenario: name,
    seed,
    runs: statistics.runs,
    ...(part === undefined ? {} : { part }),
    ...(interrupted ? { interrupted } : {}),
    findings: findings.map(({ claim, choices, words, file, seen, firstRun, shrinks }) => ({
      claim,
      words,
      choices,
      file,
      seen,
      firstRun,
      shrinks,
    })),
    looked: {
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
