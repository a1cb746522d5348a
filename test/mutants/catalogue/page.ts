/** The model of the page. */
import { inFile, type Mutant } from '../mutant.ts';

const model = 'src/surfaces/page/model';

export const page: readonly Mutant[] = [
  ...inFile(`${model}/axis.ts`, {
    'page/quiet-grows-by-its-logarithm': ['Math.log2(1 + gapMs / 1000)', '(gapMs / 1000)'],
    'page/untold-steps-take-little-room': ['isReported[step] === 1 ? REPORTED : UNREPORTED', 'REPORTED'],
    'page/step-at-just-that-place': ['(places[middle] ?? 1) <= place', '(places[middle] ?? 1) < place'],
  }),
  ...inFile(`${model}/phase.ts`, {
    'page/dying-pods': ["if (metadata.deletionTimestamp !== undefined) return 'Terminating';", ''],
    'page/over-before-dying': [
      "if (status.phase === 'Succeeded' || status.phase === 'Failed') return status.phase;\n  if (metadata",
      'if (metadata',
    ],
  }),
  ...inFile(`${model}/pod-grid.ts`, {
    'page/a-crowd-that-just-fits': ['columns * rows >= count', 'columns * rows > count'],
    'page/of-two-alike-the-first': ['> (counts.get(most) ?? 0)) most', '>= (counts.get(most) ?? 0)) most'],
    'page/order-of-birth': ['a.order - b.order', 'b.order - a.order'],
  }),
  ...inFile(`${model}/search.ts`, {
    'page/quoted-words': ["quoted ?? bare ?? ''", "bare ?? ''"],
    'page/in-whatever-case': ['text.toLowerCase().matchAll', 'text.matchAll'],
    'page/nothing-asked-for': ['Object.values(query).some((each) => each.length > 0) ? query : undefined', 'query'],
  }),
];
