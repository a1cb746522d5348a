/** `help pages`. */
import { EXAMPLE_FILE } from '../example.ts';
import type { Topic } from '../topic.ts';

export const pages: Topic = {
  name: 'pages',
  summary: 'runs to look at: in a browser, and in viewers of others',
  text: () => `A page is one HTML file. It opens from disk, asks nobody for anything, and shows a run on a stage, with its timeline and with why each thing happened.

    npx orchsim play --out play.html # all shipped scenarios, and the lessons
    npx orchsim page ${EXAMPLE_FILE} # one scenario, with the engine inside
    npx orchsim run ${EXAMPLE_FILE} --page retry.html # what a run was, without the engine: small
    npx orchsim run ${EXAMPLE_FILE} --page-on-failure pages # nothing, unless something fails: for continuous integration
    npx orchsim run ${EXAMPLE_FILE} --seeds 1..20 --page sweep.html # which seeds broke, by what; those that did open

    npx orchsim run ${EXAMPLE_FILE} --trace before.trace # then, with another build, --trace after.trace
    npx orchsim page before.trace --against ${EXAMPLE_FILE} # both runs of the scenario side by side, and what differs in words

The playground takes such files too: drop one on it to see it beside the run that is shown, or two.

A page holds 100,000 entries of a run. Of a longer one it shows what led to the first failure, or the beginning; \`--page-window\` chooses (\`run --help\`). Pages that orchsim has written are written anew, other files only with \`--force\`.

\`serve\` shows its cluster at / while clients work with it, behind the same gate: with \`--auth\` it asks for a token first.

    npx orchsim run ${EXAMPLE_FILE} --perfetto retry.json # ui.perfetto.dev, chrome://tracing
    npx orchsim run ${EXAMPLE_FILE} --shiviz retry.log # ShiViz: who knew what of whom

For Perfetto what happens at one virtual instant stands in its order within that millisecond, and causes are arrows. For ShiViz the server and each process are hosts, and an event's clock contains those of its causes.`,
};
