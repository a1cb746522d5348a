/** The story of a finding in five lines: what was wanted, what went wrong in the world, what the controller saw, what it did, what broke. */
import { formatDurationMs } from '../../schema/values/index.ts';
import { kindOf } from '../choices/index.ts';
import { invariantsWith, NO_DEFINITIONS } from '../definitions/index.ts';
import { expressed } from '../invariants/index.ts';
import type { PointChoice, Scenario } from '../scenario/index.ts';
import { describeExpectation } from '../simulation/index.ts';
import { formatSince, shortKey, type Unseen, withoutChance } from '../trace/index.ts';
import type { Blamed, Retold } from './blame.ts';
import { type Cause, claimOf, isExpectation, type Making } from './cause.ts';
import type { Judgement } from './judgement.ts';

/** A finding in plain words, one sentence each. */
export interface Story {
  readonly wanted: string;
  readonly world: string;
  readonly saw: string;
  readonly did: string;
  readonly broke: string;
}

/** Who decided. */
export interface Decider {
  readonly controller: string;
  readonly process: string;
  /** The controller is the user's own. */
  readonly isMine: boolean;
}

/** A list shows at most so many objects. */
const SHOWN = 3;

/** Returns who decided what broke; undefined: no decision was found. */
export const deciderOf = ({ blamed }: Retold, { mine }: Judgement): Decider | undefined =>
  blamed && {
    controller: blamed.decision.controller,
    process: blamed.decision.process,
    isMine: mine.has(blamed.decision.controller),
  };

/** Tells a finding. */
export function storyOfFinding(
  scenario: Scenario,
  choices: readonly PointChoice[],
  cause: Cause,
  making: Making,
  judgement: Judgement,
  { trace, failure, blamed }: Retold,
): Story {
  const [message = ''] = cause.message.split('\n');
  const when = failure === undefined ? '' : ` at ${formatSince(failure.sinceStartMs)}`;
  return {
    wanted: wantedText(scenario, cause, making),
    world: choices.map(worldText).join('; '),
    saw: blamed === undefined ? 'no decision of a controller is behind it' : sawText(blamed, trace.startAt, judgement),
    did: blamed === undefined ? 'nothing' : didText(blamed),
    broke: `${cause.claim}${when}: ${failure?.message ?? message}`,
  };
}

/** The lines of a story, each with its head. */
export const storyLinesOf = ({ wanted, world, saw, did, broke }: Story): readonly string[] => [
  `wanted  ${wanted}`,
  `world   ${world}`,
  `saw     ${saw}`,
  `did     ${did}`,
  `broke   ${broke}`,
];

function wantedText(scenario: Scenario, cause: Cause, { with: own = NO_DEFINITIONS }: Making): string {
  const { claim } = cause;
  if (isExpectation(cause)) {
    const expectations = scenario.steps.flatMap((step) => (step.verb === 'expect' ? step.expectations : []));
    const expectation = expectations.find(({ source }) => claim === claimOf(source));
    if (expectation === undefined) return `${claim} holds in the end`;
    const what = describeExpectation(expectation);
    return expectation.expect === 'cel' ? `in the end ${what}` : `in the end ${what}, as ${claim} says`;
  }
  const invariant = [...(scenario.expressed ?? []).map(expressed), ...invariantsWith(own)].find(({ name }) => name === claim);
  return invariant === undefined ? claim : `${invariant.description.replace(/\.$/, '')} (${claim}, ${invariant.temporal})`;
}

/** What a controller had not seen when it decided. */
function sawText({ decision, cacheView, underway, lateMs, isMissing }: Blamed, startAt: number, { mine }: Judgement): string {
  const { controller, process, key, at } = decision;
  const whose = mine.size === 0 ? '' : mine.has(controller) ? ', yours,' : `, built in, of ${process},`;
  const who = `at ${formatSince(at - startAt)} ${controller}${whose} decided about ${withoutChance(shortKey(key))}`;
  if (isMissing === true) return `without the faults ${who}; with them it had not when this broke`;
  if (lateMs !== undefined) return `${who}, ${formatDurationMs(lateMs)} later than without the faults`;
  const { unseen = [], reasons = [] } = cacheView ?? {};
  const [own] = underway;
  if (unseen.length === 0 && own !== undefined) return `${who}, ${ownText(own, at, startAt)}`;
  if (cacheView === undefined) return who;
  if (unseen.length === 0) return `${who}, and its cache was up to date`;
  const [reason] = reasons;
  const shown = unseen.slice(0, SHOWN).map((each) => unseenText(each, at));
  const more = unseen.length > SHOWN ? `, and ${unseen.length - SHOWN} more` : '';
  return `${who}, but its cache ${shown.join(', ')}${more}${reason === undefined ? '' : ` (${process} ${withoutChance(reason.text)})`}`;
}

