/** The form of a correct controller, and the stories that it is told: a search must stay quiet in each. */
import type { Definitions, Invariant, Scenario, UserController } from '../../../../src/index.ts';
import { scenarioWith, type Story, storyText } from '../bugs/model.ts';

export interface Correct {
  readonly name: string;
  /** What makes it correct, in one sentence. */
  readonly idiom: string;
  readonly kinds: NonNullable<Definitions['kinds']>;
  readonly invariants?: readonly Invariant[];
  readonly stories: Readonly<Record<string, Story>>;
  readonly controllers: () => readonly UserController[];
}

export const defineCorrect = (correct: Correct): Correct => correct;

/** What a life of one object needs to know. */
interface Life {
  readonly kind: string;
  /** Flow mappings. */
  readonly spec?: string;
  readonly changed?: string;
  readonly larger?: string;
  /** Conditions in CEL: when the object is there, after each of the changes, and after its deletion. */
  readonly present: string;
  readonly afterwards?: string;
  readonly scaled?: string;
  readonly gone: string;
  /** What a change, a deletion and a scaling wait for; default: `present`. */
  readonly ready?: string;
  /** Objects that are there from the beginning, as items of a list. */
  readonly given?: readonly string[];
  readonly invariants?: readonly string[];
  readonly nodes?: number;
}

/** The stories of one object `x`: created, changed, scaled, deleted, made again. */
export function livesOf({
  kind,
  spec = '{}',
  changed,
  larger,
  present,
  afterwards,
  scaled,
  gone,
  ready = present,
  given = [],
  ...rest
}: Life): Correct['stories'] {
  const expect = (cel: string): string => `\n    - after: 10s\n      expect: { cel: "${cel}" }`;
  const apply = `apply: { apiVersion: example.com/v1, kind: ${kind}, metadata: { name: x }, spec: ${spec} }`;
  const begin = `${given.map((each) => `\n    - apply: ${each}`).join('')}\n    - at: 1s\n      ${apply}`;
  const waits = `\n    - waitFor: { cel: "${ready}" }`;
  const patch = (to: string): string =>
    `${waits}\n    - after: 4s\n      patch: { target: ${kind}/x, type: merge, patch: { spec: ${to} } }`;
  const leave = `${waits}\n    - after: 5s\n      delete: ${kind}/x`;
  const again = `\n    - waitFor: { absent: ${kind}/x }\n    - after: 2s\n      ${apply}`;
  const story = (steps: string): Story => ({ ...rest, steps: `${steps}\n` });
  return {
    create: story(`${begin}${expect(present)}`),
    ...(changed === undefined ? {} : { update: story(`${begin}${patch(changed)}${expect(afterwards ?? present)}`) }),
    ...(larger === undefined ? {} : { scale: story(`${begin}${patch(larger)}${expect(scaled ?? present)}`) }),
    delete: story(`${begin}${leave}${expect(gone)}`),
    recreate: story(`${begin}${leave}${again}${expect(present)}`),
  };
}

export const definitionsOf = ({ kinds, invariants = [], controllers }: Correct): Definitions => ({
  kinds,
  invariants,
  controllers: controllers(),
});

/** The scenario of a story. */
export const scenarioOf = ({ name, kinds, invariants = [] }: Correct, told: string, story: Story): Scenario =>
  scenarioWith(storyText(`${name}-${told}`, story), { kinds, invariants });
