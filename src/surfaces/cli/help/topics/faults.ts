/** `help faults`. */
import { faultsWith } from '../../../../lab/definitions/index.ts';
import type { Fields } from '../../../../lab/scenario/index.ts';
import { EXAMPLE_FILE } from '../example.ts';
import { rows, type Topic } from '../topic.ts';

const listed = (parameters: Fields): string =>
  Object.entries(parameters)
    .map(([name, { required }]) => (required === true ? name : `[${name}]`))
    .join(', ');

export const faults: Topic = {
  name: 'faults',
  summary: 'what can go wrong, and how a scenario says it',
  text: (own, columns) => `A fault is a step: its name with whom it happens to, its parameters beside it.

    - at: 2s
      fault: { crash: controller-manager, restartAfter: 10s }

Processes are \`controller-manager\`, \`scheduler\` and \`agent/node-0\` of each node; where several stand for election the others are \`controller-manager-1\`, \`scheduler-1\` and so on. A process that dies loses its caches, its queues and its memory; what it had written stays.

${rows(
  faultsWith(own).map(({ name, parameters, description }) => [name, listed(parameters), description]),
  columns,
)}

Faults may overlap, also two of one kind:

${rows(
  faultsWith(own).flatMap(({ name, overlap }) => (overlap === undefined ? [] : [[name, overlap]])),
  columns,
)}

Parameters in brackets may be left out. \`schema --reference\` has each of them with an example.

    npx orchsim faults # the same, with --json for programs
    npx orchsim run ${EXAMPLE_FILE} -v # shows each fault with its parameters, and what follows

    npx orchsim walk ${EXAMPLE_FILE} --script 'next; fork fault crash scheduler; next' # what if?

In a walk \`waiting\` lists what comes next, by number, and \`fork first 2\` and \`fork later 2 10s\` go on in another order.

Faults of your own: \`help controllers\`.`,
};
