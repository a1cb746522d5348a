/** What a step may write, and what must be true of the world: the parts of the format that steps, waits and what ifs share. */
import { DECISION_FIELDS } from './decision-format.ts';
import { duration, flag, integer, labels, text, texts } from './field-helpers.ts';
import type { Fields } from './fields.ts';

export const anyTarget = {
  type: 'target',
  description:
    'The object that is meant: Kind/name, Kind/namespace/name, Kind where there is one, or a mapping with kind and name, labels, cel or nth.',
} as const;
const target = { ...anyTarget, required: true } as const;
const podTarget = { ...anyTarget, kind: 'Pod' } as const;
const nodeTarget = { ...anyTarget, kind: 'Node' } as const;

/** The long form of a target. */
export const TARGET_FIELDS = {
  kind: { type: 'name', of: 'kinds', required: true, description: 'The kind, as in manifests.' },
  namespace: text('The namespace; default if absent, * for every namespace.'),
  name: text('The name.'),
  labels: labels('Labels it must carry.'),
  cel: { type: 'expression', about: 'self', description: 'A condition over self, the object.' },
  nth: integer('The n-th existing match by creation, from 1.', 1),
  only: flag('A step that writes fails where several match. What a kind alone stands for.'),
} as const satisfies Fields;

const ignoreNotFound = flag('Nothing to do is not a mistake: skipped where there is no such object.');

/** The verbs that write: those that `expectError` can wrap. */
export const WRITING_FIELDS = {
  apply: { type: 'manifests', partial: true, description: 'Creates or updates objects, as apply does.' },
  create: { type: 'manifests', description: 'Creates objects.' },
  replace: { type: 'manifests', partial: true, description: 'Replaces objects.' },
  patch: {
    type: 'object',
    description: 'Changes part of an object.',
    fields: {
      target,
      type: {
        type: 'string',
        enum: ['strategic', 'merge', 'json', 'apply'],
        description: 'How the patch is read; json for a list, else strategic, if absent.',
      },
      subresource: { type: 'string', enum: ['status', 'scale'], description: 'The sub-resource that is patched.' },
      patch: { type: 'any', required: true, description: 'The patch: a partial object, or for json a list of operations.' },
      ignoreNotFound,
    },
  },
  delete: {
    type: 'either',
    description: 'Deletes objects.',
    forms: [
      anyTarget,
      {
        type: 'object',
        description: 'A target and how it is deleted.',
        fields: {
          target,
          propagationPolicy: { type: 'string', enum: ['Background', 'Foreground', 'Orphan'], description: 'What becomes of what it owns.' },
          gracePeriodSeconds: integer('Seconds it may take to stop.'),
          preconditions: {
            type: 'object',
            description: 'Only if these are its.',
            fields: { uid: text('Its uid.'), resourceVersion: text('Its resourceVersion.') },
          },
          ignoreNotFound,
        },
      },
    ],
  },
  evict: {
    type: 'either',
    description: 'Evicts a pod through its eviction sub-resource.',
    forms: [
      podTarget,
      {
        type: 'object',
        description: 'A target and its grace.',
        fields: {
          target: { ...podTarget, required: true },
          gracePeriodSeconds: integer('Seconds it may take to stop.'),
          ignoreNotFound,
          ifAllowed: flag('true: where a budget refuses it the pod stays, and the story goes on.'),
        },
      },
    ],
  },
  cordon: { ...nodeTarget, description: 'Marks a Node unschedulable, as kubectl cordon does.' },
  uncordon: { ...nodeTarget, description: 'Marks a Node schedulable again.' },
  scale: {
    type: 'object',
    description: 'Sets the number of replicas through the scale sub-resource, as kubectl scale does.',
    fields: {
      target,
      replicas: { ...integer('How many there are to be.'), required: true },
      ignoreNotFound,
    },
  },
} as const;

/** What `drain` may be told, with the defaults of kubectl. */
export const DRAIN = {
  type: 'either',
  description:
    'Cordons a Node and evicts its pods, as kubectl drain does: what a budget refuses is tried again every 5 s. Ends when they are gone.',
  forms: [
    nodeTarget,
    {
      type: 'object',
      description: 'A Node and what may go.',
      fields: {
        target: { ...nodeTarget, required: true },
        timeout: duration('Fails if it takes longer; absent: as long as the run lasts.'),
        gracePeriodSeconds: integer('Seconds each pod may take to stop; absent: what it says itself.'),
        ignoreDaemonSets: flag('Pods of DaemonSets stay; absent: where there are any, nothing is evicted.'),
        deleteEmptyDirData: flag('Pods with emptyDir volumes go too; absent: where there are any, nothing is evicted.'),
        force: flag('Pods that no controller manages go too; absent: where there are any, nothing is evicted.'),
        disableEviction: flag('Deletes, past the budgets.'),
        podLabels: labels('Only pods with these labels.'),
      },
    },
  ],
} as const;

export const WRITING_VERBS = Object.keys(WRITING_FIELDS);

export const EXPECTATION_FIELDS = {
  match: {
    type: 'match',
    description: 'Some object is like this partial one; lists are compared by merge key, zero values equal absent ones.',
  },
  absent: { type: 'target', description: 'No such object exists.' },
  count: {
    type: 'object',
    description: 'So many such objects exist.',
    fields: {
      of: { ...target, description: 'What is counted.' },
      is: integer('Exactly so many.'),
      atLeast: integer('At least so many.'),
      atMost: integer('At most so many.'),
    },
    atLeastOneOf: ['is', 'atLeast', 'atMost'],
    atMostOneOf: [
      ['is', 'atLeast'],
      ['is', 'atMost'],
    ],
  },
  cel: {
    type: 'expression',
    about: 'world',
    description: "A condition over objects('Pod'), object('Job/a'), events('Job/a'), inside('Pod/a'), inside('Node/a'), now and elapsed.",
  },
  allowed: {
    type: 'object',
    description: 'May this user do this?',
    fields: {
      user: { ...text('Who asks.'), required: true },
      groups: texts('Their groups.'),
      verb: { ...text('What they want to do: get, list, create, …'), required: true },
      resource: text('Plural resource name.'),
      group: text('API group of the resource.'),
      subresource: text('Sub-resource.'),
      name: text('Name of the object.'),
      namespace: text('Namespace; absent: cluster-wide.'),
      path: text('A non-resource path such as /healthz.'),
      is: flag('The answer; true if absent.'),
    },
    exactlyOneOf: ['resource', 'path'],
  },
  ...DECISION_FIELDS,
} as const;

export const EXPECTATION_NAMES = Object.keys(EXPECTATION_FIELDS);

export const expectation = {
  type: 'object',
  description: 'Something that must be true.',
  fields: EXPECTATION_FIELDS,
  exactlyOneOf: EXPECTATION_NAMES,
} as const;
