/** Object cards: which objects have one, their order, and their content: slots, ordinals, time left, a note, conditions. */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import { autoscaler, disruptionBudget, endingNamespace, resourceQuota } from './limit-cards.ts';
import type { Card, CardContent, CardCondition } from './card.ts';
import { claim, cronJob, lease, customKind, service, volume } from './object-cards.ts';
import { daemonSet, deployment, job, replicaSet, statefulSet } from './workloads.ts';
import type { Held, PageWorld } from './world.ts';

/** Kinds with a card, in order; custom kinds follow. */
export const CARD_KINDS = [
  'Namespace',
  'Lease',
  'CronJob',
  'Job',
  'HorizontalPodAutoscaler',
  'PodDisruptionBudget',
  'ResourceQuota',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Service',
  'PersistentVolumeClaim',
  'PersistentVolume',
] as const;
export const MOST_CARDS = 12;

/**
 * Whether an object has a card. A node's lease and the API's own service have none, and neither have objects that are shown on another
 * card.
 */
export function hasCard(object: ApiObject): boolean {
  const { kind, metadata } = object;
  const { namespace = '', labels = {} } = metadata;
  // A namespace is of interest when it ends.
  if (kind === 'Namespace') return metadata.deletionTimestamp !== undefined;
  if (kind === 'Lease') return !namespace.endsWith('node-lease');
  if (kind === 'Service') return labels['component'] !== 'apiserver' && !namespace.endsWith('-system');
  // A controlled ReplicaSet is shown on the card of its Deployment.
  if (kind === 'ReplicaSet') return metadata.ownerReferences?.some(({ controller }) => controller === true) !== true;
  if (isOf('PersistentVolume', object)) return object.status.phase !== 'Bound';
  return CARD_KINDS.some((known) => known === kind) || isCustomKind(object);
}

/** Whether the kind is user-defined: its group is a domain outside the cluster's. */
function isCustomKind({ apiVersion }: ApiObject): boolean {
  const group = apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
  return group.includes('.') && !/(?:^|\.)(?:orch|k8s)\.io$/.test(group);
}

/** The cards at the world's step; if there are too many Jobs, the latest. */
export function cardsOf(world: PageWorld): { readonly cards: readonly Card[]; readonly left: number } {
  const others = world.kinds().filter((kind) => !CARD_KINDS.some((known) => known === kind));
  const own = others.filter((kind) => {
    const object = world.example(kind);
    return object !== undefined && isCustomKind(object);
  });
  const held = [...CARD_KINDS, ...own].flatMap((kind) => world.list(kind)).filter(({ object }) => hasCard(object));
  const spare = Math.max(0, held.length - MOST_CARDS);
  const dropped = new Set(held.filter(({ kind }) => kind === 'Job').slice(0, spare));
  const shown = held.filter((each) => !dropped.has(each)).slice(0, MOST_CARDS);
  return { cards: shown.map((each) => cardOf(each, world)), left: held.length - shown.length };
}

export function cardOf(held: Held, world: PageWorld): Card {
  const object = world.current(held);
  return {
    held,
    ...contentOf(object, held, world),
    conditions: conditionsOf(object),
    leaving: object.metadata.deletionTimestamp !== undefined,
  };
}

function contentOf(object: ApiObject, held: Held, world: PageWorld): CardContent {
  if (isOf('Job', object)) return job(object, world);
  if (isOf('Deployment', object)) return deployment(object, world);
  if (isOf('ReplicaSet', object)) return replicaSet(object);
  if (isOf('StatefulSet', object)) return statefulSet(object, world);
  if (isOf('DaemonSet', object)) return daemonSet(object);
  if (isOf('HorizontalPodAutoscaler', object)) return autoscaler(held, world);
  if (isOf('PodDisruptionBudget', object)) return disruptionBudget(object, world);
  if (isOf('ResourceQuota', object)) return resourceQuota(object, world);
  if (isOf('Namespace', object)) return endingNamespace(object, world);
  if (isOf('Lease', object)) return lease(object, world.at);
  if (isOf('CronJob', object)) return cronJob(object, world.at);
  if (isOf('PersistentVolumeClaim', object)) return claim(object, world);
  if (isOf('PersistentVolume', object)) return volume(object);
  if (isOf('Service', object)) return service(object, world);
  return customKind(object);
}

/** Bad when they are true. */
const BAD: ReadonlySet<string> = new Set(['Failed', 'FailureTarget', 'ReplicaFailure', 'NamespaceDeletionContentFailure']);
/** Bad when they are False: the object cannot do what it is for. */
const NEEDED: ReadonlySet<string> = new Set(['Available', 'Progressing', 'Ready', 'AbleToScale', 'ScalingActive']);

/** Returns the conditions of an object, bad ones first. */
export function conditionsOf({ status }: ApiObject): readonly CardCondition[] {
  if (typeof status !== 'object' || status === null || !('conditions' in status) || !Array.isArray(status.conditions)) return [];
  const all = status.conditions.flatMap((condition: unknown): readonly CardCondition[] => {
    if (typeof condition !== 'object' || condition === null || !('type' in condition) || !('status' in condition)) return [];
    const [type, is] = [String(condition.type), String(condition.status)];
    const bad = is === 'True' ? BAD.has(type) : NEEDED.has(type);
    if (is !== 'True' && !bad) return [];
    const text = is === 'True' ? type : `${type}: ${is}`;
    return [{ text, bad, because: `${type} is ${is}${textIn(condition, 'reason')}${textIn(condition, 'message')}` }];
  });
  return [...all.filter(({ bad }) => bad), ...all.filter(({ bad }) => !bad)];
}

function textIn(condition: object, name: 'reason' | 'message'): string {
  const text: unknown = (condition as Readonly<Record<string, unknown>>)[name];
  return typeof text === 'string' && text !== '' ? `: ${text}` : '';
}
