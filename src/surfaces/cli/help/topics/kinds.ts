/** `help kinds`. */
import { namesFor } from '../../../../apiserver/vocabulary/index.ts';
import { kindsWith } from '../../../../lab/definitions/index.ts';
import type { Topic } from '../topic.ts';

export const kinds: Topic = {
  name: 'kinds',
  summary: 'the kinds of objects there are, and how to bring one of your own',
  text: (own) => `Objects are of these kinds: ${kindsWith(namesFor('orch.io'), own)
    .list()
    .map(({ kind }) => kind)
    .join(', ')}.

Each is defaulted, validated and printed as v1.24 does it, under neutral names of groups; \`domain: k8s.io\` in a scenario (\`spec.domain\`) speaks the real ones. Where the specification is stricter, \`spec.rules\` decides.

    npx orchsim kinds # what of each is modelled, simplified, left out
    npx orchsim kinds Job # its names, columns and fields
    npx orchsim schema Job # its JSON Schema
    npx orchsim rules # where the specification and v1.24 differ

Commands take any name of a kind: \`Job\`, \`job\`, \`jobs\`, \`po\`. A kind of your own is either TypeScript (\`defineOwnKind\`, in \`orchsim.config.ts\`; \`init\` writes one) or the YAML of a custom resource definition, as clusters have it (\`--with\` brings it into any command, \`serve\` too):

    npx orchsim init mine
    npx orchsim run mine/scenarios # knows the kind of mine/orchsim.config.ts`,
};
