/** The members of a scenario about what is outside the simulation: clients, the dump it begins with, what was recorded, webhooks. */
import { expression, duration, either, flag, list, object, required, text, texts } from './fields.ts';
import { RECORDED_LINE } from './recorded-writes.ts';

const condition = (says: string) => expression(says, 'change');

export const CLIENT = object('How requests are recognised as those of the client: each member that is given must fit.', {
  userAgent: text('Its User-Agent; * matches any text, such as my-operator/*.'),
  user: text('Its user, by certificate or token; * matches any text, such as system:serviceaccount:default:*.'),
  holder: text(
    'The identity that it writes into a Lease, such as my-operator-*; from then on for all requests with the same user and User-Agent.',
  ),
  timers: duration(
    'For orchsim drive: the longest of its own timers (back-off, requeue, lease renewal). Virtual time does not pass faster than real time while it may wait for one.',
  ),
});

export const RECORDED = object(
  'What the controllers, scheduler and nodes of a real cluster wrote, as `orchsim import` reads it from an audit log or a watch. The run is compared with it, and fails at the first difference. Searches and forks leave it out.',
  {
    within: duration('How far apart a write of the run and its record may be; 10s if absent.'),
    until: duration('The end of the record: later writes of the run are not compared. Absent: its last write.'),
    covers: texts(
      'What the record has all of, by kind and first word, such as `Pod created` and `Pod bound`: one more in the run is a difference too. Absent: only what the run lacks.',
    ),
    writes: required({
      type: 'recordedWrites',
      says: `The writes, a line for each, with two spaces between: ${RECORDED_LINE}. The time since the start; the object, as \`Pod of Job default/pi\` where its name is drawn, otherwise \`Job default/pi\`; created, deleted, bound to NODE, replicas N, phase PHASE, or CONDITION STATUS; who made it, and where the log has it (both only for reports).`,
    } as const),
  },
);

const paths = (says: string) => list(says, text('A path, relative to this file.'), { orOne: true, minItems: 1 });

export const FROM = either(
  'The dump of a cluster with which the run begins, instead of an empty one: files or folders with what `kubectl get -o yaml`, `kubectl cluster-info dump` or `kwokctl snapshot` wrote. Objects keep their identity, pods run where they ran, and the clock begins at the newest time in the dump.',
  text('The path of a file or folder, relative to this file.'),
  list('Several paths.', text('A path, relative to this file.'), { minItems: 1 }),
  object('Paths, and how they are read.', {
    paths: required(paths('The paths.')),
    secrets: flag('true: Secrets keep their values; otherwise these are emptied.'),
    lenient: flag(
      'true: objects that cannot be read, or contradict others, are left out, and said in a note; otherwise the dump is refused.',
    ),
    behaviors: text(
      'A file, relative to this one, with podBehaviors, usage and metrics as in cluster: how what is imported goes on. What the cluster states itself comes first. `orchsim init --from` writes one.',
    ),
  }),
);

export const WEBHOOK_ANSWER = object(
  'The answer of a webhook, by conditions on the object: self is the object as it is written (of a deletion: as it was), old the stored one, null after a creation.',
  {
    allow: condition('Whether it allows the request; absent: it does.'),
    message: text('What it says when it does not.'),
    warn: list('Warnings for the client.', text('A warning.'), { orOne: true, minItems: 1 }),
    when: condition('The requests for which it changes the object by mutate; absent: all.'),
    mutate: { type: 'any', says: 'What it merges into the object, as a JSON merge patch does.' },
    fails: text('It does not answer, for this reason: its failure policy decides.'),
  },
  { needs: { message: 'allow', when: 'mutate' } },
);
