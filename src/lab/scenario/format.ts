/**
 * The scenario format as one table: the members of a file and their meaning. All code that reads, documents or completes scenario files
 * uses it.
 */
import { RULES_MODES } from '../../apiserver/machinery/index.ts';
import { CHOICE } from './choice-format.ts';
import { CLUSTER } from './cluster-format.ts';
import {
  choice,
  duration,
  either,
  expression,
  flag,
  integer,
  labels,
  list,
  mapping,
  matching,
  object,
  objectName,
  required,
  text,
} from './fields.ts';
import type { Fields } from './fields.ts';
import { CLIENT, FROM, RECORDED, WEBHOOK_ANSWER } from './outside-format.ts';
import { anyTarget, DRAIN, expectation, EXPECTATION_FIELDS, EXPECTATION_NAMES, WRITING_FIELDS, WRITING_VERBS } from './writing-format.ts';

export { TARGET_FIELDS } from './writing-format.ts';

export const SCENARIO_API_VERSION = 'scenario.orch.io/v1';
export const SCENARIO_KIND = 'Scenario';

const condition = (says: string) => expression(says, 'change');

const INVARIANT_FIELDS = {
  name: required(
    matching('Its name, which no other invariant has.', '^[A-Za-z0-9][A-Za-z0-9._/-]{0,252}$', 'a name of letters, digits, -, _, . and /'),
  ),
  description: text('One sentence for reports; absent: the condition itself.'),
  foreach: list(
    'The condition is about each object of these kinds, as self; old is its revision before the change, null after its creation.',
    { type: 'name', of: 'kinds', says: 'A kind.' },
    { orOne: true, minItems: 1 },
  ),
  where: expression('With foreach: only objects for which this holds.', 'self'),
  always: condition('Holds after every change.'),
  eventually: condition('Becomes true: for each object within the time from its creation, without foreach from the start.'),
  stable: condition('Holds at the end; with within, continuously from that time on.'),
  sometimes: condition('Holds at least once.'),
  within: duration('For eventually and stable: the time limit. Absent: the end of the run.'),
} as const satisfies Fields;

export const TEMPORALS = ['always', 'eventually', 'stable', 'sometimes'] as const;

const INVARIANT = object('An invariant of this scenario: a condition over objects and changes.', INVARIANT_FIELDS, {
  exactlyOneOf: TEMPORALS,
  atMostOneOf: [
    ['within', 'always'],
    ['within', 'sometimes'],
  ],
});

const ANSWER = object('An answer: a statement about the cluster, right or wrong.', {
  say: required(text('The answer in words.')),
  cel: required({
    ...EXPECTATION_FIELDS.cel,
    says: 'The condition of the answer, evaluated when the step has ended: it holds for exactly one choice, the right one.',
  }),
  because: required(text('Why it is so, or why it is not: shown when the question has been answered.')),
});

const TRY = object(
  'A suggestion at the end of the step: a fork of the run, which is checked with the scenario.',
  {
    say: required(text('The suggestion in words.')),
    shows: text('What the fork shows, in one sentence at its end. `then` and `breaks` check it.'),
    ...WRITING_FIELDS,
    fault: { type: 'fault', says: 'Injects a fault, as a step does.' },
    after: duration(
      'The fork ends this long after it, and its expectations are checked; absent: at until, or when the cluster is settled.',
    ),
    then: list('The expected result.', expectation, { orOne: true, minItems: 1 }),
    breaks: text('The invariant that this breaks: the run fails if it holds.'),
  },
  { exactlyOneOf: [...WRITING_VERBS, 'fault'], atLeastOneOf: ['then', 'breaks'] },
);

const LESSON_FIELDS = {
  ask: object('A question at the end of the previous step, about the state at the end of this step.', {
    question: required(text('The question.')),
    choices: required(list('Two to four answers. None is marked as right: the run evaluates them.', ANSWER, { minItems: 2, maxItems: 4 })),
  }),
  look: either(
    'The object to show when the step has ended, and optionally the process whose cache is shown.',
    anyTarget,
    object('An object, and the process whose cache is shown.', {
      at: required({ ...anyTarget, says: 'The object.' }),
      as: { type: 'string', names: 'process', says: 'The process whose cache is shown, such as controller-manager.' },
    }),
  ),
  try: list('Suggestions at the end of the step.', TRY, { orOne: true, minItems: 1 }),
} as const satisfies Fields;

const ACTION_FIELDS = {
  ...WRITING_FIELDS,
  waitFor: object(
    'Waits until an expectation holds.',
    { ...EXPECTATION_FIELDS, within: duration('Fails if it takes longer; absent: as long as the run lasts.') },
    { exactlyOneOf: EXPECTATION_NAMES },
  ),
  drain: DRAIN,
  fault: { type: 'fault', says: 'Injects a fault: its name with its subject, and its parameters beside it.' },
  expectError: object(
    'A writing step that must fail, and how.',
    {
      ...WRITING_FIELDS,
      apply: { ...WRITING_FIELDS.apply, lenient: true },
      create: { ...WRITING_FIELDS.create, lenient: true },
      replace: { ...WRITING_FIELDS.replace, lenient: true },
      start: {
        type: 'string',
        names: 'process',
        says: 'Or a process that is down and must refuse to start, because of its configuration file or flags; of the other members, only message is compared.',
      },
      code: integer('The expected HTTP status code.', 400, 599),
      reason: text('The expected reason, such as Invalid.'),
      field: text('A field that one of the causes must name.'),
      message: text('A text that the message must contain.'),
    },
    { exactlyOneOf: [...WRITING_VERBS, 'start'], atLeastOneOf: ['code', 'reason', 'field', 'message'] },
  ),
} as const;

