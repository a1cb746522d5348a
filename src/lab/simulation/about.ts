/**
 * What a step does, in a few words, and the object that a narration step is about: the one that the step names, otherwise the one that it
 * asserts, shows, waits for, checks or changes.
 */
import { type ApiObject, keyOf, storeKey } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { addressOf as nameOf } from '../../controlplane/runtime/index.ts';
import { membersOf, present } from '../../schema/values/index.ts';
import { formatTarget, matches, parseTarget, targetNamespace } from '../scenario/index.ts';
import type { Action, Expectation, Item, Scenario, TargetRef } from '../scenario/index.ts';
import { isNamespaced, resolveTarget } from './facts.ts';
import type { Trouble } from './run.ts';
import type { ObjectName } from '../trace/index.ts';

/** Describes an action; the text is the label of its operation, where it has one. */
export const describe = (action: Action): string => {
  if ('objects' in action)
    return `${action.verb} ${action.objects.map(({ object }) => `${object.kind ?? '?'}/${String(object.metadata?.['name'] ?? object.metadata?.['generateName'] ?? '?')}`).join(', ')}`;
  if ('target' in action) return `${action.verb} ${formatTarget(action.target)}${action.verb === 'scale' ? ` to ${action.replicas}` : ''}`;
  switch (action.verb) {
    case 'expectError':
      return `${describe(action.action)}, which must fail`;
    case 'refusedStart':
      return `start ${action.process}, which must fail`;
    case 'waitFor':
      return `wait for ${describeExpectation(action.expectation)}`;
    case 'fault':
      return `fault ${action.fault.name}${typeof action.fault.subject === 'string' ? ` ${action.fault.subject}` : ''}`;
    case 'expect':
      return `check ${[...new Set(action.expectations.map(describeExpectation))].join(', ')}`;
    case 'note':
      return 'note';
  }
};

/** Describes what an expectation is about. */
export function describeExpectation(expectation: Expectation): string {
  switch (expectation.expect) {
    case 'match': {
      const { kind = '?', metadata } = expectation.match;
      const name = metadata?.['name'];
      return typeof name === 'string' ? `${kind}/${name}` : kind;
    }
    case 'absent':
      return `no ${formatTarget(expectation.target)}`;
    case 'count':
      return `the number of ${formatTarget(expectation.of)}`;
    case 'cel':
      return expectation.expression.cel;
    default:
      return expectation.expect;
  }
}

/** Describes an item of a scenario file; its timing alone, where it has no action. */
export const describeItem = ({ step }: Item): string =>
  step.verb !== 'expect' || step.timing.when !== 'settled' ? describe(step) : `settled; ${describe(step)}`;

export type DeletedObjects = ReturnType<typeof watchDeletions>;

/** The deleted objects among those that the notes of a scenario name, because a note may describe a deletion. */
export function watchDeletions({ steps }: Scenario) {
  const named = new Set(steps.flatMap(({ about }) => (about?.name === undefined ? [] : [`${about.kind}/${about.name}`])));
  const gone = new Set<string>();
  return {
    note({ type, kind, key, object }: Change): void {
      if (type === 'DELETED' && named.has(`${kind}/${object.metadata.name}`)) gone.add(`${kind} ${key}`);
    },
    has: (kind: string, key: string): boolean => gone.has(`${kind} ${key}`),
  };
}

/** Returns the object of a narration step; empty: it is about no object; trouble: the named object never existed. */
export function aboutOf(
  cluster: Cluster,
  { step, beside }: Item,
  gone: DeletedObjects,
): { readonly about?: ObjectName } | { readonly trouble: Trouble } {
  if (step.about !== undefined) return named(cluster, step.about, gone);
  const asserted = firstSubject(cluster, step.assertions ?? []);
  if (asserted !== undefined) return { about: asserted };
  if (step.look !== undefined) {
    const [found] = resolveTarget(cluster, step.look.at);
    if (found !== undefined) return { about: nameOf(found) };
  }
  const own = subjectOfAction(cluster, step) ?? (beside === undefined ? undefined : subjectOfAction(cluster, beside));
  return own === undefined ? {} : { about: own };
}

