/** `help determinism`. */
import { EXAMPLE_FILE } from '../example.ts';
import type { Topic } from '../topic.ts';

export const determinism: Topic = {
  name: 'determinism',
  summary: 'one scenario and seed, one run, byte for byte: seeds, digests, replays',
  text: () => `The same scenario and seed give the same run: the same writes, uids, names and times, in any process, in Node and in a browser. Nothing reads the clock of the machine or its chance; what is drawn is drawn from the seed, each consumer from a stream of its own.

The digest that a run prints is a fingerprint of everything that happened. It is the same as long as the scenario, the seed and orchsim are; prose never changes it.

    npx orchsim run ${EXAMPLE_FILE} --seed 7 # instead of the seed in \`spec.seed\`
    npx orchsim run ${EXAMPLE_FILE} --seeds 1..20 # a sweep: what chance may do
    npx orchsim check-determinism ${EXAMPLE_FILE} # three runs of one seed, one of them in a fresh process

A failure ends with the command that shows it again, seed included. Controllers of your own must not read clocks or chance either: \`check-determinism\` names the first step at which two runs part.`,
};
