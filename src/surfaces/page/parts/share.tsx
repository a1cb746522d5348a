/** The link to the current view, the markup that embeds it, and what is shown as files. */
import { saveMoment, saveScenario, saveTrace } from '../saving.ts';
import { model, scenario, shared } from '../state.ts';
import { Dialog } from './dialog.tsx';

export function Share() {
  const of = shared.value;
  if (of === undefined) return null;
  const [page = '', hash = ''] = of.url.split('#');
  const frame = `<iframe src="${page}?embed#${hash}" width="100%" height="640" title="orchsim"></iframe>`;
  return (
    <Dialog name="Share" title={of.copied ? 'The link is copied' : 'Share what you see'} close={() => (shared.value = undefined)}>
      <div class="offer">
        <p class="quiet">
          {page.startsWith('file:')
            ? 'This page is a file of yours, so its address is for you. Send the file of this moment, or the part of the link from # on: it works behind the address of any page of orchsim.'
            : 'Scenario, seed, step, cache and second run: the link opens the same view in this page.'}
        </p>
        <div class="files">
          <button class="button primary" onClick={() => void saveMoment()} autofocus>
            Save this moment as a file
          </button>
          {scenario.value?.text !== '' && (
            <button class="button" onClick={saveScenario}>
              Scenario
            </button>
          )}
          {BUILT_WITH_ENGINE && model.value?.run.window === undefined && (
            <button class="button" onClick={saveTrace}>
              Trace
            </button>
          )}
        </div>
        <Copied name="the link" text={of.url} />
        {page.startsWith('file:') && <Copied name="for the page of another person" text={`#${hash}`} />}
        <Copied name="in slides, or in a page of your own" text={frame} />
      </div>
    </Dialog>
  );
}

const Copied = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <label>
    {name}
    <input class="field" readOnly value={text} onFocus={({ currentTarget }) => currentTarget.select()} />
  </label>
);
