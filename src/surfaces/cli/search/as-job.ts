/** `search --as-job N`: writes an Indexed Job and a workflow for CI that run the parts of a search and merge their reports. */
import { also } from './files.ts';
import { basename, join, relative, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { formatYaml } from '../../../schema/yaml/index.ts';
import { shellWord } from '../../report/index.ts';
import { BadInput, EXIT } from '../exit.ts';
import { refuseOverwrite, writeWhole } from '../files.ts';
import { version } from '../install.ts';
import type { Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { budgetText, type SearchOptions } from './options.ts';

const HEAD = '# Written by orchsim search --as-job';
/** The image without --image: it installs orchsim at start. */
const PLAIN_IMAGE = 'node:20';
/** The name of a Job becomes a label of its pods. */
const MOST_NAME = 50;
/** A ConfigMap holds at most one mebibyte. */
const MOST_SCENARIO_BYTES = 900_000;

export function writeJob(loaded: LoadedScenario, searchOptions: SearchOptions, parts: number, io: Io): number {
  const { file, scenario, flags } = loaded;
  if (flags !== undefined && searchOptions.image === undefined)
    throw new BadInput(`--as-job: ${flags} needs files that ${PLAIN_IMAGE} does not have; name an image of your project with --image`);
  if (searchOptions.corpus !== undefined && searchOptions.image === undefined)
    throw new BadInput(`--as-job: ${PLAIN_IMAGE} does not have the folder of --corpus; name an image of your project with --image`);
  const name = `search-${scenario.name}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_NAME)
    .replace(/-+$/, '');
  const job = `${name}.job.yaml`;
  const workflow = `${name}.workflow.yaml`;
  const merge = `npx orchsim search ${shellWord(file)}${also(flags)}${judgeFlag(searchOptions.judge)} --merge`;
  const files = [
    [join(searchOptions.out, job), `${jobHead(name, parts, merge, job)}${jobText(loaded, searchOptions, parts, name, io)}`],
    [join(searchOptions.out, workflow), workflowText(loaded, searchOptions, parts, name)],
  ] as const;
  if (!searchOptions.force) for (const [path] of files) refuseOverwrite(path, '--as-job', io.cwd);
  for (const [path, text] of files) writeWhole({ option: '--as-job', path, cwd: io.cwd }, text);
  io.out(
    [
      `  ${io.palette.good('+')} ${join(searchOptions.out, job)}       an Indexed Job of ${parts} parts; its first lines say how to start it and merge its reports`,
      `  ${io.palette.good('+')} ${join(searchOptions.out, workflow)}  the same as a matrix, for .github/workflows`,
      '',
    ].join('\n'),
  );
  return EXIT.held;
}

const optionsOf = ({ budget, seed, faults, judge, corpus }: SearchOptions): string =>
  `--budget ${shellWord(budgetText(budget))} --seed ${seed} --faults ${faults.join(',')}${judgeFlag(judge)}${corpusFlag(corpus)}`;

const judgeFlag = (judge: SearchOptions['judge']): string => (judge === 'mine' ? '' : ` --judge ${judge}`);
const corpusFlag = (corpus: string | undefined): string => (corpus === undefined ? '' : ` --corpus ${shellWord(corpus)}`);

const jobHead = (name: string, parts: number, merge: string, file: string): string => `${HEAD}
#
#   kubectl apply -f ${file}
#   kubectl wait --for=condition=complete job/${name} --timeout=-1s
#   kubectl logs -l job-name=${name} --tail=-1 --max-log-requests=${parts} | ${merge} -
#
# Each part ends with its report in its log, whatever it has found; the last command makes small what they found, and says which are missing.
`;

function jobText({ file, flags }: LoadedScenario, searchOptions: SearchOptions, parts: number, name: string, io: Io): string {
  const { image } = searchOptions;
  const hasImage = image !== undefined;
  const text = readFileSync(resolve(io.cwd, file), 'utf8');
  if (!hasImage && Buffer.byteLength(text) > MOST_SCENARIO_BYTES)
    throw new BadInput(
      `--as-job: ${file} has more than ${MOST_SCENARIO_BYTES} bytes, too many for a ConfigMap; name an image that holds it with --image`,
    );
  if (!hasImage && refersToFiles(text))
    throw new BadInput(
      `--as-job: ${file} reads other files, which ${PLAIN_IMAGE} does not have; name an image of your project with --image`,
    );
  const path = hasImage ? relative(io.cwd, resolve(io.cwd, file)) : `/scenario/${basename(file)}`;
  const program = hasImage ? 'npx orchsim' : `npx --yes orchsim@${version()}`;
  // Parts count from 1, indexes from 0.
  const command = `exec ${program} search ${shellWord(path)}${also(flags)} ${optionsOf(searchOptions)} --jobs 1 --out /tmp --shard "$((JOB_COMPLETION_INDEX + 1))/${parts}" --report -`;
  const container = {
    name: 'search',
    image: image ?? PLAIN_IMAGE,
    command: ['/bin/sh', '-c', command],
    resources: { requests: { cpu: '1', memory: '1Gi' } },
    ...(hasImage ? {} : { volumeMounts: [{ name: 'scenario', mountPath: '/scenario' }] }),
  };
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      completionMode: 'Indexed',
      completions: parts,
      parallelism: parts,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [container],
          ...(hasImage ? {} : { volumes: [{ name: 'scenario', configMap: { name } }] }),
        },
      },
    },
  };
  const held = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { [basename(file)]: text } };
  return (hasImage ? [job] : [held, job]).map((each) => formatYaml(each)).join('---\n');
}

const refersToFiles = (text: string): boolean => /\bfile:\s*\S+\.(?:ya?ml|json)\b/.test(text);

function workflowText({ file, flags }: LoadedScenario, searchOptions: SearchOptions, parts: number, name: string): string {
  const search = `npx orchsim search ${shellWord(file)}${also(flags)}`;
  const setUp = [{ uses: 'actions/checkout@v4' }, { uses: 'actions/setup-node@v4', with: { 'node-version': 20 } }, { run: 'npm ci' }];
  const workflow = {
    name,
    on: { workflow_dispatch: null },
    jobs: {
      part: {
        'runs-on': 'ubuntu-latest',
        strategy: { 'fail-fast': false, matrix: { part: Array.from({ length: parts }, (_, at) => at + 1) } },
        steps: [
          ...setUp,
          {
            run: `${search} ${optionsOf(searchOptions)} --shard "\${{ matrix.part }}/${parts}" --report "report-\${{ matrix.part }}.json"`,
          },
          { uses: 'actions/upload-artifact@v4', if: 'always()', with: { name: 'report-${{ matrix.part }}', path: 'report-*.json' } },
        ],
      },
      sum: {
        needs: 'part',
        if: 'always()',
        'runs-on': 'ubuntu-latest',
        steps: [
          ...setUp,
          { uses: 'actions/download-artifact@v4', with: { pattern: 'report-*', path: 'reports', 'merge-multiple': true } },
          { run: `${search}${corpusFlag(searchOptions.corpus)} --out found --merge reports/*.json` },
          { uses: 'actions/upload-artifact@v4', if: 'always()', with: { name: 'found', path: 'found' } },
        ],
      },
    },
  };
  return `${HEAD}\n${formatYaml(workflow)}`;
}