/** An own write that the controller did not see. */
function ownText({ request, change: { kind, key }, at }: Blamed['underway'][number], decidedAt: number, startAt: number): string {
  const what = `its own earlier ${request.split(' ')[0] ?? 'write'} of ${kind} ${withoutChance(shortKey(key))}`;
  return at > decidedAt ? `while ${what} was on its way until ${formatSince(at - startAt)}` : `but its cache did not show ${what} yet`;
}

function unseenText({ how, kind, key, since, saw, was }: Unseen, now: number): string {
  const what = `${kind} ${withoutChance(shortKey(key))}`;
  const before = `${formatDurationMs(now - since)} before`;
  if (how === 'missing') return `lacked ${what}, created ${before}`;
  if (how === 'gone') return `still had ${what}, deleted ${before}`;
  if (saw !== undefined && was !== undefined && saw.metadata.uid !== was.metadata.uid)
    return `had an earlier ${what}, replaced by another of that name ${before}`;
  if (saw?.metadata.deletionTimestamp === undefined && was?.metadata.deletionTimestamp !== undefined)
    return `did not know that ${what} is being deleted, for ${formatDurationMs(now - since)}`;
  return `had ${what} as it was before a change ${before}`;
}

/** What it wrote and why. */
function didText({ decision, writes, otherwise, isMissing }: Blamed): string {
  if (isMissing === true) return 'nothing';
  const main = writes.filter(({ change }) => change.kind !== 'Event');
  const shown = main.slice(0, SHOWN).map(({ request, change: { kind, key } }) => {
    const [verb = 'write'] = request.split(' ');
    return `${verb} ${kind} ${withoutChance(shortKey(key))}`;
  });
  const what =
    shown.length > 0
      ? `it wrote ${shown.join(', ')}${main.length > SHOWN ? `, and ${main.length - SHOWN} more` : ''}`
      : decision.writes > 0
        ? 'its writes did not reach the server'
        : 'it wrote nothing';
  const because = `, because "${decision.why}"`;
  return `${what}${because}${otherwise === undefined || otherwise === decision.why ? '' : `; without the faults, "${otherwise}"`}`;
}

const nth = (text: string): string => {
  const number = Number(text.replace('#', ''));
  return number === 1 ? 'first' : number === 2 ? 'second' : number === 3 ? 'third' : `${number}th`;
};

/** A choice in plain words: `the first change of ConfigMap web~ConfigMap1 that controller-manager sees: comes 3s late`. */
function worldText({ at, injectedFault }: PointChoice): string {
  return `${subjectOf(at)}: ${withoutChance(kindOf(injectedFault).says(injectedFault))}`;
}

function subjectOf(at: string): string {
  const [sort = '', process = '', who = '', ...rest] = at.split(' ');
  switch (sort) {
    case 'see':
      return `the ${nth(rest.at(-1) ?? '')} change of ${who} ${shortKey(rest.slice(0, -1).join(' '))} that ${process} sees`;
    case 'decide':
      return `a decision of ${who} about ${shortKey(rest.slice(0, -1).join(' '))}`;
    case 'write': {
      const [key = '', request = ''] = rest.join(' ').split(': ');
      return `the ${nth(request.split(' ').at(-1) ?? '')} "${request.split(' ').slice(0, -1).join(' ')}" of ${who} about ${shortKey(key)}`;
    }
    case 'actor':
      return who === 'sees' ? `all that ${process} sees of ${rest.join(' ')}` : `all that ${who} ${rest.join(' ')}`;
    default:
      return at;
  }
}
