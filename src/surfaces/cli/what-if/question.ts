/** Reads a question in words, `drain node-3` or `lose zone a for 20m`, as the steps of a scenario. */
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import type { Scenario, SourcedManifest, Step, TargetRef } from '../../../lab/scenario/index.ts';
import { didYouMean, parseDurationMs } from '../../../schema/values/index.ts';
import { BadInput } from '../exit.ts';
import { readKind } from '../question/target.ts';

/** What a question is asked of. */
export interface Asked {
  readonly scenario: Scenario;
  readonly kinds: KindRegistry;
  /** The objects that there are when it is asked, and when that is, milliseconds since the start. */
  objects(): readonly ApiObject[];
  readonly atMs: number;
  /** Reads manifests; throws BadInput. */
  manifests(path: string): readonly SourcedManifest[];
}

/** The steps of a question, and how long its answer takes at most, milliseconds after the question. */
export interface Question {
  readonly steps: readonly Step[];
  readonly forMs: number;
}

export const FORMS = [
  'drain NODE…',
  'lose NODE… [for 20m]',
  'lose zone ZONE [for 20m]',
  'scale KIND/NAME COUNT',
  'apply FILE',
  'delete KIND/NAME',
  'upgrade nodes one by one',
] as const;

const MINUTE = 60_000;
const ANSWER_MS = 30 * MINUTE;
/** How long a drain may take, and a node until it is back after its upgrade. */
const DRAIN_MS = 20 * MINUTE;
const UPGRADE_MS = 2 * MINUTE;
/** After an upgraded node is back, before the next is drained. */
const PAUSE_MS = MINUTE;

const DRAIN_OPTIONS = { ignoreDaemonSets: true, deleteEmptyDirData: true, force: true, timeoutMs: DRAIN_MS } as const;
const first = ({ atMs }: Asked) => ({ timing: { when: 'at', atMs } }) as const;
const NEXT = { timing: { when: 'next' } } as const;
const after = (afterMs: number) => ({ timing: { when: 'after', afterMs } }) as const;

/** Returns the steps of a question. Throws BadInput that says the forms, and the nearest right name. */
export function readQuestion(words: readonly string[], asked: Asked): Question {
  const [verb = '', ...rest] = words;
  switch (verb) {
    case 'drain':
      return {
        steps: nodesIn(rest, asked).map((name, at): Step => ({ ...(at === 0 ? first(asked) : NEXT), ...draining(name) })),
        forMs: ANSWER_MS,
      };
    case 'lose':
      return losing(rest, asked);
    case 'scale': {
      const [target, count = ''] = oneOrTwo(rest, 2);
      if (!/^\d{1,6}$/.test(count)) throw new BadInput(`scale: expected a number of replicas, found ${JSON.stringify(count)}`);
      return { steps: [{ ...first(asked), verb: 'scale', target: targetIn(target, asked), replicas: Number(count) }], forMs: ANSWER_MS };
    }
    case 'apply': {
      const [path] = oneOrTwo(rest, 1);
      return { steps: [{ ...first(asked), verb: 'apply', objects: asked.manifests(path) }], forMs: ANSWER_MS };
    }
    case 'delete':
      return { steps: [{ ...first(asked), verb: 'delete', target: targetIn(oneOrTwo(rest, 1)[0], asked) }], forMs: ANSWER_MS };
    case 'upgrade':
      return upgrading(rest, asked);
    default:
      throw new BadInput([
        `expected a question, found ${JSON.stringify(words.join(' '))}${didYouMean(verb, ['drain', 'lose', 'scale', 'apply', 'delete', 'upgrade'])}`,
        ...FORMS.map((form) => `  ${form}`),
      ]);
  }
}

function oneOrTwo(words: readonly string[], many: 1 | 2): readonly [string, string] {
  if (words.length !== many)
    throw new BadInput([
      `expected ${many === 1 ? 'one word' : 'two words'}, found ${JSON.stringify(words.join(' '))}`,
      ...FORMS.map((form) => `  ${form}`),
    ]);
  return [words[0] ?? '', words[1] ?? ''];
}

const draining = (name: string) => ({ verb: 'drain', target: { kind: 'Node', name }, ...DRAIN_OPTIONS }) as const;

const faultOn = (fault: 'nodeDown' | 'nodeUp', node: string) =>
  ({ verb: 'fault', fault: { name: fault, subject: node, parameters: {} } }) as const;

const nodesOf = ({ scenario }: Asked): readonly string[] => scenario.cluster.nodes.map(({ name }) => name);

