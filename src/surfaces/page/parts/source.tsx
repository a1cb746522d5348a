/** The scenario's text, read-only, in pages that cannot run it. The line that was asked for is marked. */
import { useEffect, useRef } from 'preact/hooks';
import { scenario, sought } from '../state.ts';

export function Source() {
  const marked = useRef<HTMLElement>(null);
  const line = sought.value?.line;
  useEffect(() => marked.current?.scrollIntoView({ block: 'center' }), [line]);
  const lines = (scenario.value?.text ?? '').split('\n');
  return (
    <>
      <h1 class="unseen">The scenario as a file</h1>
      <pre class="code" tabIndex={0} aria-label="The scenario's text">
        {line === undefined
          ? lines.join('\n')
          : [`${lines.slice(0, line - 1).join('\n')}\n`, <mark ref={marked}>{lines[line - 1]}</mark>, `\n${lines.slice(line).join('\n')}`]}
      </pre>
    </>
  );
}
