/** Scheduling, patches, quotas, and topology hints. */
import { inFile, type Mutant } from '../mutant.ts';

const scheduler = 'src/controlplane/agents/scheduler';
const QUOTA = { tests: ['test/apiserver/handlers/quota.test.ts'] };

export const judging: readonly Mutant[] = [
  ...inFile(`${scheduler}/filtering.ts`, {
    'scheduler/promised-of-equal-priority': ['other.priority >= pod.priority', 'other.priority > pod.priority'],
    'scheduler/must-fit-without-promises': ['if (refusal !== undefined) return refusal;\n    }', 'return refusal;\n    }'],
    'scheduler/a-hundred-nodes-at-least': ['Math.max(Math.trunc((all * percent) / 100), MIN_NODES)', 'Math.trunc((all * percent) / 100)'],
    'scheduler/goes-round': ['if (++next >= nodes.length) next = 0;', '++next;'],
    'scheduler/weightier-word': ['RANK[b.code] > RANK[a.code] ? b.code : a.code', 'a.code'],
  }),
  ...inFile(`${scheduler}/scoring.ts`, {
    'scheduler/ties-are-drawn': ['if (random.below(candidates) === 0) best = i;', ''],
    'scheduler/a-new-best-has-no-rivals': ['best = i;\n      candidates = 1;', 'best = i;'],
    'scheduler/weights': ['(scores[i] ?? 0) * weight', 'scores[i] ?? 0'],
  }),
  ...inFile(`${scheduler}/queue.ts`, {
    'scheduler/important-pods-first': ['b.info.priority - a.info.priority || ', ''],
    'scheduler/ten-seconds-at-most': ['Math.min(wait, MAX_BACKOFF_MS)', 'wait'],
    'scheduler/flushed-after-more-than-that': ['since + maxRefusedMs + 1', 'since + maxRefusedMs'],
  }),
  ...inFile('src/apiserver/patch/json-patch.ts', {
    'patch/minus-one-is-the-last': ['position < 0 ? position + max + 1 : position', 'position'],
    'patch/escaped-slash': ["escape === '~1' ? '/' : '~'", "'~'"],
    'patch/copies-are-limited': ['work.copied > MAX_COPIED', 'false'],
    'patch/what-stays-is-the-same': ['sameJson(doc, result) ? doc : result', 'result'],
  }),
  ...inFile('src/apiserver/patch/merge-patch.ts', {
    'patch/of-null-that-is-not-there': ['if (present) delete (merged ??= { ...doc })[key];', 'delete (merged ??= { ...doc })[key];'],
    'patch/null-in-what-is-new': ['const clean = cleaned(value, schema);', 'const clean = value;'],
  }),
  ...inFile('src/apiserver/admission/quota-usage.ts', {
    'quota/largest-init-container': ['sum = larger(sum, amount(', 'sum = addQuantities(sum, amount(', QUOTA],
    'quota/overhead': ['return addQuantities(sum, amount(own(spec.overhead, resource)));', 'return sum;', QUOTA],
    'quota/ports-not-wanted': ['ports.filter(({ nodePort = 0 }) => nodePort !== 0).length', 'ports.length', QUOTA],
  }),
  ...inFile('src/controlplane/controllers/endpoint-slice/hints.ts', {
    'endpoint-slice/unready-get-no-hints': ['if (!isReady(endpoint)) {', 'if (false) {'],
    'endpoint-slice/one-without-a-zone': ["if (zone === '') return withoutHints(changes, unchanged);", ''],
    'endpoint-slice/only-ready-ones-count': ['(endpoints ?? []).filter(isReady).length', '(endpoints ?? []).length'],
  }),
];
