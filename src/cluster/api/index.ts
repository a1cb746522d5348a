/**
 * The vocabulary: every kind's shape, type, defaults, rules and printed columns, one file a kind under `kinds/`, shapes they share
 * under `shapes/`, rules they share under `validation/`. `kindsFor(names)` is the registry; a kind is added with a file and a line.
 * Nothing here knows of requests or storage: the server asks a kind for its part and does the rest.
 */
export { ageOf, humanDuration } from './columns.ts';
export { defineKind, draftOf, type KindDefinition } from './define-kind.ts';
export type { Column, Draft, FeatureGates, Kind, KindContext } from './kind.ts';
export type { KindName, ObjectByKind } from './kinds.ts';
export { namesFor, SIM, type Domain, type Names } from './names.ts';
export { controllerOf, keyOf, splitKey, type ApiObject, type Condition, type ManagedFieldsEntry, type MicroTime, type ObjectInput, type ObjectMeta, type ObjectReference, type OwnerReference, type Time } from './object.ts';
export { kindsFor, type KindRegistry } from './registry.ts';
export type { Infer, Schema } from './schema.ts';
export type { FieldError, FieldErrorType, Status, StatusCause, StatusDetails } from './status.ts';
export { pathSegmentName, validateMeta, validateMetaUpdate } from './validation/object-meta.ts';
export { decode, DecodeError, deepFreeze, RawNumber } from '../schema/index.ts';

export type { ControllerRevision } from './kinds/controller-revision.ts';
export type { CronJob } from './kinds/cron-job.ts';
export type { Event } from './kinds/event.ts';
export type { Job, JobCondition, JobSpec, JobStatus } from './kinds/job.ts';
export type { Lease } from './kinds/lease.ts';
export type { Namespace } from './kinds/namespace.ts';
export type { Node, NodeCondition, Taint } from './kinds/node.ts';
export type { Pod } from './kinds/pod.ts';
export type { Container } from './shapes/containers.ts';
export type { LabelSelector } from './shapes/meta.ts';
export type { Affinity, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, PodAffinityTerm, PodSpec, PodTemplateSpec, Toleration, TopologySpreadConstraint } from './shapes/pod-spec.ts';
export type { ContainerState, ContainerStatus, PodCondition, PodStatus } from './shapes/pod-status.ts';
