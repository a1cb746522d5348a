/** `help time`. */
import { EXAMPLE_FILE } from '../example.ts';
import type { Topic } from '../topic.ts';

export const time: Topic = {
  name: 'time',
  summary: 'the virtual clock: durations, what settled means, and how a served cluster keeps time',
  text: () => `Time is virtual and jumps from one thing that happens to the next: an hour of back-off costs nothing. It counts milliseconds from \`spec.startTime\`. Durations are written as 500ms, 10s, 1h30m or 400d.

A step starts at a time since the start of the run (\`at\`), so long after the step before it (\`after\`), or when something is so (\`when\`). \`when: settled\` is the moment from which on nothing pending would write; renewals of leases, and what only looks again, do not count. Where somebody would write for ever (a CronJob), say how long the run lasts: \`spec.until\`. \`spec.limits\` ends what goes round in circles.

Messages take time: \`spec.cluster.latency\` says how much; where it is a range, chance draws from it.

    npx orchsim state Pod ${EXAMPLE_FILE} --at 1500ms
    npx orchsim diff Job/retry ${EXAMPLE_FILE} --from 1s --to end

\`serve --clock\` says how a served cluster keeps time: manual (a POST to /sim/v1/advance moves it), auto (on to the next event while clients wait) or realtime (\`--speed\` times as fast as ours).`,
};
