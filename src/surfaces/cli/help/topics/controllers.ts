/** `help controllers`. */
import { controllersWith, kindsWith } from '../../../../lab/definitions/index.ts';
import { namesFor } from '../../../../apiserver/vocabulary/index.ts';
import { CONTROLLER } from '../../init/files.ts';
import { block, type Topic } from '../topic.ts';

export const controllers: Topic = {
  name: 'controllers',
  summary: 'who decides in a cluster, and how to bring one of your own',
  text: (
    own,
  ) => `A controller looks at one object in its cache and answers which writes to make, and why: it decides, and the runner makes its writes one by one. A crash, a conflict or an old cache fits between any two of them.

These run: ${controllersWith(own)(kindsWith(namesFor('orch.io'), own))
    .map(({ name }) => name)
    .join(', ')}; and the agents of nodes, the scheduler and the storage drivers.

    npx orchsim controllers # what each reconciles and writes, and what of upstream it models

One of your own, as \`init\` writes it, is \`greeter.ts\`:

${block(CONTROLLER)}

\`orchsim.config.ts\` beside the scenarios, or above them, brings it into every command, and so does \`--with\`. With \`defineConfig\` come \`controllers\`, \`invariants\`, \`faults\` and \`kinds\`. A controller that throws, loops or answers nothing is a finding with file and line.

    npx orchsim init mine # a project: a scenario, a controller with a test, a kind`,
};
