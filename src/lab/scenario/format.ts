/**
 * The scenario format, one table: what may stand in a file, what it means. Everything that reads, documents or completes scenario files
 * reads this.
 */
import { RULES_MODES } from '../../apiserver/vocabulary/index.ts';
import { CLUSTER } from './cluster-format.ts';
import { DECISION_FIELDS } from './decision-format.ts';
import { duration, flag, integer, labels, objectName, text, texts } from './field-helpers.ts';
import type { Field, Fields } from './fields.ts';
import { INVARIANT } from './invariant-format.ts';

export type { Field, Fields } from './fields.ts';

export const SCENARIO_API_VERSION = 'scenario.orch.io/v1';
export const SCENARIO_KIND = 'Scenario';

const anyTarget = {
  type: 'target',
  description: 'The object that is meant: Kind/name, Kind/namespace/name, or a mapping with kind and name, labels, cel or nth.',
} as const;
const target = { ...anyTarget, required: true } as const;

/** The long form of a target. */
export const TARGET_FIELDS = {
  kind: { type: 'name', of: 'kinds', required: true, description: 'The kind, as in manifests.' },
  namespace: text('The namespace; default if absent, * for every namespace.'),
  name: text('The name.'),
  labels: labels('Labels it must carry.'),
  cel: { type: 'expression', about: 'self', description: 'A condition over self, the object.' },
  nth: integer('The n-th existing match by creation, from 1.', 1),
} as const satisfies Fields;

const ignoreNotFound = flag('Nothing to do is not a mistake: skipped where there is no such object.');

/** The verbs that write: those that `expectError` can wrap. */
const WRITING_FIELDS = {
  apply: { type: 'manifests', description: 'Creates or updates objects, as apply does.' },
  create: { type: 'manifests', description: 'Creates objects.' },
  replace: { type: 'manifests', description: 'Replaces objects.' },
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
      anyTarget,
      {
        type: 'object',
        description: 'A target and its grace.',
        fields: { target, gracePeriodSeconds: integer('Seconds it may take to stop.'), ignoreNotFound },
      },
    ],
  },
} as const;

const WRITING_VERBS = Object.keys(WRITING_FIELDS);

