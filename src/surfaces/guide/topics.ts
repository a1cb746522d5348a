/** All topics, in the order of the list. A topic is a file in `src/guide`, and a line here. */
import children from '../../guide/children.md';
import combiningFaults from '../../guide/combining-faults.md';
import controllers from '../../guide/controllers.md';
import customKinds from '../../guide/custom-kinds.md';
import determinism from '../../guide/determinism.md';
import errorsArguments from '../../guide/errors-arguments.md';
import errorsDefinitions from '../../guide/errors-definitions.md';
import errorsRuns from '../../guide/errors-runs.md';
import errorsScenarios from '../../guide/errors-scenarios.md';
import exitCodes from '../../guide/exit-codes.md';
import faults from '../../guide/faults.md';
import idioms from '../../guide/idioms.md';
import fromACluster from '../../guide/from-a-cluster.md';
import rehearsals from '../../guide/rehearsals.md';
import invariants from '../../guide/invariants.md';
import kinds from '../../guide/kinds.md';
import knownBugs from '../../guide/known-bugs.md';
import lessons from '../../guide/lessons.md';
import limits from '../../guide/limits.md';
import operators from '../../guide/operators.md';
import pages from '../../guide/pages.md';
import scenarios from '../../guide/scenarios.md';
import searching from '../../guide/searching.md';
import specification from '../../guide/specification.md';
import staleness from '../../guide/staleness.md';
import time from '../../guide/time.md';

export interface GuideTopic {
  /** The file name without its extension; several words are joined by a hyphen. */
  readonly name: string;
  /** One line for the list of topics: the first paragraph of the file. */
  readonly summary: string;
  /** The Markdown after that paragraph. */
  readonly text: string;
}

/** Reads a topic from its file: a heading, a summary, and the text. */
export function topicFrom(name: string, file: string): GuideTopic {
  const [, summary = '', text = ''] = /^# [^\n]+\n\n([^\n]+)\n\n([^]*)$/.exec(file) ?? [];
  return { name, summary, text };
}

export const guideTopics: readonly GuideTopic[] = [
  topicFrom('scenarios', scenarios),
  topicFrom('faults', faults),
  topicFrom('combining-faults', combiningFaults),
  topicFrom('invariants', invariants),
  topicFrom('lessons', lessons),
  topicFrom('searching', searching),
  topicFrom('known-bugs', knownBugs),
  topicFrom('staleness', staleness),
  topicFrom('idioms', idioms),
  topicFrom('pages', pages),
  topicFrom('from-a-cluster', fromACluster),
  topicFrom('rehearsals', rehearsals),
  topicFrom('controllers', controllers),
  topicFrom('children', children),
  topicFrom('operators', operators),
  topicFrom('kinds', kinds),
  topicFrom('custom-kinds', customKinds),
  topicFrom('time', time),
  topicFrom('determinism', determinism),
  topicFrom('specification', specification),
  topicFrom('limits', limits),
  topicFrom('exit-codes', exitCodes),
  topicFrom('errors-arguments', errorsArguments),
  topicFrom('errors-scenarios', errorsScenarios),
  topicFrom('errors-definitions', errorsDefinitions),
  topicFrom('errors-runs', errorsRuns),
];

/** Returns the file that a topic shows: the block whose first line is a comment with the name. Empty if it shows none. */
export function fileIn({ text }: GuideTopic, name: string): string {
  const found = [...text.matchAll(/^```\w+\n(?:#|\/\/) (\S+)\n([^]*?)^```$/gm)].find(([, named]) => named === name);
  return found?.[2] ?? '';
}
