/** `help searching`. */
import { faultKinds } from '../../../../lab/choices/index.ts';
import { EXAMPLE_FILE } from '../example.ts';
import { rows, type Topic } from '../topic.ts';

export const searching: Topic = {
  name: 'searching',
  summary: 'looks for what may go otherwise until a claim breaks, and writes it down',
  text: (
    _,
    columns,
  ) => `\`search\` takes a scenario that holds and looks for delays, crashes and lost messages with which it does not. What it claims are its invariants, what its last steps expect, and that it comes to rest; what it expects in the middle is about instants, which any delay shifts, and is not asked. Trouble is made until the story's end; then everything mends, the world has longer than the longest back-off to come to rest (some 19 minutes), and the claims are asked. One that goes round in circles, or fails for ever at one thing, is told by what repeats.

    npx orchsim search ${EXAMPLE_FILE} --budget '32 runs' --faults hold,late # only latency

What is found is made as small as it goes and written as a scenario that breaks by itself, in a file found-NAME-1.yaml with \`spec.choices\`. Each choice says where, by the address of a point, and what:

${rows(
  faultKinds.map(({ name, sorts, description }) => [name, `at ${sorts.join(', ')}`, description]),
  columns,
)}

An address has no name that chance made:

    write controller-manager job default/a: create Pod #2 # the second pod that this Job creates, and
    see scheduler Pod default/a~2 #1 # the first that the scheduler hears of it
    decide controller-manager job default/a w3+1 # the first decision after the third write for this Job

 So the file shows the same under another seed, and mostly in another version of the code; a choice whose point never comes is reported.

The same \`--seed\` and number of runs find the same on every machine and with any number of \`--jobs\`; a \`--budget\` in seconds makes as many runs as there is time for, and one that is plateau goes on until 256 runs have shown nothing new. \`--coverage\` tells all that was tried, and all that was not. A claim that needs a healthy release (all pods ready, a Job that succeeds) is broken by any pod that hangs, so \`hang\` is only done when it is asked for, with \`--faults +hang\`. One deed is harsher than v1.24: there a process that runs asks for nothing older than what it has seen, and only one that starts may get old lists (\`crash\`). An old \`relist\` says what comes of a server that went back in time; \`--faults -relist\` looks without.

Runs come in strands of 256 that know nothing of each other, so a search can be made in parts anywhere, and what they report adds up to the same:

    npx orchsim search ${EXAMPLE_FILE} --budget '32 runs' --faults hold --shard 1/2 # reports to search-retry-1-of-2.json
    npx orchsim search ${EXAMPLE_FILE} --budget '32 runs' --faults hold --shard 2/2 # anywhere, at any time
    npx orchsim search ${EXAMPLE_FILE} --merge search-retry-1-of-2.json search-retry-2-of-2.json # the findings of all parts, made small

\`--as-job\` writes an Indexed Job for a cluster and a workflow for CI which do that. \`--corpus\` tries the choices of the scenario files in a folder first, and adds runs to it that were worth it: so one search goes on where another has ended.

Small scenarios can be looked at whole: \`--exhaustive\` tries every order of what is due at one instant (and says when it has), \`--deviations\` with 1 every single deed at every point. What they find is a file as well, and Ctrl-C keeps what there is by then.

Exit code 0: nothing that was tried broke it, which is no proof; 1: something was found, or the scenario breaks without any of this. A part answers 0: the sum has the verdict.`,
};