const EXPECTATION_FIELDS = {
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
    description: "A condition over objects('Pod'), object('Job/a'), events('Job/a'), now and elapsed.",
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

const EXPECTATION_NAMES = Object.keys(EXPECTATION_FIELDS);

const expectation = {
  type: 'object',
  description: 'Something that must be true.',
  fields: EXPECTATION_FIELDS,
  exactlyOneOf: EXPECTATION_NAMES,
} as const;

const ACTION_FIELDS = {
  ...WRITING_FIELDS,
  waitFor: {
    type: 'object',
    description: 'Waits until something is true.',
    fields: { ...EXPECTATION_FIELDS, within: duration('Fails if it takes longer; absent: as long as the run lasts.') },
    exactlyOneOf: EXPECTATION_NAMES,
  },
  fault: { type: 'fault', description: 'Breaks something: the name of a fault with its subject, and its parameters beside it.' },
  expectError: {
    type: 'object',
    description: 'A writing step that must fail, and how.',
    fields: {
      ...WRITING_FIELDS,
      apply: { ...WRITING_FIELDS.apply, lenient: true },
      create: { ...WRITING_FIELDS.create, lenient: true },
      replace: { ...WRITING_FIELDS.replace, lenient: true },
      code: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status code it must get.' },
      reason: text('The reason it must get, such as Invalid.'),
      field: text('A field that one of the causes must name.'),
      message: text('A text that the message must contain.'),
    },
    exactlyOneOf: WRITING_VERBS,
    atLeastOneOf: ['code', 'reason', 'field', 'message'],
  },
} as const;

const ACTION_VERBS = Object.keys(ACTION_FIELDS);

/** One item of `spec.steps`: a time, what happens, what must be true then, what a reader is told. */
export const STEP = {
  type: 'object',
  description: 'A step. Starts when the one before it is done, unless at, after or when says otherwise.',
  fields: {
    at: duration(
      'Starts at this time since the start of the run, not before that of a step above; at once if that has passed, since steps run in order.',
    ),
    after: duration('Starts so long after the step before it.'),
    when: {
      type: 'either',
      description: 'Starts when nothing more would happen (settled), when a condition holds, or right after a write.',
      forms: [
        { type: 'string', enum: ['settled'], description: 'When nothing pending could still write.' },
        {
          type: 'object',
          description: 'When a condition holds, or right after a write.',
          fields: {
            cel: EXPECTATION_FIELDS.cel,
            revision: integer('Right after the write of this revision (rv in a timeline), before anything comes of it.', 1),
          },
          exactlyOneOf: ['cel', 'revision'],
        },
      ],
    },
    before: text('A walkthrough beat for the start of the step, markdown: what is about to be done.'),
    ...ACTION_FIELDS,
    note: text('A walkthrough beat, markdown: told when the step has ended, so when its wait is over and what it expects holds.'),
    about: { ...anyTarget, description: 'What the note is about, which why explains there; the first by creation where it is several.' },
    claim: {
      type: 'list',
      items: expectation,
      orOne: true,
      minItems: 1,
      description: 'What the note states, checked when it is told: a false sentence fails the file.',
    },
    expect: { type: 'list', items: expectation, orOne: true, minItems: 1, description: 'What must be true once the step is done.' },
  },
  atLeastOneOf: [...ACTION_VERBS, 'expect', 'note'],
  needs: { claim: 'note' },
  atMostOneOf: [['at', 'after', 'when'], ACTION_VERBS],
} as const satisfies Field;

/** A whole scenario document. */
export const SCENARIO = {
  type: 'object',
  description: 'A scenario: a cluster, what is done to it, what must come of it.',
  fields: {
    apiVersion: { type: 'string', enum: [SCENARIO_API_VERSION], required: true, description: 'The version of this format.' },
    kind: { type: 'string', enum: [SCENARIO_KIND], required: true, description: 'Scenario.' },
    metadata: {
      type: 'object',
      required: true,
      description: 'What it is called.',
      fields: {
        name: {
          type: 'string',
          required: true,
          pattern: { source: '^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$', means: 'a name of letters, digits, -, _ and .' },
          description: 'Its name, unique in the file.',
        },
      },
    },
    spec: {
      type: 'object',
      required: true,
      description: 'The scenario itself.',
      fields: {
        title: text('One line for lists.'),
        teaches: text('What a reader learns from it.'),
        seed: { type: 'integer', minimum: 0, description: 'The seed of all chance; 1 if absent.' },
        startTime: { type: 'instant', description: 'The wall clock when the run starts; 2024-03-01T00:00:00Z if absent.' },
        until: duration('How long the run lasts; absent: until it has settled after the last step.'),
        limits: {
          type: 'object',
          description: 'A run that trips one fails and says what looped.',
          fields: {
            steps: integer('Events.', 1),
            time: duration('Virtual time.'),
            objects: integer('Objects at a time, those of kind Event apart; 150000 if absent.', 1),
          },
        },
        domain: { type: 'string', enum: ['orch.io', 'k8s.io'], description: 'The names in use: orch.io (default) or k8s.io.' },
        rules: {
          type: 'string',
          enum: [...RULES_MODES],
          description:
            'What becomes of a write that the specification forbids and v1.24 takes: specification refuses it (default in orch.io), recorded lets it pass and notes it (default in k8s.io). `orchsim rules` lists them.',
        },
        allowUnknownFields: flag(
          'Manifests and patches may have fields that their kind does not: the server drops them, and the report says so. Else the file is refused.',
        ),
        featureGates: { type: 'map', keys: 'featureGates', values: flag('On or off.'), description: 'Feature gates by name.' },
        cluster: CLUSTER,
        namespaces: {
          type: 'list',
          description: 'Namespaces, created first.',
          items: {
            type: 'either',
            description: 'A namespace.',
            forms: [
              objectName('Its name.'),
              {
                type: 'object',
                description: 'A namespace with labels.',
                fields: { name: { ...objectName('Its name.'), required: true }, labels: labels('Its labels.') },
              },
            ],
          },
        },
        steps: { type: 'list', items: STEP, description: 'What happens, in order.' },
        invariants: {
          type: 'list',
          items: {
            type: 'either',
            description: 'An invariant.',
            forms: [{ type: 'invariantPattern', description: 'A name; * matches anything, a leading ! takes away.' }, INVARIANT],
          },
          description: 'Which invariants are watched, without names all that apply; and those that this scenario says itself.',
        },
      },
    },
  },
} as const satisfies Field;