const ACTION_VERBS = Object.keys(ACTION_FIELDS);

/** One item of `spec.steps`: a time, an action, expectations, narration. */
export const STEP = object(
  'A step. Starts when the one before it is done, unless at, after or when says otherwise.',
  {
    at: duration(
      'Starts at this time since the start of the run, not before that of a step above; at once if that has passed, since steps run in order.',
    ),
    after: duration('Starts this long after the previous step.'),
    when: either(
      'Starts when the cluster is settled (settled), when a condition holds, or right after a write.',
      choice('When no pending event can lead to a write.', 'settled'),
      object(
        'When a condition holds, or right after a write.',
        {
          cel: EXPECTATION_FIELDS.cel,
          revision: integer('Right after the write of this revision (rv in a timeline), before its effects.', 1),
        },
        { exactlyOneOf: ['cel', 'revision'] },
      ),
    ),
    before: text('Text for the start of the step, markdown: what the step will do.'),
    ...ACTION_FIELDS,
    as: object('Who makes the request of the step; absent: an administrator.', {
      user: required(text('The user, such as alice or system:serviceaccount:shop:operator. It may do everything.')),
      userAgent: text('Its program, which becomes the field manager.'),
    }),
    code: integer(
      'The HTTP status code that the request is answered with, such as 409; of success, any will do. Another answer fails the run, and the steps go on.',
      200,
      599,
    ),
    note: text('Text for the end of the step, markdown: shown when its wait is over and its expectations hold.'),
    about: { ...anyTarget, says: 'The object of the note, which why explains there; the first by creation if there are several.' },
    assert: list('What the note states, as an expectation: if it is false, the run fails.', expectation, { orOne: true, minItems: 1 }),
    expect: list('What must hold when the step is complete.', expectation, { orOne: true, minItems: 1 }),
    ...LESSON_FIELDS,
  },
  {
    atLeastOneOf: [...ACTION_VERBS, 'expect', 'note'],
    needs: { assert: 'note', ask: 'note', try: 'note' },
    atMostOneOf: [
      ['at', 'after', 'when'],
      ACTION_VERBS,
      ...ACTION_VERBS.filter((verb) => !Object.hasOwn(WRITING_FIELDS, verb)).flatMap((verb) => [
        ['as', verb],
        ['code', verb],
      ]),
    ],
  },
);

export const SCENARIO = object('A scenario: a cluster, actions, and expectations.', {
  apiVersion: required(choice('The version of this format.', SCENARIO_API_VERSION)),
  kind: required(choice('Scenario.', SCENARIO_KIND)),
  metadata: required(
    object('Its metadata.', {
      name: required(
        matching('Its name, unique in the file.', '^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$', 'a name of letters, digits, -, _ and .'),
      ),
    }),
  ),
  spec: required(
    object('The scenario itself.', {
      title: text('One line for lists.'),
      teaches: text('What a reader learns from it.'),
      seed: integer('The seed of all random choices; 1 if absent.'),
      startTime: { type: 'instant', says: 'The wall clock when the run starts; 2024-03-01T00:00:00Z if absent.' },
      until: duration('How long the run lasts; absent: until the cluster is settled after the last step.'),
      limits: object('A run that exceeds a limit fails, and the report names the cause.', {
        steps: integer('Events.', 1),
        time: duration('Virtual time.'),
        objects: integer('The number of objects at a time, without Events; 150000 if absent.', 1),
      }),
      domain: choice('The names in use: orch.io (default) or k8s.io.', 'orch.io', 'k8s.io'),
      rules: choice(
        'How the server treats a write that the specification forbids and v1.24 accepts: specification refuses it (default in orch.io), recorded accepts it with a warning (default in k8s.io). `orchsim rules` lists them.',
        ...RULES_MODES,
      ),
      allowUnknownFields: flag(
        'Manifests and patches may have fields that their kind does not have: the server drops them, and the report warns. Otherwise the file is refused.',
      ),
      from: FROM,
      featureGates: mapping('Feature gates by name.', flag('On or off.'), { keys: 'featureGates' }),
      cluster: CLUSTER,
      clients: mapping(
        'Programs outside the cluster by name, which orchsim drive starts and serve recognises: faults name them like processes.',
        CLIENT,
      ),
      webhooks: mapping(
        'The answers of webhooks, by their names in configurations that the scenario applies; of conversion webhooks, by the names of the definitions. Webhooks without an answer here fail; without this member none is asked.',
        WEBHOOK_ANSWER,
      ),
      namespaces: list(
        'Namespaces, created first.',
        either(
          'A namespace.',
          objectName('Its name.'),
          object('A namespace with labels.', { name: required(objectName('Its name.')), labels: labels('Its labels.') }),
        ),
      ),
      steps: list('The steps, in order.', STEP),
      invariants: list(
        'The invariants to check (without names: all that apply), and invariants that this scenario defines.',
        either('An invariant.', { type: 'invariantPattern', says: 'A name; * matches any text, a leading ! deselects.' }, INVARIANT),
      ),
      recorded: RECORDED,
      choices: list('Faults at points of the run, each injected once: the form in which a search writes its findings.', CHOICE),
    }),
  ),
});