function named(cluster: Cluster, target: TargetRef, gone: DeletedObjects): { readonly about: ObjectName } | { readonly trouble: Trouble } {
  const [found] = resolveTarget(cluster, target);
  if (found !== undefined) return { about: nameOf(found) };
  const name = nameFrom(cluster, target);
  if (name !== undefined && gone.has(name.kind, storeKey(name.namespace, name.name))) return { about: name };
  const there = [...cluster.store.values(target.kind)].slice(0, 5).map(keyOf);
  return {
    trouble: {
      message: `the note is about ${formatTarget(target)}, which does not exist and never did`,
      detail: [`  found ${there.length === 0 ? `no ${target.kind}` : `${target.kind} ${there.join(', ')}`}`],
    },
  };
}

function nameFrom(cluster: Cluster, target: TargetRef): ObjectName | undefined {
  const { kind, name } = target;
  return name === undefined ? undefined : present({ kind, name, namespace: targetNamespace(target, isNamespaced(cluster, kind)) });
}

const subjectOfTarget = (cluster: Cluster, target: TargetRef): ObjectName | undefined => {
  const [found] = resolveTarget(cluster, target);
  return found === undefined ? nameFrom(cluster, target) : nameOf(found);
};

function subjectOf(cluster: Cluster, expectation: Expectation): ObjectName | undefined {
  switch (expectation.expect) {
    case 'match': {
      const found = [...cluster.store.values(expectation.match.kind ?? '')].find((object) => matches(expectation.match, object));
      return found === undefined ? undefined : (eventSubject(found) ?? nameOf(found));
    }
    case 'absent':
      return subjectOfTarget(cluster, expectation.target);
    case 'count':
      return subjectOfTarget(cluster, expectation.of);
    case 'cel': {
      const text = /\b(?:object|events)\('([^']+)'\)/.exec(expectation.expression.cel)?.[1];
      const target = text === undefined ? undefined : parseTarget(text);
      return target === undefined ? undefined : nameFrom(cluster, target);
    }
    case 'endpoints':
      return nameFrom(cluster, present({ kind: 'Service', name: expectation.question.service, namespace: expectation.question.namespace }));
    case 'backend':
      return expectation.question.ingress === undefined ? undefined : subjectOfTarget(cluster, expectation.question.ingress);
    default:
      return undefined;
  }
}

function eventSubject(object: ApiObject): ObjectName | undefined {
  const { kind, namespace, name } = membersOf(object.kind === 'Event' ? object['involvedObject'] : undefined);
  if (typeof kind !== 'string' || typeof name !== 'string') return undefined;
  return { kind, name, ...(typeof namespace === 'string' ? { namespace } : {}) };
}

function subjectOfAction(cluster: Cluster, action: Action): ObjectName | undefined {
  if ('objects' in action) {
    const { kind, metadata } = action.objects.at(-1)?.object ?? {};
    const [name, namespace] = [metadata?.['name'], metadata?.['namespace']];
    if (kind === undefined || typeof name !== 'string') return undefined;
    return nameFrom(cluster, { kind, name, ...(typeof namespace === 'string' ? { namespace } : {}) });
  }
  if ('target' in action) return subjectOfTarget(cluster, action.target);
  if (action.verb === 'waitFor') return subjectOf(cluster, action.expectation);
  if (action.verb === 'expect') return firstSubject(cluster, action.expectations);
  return action.verb === 'expectError' ? subjectOfAction(cluster, action.action) : undefined;
}

function firstSubject(cluster: Cluster, expectations: readonly Expectation[]): ObjectName | undefined {
  for (const each of expectations) {
    const about = subjectOf(cluster, each);
    if (about !== undefined) return about;
  }
  return undefined;
}
