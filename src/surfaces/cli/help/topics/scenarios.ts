/** `help scenarios`. */
import { STEP_STARTS, STEP_VERBS } from '../verbs.ts';
import { EXAMPLE, EXAMPLE_FILE } from '../example.ts';
import { block, type Topic } from '../topic.ts';

export const scenarios: Topic = {
  name: 'scenarios',
  summary: 'files that say what happens in a cluster, and what must come of it',
  text: () => `A scenario is a cluster, what is done to it and what must come of it, in YAML. This one is ${EXAMPLE_FILE}:

${block(EXAMPLE)}

Steps run in order. A step starts when the one before it is done, or when one of ${STEP_STARTS} says; does at most one of ${STEP_VERBS}; and is done when what it expects (\`expect\`) holds. Times are virtual (\`help time\`); what can go wrong is told by \`help faults\`, what is watched all the time by \`help invariants\`, prose by \`help lessons\`.

    npx orchsim run ${EXAMPLE_FILE} # what came of it
    npx orchsim run ${EXAMPLE_FILE} -v # with every write and why it was made
    npx orchsim run ${EXAMPLE_FILE} --seeds 1..20 # under twenty seeds
    npx orchsim why Job/retry ${EXAMPLE_FILE} # why an object is what it is
    npx orchsim state Job/retry ${EXAMPLE_FILE} --at 1500ms

A file may hold several scenarios, documents of their own, told apart by \`--scenario\`; a folder is run with all that is in it. Where an object stands, \`{ file: path }\` and a list may stand too. A mistake is told with line, column and the nearest right name before anything runs. Plain manifests run too, for as long as they take.

    npx orchsim schema --reference # every field, with an example
    npx orchsim schema --install # VS Code and other editors check and complete scenarios`,
};
