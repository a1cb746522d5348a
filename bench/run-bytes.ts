/** The process in which bytes of a run are counted: a scenario of one Job, run as the command runs it, without a trace. */
import { parseScenario } from '../src/lab/scenario/index.ts';
import { simulate } from '../src/lab/simulation/index.ts';
import { vocabulary } from '../src/lab/vocabulary.ts';
import { perPod } from './exact.ts';
import { scenarioText } from './scenario-file.ts';

function bytesOfRun(pods: number): number {
  const parsed = parseScenario(scenarioText({ pods, parallelism: 100 }), { ...vocabulary(), file: 'job.yaml' });
  if (!('scenario' in parsed)) throw new Error(JSON.stringify(parsed.problems));
  const before = process.memoryUsage().heapUsed;
  if (simulate(parsed.scenario).verdict !== 'held') throw new Error('it did not hold');
  return process.memoryUsage().heapUsed - before;
}

const pods = Number(process.argv[2]);
bytesOfRun(pods);
process.stdout.write(String(perPod(pods, bytesOfRun)));
