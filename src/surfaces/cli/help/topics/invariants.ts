/** `help invariants`. */
import { invariantsWith } from '../../../../lab/definitions/index.ts';
import { fieldsAt } from '../verbs.ts';
import { rows, type Topic } from '../topic.ts';

export const invariants: Topic = {
  name: 'invariants',
  summary: 'what must hold in every run, and how to say one of your own',
  text: (
    own,
    columns,
  ) => `Every run is held against these, as far as its objects concern them: after every change (always), by some time (eventually), at the end (stable), at least once (sometimes). A broken one names the step, and the chain of causes that led there.

${rows(
  invariantsWith(own).map(({ name, temporal, description }) => [name, temporal, description]),
  columns,
)}

\`spec.invariants\` chooses by name; \`*\` stands for anything, a leading \`!\` takes away. One of your own stands there as a mapping, with conditions in CEL; \`self\` is the object, \`old\` what it was before the change.

    invariants:
      - job/*
      - { name: soon-done, foreach: Job, eventually: has(self.status.completionTime), within: 5m }

${rows(
  fieldsAt('spec.invariants[]').map(({ name, description }) => [name, description]),
  columns,
)}

    npx orchsim invariants # the same list, with --json for programs`,
};