/** The nodes that words name: `node-3` or `node/node-3`. */
function nodesIn(words: readonly string[], asked: Asked): readonly string[] {
  const known = nodesOf(asked);
  const there = known.length === 0 ? 'there is none' : `there are ${known.slice(0, 5).join(', ')}${known.length > 5 ? ', …' : ''}`;
  if (words.length === 0) throw new BadInput(`expected the name of a node (${there})`);
  return words.map((word) => {
    const name = word.replace(/^nodes?\//i, '');
    if (known.includes(name)) return name;
    throw new BadInput(`there is no node ${JSON.stringify(name)}${didYouMean(name, known)}; ${there}`);
  });
}

const ZONES = ['topology.kubernetes.io/zone', 'topology.orch.io/zone', 'failure-domain.beta.kubernetes.io/zone'];

function losing(words: readonly string[], asked: Asked): Question {
  const at = words.indexOf('for');
  const backMs = at < 0 ? undefined : parseDurationMs(words[at + 1] ?? '').value;
  if (at >= 0 && (backMs === undefined || words.length !== at + 2))
    throw new BadInput(`lose … for: expected a duration such as 20m, found ${JSON.stringify(words.slice(at + 1).join(' '))}`);
  const of = at < 0 ? words : words.slice(0, at);
  const nodes = of[0] === 'zone' ? inZone(of.slice(1), asked) : nodesIn(of, asked);
  const down = nodes.map((node, nth): Step => ({ ...(nth === 0 ? first(asked) : NEXT), ...faultOn('nodeDown', node) }));
  const up =
    backMs === undefined ? [] : nodes.map((node, nth): Step => ({ ...(nth === 0 ? after(backMs) : NEXT), ...faultOn('nodeUp', node) }));
  return { steps: [...down, ...up], forMs: (backMs ?? 0) + ANSWER_MS };
}

function inZone(words: readonly string[], { scenario }: Asked): readonly string[] {
  const [zone] = oneOrTwo(words, 1);
  const zoneOf = ({ labels = {} }: Scenario['cluster']['nodes'][number]): string | undefined =>
    ZONES.map((key) => labels[key]).find((value) => value !== undefined);
  const nodes = scenario.cluster.nodes.filter((node) => zoneOf(node) === zone && node.restored !== 'down');
  const zones = [...new Set(scenario.cluster.nodes.flatMap((node) => zoneOf(node) ?? []))];
  if (nodes.length === 0)
    throw new BadInput(
      zones.length === 0
        ? `no node has a label ${ZONES[0] ?? ''}: name the nodes instead`
        : `no node is in zone ${JSON.stringify(zone)} (there are ${zones.join(', ')})`,
    );
  return nodes.map(({ name }) => name);
}

/** Every node in turn: drained, away for two minutes, and back. */
function upgrading(words: readonly string[], asked: Asked): Question {
  const said = words.join(' ');
  if (said !== 'nodes' && said !== 'nodes one by one')
    throw new BadInput(`expected upgrade nodes one by one, found ${JSON.stringify(`upgrade ${said}`)}`);
  const nodes = asked.scenario.cluster.nodes.filter(({ restored }) => restored !== 'down').map(({ name }) => name);
  const steps = nodes.flatMap((node, nth): readonly Step[] => [
    { ...(nth === 0 ? first(asked) : after(PAUSE_MS)), ...draining(node) },
    { ...NEXT, ...faultOn('nodeDown', node) },
    { ...after(UPGRADE_MS), ...faultOn('nodeUp', node) },
    { ...NEXT, verb: 'uncordon', target: { kind: 'Node', name: node } },
  ]);
  return { steps, forMs: nodes.length * (DRAIN_MS + UPGRADE_MS + PAUSE_MS) + ANSWER_MS };
}

/** The object that a word names: `deploy/web`, `deploy/shop/web`, `ns/x`. Without a namespace it is the only one of its name. */
function targetIn(word: string, { scenario, kinds, objects }: Asked): TargetRef {
  const [kindText = '', second, third, more] = word.split('/');
  if (second === undefined || second === '' || more !== undefined)
    throw new BadInput(`expected an object such as deploy/web or deploy/shop/web, found ${JSON.stringify(word)}`);
  const { kind, namespaced } = readKind(kindText, kinds);
  const name = third ?? second;
  const all = objects().filter((each) => each.kind === kind);
  const found = all.filter(({ metadata }) => metadata.name === name && (third === undefined || metadata.namespace === second));
  const [one, another] = found;
  if (one === undefined)
    throw new BadInput(
      `${scenario.from === undefined ? 'there is' : 'the dump has'} no ${kind} ${JSON.stringify(third === undefined ? name : `${second}/${name}`)}${didYouMean(
        name,
        all.map(({ metadata }) => metadata.name),
      )}`,
    );
  if (another !== undefined)
    throw new BadInput(
      `there are ${found.length} of this name: ${found.map(({ metadata }) => `${kindText}/${metadata.namespace ?? ''}/${name}`).join(', ')}`,
    );
  return { kind, name, ...(namespaced && one.metadata.namespace !== undefined ? { namespace: one.metadata.namespace } : {}) };
}
