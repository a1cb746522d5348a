/**
 * The scenario format, one table: what may stand in a file, what it means. Everything that reads, documents or completes scenario files
 * reads this.
 */
import { RULES_MODES } from '../../apiserver/machinery/index.ts';
import { CHOICE } from './choice-format.ts';
import { CLUSTER } from './cluster-format.ts';
import { duration, flag, integer, labels, objectName, text } from './field-helpers.ts';
import type { Field } from './fields.ts';
import { INVARIANT } from './invariant-format.ts';
import { LESSON_FIELDS } from './lesson-format.ts';
import { anyTarget, DRAIN, expectation, EXPECTATION_FIELDS, EXPECTATION_NAMES, WRITING_FIELDS, WRITING_VERBS } from './writing-format.ts';

export type { Field } from './fields.ts';

export { TARGET_FIELDS } from './writing-format.ts';

export const SCENARIO_API_VERSION = 'scenario.orch.io/v1';
export const SCENARIO_KIND = 'Scenario';

const ACTION_FIELDS = {
  ...WRITING_FIELDS,
  waitFor: {
    type: 'object',
    description: 'Waits until something is true.',
    fields: { ...EXPECTATION_FIELDS, within: duration('Fails if it takes longer; absent: as long as the run lasts.') },
    exactlyOneOf: EXPECTATION_NAMES,
  },
  drain: DRAIN,
  fault: { type: 'fault', description: 'Breaks something: the name of a fault with its subject, and its parameters beside it.' },
  expectError: {
    type: 'object',
    description: 'A writing step that must fail, and how.',
    fields: {
      ...WRITING_FIELDS,
      apply: { ...WRITING_FIELDS.apply, lenient: true },
      create: { ...WRITING_FIELDS.create, lenient: true },
      replace: { ...WRITING_FIELDS.replace, lenient: true },
      start: {
        type: 'string',
        names: 'process',
        description:
          'Or a process that is down and must refuse to start, because of its file or flags; of the rest, message alone is compared.',
      },
      code: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status code it must get.' },
      reason: text('The reason it must get, such as Invalid.'),
      field: text('A field that one of the causes must name.'),
      message: text('A text that the message must contain.'),
    },
    exactlyOneOf: [...WRITING_VERBS, 'start'],
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
    before: text('Prose for the start of the step, markdown: what the step will do.'),
    ...ACTION_FIELDS,
    note: text('Prose for the end of the step, markdown: shown when its wait is over and what it expects holds.'),
    about: { ...anyTarget, description: 'The object of the note, which why explains there; of several objects, the first one created.' },
    assert: {
      type: 'list',
      items: expectation,
      orOne: true,
      minItems: 1,
      description: 'What the note states, as a condition: where it is false, the file fails.',
    },
    expect: { type: 'list', items: expectation, orOne: true, minItems: 1, description: 'What must hold when the step is complete.' },
    ...LESSON_FIELDS,
  },
  atLeastOneOf: [...ACTION_VERBS, 'expect', 'note'],
  needs: { assert: 'note', ask: 'note', try: 'note' },
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
        choices: {
          type: 'list',
          items: CHOICE,
          description: 'What goes otherwise than by itself, each once at its point: how a search writes down what it has found.',
        },
      },
    },
  },
} as const satisfies Field;
