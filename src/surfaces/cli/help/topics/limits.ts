/** `help limits`. */
import type { Topic } from '../topic.ts';

export const limits: Topic = {
  name: 'limits',
  summary: 'what is simplified, what is left out, and how much fits',
  text: () => `Left out: webhooks, custom resource definitions that a client creates (\`--with\` brings them), logs, exec, tokens in Secrets, protobuf answers, pod security levels. A definition of a custom resource may not use CEL rules, conversion, embedded resources, anyOf, oneOf or not.

Simplified: containers do what the scenario says and share the fate of their pod. An image is present unless the scenario gives its size. No traffic flows. A scheduling attempt takes no time. There is one address family. Other versions of a kind follow the rules of the stored version.

Leases: an event within 50 ms of a renewal in flight is reported as if it came before it. A lease lasts one second at least. Clocks start before the year 9800, and a run lasts at most 100 years.

Agents: an agent that restarts does not admit again the pods that it had admitted. An agent without an API server evicts nothing. The clock of an agent stamps what the agent writes; containers are stamped by elapsed time, which nobody sets. Default request rates apply (an agent 5 requests a second, a scheduler 50).

Requests: a selector has at most 1000 terms and values, a schedule 1024 characters, a body 16,000 values; the bodies of all connections together hold 64 MiB. A deletecollection is one step (57 µs an object). A world holds 150,000 objects, its history ten virtual minutes.

Search: 80 to 120 small runs a second and core (35 in the first seconds). Two threads do 1.1 times the runs of one at first and 1.5 times in the long run. Lists of an old relist are older than v1.24 allows. Every run begins at the start. A livelock is counted within one order of events. A pod costs 8 to 10 times a loop written by hand.

Pages and traces: a page opens 100,000 entries, a longer run in windows. Values of Secrets are replaced by their length in traces and recorded pages, unless asked for with \`--show-secrets\`; a page that runs its scenario holds the scenario as it is.

Scenarios: manifests are checked when they are read, by type, version and the rules that need no stored object. An apply of a part of an object, and a patch, are checked by their values alone. Of several mistakes in the YAML of one document the first is reported. A file is overwritten when orchsim wrote it, or with \`--force\`. The output of kubectl get -o yaml is a start: identities, statuses and what controllers made are made anew.

Controllers of your own: use of the clock or of chance is a finding. A promise that nobody awaits is found with \`--with\`, not in a test that calls the library.`,
};
