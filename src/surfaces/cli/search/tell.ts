/** What a search has to say, for eyes and for programs. */
import { compareText } from '../../../grammar/values/index.ts';
import type { Search } from '../../../lab/search/index.ts';
import { count, shellWord, type Palette } from '../../report/index.ts';
import type { Found } from './files.ts';

/** A finding with its file, and how often it was seen. */
export interface Told extends Found {
  readonly file: string;
  readonly seen: number;
  readonly firstRun: number;
  /** Runs that making it small took; absent: there was no time. */
  readonly shrinks?: number;
}

export interface Story {
  readonly name: string;
  readonly seed: number;
  readonly search: Search;
  readonly findings: readonly Told[];
  /** Found once and not again. */
  readonly lost: number;
  /** Expectations in the middle of the story. */
  readonly left: number;
  readonly interrupted: boolean;
  readonly seconds: number;
  /** Options that a replay needs too. */
  readonly flags?: string | undefined;
}

export function storyLines(story: Story, palette: Palette): readonly string[] {
  const { name, seed, search, findings } = story;
  const { runs } = search;
  const headline =
    findings.length === 0
      ? palette.good(`✓ ${name}: nothing that was tried broke it`)
      : palette.bad(`✗ ${name}: ${count(findings.length, 'thing')} found`);
  return [
    `${headline}  ${palette.dim(`${count(runs, 'run')} · seed ${seed}`)}`,
    ...findings.flatMap((told, at) => findingLines(told, at + 1, story, palette)),
    '',
    ...lookedLines(story),
  ];
}

function findingLines(
  { claim, words, file, seen, firstRun, shrinks }: Told,
  nth: number,
  { search, flags }: Story,
  palette: Palette,
): readonly string[] {
  return [
    '',
    `  ${nth}  ${palette.strong(claim)}`,
    ...words.map((line) => `     ${line}`),
    palette.dim(
      `     seen in ${seen} of ${count(search.runs, 'run')}, first in run ${firstRun}; ${shrinks === undefined ? 'not made small any more' : `made small in ${count(shrinks, 'run')}`}`,
    ),
    `     see it again: npx orchsim run ${shellWord(file)}${flags === undefined ? '' : ` ${flags}`} -v`,
  ];
}

/** How far it has looked. */
function lookedLines({ search, lost, left, interrupted, seconds }: Story): readonly string[] {
  const { reached, kept, lastNews, stuck, deeds, idle } = search.progress;
  const byController = new Map<string, number>();
  for (const reason of reached) {
    const controller = reason.slice(0, reason.indexOf(':'));
    byController.set(controller, (byController.get(controller) ?? 0) + 1);
  }
  const done = [...deeds].sort(([a], [b]) => compareText(a, b)).map(([name, times]) => `${name} ${times}`);
  return [
    `  looked at ${count(search.runs, 'run')}: ${count(reached.size, 'reason')} of ${count(byController.size, 'controller')}, the last new one in run ${lastNews}; ${kept} kept to grow from`,
    `  done: ${done.length === 0 ? 'nothing' : done.join(', ')}`,
    ...(search.runs - lastNews < search.runs / 4 ? ['  it was still finding new ways when it ended: a larger --budget may find more'] : []),
    ...(left === 0
      ? []
      : [`  not asked: ${count(left, 'expectation')} in the middle of the story, which is about an instant that any delay shifts`]),
    ...(idle.length === 0 ? [] : [`  never at stake, in no run: ${idle.join(', ')}`]),
    ...(stuck === 0 ? [] : [`  ${count(stuck, 'run')} ended early, because a step could not be taken then`]),
    ...(lost === 0 ? [] : [`  ${count(lost, 'thing')} broke once and not again from its choices alone`]),
    ...(interrupted ? [`  interrupted after ${seconds.toFixed(0)} s`] : []),
  ];
}

/** The same as data. */
export function storyDocument(story: Story, exitCode: number): unknown {
  const { name, seed, search, findings, lost, left, interrupted } = story;
  const { reached, kept, lastNews, stuck, deeds, idle } = search.progress;
  return {
    exitCode,
    scenario: name,
    seed,
    runs: search.runs,
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
      reasons: [...reached].sort(compareText),
      kept,
      lastNews,
      stuck,
      lost,
      deeds: Object.fromEntries(deeds),
      neverAtStake: idle,
      notAsked: left,
    },
  };
}
