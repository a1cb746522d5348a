/** An error boundary: a broken component shows a message, and the others stay. It is rendered again on request, never automatically. */
import { Component, type ComponentChildren } from 'preact';

interface Props {
  /** The name of the component: `The stage`. */
  readonly name: string;
  readonly children: ComponentChildren;
}

type Broken = Readonly<Record<'error', string | undefined>>;

/** A part within a boundary of its own. */
export const bounded = (name: string, part: ComponentChildren) => <Boundary name={name}>{part}</Boundary>;

class Boundary extends Component<Props, Broken> {
  override state: Broken = { error: undefined };

  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ error: error instanceof Error ? error.message : String(error) });
  }

  override render({ name, children }: Props, { error }: Broken): ComponentChildren {
    if (error === undefined) return children;
    return (
      <section class="broken-card" role="alert">
        <h2>{name} could not be drawn</h2>
        <p>{error}</p>
        <button class="button" onClick={() => this.setState({ error: undefined })}>
          Render it again
        </button>
      </section>
    );
  }
}
